# SPDX-License-Identifier: MIT
"""Document 004: the formulations counted (section 8), simulation (section 9), control of the hand and loads (section 10)."""
import csv
import math
import pathlib
import tempfile
from fractions import Fraction as F

from paper import Page, Value, arne, ask, rows_of, table

HERE = pathlib.Path(__file__).resolve().parent

# Rows of the tables as polynomials (n^3, n^2, n, 1): multiplications, additions. [004 tables 8.2 to 8.6]
TABLE_82 = [((0, 32, -32, 0), (0, 24, -24, 0)), ((0, 32, -32, 0), (0, 24, -24, 0)),
            ((F(32, 3), 0, F(-32, 3), 0), (8, 0, -8, 0)), ((F(17, 6), F(17, 2), F(209, 3), 0), (F(16, 3), 0, F(80, 3), 0)),
            ((0, 8, 8, 0), (0, 8, 7, 0)), ((0, 2, 2, 0), (0, 2, 1, 0))]
TABLE_83 = [(33, 24), (46, 36), (45, 27), (9, 9), (27, 18), (27, 18), (9, 0), (18, 6), (9, 0), (3, 6)]
TABLE_84 = [(9, 7), (9, 9), (6, 9), (18, 15), (9, 9), (12, 9, -12, -9), (9, 6), (15, 9), (6, 3), (6, 3), (9, 6), (0, 15)]
TABLE_85 = [(9, 7), (9, 9), (6, 9), (18, 15, -18, -15), (12, 9), (9, 9, -9, -9), (6, 3), (6, 3), (6, 3), (9, 6), (0, 15)]
TABLE_86 = [(0, 0, 9, 7), (0, 0, 9, 9), (0, 0, 6, 9), (0, 0, 9, 7), (0, 0, 9, 9), (18, 15), (9, 12)]

TOTAL = {
    "8.2": ((F(81, 6), F(165, 2), 5, 0), (F(40, 3), 58, F(-64, 3), 0)),
    "8.3": ((0, 0, 226, 0), (0, 0, 144, 0)),
    "8.4": ((0, 0, 108, -12), (0, 0, 100, -9)),
    "8.5": ((0, 0, 90, -27), (0, 0, 88, -24)),
    "8.6": ((0, 0, 27, 42), (0, 0, 27, 41)),
}


def polynomial(c):
    words = [f"{x} n^{3 - k}" if k < 2 else f"{x} n" if k == 2 else str(x) for k, x in enumerate(c) if x]
    return " + ".join(words).replace("+ -", "- ") or "0"


def widen(row):
    if isinstance(row[0], tuple):
        return row
    mul, add, *rest = row
    return ((0, 0, mul, rest[0] if rest else 0), (0, 0, add, rest[1] if rest else 0))


def sums(page):
    page.section("Tables 8.2 to 8.6: do their rows add up?", "Operations of the tasks of each formulation for n joints, as printed; below, their sum.")
    for name, rows in (("8.2", TABLE_82), ("8.3", TABLE_83), ("8.4", TABLE_84), ("8.5", TABLE_85), ("8.6", TABLE_86)):
        got = [tuple(sum(widen(r)[k][c] for r in rows) for c in range(4)) for k in (0, 1)]
        grid = [(f"row {i}", [Value(plain=polynomial(x)) for x in widen(r)]) for i, r in enumerate(rows, 1)]
        grid.append(("total", [Value(polynomial(TOTAL[name][k]), polynomial(got[k]), got[k] == TOTAL[name][k]) for k in (0, 1)]))
        page.grid(f"Table {name}", [f"Table {name}", "multiplications", "additions"], grid, legend="Green: the sum of the printed rows.")


