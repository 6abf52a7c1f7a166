#!/usr/bin/env bash
# Every scalability test counts in both modes and leaves nothing behind.
. "$(dirname "$0")/bench_common.inc"

rate() { "$BENCH" will-it-scale "$1" --mode "$2" --tasks 2 --seconds "$3" --warmup 0 |
  awk -F, -v column="$([ "$2" = process ] && echo 2 || echo 4)" '$1 == 2 { print $column }'; }

# Direct input and output need a file system that has it.
direct_works() { dd if=/dev/zero of="$TMPDIR/probe" bs=4096 count=1 oflag=direct 2> "$work/probe" && r=0 || r=1
  rm -f "$TMPDIR/probe"; return "$r"; }

tests=$("$BENCH" will-it-scale --list | awk '{ print $1 }')
[ "$(wc -w <<< "$tests")" = 60 ] || fail "there are not 60 tests"
for test in $tests; do
  case $test in read[34]) direct_works || { echo "$test: skipped, no O_DIRECT here"; continue; };; esac
  for mode in process thread; do
    got=$(rate "$test" $mode 0.05)
    # A busy disk may let nothing through in 50 ms.
    [ "$got" -gt 0 ] || got=$(rate "$test" $mode 1)
    [ "$got" -gt 0 ] || fail "$test, $mode: no operation counted"
  done
done
expect_nothing_left "all tests"
