# SPDX-License-Identifier: MIT
"""Document 003: base parameters, operation counts, direct dynamics. What is printed is transcribed here; ours comes from arne."""
import math
import pathlib
import random
import re
import tempfile

from paper import Page, Value, arne, ask, biggest, rows_of, table

HERE = pathlib.Path(__file__).resolve().parent
NAMES = ["XX", "XY", "XZ", "YY", "YZ", "ZZ", "MX", "MY", "MZ", "M", "IA"]

# [003 example 9.1 iii, iv], rotor inertia left out; all right as printed
EXAMPLE_91 = {
    "A11": "ZZ1 + SS2 XX2 + 2 CS2 XY2 + CC2 YY2 + SS23 XX3 + 2 CS23 XY3 + CC23 YY3 + 2 C2 C23 D3 MX3 - 2 C2 S23 D3 MY3 + CC2 D3^2 M3",
    "A12": "S2 XZ2 + C2 YZ2 + S23 XZ3 + C23 YZ3 - S2 D3 MZ3",
    "A13": "S23 XZ3 + C23 YZ3",
    "A22": "ZZ2 + ZZ3 + 2 C3 D3 MX3 - 2 S3 D3 MY3 + D3^2 M3",
    "A23": "ZZ3 + C3 D3 MX3 - S3 D3 MY3",
    "A33": "ZZ3",
    "Q1": "0",
    "Q2": "-G3 (C2 MX2 - S2 MY2 + C23 MX3 - S23 MY3 + D3 C2 M3)",
    "Q3": "-G3 (C23 MX3 - S23 MY3)",
}
# [003 example 9.2]: the grouping equations, coefficients with D3 and RL4
LOAD3, LOAD4 = ["M3", "M4", "M5", "M6"], ["M4", "M5", "M6"]
EXAMPLE_92 = {
    "ZZ1": {"ZZ1": "1", "IA1": "1", "YY2": "1", "YY3": "1", **{m: "D3**2" for m in LOAD3}},
    "XX2": {"XX2": "1", "YY2": "-1", **{m: "-D3**2" for m in LOAD3}},
    "XZ2": {"XZ2": "1", "MZ3": "-D3"},
    "ZZ2": {"ZZ2": "1", "IA2": "1", **{m: "D3**2" for m in LOAD3}},
    "MX2": {"MX2": "1", **{m: "D3" for m in LOAD3}},
    "XX3": {"XX3": "1", "YY3": "-1", "YY4": "1", "MZ4": "2*RL4", **{m: "RL4**2" for m in LOAD4}},
    "ZZ3": {"ZZ3": "1", "YY4": "1", "MZ4": "2*RL4", **{m: "RL4**2" for m in LOAD4}},
    "MY3": {"MY3": "1", "MZ4": "1", **{m: "RL4" for m in LOAD4}},
    "XX4": {"XX4": "1", "YY5": "1", "YY4": "-1"},
    "ZZ4": {"ZZ4": "1", "YY5": "1"},
    "MY4": {"MY4": "1", "MZ5": "-1"},
    "XX5": {"XX5": "1", "YY6": "1", "YY5": "-1"},
    "ZZ5": {"ZZ5": "1", "YY6": "1"},
    "MY5": {"MY5": "1", "MZ6": "1"},
    "XX6": {"XX6": "1", "YY6": "-1"},
}
TABLE_93 = ["ZZ1", "XX2 XY2 XZ2 YZ2 ZZ2 MX2 MY2", "XX3 XY3 XZ3 YZ3 ZZ3 MX3 MY3 IA3", "XX4 XY4 XZ4 YZ4 ZZ4 MX4 MY4 IA4",
            "XX5 XY5 XZ5 YZ5 ZZ5 MX5 MY5 IA5", "XX6 XY6 XZ6 YZ6 ZZ6 MX6 MY6 IA6"]
TABLE_94 = ["ZZ1", "XX2 ZZ2 MX2 MY2", "XX3 ZZ3 MY3 IA3", "XX4 ZZ4 IA4", "XX5 ZZ5 MY5 IA5", "XX6 ZZ6 IA6"]


