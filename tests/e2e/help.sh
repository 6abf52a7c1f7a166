#!/usr/bin/env bash
# Every example of every verb's --help uses flags that the verb has.
. "$(dirname "$0")/common.sh"

python3 - <<'P'
import re, shlex, subprocess


def help_of(*words):
    return subprocess.run(["kilter", *words, "--help"], capture_output=True, text=True, check=True).stdout


# Verbs stand at the beginning of a line of the first help, indented.
verbs = [m.group(1) for m in re.finditer(r"^  ([a-z][a-z-]+)(?:, [a-z_-]+)?  +\S", help_of(), re.M)]
assert "run" in verbs and "report" in verbs, verbs
examples = 0
for verb in verbs:
    text = help_of(verb)
    known = set(re.findall(r"(?<![\w-])(--?[A-Za-z][\w-]*)", re.sub(r"^ *kilter .*$", "", text, flags=re.M)))
    for line in re.findall(rf"^ *kilter {verb} (.*)$", text, re.M):
        words = shlex.split(re.split(r"(?:^| )[|>] ", line)[0])
        words = words[: words.index("--")] if "--" in words else words
        flags = [word.split("=")[0] for word in words if re.match(r"--?[A-Za-z]", word)]
        examples += 1
        for flag in flags:
            assert flag in known, f"kilter {verb} has no {flag}: {line}"
assert examples >= 15, examples
P
