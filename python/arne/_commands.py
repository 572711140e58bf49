# SPDX-License-Identifier: MIT
"""The commands of the program as functions: arne.simulate(scenario), arne.feasible(robot, motion, policy="scale"), ...

They run the program that is in the package, in a folder of their own. Robots are models, files, names or dicts; logs and motions
are files, runs or dicts of arrays; options have the names of the command line, with _ for -. What the program prints as JSON comes
back as named tuples and arrays, what it writes as a table as a Run, what it refuses as arne.Error in its words."""
import collections
import csv
import inspect
import json
import keyword
import os
import pathlib
import re
import subprocess
import tempfile
import warnings

import numpy as np

from ._model import Error, Model, Warning
from ._run import Page, Run

_here = pathlib.Path(__file__).resolve().parent
_program = str(_here / "bin" / "arne")
_table = {c["name"]: c for c in json.loads((_here / "commands.json").read_text())}


class _Folder:
    """Files that a call needs while it runs, and the words that name them."""

    def __init__(self, folder):
        self.folder, self.count, self.names = folder, 0, {}

    def file(self, name, ending):
        self.count += 1
        path = os.path.join(self.folder, f"{self.count}{ending}")
        self.names[path] = name
        return path

    def text(self, name, ending, text):
        path = self.file(name, ending)
        with open(path, "w") as file:
            file.write(text)
        return path

    def table(self, name, columns):
        """A dict of arrays as CSV: q (N, n) becomes q1 ... qn."""
        names, data = [], []
        for key, value in columns.items():
            value = np.asarray(value)
            if value.ndim not in (1, 2):
                raise ValueError(f"{name}: {key} has shape {value.shape}, wanted (N,) or (N, n)")
            names += [key] if value.ndim == 1 else [f"{key}{i + 1}" for i in range(value.shape[1])]
            data += [value] if value.ndim == 1 else list(value.T)
        if len({len(d) for d in data}) > 1:
            raise ValueError(f"{name}: its columns have {sorted({len(d) for d in data})} rows, wanted as many in each")
        path = self.file(name, ".csv")
        with open(path, "w", newline="") as file:
            out = csv.writer(file)
            out.writerow(names)
            out.writerows(zip(*(d.tolist() for d in data)))
        return path

    def robot(self, name, value):
        """The words of a robot: its file, and options for its settings."""
        if isinstance(value, Model):
            robot, base, mimic, text, changes, more = value._recipe
            words = [robot if text is None else self.text(name, ".yaml", text), f"--base={base}", f"--mimic={mimic}"]
            words += [f"--set={k}={v!r}" for k, v in (more["set"] or {}).items()] + ["--strict"] * bool(more["strict"])
            if more["tool"] is not None:
                *link, x, y, z = more["tool"]
                words.append("--tool=" + "".join(f"{n}=" for n in link) + _numbers((x, y, z)))
            return words + [w for change in _last(changes) for w in _setting(*change)]
        if isinstance(value, dict):
            value = {k: v.path if isinstance(v, Model) and v.path else v for k, v in value.items()}
            return [self.text(name, ".yaml", json.dumps(value, default=_plain))]
        return [os.fspath(value)]

    def said(self, text):
        for path, name in self.names.items():
            text = text.replace(path, name)
        return text


def _plain(value):
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else os.fspath(value)


def _numbers(values):
    return ",".join(repr(float(v)) for v in values)


def _last(changes):
    """Of settings that replace each other the last ones."""
    kept = {(name, value[0]) if name == "payload" else name: (name, value) for name, value in changes}
    return kept.values()


def _setting(name, value):
    if name == "gravity":
        return [f"--gravity={_numbers(value)}"]
    if name == "payload":
        return [f"--payload={value[0]}={_numbers(value[1])}"]
    if name == "rigid":
        return ["--rigid"] if value else []
    if name == "wrenches" and not value:
        return []
    raise Error(f"the program has no option for this setting of the model: {name}")


def _values(option, value, folder):
    """What follows an option, one word for each time it is given."""
    name = option["name"]
    if isinstance(value, Run):
        return [value.path or folder.table(name, value.columns)]
    if isinstance(value, Model):
        return [folder.robot(name, value)[0]]
    if isinstance(value, dict) and re.match("FILE|LOG", option["value"]):
        return [folder.table(name, value)]
    if isinstance(value, dict):
        return [f"{k}={_numbers(np.atleast_1d(v)) if not isinstance(v, str) else v}" for k, v in value.items()]
    if option["repeat"] and isinstance(value, list | tuple):
        return [word for one in value for word in _values({**option, "repeat": False}, one, folder)]
    if isinstance(value, list | tuple) and value and isinstance(value[0], str):
        return [",".join(value)]
    if isinstance(value, list | tuple | np.ndarray):
        return [_numbers(value)]
    return [os.fspath(value) if isinstance(value, os.PathLike) else str(value)]