def number(formula, values):
    """A formula of the book or of `arne equations`: products by a space."""
    text = formula.replace("^", "**")
    text = re.sub(r"(?<=[\w)])\s+(?=[A-Za-z(])", "*", text)
    return eval(text, {"__builtins__": {}}, values)


def random_values(rng):
    q2, q3 = rng.uniform(-3, 3), rng.uniform(-3, 3)
    v = {"D3": rng.uniform(0.2, 1), "G3": rng.uniform(-10, 10)}
    for name, angle in (("2", q2), ("3", q3), ("23", q2 + q3)):
        s, c = math.sin(angle), math.cos(angle)
        v.update({"S" + name: s, "C" + name: c, "SS" + name: s * s, "CC" + name: c * c, "CS" + name: c * s})
    for j in range(1, 4):
        v.update({p + str(j): rng.uniform(-2, 2) for p in NAMES})
    return v


def example_91(page):
    page.section("Example 9.1: inertia matrix and gravity torques of the first three links of the RX-90",
                 "Formulas compared at 20 random values of all their letters.")
    command = "arne equations rx90 --links 3 --what mass,gravity --rigid"
    text = re.sub(r"\n\s+", " ", arne(*command.split()[1:]))
    ours = dict(re.findall(r"^([AQ]\d+) = (.*?)(?: +#.*)?$", text, re.M))
    rng = random.Random(1)
    for name, formula in EXAMPLE_91.items():
        worst = 0
        for _ in range(20):
            v = random_values(rng)
            worst = max(worst, abs(number(formula, v) - number(ours[name], v)))
        page.row("Example 9.1", name, formula, ours[name], f"{worst:.1e}", worst < 1e-12, command=command)


def two_frames(theta, r, d, alpha):
    lines = ["name: lambda", "convention: mdh", "joints:"]
    for k, (a, dd, t, rr) in enumerate([(0, 0, 0, 0), (1.1, 0.3, 0.2, 0.4), (-0.7, 0.25, -0.5, 0.15), (alpha, d, theta, r)], 1):
        lines.append(f"  - {{name: j{k}, type: revolute, alpha: {a!r}, a: {dd!r}, theta: {t!r}, d: {rr!r}, "
                     "link: {mass: 1, com: [0.1, 0.2, 0.3], inertia: {xx: 1, xy: 0, xz: 0, yy: 1, yz: 0, zz: 1, about: com}}}")
    return "\n".join(lines) + "\n"


def table_91(page):
    page.section("Table 9.1: parameters of a link from its frame into the frame before it",
                 "While joint j stands still the torques do not see it: columns of link j of the regressor = columns of link j-1 "
                 "times lambda. Both from `arne eval --want regressor` of an arm of four joints, 12 states, three sets of dimensions.")
    printed = [line.split(",") for line in (HERE / "lambda.csv").read_text().split()]
    rng = random.Random(2)
    worst = [0.0] * 10
    for _ in range(3):
        theta, alpha, d, r = (rng.uniform(-2, 2) for _ in range(4))
        v = {"d": d, "r": r}
        for letter, angle in (("t", theta), ("a", alpha)):
            s, c = math.sin(angle), math.cos(angle)
            v.update({"S" + letter: s, "C" + letter: c, "SS" + letter: s * s, "CC" + letter: c * c, "CS" + letter: c * s})
        lam = [[eval(x, {"__builtins__": {}}, v) for x in row] for row in printed]
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(two_frames(theta, r, d, alpha))
            file.flush()
            names = [f"{g}{k}" for g in ("q", "qd", "qdd") for k in range(1, 5)]
            states = [[rng.uniform(-2, 2) if not n.endswith("4") else 0.0 for n in names] for _ in range(12)]
            for result in rows_of("eval", file.name, "--want", "regressor", "--rigid", "--in", "-", text=table(names, states)):
                for line in result["regressor"][:3]:
                    link3, link4 = line[22:32], line[33:43]
                    for c in range(10):
                        worst[c] = max(worst[c], abs(link4[c] - sum(link3[k] * lam[k][c] for k in range(10))))
    short = lambda x: x.replace("**", "^").replace("*", " ")
    grid = [(NAMES[k], [Value(plain=short(x)) for x in row]) for k, row in enumerate(printed)]
    grid.append(("largest difference of the torques, Nm", [Value(ours=f"{x:.1e}", agrees=x < 1e-11) for x in worst]))
    page.grid("Table 9.1", ["", *NAMES[:10]], grid, "arne eval ROBOT --want regressor --rigid --in STATES",
              "As printed; St, Ct: sine and cosine of theta, Sa, Ca of alpha, SS, CC, CS their products. Last row: what it gives beside ours.")


