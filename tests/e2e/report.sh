#!/usr/bin/env bash
# Reports: whom they address, what they tell of ranges, patches, failures and contrary changes, and that all they hand on
# works elsewhere.
. "$(dirname "$0")/common.sh"

# The "benchmark" prints the numbers its source says; a speed of 0 is a failure.
git init -q -b main repo
cat >repo/bench.c <<'C'
#include <stdio.h>
int main(void) {
  printf("speed: %d\nlat: %d\nodd: %d\n", SPEED, LAT, SPEED * 3);
  if (SPEED == 0) fprintf(stderr, "bench: the table is upside down\n");
  return SPEED == 0 ? 3 : 0;
}
C
commit() { # SPEED LAT SUBJECT AUTHOR
  printf 'all:\n\tcc -DSPEED=%s -DLAT=%s -o bench bench.c # %s\n' "$1" "$2" "$3" >repo/Makefile
  git -C repo add -A
  git -C repo commit -q --author="$4 <$4@example.org>" -m "$3" -m "Reviewed-by: Rev Iewer <rev@example.org>"
}
commit 1000 30 "lib: start" ann
git -C repo tag v1
commit 900 30 "lib: check bounds" bob
bounds=$(git -C repo rev-parse HEAD)
commit 1200 40 "lib: cache all" cyd
git -C repo tag v2
commit 1200 40 "lib: write comments" dan
comments=$(git -C repo rev-parse HEAD)
commit 0 1 "lib: break it" eve
broken=$(git -C repo rev-parse HEAD)
commit 0 2 "lib: go on" fay
git -C repo branch aaa
cat >toy.yaml <<'Y'
name: toy
url: repo
build: {steps: [[make]]}
artefacts: {bench: bench}
benchmark:
  suite: toy
  run: [["{artefact:bench}"]]
  parser: key-value
  metrics:
    speed: {unit: ops/s, better: higher, headline: true}
    lat: {unit: ms, better: lower}
mail: {to: [list@example.org], archive: "https://lists.example.org/toy"}
Y
printf 'suite: toy\ntestcase: toy\ncategory: benchmark\ntoy:\n' >job.yaml
# A patch as somebody sends it, and one as `git diff` writes it.
git -C repo checkout -q v2
sed -i 's/1200/1500/' repo/Makefile
{
  printf 'From: =?UTF-8?q?J=C3=B6rg?= <joerg@example.org>\nSubject: [PATCH v2] lib: unroll\n\n'
  printf 'Reviewed-by: Pat <pat@example.org>\n---\n'
  git -C repo diff
} >unroll.patch
sed -i 's/1500/1800/' repo/Makefile
git -C repo diff >plain.patch
# A series in one file.
git -C repo checkout -q -f -b topic v2
commit 1210 40 "lib: one" gil
commit 1440 40 "lib: two" hal
git -C repo format-patch -q --stdout v2 >series.mbox
git -C repo checkout -q -f main
git -C repo branch -q -D topic
revisions=(v1 "$bounds" v2 "$comments" "$broken" main v2+unroll.patch v2+plain.patch v2+series.mbox)
words=()
for revision in "${revisions[@]}"; do words+=(--rev "$revision"); done
expect_exit 0 kilter run --project toy.yaml "${words[@]}" --runs 3 --no-monitors job.yaml

# headers FILE: To, Cc, From and Subject, one a line, unfolded.
headers() {
  python3 - "$1" <<'P'
import email, email.policy, sys
message = email.message_from_binary_file(open(sys.argv[1], "rb"), policy=email.policy.default)
for name in ("From", "To", "Cc", "Subject", "Message-ID", "Date"):
    print(f"{name}: {message[name]}")
P
}
report() { # OPERAND..: $mail, $archive, $head (its headers)
  expect_exit 0 kilter report "$@"
  mail=$(printf '%s\n' "$out" | sed -n 's/^mail:    //p')
  archive=$(printf '%s\n' "$out" | sed -n 's/^archive: //p')
  out=$(cat "$mail")
  head=$(headers "$mail")
}

