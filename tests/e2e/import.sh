#!/usr/bin/env bash
# `kilter import`: LKP's groups become cells that compare; hostile trees change nothing.
. "$(dirname "$0")/common.sh"

python3 - "$tests/golden/compare/golden3.input.json" <<'P'
import json, os, sys
data = json.load(open(sys.argv[1]))
for commit, matrix in data["commits"].items():
    folder = f"result/netperf/x/lkp-spr-2sp3/debian/x86_64-rhel-9.4/gcc-12/{commit}"
    os.makedirs(folder)
    json.dump(matrix, open(folder + "/matrix.json", "w"))
P
expect_exit 0 kilter import result
expect_in "7 runs imported" "$out"
expect_exit 0 kilter import result
expect_in "already" "$out"
expect_exit 0 kilter compare 18bae0dfec15 27ce8299bc1e
expect_in "+23.1%" "$out"
expect_in "netperf.Throughput_tps" "$out"

# A run's job names its parameters; facts of the host are none. As directories or imported, runs have the same
# axes, and the table is LKP's to the byte.
python3 - "$tests/golden/compare/golden4.input.json" <<'P'
import json, os, sys
data = json.load(open(sys.argv[1]))
job = dict(data["job"], memory="28G", nr_cpu=8, nr_node=1)
for commit, matrix in data["commits"].items():
    for run in range(max(len(row) for row in matrix.values())):
        folder = f"four/{commit}/{run}"
        os.makedirs(folder)
        stats = {key: row[run] for key, row in matrix.items() if run < len(row)}
        json.dump(stats, open(folder + "/stats.json", "w"))
        json.dump(dict(job, commit=commit), open(folder + "/job.yaml", "w"))
P
expect_exit 0 kilter import four
expect_exit 0 kilter compare --rule lkp --style lkp --as-lkp aaaaaaaaaa bbbbbbbbbb
cmp out "$tests/golden/compare/golden4.expected.txt"
expect_exit 0 kilter compare --rule lkp --style lkp --as-lkp four/a* four/b*
cmp out "$tests/golden/compare/golden4.expected.txt"
expect_exit 0 kilter result --cells 'stress-ng/performance-100%-sem-60s'
before=$(kilter result | wc -l)

hostile() { # NAME EXIT: what is below NAME must not get in
  expect_exit "$2" kilter import "$1"
  [ "$(printf '%s\n' "$err" | grep -c '^kilter: ')" -ge 1 ] || [ "$2" -eq 0 ]
  [ "$(kilter result | wc -l)" -eq "$before" ]
}
mkdir -p bad/a/b/c/d/e/f/g/0
echo '{"a.b": [1, 2' >bad/a/matrix.json
hostile bad 3
mkdir -p deep/0
echo '{"x.y": {"z": 1}}' >deep/0/stats.json
hostile deep 3
mkdir -p links/0
ln -s /etc/passwd links/0/stats.json
ln -s / links/1
expect_exit 3 kilter import links
python3 -c 'import json; json.dump({f"m.{i}": 1 for i in range(1200000)}, open("big.json", "w"))'
mkdir -p big/0 && mv big.json big/0/stats.json
hostile big 3
expect_exit 3 kilter import nowhere
expect_in "nowhere" "$err"

# A commit that would climb out of the tree is made safe.
mkdir -p climb
echo '{"t.x": [1, 2]}' >climb/matrix.json
expect_exit 0 kilter import --axes testcase=t/commit=..%2F..%2Fevil climb
[ ! -e /tmp/evil ] && [ ! -e "$scratch/evil" ]
