#!/usr/bin/env bash
# Mails about two results of one commit: settings of a job, and of a project's benchmark. Nobody is blamed, and all that is
# handed on measures both.
. "$(dirname "$0")/common.sh"

report() { # OPERAND..: $mail, $archive, $out (the mail)
  expect_exit 0 kilter report "$@"
  mail=$(printf '%s\n' "$out" | sed -n 's/^mail:    //p')
  archive=$(printf '%s\n' "$out" | sed -n 's/^archive: //p')
  out=$(cat "$mail")
}
steps() { sed -n '/^To reproduce:/,/^=====/p' "$mail" | sed -n 's/^        //p'; }

# One system call, bound to nothing but its number of tasks.
expect_exit 0 kilter run jobs/will-it-scale.yaml --runs 3 --no-monitors -s 'runtime: 1s' -s 'nr_task: [1, 8]' \
  -s 'mode: thread' -s 'test: futex4'
report -s testcase=will-it-scale/test=futex4/nr_task=1 -o nr_task=8 -c nr_task
expect_in "Subject: [will-it-scale]  nr_task=1..8:  will-it-scale." "$out"
expect_in " between nr_task=1 and nr_task=8, on the same kernel:" "$(tr '\n' ' ' <"$mail")"
expect_in "kernel: $(uname -r)" "$out"
expect_in "	test: futex4" "$out"
expect_not_in "	nr_task:" "$out"
expect_in "nr_task:" "${out#*=====}"
expect_not_in "Reported-by" "$out"
expect_not_in $'\nTo:' "$out"
expect_in "To: nobody" "$err"
# The same by words, and by one operand that names both.
expect_exit 0 kilter report --print -c nr_task nr_task=1 nr_task=8
expect_in "nr_task=1..8" "$out"
expect_exit 0 kilter report --print -c nr_task -s testcase=will-it-scale
expect_in "nr_task=1..8" "$out"
expect_exit 0 kilter report --format json --print -c nr_task nr_task=1 nr_task=8
python3 - out <<'P'
import json, sys
report = json.load(open(sys.argv[1]))
assert report["pair"] == [{"axis": "nr_task", "base": "1", "head": "8"}], report["pair"]
assert report["range"] is None and "nr_task" not in report["parameters"], report["parameters"]
P
expect_exit 2 kilter report -c nr_task nr_task=1 nr_task=9
expect_exit 2 kilter report -o nr_task=9
expect_exit 2 kilter report

# Without kilter, elsewhere: both jobs.
cp "$archive" pair.tar.gz
pasted=$(steps)
mv "$KILTER_HOME" away
mkdir elsewhere && tar -xzf pair.tar.gz -C elsewhere
for file in jobs/nr_task-1.yaml jobs/nr_task-8.yaml plans/nr_task-8.json run/nr_task-1.sh run/nr_task-8.sh bin/kilter-bench; do
  expect_file "elsewhere/$file"
done
expect_exit 0 env -i PATH=/usr/bin:/bin sh elsewhere/reproduce.sh 1
expect_in "== nr_task=1, on $(uname -r)" "$out"
expect_in "== nr_task=8, on $(uname -r)" "$out"
[ "$(printf '%s\n' "$out" | grep -c '^tasks,')" -eq 2 ]
# The mail's steps, pasted.
mkdir -p "$(dirname "$archive")" paste && cp pair.tar.gz "$archive"
printf 'set -e\ncd paste\n%s\n' "$pasted" >paste.sh
expect_exit 0 sh paste.sh
expect_in "nr_task:" "$out"
expect_in "will-it-scale." "$out"

# A project's benchmark with a parameter: one build, two settings. To are its lists; the program is the same, of course.
export KILTER_HOME=$scratch/project
git init -q -b main repo
printf '#!/bin/sh\necho "speed: $((1000 / $1))"\n' >repo/bench
chmod +x repo/bench
git -C repo add -A
git -C repo commit -q --author="ann <ann@example.org>" -m "lib: start"
cat >toy.yaml <<'Y'
name: toy
url: repo
build: {steps: [["true"]]}
artefacts: {bench: bench}
benchmark:
  suite: toy
  parameters: {size: {type: integer, default: 1}}
  run: [["{artefact:bench}", "{size}"]]
  parser: key-value
  metrics: {speed: {unit: ops/s, better: higher, headline: true}}
mail: {to: [list@example.org]}
Y
printf 'suite: toy\ntestcase: toy\ncategory: benchmark\ntoy:\n  size: [1, 2]\n' >job.yaml
expect_exit 0 kilter run --project toy.yaml --runs 3 --no-monitors job.yaml
sha=$(git -C repo rev-parse HEAD)
expect_exit 0 kilter compare -c size size=1 size=2
expect_not_in "byte for byte" "$out"
expect_not_in "lib: start" "$out"
report -c size size=1 size=2
expect_in "Subject: [toy:main] [toy]  size=1..2:  toy.speed 50.0% regression" "$out"
expect_in "on the same commit:" "$out"
expect_in "commit: $sha (\"lib: start\")" "$out"
expect_in "To: <list@example.org>" "$out"
expect_not_in "ann@" "$out"
cp "$archive" project.tar.gz
pasted=$(steps)
mv "$KILTER_HOME" away2
mkdir project-elsewhere && tar -xzf project.tar.gz -C project-elsewhere
[ "$(ls project-elsewhere/build)" = "${sha:0:12}" ]
expect_exit 0 env -i PATH=/usr/bin:/bin sh project-elsewhere/reproduce.sh 2
[ "$(printf '%s\n' "$out" | grep -c 'speed: 1000')" -eq 2 ] && [ "$(printf '%s\n' "$out" | grep -c 'speed: 500')" -eq 2 ]
mkdir -p "$(dirname "$archive")" paste2 && cp project.tar.gz "$archive"
printf 'set -e\ncd paste2\n%s\n' "$pasted" >paste2.sh
expect_exit 0 sh paste2.sh
expect_in "-50.0%" "$out"

# Two directories of one commit are told apart by their names; their runs go along.
export KILTER_HOME=$scratch/away2
mkdir one two
cp -r away2/results/toy/1/*/*/*/*/*/* one
cp -r away2/results/toy/2/*/*/*/*/*/* two
expect_exit 0 kilter report --print one two
expect_in "Subject: [toy:main] [toy]  one..two:  toy.speed 50.0% regression" "$out"
expect_in "Not alike, too: size=1 and 2." "$out"
expect_not_in "parameters:" "$out"
expect_in "between one and two" "$out"
expect_in "test machine: " "$out"
