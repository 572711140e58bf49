#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`arne count` and `arne equations` from outside.

What equations writes is read back as formulas, evaluated, and compared with `arne eval`, for every shipped robot and for awkward
ones: axes in opposite directions, skew axes, slides between parallel axes, branches. The program is $ARNE, or build/arne."""
import math
import random
import re

from support import Program, main

CLOSE = 1e-10  # sums of some hundred products, beside the largest of them
COMMENT = re.compile(r"([A-Za-z]\w*) = (-?[\d.]+(?:e[+-]?\d+)?)(?=,|$)")
ANGLE = re.compile(r"S(\w+), C\w+: (?:sine and cosine )?of ([^;]+)")
TOKEN = re.compile(r"\s*(?:(\d[\d.]*(?:e[+-]?\d+)?)|([A-Za-z]\w*)|(.))")

LINK = ("{mass: %g, com: [%g, %g, %g], inertia: {xx: 0.3, xy: 0.01, xz: -0.02, yy: 0.25, yz: 0.03, zz: 0.2, about: com}}")


def robot_text(joints, gravity="[0.3, 1.2, -9]"):
    """A YAML robot: joints are (type, a, alpha, d, theta[, parent])."""
    lines = ["name: test", f"gravity: {gravity}", "convention: mdh", "joints:"]
    for i, (kind, a, alpha, d, theta, *parent) in enumerate(joints):
        lines += [f"  - name: j{i + 1}", f"    type: {kind}", f"    a: {a}", f"    alpha: {alpha}", f"    d: {d}", f"    theta: {theta}"]
        lines += [f"    parent: {p}" for p in parent]
        lines += ["    link: " + LINK % (1.5 + i, 0.1, -0.2 + 0.05 * i, 0.07)]
        lines += ["    motor: {inertia: 0.001, gear: 50}"]
    return "\n".join(lines) + "\n"


AWKWARD = {
    "opposite": [("revolute", 0, 0, 0, 0), ("revolute", 0.4, "pi", 0, 0), ("revolute", 0.3, "pi", 0.1, 0)],
    "skew": [("revolute", 0, 0.2, 0.1, 0.3), ("revolute", -0.4, -0.7, 0.2, 0.1)],
    "sliding": [("revolute", 0, "pi/2", 0, 0), ("prismatic", 0.2, 0, 0.3, "pi/2"), ("revolute", 0.25, 0, -0.1, 0)],
    "turned slide": [("revolute", 0, "pi/2", 0, 0), ("prismatic", 0.2, 0, 0.3, 0.4), ("revolute", 0.25, 0, -0.1, 0.2)],
    "branches": [("revolute", 0, "pi/2", 0, 0), ("revolute", 0.5, 0, 0, 0), ("revolute", 0.3, 0, 0.2, 0, "j1"),
                 ("prismatic", 0.1, "pi/2", 0, 0)],
    "two stems": [("revolute", 0.1, "pi/2", 0, 0), ("prismatic", 0.2, 0.3, 0.1, 0, "base")],
    "slide": [("prismatic", 0, 0, 0, 0)],
    "four in a row": [("revolute", 0, "pi/2", 0, 0)] + [("revolute", 0.3, 0, 0, 0)] * 3,
    "eleven in a row": [("revolute", 0, "pi/2", 0, 0)] + [("revolute", 0.3, 0, 0, 0)] * 10,
}


class Formulas:
    """The equations of a text, as functions of the state."""

    def __init__(self, text):
        self.constants, self.angles, self.lines = {}, {}, []
        for line in text.splitlines():
            if line.startswith("#"):
                if COMMENT.match(line[2:]):
                    self.constants.update((n, float(v)) for n, v in COMMENT.findall(line))
                self.angles.update(ANGLE.findall(line))
            elif line.startswith(" "):
                self.lines[-1] += line
            elif line:
                self.lines.append(line)

    @staticmethod
    def python(formula):
        """Products by juxtaposition and ^ in Python's notation."""
        out, operand = [], False
        for number, name, sign in TOKEN.findall(formula):
            if (number or name or sign == "(") and operand and not (sign == "(" and out[-1] in ("sin", "cos")):
                out.append("*")
            out.append(number or name or ("**" if sign == "^" else sign))
            operand = bool(number or name) or sign == ")"
        return " ".join(out)

    def values(self, state):
        known = {**self.constants, **state, "sin": math.sin, "cos": math.cos}
        for number, angle in self.angles.items():
            a = eval(angle, {}, known)
            s, c = math.sin(a), math.cos(a)
            known.update({"S" + number: s, "C" + number: c, "SS" + number: s * s, "CC" + number: c * c, "CS" + number: c * s})
        for line in self.lines:
            name, formula = line.split(" = ", 1)
            known[name] = eval(self.python(formula), {}, known)
        return known


