#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The bench page: bench/page.py FOLDER

Reads what arne_peers and loop wrote into FOLDER (peers.json; loop.json and cuda.json where they are), counts operations, and
writes FOLDER/index.html and FOLDER/bench.json with every number. cuda.json: a list of {"robot", "quantity", "variant",
"states_per_second"}."""
import html
import json
import os
import pathlib
import platform
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "papers")]
sys.dont_write_bytecode = True
import charts  # noqa: E402
from paper import Failure, ask, style  # noqa: E402

QUANTITIES = ["id", "bias", "gravity", "mass", "fd", "coriolis", "did", "dfd"]
WORDS = {"id": "inverse dynamics", "fd": "forward dynamics", "mass": "inertia matrix", "dfd": "derivatives of forward dynamics"}
# a variant, how it looks in charts, whose operations it has
VARIANTS = {
    "KDL": ((8, "ring"), None), "MuJoCo": ((7, "ring"), None),
    "general": ((1, "circle"), "standard"), "lanes": ((3, "circle"), "standard"), "f32 lanes": ((2, "circle"), "standard"),
    "threads": ((4, "circle"), "standard"),
    "generated": ((1, "square"), "base"), "generated f32": ((5, "square"), "base"), "generated lanes": ((3, "square"), "base"),
    "generated f32 lanes": ((2, "square"), "base"),
}
CUDA = (6, "square")
STYLE = """
table { width: auto; } td, th { font-size: .85rem; text-align: right; white-space: nowrap; } td:first-child, th:first-child { text-align: left; }
.said td, .said th { text-align: left; white-space: normal; } .ns { display: block; color: var(--quiet); font-size: .8rem; }
.legend svg { display: inline; width: .9em; height: .9em; margin: 0 .3em 0 0; vertical-align: -.1em; } section { break-inside: auto; }
h3 { margin: 1.2rem 0 .3rem; font-size: 1.05rem; } @media print { td, th { font-size: .6rem; padding: .1rem .25rem; } .ns { font-size: .55rem; } }
"""


# ---- numbers ----

def rows_of(robot):
    """{(quantity, variant): row}; the variant of several threads is called threads."""
    return {(r["quantity"], "threads" if "speedup" in r else r["variant"]): r for r in robot["rows"]}


def count_operations(robot):
    """{params: {quantity: multiplications and additions}}, of robots of files."""
    counts = {}
    for params in ("standard", "base"):
        got = ask("count", robot["file"], "--what", ",".join(QUANTITIES), "--params", params, "--inertia", "file", "--rigid",
                  "--base", "fixed", "--quiet")
        counts[params] = {q: c["mul"] + c["add"] for q, c in got.items()}
    return counts


def add_shares(robot, threads):
    """operations and share_of_peak in every row whose operations are counted"""
    counts = count_operations(robot)
    for (quantity, variant), row in rows_of(robot).items():
        params = VARIANTS.get(variant, (None, None))[1]
        if not params:
            continue
        row["operations"] = counts[params][quantity]
        peak = robot["peak_f32" if "f32" in variant else "peak_f64"] * (threads if variant == "threads" else 1)
        row["share_of_peak"] = row["operations"] * row["states_per_second"] / peak


def add_cuda(peers, rows):
    """CUDA rows beside the others of their robot: [variants]"""
    robots = {r["name"]: r for r in peers["robots"]}
    for row in rows:
        robot = robots.get(row["robot"])
        if robot is None:
            continue
        ns = 1e9 / row["states_per_second"]
        robot["rows"].append({"quantity": row["quantity"], "variant": row["variant"], "ns": ns, "states_per_second": row["states_per_second"],
                              "ratio": ns / rows_of(robot)["id", "KDL"]["ns"], "cuda": True})
    return list(dict.fromkeys(r["variant"] for r in rows if r["robot"] in robots))


def marks_to_hold(peers):
    """[what, asked, measured] on the first arm of six joints; measured None: not in this run"""
    arm = next((r for r in peers["robots"] if r["joints"] == 6 and r["serial"]), None)
    if arm is None:
        return []
    rows = rows_of(arm)

    def over(a, b):
        return rows[b]["ratio"] / rows[a]["ratio"] if a in rows and b in rows else None

    kdl = ("id", "KDL")
    threads = rows.get(("id", "threads"), {}).get("speedup")
    return [["general lanes, times KDL", 29, over(("id", "lanes"), kdl)], ["generated lanes, times KDL", 70, over(("id", "generated lanes"), kdl)],
            ["f32 lanes, times lanes", 1.7, over(("id", "f32 lanes"), ("id", "lanes"))],
            ["generated f32 lanes, times generated lanes", 1.7, over(("id", "generated f32 lanes"), ("id", "generated lanes"))],
            [f"{peers['threads']} threads, times one", 1.85, threads]]


def machine(arne_lanes):
    name = platform.machine()
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
        name = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    cc = subprocess.run(["cc", "--version"], capture_output=True, text=True).stdout.split("\n")[0] if os.access("/usr/bin/cc", os.X_OK) else ""
    return {"processor": name, "processors": os.cpu_count(), "lanes": arne_lanes, "load": round(os.getloadavg()[0], 2), "compiler": cc,
            "date": time.strftime("%Y-%m-%d")}


# ---- HTML ----

def digits(x):
    return f"{x:.4f}" if x < 0.01 else f"{x:.3f}" if x < 1 else f"{x:.2f}" if x < 10 else f"{x:.1f}" if x < 100 else f"{x:.0f}"


def duration(ns):
    return f"{ns:.3g} ns" if ns < 999.5 else f"{ns / 1e3:.3g} µs" if ns < 999.5e3 else f"{ns / 1e6:.3g} ms"


def rate(per_second):
    return f"{per_second / 1e6:.3g} M/s" if per_second >= 0.9995e6 else f"{per_second / 1e3:.3g} k/s"


def table(head, body, kind=""):
    lines = "".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in body)
    return f'<div class="wide"><table class="{kind}"><tr>{"".join(f"<th>{h}</th>" for h in head)}</tr>{lines}</table></div>\n'


def grid(robot, variants, cell):
    """quantities by variants; cell(row): HTML or None"""
    rows = rows_of(robot)
    cells = {k: cell(r) for k, r in rows.items() if k[1] in variants}
    used = [v for v in variants if any(cells.get((q, v)) for q in QUANTITIES)]
    body = [[f"<b>{q}</b>"] + [cells.get((q, v)) or "-" for v in used] for q in QUANTITIES if any(cells.get((q, v)) for v in used)]
    return table([""] + [html.escape(v) for v in used], body) if body else ""


def figure(title, picture, looks=()):
    legend = "".join(f'<span><svg viewBox="0 0 10 10">{charts.mark(5, 5, look)}</svg>{html.escape(name)}</span> ' for name, look in looks)
    return f'<figure class="chart"><figcaption>{html.escape(title)}<span class="legend">{legend}</span></figcaption>{picture}</figure>\n'


def overview(peers, cuda):
    """How many states of each kind in the time of one of KDL's id."""
    looks = {v: look for v, (look, _) in VARIANTS.items()} | {v: CUDA for v in cuda}
    out = []
    for q in ("id", "mass", "fd", "dfd"):
        lines, seen = [], []
        for robot in peers["robots"]:
            if not robot["file"]:
                continue
            marks = [(v, 1 / r["ratio"]) for (quantity, v), r in rows_of(robot).items() if quantity == q and v in looks]
            seen += [v for v, _ in marks if v not in seen]
            if marks:
                lines.append((f'{robot["name"]} {robot["joints"]}', [(looks[v], x) for v, x in marks]))
        if lines:
            used = [(v, looks[v]) for v in looks if v in seen]
            out.append(figure(f"{q}: {WORDS[q]}", charts.dots(lines, "states in the time of one of KDL's id"), used))
    return '<div class="charts">' + "".join(out) + "</div>\n"