def _named(name, value):
    """JSON as named tuples and arrays."""
    if isinstance(value, dict):
        fields = {k: _named(k, v) for k, v in value.items()}
        if not all(k.isidentifier() and not keyword.iskeyword(k) and not k.startswith("_") for k in fields):
            return fields
        return collections.namedtuple(name, fields)(**fields)
    if isinstance(value, list) and value and all(isinstance(v, int | float | type(None)) and not isinstance(v, bool) for v in value):
        return np.array([np.nan if v is None else v for v in value], float)
    if isinstance(value, list) and value and all(isinstance(v, list) for v in value):
        rows = [_named(name, v) for v in value]
        if all(isinstance(r, np.ndarray) and r.dtype == float and r.shape == rows[0].shape for r in rows):
            return np.array(rows)
        return rows
    return [_named(name, v) for v in value] if isinstance(value, list) else value


def _fail(said, folder):
    lines = [folder.said(line.removeprefix("arne: ")) for line in said.splitlines()
             if line.startswith("arne: ") and not re.match(r"arne: (warning|note): ", line)]
    message = lines[-1] if lines else folder.said(said.strip()) or "the program ended without a word"
    where = re.match(r"(.+?):(\d+): ", message)
    raise Error(message, where and where[1], int(where[2]) if where else 0)


def _call(command, words, options):
    known = {o["name"].replace("-", "_"): o for o in command["options"]}
    with tempfile.TemporaryDirectory() as place:
        folder = _Folder(place)
        line = [word for value in words for word in (_run_words(value, folder) if command["word"] == "RUN" else
                                                     folder.robot(command["word"].lower(), value))]
        for name, value in options.items():
            name = name.rstrip("_")
            if name not in known:
                raise TypeError(f"{command['name']} has no option {name} (see: help(arne.{command['name']}))")
            option = known[name]
            if value is None or value is False:
                continue
            if option["value"] is None:
                line.append("--" + option["name"])
            else:
                line += [f"--{option['name']}={v}" for v in _values(option, value, folder)]
        as_json = "format" in known and "json" in known["format"]["value"] and "format" not in options
        out, table = options.get("out"), "out" in known and "CSV" in known["out"]["help"]
        page, robot = command["name"] == "report", "out" in known and "robot file" in known["out"]["help"]
        if out is None and (table or page or robot):
            out = folder.file("out", ".html" if page else ".yaml" if robot else ".csv")
            line.append(f"--out={out}")
        r = subprocess.run([_program, command["name"], *line, *(["--format=json"] if as_json else [])], capture_output=True,
                           text=True, errors="replace", stdin=subprocess.DEVNULL)
        for said in re.findall(r"^arne: warning: (.*)$", r.stderr, re.M):
            warnings.warn(folder.said(said), Warning, stacklevel=3)
        if r.returncode not in (0, 3):
            _fail(r.stderr, folder)
        answer = [_named(command["name"], json.loads(row)) for row in r.stdout.splitlines() if row.strip()] if as_json else r.stdout
        if as_json:
            answer = answer[0] if len(answer) == 1 else answer
        if robot and as_json:  # what was identified, as a model
            text = pathlib.Path(out).read_text()
            return collections.namedtuple(command["name"], [*answer._fields, "model"])(*answer, Model.from_yaml(text))
        if page:
            return Page(pathlib.Path(out).read_text(), options.get("out"))
        if table and os.path.exists(out):
            return Run.read(out, answer, options.get("out"), words[0] if words else None)
        return answer


def _run_words(run, folder):
    if isinstance(run, Run):
        return [run.save(folder.file(run.name, ".csv"))]
    return [folder.table("run", run)] if isinstance(run, dict) else [os.fspath(run)]


def _word(name):
    """An option's name in Python."""
    name = name.replace("-", "_")
    return name + "_" * keyword.iskeyword(name)


def _second(command):
    """The option that the second argument is."""
    names = [o["name"] for o in command["options"]]
    return next((n for n in ("in", "path") if n in names), None)


def _make(command):
    second = _second(command)

    def function(*words, **options):
        if command["word"] != "RUN" and second and len(words) == 2:
            if second in options or second + "_" in options:
                raise TypeError(f"{command['name']}: {second} is given twice")
            words, options = words[:1], {second: words[1], **options}
        if not command["min_words"] <= len(words) <= (command["max_words"] if command["max_words"] >= 0 else len(words)):
            raise TypeError(f"{command['name']} takes: {command['synopsis']}; {len(words)} arguments are given")
        return _call(command, words, options)

    kinds = inspect.Parameter
    first = ([kinds(command["word"].lower() + "s", kinds.VAR_POSITIONAL)] if command["word"] == "RUN" else
             [kinds(command["word"].lower(), kinds.POSITIONAL_ONLY)] if command["max_words"] else [])
    more = [kinds(_word(second), kinds.POSITIONAL_ONLY, default=None)] if second and first else []
    rest = [kinds(_word(o["name"]), kinds.KEYWORD_ONLY, default=None) for o in command["options"]
            if o["name"] not in (second, "quiet", "verbose", "format")]
    function.__signature__ = inspect.Signature(first + more + rest)
    function.__name__ = function.__qualname__ = command["name"]
    function.__module__ = "arne"
    lines = [f"{command['brief']}.", "", f"As `arne {command['name']} {command['synopsis']}`; options:", ""]
    lines += [f"{_word(o['name'])}{': ' + o['value'] if o['value'] else ''}: {o['help']}" for o in command["options"]
              if o["name"] not in ("quiet", "verbose", "format")]
    function.__doc__ = "\n".join(lines) + "\n"
    return function


functions = {name: _make(c) for name, c in _table.items() if name not in ("help", "robots", "eval")}
