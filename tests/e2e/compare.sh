#!/usr/bin/env bash
# `kilter compare` on LKP's matrices: exact tables, faults put right, formats, exit codes.
. "$(dirname "$0")/common.sh"

for n in 1 2 3 4; do
  python3 - "$tests/golden/compare/golden$n.input.json" "g$n" <<'P'
import json, os, sys
data = json.load(open(sys.argv[1]))
for commit, matrix in data["commits"].items():
    folder = os.path.join(sys.argv[2], commit)
    os.makedirs(folder)
    json.dump(matrix, open(os.path.join(folder, "matrix.json"), "w"))
    json.dump(dict(data["job"], commit=commit), open(os.path.join(folder, "job.yaml"), "w"))
P
  expect_exit 0 kilter compare --rule lkp --style lkp --as-lkp "g$n"/*
  cmp out "$tests/golden/compare/golden$n.expected.txt"
done

# Without LKP's faults the right percentages appear: 4 of 6 and 4 of 4.
expect_exit 0 kilter compare --style lkp g2/*
expect_in "67%           4:6" "$out"
expect_in "100%           4:4" "$out"

expect_exit 0 kilter compare g1/*
expect_in "n" "$out"
expect_exit 0 kilter compare --format json g3/*
python3 -c 'import json; t = json.load(open("out")); assert len(t[0]["columns"]) == 3'
expect_exit 0 kilter compare --format html g3/*
expect_in "<table" "$out"
expect_exit 0 kilter compare --format md g3/*
expect_in "|" "$out"

expect_exit 1 kilter compare --fail-on change g1/*
expect_exit 0 kilter compare --fail-on regression g1/*
reversed=(g1/2* g1/1*)
expect_exit 1 kilter compare --fail-on regression "${reversed[@]}"

# A benchmark that no list names counts as one: 1 % is enough, it is a key figure, and it stands before monitors.
mkdir -p toy/a toy/b
for side in a:1000:1000 b:970:9000; do
  IFS=: read -r name rate switches <<<"$side"
  echo "{\"toy.rate\": [$rate, $rate, $rate, $rate], \"vmstat.system.cs\": [$switches, $switches, $switches, $switches]}" \
    >"toy/$name/matrix.json"
  printf 'suite: toy\ntestcase: toy\nnr_cpu: 2\ntoy:\n' >"toy/$name/job.yaml"
done
expect_exit 0 kilter compare toy/a toy/b
expect_in "-3.0%" "$out"
[ "$(grep -n 'toy.rate' out | cut -d: -f1)" -lt "$(grep -n 'vmstat' out | cut -d: -f1)" ]
expect_exit 0 kilter compare --kpi toy/a toy/b
expect_in "toy.rate" "$out"
expect_not_in "vmstat" "$out"
# Without axes there is no axes line.
rm toy/*/job.yaml
expect_exit 0 kilter compare toy/a toy/b
expect_in "directory" "$(sed -n 2p out)"

# Commit directories named one by one, a job in each run, whatever the number of the first: the job tells the axes.
for side in 1111111111111111111111111111111111111111:10 2222222222222222222222222222222222222222:20; do
  for run in 3 4 10; do
    mkdir -p "named/${side%:*}/$run"
    echo "{\"toy.rate\": ${side#*:}$run}" >"named/${side%:*}/$run/stats.json"
    printf 'suite: toy\ntestcase: toy\nkconfig: kc\ncommit: "%s"\ntoy:\n  size: 4k\n' "${side%:*}" >"named/${side%:*}/$run/job.yaml"
  done
done
expect_exit 0 kilter compare named/1* named/2*
expect_in "kconfig/size/testcase:" "$out"
expect_in "kc/4k/toy" "$out"
expect_in "commit:" "$out"

# Failures that appear are a regression.
for run in 0 1 2 3; do
  for side in good:ok bad:timed-out; do
    mkdir -p "fails/${side%:*}/$run"
    echo "{\"axes\": {\"testcase\": \"toy\", \"commit\": \"${side%:*}\"}, \"outcome\": \"${side#*:}\"}" \
      >"fails/${side%:*}/$run/outcome.json"
    echo '{"toy.rate": 5}' >"fails/${side%:*}/$run/stats.json"
  done
done
expect_exit 1 kilter compare --fail-on regression fails/good fails/bad
expect_in "4:4     " "$out"
expect_exit 0 kilter compare --fail-on regression fails/bad fails/good

expect_exit 2 kilter compare v1 v2
expect_in "no revision has results here" "$err"
expect_exit 2 kilter compare
expect_exit 2 kilter compare --style fancy g1/*
mkdir empty
expect_exit 2 kilter compare empty g1/1*
expect_in "empty" "$err"
echo '{"a.b": [1, 2' >empty/matrix.json
expect_exit 3 kilter compare empty g1/1*
expect_in "matrix.json" "$err"

# Ctrl-C ends it wherever it is.
python3 - <<'P'
import os
for side in "ab":
    os.makedirs("million/" + side)
    with open(f"million/{side}/matrix.json", "w") as file:
        file.write("{" + ",".join(f'"m.k{i}": [{i}, {i + 1}]' for i in range(900000)) + "}")
P
for signal in INT TERM; do
  expect_exit 130 timeout --preserve-status -k 2 -s $signal 0.3 kilter compare million/a million/b
  [ "$err" = "kilter: interrupted" ]
done

# What is written as a path is meant as one.
expect_exit 2 kilter compare ./toy/c toy/b
expect_in "comparing './toy/c': no such file or directory" "$err"
expect_exit 2 kilter compare ./toyy toy/b
expect_in "did you mean './toy'?" "$err"

# Links in a foreign tree lead nowhere; the operand itself may be one.
mkdir -p linked/0 linked/1
printf '{"a.speed": 77}' >secret.json
printf '{"a.speed": 5}' >linked/1/stats.json
printf '{"outcome": "ok"}' >linked/0/outcome.json
ln -s "$PWD/secret.json" linked/0/stats.json
ln -s linked here
expect_exit 0 kilter compare -a --format json here linked
if grep -q 77 out; then exit 1; fi
