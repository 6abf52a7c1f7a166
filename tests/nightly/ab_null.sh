#!/usr/bin/env bash
# Compares a command with itself, many times, and counts how often a difference is found that is none; then with one
# that does a fifth more, and counts how often that is found. Real processes on a real, noisy machine.
# usage: ab_null.sh DIRECTORY_OF_THE_BINARIES [CAMPAIGNS]
set -euo pipefail
bin=$(cd "${1:?usage: $0 DIRECTORY_OF_THE_BINARIES [CAMPAIGNS]}" && pwd)
campaigns=${2:-200}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/kilter-null.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
export KILTER_HOME=$scratch/home

loop() { echo "i=0; while [ \$i -lt $1 ]; do i=\$((i + 1)); done"; }
# ab OPTIONS.. -- A -- B: a word for the answer, and the samples it took.
ab() {
  "$bin/kilter" ab --null --repeat 1 --budget 20s --format json "$@" |
    python3 -c 'import json, sys; r = json.load(sys.stdin); print(r["answer"], r["significant"], sum(r["n"]) // 2)'
}
# count NAME OPTIONS.. -- A -- B
count() {
  local name=$1
  shift
  for _ in $(seq "$campaigns"); do ab "$@"; done >"$scratch/answers"
  awk -v name="$name" '{ ++answers[$1]; real += $2 == "True"; samples += $3 }
    END { printf "%-24s %d campaigns: %d changed, %d same, %d unknown, %d with any difference; %.1f samples of each\n", name, NR,
                 answers["changed"], answers["same"], answers["unknown"], real, samples / NR }' "$scratch/answers"
}
changed() { grep -c '^changed' "$scratch/answers" || true; }
differing() { grep -c True "$scratch/answers" || true; }

count 'A/A, time' -- sh -c : -- sh -c :
false_time=$(differing)
count 'A/A, task-clock' --perf-stat task-clock -- sh -c : -- sh -c :
false_clock=$(differing)
count 'A/A, 8 fixed samples' --nest 8 -- sh -c : -- sh -c :
false_fixed=$(differing)
count 'a fifth more, task-clock' --perf-stat task-clock -- sh -c "$(loop 3000)" -- sh -c "$(loop 3600)"
found=$(changed)

# 1 % each, with room for chance: 7 of 200 are exceeded once in 200 tries at a true 1 %.
most=$((campaigns * 7 / 200))
for count in "$false_time" "$false_clock" "$false_fixed"; do
  [ "$count" -le "$most" ] || { echo "too many false differences: $count of $campaigns"; exit 1; }
done
[ "$found" -ge $((campaigns * 9 / 10)) ] || { echo "the planted difference was found in $found of $campaigns only"; exit 1; }
