#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every citation in the texts names a document of doc/references.md: [003 eq. 9.88], [ERRATA part two 2.1]; every text cites one."""
import pathlib
import re
import sys

top = pathlib.Path(__file__).resolve().parent.parent
known = set(re.findall(r"^\| `([^`]+)` \|", (top / "doc/references.md").read_text(), re.M))
cite = re.compile(r"\[(00\d|ERRATA)\b[^\]]*\]")
bad = 0
for path in sorted((top / "src").rglob("*.[ch]")) + sorted((top / "src").rglob("*.inc")) + sorted((top / "include").rglob("*.h")):
    text = path.read_text()
    for m in cite.finditer(text):
        if m.group(1) not in known:
            print(f"{path.relative_to(top)}:{text[: m.start()].count(chr(10)) + 1}: {m.group(0)} is not in doc/references.md")
            bad += 1
    if path.parent.name == "algo" and path.suffix == ".c" and path.name not in ("work.c", "forms_work.c") and path.name != "wrench.c" and not cite.search(text):
        print(f"{path.relative_to(top)}: an algorithm without a citation")
        bad += 1
sys.exit(1 if bad else 0)
