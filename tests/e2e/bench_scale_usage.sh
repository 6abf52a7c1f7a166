#!/usr/bin/env bash
# Command lines of will-it-scale: upstream's form, and errors that help.
. "$(dirname "$0")/bench_common.inc"

expect_exit 2 "$BENCH" will-it-scale eventfd1 --tasks 0
expect_error "whole numbers from 1 to 2048"; expect_one_line_error
expect_exit 2 "$BENCH" will-it-scale eventfd1 --tasks 2049
expect_error "2048"
expect_exit 2 "$BENCH" will-it-scale evenfd1
expect_error "did you mean 'eventfd1'"; expect_one_line_error
expect_exit 2 "$BENCH" will-it-scale eventfd1 --mode fork
expect_exit 2 "$BENCH" will-it-scale
expect_exit 2 "$BENCH" evenfd1_threads
expect_error "did you mean 'eventfd1_threads'"
expect_exit 2 "$BENCH" eventfd1_threads -m -n
expect_exit 0 "$BENCH" --help
[ "$(wc -l < "$work/out")" -le 24 ] || fail "--help does not fit a screen"
expect_exit 0 "$BENCH" will-it-scale --help
[ "$(wc -l < "$work/out")" -le 24 ] || fail "will-it-scale --help does not fit a screen"

# Upstream's lines, in order: six samples are warm-up.
expect_exit 0 "$BENCH" getppid1_threads -t 2 -s 1 -v
sed -E 's/[0-9]+/N/g; s/^ +//' "$work/out" | uniq -c | awk '{ $1 = $1; print }' > "$work/shape"
[ "$(grep -c '^min:[0-9]* max:[0-9]* total:[0-9]*$' "$work/out")" = 7 ] || fail "not seven samples"
[ "$(awk '/^min:/ { n++ } /^measurement$/ { print n }' "$work/out")" = 6 ] || fail "measurement is not after the sixth"
[ "$(grep -c '^   [01] -> [0-9]*$' "$work/out")" = 14 ] || fail "not a line for each task"
head -2 "$work/out" | tail -1 | grep -qx warmup
tail -1 "$work/out" | grep -qE '^average:[1-9][0-9]*$'

# Too few open files: one line that says how many. Without privilege the limit cannot be raised.
ulimit -n 100
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null; then
  chmod 755 "$work"; chmod 777 "$TMPDIR"
  expect_exit 3 setpriv --reuid 65534 --regid 65534 --clear-groups --bounding-set -all "$BENCH" will-it-scale poll2 --tasks 1
else
  expect_exit 3 "$BENCH" will-it-scale poll2 --tasks 1
fi
expect_error "open files in one process and the limit is 100"; expect_one_line_error
expect_nothing_left "usage"
