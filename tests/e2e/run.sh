#!/usr/bin/env bash
# `kilter run`: a command under monitors, its run directory, outcomes, --dry-run, the link.
. "$(dirname "$0")/common.sh"

cat >job.yaml <<'Y'
suite: mytest
testcase: mytest
category: benchmark
mytest:
Y

expect_exit 0 kilter run job.yaml --dry-run -- echo "speed: 1"
expect_in "run       echo 'speed: 1'" "$out"
expect_in "monitors" "$out"
[ ! -e "$KILTER_HOME" ]

expect_exit 0 kilter run job.yaml --runs 2 -o last -- sh -c 'echo "speed: 12.5"; sleep 0.2'
expect_in "2 ok" "$out"
expect_in "mytest.speed" "$out"
expect_file last/stats.json
for file in job.yaml plan.json machine.json outcome.json mytest mytest.time time vmstat meminfo.gz interrupts.gz reproduce.sh; do
  expect_file "last/$file"
done
grep -q '"mytest.speed": 12.5' last/stats.json
grep -q '"vmstat.system.cs"' last/stats.json
grep -q '"time.elapsed_time"' last/stats.json
python3 -c 'import json,sys; r = json.load(open("last/outcome.json")); assert r["outcome"] == "ok" and r["overhead"] < 1.5, r'
# It can be run again without kilter.
(cd "$scratch" && env -i PATH=/usr/bin:/bin sh last/reproduce.sh) | grep -q "speed: 12.5"

# What is no measurement never becomes one.
expect_exit 3 kilter run job.yaml -s 'mytest.parser: key-value' -- sh -c 'echo nothing to see'
expect_in "unmeasured" "$out"
expect_exit 3 kilter run job.yaml -- sh -c 'echo "speed: 1"; exit 4'
expect_in "test-failed" "$out"
expect_in "exited with 4" "$out"
expect_exit 3 kilter run job.yaml --time-limit 1s -- sleep 60
expect_in "timed-out" "$out"
expect_exit 3 kilter run job.yaml -- no-such-benchmark
expect_in "no-such-benchmark" "$out$err"
expect_exit 0 kilter stat -f mytest.speed mytest
expect_in "    2 " "$out"

expect_exit 0 kilter run job.yaml --format json --no-monitors -- sh -c 'echo "speed: 3"'
python3 -c 'import json,sys; d = json.load(open("out")); assert d[0]["metrics"][0]["mean"] == 3, d'
