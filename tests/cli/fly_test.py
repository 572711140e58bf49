#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`arne simulate`, `observe` and `report` with robots that move freely: what flies keeps its momentum, a push is seen in the base.

The program is $ARNE, or build/arne."""
import json
import math

from support import Program, main

TURN = ("qx", "qy", "qz", "qw")
MOMENTUM = ["linear." + c for c in "xyz"] + ["angular." + c for c in "xyz"]

# A hull of 100 kg, one arm of 5 kg: no gravity.
TUG = """\
name: tug
gravity: [0, 0, 0]
convention: urdf
floating: true
base: hull
base_link: {mass: 100, inertia: {xx: 10, yy: 12, zz: 14}}
joints:
  - name: arm
    type: revolute
    origin: {xyz: [0.5, 0, 0]}
    axis: [0, 0, 1]
    limits: {lower: -2, upper: 2, effort: 50}
    link: {mass: 5, com: [0.4, 0, 0], inertia: {xx: 0.1, yy: 0.2, zz: 0.2}}
"""
BALL = """\
name: swing
convention: urdf
joints:
  - name: ball
    type: spherical
    link: {mass: 2, com: [0, 0, -0.5], inertia: {xx: 0.1, yy: 0.1, zz: 0.05}}
"""


BODY = "link: {mass: 2, com: [0.3, 0, 0], inertia: {xx: 1, yy: 2, zz: 2.5}}"
TWO = "name: two\nconvention: urdf\ngravity: [0, 0, 0]\njoints:\n" + "".join("  - {%s, %s}\n" % (words, BODY) for words in (
    "name: a, type: free", "name: arm, type: revolute, axis: [0, 0, 1], origin: {xyz: [0.5, 0, 0]}, limits: {lower: -1, upper: 1}",
    "name: b, type: free, parent: base", "name: ball, type: spherical, parent: b, origin: {xyz: [0.5, 0, 0]}"))


class Fly(Program):
    FILES = {"tug.yaml": TUG, "swing.yaml": BALL, "two.yaml": TWO}

    def run_of(self, scenario, *args):
        self.write("s.yaml", scenario)
        self.good("simulate", "s.yaml", "--out", "run.csv", *args)
        return self.table("run.csv"), json.loads(self.read("run.json"))

    def bad(self, scenario, *words):
        self.write("s.yaml", scenario)
        self.refused(1, words, "simulate", "s.yaml", "--out", "run.csv")

    def unit(self, rows, joint="base"):
        for row in rows:
            self.assertLess(abs(math.hypot(*(row["q.%s.%s" % (joint, c)] for c in TURN)) - 1), 1e-14)

    def test_a_thrown_book_falls_and_turns_over(self):
        rows, told = self.run_of("robot: book\nstart: {base: {xyz: [0, 0, 1], v: [1, 0, 9], w: [12, 0.05, 0.05]}}\n"
                                 "duration: 1.8\nintegrator: {method: arkode, rtol: 1e-12, atol: 1e-13}\n")
        self.unit(rows)
        self.assertEqual(told["joints"], ["base." + c for c in ("vx", "vy", "vz", "wx", "wy", "wz")])
        for row in rows:
            t = row["t"]
            self.assertAlmostEqual(row["q.base.x"], t, delta=1e-9)
            self.assertAlmostEqual(row["q.base.z"], 1 + 9 * t - 9.81 / 2 * t * t, delta=1e-9)
            for c in "xyz":
                self.assertAlmostEqual(row["angular." + c], rows[0]["angular." + c], delta=1e-11)
            self.assertAlmostEqual(row["kinetic"] + row["potential"], rows[0]["kinetic"] + rows[0]["potential"], delta=1e-9)
        spin = [row["qd.base.wx"] for row in rows]
        self.assertTrue(spin[0] > 11.9 and min(spin) < -11)  # the axis of middle inertia: it turns over

    def test_start_by_angles_is_start_by_quaternion(self):
        s = math.sqrt(0.5)
        ends = [self.run_of("robot: book\nstart: {base: {%s, w: [1, 2, 3]}}\nduration: 0.5\n" % turn)[0][-1]
                for turn in ("rpy: [0, 0, pi/2]", "quaternion: [0, 0, %.17g, %.17g]" % (s, s))]
        for c in TURN:
            self.assertAlmostEqual(ends[0]["q.base." + c], ends[1]["q.base." + c], delta=1e-12)

    def test_a_satellite_keeps_its_momentum(self):
        """Short; the whole of it, 100 s, is examples/scenarios/satellite.yaml and tests/simulate/free_test.c."""
        rows, told = self.run_of("robot: satellite\nduration: 20\nmotion: {polynomial: {time: [0, 20], to: [1.2, -0.8, 0.5, 1.4, -0.6, 0.9, 0]}}\n"
                                 "start: {base: {v: [0.02, 0, 0], w: [0, 0.01, 0]}}\ncontroller: {kind: computed-torque, period: 0.05}\n"
                                 "integrator: {method: arkode, rtol: 1e-12, atol: 1e-13}\noutput: {rate: 10}\n")
        self.unit(rows)
        for c in MOMENTUM:
            self.assertLess(max(abs(row[c] - rows[0][c]) for row in rows), 1e-10)
        self.assertAlmostEqual(rows[-1]["q.elbow"], 1.4, delta=1e-3)
        self.assertTrue(all(row["tau.base." + c] == 0 for row in rows for c in ("vx", "vy", "vz", "wx", "wy", "wz")))
        self.assertNotIn("qr.base.vx", rows[0])
        self.assertEqual(told["tracking"]["joint"] in told["joints"], True)
        self.good("report", "run.csv", "--out", "page.html")
        page = self.read("page.html")
        for words in ("Turn of base", "Place of base", "Linear momentum", "13 freedoms"):
            self.assertIn(words, page)
        self.assertNotIn("not drawn", page)

    def test_a_push_is_seen_in_the_base(self):
        rows, _ = self.run_of("robot: ./tug.yaml\nduration: 2\nstart: {q: 0.5, base: {w: [0, 0, 0.1]}}\n"
                              "controller: {kind: pd-gravity, period: 0.001}\nobserver: {gain: 50, threshold: 1}\n"
                              "disturbances:\n  - wrench: {link: hull, force: [10, 0, 0], moment: [0, 3, 0], frame: local, from: 1, to: 1.5}\n"
                              "output: {rate: 1000}\n")
        at = [row for row in rows if abs(row["t"] - 1.4) < 1e-6][0]
        for name, value in zip(("vx", "vy", "vz", "wx", "wy", "wz"), (10, 0, 0, 0, 3, 0)):
            self.assertAlmostEqual(at["r.base." + name], value, delta=1e-3)
        self.assertAlmostEqual(at["r.arm"], 0, delta=1e-3)
        self.assertTrue(at["contact"] == 1 and rows[500]["contact"] == 0)
        told = json.loads(self.good("observe", "tug.yaml", "--in", "run.csv", "--threshold", "1", "--out", "r.csv", "--format", "json"))
        event = told["events"][0]
        self.assertEqual((len(told["events"]), event["link"], told["faults"]), (1, "hull", []))
        self.assertAlmostEqual(event["t"], 1, delta=0.01)
        self.assertEqual(event["wrench"]["seen"], 6)
        self.assertIn("r.base.vx", self.table("r.csv")[0])
        text = self.good("observe", "tug.yaml", "--in", "run.csv", "--threshold", "1")
        self.assertIn("base.vx", text)

    def test_a_ball_joint_swings_as_a_pendulum(self):
        """Small swings about x: T = 2 pi sqrt(I / (m g l)) with I about the joint."""
        rows, _ = self.run_of("robot: ./swing.yaml\nstart: {ball: {rpy: [0.01, 0, 0]}}\nduration: 4\n"
                              "integrator: {method: arkode, rtol: 1e-12, atol: 1e-14}\noutput: {rate: 1000}\n")
        self.unit(rows, "ball")
        cross = [a["t"] for a, b in zip(rows, rows[1:]) if a["q.ball.qx"] > 0 >= b["q.ball.qx"]]
        want = 2 * math.pi * math.sqrt((0.1 + 2 * 0.25) / (2 * 9.81 * 0.5))
        self.assertAlmostEqual(cross[1] - cross[0], want, delta=2e-3)
        self.assertNotIn("linear.x", rows[0])  # its base is fixed

    def test_a_state_of_the_file_is_a_start(self):
        self.write("hop.xml", '<mujoco><option gravity="0 0 -5"/><worldbody><body name="hull" pos="0 0 1"><freejoint name="root"/>'
                   '<inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/><body name="leg" pos="0 0 -0.1"><joint name="hip" type="hinge" axis="0 1 0"/>'
                   '<inertial pos="0 0 -0.2" mass="1" diaginertia="0.1 0.1 0.1"/></body></body></worldbody>'
                   '<keyframe><key name="up" qpos="1 2 3 1 0 0 0 0.4" qvel="0 0 1 0 0 0 0"/></keyframe></mujoco>')
        rows, _ = self.run_of("robot: ./hop.xml\nstart: {state: up}\nduration: 0.5\n")
        self.assertEqual([rows[0][c] for c in ("q.root.x", "q.root.y", "q.root.z", "q.root.qw", "q.hip")], [1, 2, 3, 1, 0.4])
        self.assertAlmostEqual(rows[-1]["q.hip"], 0.4, delta=1e-9)  # all of it goes up at 1 m/s, and falls as one
        self.assertAlmostEqual(rows[-1]["q.root.z"], 3 + 0.5 - 5 / 8, delta=1e-9)
        rows, _ = self.run_of("robot: ./hop.xml\nstart: {state: up, q: 0.1, root: {xyz: [0, 0, 9]}}\nduration: 0.1\n")
        self.assertEqual([rows[0][c] for c in ("q.root.z", "qd.root.vz", "q.hip")], [9, 1, 0.1])
        self.bad("robot: ./hop.xml\nstart: {state: upp}\nduration: 1\n", ":2:", "no state 'upp'", "up")

    def test_several_bodies_fly_by_themselves(self):
        """A stop and a brake on the way: both push one link as much as the other."""
        rows, told = self.run_of("robot: ./two.yaml\nduration: 3\ndisturbances: [{fault: {joint: all, kind: stuck, from: 1}}]\n"
                                 "start: {q: 0.2, qd: 1, a: {w: [1, 0, 2]}, b: {xyz: [0, 0, 3], v: [0, 0, -1], w: [0.2, 1, 0]}, ball: {w: [0, 1, 1]}}\n")
        for name in ("a", "b", "ball"):
            self.unit(rows, name)
        for c in MOMENTUM:
            self.assertLess(max(abs(row[c] - rows[0][c]) for row in rows), 1e-9)
        self.assertIn("joint-stop", [e["kind"] for e in told["events"]])
        self.assertTrue(rows[90]["qd.arm"] != 0 and rows[-1]["qd.arm"] == 0)

    def test_holes_in_a_log_are_held_and_wrong_quaternions_told(self):
        rows, _ = self.run_of("robot: ./tug.yaml\nstart: {base: {w: [0.1, 0, 0.2]}}\nduration: 0.5\ncontroller: {kind: none, period: 0.01}\n")
        lines = self.read("run.csv").splitlines()
        at = lines[0].split(",").index("q.base.qx")
        row = lines[20].split(",")
        self.write("hole.csv", "\n".join(lines[:20] + [",".join(row[:at] + [""] + row[at + 1:])] + lines[21:]) + "\n")
        self.write("bad.csv", "\n".join(lines[:20] + [",".join(row[:at] + ["0.9"] + row[at + 1:])] + lines[21:]) + "\n")
        told = json.loads(self.run_arne("observe", "tug.yaml", "--in", "hole.csv", "--format", "json").stdout)
        self.assertEqual([h["line"] for h in told["held_rows"]], [21])
        self.assertTrue(all(abs(j["largest"]) < 1e-6 for j in told["joints"]))
        self.refused(1, ("bad.csv:21:", "joint base", "quaternion"), "observe", "tug.yaml", "--in", "bad.csv")

    def test_a_base_is_set_free_by_the_scenario(self):
        rows, told = self.run_of("robot: ur5e\noptions: {base: free, rigid: true, payload: {link: base, body: {mass: 20, inertia: {xx: 1, yy: 1, zz: 1}}}}\n"
                                 "limits: {stops: false}\nduration: 0.2\n")
        self.assertEqual(told["base"], "free")
        for row in rows:  # it falls as one
            self.assertAlmostEqual(row["q.base.z"], -9.81 / 2 * row["t"] ** 2, delta=1e-9)
            for c in [c for c in row if c.startswith("q.") and not c.startswith("q.base.")]:
                self.assertAlmostEqual(row[c], 0, delta=1e-9)
        self.good("report", "run.csv", "--out", "page.html")
        fixed, _ = self.run_of("robot: ./tug.yaml\noptions: {base: fixed}\nduration: 0.1\n")
        self.assertIn("q1", fixed[0])

    def test_joints_that_mimic_follow_or_not(self):
        self.write("hand.yaml", "name: hand\nconvention: urdf\ngravity: [0, 0, 0]\njoints:\n"
                   "  - {name: a, type: revolute, axis: [0, 0, 1], %s}\n"
                   "  - {name: b, type: revolute, axis: [0, 0, 1], parent: base, mimic: {joint: a, multiplier: -2}, %s}\n" % (BODY, BODY))
        scenario = "robot: ./hand.yaml\nlimits: {stops: false}\nstart: {qd: 1}\nduration: 0.1\n"
        rows, _ = self.run_of(scenario)
        self.assertNotIn("q2", rows[0])
        self.assertAlmostEqual(rows[-1]["q1"], 0.1, delta=1e-12)
        rows, told = self.run_of(scenario + "options: {mimic: independent}\n")
        self.assertAlmostEqual(rows[-1]["q2"], 0.1, delta=1e-12)
        self.assertEqual(told["mimic"], "independent")
        self.good("report", "run.csv", "--out", "page.html")
        self.bad(scenario + "options: {mimic: maybe}\n", ":5:", "independent")

    def test_noise_and_differences_of_a_turn(self):
        rows, _ = self.run_of("robot: ./tug.yaml\nstart: {base: {w: [0.5, 0, 1]}}\nduration: 1\ncontroller: {kind: none, period: 0.001}\n"
                              "sensors: {noise: 1e-4, velocity: difference, cutoff: 20, quantum: 1e-5}\n")
        self.unit(rows)
        worst = max(abs(row["q.base." + c] - row["real_q.base." + c]) for row in rows for c in TURN)
        self.assertTrue(1e-5 < worst < 1e-3)
        self.assertAlmostEqual(rows[-1]["qd.base.wz"], rows[-1]["real_qd.base.wz"], delta=0.2)

    def test_derivatives_of_a_log_go_along_the_turn(self):
        """From positions alone; velocities and accelerations as the run has them, to second order."""
        rows, _ = self.run_of("robot: ./tug.yaml\nstart: {base: {w: [0.5, -0.3, 1], v: [1, 0, 0]}, qd: 0.4}\nduration: 0.2\n"
                              "integrator: {method: arkode, rtol: 1e-12, atol: 1e-13}\noutput: {rate: 1000}\n")
        names = [c for c in rows[0] if c == "t" or c.startswith("q.")]
        self.write("q.csv", "\n".join([",".join(names)] + [",".join("%.17g" % row[c] for c in names) for row in rows]) + "\n")
        out = self.good("eval", "tug.yaml", "--want", "momentum,id", "--in", "q.csv", "--differentiate", "--format", "json")
        full = self.good("eval", "tug.yaml", "--want", "momentum", "--in", "run.csv", "--format", "json", "--quiet")
        made, real = ([json.loads(x) for x in text.splitlines()] for text in (out, full))
        for a, b in list(zip(made, real))[1:-1]:
            for x, y in zip(a["momentum"], b["momentum"]):
                self.assertAlmostEqual(x, y, delta=2e-4)
            for x in a["id"]:  # nothing acts
                self.assertAlmostEqual(x, 0, delta=2e-3)

    def test_a_foot_is_put_down_while_the_trunk_stays(self):
        base = [0.3, -0.2, 0.5, 0, 0, math.sin(0.2), math.cos(0.2)]
        leg = [0.1, 0.7, -1.3]
        header = ",".join("q%d" % k for k in range(1, 20)) + "\n"
        row = ",".join("%.17g" % x for x in base + leg + 9 * [0.0]) + "\n"
        foot = self.answer("eval", "quadruped", "--want", "pose", "--link", "front_left_foot", "--in", "-", stdin=header + row)["pose"]["position"]
        start = ",".join("%.17g" % x for x in base + [0, 0.5, -1] + 9 * [0.0])
        found = self.answer("reach", "quadruped", "--link", "front_left_foot", "--pose", ",".join("%.17g" % x for x in foot), "--from", start)
        for a, b in zip(found["q"], base):
            self.assertAlmostEqual(a, b, delta=1e-15)
        for a, b in zip(found["q"][7:10], leg):
            self.assertAlmostEqual(a, b, delta=1e-6)
        self.refused(1, ("trunk", "no joint moves it"), "reach", "quadruped", "--link", "trunk", "--pose", "0,0,1")
        self.refused(1, ("base", "unit length"), "reach", "quadruped", "--pose", "0,0,1", "--from", ",".join(19 * ["0"]))
        self.refused(2, ("19 numbers",), "reach", "quadruped", "--pose", "0,0,1", "--from", "0,0")

    def test_what_cannot_be_is_told_with_its_line(self):
        for start, words in (("{base: {quaternion: [0, 0, 0, 0]}}", (":2:", "unit length")),
                             ("{base: {quaternion: [1, 1, 0, 0]}}", (":2:", "unit length")),
                             ("{base: {rpy: [0, 0, 0], quaternion: [0, 0, 0, 1]}}", (":2:", "not by both")),
                             ("{bsae: {xyz: [0, 0, 1]}}", (":2:", "base")),
                             ("{base: {xyz: [0, 0]}}", (":2:",)),
                             ("{q: [1, 2]}", (":2:", "each of the 1 joints"))):
            self.bad("robot: ./tug.yaml\nstart: %s\nduration: 1\n" % start, *words)
        self.bad("robot: ./swing.yaml\nstart: {ball: {xyz: [0, 0, 1]}}\nduration: 1\n", ":2:", "xyz")
        for rest, words in (("controller: {kind: passivity}", ("passivity", "base has none")),
                            ("controller: {kind: hand-impedance, link: arm}", ("hand-impedance", "base")),
                            ("disturbances: [{fault: {joint: base, kind: lost, from: 0.5}}]", ("base", "no drive")),
                            ("motion: {path: {link: arm, times: [0, 1], poses: [{move: [0, 0, 0.1]}]}}", ("one freedom each",))):
            self.bad("robot: ./tug.yaml\nstart: {q: 0}\nduration: 1\n%s\n" % rest, *words)
        self.refused(1, ("one freedom",), "eval", "kuka-lwr", "--base", "free", "--want", "elastic")
        self.bad("robot: ur5e\noptions: {base: free}\nduration: 1\n", "singular at joint base", "has no mass")
        self.bad("robot: ./tug.yaml\noptions: {base: floating}\nduration: 1\n", ":2:", "base")


if __name__ == "__main__":
    main()
