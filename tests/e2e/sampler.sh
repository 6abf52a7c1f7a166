#!/usr/bin/env bash
# The sampler as the executor uses it: ready, SIGTERM, recordings, its own report.
. "$(dirname "$0")/common.sh"

mkdir run
cat >spec.json <<J
{"directory": "$scratch/run", "monitors": ["vmstat", "mpstat", "uptime", "no-such-monitor",
 {"name": "meminfo", "options": {"interval": "0.1"}}, {"name": "softirqs"}]}
J
mkfifo ready
kilter-agent sample spec.json >ready &
sampler=$!
read -r word <ready
[ "$word" = ready ]
sleep 1.3
kill -TERM "$sampler"
wait "$sampler"
for file in vmstat mpstat uptime meminfo.gz softirqs.gz sampler.json; do expect_file "run/$file"; done
[ ! -e run/sampler.log ]
[ "$(zcat run/softirqs.gz | grep -c '^time: ')" = 2 ]
[ "$(zcat run/meminfo.gz | grep -c '^MemTotal:')" -ge 5 ]
python3 - <<'P'
import json
report = json.load(open("run/sampler.json"))
assert [one["name"] for one in report["unavailable"]] == ["no-such-monitor"], report
assert report["faults"] == [] and report["samples"] >= 5, report
load = json.load(open("run/mpstat"))["sysstat"]["hosts"][0]["statistics"][0]["cpu-load"][0]
assert load["cpu"] == "all" and 99 < sum(v for k, v in load.items() if k != "cpu") < 101, load
P

# A bad spec is told in one line.
echo '{"monitors": []}' >bad.json
expect_exit 2 kilter-agent sample bad.json
expect_in "no 'directory'" "$err"
expect_exit 3 kilter-agent sample missing.json
expect_in "reading 'missing.json': No such file or directory" "$err"
