#!/usr/bin/env bash
# Histories: a real one through a project's builds, with a known change, a suspect, machines that differ, rewritten commits;
# and imported ones in the order of time.
. "$(dirname "$0")/common.sh"

expect_exit 0 kilter history
expect_in "no results yet" "$err"

# A "benchmark" whose speed its source says: the level of the commit, what its code layout adds, and a little noise.
git init -q -b main repo
printf 'all:\n\tcp bench.sh bench\n' >repo/Makefile
number=0
commit() { # LEVEL SUBJECT
  number=$((number + 1))
  local speed=$(($1 + $1 * ((number * number * 37 + number * 11) % 601 - 300) / 100000))
  cat >repo/bench.sh <<B
#!/bin/sh
# $2
set -- \$(od -An -N2 -tu2 /dev/urandom)
echo "speed: \$(($speed + \$1 % 41 - 20))"
B
  chmod +x repo/bench.sh
  git -C repo add -A
  git -C repo commit -q -m "$2"
}
for i in $(seq 1 11); do commit 100000 "lib: step $i"; done
commit 95000 "lib: be careful $(printf '\033[31m')"
slow=$(git -C repo rev-parse HEAD)
for i in $(seq 13 28); do commit 95000 "lib: step $i"; done
for i in $(seq 29 31); do commit 94300 "lib: step $i"; done
cat >toy.yaml <<'Y'
name: toy
url: repo
branches: [main]
build: {steps: [[make]]}
artefacts: {bench: bench}
benchmark:
  suite: toy
  run: [["{artefact:bench}"]]
  parser: key-value
  metrics:
    speed: {unit: ops/s, better: higher, headline: true}
Y
revs=()
for i in $(seq 30 -1 0); do
  case $i in 24 | 23 | 9) ;; *) revs+=(--rev "HEAD~$i") ;; esac
done
expect_exit 0 kilter run --project toy.yaml "${revs[@]}" --runs 3 --no-monitors
kilter history toy >plot
expect_exit 0 kilter history toy
expect_in "toy.speed [ops/s], higher is better" "$out"
expect_in "toy: 28 commits along main, 84 runs" "$out"
expect_in "% regression (99 %: -5." "$out"
expect_in "${slow:0:12} (\"lib: be careful [31m\")" "$out"
expect_in "next: kilter report -p toy" "$out"
expect_in "suspects" "$out"
expect_in "regression?" "$out"
expect_in "next: kilter run -p toy --rev" "$out"
expect_not_in $'\033' "$out"
[ "$(awk '{ if (length > most) most = length } END { print most }' plot)" -le 110 ]
# A terminal gets colours, and fine characters where the locale has them.
if command -v script >/dev/null; then
  env -u NO_COLOR LC_ALL=C.UTF-8 script -qc "kilter history toy" /dev/null >typescript
  expect_in $'\033[31m' "$(cat typescript)"
  expect_in "─" "$(cat typescript)"
fi

# The same by metric, axes, project, as data, and a part of it.
expect_exit 0 kilter history speed
expect_in "28 commits" "$out"
expect_exit 0 kilter history testcase=toy -m toy.speed -p toy
expect_in "28 commits" "$out"
expect_exit 0 kilter history toy --last 5
expect_in "23 older commits are not shown" "$out"
expect_exit 0 kilter history toy --since 1d
expect_in "28 commits" "$out"
expect_exit 0 kilter history toy --format json
python3 - out "$slow" <<'P'
import json, sys
[history] = json.load(open(sys.argv[1]))
confirmed = [change for change in history["changes"] if change["grade"] == "confirmed"]
[change] = confirmed
assert change["first_bad"] == sys.argv[2], change
assert change["verdict"] == "regression" and change["untested"] == 0, change
assert change["interval"][0] < -.05 < change["interval"][1] < -.04, change
assert [c["grade"] for c in history["changes"]] == ["confirmed", "suspect"], history["changes"]
assert history["line"] == "main" and len(history["points"][0]["runs"]) == 3
P

