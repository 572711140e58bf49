#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`arne excite` from outside: motions that `feasible` takes, a series that can be computed by hand, limits that are assumed and
said, how bad input is refused. The program is $ARNE, or build/arne."""
import json
import math

from support import Program, lift, main

QUICK = ["--random", "40", "--starts", "1", "--steps", "40", "--quiet"]


class Excitation(Program):
    FILES = {"lift.yaml": lift("lower: -1, upper: 5, velocity: 2, effort: 40"), "free.yaml": lift("effort: 40"),
             "weak.yaml": lift("lower: -1, upper: 5, velocity: 2, effort: 19")}

    def excite(self, robot, *args):
        return self.answer("excite", robot, *QUICK, *args)

    def test_the_motion_is_the_series_and_feasible(self):
        v = self.excite("scara", "--time", "5", "--out", "m.csv", "--periods", "2", "--dt", "0.02")
        rows = self.table("m.csv")
        self.assertEqual(len(rows), 501)
        f = v["fourier"]
        w = 2 * math.pi * f["frequency"]
        for row in rows[::50]:
            t = float(row["t"])
            for i in range(4):
                q = f["mean"][i] + sum(f["sine"][k][i] * math.sin((k + 1) * w * t) + f["cosine"][k][i] * math.cos((k + 1) * w * t)
                                       for k in range(v["harmonics"]))
                self.assertAlmostEqual(float(row["q%d" % (i + 1)]), q, delta=1e-9)
        for row in (rows[0], rows[250], rows[500]):
            for i in range(1, 5):
                self.assertLess(abs(float(row["qd%d" % i])), 1e-9)
                self.assertLess(abs(float(row["qdd%d" % i])), 1e-8)
        self.assertTrue(self.answer("feasible", "scara", "--in", "m.csv")["feasible"])
        self.assertGreater(v["better"], 1)
        self.assertAlmostEqual(v["better"], v["random"]["condition"] / v["condition"])
        self.assertEqual(json.loads(self.read("m.json"))["verdict"], "feasible")

    def test_the_torques_of_the_file_are_those_of_the_robot(self):
        self.excite("lift.yaml", "--time", "3", "--out", "m.csv")
        for row in self.table("m.csv")[::30]:
            self.assertAlmostEqual(float(row["tau1"]), 2 * (9.81 + float(row["qdd1"])), delta=1e-9)

    def test_the_table_tells_of_the_motion(self):
        """2 m/s, by 2 (9.81 + qdd) N of 40; nine tenths of them are the limits"""
        lines = self.good("excite", "lift.yaml", *QUICK, "--time", "3", "--out", "m.csv", "--dt", "0.001", "--acceleration", "5").splitlines()
        head, line = (next(x for x in lines if x.startswith(word)) for word in ("  joint ", "  z "))
        self.assertEqual((len(line), line.index("z")), (len(head), head.index("joint")))  # numbers end where their names do
        told = [float(x) for x in line.split()[1:]]
        rows = self.table("m.csv")
        q, qd, qdd = ([row[c] for row in rows] for c in ("q1", "qd1", "qdd1"))
        force = 2 * (9.81 + max(qdd))
        should = [min(q), max(q), 2 - 0.9 * 3, 2 + 0.9 * 3, max(map(abs, qd)) / 1.8 * 100, max(map(abs, qdd)) / 4.5 * 100, force, force / 36 * 100]
        self.assertEqual(len(told), len(should))
        for x, y, digits in zip(told, should, 4 * [2e-3] + 2 * [1] + [0.05, 1]):
            self.assertAlmostEqual(x, y, delta=digits)

    def test_the_same_seed_gives_the_same_motion(self):
        a, b, c = (self.excite("planar2r", "--seed", s)["fourier"] for s in "778")
        self.assertEqual(a, b)
        self.assertNotEqual(a, c)

    def test_a_payload_is_part_of_the_robot(self):
        light, heavy = (self.excite("lift.yaml", *more)["joints"][0]["peak_torque"] for more in ([], ["--payload", "z=1.5,0,0,0"]))
        self.assertGreater(light, 2 * 9.81)
        self.assertGreater(heavy, 3.5 * 9.81)
        self.assertLess(heavy, 0.9 * 40)

    def test_what_is_switched_off_is_not_identified(self):
        v = self.excite("puma560", "--rigid", "--time", "5")
        self.assertEqual((v["base_parameters"], v["friction_parameters"]), (self.answer("base", "puma560")["count_without_rotors"], 0))
        weightless = self.excite("planar2r", "--gravity", "off")
        self.assertEqual(weightless["base_parameters"], self.answer("base", "planar2r", "--gravity", "off")["count"])

    def test_limits_that_are_not_there_are_assumed_and_said(self):
        v = self.excite("free.yaml")["joints"][0]
        self.assertTrue(v["assumed_range"] and v["assumed_velocity"] and v["assumed_acceleration"])
        text = self.good("excite", "free.yaml", *QUICK)
        for word in ("position", "speed", "acceleration"):
            self.assertIn("no limit of %s: all joints" % word, text)
        self.assertNotIn("no limit of torque", text)

    def test_bad_input_is_refused(self):
        for args, word in ((["--box", "1,2"], "six numbers"), (["--harmonics", "2"], "3 to 64"), (["--scale", "0"], "part of the limits"),
                           (["--time", "-1"], "--time"), (["--from", "0,0"], "--amplitude"), (["--link", "j2"], "--box"),
                           (["--random", "2.5"], "whole number"), (["--out", "m.json"], "motion.csv"),
                           (["--noise", "1"], "one a joint")):
            self.refused(2, word, "excite", "planar2r", *args)
        for args, word in ((["weak.yaml"], "carry"), (["planar2r", "--box", "5,5,5,6,6,6"], "is the box where the hand can be"),
                           (["satellite"], "--base fixed"), (["planar2r", "--from", "9,9", "--amplitude", "0.1"], "no room")):
            self.refused(1, word, "excite", *args[:1], *QUICK, *args[1:])


if __name__ == "__main__":
    main()
