#!/usr/bin/env bash
# `kilter split-job`: LKP's names for LKP's jobs, overrides, --compatible, and the built-in jobs.
. "$(dirname "$0")/common.sh"

golden=$tests/golden/job
mkdir -p "$KILTER_HOME/hosts"
cp "$golden/hosts-tbox.yaml" "$KILTER_HOME/hosts/tbox"
for expected in "$golden"/expected/*.files; do
  name=$(basename "$expected" .files)
  mkdir "$name"
  expect_exit 0 kilter split-job -t tbox -o "$name" "$golden/$name.yaml"
  diff <(find "$name" -name "*.yaml" -printf "%f\n" | LC_ALL=C sort) <(LC_ALL=C sort "$expected")
  [ "$(printf '%s\n' "$out" | grep -c " => $name/")" -eq "$(wc -l <"$expected")" ]
done

expect_exit 0 kilter split-job -o one "$golden/hackbench.yaml" nr_threads=50% -s 'mode: process' -s 'ipc: pipe'
[ "$(ls one)" = hackbench-pipe-8-process-50%.yaml ]

# A job out of a report is stripped of its machine and expanded for this one.
expect_exit 0 kilter split-job -o again --compatible "one/hackbench-pipe-8-process-50%.yaml"
[ "$(find again -name "*.yaml" | wc -l)" -eq 1 ]

expect_exit 0 kilter split-job -o mail --compatible "$golden/report-job.yaml"
[ "$(ls mail)" = "report-job-process-100%-eventfd1.yaml" ]
if grep -rqE "192|LKP_SERVER|bootloader_append|^(commit|rootfs):" mail; then exit 1; fi

expect_exit 0 kilter split-job -o named hackbench ipc=pipe mode=process nr_threads=50%
[ "$(ls named)" = hackbench-pipe-4-process-50%.yaml ]

expect_exit 0 kilter doctor --jobs
for job in $out; do
  expect_exit 0 kilter split-job -o builtin "$job"
done

# A key that stands twice is told, and a file is no override.
printf 'suite: hackbench\ntestcase: hackbench\nhackbench:\n  mode: process\n  mode: threads\n' >twice.yaml
expect_exit 0 kilter split-job -o twice twice.yaml
expect_in "warning: twice.yaml:5:3: key 'mode' stands in line 4 already" "$err"
expect_exit 2 kilter split-job -o twice -s '<<: /dev/zero' twice.yaml

expect_exit 2 kilter split-job nowhere.yaml
expect_in "nowhere.yaml" "$err"
printf 'suite: x\ntestcase: [unclosed\n' >broken.yaml
expect_exit 2 kilter split-job broken.yaml
expect_in "broken.yaml:" "$err"
