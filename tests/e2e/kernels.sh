#!/usr/bin/env bash
# Two kernels on one machine: what a run says of its kernel, names, comparing, the mail with a tree and without, and what an
# older version stored. There is no second boot here: the runs bear the names that two kernels would have.
. "$(dirname "$0")/common.sh"

mkdir suites
cat >suites/toy.yaml <<Y
suite: toy
run: [[cat, $scratch/speed]]
parser: key-value
metrics: {speed: {unit: ops/s, better: higher, headline: true}}
Y
printf 'suite: toy\ntestcase: toy\ncategory: benchmark\ncommit: of-somebody-else\nkconfig: x86_64-rhel-9.4\ntoy:\n' >job.yaml
boot() { # SPEED WORD..: three runs
  echo "speed: $1" >speed
  shift
  expect_exit 0 kilter run job.yaml --runs 3 --no-monitors "$@"
}
report() {
  expect_exit 0 kilter report --force "$@"
  mail=$(printf '%s\n' "$out" | sed -n 's/^mail:    //p')
  archive=$(printf '%s\n' "$out" | sed -n 's/^archive: //p')
  out=$(cat "$mail")
}

# What the running kernel is: a job file's words are those of who wrote it.
boot 1000 -o last
python3 - "$KILTER_HOME" "$(uname -r)" <<'P'
import gzip, hashlib, json, os, re, sys
home, release = sys.argv[1:]
axes = json.load(open("last/outcome.json"))["axes"]
kernel = json.load(open("last/kernel.json"))
assert kernel["release"] == release and axes["commit"] == kernel["commit"], (axes, kernel)
assert release.endswith(kernel["commit"]), kernel
assert axes["kconfig"] == kernel["kconfig"] and axes["compiler"] == kernel["compiler"], (axes, kernel)
assert re.fullmatch(r"(gcc|clang)-[0-9.]+|unknown", axes["compiler"]), axes
if os.path.exists("/proc/config.gz"):
    text = gzip.open("/proc/config.gz", "rb").read()
    assert kernel["config"] == hashlib.sha256(text).hexdigest()
    assert os.listdir(home + "/kernels") == [kernel["config"] + ".config"]
    assert open(home + "/kernels/" + kernel["config"] + ".config", "rb").read() == text
    assert re.fullmatch(os.uname().machine + "-[0-9a-f]{8}", axes["kconfig"]), axes
else:
    assert re.fullmatch(r".*-[0-9a-f]{8}|unknown", axes["kconfig"]), axes
P

expect_exit 0 kilter machine
expect_in "measured as  $(python3 -c 'import json; k = json.load(open("last/kernel.json")); print(k["commit"], k["kconfig"], k["compiler"])')" "$out"

# Names.
boot 900 --kernel-name with-patch
boot 800 -s 'commit: called' -s 'kconfig: my-config'
expect_exit 2 kilter run job.yaml --kernel-name a/b
expect_exit 2 kilter run job.yaml --kernel-name x --project toy.yaml
expect_exit 2 kilter compare running with-ptach
expect_in "did you mean 'with-patch'?" "$err"
expect_exit 0 kilter compare running with-patch
expect_in "-10.0%" "$out"
expect_exit 0 kilter compare "$(uname -r)" with-patch
expect_in "-10.0%" "$out"
if [ -s /sys/kernel/notes ]; then
  expect_in "are one build of the kernel" "$out"
  expect_exit 3 kilter report running with-patch
fi
# They are unlike in more than their names.
expect_exit 0 kilter compare with-patch called
expect_in "differs in kconfig: 'my-config'" "$out"
report with-patch called
expect_in "Subject: with-patch..called:  toy.speed 11.1% regression" "$out"
expect_in "Not alike, too: kconfig=" "$out"
expect_in "base: with-patch (\"$(uname -r)\")" "$out"

# Commits of a tree, as kernels tell them: the first digits.
git init -q -b main tree
for word in "mm: fold" "mm: split"; do
  git -C tree commit -q --allow-empty --author="ann <ann@example.org>" -m "$word" -m "Reviewed-by: Rev <rev@example.org>"
