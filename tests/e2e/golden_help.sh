#!/usr/bin/env bash
# Every help text as it is read: tests/golden/cli/help. KILTER_UPDATE_GOLDEN=1 writes them anew, git diff reviews.
. "$(dirname "$0")/common.sh"
golden=$tests/golden/cli/help
mkdir -p now
kilter --help >now/kilter.txt
verbs=$(sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p' now/kilter.txt)
[ "$(printf '%s\n' "$verbs" | wc -l)" -gt 10 ]
for verb in $verbs; do
  kilter "$verb" --help >"now/$verb.txt"
done
if [ -n "${KILTER_UPDATE_GOLDEN:-}" ]; then
  rm -rf "$golden"
  mkdir -p "$golden"
  cp now/* "$golden"
fi
diff -r "$golden" now
