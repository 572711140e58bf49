#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`arne elastic` and `eval --want elastic` from outside: one swinging bar by hand, the experiment of seed 002, how bad input is refused.

The program is $ARNE, or build/arne."""
import json
import math
import os
import re
import shutil
import subprocess
import unittest

from support import TOP, Program, main

EXPERIMENT = os.path.join(TOP, "tests", "data", "seeds012", "kuka_lwr_7R.experiment.json")

# A bar of 2 kg on a horizontal axis, mass centre 0.5 m out: tau_e = J qdd - m g c cos q, J = 0.2 + 2 * 0.25 = 0.7.
BAR = """\
name: bar
convention: urdf
joints:
  - name: hinge
    type: revolute
    axis: [0, 1, 0]
    motor: {inertia: 0.003, gear: 10}
    elastic: {stiffness: 500}
    link: {mass: 2, com: [0.5, 0, 0], inertia: {xx: 0.01, xy: 0, xz: 0, yy: 0.2, yz: 0, zz: 0.2, about: com}}
"""
J, MGC, B, K = 0.7, 2 * 9.81 * 0.5, 0.3, 500.0


def swing(t, order):
    """0.4 sin 2t and its derivatives"""
    return 0.4 * 2**order * math.sin(2 * t + order * math.pi / 2)


def rows(f, count, duration, digits=17):
    text = "t,q1\n"
    for k in range(count):
        t = duration * k / (count - 1)
        text += "%.17g,%.*g\n" % (t, digits, f(t))
    return text


class Case(Program):
    FILES = {"bar.yaml": BAR}


class Eval(Case):
    def test_a_bar_by_hand(self):
        q, qd, qdd, qddd, qdddd = 0.3, 0.7, -1.1, 2.0, -5.0
        e = self.answer("eval", "bar.yaml", "--want", "elastic", "--in", "-",
                        stdin="q1,qd1,qdd1,qddd1,qdddd1\n%r,%r,%r,%r,%r\n" % (q, qd, qdd, qddd, qdddd))["elastic"]
        # the axis is +y: a positive angle lowers the bar, so the torque of gravity is -m g c cos q
        tau_e = J * qdd - MGC * math.cos(q)
        dtau_e = J * qddd + MGC * math.sin(q) * qd
        ddtau_e = J * qdddd + MGC * (math.cos(q) * qd**2 + math.sin(q) * qdd)
        want = {"tau_e": tau_e, "dtau_e": dtau_e, "ddtau_e": ddtau_e, "theta": q + tau_e / K, "dtheta": qd + dtau_e / K,
                "ddtheta": qdd + ddtau_e / K, "tau": B * (qdd + ddtau_e / K) + tau_e}
        for key, value in want.items():
            self.assertAlmostEqual(e[key][0], value, delta=1e-12 * max(1, abs(value)), msg=key)

    def test_a_polynomial_spring(self):
        self.write("bar.yaml", BAR.replace("stiffness: 500", "stiffness: [500, 2e5, 1e6]"))
        e = self.answer("eval", "bar.yaml", "--want", "elastic", "--in", "-", stdin="q1\n0.2\n")["elastic"]
        x = e["theta"][0] - 0.2
        self.assertAlmostEqual(500 * x + 2e5 * x**3 + 1e6 * x**5, -MGC * math.cos(0.2), delta=1e-9)

    def test_a_polynomial_spring_is_written_as_it_was_read(self):
        self.write("bar.yaml", BAR.replace("stiffness: 500", "stiffness: [500, 2e5, 1e6], damping: 2"))
        self.assertEqual(self.run_arne("convert", "bar.yaml", "--to", "yaml", "--out", "again.yaml").returncode, 0)
        self.assertIn("elastic: {stiffness: [500, 200000, 1000000], damping: 2}", self.read("again.yaml"))

    def test_motor_friction_counts_and_rigid_takes_it_away(self):
        self.write("bar.yaml", BAR.replace("gear: 10", "gear: 10, viscous: 0.01, coulomb: 0.2"))
        row = "q1,qd1\n0.2,0.5\n"
        with_it = self.answer("eval", "bar.yaml", "--want", "elastic", "--in", "-", stdin=row)["elastic"]
        without = self.answer("eval", "bar.yaml", "--want", "elastic", "--rigid", "--in", "-", stdin=row)["elastic"]
        self.assertAlmostEqual(with_it["tau"][0] - without["tau"][0], 0.01 * 100 * with_it["dtheta"][0] + 0.2 * 10, delta=1e-12)


class Motions(Case):
    def judged(self, motion, *args):
        self.write("m.csv", motion)
        return self.answer("elastic", "bar.yaml", "--in", "m.csv", *args)

    def exact(self, count, duration):
        """largest deflection and difference from rigid, of the formulas by hand at the same times"""
        deflection = difference = 0
        for k in range(count):
            q, qd, qdd, _, qdddd = (swing(duration * k / (count - 1), r) for r in range(5))
            deflection = max(deflection, abs(J * qdd - MGC * math.cos(q)) / K)
            difference = max(difference, abs(B / K * (J * qdddd + MGC * (math.cos(q) * qd**2 + math.sin(q) * qdd))))
        return deflection, difference

    def test_positions_are_enough(self):
        want = self.exact(301, 3)
        for args in ([], ["--degree", "9"]):
            e = self.judged(rows(lambda t: swing(t, 0), 301, 3), *args)
            self.assertAlmostEqual(e["joints"][0]["max_deflection"], want[0], delta=1e-6 * want[0])
            self.assertAlmostEqual(e["joints"][0]["max_difference"], want[1], delta=1e-3 * want[1])
            self.assertIsNone(e["note"])

    def test_positions_with_few_digits_are_smoothed(self):
        want = self.exact(3001, 3)
        e = self.judged(rows(lambda t: swing(t, 0), 3001, 3, digits=8))
        self.assertGreater(e["fit"]["every"], 1)
        self.assertLess(e["fit"]["deviation"], 1e-6)
        self.assertAlmostEqual(e["joints"][0]["max_deflection"], want[0], delta=1e-3 * want[0])
        self.assertAlmostEqual(e["joints"][0]["max_difference"], want[1], delta=0.05 * want[1])

    def test_given_derivatives_are_used(self):
        text = "t,q1,qd1,qdd1,qddd1,qdddd1\n"
        for k in range(11):
            text += ",".join("%.17g" % x for x in [0.3 * k] + [swing(0.3 * k, r) for r in range(5)]) + "\n"
        e = self.judged(text)
        want = self.exact(11, 3)
        self.assertIsNone(e["fit"])
        self.assertEqual((e["samples"], round(e["duration"], 12)), (11, 3))
        self.assertAlmostEqual(e["joints"][0]["max_deflection"], want[0], delta=1e-12)
        self.assertAlmostEqual(e["joints"][0]["max_difference"], want[1], delta=1e-12)

    def test_rows_and_their_json(self):
        self.judged(rows(lambda t: swing(t, 0), 301, 3), "--out", "o.csv")
        table = self.table("o.csv")
        self.assertEqual(len(table), 301)
        for row in table[::50]:
            q, qdd = swing(row["t"], 0), swing(row["t"], 2)
            self.assertAlmostEqual(row["tau_e1"], J * qdd - MGC * math.cos(q), delta=1e-4)
            self.assertAlmostEqual(row["theta1"] - row["q1"], row["tau_e1"] / K, delta=1e-12)
            self.assertAlmostEqual(row["rigid1"], (J + B) * qdd - MGC * math.cos(q), delta=1e-4)
        j = json.loads(self.read("o.json"))
        self.assertEqual((j["arne"], j["dof"], j["joints"], j["status"]), ("elastic", 1, ["hinge"], "finished"))

    def test_the_experiment_of_seed_002(self):
        with open(EXPERIMENT) as f:
            d = json.load(f)
        text = "t," + ",".join("q%d" % (i + 1) for i in range(7)) + "\n"
        for k in range(401):
            x = k / 400
            s = x**4 * (35 - 84 * x + 70 * x**2 - 20 * x**3)
            way = [math.radians(a + s * b) for a, b in zip(d["start_deg"], d["displacement_deg"])]
            text += ",".join("%.17g" % v for v in [4 * x] + way) + "\n"
        self.write("m.csv", text)
        e = self.answer("elastic", os.path.join(TOP, "robots", "kuka-lwr.yaml"), "--in", "m.csv", "--quiet")
        for joint, deflection, difference, peak in zip(e["joints"], d["maxima"]["deflection_deg"], d["maxima"]["difference"],
                                                       d["maxima"]["tau"]):
            self.assertAlmostEqual(math.degrees(joint["max_deflection"]), deflection, delta=1e-6)
            self.assertAlmostEqual(joint["peak_tau"], peak, delta=1e-4)
            self.assertAlmostEqual(joint["max_difference"], difference, delta=1e-4)

    @unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot")
    def test_pictures(self):
        self.judged(rows(lambda t: swing(t, 0), 301, 3), "--plot", "o.svg")
        text = self.read("o.svg")
        self.assertTrue(text.lstrip().startswith("<?xml"))
        self.assertIn("deflections", text)

    def test_pictures_without_gnuplot(self):
        self.write("m.csv", rows(lambda t: swing(t, 0), 301, 3))
        os.mkdir(self.path("empty"))
        self.refused(1, "gnuplot", "elastic", "bar.yaml", "--in", "m.csv", "--plot", "o.svg", PATH=self.path("empty"))


class Generated(Case):
    """Code for one robot: the program that comes with it compares torques and two derivatives with Taylor series of the library."""

    def test_it_gives_the_answers_of_the_library(self):
        compiler = shutil.which("cc")
        self.assertIsNotNone(compiler, "no C compiler")
        # rotors grouped into links by base parameters or not, slides, branches
        for robot, options in (("kuka-lwr", []), ("kuka-lwr", ["--rigid"]), ("stanford", []), ("torso2", ["--params", "standard"])):
            path = os.path.join(TOP, "robots", robot + ".yaml")
            self.good("codegen", path, "--what", "elastic", "--name", "x", "--out", ".", "--test", "--quiet", *options)
            built = subprocess.run([compiler, "-std=c11", "-O1", "-ffp-contract=off", "x.c", "x_test.c", "-lm", "-o", "x"],
                                   cwd=self.folder, capture_output=True, text=True, timeout=120)
            self.assertEqual((built.returncode, built.stderr), (0, ""))
            ran = subprocess.run([self.path("x")], capture_output=True, text=True, timeout=60)
            self.assertEqual(ran.returncode, 0, (robot, options, ran.stdout))


class Refusals(Case):
    def refused_motion(self, says, motion, *args, status=1):
        self.write("m.csv", motion)
        self.refused(status, says, "elastic", "bar.yaml", "--in", "m.csv", *args)

    def assert_jump(self, name, text):
        """of this derivative, at t = 1.4 within a few of the 0.01 s between rows"""
        found = re.search("the %s of joint hinge jumps near t = ([0-9.]+) s" % name, text)
        self.assertIsNotNone(found, text)
        self.assertAlmostEqual(float(found.group(1)), 1.4, delta=0.05)

    def test_robots(self):
        self.write("m.csv", rows(lambda t: swing(t, 0), 101, 3))
        for old, new, says in (
            ("    elastic: {stiffness: 500}\n", "", "bar.yaml:4: joint 'hinge' has no stiffness"),
            ("stiffness: 500", "stiffness: -1", "bar.yaml:8"),
            ("stiffness: 500", "stiffness: [500, -1e9]", "must rise with the deflection"),
            ("stiffness: 500", "stiffness: [1, 2, 3, 4]", "not 4 numbers"),
            ("    motor: {inertia: 0.003, gear: 10}\n", "", "has no rotor inertia"),
            ("inertia: 0.003, gear", "inertia: 0, gear", "has no rotor inertia"),
            ("inertia: 0.003, gear", "inertia: -1, gear", "bar.yaml:7"),
        ):
            self.assertIn(old, BAR)
            self.write("bad.yaml", BAR.replace(old, new))
            says = says.replace("bar.yaml", "bad.yaml")
            self.refused(1, says, "elastic", "bad.yaml", "--in", "m.csv")
            self.refused(1, says, "eval", "bad.yaml", "--want", "elastic")

    def test_motions_that_are_not_smooth(self):
        for name, f in (
            ("velocity", lambda t: abs(t - 1.4)),
            ("acceleration", lambda t: abs(t - 1.4) * (t - 1.4)),
            ("jerk", lambda t: abs(t - 1.4) ** 3),
        ):
            self.write("m.csv", rows(f, 301, 3))
            r = self.run_arne("elastic", "bar.yaml", "--in", "m.csv")
            self.assertEqual((r.returncode, r.stdout, len(r.stderr.splitlines())), (1, "", 1))
            self.assert_jump(name, r.stderr)
        self.refused_motion("too few digits", rows(lambda t: swing(t, 0), 301, 3, digits=3))

    def test_a_jump_of_the_fourth_derivative_is_noted(self):
        self.write("m.csv", rows(lambda t: t**2 + (t - 1.4) ** 4 * (t > 1.4), 301, 3))
        e = self.answer("elastic", "bar.yaml", "--in", "m.csv")
        self.assert_jump("fourth derivative", e["note"])

    def test_files_and_options(self):
        self.refused_motion("too few", rows(lambda t: swing(t, 0), 9, 3))
        self.refused_motion("no column t", "q1\n0\n0\n")
        self.refused_motion("does not come after", "t,q1\n0,0\n0,0\n")
        self.refused_motion("needs columns q1", "t\n0\n1\n")
        self.refused_motion("no rows", "t,q1\n")
        self.refused_motion("--degree", rows(lambda t: swing(t, 0), 101, 3), "--degree", "8", status=2)
        self.refused_motion("--dt", "q1\n0\n", "--dt", "-1", status=2)
        self.refused_motion("cannot write", rows(lambda t: swing(t, 0), 101, 3), "--out", "nowhere/o.csv")
        self.refused(2, "--in FILE", "elastic", "bar.yaml")
        self.refused(1, "cannot open", "elastic", "bar.yaml", "--in", "nothing.csv")
        self.assertEqual([n for n in os.listdir(self.folder) if "part" in n], [])


if __name__ == "__main__":
    main()
