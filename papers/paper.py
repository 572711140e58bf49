# SPDX-License-Identifier: MIT
"""What the pages of the papers share: calls of arne, rows "printed, ours, difference, why", figures, HTML.

A row that must agree and does not is a failure of the build; a row that cannot agree says why."""
import csv
import html
import io
import json
import os
import pathlib
import shlex
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ARNE = os.environ.get("ARNE", str(HERE.parent / "build" / "arne"))


class Failure(Exception):
    pass


def arne(*words, text=None):
    """Standard output of one call; an exit status other than 0 ends the build."""
    done = subprocess.run([ARNE, *words], input=text, capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"arne {shlex.join(words)}: {done.stderr.strip()}")
    return done.stdout


def ask(*words, text=None):
    """The one JSON object that a call prints."""
    return json.loads(arne(*words, "--format", "json", text=text))


def rows_of(*words, text=None):
    """One JSON object per input row."""
    return [json.loads(line) for line in arne(*words, "--format", "json", text=text).splitlines()]


def table(columns, rows):
    """CSV text of named columns."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([[repr(float(x)) for x in row] for row in rows])
    return out.getvalue()


def biggest(values):
    return max((abs(v) for v in values), default=0.0)


def svg(script):
    """A picture by gnuplot; `script` draws to standard output."""
    head = "set terminal svg size 800,380 dynamic font 'sans,13' background '#ffffff'\nset grid\nset key outside right\n"
    with tempfile.NamedTemporaryFile("w", suffix=".gp") as file:
        file.write(head + script)
        file.flush()
        done = subprocess.run(["gnuplot", file.name], capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"gnuplot: {done.stderr.strip()}")
    return done.stdout[done.stdout.index("<svg"):]


def curves(title, ylabel, t, series):
    """Lines over time: series is a list of (name, values)."""
    blocks = "".join("$d%d << EOD\n%s\nEOD\n" % (k, "\n".join("%.6g %.9g" % p for p in zip(t, v))) for k, (_, v) in enumerate(series))
    plots = ", ".join('$d%d using 1:2 with lines lw 2 title "%s"' % (k, name) for k, (name, _) in enumerate(series))
    return svg(f'{blocks}set title "{title}"\nset xlabel "t, s"\nset ylabel "{ylabel}"\nplot {plots}\n')


class Page:
    """One seed: its rows and figures."""

    def __init__(self, number, title):
        self.number, self.title, self.parts, self.failures, self.count = number, title, [], [], 0

    def section(self, heading, words=""):
        self.parts.append(f"<h3>{html.escape(heading)}</h3>" + (f"<p>{html.escape(words)}</p>" if words else ""))
        self.parts.append(None)  # a table follows

    def row(self, place, what, printed, ours, difference="", agrees=None, why="", command=""):
        """agrees: True or False for what must agree; None for what cannot, then `why` must say it."""
        self.count += 1
        if agrees is False or (agrees is None and not why):
            self.failures.append(f"{self.number} {place}, {what}: printed {printed}, ours {ours}")
        mark = {True: "agrees", False: "DIFFERS", None: "explained"}[agrees]
        cells = [place, what, printed, ours, difference, mark, why]
        line = "".join(f"<td>{html.escape(str(c))}</td>" for c in cells)
        line += f"<td><code>{html.escape(command)}</code></td>"
        self.parts.append(f'<tr class="{mark.lower()}">{line}</tr>')

    def figure(self, picture, words):
        self.parts.append(f"<figure>{picture}<figcaption>{html.escape(words)}</figcaption></figure>")

    def html(self):
        head = "<tr><th>place</th><th>what</th><th>printed</th><th>arne</th><th>difference</th><th></th><th>why</th><th>command</th></tr>"
        out, rows = [], []

        def flush():
            if rows:
                out.append(f'<div class="wide"><table>{head}{"".join(rows)}</table></div>')
                rows.clear()

        for part in self.parts:
            if part is None or not part.startswith("<tr"):
                flush()
                out.append(part or "")
            else:
                rows.append(part)
        flush()
        return f'<section id="s{self.number}"><h2>{html.escape(self.number)} {html.escape(self.title)}</h2>{"".join(out)}</section>'
