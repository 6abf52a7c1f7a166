#!/usr/bin/env bash
# Completion in bash, and where `cmake --install` puts it and the manual.
. "$(dirname "$0")/common.sh"

kilter completion bash >kilter.bash
. ./kilter.bash
# completes WORD..: what is offered for the last one
completes() {
  COMP_WORDS=(kilter "$@")
  COMP_CWORD=$(($# > 0 ? $# : 1))
  COMPREPLY=()
  _kilter
  offered=" ${COMPREPLY[*]} "
}
completes comp
[ "$offered" = " compare completion " ]
completes compare -
for word in --format -v --verbose -q --home -h; do expect_in " $word " "$offered"; done
completes compare --format ''
[ "$offered" = " text json html md " ]
completes ncompare --style = l
[ "$offered" = " lkp " ]
completes run jobs/will
[ "$offered" = " jobs/will-it-scale.yaml " ]
completes completion z
[ "$offered" = " zsh " ]
touch a-file
completes result a-f
[ "$offered" = " a-file " ]

for shell in zsh fish; do
  kilter completion $shell >"kilter.$shell"
  expect_in "jobs/hackbench.yaml" "$(cat "kilter.$shell")"
  expect_in "verbose" "$(cat "kilter.$shell")"
  ! command -v $shell >/dev/null || $shell -n "kilter.$shell"
done

if [ -e "$bin/../share/kilter.1" ]; then
  DESTDIR='' cmake --install "$bin/.." --prefix "$scratch/prefix" --component texts >/dev/null
  for file in man/man1/kilter.1 bash-completion/completions/kilter zsh/site-functions/_kilter \
    fish/vendor_completions.d/kilter.fish; do
    [ -s "prefix/share/$file" ]
  done
fi
