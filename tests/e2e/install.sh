#!/usr/bin/env bash
# `kilter install`: upstream sources from a mirror (file:///), built, used, and a mirror that is not there.
. "$(dirname "$0")/common.sh"
[ "$(id -u)" -eq 0 ] || command -v make >/dev/null || skip "needs make"

# A mirror whose "schbench" prints what the real one printed.
mkdir mirror
cp "$tests/golden/suite/capture/schbench-2025/in.txt" mirror/output.txt
cat >mirror/Makefile <<'M'
schbench: output.txt
	printf '#!/bin/sh\ncat <<"X"\n' > $@
	cat output.txt >> $@
	printf 'X\n' >> $@
	chmod +x $@
M
git -C mirror init -q -b main
git -C mirror add -A
git -C mirror commit -q -m "schbench: a mirror"

expect_exit 0 kilter install --dry-run --url "file://$scratch/mirror" schbench
expect_in "git clone" "$out"
expect_in "file://$scratch/mirror" "$out"
[ ! -e "$KILTER_HOME" ]
expect_exit 3 kilter install --url "file://$scratch/nowhere" schbench
expect_in "nowhere" "$err"
[ -z "$(ls -A "$KILTER_HOME/tools" 2>/dev/null)" ]

expect_exit 0 kilter install --url "file://$scratch/mirror" schbench
expect_in "ready" "$out"
expect_file "$KILTER_HOME/tools/schbench/schbench"
# A second time there is nothing to do.
expect_exit 0 kilter install --url "file://$scratch/mirror" schbench
expect_not_in "clone" "$err"

cat >job.yaml <<'Y'
suite: schbench
testcase: schbench
category: benchmark
iterations: 1x
schbench:
  message_threads: 2
  worker_threads: 2
  runtime: 1s
Y
expect_exit 0 kilter run --no-monitors job.yaml
expect_in "1 ok" "$out"
expect_in "schbench." "$out"

# --url is one suite's; a mirror of all is the user's setting.
expect_exit 2 kilter install --dry-run --engine upstream --url "file://$scratch/mirror" schbench netperf
expect_in "config.yaml" "$err"
printf 'mirrors:\n  https://: file:///srv/git/\n' >"$KILTER_HOME/config.yaml"
expect_exit 0 kilter install --dry-run --force schbench
expect_in "file:///srv/git/" "$out"
printf 'mirror: x\n' >"$KILTER_HOME/config.yaml"
expect_exit 2 kilter install --dry-run schbench
expect_in "config.yaml:1:" "$err"
rm "$KILTER_HOME/config.yaml"

expect_exit 2 kilter install no-such-suite
expect_in "no-such-suite" "$err"
