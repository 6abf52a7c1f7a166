#!/usr/bin/env python3
"""Fails when a source includes a room that src/CMakeLists.txt does not allow it, or when two rooms depend on each other."""
import pathlib
import re
import sys

src = pathlib.Path(sys.argv[1])
declared = re.findall(r"^room\((\w+)([^)]*)\)", (src / "CMakeLists.txt").read_text(), re.M)
allowed = {}
for name, rest in declared:
    deps = re.search(r"DEPS ([\w\s]*?)(?:LIBS|$)", rest)
    allowed[name] = set(deps.group(1).split()) if deps else set()

errors = []
for room, deps in allowed.items():
    for dep in deps:
        if room in allowed.get(dep, set()):
            errors.append(f"rooms {room} and {dep} depend on each other")
    for path in sorted((src / room).rglob("*.[hc]*")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            include = re.match(r'\s*#include "(\w+)/', line)
            if include and include.group(1) in allowed and include.group(1) not in deps | {room}:
                errors.append(f"{path}:{number}: room '{room}' may not include '{include.group(1)}'")
            if re.search(r"(?<![\w>])::(fork|open|socket)\(|\bclock_gettime\(", line) and room not in ("os", "bench"):
                errors.append(f"{path}:{number}: only os may call the system ({line.strip()})")
print("\n".join(errors) or f"{len(allowed)} rooms, no forbidden include")
sys.exit(bool(errors))
