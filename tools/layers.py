#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Who may include whom. A folder of src/ includes only folders to its left; the build fails on an arrow to the right.

    base < describe < file                       robot files to descriptions
    base < num < space, describe < model < algo < kind       descriptions to numbers
    base < num < graph < kind                                expression graphs
    ... kind < identify                                      base parameters
    ... kind < plan                                          feasible motions
    ... kind < trajectory, elastic, control, observe         the things that tick
    base < log                                               logs, motions, files of runs
    base < report                                            pages about runs, pictures
    public headers < compare                                 all formulations side by side
    public headers < simulate < scenario                     runs of robot, controller, observer; their files
    cli                                          the door: public headers, and the words of base

Public headers (include/arne) include public headers only."""
import pathlib
import re
import sys

MAY = {
    "base": [],
    "describe": ["base"],
    "file": ["base", "describe"],
    "num": ["base"],
    "graph": ["base", "num"],
    "space": ["base", "num"],
    "model": ["base", "num", "space", "describe"],
    "algo": ["base", "num", "space", "model"],
    "kind": ["base", "num", "graph", "space", "describe", "model", "algo"],
    "codegen": ["base", "num", "graph", "kind"],
    "identify": ["base", "num", "space", "describe", "model", "algo", "kind"],
    "plan": ["base", "num", "space", "describe", "model", "algo", "kind"],
    "trajectory": ["base"],
    "elastic": ["base", "num", "space", "describe", "model", "algo", "kind"],
    "control": ["base", "num", "space", "describe", "model", "algo", "kind", "plan"],
    "observe": ["base", "num", "space", "describe", "model", "algo", "kind"],
    "log": ["base"],
    "compare": ["base"],
    "report": ["base"],
    "simulate": ["base"],
    "scenario": ["base", "file", "simulate"],
    "cli": ["base"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')

top = pathlib.Path(__file__).resolve().parent.parent
bad = 0
for path in sorted((top / "src").rglob("*.[ch]")) + sorted((top / "src").rglob("*.inc")) + sorted((top / "include").rglob("*.h")):
    public = "include" in path.relative_to(top).parts
    folder = "arne" if public else path.relative_to(top / "src").parts[0]
    if not public and folder not in MAY:
        print(f"{path.relative_to(top)}: folder src/{folder} is not in tools/layers.py")
        bad += 1
        continue
    for number, line in enumerate(path.read_text().splitlines(), 1):
        m = INCLUDE.match(line)
        if not m:
            continue
        parts = m.group(1).split("/")
        target = parts[0] if len(parts) > 1 else folder
        if target == "arne" or target == folder or (not public and target in MAY[folder]):
            continue
        print(f"{path.relative_to(top)}:{number}: {folder} may not include {m.group(1)}")
        bad += 1
sys.exit(1 if bad else 0)