def prismatic(alpha, theta):
    joints = ["{name: j1, type: revolute, alpha: 0, a: 0, theta: 0, d: 0}",
              f"{{name: j2, type: prismatic, alpha: {alpha!r}, a: 0.3, theta: {theta!r}, d: 0}}",
              "{name: j3, type: revolute, alpha: 1.2, a: 0.2, theta: 0, d: 0.1}"]
    return "name: table92\nconvention: mdh\ngravity: [1, 2, -9]\njoints:\n" + "".join(f"  - {j}\n" for j in joints)


def table_92(page):
    page.section("Table 9.2: first moments of a prismatic link between r1 and r2",
                 "Robots of three joints, one for each line of the table; the terms come from `arne base`.")
    half = math.pi / 2
    cases = [("a_z not 0", 0.7, 0.4), ("a_z = 0, a_x a_y not 0", half, 0.4), ("a_z = 0, a_x = 0", half, 0.0), ("a_z = 0, a_y = 0", half, half)]
    for words, alpha, theta in cases:
        ax, ay, az = math.sin(alpha) * math.sin(theta), math.sin(alpha) * math.cos(theta), math.cos(alpha)
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(prismatic(alpha, theta))
            file.flush()
            base = ask("base", file.name, "--no-rotors", "--quiet")
        terms = {p["name"]: {t["parameter"]: t["coefficient"] for t in p["terms"]} for p in base["parameters"]}
        if words.startswith("a_z not"):
            printed = f"MXR = MX - ({ax / az:.4f}) MZ, MYR = MY - ({ay / az:.4f}) MZ"
            got = (terms["MX2"].get("MZ2", 0.0), terms["MY2"].get("MZ2", 0.0))
            gap = biggest([got[0] + ax / az, got[1] + ay / az])
            ours = f"MX2 + ({got[0]:.4f}) MZ2, MY2 + ({got[1]:.4f}) MZ2"
        elif "a_x a_y" in words:
            printed = f"MXR = MX - ({ax / ay:.4f}) MY"
            got = terms["MX2"].get("MY2", 0.0)
            gap, ours = abs(got + ax / ay), f"MX2 + ({got:.4f}) MY2"
        else:
            gone = "MY2" if "a_x = 0" in words else "MX2"
            printed, ours = f"{gone} has no effect", "no effect: " + " ".join(n for n in base["no_effect"] if n.startswith("M") and n[1] in "XYZ" and n.endswith("2"))
            gap = 0.0 if gone in base["no_effect"] else 1.0
        page.row("Table 9.2", words, printed, ours, f"{gap:.1e}", gap < 1e-9, command="arne base ROBOT --no-rotors")


def base_tables(page):
    page.section("Example 9.2, Tables 9.3 and 9.4: base parameters of the RX-90",
                 "Rx90-simplified has the structure of Example 9.3; --inertia file leaves out what is zero there.")
    base = ask("base", "rx90")
    terms = {p["name"]: {t["parameter"]: t["coefficient"] for t in p["terms"]} for p in base["parameters"]}
    dims = {"D3": 0.45, "RL4": 0.45}
    for name, formula in EXAMPLE_92.items():
        want = {k: eval(x, {"__builtins__": {}}, dims) for k, x in formula.items()}
        got = terms.get(name, {})
        gap = biggest([want.get(k, 0) - got.get(k, 0) for k in set(want) | set(got)])
        page.row("Example 9.2", name + "R", sentence({k: x.replace("**", "^").replace("*", " ") for k, x in formula.items()}),
                 sentence({k: f"{x:g}" for k, x in got.items()}), f"{gap:.1e}", gap < 1e-12, command="arne base rx90")
    parameter_table(page, "Table 9.3", TABLE_93, list(terms), 40, "arne base rx90")
    book = ask("base", "rx90-simplified", "--inertia", "file")
    parameter_table(page, "Table 9.4", TABLE_94, [p["name"] for p in book["parameters"]], 19, "arne base rx90-simplified --inertia file")


