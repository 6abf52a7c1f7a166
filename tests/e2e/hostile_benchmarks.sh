#!/usr/bin/env bash
# Benchmarks that misbehave: each ends as an outcome, in time, with nothing left running.
. "$(dirname "$0")/common.sh"

printf 'suite: mytest\ntestcase: mytest\ncategory: benchmark\nmytest:\n  parser: key-value\n' >job.yaml
attempt() { expect_exit 3 kilter run --no-monitors --time-limit 3s job.yaml -- "$@"; }

attempt sh -c 'head -c 200000 /dev/urandom | tr -d 0-9'
expect_in "unmeasured" "$out"
attempt true
expect_in "it printed nothing" "$out"
attempt echo "Throughput 0 MB/sec"
expect_in "its last line is 'Throughput 0 MB/sec'" "$out"
attempt sh -c 'trap "" TERM; echo "speed: 1"; while :; do sleep 1; done'
expect_in "timed-out" "$out"
attempt sh -c 'kill -SEGV $$'
expect_in "SIGSEGV" "$out"
attempt sh -c 'echo "speed: nan"; echo "speed: 1e999"'
expect_in "unmeasured" "$out"

# It forks, exits, and leaves a daemon in a session of its own.
expect_exit 0 kilter run --no-monitors job.yaml -- sh -c 'setsid sleep 4321 & echo "speed: 7"'
for cmdline in /proc/[0-9]*/cmdline; do
  [ "$(tr '\0' ' ' 2>/dev/null <"$cmdline")" != "sleep 4321 " ] || { echo "left behind: $cmdline" >&2; exit 1; }
done

# Its log is a pipe when it ends.
attempt sh -c 'log=$(dirname "$TMPDIR")/mytest; rm -f "$log"; mkfifo "$log"; echo "speed: 1"'

# It removes its own run directory, or puts something in the place of its files: that run has its outcome, and the
# next one is made.
for deed in 'rm -rf "$run"' 'rm -rf "$run"; echo x >"$run"' 'mkdir "$run/job.yaml"'; do
  rm -f again
  expect_exit 0 kilter run --no-monitors --runs 2 job.yaml -- \
    sh -c 'echo "speed: 1"; run=$(dirname "$TMPDIR"); [ -e "$0" ] || { touch "$0"; '"$deed"'; }' "$PWD/again"
  expect_in "1 ok" "$out"
  case $deed in
    mkdir*) expect_in "infra-failed: its run directory is broken: " "$err" ;;
    *) expect_in "1/2" "$err"; expect_in "test-failed: the benchmark removed its own run directory" "$err" ;;
  esac
  [ "$(printf '%s\n' "$err" | grep -c "run directory")" -eq 1 ]
done
[ -z "$(ls -A "$KILTER_HOME/results/.tmp")" ]

# A name with bytes that are no text is kept as one that can be read again.
expect_exit 0 kilter run --no-monitors job.yaml -- sh -c 'printf "sp\377eed: 5\n"'
expect_exit 0 kilter reindex
expect_in " 0 skipped" "$out"
expect_exit 0 kilter result --format json
printf '%s' "$out" | python3 -c 'import json, sys; json.load(sys.stdin)'

# Every attempt is kept, none is a number: that of the daemon, and the three that followed a broken run, are.
expect_exit 0 kilter stat -f mytest.speed
[ "$(printf '%s\n' "$out" | grep -c ' mytest/')" -eq 2 ]
expect_in "    3           3.00" "$out"
