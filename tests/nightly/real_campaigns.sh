#!/usr/bin/env bash
# real_campaigns.sh BINARIES [SAME [SLOWER [BISECTS]]]: campaigns of a real benchmark (examples/flowtable) on this
# machine. SAME campaigns of two commits of one speed must hardly ever find a change, SLOWER of the planted 2 %
# must find it, BISECTS must name its commit; every second bisect has a flaky machine: the benchmark is now and
# then not there to be started.
set -euo pipefail
bin=$(cd "${1:?usage: $0 BINARIES [SAME [SLOWER [BISECTS]]]}" && pwd)
same=${2:-200} slower=${3:-10} bisects=${4:-10}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/kilter-campaigns.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
export KILTER_HOME=$scratch/home LC_ALL=C
PATH=$bin:$PATH
"$root/examples/materialise" flowtable "$scratch" >/dev/null
cd "$scratch"
culprit=$(git -C repo log --format=%H --grep='^hash: the seed takes part once more' v1.4)
field() { python3 -c "import json,sys; d=json.load(sys.stdin); print($1)"; }
# Two commits of one speed, as they come: neighbours that build, with no planted change between them.
pairs() {
  python3 - "$root/examples/flowtable/planted.json" repo <<'P'
import json, subprocess, sys
planted = json.load(open(sys.argv[1]))
git = lambda *a: subprocess.check_output(["git", "-C", sys.argv[2], *a], text=True).split()
first = git("rev-list", "--first-parent", "--reverse", "v1.0..v1.4")
stops = {p["culprit"] for p in planted["planted"]} | {p.get("first_parent_culprit") for p in planted["planted"]}
good = [c for c in first if c not in planted["unbuildable"]]
for a, b in zip(good, good[1:]):
    between = first[first.index(a) + 1 : first.index(b) + 1]
    if not stops & set(between): print(a, b)
P
}

found=0
mapfile -t all < <(pairs)
for i in $(seq "$same"); do
  read -r a b <<<"${all[$((i % ${#all[@]}))]}"
  answer=$(kilter run -p project.yaml --no-monitors --rev "$a" --rev "$b" --budget 20s --fresh --format json 2>/dev/null |
    field 'd["verdicts"][0]["answer"] + " " + str(d["verdicts"][0]["effect"]) + " " + str(d["verdicts"][0]["n"])')
  case $answer in changed*) found=$((found + 1)); echo "same $i: $a $b: $answer" ;; esac
done
echo "same speed: a change found in $found of $same campaigns"

hits=0
for i in $(seq "$slower"); do
  answer=$(kilter run -p project.yaml --no-monitors --rev "$culprit^" --rev "$culprit" --budget 2m --fresh --format json 2>/dev/null |
    field '(d["verdicts"][0]["answer"] + " " + d["verdicts"][0].get("verdict", "")) + " " + str(d["verdicts"][0]["n"])')
  case $answer in "changed a regression"*) hits=$((hits + 1)) ;; *) echo "slower $i: $answer" ;; esac
done
echo "2 % slower: found in $hits of $slower campaigns"

# The flaky machine: what is run is a link that is away for a moment, again and again.
sed 's/run: .*/run: [["run-bench", "{artefact:bench}", "--check={check}"]]/' project.yaml >flaky.yaml
mkdir flaky
printf '#!/bin/sh\nexec "$@"\n' >flaky/run-bench
chmod +x flaky/run-bench
right=0
for i in $(seq "$bisects"); do
  project=project.yaml flake=
  if [ $((i % 2)) = 0 ]; then
    project=flaky.yaml
    (while sleep 0.9; do chmod -x flaky/run-bench; sleep 0.1; chmod +x flaky/run-bench; done) &
    flake=$!
  fi
  answer=$(PATH=$scratch/flaky:$PATH kilter bisect -p "$project" --good v1.1 --bad v1.4 --fresh --format json 2>"err.$i" |
    field 'd["findings"][0]["kind"] + " " + ",".join(c["sha"] for c in d["findings"][0]["commits"]) + " runs " + str(d["runs"])' || echo failed)
  if [ -n "$flake" ]; then kill "$flake"; wait "$flake" 2>/dev/null || true; chmod +x flaky/run-bench; fi
  case $answer in "culprit $culprit "*) right=$((right + 1)) ;; *) echo "bisect $i: $answer: $(tail -1 "err.$i")" ;; esac
  echo "bisect $i: ${answer##* } runs, $(grep -c infra-failed "err.$i" || true) commits given up for the machine"
done
infra=$(grep -l infra-failed -r "$KILTER_HOME/results" --include=outcome.json | wc -l)
echo "bisects: the right commit in $right of $bisects, $infra runs failed by the machine"
[ "$found" -le $(((same + 99) / 100)) ] && [ "$hits" -ge $((slower * 9 / 10)) ] && [ "$right" -ge $((bisects * 9 / 10)) ]
