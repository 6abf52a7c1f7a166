#!/usr/bin/env bash
# A project from git history to table and mail: builds, interleaving, patches, broken commits, the archive.
. "$(dirname "$0")/common.sh"

# The "benchmark" prints the number its source says, so that every figure is known.
git init -q -b main repo
printf 'int main(void) { __builtin_printf("speed: %%d\\n", SPEED); return 0; }\n' >repo/bench.c
commit() { # SPEED SUBJECT
  printf 'all:\n\tcc -DSPEED=%s -o bench bench.c\n' "$1" >repo/Makefile
  git -C repo add -A
  git -C repo commit -q -m "$2" -m "Reviewed-by: Rev Iewer <rev@example.org>"
}
commit 1000 "lib: start"
commit 900 "lib: check bounds"
printf 'all:\n\tfalse # broken on purpose\n' >repo/Makefile
git -C repo commit -q -a -m "lib: break the build"
commit 1100 "lib: unroll"

cat >toy.yaml <<'Y'
name: toy
url: repo
branches: [main]
build: {steps: [[make]]}
artefacts: {bench: bench}
benchmark:
  suite: toy
  run: [["{artefact:bench}"]]
  parser: key-value
  metrics:
    speed: {unit: ops/s, better: higher, headline: true}
mail: {from: Robot <robot@example.org>, to: [list@example.org]}
Y
printf 'suite: toy\ntestcase: toy\ncategory: benchmark\ntoy:\n' >job.yaml

expect_exit 0 kilter run --project toy.yaml --rev HEAD~3 --rev HEAD --dry-run job.yaml
expect_in "<build of HEAD~3>/bench" "$out"
expect_in "build HEAD of toy" "$out"
expect_in "1 unit job x 2 revisions x 1 run" "$out"
[ ! -e "$KILTER_HOME" ]
# Without a job the benchmark is run with its defaults.
expect_exit 0 kilter run --project toy.yaml --rev HEAD --dry-run
expect_in "toy-defaults" "$out"
expect_in "<build of HEAD>/bench" "$out"
expect_exit 2 kilter run --project toy.yaml --rev HEAD~3 HEAD
expect_in "add --rev HEAD" "$err"
expect_exit 2 kilter run --project tyo.yaml
expect_in "did you mean 'toy.yaml'?" "$err"
expect_exit 2 kilter run --project repo/
expect_in "reading project 'repo/project.yaml': no such file" "$err"
expect_exit 2 kilter run toy.yaml
expect_in "kilter run --project toy.yaml" "$err"
expect_exit 0 kilter run --project toy.yaml --rev HEAD~3 --rev HEAD --no-monitors
expect_in "next: the same with --runs 5: at least 3 runs of each side are needed to judge" "$out"
rm -rf "$KILTER_HOME"
expect_exit 0 kilter run --project toy.yaml --rev HEAD~3 --rev HEAD~2 --rev HEAD --runs 4 --no-monitors job.yaml
expect_in "4 ok" "$out"
# A B C C B A: in blocks, forwards and back.
python3 - "$KILTER_HOME" <<'P'
import glob, json, sys
runs = [json.load(open(f)) for f in glob.glob(sys.argv[1] + "/results/**/outcome.json", recursive=True)]
runs.sort(key=lambda run: run["started"])
order = [run["axes"]["commit"] for run in runs]
assert order[:6] == order[:3] + order[:3][::-1], order
assert len({run["build_id"] for run in runs}) == 3
P
expect_exit 0 kilter compare HEAD~3 HEAD~2 HEAD
expect_in "-10.0%" "$out"
expect_in "+10.0%" "$out"
expect_in "lib: check bounds" "$out"

# Builds come from the cache the second time; a broken commit is an outcome, the others go on.
expect_exit 0 kilter run --project toy --rev HEAD --rev HEAD~1 --no-monitors job.yaml
expect_in "from the cache" "$err"
expect_in "build failed" "$err"
expect_exit 0 kilter result toy "$(git -C repo rev-parse HEAD~1)"
expect_exit 0 kilter report HEAD~2 HEAD~1
expect_in "toy.build-failed" "$out"
grep -qF "make: ***" "$(printf '%s\n' "$out" | sed -n 's/^mail:    //p')"
broken=$(printf '%s\n' "$out" | sed -n 's/^archive: //p')
tar -xzOf "$broken" "build/$(git -C repo rev-parse HEAD~1 | cut -c1-12)/build.log" | grep -q "broken on purpose"
rm -r "$KILTER_HOME/outbox" "$KILTER_HOME/archive"

