#!/usr/bin/env bash
# fsbuffer, sched-pipe and messaging: the lines of UnixBench and perf bench, and nothing left behind.
. "$(dirname "$0")/bench_common.inc"

expect_exit 0 "$BENCH" --version
grep -q '^kilter-bench [0-9]' "$work/out"

expect_exit 0 "$BENCH" fsbuffer --copies 2 --seconds 0.1 --iterations 3
grep -qE '^Benchmark Run: [A-Z][a-z]{2} [A-Z][a-z]{2} [0-9]{2} [0-9]{4} [0-9:]{8} - [0-9:]{8}$' "$work/out"
grep -qE '^File Copy 256 bufsize 500 maxblocks +[1-9][0-9]*\.[0-9] KBps  \(0\.[1-9] s, 2 samples\)$' "$work/out"
grep -qE '^System Benchmarks Index Score \(Partial Only\) +[0-9]+\.[0-9]$' "$work/out"

for mode in "" --threads; do
  expect_exit 0 "$BENCH" sched-pipe --loops 2000 $mode
  grep -qE '^ +[1-9][0-9]* ops/sec$' "$work/out"
  grep -qE '^     Total time: [0-9]+\.[0-9]{3} \[sec\]$' "$work/out"
  for pipe in "" --pipe; do
    expect_exit 0 "$BENCH" messaging --groups 2 --loops 5 $mode $pipe
    grep -qE '^# 2 groups == 80 (threads|processes) run$' "$work/out"
    grep -qE '^     Total time: [0-9]+\.[0-9]{3} \[sec\]$' "$work/out"
  done
done

for command in "fsbuffer --copies 3 --seconds 60" "sched-pipe --loops 1000000000" "messaging --groups 2 --loops 100000000"; do
  for signal in TERM INT KILL; do
    # shellcheck disable=SC2086
    setsid "$BENCH" $command > /dev/null 2> "$work/said" & driver=$!
    for _ in $(seq 200); do [ "$(survivors | wc -l)" -ge 3 ] && break; sleep 0.02; done
    end_with $signal $driver "$command"
  done
done

for command in net net-server fsbuffer sched-pipe messaging; do
  expect_exit 0 "$BENCH" $command --help
  [ "$(wc -l < "$work/out")" -le 24 ] || fail "$command --help does not fit a screen"
  expect_exit 2 "$BENCH" $command nonsense
  expect_one_line_error
done
TMPDIR=/nonexistent expect_exit 3 "$BENCH" fsbuffer --seconds 0.1
expect_error "'/nonexistent': No such file or directory"; expect_one_line_error
expect_nothing_left "others"