def growth(peers):
    chains = [r for r in peers["robots"] if not r["file"]]
    if len(chains) < 2:
        return ""
    out, body, shown = [], [], ("KDL", "MuJoCo", "general", "lanes", "f32 lanes")
    for q in ("id", "fd"):
        series = []
        for v in shown:
            at = {r["joints"]: rows_of(r)[q, v]["ns"] for r in chains if (q, v) in rows_of(r)}
            if at:
                series.append((VARIANTS[v][0], list(at.items())))
                body.append([f"<b>{q}</b> {v}"] + [duration(at[r["joints"]] / r["joints"]) if r["joints"] in at else "-" for r in chains])
        out.append(figure(f"{q}: {WORDS[q]}, growth", charts.curves(series, "joints", "ns a state"), [(v, VARIANTS[v][0]) for v in shown]))
    refusal = {r["joints"]: r["mujoco_refusal"] for r in chains if r["mujoco_refusal"]}
    words = f'<p class="small">MuJoCo refuses chains from {min(refusal)} joints on: {html.escape(refusal[min(refusal)])}</p>' if refusal else ""
    return ('<section><h2>Growth</h2><p>Random chains of revolute joints. Below the pictures: time of a state and joint; a flat row means linear cost.</p>'
            f'<div class="charts">{"".join(out)}</div>' + table(["joints"] + [r["joints"] for r in chains], body) + words + "</section>\n")