done
base=$(git -C tree rev-parse --short=12 HEAD~) head=$(git -C tree rev-parse --short=12 HEAD)
boot 1000 --kernel-name "$base"
boot 700 --kernel-name "$head"
report "$base" "$head"
expect_in "Subject: $base..$head:  toy.speed 30.0% regression" "$out"
expect_not_in "ann@" "$out"
printf 'name: linux\nurl: tree\nmail: {cc: [linux-mm@example.org]}\n' >linux.yaml
expect_exit 0 kilter compare -p linux.yaml HEAD~ HEAD
expect_in "-30.0%" "$out"
expect_in "(\"mm: split\")" "$out"
report -p linux.yaml "$base" "$head"
expect_in "Subject: [linux:main] [mm]  ${head:0:10}:  toy.speed 30.0% regression" "$out"
expect_in "To: ann <ann@example.org>" "$out"
expect_in "commit: $(git -C tree rev-parse HEAD) (\"mm: split\")" "$out"
expect_in "kernel config and materials" "$out"
# The tree went on; the mirror follows.
git -C tree commit -q --allow-empty -m "mm: go on"
boot 650 --kernel-name "$(git -C tree rev-parse --short=12 HEAD)"
expect_exit 0 kilter report --force --print -p linux.yaml HEAD~ HEAD
expect_in "mm: go on" "$out"
# Its head has the regression still.
expect_exit 0 kilter report --force --print -p linux.yaml HEAD~2 HEAD~
expect_in "[test failed on linux/main $(git -C tree rev-parse HEAD)]" "$out"

# The archive: both configurations, and steps that measure here what is to be measured on each.
mkdir elsewhere && tar -xzf "$archive" -C elsewhere
expect_file "elsewhere/build/$base/kernel.json"
[ ! -e /proc/config.gz ] || zcat /proc/config.gz | cmp - "elsewhere/build/$head/config"
expect_exit 0 env -i PATH=/usr/bin:/bin sh elsewhere/reproduce.sh 1
expect_in "== here, on $(uname -r)" "$out"
expect_not_in "BUILD=1" "$(cat elsewhere/reproduce.sh)" # there is nothing to build
steps=$(sed -n '/^To reproduce:/,/^=====/p' "$mail" | sed -n 's/^        //p')
expect_in "# on $base and on $head:" "$steps"
expect_in "--kernel-name $head unit/*.yaml    # on $head" "$steps"
mkdir paste
printf 'set -e\ncd paste\n%s\n' "$steps" >paste.sh
expect_exit 0 sh paste.sh
expect_in "toy.speed" "$out"

# Another build of the same release, as kernels without a commit in it are.
if [ -s /sys/kernel/notes ]; then
  export KILTER_HOME=$scratch/rebuilt
  boot 1000
  expect_not_in "another build" "$err"
  for outcome in "$KILTER_HOME"/results/*/*/*/*/*/*/*/*/outcome.json; do
    sed -i 's/"build_id": *"[0-9a-f]*"/"build_id": "0123"/' "$outcome"
  done
  expect_exit 0 kilter reindex
  boot 900
  expect_in "was another build of the kernel when it was measured last" "$err"
  boot 900 --kernel-name mended
  expect_exit 0 kilter compare running mended
  expect_in "was measured on 2 kernels that bear this name" "$err"
fi

# What an older version stored, under its constants.
export KILTER_HOME=$scratch/old
boot 1000 --kernel-name 6.0.0-old
python3 - "$KILTER_HOME" <<'P'
import glob, json, os, sys
for run in glob.glob(sys.argv[1] + "/results/*/*/*/*/*/*/*/[0-9]*"):
    os.remove(run + "/kernel.json")
    outcome = json.load(open(run + "/outcome.json"))
    outcome["axes"].update(kconfig="defconfig", compiler="gcc-0")
    outcome["build_id"] = ""
    json.dump(outcome, open(run + "/outcome.json", "w"))
P
expect_exit 0 kilter reindex
boot 500
expect_exit 0 kilter compare 6.0.0-old running
expect_in "-50.0%" "$out"
expect_in "not 'defconfig'" "$out"
expect_exit 0 kilter report --print 6.0.0-old running
expect_in "toy.speed 50.0% regression" "$out"
