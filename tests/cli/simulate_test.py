#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`arne simulate` from outside: columns and numbers of a run, what is said about it, and how bad input and bad luck are told.

The program is $ARNE, or build/arne."""
import json
import math
import os

from support import ARNE, TOP, Program, lift, main

# A lift of 2 kg without friction: z'' = F/2 - 9.81.
LIFT = lift("lower: -100, upper: 5, velocity: 10, effort: 30")
FALL = "robot: ./lift.yaml\nstart: {q: [1], qd: [0.5]}\nduration: 2\n"
HOLD = "robot: ./lift.yaml\nstart: {q: [1]}\nduration: 1\ncontroller: {kind: pd-gravity, kp: 400, kd: 60}\n"


class Case(Program):
    FILES = {"lift.yaml": LIFT}

    def run_of(self, scenario, *args):
        self.write("s.yaml", scenario)
        text = self.good("simulate", "s.yaml", "--out", "run.csv", *args)
        return self.table("run.csv"), json.loads(self.read("run.json")), text

    def bad(self, scenario, *words, args=()):
        self.write("s.yaml", scenario)
        self.refused(1, words, "simulate", "s.yaml", "--out", "run.csv", *args)


class Runs(Case):
    def test_free_fall(self):
        rows, told, text = self.run_of(FALL)
        self.assertEqual(len(rows), 201)
        for row in rows:
            t = row["t"]
            self.assertAlmostEqual(row["q1"], 1 + 0.5 * t - 9.81 / 2 * t * t, delta=1e-9)
            self.assertAlmostEqual(row["qd1"], 0.5 - 9.81 * t, delta=1e-9)
            self.assertAlmostEqual(row["kinetic"] + row["potential"], rows[0]["kinetic"] + rows[0]["potential"], delta=1e-8)
        self.assertEqual((told["arne"], told["version"], told["status"], told["dof"]), ("run", 1, "finished", 1))
        self.assertEqual((told["joints"], told["controller"], told["integrator"]), (["z"], "none", "rk4"))
        self.assertEqual(told["limits"], {"effort": [30], "velocity": [10], "lower": [-100], "upper": [5]})
        self.assertIn("201 rows", text)

    def test_a_held_lift_shows_its_weight_and_a_push(self):
        rows, told, text = self.run_of(HOLD + "disturbances:\n  - wrench: {link: z, force: [0, 0, -4], from: 0.3, to: 1}\n"
                                       "observer: {gain: 100, threshold: 2}\noutput: {link: z}\n")
        self.assertAlmostEqual(rows[20]["tau1"], 2 * 9.81, delta=1e-6)
        self.assertAlmostEqual(rows[-1]["tau1"], 2 * 9.81 + 4, delta=0.05)
        self.assertAlmostEqual(rows[-1]["q1"], 1 - 4 / 400, delta=1e-3)
        self.assertAlmostEqual(rows[-1]["r1"], -4, delta=1e-3)
        self.assertEqual((rows[20]["contact"], rows[-1]["contact"]), (0, 1))
        self.assertAlmostEqual(rows[-1]["hand.z"], rows[-1]["q1"], delta=1e-9)
        kinds = [e["kind"] for e in told["events"]]
        self.assertEqual(kinds, ["wrench", "contact"])
        self.assertEqual((told["thresholds"], told["link"]), ([2], "z"))
        self.assertIn("something pushes", text)

    def test_the_observer_of_the_program_sees_the_same_in_the_file(self):
        self.run_of(HOLD + "disturbances:\n  - wrench: {link: z, force: [0, 0, -4], from: 0.3, to: 0.6}\n"
                    "observer: {gain: 50}\noutput: {rate: 1000}\n")
        r = self.run_arne("observe", "lift.yaml", "--in", "run.csv", "--out", "seen.csv")
        self.assertEqual(r.returncode, 0, r.stderr)
        run, seen = self.table("run.csv"), self.table("seen.csv")
        self.assertEqual(len(run), len(seen))
        for a, b in zip(run, seen):
            self.assertAlmostEqual(a["r1"], b["r1"], delta=1e-6)

    def test_settings_and_integrators(self):
        ends = []
        for method in ("rk4", "arkode", "cvode"):
            rows, told, _ = self.run_of(FALL, "--set", "integrator.method=" + method, "--set", "integrator.rtol=1e-9", "--set", "duration=1")
            self.assertEqual(told["integrator"], method)
            ends.append(rows[-1]["q1"])
        for end in ends:
            self.assertAlmostEqual(end, 1 + 0.5 - 9.81 / 2, delta=1e-6)

    def test_a_push_from_tick_to_tick(self):
        _, told, _ = self.run_of("robot: kuka-lwr\noptions: {elastic: true}\nduration: 0.12\nstart: {q: [0, 0.5, 0, 1.2, 0, 0.6, 0]}\n"
                                 "controller: {kind: motor-pd, period: 0.001}\nintegrator: {method: cvode, rtol: 1e-5}\n"
                                 "disturbances:\n  - wrench: {link: j7, force: [0, 0, -4], from: 0.009, to: 0.099}\n")
        self.assertEqual(told["status"], "finished")

    def test_motors_of_elastic_joints_are_recorded(self):
        rows, _, _ = self.run_of("robot: kuka-lwr\noptions: {elastic: true}\nduration: 0.02\nstart: {q: [0, 0.5, 0, 1.2, 0, 0.6, 0]}\n"
                                 "controller: {kind: motor-pd, period: 0.001}\n")
        weight = self.answer("eval", "kuka-lwr", "--want", "gravity", "--in", self.write("q.csv", "q1,q2,q3,q4,q5,q6,q7\n0,0.5,0,1.2,0,0.6,0\n"))["gravity"]
        for joint in (2, 4):  # its spring carries the weight: the motor is ahead of the link, towards it
            ahead = rows[-1]["theta%d" % joint] - rows[-1]["q%d" % joint]
            self.assertGreater(ahead * weight[joint - 1], 0)
            self.assertLess(abs(ahead), 0.2)

    def test_stop_at_the_limit(self):
        rows, told, _ = self.run_of("robot: ./lift.yaml\nstart: {q: [-99], qd: [0]}\nduration: 2\n")
        self.assertEqual((rows[-1]["q1"], rows[-1]["qd1"]), (-100, 0))
        event = [e for e in told["events"] if e["kind"] == "joint-stop"][0]
        self.assertAlmostEqual(event["t"], math.sqrt(2 / 9.81), delta=1e-9)
        self.assertEqual(event["text"], "joint z hits its stop")

    def test_motion_from_a_table(self):
        n = 101
        self.write("m.csv", "t,q.z\n" + "".join("%.4f,%.12f\n" % (i / 100, 0.3 * math.sin(i / 50) ** 2) for i in range(n)))
        rows, told, _ = self.run_of("robot: ./lift.yaml\nmotion: {csv: {file: m.csv, degree: 5}}\n"
                                    "controller: {kind: computed-torque}\n")
        self.assertLess(told["summary"]["max_error"][0], 1e-3)
        self.assertAlmostEqual(rows[50]["qr1"], 0.3 * math.sin(1) ** 2, delta=1e-9)

    def test_json_and_quiet(self):
        self.write("s.yaml", FALL)
        r = self.run_arne("simulate", "s.yaml", "--format", "json")
        self.assertEqual((r.returncode, json.loads(r.stdout)["status"]), (0, "finished"))
        r = self.run_arne("simulate", "s.yaml", "--quiet")
        self.assertEqual((r.returncode, r.stdout, r.stderr), (0, "", ""))

    def test_shipped_examples(self):
        for name in sorted(n for n in os.listdir(os.path.join(TOP, "examples/scenarios")) if n.endswith(".yaml")):
            r = self.run_arne("simulate", os.path.join(TOP, "examples/scenarios", name), "--set", "duration=0.1", "--out", "run.csv")
            self.assertEqual((r.returncode, r.stderr), (0, ""), name)

    def test_example_of_the_help(self):
        text = self.run_arne("help", "simulate").stdout
        self.assertIn("simulate fall.yaml --out fall.csv", text)


class Trouble(Case):
    def test_bad_scenarios(self):
        self.bad("robot: ./lift.yaml\nduratin: 1\n", "s.yaml:2:", "did you mean 'duration'")
        self.bad("robot: planar2\nduration: 1\n", "s.yaml:1:", "did you mean 'planar2r'")
        self.bad("robot: ./lift.yaml\nduration: 1\nstart: {q: 0}\ncontroller: {kind: pid}\n", "s.yaml:4:", "pid")
        self.bad("robot: ./lift.yaml\nduration: 1\noutput: {link: hand}\n", "s.yaml:3:", "no link 'hand'")
        self.bad("robot: ./lift.yaml\nduration: 1e9\nstart: {q: 0}\ncontroller: {kind: pd-gravity}\n", "ticks")
        self.bad(FALL, "KEY=VALUE", args=("--set", "duration"))
        self.write("lift.yaml", LIFT.replace("mass: 2", "mass: two"))
        self.bad(FALL, "lift.yaml:8:", "two")

    def test_no_such_file(self):
        r = self.run_arne("simulate", "nothing.yaml")
        self.assertEqual(r.returncode, 1)
        self.assertIn("nothing.yaml", r.stderr)
        self.write("s.yaml", FALL)
        r = self.run_arne("simulate", "s.yaml", "--out", "nowhere/run.csv")
        self.assertEqual(r.returncode, 1)
        self.assertIn("nowhere/run.csv", r.stderr)
        self.assertEqual(self.run_arne("simulate", "s.yaml", "--out", "run.json").returncode, 2)
        self.assertEqual(self.run_arne("simulate").returncode, 2)

    def test_unstable_runs_keep_their_rows_and_say_so(self):
        self.write("s.yaml", HOLD.replace("kp: 400, kd: 60", "kp: 4e6, kd: 1e-3") +
                   "limits: {torque: false, stops: false}\ndisturbances:\n  - wrench: {link: z, force: [0, 0, 1]}\n")
        r = self.run_arne("simulate", "s.yaml", "--out", "run.csv")
        self.assertEqual(r.returncode, 1)
        self.assertIn("unstable", r.stderr)
        self.assertIn("joint z", r.stderr)
        self.assertIn("run.csv holds t = 0 ...", r.stderr)
        self.assertEqual(json.loads(self.read("run.json"))["status"], "failed")
        self.assertNotIn("nan", self.read("run.csv"))

    def test_a_full_disk_is_said(self):
        self.write("s.yaml", FALL)
        r = self.run_arne("simulate", "s.yaml", "--out", "/dev/full")
        self.assertEqual(r.returncode, 1)
        self.assertIn("/dev/full", r.stderr)
        self.assertIn("No space", r.stderr)


if __name__ == "__main__":
    main()