def plain(latex):
    """LaTeX equations as plain ones: angles stay the arguments of sin and cos, twists get their names back."""
    text = latex.replace(" \\\\\n  &\\quad ", " ").replace("\\tfrac{1}{2}", "0.5").replace("\\tau", "tau").replace("\\, ", " ")
    text = text.replace("\\dot{q}", "qd").replace("\\ddot{q}", "qdd")
    text = re.sub(r"\\(c|s)(?:os|in)(\^\{\d+\})?\\(?:(a)lpha|(g)amma)_\{(\d+)\}",
                  lambda m: "%s%s_{%s}%s" % (m[1], m[3] or m[4], m[5], m[2] or ""), text)
    text = re.sub(r"\\(cos|sin)(\^\{\d+\})?(?:\((.*?)\)| (q_\{\d+\}))", lambda m: "%s(%s)%s" % (m[1], m[3] or m[4], m[2] or ""), text)
    text = re.sub(r"_\{([^}]*)\}", lambda m: m[1].replace("-", "m").replace(",", "_"), text)
    text = re.sub(r"\^\{(\d+)\}", r"^\1", text)
    lines = [re.sub(r"^  (\S+) &= ", r"\1 = ", re.sub(r"^% ", "# ", line)) for line in text.splitlines()]
    return "".join(line.removesuffix(" \\\\") + "\n" for line in lines if line and not line.startswith(("%", "\\")))


class Case(Program):
    FILES = {name + ".yaml": robot_text(joints) for name, joints in AWKWARD.items()}


