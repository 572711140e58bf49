#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`arne base` and the regressors of `arne eval`: the tables and equations of the book, stored answers of others, robots small
enough for a count by hand, and refusals in one line. The program is $ARNE, or build/arne."""
import glob
import json
import math
import os

from support import TOP, Program, main

ROBOTS = os.environ.get("ARNE_ROBOTS", os.path.join(TOP, "robots"))
ANSWERS = os.path.join(TOP, "tests", "data", "seeds34")
CLOSE = 1e-9

RX90_EQUATIONS = """\
  ZZR1 = ZZ1 + IA1 + YY2 + YY3 + D3^2 (M3 + M4 + M5 + M6)
  XXR2 = XX2 - YY2 - D3^2 (M3 + M4 + M5 + M6)
  XZR2 = XZ2 - D3 MZ3
  ZZR2 = ZZ2 + IA2 + D3^2 (M3 + M4 + M5 + M6)
  MXR2 = MX2 + D3 (M3 + M4 + M5 + M6)
  XXR3 = XX3 - YY3 + YY4 + 2*RL4 MZ4 + RL4^2 (M4 + M5 + M6)
  ZZR3 = ZZ3 + YY4 + 2*RL4 MZ4 + RL4^2 (M4 + M5 + M6)
  MYR3 = MY3 + MZ4 + RL4 (M4 + M5 + M6)
  XXR4 = XX4 - YY4 + YY5
  ZZR4 = ZZ4 + YY5
  MYR4 = MY4 - MZ5
  XXR5 = XX5 - YY5 + YY6
  ZZR5 = ZZ5 + YY6
  MYR5 = MY5 + MZ6
  XXR6 = XX6 - YY6