def loops(loop):
    if not loop:
        return ""
    out, body = [], []
    for r in loop["rates"]:
        c, late = r["computing_us"], r["late_us"]
        name = f'{r["hz"] / 1e3:g} kHz'
        out.append(figure(f"{name}: computing", charts.bars(c["bins"], 3, "µs of a tick", "ticks")))
        out.append(figure(f"{name}: begins late", charts.bars(late["bins"], 5, "µs after its time", "ticks")))
        body.append([name, r["ticks"], *(f"{c[k]:.3g}" for k in ("median", "p999", "longest")), *(f"{late[k]:.3g}" for k in ("median", "p999")),
                     r["left_out"], r["minor_faults"] + r["major_faults"]])
    calls = loop["system_calls"]
    said = "not counted: ptrace is not allowed here" if calls is None else f'{calls} in {loop["counted_ticks"]} ticks'
    head = ["", "ticks", "computing µs, median", "99.9 %", "longest", "late µs, median", "99.9 %", "left out", "page faults"]
    return (f'<section><h2>Control loops</h2><p>{html.escape(loop["robot"])}, {loop["joints"]} joints: reference, momentum observer, detector and computed '
            f'torque at every tick. Memory {html.escape(loop["memory"])}, scheduled {html.escape(loop["scheduled"])}. System calls while computing: <b>{said}</b>.</p>'
            + table(head, body) + f'<div class="charts">{"".join(out)}</div><p class="small">Page faults are those between the two looks at the clock. How late a tick '
            "begins is the machine's doing, not arne's.</p></section>\n")


def robot_section(robot, variants):
    seconds = lambda r: f'<b>{digits(r["ratio"])}</b><span class="ns">{duration(r["ns"])}</span><span class="ns">{rate(r["states_per_second"])}</span>'
    calls = lambda r: f'{duration(r["latency"]["median"])}<span class="ns">{duration(r["latency"]["p999"])}</span>' if "latency" in r else None
    share = lambda r: f'{100 * r["share_of_peak"]:.2g} %<span class="ns">{r["operations"]} op</span>' if "share_of_peak" in r else None
    out = [f'<section><h2>{html.escape(robot["name"])}, {robot["joints"]} joints{"" if robot["serial"] else ", a tree"}</h2>']
    if robot["mujoco_refusal"]:
        out.append(f'<p>MuJoCo refuses it: {html.escape(robot["mujoco_refusal"])}</p>')
    parts = [("Time of a state over that of KDL's id; below: time, states a second", seconds), ("One call: median, below it 99.9 %", calls),
             (f'Share of the arithmetic peak ({robot["peak_f64"] / 1e9:.3g} G/s of doubles, {robot["peak_f32"] / 1e9:.3g} of floats, a core)', share)]
    for title, cell in parts:
        body = grid(robot, variants, cell)
        if body:
            out.append(f"<h3>{title}</h3>{body}")
    return "".join(out) + "</section>\n"