WHY = {
    "lagrange": "the document leaves out 8 n^2 + 8 n products (ERRATA part two, 4), but ours shares what the document forms twice",
    "recursive-lagrange": "the document leaves out the trace and the sums of D (ERRATA part two, 4); the first link is simple in ours",
    "newton-euler": "alpha takes 11 n and f 3 more than printed, sums 12 n instead of 15 n (ERRATA part two, 4); ours drops what link 1 does not need",
    "turney": "as Newton-Euler; the trace is 6 n only for diagonal K",
    "strobe-mass": "the document forgets the sums of n (ERRATA part two, 5.5)",
    "strobe-coriolis": "the document strobes with both velocities at 1, which gives C_jj + C_kk + 2 C_jk; symmetry saves runs",
}


def counts(page):
    page.section("Tables 8.1 to 8.6: operations of every formulation",
                 "n = 6, the general arm: nine free entries in every rotation matrix. Independent: recount of ERRATA part two, 5.5. "
                 "All n from 1 to 12: arne formulations --published.")
    command = "arne formulations --published --n 6"
    grid, depth = [], None
    for r in rows_of("formulations", "--published", "--n", "6"):
        if r["table"] == "depth" and not r["diagonal"]:
            depth = r
        if r["table"] != "operations":
            continue
        ours, printed, recount = r["as_written"], r["printed"], r["independent"]
        name = r["method"] + (", K diagonal" if r["diagonal"] else "")
        grid.append((name, [Value(printed and printed[k], ours[k], ours[k] <= recount[k], corrected=recount[k]) for k in ("mul", "add")]
                     + [Value(plain=WHY[r["method"]])]))
    page.grid("Table 8.1", ["n = 6", "multiplications", "additions", "why the three differ"], grid, command,
              "In each cell: printed, recounted by independent code (ERRATA part two, 5.5), ours, which must not exceed the recount.")
    page.row("Table 8.6", "steps in parallel, n = 6", "27 n + 42 multiplications, 27 n + 41 additions: %d and %d" % (depth["printed"]["mul"], depth["printed"]["add"]),
             depth["as_written"], cannot="the document counts each task as serial; with one scalar operation a step and enough processors the longest chain is "
             "8 n + 4 = %d" % depth["independent"], command=command)


def last_row(folder, name, *settings):
    path = f"{folder}/{name}.csv"
    arne("simulate", str(HERE / "pendulum.yaml"), "--out", path, "--quiet", *(w for x in settings for w in ("--set", x)))
    with open(path, newline="") as file:
        row = list(csv.DictReader(file))[-1]
    return [float(row[c]) for c in ("q1", "q2", "qd1", "qd2")]


def simulation(page):
    page.section("Section 9: simulation by Runge-Kutta", "A double pendulum for 2 s; the error of its last state beside a run of the adaptive "
                 "integrator with a tolerance of 1e-13, for steps of 1, 0.5 and 0.25 ms.")
    with tempfile.TemporaryDirectory() as folder:
        exact = last_row(folder, "exact")
        errors = []
        for h in (0.001, 0.0005, 0.00025):
            x = last_row(folder, "rk4", "integrator.method=rk4", f"integrator.step={h}")
            errors.append(max(abs(a - b) for a, b in zip(x, exact)))
    for k in (0, 1):
        slope = math.log2(errors[k] / errors[k + 1])
        page.row("section 9", f"order from {1 / 2**k:g} to {0.5 / 2**k:g} ms", "fourth order", f"{slope:.2f} (errors {errors[k]:.1e}, {errors[k + 1]:.1e})", f"{slope - 4:+.2f}",
                 abs(slope - 4) < 0.2, "eq. 9.2 is printed twice and 9.4 has theta_dot for theta (ERRATA part two, 4)",
                 "arne simulate papers/004/pendulum.yaml --set integrator.method=rk4 --set integrator.step=0.001 --out run.csv")


