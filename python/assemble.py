# SPDX-License-Identifier: MIT
"""Puts the package together: assemble.py PACKAGE PROGRAM. Beside the extension that is there already go the Python files, the
program, the shipped robots and scenarios, and type stubs made from the table of what can be computed. Needs no numpy."""
import importlib.machinery
import importlib.util
import pathlib
import shutil
import sys

package, program = map(pathlib.Path, sys.argv[1:])
top = pathlib.Path(__file__).resolve().parent.parent


def put(source, to):
    """Copies a file where it is newer or another one."""
    to.parent.mkdir(parents=True, exist_ok=True)
    if not to.exists() or to.stat().st_mtime_ns != source.stat().st_mtime_ns or to.stat().st_size != source.stat().st_size:
        to.unlink(missing_ok=True)
        shutil.copy2(source, to)
    return to


kept = {put(f, package / f.name) for f in (top / "python" / "arne").glob("*.py*")}
kept.add(put(program, package / "bin" / "arne"))
kept |= {put(f, package / "share" / "arne" / "robots" / f.name) for f in (top / "robots").glob("*.yaml")}
kept |= {put(f, package / "share" / "arne" / "scenarios" / f.name) for f in (top / "examples" / "scenarios").glob("*.yaml")}
(package / "py.typed").touch()
for old in package.rglob("*"):  # files that the tree has no longer
    if old.suffix in (".py", ".yaml") and old not in kept:
        old.unlink()