def how(data, cuda):
    peers = data["peers"]
    lines = [
        f'Ratios are medians over {peers["repeats"]} repeats, in each of which every function runs once, {peers["block_ms"]:g} ms, in random order; times of '
        "a thread on its processor. Threads: the shortest call on the wall clock, which counts other programs too.",
        "All answers are compared before the clock starts. Derivatives of KDL and MuJoCo are differences.",
        f'One call: the clock is read before and after each of up to 20000 calls; its own {peers["clock_ns"]:.3g} ns are taken off. What other programs '
        "do meanwhile is in the 99.9 %.",
        "Operations: multiplications and additions that arne count finds, with standard parameters for the general functions, base parameters for "
        "generated code; sines and cosines come on top. The peak is that of separate multiplications and additions on the widest vectors, in the "
        "same run; one state a call uses one lane of them.",
        f'Generated code: {peers["compiler"]}',
        ("CUDA: rows of cuda.json." if cuda else "No CUDA column: there is no cuda.json in this folder.")]
    return '<section><h2>How it is measured</h2><ul class="small">' + "".join(f"<li>{html.escape(x)}</li>" for x in lines) + "</ul></section>\n"


def page(data, cuda):
    peers, m = data["peers"], data["machine"]
    variants = list(VARIANTS) + cuda
    body = [[html.escape(what), f"{asked:g}", f'<span style="color:var(--{"good" if got >= asked else "bad"})">{digits(got)}</span>' if got else "-"]
            for what, asked, got in data["marks"]]
    marks = (f'<h2>Marks to hold</h2><p>States a second of inverse dynamics, one core, six joints, in the same run.</p>{table(["", "asked", "measured"], body, "said")}' if body else "")
    words = (f'{m["processor"]}, {m["processors"]} processors, {m["lanes"]} doubles in a vector; {m["compiler"]}; load {m["load"]} when the page was written, {m["date"]}.')
    return ('<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>arne: bench</title><style>\n{style()}{STYLE}</style></head><body><main><h1>arne beside KDL and MuJoCo</h1>"
            f"<p>{html.escape(words)} Ratios of one run are comparable; times of two machines are not.</p>{overview(peers, cuda)}{marks}{loops(data['loop'])}{growth(peers)}"
            + "".join(robot_section(r, variants) for r in peers["robots"]) + how(data, cuda) + "</main></body></html>\n")


def read(path):
    try:
        return json.loads(path.read_text())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as problem:
        sys.exit(f"bench: {path}: {problem}")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: bench/page.py FOLDER")
    folder = pathlib.Path(sys.argv[1])
    peers = read(folder / "peers.json")
    if not peers:
        sys.exit(f"bench: no {folder / 'peers.json'}: arne_peers --out writes it")
    for robot in peers["robots"]:
        if robot["file"]:
            add_shares(robot, peers["threads"])
    cuda_rows = read(folder / "cuda.json") or []
    cuda = add_cuda(peers, cuda_rows)
    data = {"machine": machine(peers["lanes"]), "marks": marks_to_hold(peers), "loop": read(folder / "loop.json"), "peers": peers}
    text = page(data, cuda)
    for name, content in (("bench.json", json.dumps(data, indent=1) + "\n"), ("index.html", text)):
        part = folder / (name + ".part")
        part.write_text(content)
        part.replace(folder / name)
    print(f"{folder / 'index.html'}, {folder / 'bench.json'}: {sum(len(r['rows']) for r in peers['robots'])} rows")
    if not cuda:
        print("no CUDA column: there is no " + str(folder / "cuda.json"))
    for what, asked, got in data["marks"]:
        print(f"  {what:44s} {'-' if got is None else digits(got):>6s}   asked: {asked:g}")


if __name__ == "__main__":
    try:
        main()
    except Failure as problem:
        sys.exit(f"bench: {problem}")
    except (KeyError, TypeError) as problem:
        sys.exit(f"bench: peers.json, loop.json or cuda.json: not as expected: {problem!r}")
