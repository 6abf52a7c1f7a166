#!/usr/bin/env bash
# Two commands compared: planted and no differences, metrics, counters, resuming, and everything that can go wrong.
. "$(dirname "$0")/common.sh"

field() { python3 -c 'import json,sys; print(eval("r" + sys.argv[1], {"r": json.load(open("out"))}))' "$1"; }

# More work is found, with a small chance of error.
work() { echo "awk 'BEGIN { for (i = 0; i < $1; ++i) s += i }'"; }
expect_exit 1 kilter ab --alpha 0.0001 --fail-on regression --shell -- "$(work 300000)" -- "$(work 420000)"
expect_in "% slower (99 % interval" "$out"
expect_in "; this could have shown" "$out"
expect_in "A |" "$out"
# The other way round it is an improvement.
expect_exit 0 kilter ab --alpha 0.0001 --fail-on regression --shell -- "$(work 420000)" -- "$(work 300000)"
expect_in "% faster (99 % interval" "$out"
# The same command twice is no change.
expect_exit 0 kilter ab --alpha 0.00001 --budget 10s --fail-on change -- sleep 0.03 -- sleep 0.03
expect_exit 0 kilter ab --nest 5 --null --sync --pin 0 --format json -- true -- true
[ "$(field '["n"]')" = "[5, 5]" ]
[ "$(field '["ended"]')" = runs ]
[ "$(field '["repeat"]')" = 1 ]

# Words are words; with --shell a command is one text.
expect_exit 0 kilter ab --nest 3 --metric '(\d+)' -- echo '$(exit 7); 5000' -- echo 5000 '|' wc
expect_in "no difference" "$out"
expect_exit 0 kilter ab --nest 3 --shell --metric '(\d+)' -- 'seq 2000 | wc -l -- ' -- echo 3000
expect_in "B is 50 % higher" "$out"
# Metrics of the output: the last match, the direction when it is told, no variance at all.
expect_exit 0 kilter ab --nest 5 --metric 'ops: ([0-9.]+)' --better higher -- echo ops: 1000 -- printf 'ops: 7\nops: 1100\n'
expect_in "B is 10 % higher, which is better" "$out"
expect_in "do they do the same work?" "$out"
expect_exit 1 kilter ab --nest 5 --metric '(\d+)' --better lower --fail-on regression -- echo 1000 -- echo 1100
expect_exit 0 kilter ab --metric '(\d+)' -- echo 1000 -- echo 1000
expect_in "A and B are the same within 1 % (no difference" "$out"
# Counters of the kernel.
if kilter ab --nest 3 --perf-stat page-faults --format json -- true -- true >out 2>err; then
  [ "$(field '["samples"][0]["value"] > 10')" = True ]
  kilter ab --nest 3 --perf-stat task-clock --format json -- true -- true >out
  [ "$(field '["unit"]')" = s ]
  [ "$(field '["samples"][0]["value"] < 1')" = True ]
  expect_exit 0 kilter ab --nest 5 --perf-stat page-faults --shell -- true -- 'head -c 30m /dev/zero | sort >/dev/null'
  expect_in "% higher (99 % interval" "$out"
  # A tenth more, in CPU time.
  expect_exit 1 kilter ab --perf-stat task-clock --better lower --fail-on regression --shell -- "$(work 300000)" -- "$(work 345000)"
  expect_in "% higher, which is worse (99 % interval" "$out"
else
  cat err
fi
if ! kilter ab --nest 3 --perf-stat instructions -- true -- true >out 2>err; then
  expect_in "counting 'instructions'" "$(cat err)"
  expect_in "task-clock" "$(cat err)"
fi

# What is done around each execution, the input, the padding, the order: all in the samples.
echo 42 >input
expect_exit 0 kilter ab --nest 4 --repeat 2 --warmup 0 --seed 3 --input input --metric '(\d+)' --shell \
  --pre 'echo pre >>around' --post 'echo post >>around' --format json -- \
  'echo ${#KILTER_ENV_PADDING} >>sizes; cat' -- 'cat; echo b >>around'
[ "$(field '["samples"][0]["value"] == 42')" = True ]
[ "$(grep -c pre around)" -eq 16 ]
[ "$(grep -c post around)" -eq 16 ]
[ "$(sort -u sizes | wc -l)" -gt 2 ]
[ "$(field '["samples"][0]["side"] == r["samples"][3]["side"]')" = True ]
expect_exit 0 kilter ab --nest 3 --no-env-padding --metric '(\d+)' --shell -- 'echo ${#KILTER_ENV_PADDING}' -- 'echo 0'
expect_exit 0 kilter ab --nest 3 --pin 0 --metric 'list:\s*(\d+)$' -- grep Cpus_allowed_list /proc/self/status -- echo list: 0

