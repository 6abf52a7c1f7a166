#!/usr/bin/env bash
# The network engine: every test over loopback gives netperf's lines; a server apart serves too.
. "$(dirname "$0")/bench_common.inc"

# rows N PATTERN: the output has N such lines.
rows() { [ "$(grep -cE "$2" "$work/out")" = "$1" ] || fail "not $1 rows '$2': $(cat "$work/out")"; }
number='[0-9]+\.[0-9]+'

for test in TCP_RR TCP_CRR UDP_RR; do
  expect_exit 0 "$BENCH" net --test $test --clients 2 --seconds 0.3
  rows 2 "^[0-9]+ +[0-9]+ +1 +1 +0\.[3-9][0-9]? +[1-9][0-9]*\.[0-9]+ +$number +$number +$number +$number *$"
  rows 2 '^[0-9]+ +[0-9]+ *$'
  rows 2 '^bytes .*secs\. .*per sec'
done
for test in TCP_STREAM TCP_MAERTS TCP_SENDFILE; do
  expect_exit 0 "$BENCH" net --test $test --clients 2 --seconds 0.3 --send-size 10K
  rows 2 "^ *[0-9]+ +[0-9]+ +10240 +$number +[1-9][0-9]*\.[0-9]+ +$number +$number +$number +$number *$"
  rows 2 '^bytes .*secs\. .*10\^6bits'
done
expect_exit 0 "$BENCH" net --test UDP_STREAM --clients 2 --seconds 0.3 --send-size 1024
rows 2 "^[0-9]+ +1024 +$number +[1-9][0-9]* +[0-9]+ +$number +$number +$number *$"
rows 2 "^[0-9]+ +$number +[1-9][0-9]* +$number +$number +$number *$"
expect_exit 0 "$BENCH" net --test TCP_RR --seconds 0.1 --bare
[ "$(wc -l < "$work/out")" = 2 ] || fail "--bare prints more than the data"

for test in SCTP_RR SCTP_STREAM SCTP_STREAM_MANY; do
  if "$BENCH" net --test $test --check > "$work/out" 2> "$work/err"; then
    expect_exit 0 "$BENCH" net --test $test --seconds 0.3
  else
    expect_exit 3 "$BENCH" net --test $test --seconds 0.3
    expect_error "SCTP is not supported by this kernel"; expect_one_line_error
  fi
done

expect_exit 2 "$BENCH" net --test TCP_R
expect_error "did you mean 'TCP_RR'"
expect_exit 2 "$BENCH" net
expect_exit 2 "$BENCH" net --test TCP_RR --clients 0
expect_exit 3 "$BENCH" net --test TCP_RR --host no.such.host
expect_exit 3 "$BENCH" net --test TCP_RR --host 127.0.0.1 --port 1
expect_error "connecting to 127.0.0.1 port 1"; expect_one_line_error
expect_nothing_left "loopback tests"

# A server of its own, and a stranger who talks nonsense to it.
"$BENCH" net-server --port 0 > "$work/server" 2> "$work/said" & server=$!
for _ in $(seq 100); do grep -q port "$work/server" && break; sleep 0.02; done
port=$(awk '{ print $4 }' "$work/server")
exec 9<> "/dev/tcp/127.0.0.1/$port"
echo "GET / HTTP/1.0" >&9
read -r answer <&9
[ "${answer#error }" != "$answer" ] || fail "the server answered '$answer'"
exec 9<&-
expect_exit 0 "$BENCH" net --test TCP_RR --host 127.0.0.1 --port "$port" --clients 3 --seconds 0.2
rows 3 '^[0-9]+ +[0-9]+ +1 +1 '
expect_exit 3 "$BENCH" net-server --port "$port"
expect_error "Address already in use"
end_with TERM $server "net-server"

# Killed clients leave nobody.
for signal in TERM INT KILL; do
  setsid "$BENCH" net --test TCP_STREAM --clients 3 --seconds 60 > /dev/null 2> "$work/said" & driver=$!
  for _ in $(seq 200); do [ "$(survivors | wc -l)" -ge 8 ] && break; sleep 0.02; done
  end_with $signal $driver "net"
done
