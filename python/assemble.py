# SPDX-License-Identifier: MIT
"""Puts the package together: assemble.py PACKAGE PROGRAM. Beside the extension that is there already go the Python files, the
program, the shipped robots and scenarios, and type stubs made from the table of what can be computed. Needs no numpy."""
import importlib.machinery
import importlib.util
import json
import keyword
import pathlib
import shutil
import subprocess
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


kept = {put(f, package / f.name) for f in (top / "python" / "arne").glob("*.py")}
kept.add(put(program, package / "bin" / "arne"))
kept |= {put(f, package / "share" / "arne" / "robots" / f.name) for f in (top / "robots").glob("*.yaml")}
kept |= {put(f, package / "share" / "arne" / "scenarios" / f.name) for f in (top / "examples" / "scenarios").glob("*.yaml")}
(package / "py.typed").touch()
commands = subprocess.run([program, "help", "--table"], check=True, stdout=subprocess.PIPE).stdout
(package / "commands.json").write_bytes(commands)
for old in package.rglob("*"):  # files that the tree has no longer
    if old.suffix in (".py", ".yaml") and old not in kept:
        old.unlink()

# ---- type stubs: of the extension from its own table, of the functions from the program's


def extension():
    """arne._arne alone, without the package, which needs numpy."""
    loader = importlib.machinery.ExtensionFileLoader("_arne", str(package / "_arne.abi3.so"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("_arne", loader))
    loader.exec_module(module)
    return module


OPTIONS = {"link": "str | int | None = None", "frame": 'Literal["local", "world", "aligned"] = "aligned"',
           "factor": 'Literal["star0001", "star1110", "christoffel"] = "christoffel"', "star": 'Literal["0001", "1110"] = "0001"',
           "method": "str | None = None", "order": 'Literal["symoro", "khalil", "pinocchio"] = "symoro"',
           "friction_columns": "bool = False", "dt": "float", "policy": 'Literal["keep", "resolve"] = "keep"'}
HEAD = "# made by python/assemble.py from the tables of arne\nfrom typing import Any, Literal, NamedTuple\n"
tuples, methods = [], []
for row in extension().table():
    several = len(row["parts"]) > 1
    if several:
        tuples += [f"class _{row['name']}(NamedTuple):", *(f"    {p[0]}: {'Array' if p[1] else 'Any'}" for p in row["parts"]), ""]
    given = [f"{name}: ArrayLike" for name in row["inputs"]] + ["*"] + [f"{o}: {OPTIONS[o]}" for o in row["options"]]
    result = f"_{row['name']}" if several else "Array"
    given += [f"out: {'tuple[Array, ...]' if several else 'Array'} | None = None", "threads: int = 1"]
    methods.append(f"    def {row['name']}(self, {', '.join(given)}) -> {result}: ...")
(package / "_arne.pyi").write_text("\n".join(
    [HEAD + "import numpy as np\nfrom numpy.typing import ArrayLike, NDArray\n\nArray = NDArray[np.floating[Any]]\n", *tuples,
     "class Model:", "    nq: int", "    nv: int", *methods, "", "version: str", "def table() -> list[dict[str, Any]]: ...",
     "def robots() -> dict[str, str]: ...", ""]))


def word(name):
    name = name.replace("-", "_")
    return name + "_" * keyword.iskeyword(name)


functions = []
for command in json.loads(commands):
    if command["name"] in ("help", "robots", "eval"):
        continue
    names = [o["name"] for o in command["options"] if o["name"] not in ("quiet", "verbose", "format")]
    second = next((n for n in ("in", "path") if n in names), None)
    first = ["*runs: Any"] if command["word"] == "RUN" else [f"{command['word'].lower()}: Any"] if command["max_words"] else []
    if second:
        first.append(f"{word(second)}: Any = None")
    first += (["/"] if first and command["word"] != "RUN" else []) + (["*"] if command["word"] != "RUN" else [])
    given = first + [f"{word(n)}: Any = None" for n in names if n != second]
    functions.append(f"def {command['name']}({', '.join(given)}) -> Any: ...")
(package / "__init__.pyi").write_text("\n".join(
    [HEAD, "from ._model import Error as Error, Limits as Limits, Model as Model, Rollout as Rollout, Warning as Warning",
     "from ._model import load as load, robots as robots, table as table", "from ._run import Page as Page, Run as Run",
     "", "__version__: str", *functions, ""]))
