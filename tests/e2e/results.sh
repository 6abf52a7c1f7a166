#!/usr/bin/env bash
# The state folder: reindex, a lost database, two kilters at once, kill -9, a read-only home, a newer database.
. "$(dirname "$0")/common.sh"

# Where nothing was measured yet, that is the answer.
expect_exit 0 kilter result
expect_in "no results yet" "$err"
expect_exit 0 kilter result --format json
expect_in "[]" "$out"
expect_exit 0 kilter stat
expect_in "kilter import" "$err"
[ ! -e "$KILTER_HOME" ]

printf 'suite: mytest\ntestcase: mytest\ncategory: benchmark\nmytest:\n' >job.yaml
speed() { kilter run job.yaml --no-monitors "$@" -- sh -c 'echo "speed: 5"'; }

expect_exit 0 speed --runs 3
rm "$KILTER_HOME"/kilter.db*
expect_exit 0 kilter reindex
expect_in "3 runs indexed" "$out"
expect_exit 0 kilter stat -f mytest.speed
expect_in "mytest.speed:" "$out"
expect_in "    3 " "$out"
expect_exit 0 kilter stat
expect_in "time.elapsed_time [s]:" "$out"
# What is not there is told by what it may be a slip of.
for verb in stat result; do
  expect_exit 3 kilter $verb mytset
  expect_in "no path matches 'mytset'" "$err"
  expect_in "did you mean 'mytest'?" "$err"
done
expect_exit 3 kilter stat -f mytest.sped mytest
expect_in "did you mean 'mytest.speed'?" "$err"
expect_exit 3 kilter stat -f speed mytest
expect_in "did you mean 'mytest.speed'?" "$err"
# The headline of a suite, and its unit, where all are of one suite.
mkdir suites
cat >suites/toy.yaml <<'Y'
run: [[echo, "odd: 1\nlat: 7\nrate: 8"]]
parser: key-value
metrics: {rate: {unit: ops/s, better: higher, headline: true}, lat: {unit: ms, better: lower, headline: true}}
Y
printf 'suite: toy\ntestcase: toy\ncategory: benchmark\ntoy:\n' >toy.yaml
home=$KILTER_HOME
export KILTER_HOME=$scratch/headline
expect_exit 0 kilter run --no-monitors toy.yaml
expect_exit 0 kilter stat toy
expect_in "toy.rate [ops/s]:" "$out"
expect_exit 0 speed
expect_exit 0 kilter stat
expect_in "time.elapsed_time [s]:" "$out"
export KILTER_HOME=$home
# One deviation (the population's) and one way to print a number, whatever the verb: 1, 2 and 3.
home=$KILTER_HOME
export KILTER_HOME=$scratch/spread
echo 0 >count
expect_exit 0 kilter run job.yaml --no-monitors --runs 3 -- \
  sh -c 'n=$(($(cat count) + 1)); echo $n >count; echo "rise: $n"; echo "small: 0.00$n"'
expect_in "2.00±40.8%" "${out// /}"
expect_in "0.00200±40.8%" "${out// /}"
expect_exit 0 kilter stat -f mytest.rise
expect_in "2.00 40.8" "$(tr -s ' ' <out)"
export KILTER_HOME=$home

# Paths, with outcome and date, or all that is recorded.
expect_exit 0 kilter result --long mytest
expect_in "ok            20" "$out"
expect_in "Z  $KILTER_HOME/results/mytest/" "$out"
expect_exit 0 kilter result --format json mytest
python3 - out <<'P'
import json, sys
runs = json.load(open(sys.argv[1]))
assert len(runs) == 3 and all(run["outcome"] == "ok" and run["date"].endswith("Z") for run in runs), runs
assert all(run["axes"]["testcase"] == "mytest" and run["directory"].startswith("/") for run in runs), runs
P
expect_exit 0 kilter result mytest
[ "$(head -c 1 out)" = / ]
expect_exit 0 kilter result --matrix mytest
cell=$(kilter result --cells mytest | awk '{print $2}')
python3 -c 'import json,sys; m = json.load(open(sys.argv[1])); assert m["mytest.speed"] == [5, 5, 5], m' "$cell/matrix.json"

