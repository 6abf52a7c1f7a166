#!/usr/bin/env bash
# The test behind `kilter compare`: three answers, histories out of the store, bad input, what reports make of it.
. "$(dirname "$0")/common.sh"

matrix() { # DIRECTORY KEY VALUES [KEY VALUES]..
  local directory=$1 text=
  shift
  mkdir -p "$directory"
  while [ $# -gt 0 ]; do text+="${text:+, }\"$1\": [$2]"; shift 2; done
  echo "{$text}" >"$directory/matrix.json"
  printf 'suite: hackbench\ntestcase: hackbench\nhackbench:\n' >"$directory/job.yaml"
}
field() { # EXPRESSION: of the first table's rows by key, and its notes
  python3 -c '
import json, sys
table = json.load(open("out"))[0]
rows = {row["key"]: row for row in table["rows"] + table["headlines"]}
print(eval(sys.argv[1]))' "$1"
}

# 5 % more throughput is an improvement, 5 % more latency a regression, in every form.
matrix speed/a hackbench.throughput "1000, 1003, 998, 1001"
matrix speed/b hackbench.throughput "1050, 1053, 1048, 1051"
expect_exit 0 kilter compare --fail-on regression speed/a speed/b
expect_in "+5.0%" "$out"
expect_in "hackbench.throughput [KB/s]  improvement" "$out"
expect_in "4+4" "$out"
expect_in "metrics: 1 changed" "$out"
expect_exit 1 kilter compare --fail-on change speed/a speed/b
expect_exit 1 kilter compare --fail-on regression speed/b speed/a
expect_exit 0 kilter compare --format json speed/a speed/b
[ "$(field 'rows["hackbench.throughput"]["verdicts"][0]["word"]')" = improvement ]
[ "$(field '[k for k in "answer effect low high p q n resolution level one_build one_boot multimodal flagged copy_of".split() if k not in rows["hackbench.throughput"]["verdicts"][0]]')" = "[]" ]
for form in html md; do
  expect_exit 0 kilter compare --format $form speed/a speed/b
  expect_in "99 % interval" "$out"
  expect_in improvement "$out"
done
matrix late/a dbench.max_latency "1000, 1003, 998, 1001"
matrix late/b dbench.max_latency "1050, 1053, 1048, 1051"
expect_exit 1 kilter compare --fail-on regression late/a late/b
expect_in "  regression" "$out"
expect_exit 0 kilter compare --format json late/a late/b
[ "$(field 'rows["dbench.max_latency"]["verdicts"][0]["word"]')" = regression ]

# The two other answers, and the options that decide.
matrix near/a hackbench.throughput "1000, 1000.1, 999.9, 1000.05"
matrix near/b hackbench.throughput "1002, 1002.1, 1001.9, 1002.05"
expect_exit 0 kilter compare --fail-on change near/a near/b
expect_in "the same within 1 %" "$out"
expect_exit 1 kilter compare --fail-on change --delta 0.1% near/a near/b
matrix wild/a hackbench.throughput "1000, 1100, 900"
matrix wild/b hackbench.throughput "1150, 1300, 1120"
expect_exit 0 kilter compare wild/a wild/b
expect_in "not enough data: 3+3 runs could have shown" "$out"
expect_exit 1 kilter compare --rule lkp --fail-on change wild/a wild/b
expect_exit 2 kilter compare --delta 5 wild/a wild/b
expect_in "--delta 1% or --delta 0.01" "$err"
expect_exit 0 kilter compare --all wild/a wild/b
expect_in "unknown" "$out"

# Bad input: one run, no variance, no numbers, one side, many values. None is a change, none a crash.
matrix one/a hackbench.throughput 1000
matrix one/b hackbench.throughput 2000
expect_exit 0 kilter compare --fail-on change one/a one/b
expect_in "1+1 runs tell nothing of its scatter" "$out"
matrix still/a hackbench.throughput "7, 7, 7, 7"
expect_exit 0 kilter compare --fail-on change still/a still/a
matrix odd/a hackbench.throughput "1000, 1e999, 1001, 999" hackbench.old 5,5,5,5
matrix odd/b hackbench.throughput "1000, 1002, null, 999" hackbench.new 5,5,5,5
code=0
kilter compare odd/a odd/b >out 2>err || code=$?
[ $code -eq 0 ] || [ $code -eq 3 ]
sed -i 's/1e999/null/' odd/a/matrix.json
expect_exit 0 kilter compare --fail-on change odd/a odd/b
expect_in "2 metrics are on one side only" "$out"
matrix many/a hackbench.throughput "$(seq -s, 1000 10999)"
matrix many/b hackbench.throughput "$(seq -s, 2000 11999)"
expect_exit 1 kilter compare --fail-on change many/a many/b
expect_in "10000+10000" "$out"
matrix slower/a hackbench.throughput "1000, 990, 979, 971, 960, 950"
matrix slower/b hackbench.throughput "995, 985, 974, 966, 955, 945"
expect_exit 0 kilter compare --fail-on change slower/a slower/b
expect_in "drift from run to run" "$out"

# Stored: eight earlier builds, of a machine whose clock went backwards; the last two are compared.
python3 - <<'P'
import json, os, random
random.seed(4)
names = [f"{n:040x}" for n in range(4096, 4104)] + ["a" * 40, "b" * 40]
for build, commit in enumerate(names):
    for run in range(4):
        place = f"home/results/hackbench/defaults/box/debian/kc/gcc-12/{commit}/{run}"
        os.makedirs(place)
        axes = dict(testcase="hackbench", tbox_group="box", rootfs="debian", kconfig="kc", compiler="gcc-12", commit=commit)
        outcome = dict(axes=axes, path_params="defaults", number=run, outcome="ok", build_id=commit, boot_id="boot",
                       fingerprint="f", started=1.7e9 + 100 * build - 7 * run)
        level = 1000 * (1 + random.gauss(0, .02)) * (.97 if build == 9 else 1)
        json.dump(outcome, open(place + "/outcome.json", "w"))
        json.dump({"hackbench.throughput": level + random.gauss(0, .5)}, open(place + "/stats.json", "w"))
P
export KILTER_HOME=$PWD/home
expect_exit 0 kilter reindex
expect_exit 0 kilter compare --fail-on change aaaa bbbb
expect_in "history: 8 other builds of this series" "$out"
expect_in "one build a side: what a build adds is in the intervals" "$out"
expect_in "headline: hackbench.throughput" "$out"
expect_exit 0 kilter compare --format json aaaa bbbb
[ "$(field 'rows["hackbench.throughput"]["verdicts"][0]["history"]')" = 8 ]
# A report of no change is refused, by its answer, or says so.
expect_exit 3 kilter report --print --metric hackbench.throughput aaaa bbbb
expect_in "not enough data" "$err"
expect_exit 0 kilter report --print --force --metric hackbench.throughput aaaa bbbb
expect_in "By the test this is no change" "$out"
expect_exit 3 kilter report --print aaaa bbbb
expect_in "headline: hackbench.throughput" "$err"