def hand(page):
    page.section("Section 10.1: motion of the hand", "Hand acceleration to joint accelerations to torques, every millisecond. The hand of a UR5e "
                 "starts at rest at P and shall be at P + (0, 0.15, 0) after 2 s and at P + (0, 0.15, -0.1) after 4 s, on straight lines.")
    command = "arne simulate papers/004/hand.yaml --out run.csv"
    with tempfile.TemporaryDirectory() as folder:
        arne("simulate", str(HERE / "hand.yaml"), "--out", f"{folder}/run.csv", "--quiet")
        with open(f"{folder}/run.csv", newline="") as file:
            rows = [[float(r[c]) for c in ("t", "hand.x", "hand.y", "hand.z")] for r in csv.DictReader(file)]
    start = rows[0][1:]
    way = [[r[0]] + [a - b for a, b in zip(r[1:], start)] for r in rows]
    across = max(math.hypot(x, z) if t <= 2 else math.hypot(x, y - 0.15) for t, x, y, z in way)
    middle = min(way, key=lambda r: abs(r[0] - 2))
    end = way[-1]
    why = "the document strobes N with gravity on, which must be off, and drops a bracket in 10.2 (ERRATA part two, 4)"
    page.row("section 10.1", "away from the lines, m", "0", f"{across:.1e}", f"{across:.1e}", across < 1e-4, why, command)
    for what, got, want in (("after 2 s", middle, (0, 0.15, 0)), ("after 4 s", end, (0, 0.15, -0.1))):
        gap = max(abs(a - b) for a, b in zip(got[1:], want))
        page.row("section 10.1", f"hand {what}, m from P", str(want), "(%.5f, %.5f, %.5f)" % tuple(got[1:]), f"{gap:.1e}", gap < 1e-4, "", command)


def solve(A, b):
    """Gauss with pivots: x of A x = b."""
    n, rows = len(b), [list(r) + [x] for r, x in zip(A, b)]
    for c in range(n):
        p = max(range(c, n), key=lambda i: abs(rows[i][c]))
        rows[c], rows[p] = rows[p], rows[c]
        for i in range(n):
            if i != c:
                f = rows[i][c] / rows[c][c]
                rows[i] = [x - f * y for x, y in zip(rows[i], rows[c])]
    return [rows[i][n] / rows[i][i] for i in range(n)]


def loads(page):
    page.section("Section 10.2: largest acceleration of the hand under torque limits",
                 "A UR5e at rest. The corrected recipe (ERRATA part two, 5.6: an interval of lambda for every joint, intersected) is computed here from "
                 "M, h and J of arne; arne itself solves a linear program.")
    q = [0.3, -1.2, 1.4, -0.9, 0.8, 0.2]
    state = table([f"q{k}" for k in range(1, 7)], [q])
    link = "wrist_3"
    r = rows_of("eval", "ur5e", "--want", "mass,bias,jacobian", "--link", link, "--in", "-", "--quiet", text=state)[0]
    limit = [j["effort"] for j in ask("info", "ur5e", "--quiet")["joints"]]
    way = table([f"q{k}" for k in range(1, 7)], [q, [x + 0.1 for x in q]])
    with tempfile.TemporaryDirectory() as folder:
        arne("plan", "ur5e", "--path", "-", "--map", f"{folder}/map.csv", "--link", link, "--places", "2", "--others", "steady", "--quiet", text=way)
        with open(f"{folder}/map.csv", newline="") as file:
            ours = next(csv.DictReader(file))
    for name, u in (("up", [0, 0, 1, 0, 0, 0]), ("down", [0, 0, -1, 0, 0, 0])):
        qdd = solve(r["jacobian"], u)
        s = [sum(m * x for m, x in zip(row, qdd)) for row in r["mass"]]
        high = min(max((t - c) / k, (-t - c) / k) for t, c, k in zip(limit, r["bias"], s) if k)
        got = float(ours[name])
        page.row("eq. (10.3)", f"{name}wards, m/s^2", "tau = tau_max", f"{got:.6f}", f"{got - high:+.1e}", abs(got - high) < 1e-6 * high,
                 "tau = tau_max does not give the largest acceleration (ERRATA part two, 4)",
                 "arne plan ur5e --path POINTS --map MAP --link wrist_3 --others steady", corrected=f"{high:.6f} (recipe)")


def page():
    p = Page("004", "Turney, Mudge and Lee: connection between formulations of robot arm dynamics")
    sums(p)
    counts(p)
    simulation(p)
    hand(p)
    loads(p)
    return p
