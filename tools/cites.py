#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every citation in the texts names a document of doc/references.md: [003 eq. 9.88], [ERRATA part two 2.1]; every text cites one.

A citation of the errata, anywhere in the tree, names a section of doc/errata.md and, where it says so, an item (2.3, item 4), a
paragraph (3.3 c) or a row (4: 10.1) of it. "part one" may be left out."""
import pathlib
import re
import sys

top = pathlib.Path(__file__).resolve().parent.parent
known = set(re.findall(r"^\| `([^`]+)` \|", (top / "doc/references.md").read_text(), re.M))
cite = re.compile(r"\[(00\d|ERRATA)\b[^\]]*\]")
NO_ALGORITHM = ("work.c", "forms_work.c", "frame.c", "wrench.c")
bad = 0


def fault(path, text, at, words):
    global bad
    print(f"{path.relative_to(top)}:{text[:at].count(chr(10)) + 1}: {words}")
    bad += 1


for path in sorted(p for f in ("src", "include") for p in (top / f).rglob("*") if p.suffix in (".c", ".h", ".inc", ".def")):
    text = path.read_text()
    for m in cite.finditer(text):
        if m.group(1) not in known:
            fault(path, text, m.start(), f"{m.group(0)} is not in doc/references.md")
    if path.parent.name == "algo" and path.suffix == ".c" and path.name not in NO_ALGORITHM and not cite.search(text):
        fault(path, text, 0, "an algorithm without a citation")

# (part, section) -> its text; a section holds its subsections
sections, part = {}, "one"
for block in re.split(r"^(?=#)", (top / "doc/errata.md").read_text(), flags=re.M):
    part = "two" if block.startswith("# Part two") else part
    m = re.match(r"##+ (\d+(?:\.\d+)?)\.? ", block)
    if m:
        sections[part, m.group(1)] = block
        if "." in m.group(1):
            sections[part, m.group(1).split(".")[0]] += block

# a space, or the end of a line with the beginning of the next one in a comment
GAP = r"(?:\s|\n[ \t]*[*#]+[ \t])+"
SECTION = r"[1-9]\d*(?:\.\d+)?(?![\d.]*\d)"
ITEMS = rf"items?{GAP}(\d+(?:(?:,|{GAP}and){GAP}\d+)*)"
PARAGRAPHS = rf"([a-z](?:,{GAP}[a-z])*)(?=[]),;])"
ROW = rf"((?:section{GAP})?\d[\d.]*\d?)"
errata = re.compile(rf"ERRATA(?:{GAP}part{GAP}(one|two),?)?{GAP}({SECTION}(?:(?:,|{GAP}and){GAP}{SECTION})*)"
                    rf"(?:,{GAP}{ITEMS}|{GAP}{PARAGRAPHS}|:{GAP}{ROW})?")
for folder in ("src", "include", "tests", "doc", "papers", "robots", "examples", "bench"):
    for path in sorted(p for p in (top / folder).rglob("*") if p.suffix in (".c", ".h", ".inc", ".def", ".py", ".md", ".yaml", ".cpp")):
        text = path.read_text()
        for m in errata.finditer(text):
            words = " ".join(m.group(0).split())
            numbers = re.findall(SECTION, m.group(2))
            for number in numbers:
                if (m.group(1) or "one", number) not in sections:
                    fault(path, text, m.start(), f"{words}: doc/errata.md has no section {number}")
            body = sections.get((m.group(1) or "one", numbers[-1]), "")
            wanted = [rf"{k}\. " for k in re.findall(r"\d+", m.group(3) or "")]
            wanted += [rf"{k}\) " for k in re.findall(r"[a-z]", m.group(4) or "")]
            wanted += [rf"\| (?:[^|]*, )?{re.escape(m.group(5))}[ ,]"] if m.group(5) else []
            for line in wanted:
                if body and not re.search("^" + line, body, re.M):
                    fault(path, text, m.start(), f"{words}: not in section {numbers[-1]} of doc/errata.md")
sys.exit(1 if bad else 0)