# A commit and its parent: to the author. The branch is upstream's HEAD, not the first of the alphabet.
report v1 "$bounds"
first=$archive
expect_in "Subject: [toy:main] [lib]  ${bounds:0:10}:  toy.speed 10.0% regression" "$head"
expect_in "To: bob <bob@example.org>" "$head"
expect_in "The 99 % interval of the change is -10.1..-9.9 %, of 3+3 runs; these could have shown" "$out"
expect_in "rev@example.org" "$head"
expect_in "| Closes: https://lists.example.org/toy/20" "$out"
expect_in "build: make" "$out"
expect_not_in "parameters:" "$out"
expect_not_in "config: toy" "$out"
# A path of this machine helps no reader; where archives are published, that link stands in the mail.
expect_in "$archive" "$out"
expect_in "mail.materials" "$err"
cp toy.yaml toy.yaml.kept
sed -i 's|^mail: {|&materials: "https://lab.example.org/kilter/", |' toy.yaml
report v1 "$bounds"
expect_in "https://lab.example.org/kilter/$(date -u +%Y%m%d)/$(basename "$archive")" "$out"
expect_in "curl -fLO https://lab.example.org/kilter/" "$out"
expect_in "tar -xzf $(basename "$archive") -C materials" "$out"
expect_not_in "mail.materials" "$err"
mv toy.yaml.kept toy.yaml
report v1 "$bounds"
# Nobody is configured: the sender is whoever reports.
expect_in "From: kilter <" "$head"
git config --file me.cfg user.name "Me Myself"
git config --file me.cfg user.email me@example.org
export GIT_CONFIG_GLOBAL=$scratch/me.cfg
report v1 "$bounds"
export GIT_CONFIG_GLOBAL=/dev/null
expect_in "From: Me Myself <me@example.org>" "$head"
expect_in "| Reported-by: Me Myself <me@example.org>" "$out"
# Two reports in a minute are two.
[ "$first" != "$archive" ] && expect_file "$first" && expect_file "$archive"

# A range: nobody is blamed.
report v1 v2
expect_in "Subject: [toy:main]  v1..v2:  toy.speed 20.0% improvement" "$head"
expect_in "To: list@example.org" "$head"
expect_not_in "cyd@" "$head"
expect_in "2 commits lead from v1 to v2" "$out"
expect_in "kilter bisect -p" "$out"
expect_in "\"lib: check bounds\"" "$out"
# The other way is told beside the improvement.
expect_in "At the same time: a 33.3% regression of toy.lat." "$out"
expect_in "| testcase: change | toy: toy.lat 33.3% regression" "$out"

expect_exit 3 kilter report v1 v2 --metric toy.sped
expect_in "no run has this metric" "$err"
expect_in "did you mean 'toy.speed'?" "$err"

# Patches: their authors, never the base's.
report v2 "v2+unroll.patch"
expect_in "To: Jörg <joerg@example.org>" "$head"
expect_in "pat@example.org" "$head"
expect_not_in "cyd@" "$head"
expect_in "[toy:main] [lib]  $(git -C repo rev-parse v2 | cut -c1-10)+" "$head"
expect_in "patch subject: [PATCH v2] lib: unroll" "$out"
expect_in "base: $scratch/repo main $(git -C repo rev-parse v2)" "$out"
report v2 "v2+plain.patch"
expect_in "To: list@example.org" "$head"
expect_not_in "cyd@" "$head"
expect_in "plain.patch" "$out"

report v2 "v2+series.mbox"
expect_in "To: hal <hal@example.org>" "$head"
expect_in "gil@example.org" "$head"
expect_in "patch subject: [PATCH 2/2] lib: two" "$out"

# A failure: what failed, how often, and the log; no percentage.
report "$comments" "$broken"
expect_in "Subject: [toy:main] [lib]  ${broken:0:10}:  toy.test-failed" "$head"
expect_in "in 3 of 3 runs, and in 0 of 3 of the base (Fisher" "$out"
expect_in "noticed \"toy.test-failed\" on:" "$out"
expect_in ":3" "$out"
expect_in "bench: the table is upside down" "$out"
expect_in "Reported-by" "$out"
expect_in "To: eve <eve@example.org>" "$head"
expect_in "[test failed on toy/main $(git -C repo rev-parse main)]" "$out"

# The same program twice is no news.
expect_exit 0 kilter compare v2 "$comments"
expect_in "built to the same program, byte for byte" "${out%%=====*}"
expect_exit 0 kilter compare --style lkp v2 "$comments"
expect_in "byte for byte" "$err"
expect_exit 3 kilter report v2 "$comments"
expect_exit 3 kilter report --metric toy.speed v2 "$comments"
# As a further column it does no harm.
expect_exit 0 kilter report v1 v2 "$comments"
expect_in "v1..v2" "$out"