# LKP's names: runs, cells, cells of all commits.
ln -s "$bin/kilter" lkp
expect_exit 0 ./lkp rt mytest
[ "$(wc -l <out)" -eq 3 ]
expect_exit 0 ./lkp _rt mytest
[ "$out" = "$cell" ]
expect_exit 0 ./lkp __rt mytest
[ "$out" = "${cell%/*}" ]

# Results of somebody else are read, and nothing of theirs is changed.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  chmod 755 "$scratch"
  before=$(cd "$KILTER_HOME" && find . | sort | cksum)
  stranger() { setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/nonexistent "$@"; }
  expect_exit 0 stranger kilter result mytest
  [ "$(wc -l <out)" -eq 3 ]
  expect_exit 0 stranger kilter stat -f mytest.speed
  expect_exit 2 stranger kilter compare testcase=mytest
  expect_in "no two results differ" "$err"
  expect_exit 3 stranger kilter run --no-monitors job.yaml -- true
  [ "$before" = "$(cd "$KILTER_HOME" && find . | sort | cksum)" ]
fi

# Where the link cannot be made, nothing is measured.
before=$(kilter result mytest | wc -l)
touch precious
mkdir folder
for link in precious folder /proc/link nowhere/link; do
  expect_exit 3 speed -o $link
  expect_in "linking '$link'" "$err"
done
[ "$(kilter result mytest | wc -l)" -eq "$before" ]
expect_exit 0 kilter run job.yaml --no-monitors -o latest -- sh -c 'echo "speed: 5"'
expect_file latest/stats.json
rm -r "$(readlink latest)" latest
expect_exit 0 kilter reindex

# A disk that is full is told by that name, with its place, and a rebuilding that failed leaves nothing.
if unshare -rm true 2>/dev/null; then
  mkdir disk
  expect_exit 0 unshare -rm sh -c '
    mount -t tmpfs -o size=3m none disk && cp -r "$KILTER_HOME" disk/home && cd disk/home && rm -f kilter.db* .*.lock
    head -c 10m /dev/zero >../filler 2>/dev/null
    for verb in "reindex" "run --no-monitors $OLDPWD/job.yaml -- true"; do
      kilter --home . $verb >../../told 2>&1
      [ $? -eq 3 ] && cat ../../told >&2
    done
    ls'
  expect_in "the disk of '" "$err"
  expect_in "' is full" "$err"
  expect_not_in "kilter.db.new" "$out"
else
  echo "not tried: no user namespaces for a small disk"
fi

# Two at once take different numbers and lose nothing.
speed --runs 4 >/dev/null 2>&1 & one=$!
speed --runs 4 >/dev/null 2>&1 & two=$!
wait $one
wait $two
[ "$(kilter result mytest | wc -l)" -eq 11 ]

# Killed in the middle: nothing half written, the next start goes on.
kilter run job.yaml --no-monitors -- sleep 30 >/dev/null 2>&1 & victim=$!
sleep 0.7
kill -9 $victim
wait $victim 2>/dev/null || true
expect_exit 0 speed
[ "$(kilter result mytest | wc -l)" -eq 12 ]
[ -z "$(ls -A "$KILTER_HOME/results/.tmp" 2>/dev/null)" ]
# Nothing it started lives on: a workload's processes carry the run's id in their environment.
left=0
for environ in /proc/[0-9]*/environ; do
  if tr '\0' '\n' 2>/dev/null <"$environ" | grep -q "^KILTER_HOME=$KILTER_HOME$" && [ "${environ#/proc/}" != "$$/environ" ]; then
    pid=${environ#/proc/}; pid=${pid%/environ}
    case $(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline") in "sleep 30 ") left=$((left + 1)) ;; esac
  fi
done
[ $left -eq 0 ]

# Ctrl-C: exit 130, nothing kept of the run.
for signal in INT TERM HUP QUIT; do
  code=0
  timeout --preserve-status -s $signal 0.7 kilter run job.yaml --no-monitors -- sleep 30 >/dev/null 2>&1 || code=$?
  [ $code -eq 130 ]
done
[ "$(kilter result mytest | wc -l)" -eq 12 ]

# A newer database is refused, not harmed.
python3 - "$KILTER_HOME/kilter.db" <<'P'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("pragma user_version = 9999")
db.commit()
P
expect_exit 3 kilter result
expect_in "newer" "$err"

# A home that cannot be made.
expect_exit 3 kilter --home /proc/nowhere run job.yaml -- true
expect_in "/proc/nowhere" "$err"
