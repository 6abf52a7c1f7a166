#!/usr/bin/env bash
# The command line itself: help, usage errors, exit codes, man page and completion.
. "$(dirname "$0")/common.sh"

expect_exit 0 kilter --version
grep -qE '^kilter [0-9]+\.[0-9]+\.[0-9]+( \([0-9a-f]{12}\+?\))?$' out

# What this machine cannot have, and an engine that another one stands for, is not called missing.
expect_exit 0 kilter doctor
expect_in "optional netperf (upstream)" "$out"
expect_in "absent   perf-profile: kilter does not record it yet" "$out"
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
kilter completion zsh | zsh -n
kilter completion fish >kilter.fish
complete_in_fish() { fish -c 'source kilter.fish; complete -C "$argv"' "$1" >out; }
complete_in_fish "kilter comp"
grep -q "^compare" out
complete_in_fish "kilter run --pro"
grep -q "^--project" out
complete_in_fish "kilter compare --style "
grep -q "^lkp" out
kilter man >kilter.1
man --warnings -l kilter.1 2>man.err >/dev/null
[ ! -s man.err ]

# Words of a megabyte are shown by their ends; an empty value is an unset variable.
long=$(printf 'n%.0s' $(seq 100000))
for words in "kilter $long" "kilter run $long" "kilter split-job $long" "kilter compare $long v2" "kilter run --$long" \
  "kilter run -s $long job" "kilter result --format $long" "kilter run -p $long" "kilter-agent $long" "kilter-bench $long"; do
  code=0
  $words >/dev/null 2>long.err || code=$?
  [ "$code" -ge 2 ]
  [ "$(awk 'length > 1010' long.err | wc -l)" -eq 0 ]
  [ -s long.err ]
done
expect_exit 2 kilter run --time-limit '' -- true
expect_in "--time-limit: its value is empty" "$err"
expect_exit 2 kilter run --time-limit 99999999999999999999 -- true
expect_in "longer than a year" "$err"

# A small stack is enough.
expect_exit 0 sh -c 'ulimit -s 64; exec kilter run --no-monitors hackbench --dry-run'
expect_exit 0 sh -c 'ulimit -s 64; exec kilter run -- true'

# What is wrong in a plan is told by file and member.
printf '{"workload": {"program": "p", "body": [{"argv": [1]}]}}' >plan.json
expect_exit 3 kilter-agent run plan.json run
expect_in "reading 'plan.json': the plan's member 'workload.body[0].argv' must be a list of texts" "$err"

# A full disk behind stdout is told.
for words in "kilter --help" "kilter --version" "kilter-agent describe" "kilter-bench will-it-scale --list"; do
  code=0
  $words >/dev/full 2>full.err || code=$?
  [ "$code" -eq 3 ]
  grep -q "writing to stdout: No space left on device" full.err
done