# A metric without a direction is told as a change, where it is asked for.
report --metric toy.odd v1 "$bounds"
expect_in "toy.odd 10.0% change" "$head"
expect_exit 3 kilter report --metric toy.sped v1 "$bounds"
expect_in "toy.speed" "$err"
expect_exit 2 kilter report -s testcase=nope v1 v2
expect_in "testcase=nope" "$err"
expect_exit 0 kilter report --format json v1 v2
python3 - out <<'P'
import json, sys
report = json.load(open(sys.argv[1]))
assert report["commit"] is None and report["range"]["commits"] == 2, report["range"]
assert report["metric"] == "toy.speed" and abs(report["percent"] - 20) < 1e-9
assert report["tables"][0]["rows"] and report["to"] == ["list@example.org"]
P

# What the archive holds works elsewhere, without kilter: with the programs in it, then built from source.
report v1 "$bounds"
cp "$archive" elsewhere.tar.gz
steps=$(sed -n '/^To reproduce:/,/^=====/p' "$mail" | sed -n 's/^        //p')
mv "$KILTER_HOME" away
mkdir elsewhere && tar -xzf elsewhere.tar.gz -C elsewhere
base=$(git -C repo rev-parse v1 | cut -c1-12)
for file in mail.txt job.yaml machine.json plan.json project.yaml "build/$base/build.json" "build/$base/build.log" \
  "build/$base/artefacts/bench"; do
  expect_file "elsewhere/$file"
done
grep -q '"tools"' "elsewhere/build/$base/build.json"
if tar -tvzf elsewhere.tar.gz | grep 1970; then exit 1; fi
expect_exit 0 env -i PATH=/usr/bin:/bin sh elsewhere/reproduce.sh 2
[ "$(printf '%s\n' "$out" | grep -c 'speed: 900')" -eq 2 ] && [ "$(printf '%s\n' "$out" | grep -c 'speed: 1000')" -eq 2 ]
rm -r elsewhere/build/*/artefacts
expect_exit 0 env -i PATH=/usr/bin:/bin sh elsewhere/reproduce.sh 1
expect_in "speed: 900" "$out"
expect_in "speed: 1000" "$out"

# The mail's steps, pasted; the archive is where the mail says. They leave the reader's own home alone.
mkdir -p "$(dirname "$archive")" && cp elsewhere.tar.gz "$archive"
mkdir paste
printf 'set -e\ncd paste\n%s\n' "$steps" >paste.sh
expect_exit 0 sh paste.sh
expect_in "speed: 900" "$out"
expect_in "-10.0%" "$out"
expect_in "toy.speed" "$out"
[ ! -e "$KILTER_HOME/kilter.db" ]

# Results of LKP's: what nobody told is left out.
export KILTER_HOME=$scratch/lkp
python3 - "$tests/golden/compare/golden3.input.json" <<'P'
import json, os, sys
for commit, matrix in json.load(open(sys.argv[1]))["commits"].items():
    folder = f"result/netperf/x/lkp-spr-2sp3/debian/x86_64-rhel-9.4/gcc-12/{commit}"
    os.makedirs(folder)
    json.dump(matrix, open(folder + "/matrix.json", "w"))
P
expect_exit 0 kilter import result
report 18bae0dfec15 27ce8299bc1e
expect_in "18bae0dfec..27ce8299bc:  netperf.Throughput_tps 23.1% improvement" "$head"
expect_in "test machine: lkp-spr-2sp3" "$out"
expect_in "To: nobody: set mail.to in the project file" "$err"
for absent in '0 threads' '("")' '0G' 'To reproduce' 'To:'; do expect_not_in "$absent" "${out%%=====*}"; done
# LKP's table cannot name merged rows, so none are merged.
expect_exit 0 kilter compare --style lkp 18bae0dfec15 27ce8299bc1e
rows=$(printf '%s\n' "$out" | sed -n 's/.*  \([a-z_-]*\.[^ ]*\)$/\1/p')
expect_in "netperf.Throughput_tps" "$rows"
expect_exit 0 kilter report --style lkp --print 18bae0dfec15 27ce8299bc1e
for row in $rows; do expect_in "  $row" "$out"; done

# A built-in suite needs no kilter elsewhere: the engine goes along. Two kernels are made of one.
export KILTER_HOME=$scratch/suite
expect_exit 0 kilter run jobs/will-it-scale.yaml --runs 3 --no-monitors -s 'runtime: 1s' -s 'nr_task: 1' \
  -s 'mode: process' -s 'test: getppid1'
python3 - "$KILTER_HOME" <<'P'
import glob, json, os, shutil, sys
# How fast this machine is now has no part in it.
def set_speed(run, speed):
    stats = json.load(open(run + "/stats.json"))
    json.dump({key: speed if "ops" in key else value for key, value in stats.items()}, open(run + "/stats.json", "w"))
for i, run in enumerate(glob.glob(sys.argv[1] + "/results/*/*/*/*/*/*/*/[0-9]*")):
    copy = os.path.join(os.path.dirname(os.path.dirname(run)), "9.9.9-head", os.path.basename(run))
    shutil.copytree(run, copy)
    outcome = json.load(open(copy + "/outcome.json"))
    outcome["axes"]["commit"] = "9.9.9-head"
    outcome["build_id"] = "9" * 40
    json.dump(outcome, open(copy + "/outcome.json", "w"))
    set_speed(run, 2000000 + 1000 * i)
    set_speed(copy, 1000000 + 500 * i)
