#!/usr/bin/env bash
# Campaigns of kilter run: until it is known which revision is faster; gone on with after kill -9; several layouts.
. "$(dirname "$0")/common.sh"

git init -q -b main repo
bench() { # LEVEL
  cat >repo/bench.sh <<S
#!/bin/bash
n=\$(od -An -N4 -tu4 /dev/urandom)
${2:-}
echo "speed: \$(($1 * 10 + n % 60 - 30))"
echo "env: \${#KILTER_ENV_PADDING}"
S
  chmod +x repo/bench.sh
  git -C repo add -A
  git -C repo commit -q -m "lib: $1"
}
bench 1000 "# one"; git -C repo tag v1
bench 960; git -C repo tag v2
bench 1000 "# two"; git -C repo tag v3
bench 1000 'sleep 0.4'; git -C repo tag slow1
bench 1000 'sleep 0.41'; git -C repo tag slow2
cat >lib.yaml <<Y
name: lib
url: repo
branches: [main]
build: {steps: [["true"]]}
artefacts: {bench: bench.sh}
benchmark:
  suite: lib
  run: [["{artefact:bench}"]]
  parser: key-value
  metrics:
    speed: {unit: ops/s, better: higher, headline: true}
Y
run() { kilter run -p lib.yaml --no-monitors "$@"; }
runs() { find "$KILTER_HOME/results" -name outcome.json | wc -l; }
field() { python3 -c "import json,sys; d=json.load(open('$scratch/out')); print($1)"; }

# Decided by few runs, and told in one sentence.
expect_exit 0 run --rev v1 --rev v2 --budget 2m
expect_in "v2 against v1: lib.speed:" "$out"
expect_in "% lower (99 % interval" "$out"
expect_in "a regression, by" "$out"
expect_in "one build a side" "$out"
[ "$(runs)" -lt 41 ]
# The same level is an answer too; a third revision is asked about beside the others.
expect_exit 0 run --rev v1 --rev v3 --rev v2 --delta 2% --format json
[ "$(field '[v["answer"] for v in d["verdicts"]]')" = "['same', 'changed']" ]
[ "$(field 'd["verdicts"][1]["verdict"]')" = "a regression" ]
[ "$(field 'd["verdicts"][0]["one_build"]')" = True ]
# Not known within the budget.
expect_exit 0 run --rev slow1 --rev slow2 --delta 0.001% --budget 1s --format json
[ "$(field 'd["verdicts"][0]["answer"]')" = unknown ]
[ "$(field 'd["verdicts"][0]["out_of_time"]')" = True ]
# Each run has an environment of its own size.
sizes=$(kilter result --format json lib | python3 -c "
import json,sys,os
print(len({json.load(open(os.path.join(r['directory'] if isinstance(r, dict) else r, 'stats.json')))['lib.env'] for r in json.load(sys.stdin)}) > 5)")
[ "$sizes" = True ]

# Killed on the way, the same command goes on where it was; ended well, it begins another one.
rm -rf "$KILTER_HOME"
kilter run -p lib.yaml --no-monitors --rev slow1 --rev slow2 --runs 6 >/dev/null 2>&1 </dev/null &
pid=$!
for _ in $(seq 100); do [ -d "$KILTER_HOME/results" ] && [ "$(runs)" -ge 3 ] && break; sleep 0.1; done
expect_exit 3 run --rev slow1 --rev slow2 --runs 6
expect_in "another kilter does the same campaign now" "$err"
kill -9 "$pid"
wait "$pid" || true
there=$(runs)
expect_exit 0 run --rev slow1 --rev slow2 --runs 6
expect_in "going on with the campaign of" "$err"
expect_in "$there runs are there" "$err"
[ "$(runs)" = 12 ]
expect_in "6 ok" "$out"
expect_exit 0 run --rev slow1 --rev slow2 --runs 1
expect_not_in "going on" "$err"
[ "$(runs)" = 14 ]

# A metric by its short name; one that is none.
expect_exit 0 run --rev v1 --rev v2 --metric speed
expect_in "v2 against v1: lib.speed:" "$out"
expect_exit 3 run --rev v1 --rev v2 --metric sped --runs 3
expect_in "'lib.sped' is no metric of these runs" "$err"
expect_in "there are lib.env, lib.speed" "$err"

# What cannot be asked.
expect_exit 2 run --rev v1 --budget 1m
expect_in "compare revisions" "$err"
expect_exit 2 run --rev v1 --rev v2 --budget soon
expect_exit 2 run --rev v1 --rev v2 --delta most
expect_exit 2 run --rev v1 --rev v2 --alpha 2
expect_exit 2 run --rev v1 --rev v2 --runs 0

# Several layouts of each revision: each is a build of its own, and they are what counts.

git init -q -b main c
cat >c/a.c <<'C'
#include <stdio.h>
int f(int x) { return x * 3; }
int g(int x) { return x ^ 5; }
int h(int x) { return x - 7; }
int main(void) { return printf("speed: %d\n", 1000 + f(g(h(1)))) < 0; }
C
git -C c add -A; git -C c commit -q -m "c: one"; git -C c tag a
sed -i 's/1000/1100/' c/a.c; git -C c commit -q -a -m "c: two"; git -C c tag b
sed -e 's/^name: lib/name: c/; s/^url: repo/url: c/; s/suite: lib/suite: c/; s/bench: bench.sh/bench: bench/' \
  -e 's/^build:.*/build: {steps: [[sh, -c, "cc $CFLAGS -o bench a.c $LDFLAGS"]]}\nlayout: {rebuilds: 3, linker: mold}/' lib.yaml >c.yaml
expect_exit 0 kilter run -p c.yaml --rev a --rev b --runs 3 --no-monitors --format json
[ "$(field 'len({r["build_id"] for c in d for r in c["runs"]})')" = 6 ]
expect_exit 0 kilter run -p c.yaml --rev a --rev b --budget 1m --no-monitors --format json
[ "$(field 'd["verdicts"][0]["level"]')" = build ]
[ "$(field 'd["verdicts"][0]["one_build"]')" = False ]
rm -rf "$KILTER_HOME/results/c" && kilter reindex >/dev/null
expect_exit 0 kilter bisect -p c.yaml --good a --bad b --fresh --format json
[ "$(field 'd["findings"][0]["commits"][0]["subject"]')" = "c: two" ]
[ "$(find "$KILTER_HOME/results/c" -name outcome.json -exec grep -h '"build_id"' {} + | sort -u | wc -l)" = 6 ]
sed -i 's/ \$LDFLAGS//' c.yaml
expect_exit 0 kilter run -p c.yaml --rev a --rev b --runs 1 --no-monitors
expect_in "heeds neither LDFLAGS nor KILTER_LAYOUT_SEED" "$err"
