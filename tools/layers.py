#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Who may include whom. A folder of src/ includes only folders to its left; the build fails on an arrow to the right.

    base < describe < file                       robot files to descriptions
    base < num < space, describe < model < algo  descriptions to robots, texts on them
    ... algo < kind < dynamics                   doors of the number kinds; public functions on data objects
    base < num < graph, dynamics < symbolic      texts on expression graphs
    graph, symbolic < codegen                    counts and programs from them
    public headers < cuda                        many states on a GPU
    ... dynamics < identify                      base parameters
    identify < estimate                          models from recorded motions
    ... dynamics < plan                          feasible motions
    ... dynamics < rollout                       discrete steps and their derivatives
    plan, public headers < excite                motions that identify
    ... dynamics < elastic, control, observe     the things that tick
    base < trajectory
    base < log; base < report                    logs, motions, files of runs; pages about runs, pictures
    public headers < compare                     all formulations side by side
    public headers < simulate < scenario         runs of robot, controller, observer; their files
    base < module                                libraries that are loaded when they are needed
    public headers, module < sweep               many runs, over threads and machines
    cli                                          the door: public headers, the words of base, module

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
    "kind": ["base", "num", "space", "model", "algo"],
    "dynamics": ["base", "num", "space", "describe", "model", "algo", "kind"],
    "symbolic": ["base", "num", "graph", "space", "model", "algo", "kind", "dynamics"],
    "codegen": ["base", "num", "graph", "algo", "symbolic"],
    "cuda": ["base"],
    "identify": ["base", "num", "space", "describe", "model", "algo", "dynamics"],
    "estimate": ["base", "num", "space", "describe", "model", "identify"],
    "plan": ["base", "num", "space", "describe", "model", "algo", "dynamics"],
    "rollout": ["base", "num", "space", "model", "algo", "kind", "dynamics"],
    "excite": ["base", "model", "plan"],
    "trajectory": ["base"],
    "log": ["base", "module"],
    "compare": ["base"],
    "report": ["base"],
    "elastic": ["base", "num", "space", "describe", "model", "algo", "kind", "dynamics"],
    "control": ["base", "num", "space", "describe", "model", "algo", "dynamics", "plan"],
    "observe": ["base", "num", "space", "describe", "model", "algo", "dynamics"],
    "simulate": ["base"],
    "scenario": ["base", "file", "simulate"],
    "module": ["base"],
    "sweep": ["base", "module"],
    "cli": ["base", "module"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')

top = pathlib.Path(__file__).resolve().parent.parent
bad = 0
SUFFIXES = (".c", ".h", ".hpp", ".inc", ".def")
for path in sorted(p for f in ("src", "include") for p in (top / f).rglob("*") if p.suffix in SUFFIXES):
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