"""

RX90_TABLE = """\
1 j1 0 0 0 0 0 ZZR1 0 0 0 0 0
2 j2 XXR2 XY2 XZR2 0 YZ2 ZZR2 MXR2 MY2 0 0 0
3 j3 XXR3 XY3 XZ3 0 YZ3 ZZR3 MX3 MYR3 0 0 IA3
4 j4 XXR4 XY4 XZ4 0 YZ4 ZZR4 MX4 MYR4 0 0 IA4
5 j5 XXR5 XY5 XZ5 0 YZ5 ZZR5 MX5 MYR5 0 0 IA5
6 j6 XXR6 XY6 XZ6 0 YZ6 ZZ6 MX6 MY6 0 0 IA6
"""

# Robots in modified DH: type, alpha, a, d, theta of each joint; gravity; kept parameters by hand or by [ERRATA part two 3.3].
BY_HAND = {
    "pendulum": ("R 0 0 0 0", "[0, -9.81, 0]", "ZZ1 MX1 MY1"),
    "vertical axis": ("R 0 0 0 0", "[0, 0, -9.81]", "ZZ1"),
    "slide": ("P 0 0 0 0", "[0, 0, -9.81]", "M1 IA1"),
    "level slide": ("P pi/2 0 0 0", "[0, 0, -9.81]", "M1"),
    "cartesian, first up": ("P 0 0 0 0; P pi/2 0 0 pi/2; P pi/2 0 0 0", "[0, 0, -9.81]", "M1 IA1 M2 M3"),
    "cartesian, last up": ("P pi/2 0 0 pi/2; P pi/2 0 0 pi/2; P pi/2 0 0 0", "[0, 0, -9.81]", "M1 M2 M3 IA3"),
    "planar 3R, level": ("R 0 0 0 0; R 0 0.5 0 0; R 0 0.4 0 0", "[0, 0, -9.81]", "ZZ1 ZZ2 MX2 MY2 IA2 ZZ3 MX3 MY3 IA3"),
    "offsets that cancel at q = 0": ("R 0 0 0 0; R 0 0.5 0 0; R 0 -0.5 0 0", "[0, 0, -9.81]",
                                     "ZZ1 ZZ2 MX2 MY2 IA2 ZZ3 MX3 MY3 IA3"),
    "two axes on one line": ("R 0 0 0 0; R 0 0 0.3 0", "[0, 0, -9.81]", "ZZ1 ZZ2 IA2"),
    "concurrent, no gravity": ("R 0 0 0 0; R pi/2 0 0.2 0", "[0, 0, 0]", "ZZ1 XX2 XY2 XZ2 YZ2 ZZ2"),
    "oblique": ("R 0 0 0 0; R pi/5 0.3 0.2 0", "[0, 0, -9.81]", "ZZ1 XX2 XY2 XZ2 YZ2 ZZ2 MX2 MY2 IA2"),
}


def yaml_of(joints, gravity):
    text = "name: r\ngravity: %s\nconvention: mdh\njoints:\n" % gravity
    for i, joint in enumerate(joints):
        kind, alpha, a, d, theta = joint
        text += "  - name: j%d\n    type: %s\n    alpha: %s\n    a: %s\n    d: %s\n    theta: %s\n" % (
            i + 1, "prismatic" if kind == "P" else "revolute", alpha, a, d, theta)
        text += "    link: {mass: 2, com: [0.1, 0.2, 0.3], inertia: {xx: 1, xy: 0.01, xz: 0, yy: 1.1, yz: 0, zz: 1.2, about: com}}\n"
        text += "    motor: {inertia: 0.1, gear: 1}\n"
    return text


class Base(Program):
    def base(self, robot, *more):
        return self.answer("base", robot, *more)

    def shipped(self, name):
        return os.path.join(ROBOTS, name + ".yaml")

    def test_the_page_for_people_is_that_of_the_book(self):
        page = self.good("base", self.shipped("rx90"))
        self.assertTrue(page.startswith("rx90: 40 base inertial parameters, 36 without rotor inertias\n"))
        self.assertIn(RX90_EQUATIONS, page)
        rows = [" ".join(line.split()) for line in page.splitlines()]
        for row in RX90_TABLE.splitlines():
            self.assertIn(row, rows)
        self.assertIn("no effect: XX1 XY1 XZ1 YY1 YZ1 MX1 MY1 MZ1 M1 MZ2 M2\n", page)

    def test_zeros_of_the_file_leave_nineteen(self):
        self.assertEqual(self.base(self.shipped("rx90-simplified"))["count"], 40)
        b = self.base(self.shipped("rx90-simplified"), "--inertia", "file")
        self.assertEqual(" ".join(p["name"] for p in b["parameters"]),
                         "ZZ1 XX2 ZZ2 MX2 MY2 XX3 ZZ3 MY3 IA3 XX4 ZZ4 IA4 XX5 ZZ5 MY5 IA5 XX6 ZZ6 IA6")

    def test_robots_counted_by_hand(self):
        for name, (joints, gravity, kept) in BY_HAND.items():
            robot = self.write("r.yaml", yaml_of([j.split() for j in joints.split("; ")], gravity))
            b = self.base(robot)
            self.assertTrue(b["closed_form"], name)
            names = [p["name"] for p in b["parameters"]]
            self.assertEqual(" ".join(names), kept, name)
            self.assertEqual(sorted(names + b["no_effect"] + b["grouped"]),
                             sorted(p + str(j + 1) for j in range(len(joints.split("; ")))
                                    for p in "XX XY XZ YY YZ ZZ MX MY MZ M IA".split()), name)
            links = self.base(robot, "--no-rotors")
            self.assertEqual(links["count"], b["count_without_rotors"], name)
            self.assertEqual(sorted([p["name"] for p in links["parameters"]] + links["no_effect"] + links["grouped"]),
                             sorted(p for p in names + b["no_effect"] + b["grouped"] if not p.startswith("IA")), name)

    def test_inertias_do_not_matter(self):
        robot = self.write("r.yaml", yaml_of([["R", "0", "0", "0", "0"], ["P", "pi/5", "0.2", "0", "0.3"], ["R", "1", "0", "0.1", "0"]],
                                             "[0, 0, -9.81]"))
        full = self.base(robot)
        empty = "".join(l + "\n" for l in self.read(robot).splitlines() if "link:" not in l and "motor:" not in l)
        self.assertEqual(self.base(self.write("e.yaml", empty)), full)

    def test_answers_of_others(self):
        for path in glob.glob(os.path.join(ANSWERS, "base_*.json")):
            with open(path) as f:
                d = json.load(f)
            n = len(d["sigma"])
            joints = [["P" if d["sigma"][i] else "R"] + ["%.17g" % d[k][i] for k in ("alpha", "d", "r0", "theta0")] for i in range(n)]
            robot = self.write("r.yaml", yaml_of(joints, "[%.17g, %.17g, %.17g]" % tuple(d["g"])))
            b = self.base(robot)
            self.assertEqual([p["name"] for p in b["parameters"]], d["base"])
            self.assertEqual((b["no_effect"], b["grouped"]), (d["no_effect"], d["grouped"]))
            for s in d["states"]:
                head = ",".join("%s%d" % (k, i + 1) for k in ("q", "qd", "qdd") for i in range(n))
                row = ",".join("%.17g" % x for k in ("q", "qp", "qpp") for x in s[k])
                states = self.write("s.csv", head + "\n" + row + "\n")
                Y = self.answer("eval", robot, "--want", "base_regressor", "--in", states)["base_regressor"]
                for k, name in enumerate(d["base"]):
                    for i in range(n):
                        self.assertAlmostEqual(Y[i][k], s["regressor_base"][name][i], delta=CLOSE * max(1, abs(Y[i][k])))

    def test_expressions_are_worth_their_coefficients(self):
        for name in ("rx90", "scara", "stanford", "torso2", "gantry", "ur5e"):
            b = self.base(self.shipped(name))
            values = {}
            for i, f in enumerate(b["frames"]):
                values.update({k + str(i + 1): f[k] for k in ("gamma", "b", "alpha", "d", "theta", "r") if k in f})
            for p in b["parameters"]:
                for t in p["terms"]:
                    value = eval(t["expression"].replace("^", "**"), {"sin": math.sin, "cos": math.cos, "__builtins__": {}}, values)
                    self.assertAlmostEqual(value, t["coefficient"], delta=1e-12, msg=name + " " + p["name"])

    def test_canonical_frames_are_printed(self):
        self.assertIn("canonical modified Denavit-Hartenberg", self.good("base", self.shipped("ur5e")))
        self.assertIn("as the file gives them", self.good("base", self.shipped("rx90")))

    def test_regressor_times_parameters_is_id(self):
        # pendulum about z, gravity along -y: M = 2, MX = 0.2, MY = 0.4, ZZ = 1.2 + 2 (0.1^2 + 0.2^2), IA = 0.1
        robot = self.write("r.yaml", yaml_of([["R", "0", "0", "0", "0"]], "[0, -9.81, 0]"))
        states = self.write("s.csv", "q1,qd1,qdd1\n0.5,1.5,-0.3\n")
        r = self.answer("eval", robot, "--want", "id,regressor", "--in", states)
        K = dict(ZZ=1.3, MX=0.2, MY=0.4, IA=0.1)
        columns = "XX XY XZ YY YZ ZZ MX MY MZ M IA".split()
        self.assertAlmostEqual(sum(y * K.get(c, 7) for y, c in zip(r["regressor"][0], columns)), r["id"][0], delta=1e-13)
        p = self.answer("eval", robot, "--want", "regressor", "--order", "pinocchio", "--friction-columns", "--in", states)["regressor"][0]
        order = "M MX MY MZ XX XY YY XZ YZ ZZ IA".split()
        self.assertEqual([r["regressor"][0][columns.index(c)] for c in order] + [1.5, 1], p)
        rigid = self.answer("eval", robot, "--want", "base_regressor", "--rigid", "--in", states)
        self.assertEqual(len(rigid["base_regressor"][0]), 3)
        head = self.good("eval", robot, "--want", "base_regressor", "--in", states, "--format", "csv").splitlines()[0]
        self.assertEqual(head, "base_regressor.j1.ZZ1,base_regressor.j1.MX1,base_regressor.j1.MY1")

    def test_refusals(self):
        for arguments, status in ((["base"], 2), (["base", "nosuch"], 1), (["base", self.shipped("rx90"), "--format", "xml"], 2),
                                  (["base", self.shipped("rx90"), "--gravity", "down"], 2),
                                  (["base", self.write("r.yaml", "joints: 3\n")], 1),
                                  (["eval", self.shipped("rx90"), "--want", "regressor", "--order", "mine"], 2)):
            self.refused(status, "", *arguments)


if __name__ == "__main__":
    main()
