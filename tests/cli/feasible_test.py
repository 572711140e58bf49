#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`arne feasible` and `eval --want achievable` from outside: a slide and a lift by hand, the motion trainer, how bad input is refused.

The program is $ARNE, or build/arne."""
import csv
import io
import json
import math
import os
import subprocess

from support import TOP, Program, lift, main

# A lift of 2 kg: force = 2 (9.81 + qdd). 22 N carry it up with 1.19 m/s^2.
LIFT = lift("lower: -1, upper: 5, velocity: 10, effort: 22")
# The same behind a gear, with a motor that weakens with speed.
GEARED = LIFT.replace(", effort: 22", "").replace("    link:", "    motor: {gear: 10, curve: [[0, 3], [20, 3], [60, 2.2]]}\n    link:")
HEADER = "t,q1,qd1\n"


def rise(acceleration, rows=101, dt=0.01):
    """from rest, velocities given"""
    t = [k * dt for k in range(rows)]
    return HEADER + "".join("%.17g,%.17g,%.17g\n" % (x, acceleration * x * x / 2, acceleration * x) for x in t)


class Case(Program):
    FILES = {"lift.yaml": LIFT, "geared.yaml": GEARED}

    def judged(self, robot, motion, *args):
        self.write("motion.csv", motion)
        return self.answer("feasible", robot, "--in", "motion.csv", "--quiet", *args)

    def achieved(self, robot, motion, *args):
        return self.judged(robot, motion, "--out", "out.csv", *args), self.table("out.csv")


class Verdicts(Case):
    def test_a_feasible_motion(self):
        v = self.judged("lift.yaml", rise(1))
        self.assertIs(v["feasible"], True)
        self.assertIsNone(v["first_violation"])
        joint = v["joints"][0]
        self.assertEqual(joint["name"], "z")
        self.near(joint["peak_torque"], 2 * 10.81)
        self.near(joint["peak_speed"], 1)
        self.near(joint["peak_force"], 2 * 10.81)
        self.near(joint["peak_moment"], 0.2 * 10.81)
        self.near(joint["peak_bending"], 0.2 * 10.81)
        self.assertEqual((joint["saturated_time"], joint["deviation"]), (0, 0))
        self.assertEqual(v["slower"], 1)

    def test_keys_are_those_of_the_manual(self):
        v = self.judged("lift.yaml", rise(3))
        self.assertLessEqual({"feasible", "first_violation", "joints"}, set(v))
        self.assertLessEqual({"t", "joint", "limit", "demand"}, set(v["first_violation"]))
        self.assertLessEqual({"name", "peak_torque", "peak_speed", "saturated_time", "peak_force", "peak_moment"}, set(v["joints"][0]))

    def test_an_infeasible_motion_says_who_when_and_how_much_slower(self):
        v = self.judged("lift.yaml", rise(3))
        self.assertIs(v["feasible"], False)
        first = v["first_violation"]
        self.assertEqual((first["t"], first["joint"], first["limit"], first["kind"]), (0, "z", 22, "torque"))
        self.near(first["demand"], 25.62)
        self.near(v["slower"], math.sqrt(6 / 2.38), 1e-6)
        self.assertIsNone(v["lighter"])

    def test_how_much_lighter(self):
        v = self.judged("lift.yaml", rise(1), "--payload", "z=0.1,0,0,0")
        self.near(v["lighter"], (22 / 10.81 - 2) / 0.1, 1e-6)
        v = self.judged("lift.yaml", rise(3), "--payload", "z=0.1,0,0,0")
        self.assertEqual(v["lighter"], -1)

    def test_loads_are_those_of_the_command_or_of_the_slowed_motion(self):
        loads = {}
        for policy in ("keep", "resolve", "scale"):
            v = self.judged("lift.yaml", rise(3), "--policy", policy)
            loads[policy] = [v["joints"][0][k] for k in ("peak_torque", "peak_motor", "peak_force", "peak_speed", "peak_moment")]
            self.assertEqual(v["loads_of"], "slowed motion" if policy == "scale" else "commanded motion")
            text = self.run_arne("feasible", "lift.yaml", "--in", "motion.csv", "--policy", policy).stdout
            self.assertIn("loads of the " + v["loads_of"], text)
            self.assertEqual("policy %s makes another motion" % policy in text, policy != "scale")
        self.assertEqual(loads["keep"], loads["resolve"])
        for x, y in zip(loads["keep"], (25.62, 25.62, 25.62, 3, 2.562)):
            self.near(x, y)
        self.assertLessEqual(loads["scale"][0], 22 * (1 + 1e-8))

    def test_verdict_payload_and_tracking_are_told(self):
        def told(v):
            return [v[k] for k in ("verdict", "why", "payload", "tracking")]
        load = ("--payload", "z=0.1,0.1,0.2,0.3")
        v, _ = self.achieved("lift.yaml", rise(3), *load)
        beside = json.loads(self.read("out.json"))
        self.assertEqual(told(v), told(beside))
        verdict, why, payload, tracking = told(v)
        self.assertEqual(verdict, "infeasible")
        self.assertEqual(why, "joint z needs 122.3 % of its torque limit at t = 0 s (26.901 N, limit 22)")
        self.assertEqual(payload, [{"link": "z", "mass": 0.1, "com": [0.1, 0.2, 0.3]}])
        self.assertEqual((tracking["joint"], tracking["error"]), ("z", v["joints"][0]["deviation"]))
        v, _ = self.achieved("lift.yaml", rise(3), "--policy", "scale")  # what is asked for is not, what is written is
        self.assertEqual((v["verdict"], json.loads(self.read("out.json"))["verdict"]), ("infeasible", "feasible"))
        v, _ = self.achieved("lift.yaml", rise(1))
        self.assertEqual(told(v), ["feasible", "no limit is exceeded", [], {"joint": "z", "error": 0, "errors": [0]}])
        v = self.judged("lift.yaml", HEADER + "0,0,9\n1,9,9\n")
        self.assertEqual(v["why"], "joint z leaves its position limits at t = 1 s (9 m, limit 5)")

    def test_check_tells_by_the_exit_status(self):
        for acceleration, status in ((1, 0), (3, 3)):
            self.write("motion.csv", rise(acceleration))
            for more in ((), ("--format", "json"), ("--policy", "scale")):
                r = self.run_arne("feasible", "lift.yaml", "--in", "motion.csv", "--check", *more)
                self.assertEqual((r.returncode, r.stderr), (status, ""))
                self.assertEqual(r.stdout, self.good("feasible", "lift.yaml", "--in", "motion.csv", *more))
        self.refused(1, "cannot open", "feasible", "lift.yaml", "--in", "no.csv", "--check")

    def test_for_people(self):
        self.write("motion.csv", rise(3))
        r = self.run_arne("feasible", "lift.yaml", "--in", "motion.csv")
        self.assertEqual((r.returncode, r.stderr), (0, ""))
        for words in ("not feasible", "joint z", "25.62 N, limit 22", "1.588 times its time"):
            self.assertIn(words, r.stdout)

    def test_positions_alone_give_velocities_by_differences(self):
        motion = "q1\n0\n0\n0.0001\n0.0003\n0.0006\n0.001\n"
        v = self.judged("lift.yaml", motion, "--dt", "0.01")
        self.assertIs(v["feasible"], True)
        self.near(v["joints"][0]["peak_torque"], 2 * 10.81)
        self.near(v["joints"][0]["peak_speed"], 0.04)
        r = self.run_arne("feasible", "lift.yaml", "--in", "-", "--dt", "0.01", "--format", "json", stdin=motion)
        self.assertEqual(json.loads(r.stdout), v)

    def test_a_wrench_and_gravity_are_followed(self):
        v = self.judged("lift.yaml", rise(1), "--wrench", "z=0,0,5,0,0,0", "--gravity", "0,0,-1")
        self.near(v["joints"][0]["peak_torque"], 3)  # 5 - 2 when the acceleration ends

    def test_a_joint_that_cannot_stop_in_time(self):
        # falling at 3 m/s, 2 N less than the weight of 24 N: 1.19 m/s^2 of braking, 3.78 m to stop
        rows = "".join("%g,%g,-3\n" % (k * 0.01, 1.5 - 0.03 * k) for k in range(60))
        v = self.judged("lift.yaml", HEADER + rows)
        self.assertEqual(v["joints"][0]["cannot_stop_from"], 0)
        rows = "".join("%g,%g,-3\n" % (k * 0.01, 4 - 0.03 * k) for k in range(60))
        v = self.judged("lift.yaml", HEADER + rows)
        self.near(v["joints"][0]["cannot_stop_from"], 0.41)  # 4 - 9/2.38 + 1 = 1.2185 m of room at 3 m/s


class Policies(Case):
    def test_keep_and_resolve_give_what_the_motor_has(self):
        for policy in ("keep", "resolve"):
            v, rows = self.achieved("lift.yaml", rise(3), "--policy", policy)
            self.assertEqual(len(rows), 101)
            self.near(v["joints"][0]["saturated_time"], 1)
            self.near(v["joints"][0]["deviation"], 1.81 * 0.01 ** 2 * 100 * 99 / 2)
            for k, row in enumerate(rows[:-1]):
                self.near(row["qdd1"], 1.19)
                self.near(row["tau1"], 22)
                self.near(row["motor1"], 22)
                self.near(row["r1.fz"], 22)
                self.near(row["qd1"], 1.19 * k * 0.01)

    def test_scale_stays_on_the_path_and_reaches_the_end(self):
        motion = HEADER + "".join("%.17g,%.17g,%.17g\n" % (t, t ** 3 - 0.2 * t, 3 * t * t - 0.2) for t in (k * 0.01 for k in range(151)))
        v, rows = self.achieved("lift.yaml", motion, "--policy", "scale")
        self.assertIs(v["feasible"], False)
        self.assertGreater(v["duration"], 1.5)
        self.assertEqual(rows[-1]["s"], 1.5)
        self.near(rows[-1]["t"], v["duration"])
        for row in rows:
            s = row["s"]
            self.near(row["q1"], s ** 3 - 0.2 * s)
            self.assertLessEqual(abs(row["tau1"]), 22 * (1 + 1e-8))
        self.assertTrue(all(a["s"] <= b["s"] for a, b in zip(rows, rows[1:])))
        self.assertTrue(all(abs(b["t"] - a["t"] - 0.01) < 1e-9 for a, b in zip(rows, rows[1:])))

    def test_a_feasible_motion_is_not_slowed(self):
        v, rows = self.achieved("lift.yaml", rise(1), "--policy", "scale")
        self.near(v["duration"], 1)
        self.assertEqual(len(rows), 101)

    def test_a_curve_weakens_a_motor_with_speed(self):
        # 30 N up to 2 m/s, 26 N at 4 m/s: 3 m/s^2 (25.62 N) are too much beyond 4.19 m/s, where 25.62 = 30 - 2 (v - 2)
        v = self.judged("geared.yaml", rise(3, rows=181))
        self.assertIs(v["feasible"], False)
        self.assertEqual(v["first_violation"]["kind"], "motor torque")
        self.near(v["first_violation"]["t"], 1.40)

    def test_what_cannot_be_carried_cannot_be_scaled(self):
        self.write("weak.yaml", LIFT.replace("effort: 22", "effort: 19"))
        self.write("motion.csv", rise(1))
        self.refused(1, ["motion.csv", "joint z", "at any speed"], "feasible", "weak.yaml", "--in", "motion.csv", "--policy", "scale", "--out", "o.csv")

    def test_the_motion_trainer(self):
        def manoeuvre(seconds):
            return subprocess.run([os.path.join(TOP, "examples/sdt/manoeuvre"), str(seconds)], capture_output=True, text=True).stdout
        robot = os.path.join(TOP, "robots/sdt.yaml")
        self.assertIs(self.judged(robot, manoeuvre(8))["feasible"], True)
        v, rows = self.achieved(robot, manoeuvre(4.2))
        self.assertIs(v["feasible"], False)
        self.assertEqual(v["first_violation"]["joint"], "j1")
        self.assertLessEqual(max(abs(r["motor1"]) for r in rows), 250 * (1 + 1e-12))
        self.assertEqual([j["deviation"] == 0 for j in v["joints"]], [False, True, True, True])  # the others keep theirs
        v, rows = self.achieved(robot, manoeuvre(4.2), "--policy", "scale")
        for i, (motor, speed) in enumerate(((250, 2.145), (6, 1.668), (4, 2.18), (6, 2.066)), 1):
            self.assertLessEqual(max(abs(r["motor%d" % i]) for r in rows), motor * (1 + 1e-8))
            self.assertLessEqual(max(abs(r["qd%d" % i]) for r in rows), speed * (1 + 1e-8))
        self.near(rows[-1]["q1"], 2.5)

    def test_torques_of_both_algorithms_agree_and_give_accelerations_back(self):
        # Fig. 3 of seed 001: RNEA and mRNEA, then accelerations from the torques
        text = subprocess.run([os.path.join(TOP, "examples/sdt/manoeuvre"), "8"], capture_output=True, text=True).stdout
        _, rows = self.achieved(os.path.join(TOP, "robots/sdt.yaml"), text)
        names = [g + str(i) for g in ("q", "qd", "qdd", "tau") for i in range(1, 5)]
        self.write("states.csv", ",".join(names) + "\n" + "".join(",".join("%.17g" % r[n] for n in names) + "\n" for r in rows[::40]))
        robot = os.path.join(TOP, "robots/sdt.yaml")
        answers = {}
        for method in ("ne", "mrnea", "mrnea-literal"):
            r = self.run_arne("eval", robot, "--want", "id", "--method", method, "--in", "states.csv", "--format", "json", "--quiet")
            answers[method] = [json.loads(line)["id"] for line in r.stdout.splitlines()]
        for a, b, c in zip(*answers.values()):
            for x, y, z in zip(a, b, c):
                self.near(x, y, 1e-11)
                self.near(x, z, 1e-11)
        r = self.run_arne("eval", robot, "--want", "fd", "--method", "mrnea", "--in", "states.csv", "--format", "json", "--quiet")
        for line, row in zip(r.stdout.splitlines(), rows[::40]):
            for i, x in enumerate(json.loads(line)["fd"], 1):
                self.near(x, row["qdd%d" % i], 1e-9)


class Achievable(Case):
    def achievable(self, *args):
        self.write("in.csv", "q1,qd1,qnext1,qdnext1\n0,0,0,0.03\n0,0,0,0.005\n")
        return self.run_arne("eval", "lift.yaml", "--want", "achievable", "--in", "in.csv", *args)

    def test_names_of_the_saturated(self):
        r = self.achievable("--dt", "0.01", "--format", "json")
        first, second = (json.loads(line)["achievable"] for line in r.stdout.splitlines())
        self.assertEqual(list(first), ["qdd", "motor", "saturated"])
        self.near(first["qdd"][0], 1.19)
        self.assertEqual((first["motor"], first["saturated"]), ([22], ["z"]))
        self.near(second["qdd"][0], 0.5)
        self.assertEqual(second["saturated"], [])

    def test_as_csv_and_for_people(self):
        rows = list(csv.reader(io.StringIO(self.achievable("--dt", "0.01", "--format", "csv").stdout)))
        self.assertEqual(rows[0], ["achievable.qdd.z", "achievable.motor.z", "achievable.saturated.z"])
        self.assertEqual([r[2] for r in rows[1:]], ["1", "0"])
        text = self.achievable("--dt", "0.01").stdout
        self.assertIn("saturated  z", text)
        self.assertIn("saturated  none", text)

    def test_its_options(self):
        for args, words in (((), "--dt"), (("--dt", "0"), "above 0"), (("--dt", "x"), "above 0"), (("--dt", "1", "--policy", "scale"), "keep, resolve")):
            r = self.achievable(*args)
            self.assertEqual((r.returncode, r.stdout), (2, ""))
            self.assertIn(words, r.stderr)


class BadInput(Case):
    def bad_motion(self, words, motion, *args):
        self.write("bad.csv", motion)
        self.refused(1, words, "feasible", "lift.yaml", "--in", "bad.csv", "--out", "o.csv", *args)

    def test_limits_that_are_missing(self):
        self.write("free.yaml", LIFT.replace(", effort: 22", ""))
        self.write("motion.csv", rise(1))
        self.refused(1, ["free.yaml:4: ", "joint z", "effort"], "feasible", "free.yaml", "--in", "motion.csv")

    def test_a_start_outside_the_limits(self):
        self.bad_motion(["bad.csv:2: ", "joint z at 6, limits -1 ... 5"], "t,q1\n0,6\n0.1,6\n")
        self.bad_motion(["bad.csv:2: ", "joint z moves at 11, its limit is 10"], "t,q1,qd1\n0,0,11\n0.1,0,11\n")

    def test_time(self):
        self.bad_motion(["bad.csv:4: ", "irregular"], "t,q1\n0,0\n0.1,0\n0.3,0\n")
        self.bad_motion(["bad.csv:3: ", "does not come after"], "t,q1\n0,0\n0,0\n")
        self.bad_motion(["bad.csv:1: ", "--dt"], "q1\n0\n0\n")
        self.bad_motion(["bad.csv:3: ", "irregular"], "t,q1\n0,0\n0.1,0\n", "--dt", "0.2")

    def test_numbers_and_columns(self):
        self.bad_motion(["bad.csv:3: ", "q1", "nan"], "t,q1\n0,0\n0.1,nan\n")
        self.bad_motion("too large", "t,q1\n0,0\n0.1,0\n0.2,1e308\n".replace("1e308", "1e307"))
        self.bad_motion("q2", "t,q1,q2\n0,0,0\n")
        self.bad_motion("columns q1", "t\n0\n0.1\n")
        self.bad_motion("at least two rows", "t,q1\n0,0\n")
        self.bad_motion("--wrench", "t,q1,w.z.fx,w.z.fy,w.z.fz,w.z.mx,w.z.my,w.z.mz\n0,0,0,0,0,0,0,0\n")

    def test_files_and_options(self):
        self.write("motion.csv", rise(1))
        self.refused(1, ["lift.yaml", "no link \"tool\""], "feasible", "lift.yaml", "--in", "motion.csv", "--payload", "tool=1,0,0,0")
        self.refused(2, "--in FILE", "feasible", "lift.yaml")
        self.refused(2, "--dt", "feasible", "lift.yaml", "--in", "motion.csv", "--dt", "-1")
        self.refused(2, "keep, resolve, scale", "feasible", "lift.yaml", "--in", "motion.csv", "--policy", "slow")
        self.refused(1, "cannot open", "feasible", "lift.yaml", "--in", "no.csv")
        self.refused(1, "cannot write", "feasible", "lift.yaml", "--in", "motion.csv", "--out", "no/such/folder.csv")

    def test_curves(self):
        for curve, words in (("[[1, 3], [2, 3]]", "first velocity must be 0"), ("[[0, 3]]", "two points"), ("[[0, 3], [0, 2]]", "increase"),
                             ("[[0, 0], [1, 0]]", "above 0"), ("[[0, 3], [1, -1]]", "negative")):
            self.write("bad.yaml", GEARED.replace("[[0, 3], [20, 3], [60, 2.2]]", curve))
            self.refused(1, ["bad.yaml:8: ", words], "feasible", "bad.yaml", "--in", "motion.csv")

    def test_a_curve_survives_conversion(self):
        r = self.run_arne("convert", "geared.yaml", "--to", "yaml", "--out", "again.yaml")
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertIn("curve: [[0, 3], [20, 3], [60, 2.2]]", self.read("again.yaml"))


if __name__ == "__main__":
    main()