class Equations(Case):
    WHAT = "mass,gravity,coriolis,id,energy"

    def check(self, robot, *options):
        """The text's numbers are those of eval."""
        base = options[options.index("--base"):][:2] if "--base" in options else ()
        info = self.answer("info", robot, "--quiet", *base)
        dof, nq = info["dof"], info.get("nq", info["dof"])
        draw = random.Random(robot)
        names = [f"{group}{j + 1}" for group, n in (("q", nq), ("qd", dof), ("qdd", dof)) for j in range(n)]
        state = {name: draw.uniform(-2, 2) for name in names}
        if nq > dof:  # a free base: its quaternion is of unit length
            size = math.sqrt(sum(state[f"q{j}"] ** 2 for j in range(4, 8)))
            state.update({f"q{j}": state[f"q{j}"] / size for j in range(4, 8)})
        self.write("in.csv", ",".join(names) + "\n" + ",".join(repr(state[n]) for n in names) + "\n")
        want = self.answer("eval", robot, "--want", "mass,gravity,coriolis_vector,id,energy", "--in", "in.csv", "--rigid", "--quiet",
                           *base)
        text = self.good("equations", robot, "--what", self.WHAT, "--inertia", "file", "--rigid", "--quiet", *options)
        got = Formulas(plain(text) if "--latex" in options else text).values(state)
        scale = max(1, *(abs(x) for x in want["id"]), *(abs(x) for row in want["mass"] for x in row), abs(want["energy"]["kinetic"]))

        def close(name, value):
            self.assertLessEqual(abs(got[name] - value), CLOSE * scale, (robot, options, name, got[name], value))

        for i in range(dof):
            close(f"Q{i + 1}", want["gravity"][i])
            close(f"c{i + 1}", want["coriolis_vector"][i])
            close(f"tau{i + 1}", want["id"][i])
            for j in range(i, dof):
                close(f"A{i + 1}_{j + 1}" if j > 8 else f"A{i + 1}{j + 1}", want["mass"][i][j])
        close("E", want["energy"]["kinetic"])
        close("U", want["energy"]["potential"])

    def test_listings_of_all_shipped_robots(self):
        for robot in [*self.one_freedom_robots(), "satellite", "quadrotor-arm"]:
            with self.subTest(robot=robot):
                self.check(robot, "--form", "listing")

    def test_expanded_small_robots(self):
        for robot in ("planar2r", "scara", "gantry", "sdt"):
            with self.subTest(robot=robot):
                self.check(robot, "--form", "expanded")

    def test_awkward_robots(self):
        for name in AWKWARD:
            for form in ("expanded", "listing", "auto") if name != "eleven in a row" else ("listing", "auto"):
                with self.subTest(robot=name, form=form):
                    self.check(name + ".yaml", "--form", form)

    def test_a_free_base(self):
        for name in ("slide", "skew", "branches"):
            self.check(name + ".yaml", "--form", "listing", "--base", "free")
        self.check("slide.yaml", "--form", "expanded", "--base", "free")
        text = self.good("equations", "slide.yaml", "--base", "free", "--links", "1", "--what", "gravity", "--gravity", "0,0,-9.81", "--inertia", "general")
        self.assertIn("Joint base: place q1 q2 q3, quaternion q4 q5 q6 q7 of unit length;\n"
                      "#   velocity qd1 qd2 qd3, angular velocity qd4 qd5 qd6, in link axes.\n", text)
        # the weight of a body in its own axes: minus the third row of R, times M g
        self.assertIn("\nQ3 = G3 (2 q4^2 + 2 q5^2 - 1) M1\n", text)

    def test_an_offset_behind_half_a_turn(self):
        link = "link: {mass: 2, com: [0.1, 0.05, 0.02], inertia: {xx: 0.1, yy: 0.2, zz: 0.25}}"
        joints = "".join(f"  - {{name: j{i}, type: revolute, alpha: {alpha}, a: {a}, d: {d}, theta: 0, {link}}}\n"
                         for i, (alpha, a, d) in enumerate((("0", 0, 0), ("pi/2", 0.5, 0.3), ("pi", 0.4, 0.25))))
        self.write("turned.yaml", "name: turned\nconvention: mdh\njoints:\n" + joints)
        self.check("turned.yaml", "--form", "expanded")
        # p = (d, -r sin(alpha), r cos(alpha)): r is what the file says
        printed = self.good("equations", "turned.yaml", "--form", "expanded", "--inertia", "file")
        self.assertIn("r2 = 0.3,", printed)
        self.assertIn("r3 = 0.25", printed)

    def test_dimensions_have_the_names_of_the_file(self):
        link = "link: {mass: 2, com: [0.1, 0.05, 0.02], inertia: {xx: 0.1, yy: 0.2, zz: 0.25}}"
        text = "name: named\nconvention: mdh\nsymbols: {L: 0.4, BACK: -0.3, M3: 0.2}\njoints:\n"
        for alpha, a, d in (("0", "0", "0"), ("pi/2", "L", "0"), ("0", "-L", "BACK"), ("pi/2", "-BACK", "M3"), ("pi/2", "2*L", "0")):
            text += f"  - {{name: j{text.count('name: j') + 1}, type: revolute, alpha: {alpha}, a: {a}, d: {d}, theta: 0, {link}}}\n"
        self.write("named.yaml", text)
        for form in ("expanded", "listing"):
            self.check("named.yaml", "--form", form)
        printed = self.good("equations", "named.yaml", "--links", "3", "--rigid")
        self.assertIn("L = 0.4", printed)
        self.assertIn("BACK = -0.3", printed)
        self.assertNotIn("d2", printed)
        self.assertNotIn("d3", printed)
        # a symbol that is a mass elsewhere, and an expression, stay what they are
        whole = self.good("equations", "named.yaml", "--form", "listing", "--rigid")
        self.assertIn("r4 = 0.2", whole)
        self.assertIn("d5 = 0.8", whole)
        self.write("named.par", "NF = 2\nNL = 2\nNJ = 2\nAnt = {0,1}\nSigma = {0,0}\nAlpha = {0,0}\nd = {0,LENGTH}\nTheta = {t1,t2}\nR = {0,0}\n"
                                "M = {1,1}\nZZ = {1,1}\n")
        self.assertIn("LENGTH^2 M2", self.good("equations", "named.par", "--set", "LENGTH=0.5", "--rigid", "--quiet"))
        self.assertIn("LENGTH^2", self.good("base", "named.par", "--set", "LENGTH=0.5", "--quiet"))
        self.assertIn('"d2^2"', self.good("base", "named.par", "--set", "LENGTH=0.5", "--quiet", "--format", "json"))

    def test_example_9_1(self):
        text = self.good("equations", "rx90", "--links", "3")
        for line in ("A13 = S23 XZ3 + C23 YZ3\n", "A22 = ZZ2 + IA2 + ZZ3 + 2 C3 D3 MX3 - 2 S3 D3 MY3 + D3^2 M3\n",
                     "A23 = ZZ3 + C3 D3 MX3 - S3 D3 MY3\n", "Q1 = 0\n", "Q3 = -G3 (C23 MX3 - S23 MY3)\n"):
            self.assertIn("\n" + line, text)
        rigid = self.good("equations", "rx90", "--links", "3", "--rigid")
        self.assertIn("\nA33 = ZZ3\n", rigid)
        self.assertNotIn("IA1", rigid)

    def test_rotors(self):
        self.assertIn("\nA11 = M1 + IA1\n", self.good("equations", "slide.yaml"))
        self.assertIn("\nA11 = M1\n", self.good("equations", "slide.yaml", "--rigid"))
        for robot in ("coupled-wrist", "rx90"):  # with a transmission matrix and without
            q = {f"q{j}": 0.3 * j - 1 for j in range(1, 7)}
            self.write("in.csv", ",".join(q) + "\n" + ",".join(map(repr, q.values())) + "\n")
            want = self.answer("eval", robot, "--want", "mass", "--in", "in.csv")["mass"]
            got = Formulas(self.good("equations", robot, "--what", "mass", "--inertia", "file")).values(q)
            for i in range(6):
                for j in range(i, 6):
                    self.assertLessEqual(abs(got[f"A{i + 1}{j + 1}"] - want[i][j]), CLOSE * max(1, abs(want[0][0])))

    def test_opposite_axes_have_differences(self):
        self.assertRegex(self.good("equations", "opposite.yaml", "--what", "gravity"), r"[SC]1m2")

    def test_a_slide_that_turns_nothing_leaves_sums_of_angles(self):
        for theta, sums in ((("0.3", "0", "0.2"), True), (("0", "0.3", "0"), False)):
            joints = [(kind, 0.2, 0, 0, t) for kind, t in zip(("revolute", "prismatic", "revolute"), theta)]
            self.write("r.yaml", robot_text(joints))
            text = self.good("equations", "r.yaml", "--what", "gravity", "--form", "expanded", "--quiet")
            self.assertEqual("C13" in text, sums, text)

    def test_offsets_along_an_axis_have_the_sign_of_the_file(self):
        for alpha in ("0", "pi", "pi/2", "-pi/2"):
            self.write("r.yaml", robot_text([("revolute", 0, 0, 0, 0), ("revolute", 0.2, "pi/2", 0, 0), ("revolute", 0.3, alpha, 0.15, 0)]))
            self.assertIn(", r3 = 0.15,", self.good("equations", "r.yaml", "--what", "mass", "--quiet"), alpha)

    def test_ten_and_more_joints(self):
        text = self.good("equations", "eleven in a row.yaml", "--what", "gravity", "--form", "expanded")
        self.assertIn("C1_2_3_4_5_6_7_8_9_10_11 MX11", text)

    def test_gravity_off(self):
        self.assertIn("\nQ1 = 0\n", self.good("equations", "slide.yaml", "--what", "gravity", "--gravity", "off"))

    def test_form_follows_the_length(self):
        self.assertIn("more than 300 terms", self.good("equations", "rx90", "--what", "id"))
        self.assertNotIn("\nt1 = ", self.good("equations", "rx90", "--links", "3", "--what", "id"))

    def test_latex(self):
        text = self.good("equations", "rx90", "--links", "3", "--latex", "--what", self.WHAT)
        for piece in ("\\begin{align*}", "\\end{align*}", "\\sin^{2} q_{2}", "\\dot{q}_{1}^{2}", "\\ddot{q}_{1}", "XX_{2}",
                      "\\cos(q_{2} + q_{3})", "\\tfrac{1}{2}", "\\tau_{3} &= "):
            self.assertIn(piece, text)
        self.assertEqual(text.count("{"), text.count("}"))
        self.assertIn("t_{1} &= ", self.good("equations", "rx90", "--latex", "--form", "listing"))

    def test_numbers_of_latex(self):
        for name in ("opposite", "skew", "branches", "turned slide"):
            for form in ("expanded", "listing"):
                self.check(name + ".yaml", "--form", form, "--latex")
        text = self.good("equations", "eleven in a row.yaml", "--what", "mass", "--form", "listing", "--latex")
        self.assertIn("  A_{9,11} &= ", text)
        self.assertIn("  A_{99} &= ", text)
        self.assertIn("\\sin(q_{11})", text)

    def test_refusals(self):
        self.refused(2, ['"mas"', 'did you mean "mass"'], "equations", "rx90", "--what", "mas")
        self.refused(2, ['""'], "equations", "rx90", "--what", "mass,")
        self.refused(2, ["--form"], "equations", "rx90", "--form", "short")
        for n in ("0", "-1", "2.5", "x", "1e9", "nan"):
            self.refused(2, ["--links"], "equations", "rx90", f"--links={n}")
        self.refused(1, ["rx90", "--links 7", "6 moving joints"], "equations", "rx90", "--links", "7")
        self.refused(1, ["torso2", "20000", "--form listing"], "equations", "torso2", "--what", "mass", "--form", "expanded")
        self.refused(1, ["nobody"], "equations", "nobody")
        self.refused(2, ["ROBOT"], "equations")


