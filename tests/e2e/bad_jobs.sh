#!/usr/bin/env bash
# Jobs that are wrong: one clear line with the place, exit 2, nothing written.
. "$(dirname "$0")/common.sh"

reject() { # NAME TEXT_EXPECTED, the job on stdin
  cat >"$1.yaml"
  expect_exit 2 kilter split-job -o units "$1.yaml"
  expect_in "$2" "$err"
  expect_in "$1.yaml:" "$err"
  [ "$(printf '%s\n' "$err" | grep -c '^kilter: ')" -eq 1 ]
  [ -z "$(ls -A units 2>/dev/null)" ]
}

reject unclosed "unclosed.yaml:3:1" <<'Y'
suite: x
testcase: [a, b
Y
reject tabs "tabs.yaml:" <<'Y'
suite: hackbench
hackbench:
	mode: process
Y
reject expression "unknown function 'system'" <<'Y'
suite: hackbench
testcase: hackbench
category: benchmark
nr_threads: "{{ system('id') }}"
hackbench:
Y
reject include "nowhere" <<'Y'
<<: nowhere.yaml
suite: hackbench
Y

# 10 x 10 x 10 x 10 x 10 x 2 points are too many, and that is said before any is made.
{
  printf 'suite: fio\ntestcase: fio-basic\ncategory: benchmark\nfio:\n'
  for key in runtime nr_task test_size rw bs ioengine; do
    printf '  %s: [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9]\n' $key
  done
} >huge.yaml
expect_exit 2 kilter split-job -o units huge.yaml
expect_in "more than 100000 unit jobs: runtime (10) x nr_task (10)" "$err"
[ -z "$(ls -A units 2>/dev/null)" ]

printf 'suite: hackbench\ntestcase: hackbench\ncategory: benchmark\nhackbench:\n  mode: processs\n' >choice.yaml
expect_exit 2 kilter run --dry-run choice.yaml
expect_in "processs" "$err"
printf 'suite: hackbenhc\ntestcase: hackbenhc\ncategory: benchmark\nhackbenhc:\n' >suite.yaml
expect_exit 2 kilter run --dry-run suite.yaml
expect_in "hackbench" "$err"
head -c 300000 /dev/urandom >noise.yaml
expect_exit 2 kilter split-job -o units noise.yaml
echo 'b0: &b0 [x, x, x, x, x, x, x]' >bomb.yaml
for i in 1 2 3 4 5 6 7 8 9; do
  echo "b$i: &b$i [*b$((i - 1)), *b$((i - 1)), *b$((i - 1)), *b$((i - 1)), *b$((i - 1)), *b$((i - 1)), *b$((i - 1))]" >>bomb.yaml
done
expect_exit 2 timeout 20 kilter split-job -o units bomb.yaml
