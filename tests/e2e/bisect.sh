#!/usr/bin/env bash
# kilter bisect on small histories: the culprit among many commits, some of which cannot be built; killed and
# resumed; merges; two culprits; outcomes; what is refused.
. "$(dirname "$0")/common.sh"

git init -q -b main repo
# A benchmark whose speed is LEVEL but for some noise; it is all that the commits change.
bench() { # LEVEL [EXTRA LINE]
  cat >repo/bench.sh <<S
#!/bin/bash
n=\$(od -An -N4 -tu4 /dev/urandom)
${2:-}
echo "speed: \$(($1 * 10 + n % 100 - 50))"
S
  chmod +x repo/bench.sh
}
commit() { # SUBJECT
  date +%N >>repo/changes
  git -C repo add -A
  git -C repo commit -q -m "$1"
}
sha() { git -C repo rev-parse "$1"; }
project() { # NAME STEP
  cat >"$1.yaml" <<Y
name: $1
url: repo
branches: [main]
build: {timeout: 60s, steps: [["./build.sh"]]}
artefacts: {bench: bench.sh}
benchmark:
  suite: $1
  run: [["{artefact:bench}"]]
  parser: key-value
  time_limit: 10
  metrics:
    speed: {unit: ops/s, better: higher, headline: true}
Y
}
printf '#!/bin/sh\n[ ! -e broken ] || { echo "no: $(cat broken)"; exit 1; }\n[ ! -e hang ] || sleep 600\n' >repo/build.sh
chmod +x repo/build.sh
project lib
bisect() { kilter bisect -p lib.yaml "$@"; }
field() { python3 -c "import json,sys; d=json.load(open('$scratch/out')); print($1)"; }

# 66 commits; 42 makes it 3 % slower; every tenth, and those around 20, do not build.
for i in $(seq 0 65); do
  if [ "$i" -lt 42 ]; then bench 1000 "# $i"; else bench 970 "# $i"; fi
  rm -f repo/broken
  case $i in *7 | 19 | 20 | 21) echo "commit $i" >repo/broken ;; esac
  commit "lib: step $i"
  git -C repo tag "s$i"
done

# What it would take is said before anything is there, and nothing is made.
expect_exit 0 bisect --good s0 --bad s65 --dry-run
expect_in "65 commits" "$out"
expect_in "about" "$out"
[ ! -e "$KILTER_HOME/results" ]

# Found, however often it is killed on the way; what was measured is not measured again.
for _ in 1 2 3; do
  kilter bisect -p lib.yaml --good s0 --bad s65 >/dev/null 2>>killed.log </dev/null &
  pid=$!
  sleep 1.2
  kill -9 "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
done
before=$(find "$KILTER_HOME/results" -name outcome.json | wc -l)
[ "$before" -gt 3 ]
expect_exit 0 bisect --good s0 --bad s65 --format json
expect_in "going on where it was" "$err"
[ "$(field 'd["findings"][0]["kind"]')" = culprit ]
[ "$(field 'd["findings"][0]["commits"][0]["sha"]')" = "$(sha s42)" ]
[ "$(field 'd["findings"][0]["verified"]')" = True ]
[ "$(field 'd["findings"][0]["verdict"]')" = "a regression" ]
[ "$(field '-.04 < d["findings"][0]["effect"] < -.02')" = True ]
[ "$(field 'd["findings"][0]["interval"][0] < -.03 < d["findings"][0]["interval"][1]')" = True ]
[ "$(field 'len(d["findings"])')" = 1 ]
after=$(find "$KILTER_HOME/results" -name outcome.json | wc -l)
[ "$(field 'd["runs"] + sum(1 for t in d["tested"] if t["failure"])')" = "$after" ]

# Asked again it answers from what it has.
expect_exit 0 bisect --good s0 --bad s65
expect_in "lib: step 42" "$out"
expect_in "a regression; probability" "$out"
[ "$(find "$KILTER_HOME/results" -name outcome.json | wc -l)" = "$after" ]
expect_exit 0 bisect --good s0 --bad s65 --dry-run
expect_in "the change is" "$out"

# A part of it, by shas, with the runs at hand.
expect_exit 0 bisect --good "$(sha s40)" --bad "$(sha s44)" --format json
[ "$(field 'd["findings"][0]["commits"][0]["sha"]')" = "$(sha s42)" ]
# A history of one commit.
expect_exit 0 bisect --good s41 --bad s42 --format json
[ "$(field 'd["findings"][0]["commits"][0]["sha"]')" = "$(sha s42)" ]