# Killed in the middle: what was measured is not measured again.
printf '#!/bin/sh\necho x >>log\nsleep 0.04\n' >slow
chmod +x slow
ab_slow() { kilter ab --nest 12 --repeat 1 -- ./slow -- ./slow A; }
kilter ab --nest 12 --repeat 1 -- ./slow -- ./slow A >/dev/null 2>&1 & victim=$!
sleep 1
# Two at once on the same commands: the second refuses.
expect_exit 3 ab_slow
expect_in "another kilter is measuring" "$err"
kill -9 $victim
wait $victim 2>/dev/null || true
sleep 0.1
before=$(wc -l <log)
expect_exit 0 ab_slow
expect_in "resuming: " "$err"
kept=$(sed -n 's/.*resuming: \([0-9]*\) samples.*/\1/p' err)
[ "$kept" -ge $((before - 4)) ]
[ $(($(wc -l <log) - before)) -eq $((24 - kept + 2)) ]
expect_in "n = 12+12" "$out"
# It has ended, so the next one is new; a changed program is another campaign.
expect_exit 0 ab_slow
expect_not_in "resuming" "$err"
code=0
timeout --preserve-status -s INT 0.6 kilter ab --nest 12 --repeat 1 -- ./slow -- ./slow A >out 2>err || code=$?
[ $code -eq 130 ]
expect_in "samples are kept" "$(cat err)"
echo '# newer' >>slow
expect_exit 0 ab_slow
expect_not_in "resuming" "$err"
[ -z "$(find "$KILTER_HOME" -name '*.lock' -path '*ab-*')" ]

# Commands that cannot be measured.
expect_exit 3 kilter ab -- no-such-command-here -- true
expect_in "command A: starting 'no-such-command-here': no such program in PATH" "$err"
touch plain
expect_exit 3 kilter ab -- true -- ./plain
expect_in "starting './plain': Permission denied" "$err"
printf '#!/bin/sh\necho x >>count\n[ $(wc -l <count) -lt 5 ] || { echo about to fail; exit 7; }\n' >fifth
chmod +x fifth
expect_exit 3 kilter ab --repeat 1 --nest 6 -- true -- ./fifth
expect_in "command B ('./fifth') exited with 7 at its execution 5: about to fail" "$err"
expect_in "--ignore-failure" "$err"
expect_exit 3 kilter ab --null -- true -- ./fifth
expect_in "hint: without --null its last lines are shown here" "$err"
expect_exit 0 kilter ab --nest 4 --repeat 1 --ignore-failure -- true -- ./fifth
expect_in "4 of 4 executions of B failed" "$out"
expect_exit 3 kilter ab --time-limit 200ms -- true -- sleep 60
expect_in "command B ('sleep 60') timed out after 0.2s" "$err"
expect_exit 3 kilter ab --pre false -- true -- true
expect_in "--pre: running 'false': exited with 1" "$err"
expect_exit 3 kilter ab --metric 'x=(\d+)' -- echo x=1 -- echo y
expect_in "matches nothing of the output: y" "$err"
for value in nan inf word; do
  expect_exit 3 kilter ab --metric 'x=(.*)' -- echo x=1 -- echo x=$value
  expect_in "matches '$value', which is no number" "$err"
done
expect_exit 0 kilter ab --nest 3 --repeat 1 --metric '(\d+)$' --shell -- 'yes | head -c 100m; echo 5000' -- 'echo 5000'
expect_in "no difference" "$out"
expect_exit 0 kilter ab --budget 300ms -- sleep 0.5 -- sleep 0.5
expect_in "not enough data: the budget of 0.3s ended before a sample of each was taken" "$out"
expect_exit 0 kilter ab --runs 10000 --repeat 1 --null --budget 2s -- true -- true
expect_exit 0 kilter ab --nest 1 -- true -- true
expect_in "nothing is known of the scatter" "$out"
expect_exit 3 kilter ab --input /no/such/file -- true -- true

# Command lines that are wrong.
expect_exit 2 kilter ab
expect_exit 2 kilter ab true false
expect_in "'true' stands before the first '--'" "$err"
expect_exit 2 kilter ab -- true
expect_in "a second '--' is missing" "$err"
expect_exit 2 kilter ab -- true --
expect_in "command B is empty" "$err"
expect_exit 2 kilter ab -- true -- true -- true
expect_in "needs --shell" "$err"
for wrong in '--repeat 0' '--nest 0' '--runs -3' '--warmup -1' '--delta 1' '--delta 0%' '--alpha 2' '--budget soon' \
  '--time-limit 0' '--pin 7000' '--pin x' '--seed x' '--metric (' '--perf-stat page-fault' '--better higher' \
  '--metric x --perf-stat cs' '--time --metric x' '--metric x --null' '--metric x --fail-on regression'; do
  # shellcheck disable=SC2086
  expect_exit 2 kilter ab $wrong -- true -- true
done
