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
runs=$(find "$KILTER_HOME/results" -name outcome.json | wc -l)
expect_exit 3 kilter run job.yaml -- no-such-benchmark
expect_in "no program 'no-such-benchmark'" "$err"
expect_exit 3 kilter run -- ./nosuch
expect_in "no program './nosuch' in '$scratch'" "$err"
for words in "" --dry-run; do
  # shellcheck disable=SC2086
  expect_exit 3 kilter run $words jobs/kbuild.yaml
  expect_in "kbuild is not installed here: no directory '$KILTER_HOME/tools/kbuild'" "$err"
  expect_in "kilter install jobs/kbuild.yaml" "$err"
done
[ "$(find "$KILTER_HOME/results" -name outcome.json | wc -l)" -eq "$runs" ]
expect_exit 0 kilter stat -f mytest.speed mytest
expect_in "    2 " "$out"

expect_exit 0 kilter run job.yaml --format json --no-monitors -- sh -c 'echo "speed: 3"'
python3 -c 'import json,sys; d = json.load(open("out")); assert d[0]["metrics"][0]["mean"] == 3, d'

# The words after -- run where they were typed, as does the command of a mytest job; reproduce.sh goes there.
mkdir here
echo "speed: 7" >here/data.txt
printf '#!/bin/sh\ncat ./data.txt\n' >here/myb
chmod +x here/myb
printf 'suite: mytest\ntestcase: mytest\nmytest: ./myb\n' >here/own.yaml
for words in "../job.yaml -- sh ./myb" "../job.yaml -- cat data.txt" "../job.yaml -- ./myb" "own.yaml"; do
  # shellcheck disable=SC2086
  (cd here && expect_exit 0 kilter run --no-monitors -o ../last $words)
  grep -q '"mytest.speed": 7' last/stats.json
  env -i PATH=/usr/bin:/bin sh last/reproduce.sh | grep -q "speed: 7"
done

# Temporary files go to the run's scratch directory; what a program complains of is kept.
expect_exit 0 kilter run job.yaml --no-monitors -o last -- sh -c 'echo "speed: 1"; echo "$TMPDIR" >&2'
grep -q "^$KILTER_HOME/results/.*/scratch\|^$KILTER_HOME/.*scratch" last/mytest

# A setting that is not made is told, beside the results that bear its name.
printf 'suite: mytest\ntestcase: mytest\ndisk: 1HDD\nmytest: "echo speed: 1"\n' >disk.yaml
expect_exit 0 kilter run disk.yaml -o last
expect_in "set-up 'disk' not done here" "$err"
expect_in "set-up not done: disk" "$out"
grep -q '"skipped_settings"' last/outcome.json
grep -q 'disk: kilter has no such set-up' last/outcome.json

# Bound runs are a cell of their own; copies run at once.
expect_exit 0 kilter run job.yaml --no-monitors -s 'cpus: 0' -s 'nr_instances: 2' -o last -- sh -c 'echo "speed: $(nproc)"'
grep -q '"cpus": "0"' last/outcome.json
[ "$(grep -c '^speed: 1$' last/mytest)" -eq 2 ]

expect_exit 0 kilter run job.yaml --dry-run --format json -- echo "speed: 1"
python3 -c 'import json; d = json.load(open("out")); assert d["jobs"][0]["plan"]["workload"]["body"][0]["argv"] == ["echo", "speed: 1"], d'

# stress-ng has a stressor called null; request/response tests have no send size: no second measuring.
expect_exit 0 kilter run --dry-run jobs/stress-ng.yaml -s 'test: null'
expect_in "--null " "$out"
expect_exit 0 kilter run --dry-run jobs/netperf.yaml -s 'test: TCP_RR' -s 'nr_threads: 1'
expect_in "1 unit job x" "$out"
expect_not_in "it would measure what" "$err"
(cat "$tests/../jobs/netperf.yaml" && echo "# mine") >netperf-mine.yaml
expect_exit 0 kilter run --dry-run netperf-mine.yaml -s 'test: TCP_RR' -s 'nr_threads: 1'
expect_in "1 unit job x" "$out"
expect_in "it would measure what" "$err"

# What the kernel cannot do is no failure of what is tested.
if ! grep -q sctp /proc/net/protocols; then
  expect_exit 3 kilter run jobs/netperf.yaml -s 'test: SCTP_STREAM' -s 'runtime: 1s' -s 'nr_threads: 1' --no-monitors
  expect_in "infra-failed: SCTP is not supported by this kernel" "$out"
fi

# Monitors that are not recorded here are counted in one line; those asked for by name are named.
printf 'suite: mytest\ntestcase: mytest\ncategory: benchmark\nturbostat:\nmytest: ["echo speed: 1", "echo speed: 2"]\n' >named.yaml
expect_exit 0 kilter run --dry-run named.yaml
[ "$(printf '%s\n' "$out" | grep -c 'not recorded here')" -eq 1 ]
expect_in "not recorded here (kilter doctor): turbostat" "$out"
expect_exit 0 kilter run named.yaml
[ "$(printf '%s\n' "$out" | grep 'not recorded here' | wc -c)" -lt 80 ]
expect_exit 0 kilter run --dry-run job.yaml -- echo "speed: 1"
expect_not_in "(kilter doctor):" "$out"
expect_exit 0 kilter run --dry-run job.yaml -s 'turbostat:' -- echo "speed: 1"
expect_in "(kilter doctor): turbostat" "$out"

# Short ways to say it, and hints at the usual slips.
expect_exit 0 kilter run --dry-run hackbench ipc=pipe mode=process nr_threads=50%
expect_in "-50%" "$out"
expect_in "1 unit job x" "$out"
expect_exit 0 kilter run --dry-run -- echo "speed: 1"
expect_in "run       echo 'speed: 1'" "$out"
expect_exit 2 kilter run --dry-run hackbench -s nr_threads: 50%
expect_in "quote the override: -s 'nr_threads: 50%'" "$err"
expect_exit 2 kilter run --dry-run hackbench -s 'nr_thread: 50%'
expect_in "override: unknown key 'nr_thread', did you mean 'nr_threads'?" "$err"
expect_exit 2 kilter run hackbnech
expect_in "did you mean 'hackbench'?" "$err"
cp job.yaml mine.yaml
expect_exit 2 kilter run mien.yaml
expect_in "did you mean 'mine.yaml'?" "$err"
mkdir suites
printf 'parameters: {size: {required: true}}\nrun: [[echo, "speed: {size}"]]\nparser: key-value\n' >suites/shellsum.yaml
expect_exit 2 kilter run shellsum
expect_in "'shellsum' is a suite" "$err"
# The job that is told is one.
printf '%s\n' "$err" | sed -n '/^suite:/,$p' | sed 's/\.\.\.$/5/' >shellsum.yaml
[ "$(wc -l <shellsum.yaml)" -eq 5 ]
expect_exit 0 kilter run --no-monitors shellsum.yaml
expect_in "shellsum.speed" "$out"
expect_exit 2 kilter run --dry-run -s 'iterations: -1' -- true
expect_in "is not a whole number from 1" "$err"
expect_exit 2 kilter run --dry-run will-it-scale test=eventfd2
expect_in "eventfd1" "$err"
