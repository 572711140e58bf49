#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""functions.py TEXTS.DEF WORDS.DEF FOLDER   writes FOLDER/arne_NAME.m for every row of texts.def that users may ask for: its help,
with formula and units from words.def, and one call of arne_mex. A new row needs no line here."""
import pathlib
import re
import sys

INPUTS = {
    "q": ("nq", "positions", "rad or m; quaternions qx qy qz qw"),
    "qd": ("nv", "velocities", "rad/s or m/s"),
    "qdd": ("nv", "accelerations", "rad/s^2 or m/s^2"),
    "tau": ("nv", "torques", "Nm or N"),
    "qa": ("nv", "auxiliary velocities", "rad/s or m/s"),
}
AXES = {"ONE": "1", "JOINTS": "nv", "LINKS": "bodies", "XYZ": "3", "TWIST": "6", "WRENCH": "6", "PARAMETERS": "11 bodies",
        "PAIRS": "nv x nv", "LOAD": "10"}
OPTIONS = {
    "LINKED": "'link', NAME      of m.links, or its place there; else the tip",
    "FRAMED": "'frame', NAME     axes: local, world or aligned (world axes at the link); else aligned",
    "FACTORED": "'factor', NAME    star0001, star1110 or christoffel; else {factor}",
}
ROW = re.compile(r'^TEXT\((\w+), \w+, \(([^)]*)\), [^"]*"(\w+)", ([\w |]+),\s*((?:"[^"]*"\s*)+),\s*(\{.*?\})\)$', re.M | re.S)

WORDS = re.compile(r'^WORDS\((\w+), "([^"]*)",\s*"([^"]*)"', re.M)


def rows(text):
    body = text[text.index("clang-format off") :]
    for name, arguments, letter, flags, about, parts in ROW.findall(body):
        inputs = [a for a in re.split(r",\s*", arguments) if a in INPUTS]
        parts = [(n.strip('"'), *axes) for n, *axes in (re.split(r",\s*", p) for p in re.findall(r"\{([^}]*)\}", parts))]
        yield name, inputs, letter, flags, "".join(re.findall(r'"([^"]*)"', about)), parts


def size(axes):
    words = [AXES.get(a, a.lower()) for a in axes]
    while len(words) > 1 and words[-1] == "1":
        words.pop()
    return " x ".join(words + ["N"])


def page(name, inputs, letter, flags, about, parts, formula="", unit=""):
    one = parts[0][0] == "NULL"
    out = letter if one else "r"
    lines = [f"ARNE_{name.upper()}  {about}", "", f"  {out} = arne_{name} (m, {', '.join(inputs)})", ""]
    if formula:
        lines += [f"  {formula}", ""]
    table = [(i, INPUTS[i][0] + " x N", f"{INPUTS[i][1]}, {INPUTS[i][2]}") for i in inputs]
    table += [(out if one else f"{out}.{p[0]}", size(p[1:]), unit if one else "") for p in parts]
    wide = [max(len(row[k]) for row in table) for k in (0, 1)]
    lines += [f"  {a:{wide[0]}}  {b:{wide[1]}}  {c}".rstrip() for a, b, c in table]
    if unit and not one:
        lines += ["", f"  {out}: {unit}"]
    lines += ["", "Columns are states. What is left out, or [], is zero; a position is then neutral."]
    options = [words for flag, words in OPTIONS.items() if flag in flags]
    if options:
        lines += ["Options, after the inputs:"] + ["  " + o.format(factor="star0001" if name == "star" else "christoffel") for o in options]
    zeros = {"q": "[0.3; -0.5]", "qd": "[1; 2]", "qdd": "[0; 0]", "tau": "[10; 0]", "qa": "[1; 2]"}
    example = f"arne_{name} (m, {', '.join(zeros[i] for i in inputs)})"
    lines += ["", "Example:", "  m = arne_load ('planar2r');", f"  {example}", "", "See also: arne_load, arne_with, arne_functions"]
    body = "\n".join(("% " + line).rstrip() for line in lines)
    return (f"function {out} = arne_{name} (m, varargin)\n{body}\n\n% SPDX-License-Identifier: MIT, made from texts.def\n"
            f"  {out} = arne_mex ('{name}', '{' '.join(inputs)}', m, varargin{{:}});\nend\n")


def main():
    text, words, folder = (pathlib.Path(a) for a in sys.argv[1:4])
    text = text.read_text()
    told = {name: more for name, *more in WORDS.findall(words.read_text())}
    table = list(rows(text))
    if len(table) != len(re.findall(r"^TEXT\(", text, re.M)):
        sys.exit(f"{sys.argv[1]}: a row that octave/functions.py cannot read")
    shown = [row for row in table if "HIDDEN" not in row[3]]
    for row in shown:
        (folder / f"arne_{row[0]}.m").write_text(page(*row, *told.get(row[0], ())))
    listed = "\n".join(f"%   arne_{name:16} {about}" for name, _, _, _, about, _ in shown)
    (folder / "arne_functions.m").write_text(
        f"function arne_functions ()\n% ARNE_FUNCTIONS  what arne computes, a function each; help arne_id tells its arguments\n%\n{listed}\n%\n"
        "% See also: arne_load, arne_with, arne_robots, arne_neutral, arne_integrate, arne_difference, arne_free, arne_demo\n\n"
        "% SPDX-License-Identifier: MIT, made from texts.def\n  help arne_functions\nend\n")
    index = "arne >> Dynamics of robots\nRobots\n arne_load arne_with arne_robots arne_free arne_neutral arne_integrate arne_difference\n"
    index += "Quantities\n" + "".join(f" arne_{row[0]}\n" for row in shown) + "Help\n arne_functions arne_demo\n"
    (folder / "INDEX").write_text(index)


main()
