# SPDX-License-Identifier: MIT
"""What the pages of the papers share: calls of arne, values printed, corrected and ours, figures, HTML.

A value that must agree and does not is a failure of the build; one that cannot be reproduced says why."""
import csv
import html
import io
import json
import os
import pathlib
import re
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


def report(text):
    """The page of `arne report` about a table: pictures and style of the papers are those of runs."""
    with tempfile.TemporaryDirectory() as folder:
        run = pathlib.Path(folder, "run.csv")
        run.write_text(text)
        arne("report", str(run), "--out", f"{folder}/page.html", "--quiet")
        return pathlib.Path(folder, "page.html").read_text()


def style():
    return re.search(r"<style>\n(.*?)</style>", report("t,q1\n0,0\n1,1\n"), re.S).group(1)


def charts(text):
    """{title: figure} of a table with columns t, q1 ..., tau1 ..."""
    found = re.findall(r'<figure class="chart">.*?</figure>', report(text), re.S)
    return {re.search(r"<figcaption>([^<]*)", f).group(1): f for f in found}


ERRATA = {"000": "### 1.1 ", "001": "### 2.1 ", "002": "### 3.1 ", "003": "## 1. Document 003", "004": "## 4. Document 004"}


def misprints(number):
    """[where, printed, right] of the table in doc/errata.md."""
    text = (HERE.parent / "doc" / "errata.md").read_text()
    lines = text[text.index("\n" + ERRATA[number]):].split("\n")
    start = next(i for i, line in enumerate(lines) if line.startswith("| where | printed | right |"))
    rows = []
    for line in lines[start + 2:]:
        if not line.startswith("|"):
            return rows
        rows.append([re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", cell.strip()).replace("`", "") for cell in line.split("|")[1:4]])


class Value:
    """What the document prints, what is right where that is not (or where it prints nothing), what arne says; agrees: of ours with
    what is right. `plain` is a cell without claims."""

    def __init__(self, printed=None, ours=None, agrees=None, corrected=None, cannot="", plain=None):
        self.printed, self.ours, self.agrees, self.corrected, self.cannot, self.plain = printed, ours, agrees, corrected, cannot, plain

    def kind(self):
        if self.plain is not None:
            return "plain"
        if self.cannot:
            return "cannot"
        if not self.agrees:
            return "differs"
        return "misprint" if self.corrected is not None and self.printed is not None else "agrees"

    def show_printed(self):
        if self.printed is None:
            return '<span class="quiet">not printed</span>'
        text = html.escape(str(self.printed))
        return f"<s>{text}</s>" if self.kind() == "misprint" else text

    def cell(self):
        if self.plain is not None:
            words = str(self.plain)
            return f'<td{" class=text" if len(words) > 40 else ""}>{html.escape(words)}</td>'
        parts = [] if self.printed is None else [f'<span class="printed">{self.show_printed()}</span>']
        if self.corrected is not None:
            parts.append(f'<span class="corrected">{html.escape(str(self.corrected))}</span>')
        parts.append(f'<span class="ours">{html.escape(str(self.ours))}</span>')
        return f'<td class="{self.kind()}">{"".join(parts)}</td>'


class Page:
    """One document: its tables and figures."""

    def __init__(self, number, title):
        self.number, self.title, self.parts, self.failures, self.cannot = number, title, [], [], []
        self.kinds = {"agrees": {}, "misprint": {}, "cannot": {}, "differs": {}, "plain": {}}
        self.rows, self.commands = [], []
        self.errata = misprints(number) if number in ERRATA else []

    @property
    def count(self):
        return sum(n for kind, places in self.kinds.items() if kind != "plain" for n in places.values())

    def of(self, kind):
        return sum(self.kinds[kind].values())

    def note(self, place, what, value):
        kind = value.kind()
        self.kinds[kind][place] = self.kinds[kind].get(place, 0) + 1
        if kind == "differs":
            self.failures.append(f"{self.number} {place}, {what}: printed {value.printed}, ours {value.ours}")
        if kind == "cannot":
            self.cannot.append((place, what, value.cannot))

    def section(self, heading, words=""):
        self.flush()
        self.parts.append(f"<h3>{html.escape(heading)}</h3>" + (f"<p>{html.escape(words)}</p>" if words else ""))

    def words(self, text):
        self.flush()
        self.parts.append(f"<p>{html.escape(text)}</p>")

    def row(self, place, what, printed, ours, difference="", agrees=None, why="", command="", corrected=None, cannot=""):
        """agrees: of ours with what is right; cannot: why nothing can be compared. One of the two is needed."""
        value = Value(printed, ours, agrees, corrected, cannot)
        self.note(place, what, value)
        self.rows.append((place, what, value, difference, why or cannot, command))

    def grid(self, place, columns, rows, command="", legend=""):
        """A table as the document has it, ours in each cell beside what it prints; rows: [label, [Value ...]]."""
        self.flush()
        lines = []
        for label, values in rows:
            for column, value in zip(columns[1:], values):
                self.note(place, f"{label} {column}", value)
            lines.append(f"<tr><th>{html.escape(label)}</th>{''.join(v.cell() for v in values)}</tr>")
        head = "".join(f"<th>{html.escape(c)}</th>" for c in columns)
        self.parts.append(f'<div class="wide"><table class="grid"><tr>{head}</tr>{"".join(lines)}</table></div>')
        self.parts.append(f'<p class="small">{html.escape(legend)}{" " if legend else ""}{self.call(command)}</p>')

    def figure(self, picture, words):
        self.flush()
        self.parts.append(f"{picture}" if not words else f'<figure class="chart paper">{picture}<figcaption>{html.escape(words)}</figcaption></figure>')

    @staticmethod
    def call(command):
        return f"<code>{html.escape(command)}</code>" if command else ""

    def flush(self):
        """The rows that wait become a table; a command that all share stands below it."""
        if not self.rows:
            return
        commands = {r[5] for r in self.rows}
        shared = len(commands) == 1
        lines = []
        for place, what, value, difference, why, command in self.rows:
            lines.append((value.kind(), [html.escape(place), html.escape(what) + ("" if shared else f"<br>{self.call(command)}"), value.show_printed(),
                                         html.escape(str(value.corrected or "")), html.escape(str(value.ours)), html.escape(difference),
                                         f'<span class="mark">{WORDS[value.kind()]}</span>', html.escape(why)]))
        names = ["place", "what", "printed", "right", "arne", "difference", "", "why"]
        used = [k for k in range(len(names)) if any(cells[k] for _, cells in lines)]
        head = "".join(f"<th>{names[k]}</th>" for k in used)
        body = "".join(f'<tr class="{kind}">' + "".join(f"<td>{cells[k]}</td>" for k in used) + "</tr>" for kind, cells in lines)
        self.rows = []
        self.parts.append(f'<div class="wide"><table class="rows"><tr>{head}</tr>{body}</table></div>')
        if shared and commands != {""}:
            self.parts.append(f'<p class="small">{self.call(commands.pop())}</p>')

    def places(self, kind):
        return ", ".join(f"{place} ({n})" if n > 1 else place for place, n in self.kinds[kind].items())

    def opening(self):
        """What a reader wants first: what was misprinted, what cannot be reproduced, what agrees."""
        out = [f'<h2>{html.escape(self.number)} {html.escape(self.title)}</h2>']
        if self.errata:
            rows = "".join(f'<tr><td>{html.escape(w)}</td><td class="wrong">{html.escape(p)}</td><td>{html.escape(r)}</td></tr>' for w, p, r in self.errata)
            out.append(f'<h3>Misprinted: {len(self.errata)} places</h3><details open><summary>{html.escape("; ".join(e[0] for e in self.errata))}</summary>'
                       f'<div class="wide"><table class="rows"><tr><th>where</th><th>printed</th><th>right</th></tr>{rows}</table></div></details>'
                       '<p class="small">From doc/errata.md, which also says how each is verified.</p>')
        if self.of("misprint"):
            out.append(f'<p>Numbers and labels below that are printed wrong: {html.escape(self.places("misprint"))}.</p>')
        if self.cannot:
            lines = "".join(f"<li><b>{html.escape(p)}</b>, {html.escape(w)}: {html.escape(y)}.</li>" for p, w, y in self.cannot)
            out.append(f"<h3>Cannot be reproduced</h3><ul>{lines}</ul>")
        if self.of("agrees"):
            out.append(f'<h3>Agrees: {self.of("agrees")} values</h3><p>{html.escape(self.places("agrees"))}.</p>')
        return "".join(out)

    def html(self):
        self.flush()
        return f'<section id="s{self.number}">{self.opening()}{"".join(self.parts)}</section>'


WORDS = {"agrees": "agrees", "misprint": "misprint", "cannot": "cannot be reproduced", "differs": "DIFFERS", "plain": ""}
