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

# A job that is left with nothing to run is an error, in split-job and in run.
reject empty "no unit job is left: '{{ nope }}' is nil" <<'Y'
suite: hackbench
testcase: hackbench
hackbench:
  mode: "{{ nope }}"
Y
expect_exit 2 kilter run empty.yaml
expect_in "empty.yaml:4:9: " "$err"
reject category "unknown category 'benchmrk'" <<'Y'
suite: hackbench
testcase: hackbench
category: benchmrk
hackbench:
Y
expect_in "did you mean 'benchmark'" "$err"

# What a plan finds wrong has its place too, and is found before anything runs.
expect_exit 2 kilter run --dry-run choice.yaml
expect_in "choice.yaml:5:9: planning hackbench" "$err"
refuse() { # NAME TEXT_EXPECTED, the job on stdin
  cat >"$1.yaml"
  expect_exit 2 kilter run "$1.yaml"
  expect_in "$2" "$err"
  expect_in "$1.yaml:" "$err"
  [ ! -e "$KILTER_HOME/results" ]
}
mine='suite: mytest\ntestcase: mytest\nmytest: "true"\n'
printf "${mine}cpus: 4000\n" | refuse cpus "CPU 4000 does not exist here"
printf "${mine}cpus: foo\n" | refuse cpus_foo "'foo'"
printf "${mine}mem_node_bind: 77\n" | refuse nodes "NUMA node 77 does not exist here"
printf "${mine}meminfo:\n  interval: abc\n" | refuse interval "interval 'abc' is not a time"
for block in 'if [ 1 = 2 ]' 'for i in 1 2 3' 'while true'; do
  printf 'suite: mytest\ntestcase: mytest\n%s:\n  mytest: "true"\n' "$block" | refuse block "block.yaml:3:1: planning mytest: shell blocks are not run by kilter: '$block'"
  expect_exit 0 kilter split-job -o blocks block.yaml
done
printf "${mine}function f: echo\n" | refuse function "'function f'"

# What is asked for and not there: a warning.
printf "${mine}nosuchmonitor:\nvmstat:\n  intervall: 2\n" >odd.yaml
expect_exit 0 kilter run --dry-run odd.yaml
expect_in "odd.yaml:4:1: 'nosuchmonitor': no such monitor or program" "$err"
expect_in "monitor 'vmstat' has no option 'intervall', did you mean 'interval'" "$err"
printf "${mine}need_kernel_version: '>= v99.0'\n" >needs.yaml
expect_exit 3 kilter run needs.yaml
expect_in "need_kernel_version >= v99.0: this kernel is $(uname -r)" "$err"
