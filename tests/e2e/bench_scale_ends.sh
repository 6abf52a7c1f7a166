#!/usr/bin/env bash
# However a run is ended, no process and no file name is left; and a failure gives no number.
. "$(dirname "$0")/bench_common.inc"

# The run is under way once prepare() has left its names in TMPDIR.
start() {
  "$BENCH" will-it-scale "$1" --mode "$2" --tasks 3 --seconds 60 --warmup 0 > "$work/out" 2> "$work/err" &
  driver=$!
  for _ in $(seq 200); do [ -n "$(ls -A "$TMPDIR")" ] && [ "$(survivors | wc -l)" -ge 2 ] && break; sleep 0.02; done
  sleep 0.1
}

for test in open2 open1 lock2; do
  for mode in process thread; do
    for signal in TERM INT KILL; do
      start $test $mode
      kill -$signal $driver
      code=0; wait $driver 2> /dev/null || code=$?
      [ $signal = KILL ] || [ $code = 130 ] || fail "$test $mode $signal: exit code $code"
      expect_nothing_left "$test $mode $signal"
    done
  done
done

# A context_switch1 partner is a grandchild of the runner.
"$BENCH" context_switch1_processes -t 2 > "$work/out" & driver=$!
sleep 0.3; kill -KILL $driver; wait $driver 2> /dev/null || true
expect_nothing_left "context_switch1 killed"
head -1 "$work/out" | grep -q '^testcase:' || fail "a killed run printed nothing"

# One task killed: the run fails, says so, and prints no row.
start open1 process
victim=$(survivors | sort -n | tail -1)
kill -KILL "$victim"
code=0; wait $driver 2> /dev/null || code=$?
[ $code = 3 ] || fail "a dead task gave exit code $code"
expect_error "was killed by SIGKILL"
[ "$(wc -l < "$work/out")" = 2 ] || fail "a row was printed: $(cat "$work/out")"
expect_nothing_left "dead task"
