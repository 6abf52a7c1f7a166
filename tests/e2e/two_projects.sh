#!/usr/bin/env bash
# Two project files over one repository: whose runs are compared, whose name and lists the mail bears.
. "$(dirname "$0")/common.sh"

git init -q -b main repo
commit() { # SPEED SUBJECT
  printf '#!/bin/sh\necho "speed: %s"\n' "$1" >repo/bench.sh
  printf '#!/bin/sh\necho "speed: %s"\n' "$((200000 / $1))" >repo/other.sh
  chmod +x repo/*.sh
  git -C repo add -A
  git -C repo commit -q -m "$2"
}
commit 1000 "lib: start"
git -C repo tag v1
commit 900 "lib: check bounds"
git -C repo tag v2
project() { # NAME SCRIPT
  cat >"$1.yaml" <<Y
name: $1
url: repo
branches: [main]
build: {steps: [["true"]]}
artefacts: {bench: $2}
benchmark:
  suite: toy-$1
  run: [["{artefact:bench}"]]
  parser: key-value
  metrics:
    speed: {unit: ops/s, better: higher, headline: true}
mail: {from: Robot <robot@example.org>, to: [$1-list@example.org]}
Y
  printf 'suite: toy-%s\ntestcase: toy-%s\ncategory: benchmark\ntoy-%s:\n' "$1" "$1" "$1" >"$1-job.yaml"
}
project g other.sh
project q bench.sh
run() { expect_exit 0 kilter run --project "$1.yaml" --rev v1 --rev v2 --runs 3 --no-monitors "$1-job.yaml"; }

# One is measured: the other is known, and has no part in it.
run q
mkdir -p "$KILTER_HOME/projects" && ln -s "$scratch/g.yaml" "$KILTER_HOME/projects/g.yaml"
expect_exit 0 kilter report --print v1 v2
expect_in "[q:main] [lib]" "$out"
expect_in "q-list@example.org" "$out"
expect_not_in "g-list" "$out"
expect_exit 2 kilter compare -p g v1 v2
expect_in "project 'g' has no run of it" "$err"

# With two projects in the home, the next step says which.
expect_in "next: kilter compare -p q v1 v2" "$(kilter run --project q.yaml --rev v1 --rev v2 --runs 3 --no-monitors q-job.yaml)"

# Both are: which one must be said, and is heeded.
run g
expect_exit 2 kilter compare v1 v2
expect_in "'v1' was measured in projects g, q" "$err"
expect_in "add -p g or -p q" "$err"
expect_exit 2 kilter report v1 v2
expect_exit 0 kilter compare -p q.yaml v1 v2
expect_in "toy-q.speed" "$out"
expect_not_in "toy-g.speed" "$out"
# A slip is told; what is listed else is of the project that was chosen.
expect_exit 2 kilter compare -p q v1 mian
expect_in "did you mean 'main'?" "$err"
git -C repo commit -q --allow-empty -m "lib: only one"
head=$(git -C repo rev-parse --short=12 HEAD)
expect_exit 0 kilter run --project q.yaml --rev HEAD --no-monitors q-job.yaml
expect_exit 2 kilter compare -p q v1 nothing-like-it
expect_in "stored are " "$err"
expect_in "$head" "$err"
expect_exit 2 kilter compare -p g v1 nothing-like-it
expect_in "stored are " "$err"
expect_not_in "$head" "$err"
git -C repo reset -q --hard HEAD~
expect_exit 0 kilter report --print -p q.yaml v1 v2
expect_in "toy-q.speed 10.0% regression" "$out"
expect_not_in "toy-g" "$out"
expect_exit 0 kilter report --print -p g.yaml v1 v2
expect_in "[g:main]" "$out"
expect_in "g-list@example.org" "$out"
expect_in "toy-g.speed 11.0% improvement" "$out"

# A recipe that is wrong is the project file's fault: nothing is said of the commit.
export KILTER_HOME=$scratch/recipes
sed 's/bench: bench.sh/bench: nope.sh/' q.yaml >wrong.yaml
expect_exit 2 kilter run --project wrong.yaml --rev v1 --rev v2 --no-monitors q-job.yaml
expect_in "the build made no 'nope.sh'" "$err"
expect_in "wrong.yaml" "$err"
expect_exit 0 kilter result
expect_not_in "toy-q" "$out"
# A build that failed and was good later does not count.
sed 's/\["true"\]/["false"]/' q.yaml >broken.yaml
expect_exit 3 kilter run --project broken.yaml --rev v2 --no-monitors q-job.yaml
expect_exit 0 kilter result
expect_in "toy-q" "$out"
run q
expect_exit 0 kilter report --print v1 v2
expect_in "toy-q.speed 10.0% regression" "$out"
expect_not_in "build-failed" "$out"
