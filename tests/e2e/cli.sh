#!/usr/bin/env bash
# The command line itself: help, usage errors, exit codes, man page and completion.
. "$(dirname "$0")/common.sh"

expect_exit 0 kilter --version
grep -qE '^kilter [0-9]+\.[0-9]+\.[0-9]+( \([0-9a-f]{12}\+?\))?$' out

# What this machine cannot have, and an engine that another one stands for, is not called missing.
expect_exit 0 kilter doctor
expect_in "optional netperf (upstream)" "$out"
expect_exit 0 kilter doctor --missing
expect_not_in "netperf" "$out"
expect_not_in "NUMA" "$out"
expect_exit 0 kilter --help
expect_in "Usage: kilter VERB" "$out"
expect_exit 2 kilter
expect_exit 2 kilter comprae
expect_in "did you mean 'compare'?" "$err"
expect_exit 2 kilter run --rusn 3 job.yaml
expect_in "did you mean '--runs'?" "$err"
expect_exit 2 kilter --home

# Every verb's help fits a screen and has an example.
for verb in $(kilter --help | sed -n 's/^  \([a-z-]*\)  .*/\1/p'); do
  expect_exit 0 kilter "$verb" --help
  expect_in "Example:" "$out"
  [ "$(printf '%s\n' "$out" | wc -l)" -le 50 ]
  [ "$(printf '%s\n' "$out" | awk 'length > 100' | wc -l)" -eq 0 ]
done

kilter completion bash | bash -n
kilter completion zsh >/dev/null
kilter completion fish | grep -q "complete -c kilter"
kilter man >kilter.1
man --warnings -l kilter.1 2>man.err >/dev/null
[ ! -s man.err ]

# A full disk behind stdout is told.
for words in "kilter --help" "kilter --version" "kilter-agent describe" "kilter-bench will-it-scale --list"; do
  code=0
  $words >/dev/full 2>full.err || code=$?
  [ "$code" -eq 3 ]
  grep -q "writing to stdout: No space left on device" full.err
done
