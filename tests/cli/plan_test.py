#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`arne plan` from outside: a lift by hand, its motion judged by `feasible`, the map of accelerations, how bad input is refused.

The program is $ARNE, or build/arne."""
import json
import math
import os

from support import Program, lift, main

# A lift of 2 kg: force = 2 (9.81 + qdd). 22 N carry it up with 1.19 m/s^2 and let it fall with 9.81 + 11 m/s^2.
LIFT = lift("lower: -1, upper: 5, velocity: 10, effort: 22")
UP = "q1\n0\n1\n"


class Case(Program):
    FILES = {"lift.yaml": LIFT, "up.csv": UP}

    def answer(self, *args, **more):
        return super().answer(*args, "--quiet", **more)

    def near(self, x, y, tolerance=0.01):
        super().near(x, y, tolerance)


class Timing(Case):
    def test_a_lift_rises_and_brakes(self):
        """up with a, down with b: the speeds meet where a s = b (1 - s)"""
        a, b = 1.19, 20.81
        top = math.sqrt(2 * a * b / (a + b))
        v = self.answer("plan", "lift.yaml", "--path", "up.csv", "--out", "out.csv")
        self.near(v["duration"], top / a + top / b)
        self.assertGreater(v["active"], 0.98)
        self.assertEqual([(x["kind"], x["joint"]) for x in v["limits"]], [("torque", "z")])
        self.near(v["joints"][0]["peak_torque"], 22, 0.001)
        self.assertGreater(v["uniform"], v["duration"])
        rows = self.table("out.csv")
        self.assertEqual(list(rows[0]), ["t", "q1", "qd1", "qdd1", "tau1"])
        self.assertEqual(len(rows), v["samples"])
        self.assertEqual((rows[0]["q1"], rows[-1]["q1"], rows[-1]["qd1"]), (0, 1, 0))
        for row in rows:
            self.near(row["tau1"], 2 * (9.81 + row["qdd1"]), 1e-9)
        self.assertIs(self.answer("feasible", "lift.yaml", "--in", "out.csv")["feasible"], True)

    def test_a_payload_makes_it_slower_and_stays_feasible(self):
        load = ["--payload", "z=0.2,0,0,0"]
        light = self.answer("plan", "lift.yaml", "--path", "up.csv")
        heavy = self.answer("plan", "lift.yaml", "--path", "up.csv", "--out", "out.csv", *load)
        self.assertGreater(heavy["duration"], light["duration"])
        self.assertIs(self.answer("feasible", "lift.yaml", "--in", "out.csv", *load)["feasible"], True)
        self.assertIs(self.answer("feasible", "lift.yaml", "--in", "out.csv", "--payload", "z=0.3,0,0,0")["feasible"], False)

    def test_shipped_robots_with_many_joints(self):
        for robot, n in (("kuka-lwr", 7), ("rx90", 6), ("coupled-wrist", 6), ("ur5e", 6)):
            names = ",".join("q%d" % (i + 1) for i in range(n))
            rows = ["".join("%s%.3f" % ("," if i else "", 0.5 * math.sin(1.3 * i + k)) for i in range(n)) for k in (0, 0.5, 1.2)]
            self.write("p.csv", names + "\n" + "\n".join(rows) + "\n")
            v = self.answer("plan", robot, "--path", "p.csv", "--out", "out.csv")
            self.assertGreater(v["active"], 0.9, robot)
            judged = self.answer("feasible", robot, "--in", "out.csv")
            self.assertIs(judged["feasible"], True, (robot, judged["first_violation"]))

    def test_points_that_repeat_are_left_out_with_a_note(self):
        once = self.answer("plan", "lift.yaml", "--path", "up.csv")
        self.write("twice.csv", "q1\n0\n0\n0.5\n0.5\n0.5\n1\n")
        r = self.run_arne("plan", "lift.yaml", "--path", "twice.csv", "--format", "json")
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertIn("note: twice.csv: points that repeat the one before are left out: 3", r.stderr)
        twice = json.loads(r.stdout)
        self.assertEqual((twice["points"], twice["merged"]), (6, 3))
        self.near(twice["duration"], once["duration"], 0.002)
        self.refused(1, ["from point 3 to 6"], "plan", "lift.yaml", "--path", "-", "--quiet", stdin="q1\n0\n0\n0.5\n0.5\n0.5\n7\n")

    def test_nothing_is_left_beside_what_was_asked_for(self):
        before = set(os.listdir(self.folder))
        v = self.answer("plan", "lift.yaml", "--path", "up.csv", "--out", "out.csv", "--map", "map.csv")
        self.assertEqual(set(os.listdir(self.folder)) - before, {"out.csv", "out.json", "map.csv"})
        self.assertEqual(v["purpose"], "time-optimal")

    def test_columns_by_name_and_standard_input(self):
        v = self.answer("plan", "lift.yaml", "--path", "-", stdin="q.z\n0\n1\n")
        self.assertEqual(v["points"], 2)

    def test_for_people(self):
        r = self.run_arne("plan", "lift.yaml", "--path", "up.csv", "--verbose")
        self.assertEqual(r.returncode, 0)
        for word in ("fastest motion", "times as long", "% of the time", "torque"):
            self.assertIn(word, r.stdout)
        self.assertIn("the timing was found in", r.stderr)
        names, units = ([line.split() for line in r.stdout.splitlines()][-3:])[:2]
        self.assertEqual(names, ["joint", "torque", "motor", "speed"])
        self.assertEqual(units, ["N", "Nm", "m/s"])


class Smooth(Case):
    def test_jerk_of_the_option_and_of_the_file(self):
        """a lift that only its jerk limits: (32 d/J)^(1/3)"""
        strong = LIFT.replace("effort: 22", "effort: 2000")
        self.write("strong.yaml", strong)
        self.write("file.yaml", strong.replace("effort: 2000", "effort: 2000, jerk: 100"))
        self.write("rate.yaml", strong.replace("effort: 2000", "effort: 2000, effort_rate: 200"))
        for robot, more in (("strong.yaml", ["--jerk", "100"]), ("file.yaml", []), ("rate.yaml", []), ("file.yaml", ["--torque-rate", "1e6"])):
            v = self.answer("plan", robot, "--path", "up.csv", "--out", "out.csv", *more)
            self.near(v["duration"], 0.68399)
            self.assertIs(v["smooth"], True)
            rows = self.table("out.csv")
            jerks = [abs(b["qdd1"] - a["qdd1"]) / 0.001 for a, b in zip(rows, rows[1:])]
            self.assertLess(max(jerks), 100 * (1 + 1e-6))
            self.assertIs(self.answer("feasible", robot, "--in", "out.csv")["feasible"], True)
        self.assertIs(self.answer("plan", "strong.yaml", "--path", "up.csv")["smooth"], False)
        r = self.run_arne("plan", "file.yaml", "--path", "up.csv")
        for words in ("within limits of jerk", "jerk", "% of the time"):
            self.assertIn(words, r.stdout)
        self.assertIn("jerk", self.run_arne("info", "file.yaml").stdout)
        r = self.run_arne("convert", "rate.yaml", "--to", "yaml")
        self.assertIn("effort_rate: 200", r.stdout)
        self.assertIn("jerk", self.run_arne("convert", "file.yaml", "--to", "urdf", "--out", self.path("x.urdf")).stderr)

    def test_refusals(self):
        self.refused(2, "--jerk", "plan", "lift.yaml", "--path", "up.csv", "--jerk", "0")
        self.refused(2, "--torque-rate", "plan", "lift.yaml", "--path", "up.csv", "--torque-rate", "x")
        self.refused(1, "starts and ends at rest", "plan", "lift.yaml", "--path", "up.csv", "--jerk", "5", "--end-speed", "0.1")
        self.refused(1, ["bad.yaml", "jerk"], "plan", self.write("bad.yaml", LIFT.replace("effort: 22", "effort: 22, jerk: -1")), "--path", "up.csv")


class Links(Case):
    def test_a_link_goes_along_straight_lines(self):
        self.write("poses.csv", "x,y,z,roll,pitch,yaw\n0.4,0.2,0.3,3,0,0\n0.4,-0.2,0.3,3,0,0\n")
        v = self.answer("plan", "ur5e", "--poses", "poses.csv", "--out", "out.csv")
        self.assertEqual((v["poses"], v["points"]), (2, 41))
        self.assertLess(v["off_line"], 1e-4)
        r = self.run_arne("eval", "ur5e", "--in", "out.csv", "--want", "pose", "--format", "json", "--quiet")
        rows = [json.loads(line)["pose"] for line in r.stdout.splitlines()]
        self.assertEqual(len(rows), v["samples"])
        for row in rows:
            self.assertLess(math.hypot(row["position"][0] - 0.4, row["position"][2] - 0.3), 1e-4)
        self.near(rows[0]["position"][1], 0.2, 1e-6)
        self.near(rows[-1]["position"][1], -0.2, 1e-6)

    def test_degrees(self):
        radians, degrees = (
            self.answer("plan", "ur5e", "--poses", "-", *more, stdin="x,y,z,roll,pitch,yaw\n0.4,0.2,0.3,%s,0,0\n0.4,0.1,0.3,%s,0,0\n" % (a, a))
            for a, more in ((math.pi, ()), (180, ("--degrees",)))
        )
        self.assertEqual(radians["duration"], degrees["duration"])

    def test_refusals(self):
        for text, words in (
            ("x,y,z\n0.4,0.2,0.3\n2,0.2,0.3\n", "of the way from pose 1 to 2, from where it was before"),
            ("x,y,z\n9,0,0\n0.4,0.2,0.3\n", "pose 1"),
            ("x,y,z\n0.4,0.2,0.3\n", "at least two poses"),
            ("x,y\n0,0\n", "column z is missing"),
            ("x,y,z,roll\n0,0,0,0\n", "all three, or none"),
            ("x,y,z,w\n0,0,0,0\n", "no others"),
        ):
            self.write("p.csv", text)
            self.refused(1, ["p.csv", words], "plan", "ur5e", "--poses", "p.csv", "--out", "out.csv")
        self.refused(2, "--poses", "plan", "lift.yaml", "--path", "up.csv", "--poses", "up.csv")
        self.refused(2, "--from", "plan", "ur5e", "--poses", self.write("p.csv", "x,y,z\n0.4,0.2,0.3\n0.4,0.1,0.3\n"), "--from", "1,2")


class Map(Case):
    def test_a_lift_pulls_up_and_falls(self):
        v = self.answer("plan", "lift.yaml", "--path", "up.csv", "--map", "map.csv", "--places", "5")
        self.assertNotIn("duration", v)
        rows = self.table("map.csv")
        self.assertEqual(len(rows), 5)
        for row in rows:
            self.near(row["up"], 1.19, 1e-9)
            self.near(row["down"], 20.81, 1e-9)
            self.near(row["forward"], 1.19, 1e-9)
            self.assertEqual(row["left"], "")
        self.near(v["map"]["up"]["least"], 1.19, 1e-9)
        self.assertIsNone(v["map"]["left"]["least"])

    def test_two_links_moving(self):
        self.write("p.csv", "q1,q2\n-1,0.5\n1,1\n")
        v = self.answer("plan", "planar2r", "--path", "p.csv", "--map", "map.csv", "--planned", "--point", "1,0,0", "--others", "free")
        self.assertIn("duration", v)
        self.assertTrue(all(row["forward"] > 0 for row in self.table("map.csv")[:3]))


    def test_a_picture(self):
        self.write("p.csv", "q1,q2\n-1,0.5\n0,1\n1,0.2\n")
        v = self.answer("plan", "planar2r", "--path", "p.csv", "--plot", "map.svg", "--point", "1,0,0")
        self.assertEqual(sorted(os.listdir(self.folder)), ["lift.yaml", "map.svg", "p.csv", "up.csv"])
        self.assertNotIn("duration", v)
        svg = self.read("map.svg")
        for word in ("forward", "backward", "up", "down", "m/s²", "point of the path"):
            self.assertIn(word, svg)
        self.assertNotIn("left", svg)  # across the plane of the arm: no such acceleration
        self.refused(1, "cannot write", "plan", "lift.yaml", "--path", "up.csv", "--plot", "nowhere/map.svg")


class Refusals(Case):
    def test_paths_that_are_none(self):
        for text, words in (
            ("q1\n", "at least two points"),
            ("q1\n1\n", "at least two points"),
            ("q1\n1\n1\n1\n", ["p.csv", "all 3 points are the same"]),
            ("q1\n0\nnan\n", ["p.csv:3", "not a finite number"]),
            ("q1\n0\nx\n", ["p.csv:3", "not a number"]),
            ("q2\n0\n1\n", "unknown column"),
            ("t,q1\n0,0\n1,1\n", "no column t"),
            ("q1,qd1\n0,0\n1,1\n", "positions only"),
            ("", "empty"),
        ):
            self.write("p.csv", text)
            self.refused(1, words, "plan", "lift.yaml", "--path", "p.csv", "--out", "out.csv")

    def test_paths_that_no_timing_can_do(self):
        self.refused(1, ["leaves the limits of joint z", "from point 1 to 2"], "plan", "lift.yaml", "--path", "-", "--out", "o.csv", stdin="q1\n0\n7\n")
        self.refused(1, ["cannot stand still at point 1", "joint z needs"], "plan", "lift.yaml", "--path", "up.csv", "--payload", "z=1,0,0,0")
        self.refused(1, "cannot start at a speed of 100", "plan", "lift.yaml", "--path", "up.csv", "--start-speed", "100")
        self.refused(1, "cannot end at a speed of 100", "plan", "lift.yaml", "--path", "up.csv", "--end-speed", "100")

    def test_wrong_options(self):
        self.refused(2, "--path FILE", "plan", "lift.yaml")
        for option, value in (("--grid", "0"), ("--grid", "1.5"), ("--dt", "-1"), ("--velocity-scale", "2"), ("--start-speed", "-1")):
            self.refused(2, option, "plan", "lift.yaml", "--path", "up.csv", option, value)
        self.refused(2, "--map", "plan", "lift.yaml", "--path", "up.csv", "--link", "z")
        self.refused(1, "no link", "plan", "lift.yaml", "--path", "up.csv", "--map", "m.csv", "--link", "w")
        self.refused(2, "--places", "plan", "lift.yaml", "--path", "up.csv", "--map", "m.csv", "--places", "1")

    def test_files(self):
        self.refused(1, "cannot open", "plan", "lift.yaml", "--path", "none.csv")
        self.refused(1, "cannot write", "plan", "lift.yaml", "--path", "up.csv", "--out", "nowhere/out.csv")
        self.refused(1, "cannot write", "plan", "lift.yaml", "--path", "up.csv", "--map", "nowhere/out.csv")
        self.refused(1, "no torque limit", "plan", self.write("loose.yaml", LIFT.replace(", effort: 22", "")), "--path", "up.csv")


if __name__ == "__main__":
    main()