# Ends that do not differ are refused with the evidence, and nothing between them is built.
expect_exit 0 bisect --good s0 --bad s33 --end-runs 12 --format json
[ "$(field 'd["findings"][0]["kind"]')" = no-difference ]
[ "$(field 'len([t for t in d["tested"] if t["sha"] == "'"$(sha s16)"'"])')" = 0 ]
expect_in "do not differ in lib.speed" "$(field 'd["findings"][0]["sentence"]')"

# Nor are ends that are built to the same bytes measured at all.
git -C repo checkout -q -b same s0
for i in 1 2 3; do commit "lib: same $i"; done
expect_exit 3 bisect --good s0 --bad same
expect_in "good and bad are built to identical artefacts" "$err"
git -C repo checkout -q main

# What cannot be asked.
expect_exit 2 bisect --good s5 --bad s5
expect_in "are the same commit" "$err"
expect_exit 2 bisect --good s9 --bad s5
expect_in "the ends are reversed" "$err"
expect_in "--good s5 --bad s9" "$err"
git -C repo checkout -q -b other s3
commit "lib: elsewhere"
git -C repo checkout -q main
expect_exit 2 bisect --good other --bad s9
expect_in "is no ancestor of bad" "$err"
expect_in "different branches" "$err"
expect_exit 2 bisect --good s0 --bad nowhere
expect_exit 2 bisect --good s0
expect_in "--good and --bad are needed" "$err"
expect_exit 2 kilter bisect --good s0 --bad s9
expect_in "of which project?" "$err"
expect_exit 2 bisect --good s0 --bad s65 --outcome ok
expect_in "one of failed, crashed" "$err"
expect_exit 2 bisect --good s0 --bad s65 --confidence 2
expect_exit 2 bisect --good s0 --bad s65 --budget soon
expect_exit 3 bisect --good s7 --bad s65
expect_in "the good end $(sha s7 | cut -c1-12) cannot be measured" "$err"
expect_exit 3 bisect --good s0 --bad s65 --metric lib.nothing
expect_in "cannot be measured: ended well without 'lib.nothing'; there are lib.speed" "$err"
git -C repo checkout -q -b still s65
git -C repo commit -q --allow-empty -m "lib: nothing"
git -C repo tag e1
git -C repo checkout -q main
expect_exit 2 bisect --good s65 --bad e1
expect_in "no commit of the range changes a file" "$err"

# Around a culprit that cannot be built the answer is the smallest set, and why.
git -C repo checkout -q -b hidden s0
for i in $(seq 1 8); do
  if [ "$i" -lt 4 ]; then bench 1000; else bench 900; fi
  rm -f repo/broken
  case $i in 4 | 5) echo "slip $i" >repo/broken ;; esac
  commit "lib: hidden $i"
  git -C repo tag "h$i"
done
expect_exit 0 bisect --good s0 --bad h8 --format json
[ "$(field 'd["findings"][0]["kind"]')" = one-of ]
[ "$(field '[c["subject"] for c in d["findings"][0]["commits"]]')" = "['lib: hidden 4', 'lib: hidden 5', 'lib: hidden 6']" ]
expect_in "those between could not be measured" "$(field 'd["findings"][0]["sentence"]')"

# A merge that is the culprit is followed into its branch; a merge that brought nothing stands for itself.
git -C repo checkout -q -b trunk s0
bench 1000; commit "lib: trunk 1"
git -C repo checkout -q -b topic
for i in 1 2 3 4; do
  echo "$i" >repo/topic
  if [ "$i" -ge 3 ]; then bench 880; fi
  commit "lib: topic $i"
done
git -C repo checkout -q trunk
for i in 2 3; do echo "$i" >repo/trunk; commit "lib: trunk $i"; done
git -C repo merge -q --no-ff -s recursive -X theirs -m "Merge topic" topic
for i in 4 5; do echo "$i" >repo/trunk; commit "lib: trunk $i"; done
expect_exit 0 bisect --good s0 --bad refs/heads/trunk --format json
[ "$(field 'd["findings"][0]["commits"][0]["subject"]')" = "Merge topic" ]
[ "$(field 'd["findings"][1]["commits"][0]["subject"]')" = "lib: topic 3" ]

# A merge whose branch changes nothing stands for itself.
git -C repo checkout -q -b evil s0
git -C repo checkout -q -b harmless
for i in 1 2; do echo "$i" >repo/harmless; commit "lib: harmless $i"; done
git -C repo checkout -q evil
echo 1 >repo/evil; commit "lib: evil 1"
git -C repo merge -q --no-ff --no-commit -X theirs harmless
bench 850; git -C repo add -A; git -C repo commit -q -m "Merge harmless"
echo 2 >repo/evil; commit "lib: evil 2"
expect_exit 0 bisect --good s0 --bad refs/heads/evil
expect_in '("Merge harmless", Test) makes lib.speed' "$out"
expect_in "the merge itself makes the change" "$out"
# A good end on a merged branch says nothing of the line.
expect_exit 2 bisect --good harmless --bad refs/heads/evil
expect_in "is not on the first-parent line of bad" "$err"
expect_in "--good $(sha s0 | cut -c1-12)" "$err"
# What counts for too little is no difference.
expect_exit 0 bisect --good s0 --bad refs/heads/evil --delta 30%
expect_in "do not differ by 30.0 % or more in lib.speed: -15" "$out"

