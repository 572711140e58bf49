#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Equations for people: nothing that has a unit is dropped because it is 1, files of symbols need no numbers, textbooks have names
of their own. Formulas are judged by what they give for numbers, and by the arm that every textbook has. The program is $ARNE, or
build/arne."""
import re

import symbolic_test
from support import Program, main

PAR = """(* Robotname = 'two' *)
NL = 2
NJ = 2
NF = 2
Type = 0
Ant = {0,1}
Sigma = {0,0}
B = {0,0}
d = {0,L1}
R = {0,H}
gamma = {0,0}
Alpha = {ALPHA,0}
Theta = {t1,t2}
XX = {XX1,XX2}
XY = {XY1,XY2}
XZ = {XZ1,XZ2}
YY = {YY1,YY2}
YZ = {YZ1,YZ2}
ZZ = {ZZ1,ZZ2}
MX = {MX1,MX2}
MY = {MY1,0}
MZ = {MZ1,MZ2}
M = {M1,M2}
IA = {IA1,IA2}
FV = {FV1,FV2}
FS = {FS1,FS2}
FX = {0,FX2}
G = {0,0,G3}
"""


class OnPaper(symbolic_test.Equations):
    """The formulas of textbook names give the numbers of eval."""

    def robots(self):
        return ["scara", "puma560", "stanford", "gantry"]

    def check(self, robot, *options):
        super().check(robot, *options, "--names", "textbook")

    def test_expanded_planar_robots(self):
        for robot in ("planar2r", "planar3r"):
            self.check(robot, "--form", "expanded")


for name in list(vars(symbolic_test.Equations)):
    if name.startswith("test_") and name not in ("test_listings_of_all_shipped_robots", "test_awkward_robots", "test_an_offset_behind_half_a_turn"):
        setattr(OnPaper, name, None)


def value(text, what, known):
    """A formula of printed equations, S and C of its angles given."""
    found = re.search(r"^%s = (.*(?:\n .*)*)$" % what, text, re.M).group(1)
    return eval(symbolic_test.Formulas.python(found.replace("\n", " ")), {}, known)


class Equations(Program):
    FILES = {"two.par": PAR}

    def test_a_length_of_one_metre_is_a_length(self):
        text = self.good("equations", "planar2r")
        self.assertIn("d2 = 1", text)
        self.assertIn("\nA11 = ZZ1 + ZZ2 + 2 C2 d2 MX2 - 2 S2 d2 MY2 + d2^2 M2\n", text)
        self.assertIn("C1 d2 M2", text)
        listing = self.good("equations", "planar2r", "--form", "listing")
        self.assertRegex(listing, r"d2")
        # as many kg m^2 in the result as lengths in each term: twice the length is what it says
        self.write("unit.par", PAR.replace("ALPHA", "0").replace("G3", "-1").replace("M2", "1"))
        text = self.good("equations", "unit.par", "--set", "L1=1", "--set", "MX1=1", "--inertia", "file", "--quiet")
        self.assertIn("L1^2 M2", text)
        self.assertIn("M2 = 1", text)

    def test_a_one_leads(self):
        """A11 has SS2 XX2 + 2 CS2 XY2 + CC2 YY2, and d/dq2 of it is 2 (CS2 XX2 - (1 - 2 CC2) XY2 - CS2 YY2)"""
        text = self.good("equations", "puma560", "--links", "2", "--what", "coriolis", "--form", "expanded")
        self.assertIn("c1 = 2 qd1 qd2 (CS2 XX2 - (1 - 2 CC2) XY2 - CS2 YY2)\n", text)

    def test_a_mass_of_one_kilogram_is_a_mass(self):
        self.write("slide.yaml", "name: slide\nconvention: urdf\ngravity: [0, 0, -1]\njoints:\n"
                                 "  - {name: z, type: prismatic, axis: [0, 0, 1], link: {mass: 1}}\n")
        text = self.good("equations", "slide.yaml", "--inertia", "file", "--what", "mass,gravity")
        self.assertIn("\nA11 = M1\n", text)
        self.assertIn("\nQ1 = -G3 M1\n", text)
        self.assertIn("# M1 = 1\nA11 = M1\n", self.good("equations", "slide.yaml", "--inertia", "file", "--what", "mass"))

    def test_symbols_need_no_numbers(self):
        text = self.good("equations", "two.par")
        self.assertNotRegex(text, r"\d\.\d")
        self.assertNotRegex(text, r"[A-Za-z]\w* = \d")
        known = {n: 0.3 + 0.07 * i for i, n in enumerate(["L1", "H", "MX2", "MY2", "M2", "ZZ1", "ZZ2", "IA1", "C2", "S2"])}
        L, MX, M, C = known["L1"], known["MX2"], known["M2"], known["C2"]
        should = known["ZZ1"] + known["IA1"] + known["ZZ2"] + L * L * M + 2 * L * (C * MX - known["S2"] * known["MY2"])
        self.near(value(text, "A11", known), should)
        self.assertIn("L1 = 0.5", self.good("equations", "two.par", "--set", "L1=0.5"))
        # what is zero in the file is left out
        self.assertNotIn("MY2", self.good("equations", "two.par", "--inertia", "file"))

    def test_base_parameters_of_symbols(self):
        text = self.good("base", "two.par")
        self.assertIn("ZZR1 = ZZ1 + IA1 + L1^2 M2\n", text)
        self.assertNotRegex(text, r"\d\.\d")
        self.assertRegex(text, r"j2 +1 +0 +0 +0 +L1 +0 +H\n")
        a = self.answer("base", "two.par")
        term = next(t for p in a["parameters"] for t in p["terms"] if p["name"] == "ZZ1" and t["parameter"] == "M2")
        self.assertEqual(term, {"parameter": "M2", "coefficient": None, "expression": "d2^2"})
        self.assertIsNone(a["frames"][1]["d"])
        self.assertEqual(a["frames"][1]["gamma"], 0)
        with_number = self.answer("base", "two.par", "--set", "L1=0.5")
        term = next(t for p in with_number["parameters"] for t in p["terms"] if p["name"] == "ZZ1" and t["parameter"] == "M2")
        self.assertEqual(term["coefficient"], 0.25)

    def test_operations_of_symbols(self):
        sets = [x for i, n in enumerate(re.findall(r"\b(?:[XYZ]{2}|M[XYZ]?|IA|F[VS])[12]\b|L1|ALPHA|G3|\bH\b", PAR))
                for x in ("--set", "%s=%r" % (n, 0.31 + 0.01 * i))]
        for more in ([], ["--inertia", "file"], ["--params", "base"]):
            self.assertEqual(self.answer("count", "two.par", *more), self.answer("count", "two.par", "--quiet", *sets, *more))

    def test_a_symbol_along_an_axis_needs_no_number(self):
        """H lifts the second link: in the potential energy alone"""
        self.write("flat.par", PAR.replace("ALPHA", "0"))
        for more, wanted in (([], False), (["--set", "H=0.25"], True), (["--set", "L1=0.5"], False)):
            text = self.good("equations", "flat.par", "--what", "energy", "--form", "expanded", *more)
            self.assertRegex(re.search(r"^U = .*(?:\n .*)*", text, re.M)[0], r"\bH\b")
            self.assertEqual("H = " in text, wanted)
            self.assertEqual("H = 0.25" in text, wanted)
            self.assertEqual("L1 = 0.5" in text, "L1=0.5" in more)

    def test_terms_in_the_order_in_which_people_write_them(self):
        """Accelerations, velocities, gravity; of an inertia xx before xy before yy."""
        rising = lambda text, *words: self.assertEqual(sorted(words, key=text.index), list(words), text)  # noqa: E731
        line = lambda text, name: re.search(r"^%s = .*(?:\n .*)*" % name, text, re.M)[0]  # noqa: E731
        velocities = {"tau1": ["qd1 qd2", "qd1 qd3", "qd2^2", "qd2 qd3", "qd3^2"],
                      "tau2": ["qd1^2", "qd1 qd3", "qd2 qd3", "qd3^2"], "tau3": ["qd1^2", "qd1 qd2", "qd2^2"]}
        for names, gravity, inertia in (("khalil", "G2", ("XX2", "XY2", "YY2", "XZ2", "YZ2")),
                                        ("textbook", "g", ("Ixx2", "Ixy2", "Iyy2", "Ixz2", "Iyz2"))):
            text = self.good("equations", "planar3r", "--what", "id", "--names", names, "--form", "expanded")
            for torque, squares in velocities.items():
                keys = re.findall(r"(?:=|^ +[+-])(?: 2)? ((?:qd+\d(?:\^2)?)(?: qd\d)?|g|G\d)\b", line(text, torque), re.M)
                self.assertEqual(keys, ["qdd1", "qdd2", "qdd3", *squares, gravity], line(text, torque))
            text = self.good("equations", "rx90", "--links", "2", "--what", "mass", "--names", names, "--inertia", "general",
                             "--form", "expanded")
            rising(line(text, "A11"), *inertia[:3])
            rising(line(text, "A12"), *inertia[3:])

    def test_rounding_is_not_written(self):
        """Bodies whose axes are principal ones about the centre of mass: no product of inertia, whatever the numbers."""
        link = "link: {mass: %g, com: [%g, %g, %g], inertia: {xx: 0.1, yy: 0.2, zz: 0.25, xy: 0, xz: 0, yz: 0, about: com}}"
        text = "name: round\nconvention: mdh\njoints:\n"
        for i in range(5):
            text += ("  - {name: j%d, type: revolute, alpha: pi/2, a: 0.3, d: 0.1, theta: 0, " % i
                     + link % (0.7 + 0.37 * i, 0.11 + 0.13 * i, 0.17 + 0.07 * i, 0.19 - 0.03 * i) + "}\n")
        self.write("round.yaml", text)
        text = self.good("equations", "round.yaml", "--what", "mass", "--names", "textbook", "--form", "listing",
                         "--inertia", "file")
        self.assertIn("Iyy3 = 0.2,", text)
        self.assertNotRegex(text.split("is not written.")[1], "Ixy|Ixz|Iyz")

    def test_other_commands_say_which_symbol_needs_a_number(self):
        for command in (["info"], ["eval", "--want", "id"], ["codegen", "--out", "code"], ["convert", "--to", "yaml"]):
            self.refused(1, ["two.par:24:", "IA1", "--set IA1=VALUE", "equations"], command[0], "two.par", *command[1:], "--set", "ALPHA=1",
                         "--set", "H=0.2")
        # a number of joints is no symbol, nor is what turns a joint beside its variable
        self.write("bad.par", PAR.replace("NL = 2", "NL = N"))
        self.refused(1, ["bad.par:2:", "N"], "equations", "bad.par")
        self.write("bad.par", PAR.replace("t2", "t2+OFF"))
        self.refused(1, ["bad.par:13:", "--set OFF=VALUE"], "equations", "bad.par")

    def test_the_arm_of_the_textbooks(self):
        text = self.good("equations", "planar2r", "--names", "textbook", "--what", "mass,coriolis,gravity")
        known = dict(m1=1.1, m2=1.2, l1=1.3, lc1=0.4, lc2=0.5, I1=0.6, I2=0.7, C2=0.8, S2=0.9, C1=0.15, C12=0.25, g=9.81, qd1=2.1, qd2=-1.7)
        k = known
        h = k["m2"] * k["l1"] * k["lc2"]
        near = lambda name, should: self.near(value(text, name, known), should)  # noqa: E731
        near("A11", k["m1"] * k["lc1"] ** 2 + k["I1"] + k["m2"] * (k["l1"] ** 2 + k["lc2"] ** 2) + 2 * h * k["C2"] + k["I2"])
        near("A12", k["m2"] * k["lc2"] ** 2 + h * k["C2"] + k["I2"])
        near("A22", k["m2"] * k["lc2"] ** 2 + k["I2"])
        near("c1", -h * k["S2"] * (2 * k["qd1"] * k["qd2"] + k["qd2"] ** 2))
        near("c2", h * k["S2"] * k["qd1"] ** 2)
        near("Q1", k["g"] * ((k["m1"] * k["lc1"] + k["m2"] * k["l1"]) * k["C1"] + k["m2"] * k["lc2"] * k["C12"]))
        near("Q2", k["g"] * k["m2"] * k["lc2"] * k["C12"])
        self.assertIn("m1 = 3, lc1 = 0.5, I1 = 0.25, l1 = 1", text)
        self.assertNotIn("Ixx2", text)  # no effect on a planar arm
        latex = self.good("equations", "planar2r", "--names", "textbook", "--latex")
        self.assertIn("A_{22} &= l_{c2}^{2} m_{2} + I_{2}", latex)

    def test_the_planar_arm_of_three(self):
        for x, y in zip(self.answer("eval", "planar3r", "--want", "gravity")["gravity"], (33.354, 6.3765, 0.4905)):
            self.near(x, y)
        hand = self.answer("eval", "planar3r", "--want", "pose")["pose"]["position"]
        self.near(hand[0], 1.1)  # the end of the third rod
        text = self.good("equations", "planar3r", "--names", "textbook")
        self.assertIn("A33 = lc3^2 m3 + I3\n", text)
        self.assertIn("L1 = 0.5", text)

    def test_textbook_names_of_general_bodies(self):
        text = self.good("equations", "planar2r", "--names", "textbook", "--inertia", "general")
        self.assertIn("A22 = (lcx2^2 + lcy2^2) m2 + I2\n", text)
        self.assertNotIn("m1 = ", text)
        self.assertIn("Izz", self.good("equations", "rx90", "--links", "2", "--names", "textbook"))
        # of a symbol nobody knows the sign: gravity keeps its name
        self.assertIn("G2", self.good("equations", "two.par", "--set", "ALPHA=pi/2".replace("pi/2", "1.5707963267948966"),
                                      "--names", "textbook", "--what", "gravity"))


if __name__ == "__main__":
    main()