def sentence(terms):
    """ZZ1 + IA1 + D3^2 M3 ..."""
    words = [k if x == "1" else "-" + k if x == "-1" else f"{x} {k}" for k, x in terms.items()]
    return " + ".join(words).replace("+ -", "- ")


def parameter_table(page, place, links, ours, number, command):
    """Links by parameters as the book has it: which of them are base parameters."""
    rows = []
    for j, words in enumerate(links, 1):
        cells = []
        for name in NAMES:
            printed, got = f"{name}{j}" in words.split(), f"{name}{j}" in ours
            cells.append(Value(f"{name}{j}", f"{name}{j}" if got else "-", got) if printed or got else Value(plain="-"))
        rows.append((f"link {j}", cells))
    page.section(f"{place}: {number} of them")
    page.row(place, "number", number, len(ours), len(ours) - number and f"{len(ours) - number:+d}" or "0", len(ours) == number, command=command)
    page.grid(place, ["", *NAMES], rows, command)


def counts(page):
    page.section("Example 9.4, Tables 9.5, 9.6 and section 9.7: operations",
                 "Multiplications/additions, wrench of the last link included (conventions of ERRATA part two, 2.1). Lower is better: "
                 "the book's method shares less and keeps to one choice of base parameters.")
    cases = [
        ("Table 9.6", "RX-90 inverse, general, standard parameters", (294, 283), "rx90", "id", "standard", "general"),
        ("Table 9.6", "RX-90 inverse, general, base parameters", (253, 238), "rx90", "id", "base", "general"),
        ("Table 9.6", "RX-90 inverse, simplified, standard parameters", (202, 153), "rx90-simplified", "id", "standard", "file"),
        ("Table 9.6", "RX-90 inverse, simplified, base parameters", (160, 113), "rx90-simplified", "id", "base", "file"),
        ("Table 9.5", "Stanford arm, general", (240, 227), "stanford", "id", "base", "general"),
        ("section 9.7.2", "RX-90 direct, general", (889, 653), "rx90", "fd", "base", "general"),
        ("section 9.7.2", "RX-90 direct, simplified", (637, 423), "rx90-simplified", "fd", "base", "file"),
    ]
    files = [("Table 9.5", "general 6R (92 n - 127, 81 n - 117)", (425, 369), "general6r", "general"),
             ("Table 9.5", "Stanford arm, simplified", (142, 99), "stanford-simplified", "file"),
             ("Table 9.5", "TH8, general", (175, 162), "th8", "general"), ("Table 9.5", "TH8, simplified", (104, 72), "th8-simplified", "file")]
    cases += [(place, what, book, f"papers/003/{file}.yaml", "id", "base", inertia) for place, what, book, file, inertia in files]
    rows = []
    for place, what, book, robot, text, params, inertia in cases:
        command = f"arne count {robot} --what {text} --params {params} --inertia {inertia} --with-wrench"
        c = ask("count", str(HERE.parent.parent / robot) if "/" in robot else robot, *command.split()[3:], "--quiet")[text]
        fewer = c["mul"] + c["add"] <= sum(book)
        rows.append((f"{place}: {what}", [Value(book[0], c["mul"], fewer), Value(book[1], c["add"], fewer), Value(sum(book), c["mul"] + c["add"], fewer),
                                          Value(plain=command)]))
    page.grid("Tables 9.5, 9.6, section 9.7", ["", "multiplications", "additions", "together", "command"], rows,
              legend="Green: ours, whose sum is at or below the printed one.")
    page.row("Table 9.5", "methods of other authors", "800/595 (Luh), 2195/1719 (Hollerbach), ...", "-",
             cannot="figures the book quotes; Newton-Euler and recursive Lagrange as texts of our own are counted under 004")


def page():
    p = Page("003", "Khalil and Dombre, chapter 9: dynamic modeling of serial robots")
    example_91(p)
    table_91(p)
    table_92(p)
    base_tables(p)
    counts(p)
    return p