# Two culprits, one for the worse and one for the better.
git -C repo checkout -q -b twice s0
for i in $(seq 1 12); do
  level=1000
  [ "$i" -lt 4 ] || level=900
  [ "$i" -lt 9 ] || level=1200
  bench "$level"
  commit "lib: twice $i"
done
expect_exit 0 bisect --good s0 --bad twice --format json
[ "$(field 'sorted(c["subject"] for f in d["findings"] for c in f["commits"])')" = "['lib: twice 4', 'lib: twice 9']" ]
expect_exit 0 bisect --good s0 --bad twice --first --format json
[ "$(field 'len(d["findings"])')" = 1 ]

# A failure that appears in half of the runs; and one that is the machine's comes and goes.
git -C repo checkout -q -b flaky s0
for i in $(seq 1 10); do
  if [ "$i" -lt 7 ]; then bench 1000; else bench 1000 '[ $((n % 2)) = 0 ] || exit 9'; fi
  commit "lib: flaky $i"
done
expect_exit 0 bisect --good s0 --bad flaky --outcome test-failed --format json
[ "$(field 'd["findings"][0]["commits"][0]["subject"]')" = "lib: flaky 7" ]
expect_in "makes 'test-failed' appear: 0 of" "$(field 'd["findings"][0]["sentence"]')"

# Ten commits whose builds hang.
git -C repo checkout -q -b hangs s0
for i in $(seq 1 30); do
  if [ "$i" -lt 25 ]; then bench 1000; else bench 900; fi
  rm -f repo/hang
  case $i in 1[0-9]) touch repo/hang ;; esac
  commit "lib: hangs $i"
done
expect_exit 0 bisect --good s0 --bad hangs --build-timeout 1s --format json
[ "$(field 'd["findings"][0]["commits"][0]["subject"]')" = "lib: hangs 25" ]

# The branch is rewritten on the way: the commits that were asked for are still those, by their shas.
forget() { # BRANCH: nobody has it any more, neither upstream nor the mirror
  git -C repo branch -q -D "$1"
  git --git-dir="$KILTER_HOME/git/lib" update-ref -d "refs/heads/$1"
  git --git-dir="$KILTER_HOME/git/lib" reflog expire --expire=now --all
  rm -f "$KILTER_HOME/git/lib/FETCH_HEAD"
  git --git-dir="$KILTER_HOME/git/lib" gc -q --prune=now
}
git -C repo checkout -q -b rewritten s0
for i in $(seq 1 16); do
  if [ "$i" -lt 5 ]; then bench 1000 'sleep 1'; else bench 900 'sleep 1'; fi
  commit "lib: rewritten $i"
done
good=$(sha s0) bad=$(sha rewritten)
git -C repo checkout -q main
kilter bisect -p lib.yaml --good "$good" --bad "$bad" --format json >gone.out 2>gone.err </dev/null &
pid=$!
for _ in $(seq 100); do grep -q "$(echo "$bad" | cut -c1-10): " gone.err && break; sleep 0.1; done
forget rewritten
# What is gone then is skipped, and said.
wait "$pid"
expect_in "it is no longer in the repository: the history was rewritten" "$(cat gone.err)"
cp gone.out out
[ "$(field 'd["findings"][0]["kind"]')" = one-of ]
expect_in "$(sha s0 | cut -c1-12)" "$(field 'd["findings"][0]["sentence"]')"
git -C repo reflog expire --expire=now --all
git -C repo gc -q --prune=now
expect_exit 2 bisect --good "$good" --bad "$bad"
expect_in "$bad" "$err"

# A budget ends it with what is known.
expect_exit 0 bisect --good s0 --bad s65 --fresh --budget 0.2s --format json
[ "$(field 'd["findings"][0]["complete"]')" = False ]

# Two at once on one question: the second one says so.
git -C repo checkout -q -b slow s0
for i in 1 2 3; do bench 1000 'sleep 0.3'; commit "lib: slow $i"; done
kilter bisect -p lib.yaml --good s0 --bad slow >/dev/null 2>&1 </dev/null &
pid=$!
sleep 1
expect_exit 3 bisect --good s0 --bad slow
expect_in "another kilter does the same bisect now" "$err"
kill -INT "$pid"
wait "$pid" || [ $? = 130 ]