P
expect_exit 0 kilter reindex
report "$(uname -r)" 9.9.9-head
expect_in "$(uname -r)..9.9.9-head:  will-it-scale.per_process_ops 50.0% regression" "$head"
expect_in "config: $(uname -m)-" "$out"
cp "$archive" suite.tar.gz
steps=$(sed -n '/^To reproduce:/,/^=====/p' "$mail" | sed -n 's/^        //p')
mv "$KILTER_HOME" away2
mkdir suite-elsewhere && tar -xzf suite.tar.gz -C suite-elsewhere
expect_exit 0 env -i PATH=/usr/bin:/bin sh suite-elsewhere/reproduce.sh 1
expect_in "tasks,processes" "$out"
mkdir -p "$(dirname "$archive")" paste2 && cp suite.tar.gz "$archive"
printf 'set -e\ncd paste2\n%s\n' "$steps" >paste2.sh
expect_exit 0 sh paste2.sh
expect_in "per_process_ops" "$out"

# Runs that fail now and then are told beside a headline: every third run of the changed one fails.
export KILTER_HOME=$scratch/flaky
git init -q -b main flaky-repo
flaky() { # SPEED SUBJECT
  cat >flaky-repo/bench.sh <<B
#!/bin/sh
count=\$(cat $scratch/count-$1 2>/dev/null || echo 0)
echo \$((count + 1)) >$scratch/count-$1
echo "speed: $1"
[ $1 != 1200 ] || [ \$((count % 3)) -ne 1 ]
B
  chmod +x flaky-repo/bench.sh
  git -C flaky-repo add -A
  git -C flaky-repo commit -q -m "$2"
}
flaky 1000 "lib: start"
flaky 1200 "lib: race, it's \$(touch pwned)"
sed -e 's/url: repo/url: flaky-repo/; s/name: toy/name: flaky/; s/\[\[make\]\]/[["true"]]/; s/bench: bench/bench: bench.sh/' toy.yaml >flaky.yaml
flaky 900 "lib: slow"
flaky 890 "lib: go on"
expect_exit 0 kilter run --project flaky.yaml --rev main~3 --rev main~2 --runs 6 --no-monitors job.yaml
expect_exit 0 kilter run --project flaky.yaml --rev main~1 --rev main --runs 3 --no-monitors job.yaml
# A regression that the branch's head has still is told with it; an improvement is no problem.
report main~3 main~1
expect_in "[test failed on flaky/main $(git -C flaky-repo rev-parse main)]" "$out"
report main~3 main~2
expect_not_in "[test failed" "$out"
expect_in "toy.speed 20.0% improvement" "$head"
expect_in "At the same time: toy.test-failed in 2 of 6 runs." "$out"
expect_in "| testcase: change | toy: toy.test-failed in 2 of 6 runs" "$out"
mkdir flaky-elsewhere && tar -xzf "$archive" -C flaky-elsewhere
sh flaky-elsewhere/reproduce.sh 1 >out 2>&1 || true
grep -q "speed: 1200" out
[ ! -e pwned ] && [ ! -e flaky-elsewhere/pwned ]
