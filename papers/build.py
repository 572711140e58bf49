#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every table and figure of the five documents, beside ours: papers/build.py OUT.html

Each folder 000 ... 004 has a page.py with a function page(). Exit status 1 when a number that must agree does not."""
import html
import importlib.util
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
from paper import Failure, style  # noqa: E402

STYLE = """
h3 { margin: 1.4rem 0 .3rem; font-size: 1.05rem; } section { border-top: 2px solid var(--edge); margin-top: 2rem; }
table { width: auto; } td, th { font-size: .85rem; } td:not(:last-child), th { white-space: normal; }
.rows td:nth-child(-n+4) { min-width: 6rem; } s, .wrong { color: var(--bad); } code { font-size: .8rem; }
.quiet { color: var(--quiet); } .corrected, .ours { display: block; } .printed { display: block; }
.corrected { color: var(--c4); } td.agrees .ours, td.misprint .ours { color: var(--good); } td.cannot .ours { color: var(--fair); }
.mark { white-space: nowrap; } .agrees .mark { color: var(--good); } .misprint .mark { color: var(--bad); } .cannot .mark { color: var(--fair); }
.differs td, td.differs { background: #fbdcdc; color: #600; }
.grid td, .grid th { border: 1px solid var(--edge); padding: .15rem .4rem; white-space: nowrap; }
.paper { max-width: 60rem; } .paper svg { max-width: 100%; } th, .small { overflow-wrap: normal; }
.grid td.text { white-space: normal; min-width: 18rem; }
@media print { section { break-before: page; } .grid td, .grid th, .grid td.text { white-space: normal; min-width: 0; font-size: .6rem; padding: .1rem .2rem; } }
"""
LEGEND = ('In the grids: <span>as printed</span>, <s>printed and wrong</s>, <span style="color:var(--c4)">right, by independent computation</span>, '
          '<span style="color:var(--good)">ours, which agrees</span>, <span style="color:var(--fair)">ours, where nothing can be compared</span>.')


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
    head = "".join(f"<th>{h}</th>" for h in ("document", "misprinted", "cannot be reproduced", "agrees"))
    rows = "".join(f'<tr><td><a href="#s{p.number}">{p.number} {html.escape(p.title)}</a></td><td>{len(p.errata)} places</td>'
                   f'<td>{html.escape("; ".join(f"{place}: {what}" for place, what, _ in p.cannot)) or "-"}</td>'
                   f'<td>{p.of("agrees")} of {p.count} values: {html.escape(", ".join(p.kinds["agrees"]))}</td></tr>' for p in pages)
    words = ("What the five documents print, what is right where that is not, and what arne computes. "
             "Below each table stands the command that gives our numbers.")
    out = pathlib.Path(sys.argv[1])
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
                   f"<title>arne: the papers</title><style>{style()}{STYLE}</style></head><body><main><h1>The papers, recomputed</h1>"
                   f'<p>{words}</p><div class="wide"><table class="rows"><tr>{head}</tr>{rows}</table></div>'
                   f'<p class="small">{LEGEND}</p>{body}</main></body></html>\n')
    bad = [f for p in pages for f in p.failures]
    for line in bad:
        print("differs:", line, file=sys.stderr)
    print(f"{out}: {sum(p.count for p in pages)} values")
    sys.exit(1 if bad else 0)


main()