# As a picture, and everything at once.
expect_exit 0 kilter history toy -o picture.svg
[ -z "$out" ]
python3 - picture.svg <<'P'
import sys, xml.dom.minidom
text = xml.dom.minidom.parse(sys.argv[1]).toxml()
assert "<circle" in text and "toy.speed" in text and "\033" not in text
P
expect_exit 0 kilter history --all
expect_in "1 change and 1 suspect in 1 series of 28 points" "$out"
expect_in "(\"lib: be careful [31m\")" "$out"
expect_exit 0 kilter history --all --since 1d --format json
python3 - out <<'P'
import json, sys
found = json.load(open(sys.argv[1]))
dates = [change["date"] for change in found["changes"]]
assert dates == sorted(dates, reverse=True), dates
[change] = [change for change in found["changes"] if change["grade"] == "suspect"]
assert change["metric"] == "toy.speed", change
assert found["confirmed"] == 1 and found["suspects"] == 1, found
P
expect_exit 0 kilter history --all --since 2100-01-01
expect_in "0 changes and 0 suspects" "$out"
expect_exit 2 kilter history --all --format svg
expect_exit 2 kilter history toy --metrics all

# Slips.
expect_exit 2 kilter history testcase=tyo
expect_in "did you mean 'toy'?" "$err"
expect_exit 2 kilter history tset=1
expect_in "axes are:" "$err"
expect_exit 3 kilter history tyo
expect_in "did you mean 'toy'?" "$err"
expect_exit 3 kilter history toy -m sped
expect_in "did you mean" "$err"
expect_exit 2 kilter history toy commit=abc
expect_exit 2 kilter history toy --since yesterday
expect_in "2026-11-01" "$err"
expect_exit 2 kilter history toy --branch mian
expect_in "did you mean 'main'?" "$err"

# A range that was not measured is to be bisected.
git -C repo tag middle HEAD~12
for i in 19 18 17; do
  run=$(kilter result toy "$(git -C repo rev-parse HEAD~$i)" | head -1)
  rm -rf "${run%/*}"
done
expect_exit 0 kilter reindex
expect_exit 0 kilter history toy
expect_in "one of 4 commits: 3 untested between them" "$out"
expect_in "next: kilter bisect -p toy --good" "$out"

# Another machine from a commit on: not compared, and said why.
python3 - "$KILTER_HOME" "$(git -C repo rev-list --first-parent -n 9 HEAD | tr '\n' ' ')" <<'P'
import glob, json, sys
for commit in sys.argv[2].split():
    for run in glob.glob(f"{sys.argv[1]}/results/**/{commit}/*/machine.json", recursive=True):
        machine = json.load(open(run))
        machine["cpu_model"] = "Another CPU"
        json.dump(machine, open(run, "w"))
        outcome = run.replace("machine.json", "outcome.json")
        record = json.load(open(outcome))
        record["fingerprint"] = "another"
        json.dump(record, open(outcome, "w"))
P
expect_exit 0 kilter reindex
expect_exit 0 kilter history toy
expect_in "split before" "$out"
expect_in "machines differ: cpu_model" "$out"

# History rewritten: the runs of commits that are gone keep their place in time.
git -C repo checkout -q --orphan new main
git -C repo commit -q -m "lib: all new"
git -C repo branch -q -M new main
git -C repo tag -d middle >/dev/null
expect_exit 0 kilter run --project toy.yaml --rev HEAD --runs 2 --no-monitors
expect_exit 0 kilter history toy
expect_in "note: 1 commit beside the line of" "$out"
rm -rf "$KILTER_HOME/git"
expect_exit 0 kilter history toy
expect_in "26 commits along main" "$out"
rm -rf "$KILTER_HOME"

# Results of others: axes alone, the order of time; of one commit.
for i in 1 2; do
  mkdir -p "lkp/netperf/50%-10s/box/debian/config/gcc-12/$(printf '%040d' "$i")/0"
  echo "{\"netperf.Throughput_tps\": $i}" >"lkp/netperf/50%-10s/box/debian/config/gcc-12/$(printf '%040d' "$i")/0/stats.json"
done
expect_exit 0 kilter import "lkp/netperf/50%-10s/box/debian/config/gcc-12/$(printf '%040d' 1)"
expect_exit 0 kilter history netperf
expect_in "1 commit in the order of time" "$out"
expect_in "no change" "$out"
expect_exit 0 kilter import lkp
expect_exit 0 kilter history netperf
expect_in "2 commits in the order of time, 2 runs" "$out"

# A database that is damaged.
head -c 3000 /dev/urandom | dd of="$KILTER_HOME/kilter.db" bs=1 seek=4096 conv=notrunc 2>/dev/null
got=0
kilter history netperf >out 2>err </dev/null || got=$?
[ "$got" -eq 3 ] || [ "$got" -eq 0 ]
head -c 8000 /dev/urandom >"$KILTER_HOME/kilter.db"
rm -f "$KILTER_HOME"/kilter.db-*
expect_exit 3 kilter history netperf
expect_in "kilter.db" "$err"