class Count(Case):
    def count(self, robot, *args):
        return self.answer("count", robot, "--quiet", *args)

    def test_published_counts(self):
        # ERRATA part two 2.1, expressions shared
        c = self.count("rx90", "--what", "id", "--with-wrench", "--as-written")["id"]
        self.assertEqual((c["mul"], c["add"], c["div"]), (292, 283, 0))
        c = self.count("rx90-simplified", "--what", "id", "--with-wrench", "--as-written", "--inertia", "file")["id"]
        self.assertEqual((c["mul"], c["add"]), (200, 153))

    def test_passes_never_cost(self):
        for robot in ("rx90", "scara", "stanford"):
            plain, less = self.count(robot, "--what", "id,mass", "--as-written"), self.count(robot, "--what", "id,mass")
            for what in plain:
                self.assertLessEqual(less[what]["mul"], plain[what]["mul"])
                self.assertLessEqual(less[what]["depth"], plain[what]["depth"])

    def test_one_slide(self):
        c = self.count("slide.yaml", "--what", "id,mass,gravity", "--rigid")
        self.assertEqual(c["id"]["mul"], 1)  # M (qdd - g)
        self.assertEqual(c["id"]["add"], 1)
        self.assertEqual(sum(c["mass"].values()), 0)
        self.assertEqual(sum(c["gravity"].values()), 0)

    def test_processors(self):
        one, many = (self.count("rx90", "--what", "id", "--processors", k)["id"] for k in ("1", "1000"))
        self.assertEqual(one["steps"], one["mul"] + one["add"])
        self.assertEqual(many["steps"], many["depth"])

    def test_refusals(self):
        self.refused(2, ['"ids"', 'did you mean "id"'], "count", "rx90", "--what", "ids")
        self.refused(2, ["--inertia"], "count", "rx90", "--inertia", "none")
        for k in ("0", "-2", "1.5", "many"):
            self.refused(2, ["--processors"], "count", "rx90", f"--processors={k}")
        self.refused(1, ["nobody"], "count", "nobody")


if __name__ == "__main__":
    main()
