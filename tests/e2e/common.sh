# shellcheck shell=bash disable=SC2034
# Sourced by every scenario: `. "$(dirname "$0")/common.sh"` with the binaries' directory as $1.
set -eEuo pipefail
bin=$(cd "${1:?usage: $0 DIRECTORY_OF_THE_BINARIES}" && pwd)
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
self=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
scratch=$(mktemp -d "${TMPDIR:-/tmp}/kilter-e2e.XXXXXX")
export KILTER_HOME=$scratch/home NO_COLOR=1 LC_ALL=C
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=Test GIT_AUTHOR_EMAIL=test@example.org
export GIT_COMMITTER_NAME=Test GIT_COMMITTER_EMAIL=test@example.org
export tests
PATH=$bin:$PATH
cd "$scratch"

on_failure() {
  echo "FAILED at line $1: $2" >&2
  echo "kept: $scratch; again: $self $bin" >&2
  trap - EXIT
}
trap 'on_failure $LINENO "$BASH_COMMAND"' ERR
trap 'rm -rf "$scratch"' EXIT

# expect_exit CODE COMMAND..: runs it, keeps stdout in $out and stderr in $err.
expect_exit() {
  local want=$1 got=0
  shift
  "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || got=$?
  out=$(cat "$scratch/out") err=$(cat "$scratch/err")
  if [ "$got" -ne "$want" ]; then
    printf 'expected exit %s, got %s: %s\n%s\n%s\n' "$want" "$got" "$*" "$out" "$err" >&2
    return 1
  fi
}
# expect_in TEXT HAYSTACK, expect_not_in TEXT HAYSTACK
expect_in() {
  case $2 in *"$1"*) ;; *) printf "expected to find '%s' in:\n%s\n" "$1" "$2" >&2; return 1 ;; esac
}
expect_not_in() {
  case $2 in *"$1"*) printf "did not expect '%s' in:\n%s\n" "$1" "$2" >&2; return 1 ;; esac
}
expect_file() { [ -e "$1" ] || { echo "missing file $1" >&2; return 1; }; }
skip() { echo "skipped: $*"; exit 77; }