# So is one that was built well and lacks the artefact.
printf 'all:\n\ttrue\n' >repo/Makefile
git -C repo commit -q -a -m "lib: forget the bench"
expect_exit 0 kilter run --project toy --rev HEAD~1 --rev HEAD --no-monitors job.yaml
expect_in "build failed: artefact 'bench': the build made no 'bench'" "$err"
expect_in "1 ok" "$out"
git -C repo reset -q --hard HEAD~1
for rev in '^HEAD' main+; do
  expect_exit 2 kilter run --project toy --rev "$rev" --no-monitors job.yaml
  [ "$(grep -c '^kilter: ' err)" -eq 1 ]
done
expect_in "no file is named after a '+'" "$err"

# A patch on top of a revision.
sed -i 's/SPEED=1100/SPEED=1200/' repo/Makefile
git -C repo diff >faster.patch
git -C repo checkout -q Makefile
expect_exit 0 kilter run --project toy.yaml --rev HEAD+faster.patch --runs 4 --no-monitors job.yaml
expect_in "1200" "$out"
# It has a name of its own, beside its base, and that name is an operand.
expect_exit 0 kilter run --project toy.yaml --rev HEAD --rev HEAD+faster.patch --runs 3 --no-monitors job.yaml
expect_in "HEAD+faster.patch" "$err"
expect_in "HEAD (" "$out"
next=$(sed -n 's/^next: kilter compare //p' out)
# shellcheck disable=SC2086
set -- $next
[ "$1" != "$2" ]
expect_in "$1+" "$2"
expect_exit 0 kilter compare "$1" "$2"
expect_in "+9.1%" "$out"
expect_in "${2:0:10}+" "$out"
sed -i 's/bench.c/other.c/; s/1100/77/' faster.patch
expect_exit 2 kilter run --project toy.yaml --rev HEAD+faster.patch --no-monitors job.yaml
expect_in "faster.patch" "$err"

expect_exit 2 kilter run --project toy.yaml --rev no-such-tag job.yaml
expect_in "no-such-tag" "$err"
expect_exit 2 kilter run --rev HEAD job.yaml
expect_in "--project" "$err"

# The mail, and the archive with a reproducer that needs no kilter.
expect_exit 0 kilter report --print HEAD~3 HEAD~2
[ ! -e "$KILTER_HOME/outbox" ] && [ ! -e "$KILTER_HOME/archive" ]
expect_in "toy.speed 10.0% regression" "$out"
expect_in "kernel: $(uname -r)" "$out"
expect_not_in "materials" "$out"
expect_exit 0 kilter report HEAD~3 HEAD~2
expect_in "send:    sendmail -t < $KILTER_HOME/outbox/new/" "$out"
expect_not_in "nobody" "$err"
out+=$(cat "$KILTER_HOME"/outbox/new/*)
expect_in "sh reproduce.sh 4 " "$out"
expect_in "Reported-by:" "$out"
mail=$(ls "$KILTER_HOME"/outbox/new/*)
python3 - "$mail" <<'P'
import email, email.policy, sys
message = email.message_from_binary_file(open(sys.argv[1], "rb"), policy=email.policy.default)
assert "regression" in message["Subject"], message["Subject"]
assert "test@example.org" in message["To"] and "rev@example.org" in message["Cc"] and "list@example.org" in message["Cc"]
body = message.get_content()
for text in ("Hello,", "testcase: toy", "test machine:", "-10.0%", "lib: check bounds", "Disclaimer", "reproduce"):
    assert text in body, text
assert all(len(line) <= 998 for line in open(sys.argv[1], "rb").read().split(b"\n"))
P
archive=$(find "$KILTER_HOME/archive" -name '*.tar.gz')
mkdir materials
tar -xzf "$archive" -C materials
for file in job.yaml machine.json plan.json reproduce.sh mail.txt; do expect_file "materials/$file"; done
expect_exit 0 env -i PATH=/usr/bin:/bin sh materials/reproduce.sh 1
expect_in "speed: 900" "$out"
# What improved is no regression; what did not change has no headline.
expect_exit 0 kilter report HEAD~3 HEAD
expect_in "10.0% improvement" "$out"

# The repository vanishes: what is known goes on.
mv repo gone
expect_exit 0 kilter run --project toy.yaml --rev "$(git -C gone rev-parse HEAD)" --no-monitors job.yaml
