#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every table and figure of the five documents, beside ours: papers/build.py OUT.html

Each folder 000 ... 004 has a page.py with a function page(). Exit status 1 when a number that must agree does not."""
import importlib.util
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
from paper import Failure  # noqa: E402

STYLE = """
body { font: 16px/1.45 sans-serif; color: #1d2733; background: #fff; max-width: 75rem; margin: 0 auto; padding: 1rem; }
table { border-collapse: collapse; font-size: .85rem; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .5rem; border-bottom: 1px solid #d8dee6; }
.wide { overflow-x: auto; }
tr.agrees td:nth-child(6) { color: #1a7a34; } tr.explained td:nth-child(6) { color: #8a5a00; }
tr.differs td { background: #fbdcdc; }
code { font-size: .8rem; } figure { margin: 1rem 0; } svg { max-width: 100%; height: auto; }
@media print { .wide { overflow: visible; } section { break-before: page; } }
"""


def load(folder):
    spec = importlib.util.spec_from_file_location("page_" + folder.name, folder / "page.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.page()


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: papers/build.py OUT.html [000 ...]")
    wanted = sys.argv[2:] or sorted(f.name for f in HERE.iterdir() if (f / "page.py").is_file())
    pages = []
    for name in wanted:
        start = time.monotonic()
        try:
            pages.append(load(HERE / name))
        except Failure as problem:
            sys.exit(f"papers: {name}: {problem}")
        print(f"{name}  {pages[-1].count:4d} values, {len(pages[-1].failures)} unexplained differences, {time.monotonic() - start:.1f} s")
    body = "".join(p.html() for p in pages)
    links = " · ".join(f'<a href="#s{p.number}">{p.number}</a>' for p in pages)
    words = ("What the five documents print, what arne computes, and why where the two differ. "
             "Every row names the command that gives our number.")
    out = pathlib.Path(sys.argv[1])
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
                   f"<title>arne: the papers</title><style>{STYLE}</style></head><body><h1>The papers, recomputed</h1>"
                   f"<p>{words}</p><p>{links}</p>{body}</body></html>\n")
    bad = [f for p in pages for f in p.failures]
    for line in bad:
        print("differs:", line, file=sys.stderr)
    print(f"{out}: {sum(p.count for p in pages)} values")
    sys.exit(1 if bad else 0)


main()
