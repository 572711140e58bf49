#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`arne identify` from outside: logs of a robot whose parameters are known, made by `arne eval`; how bad logs are refused."""
import json
import math
import random
import unittest

from support import Program, main

# an arm with rotors, friction that differs from joint to joint, and offsets; what one begins with is another robot
TRUE = """\
name: arm
convention: urdf
joints:
  - name: turn
    type: revolute
    axis: [0, 0, 1]
    link: {mass: 4, com: [0.02, 0.01, 0.1], inertia: {xx: 0.04, xy: 0.001, xz: 0, yy: 0.05, yz: 0, zz: 0.03}}
    motor: {inertia: 0.0001, gear: 50}
    friction: {viscous: 2, coulomb: 3, offset: 0.4}
  - name: lift
    type: revolute
    axis: [0, 1, 0]
    origin: {xyz: [0.1, 0, 0.3]}
    link: {mass: 3, com: [0.2, 0, 0.01], inertia: {xx: 0.01, xy: 0, xz: 0.002, yy: 0.04, yz: 0, zz: 0.04}}
    motor: {inertia: 0.0001, gear: -40}
    friction: {viscous: 1.5, coulomb: 2, offset: -0.3}
  - name: reach
    type: prismatic
    axis: [1, 0, 0]
    origin: {xyz: [0.4, 0, 0]}
    link: {mass: 1.5, com: [0.1, 0.02, 0], inertia: {xx: 0.002, xy: 0, xz: 0, yy: 0.006, yz: 0, zz: 0.006}}
    friction: {viscous: 20, coulomb: 5}
"""
BEGIN = TRUE.replace("mass: 4", "mass: 6").replace("mass: 3", "mass: 2").replace("mass: 1.5", "mass: 3")
BEGIN = "\n".join(x for x in BEGIN.splitlines() if "friction" not in x and "motor" not in x) + "\n"
N = 3


def motion(count, step, seed=3, still=(), late=0):
    r = random.Random(seed)
    waves = [[(r.uniform(0.1, 0.5), 2 * math.pi * r.uniform(0.1, 0.9), r.uniform(0, 6)) for _ in range(4)] for _ in range(N)]
    for k in range(count):
        t = k * step - late
        yield k * step, [[0 if i in still else sum(f(a, w, w * t + p) for a, w, p in wave) for i, wave in enumerate(waves)]
                  for f in (lambda a, w, x: a * math.sin(x), lambda a, w, x: a * w * math.cos(x),
                            lambda a, w, x: -a * w * w * math.sin(x))]


class Identify(Program):
    FILES = {"true.yaml": TRUE, "begin.yaml": BEGIN}

    def log(self, name, count=400, step=0.02, noise=0, groups=("q", "qd", "qdd"), change=None, seed=3, still=(), load=(), late=0):
        """A log of the true robot; change: of a row {column: number}; load: options; late: s that torques are behind."""
        rows, moved = list(motion(count, step, seed, still)), motion(count, step, seed, still, late)
        columns = [g + str(i + 1) for g in ("q", "qd", "qdd") for i in range(N)]
        text = ",".join(columns) + "\n" + "".join(",".join("%.17g" % x for g in s for x in g) + "\n" for _, s in moved)
        told = [json.loads(x)["id"] for x in self.good("eval", "true.yaml", "--want", "id", "--in", "-", "--format", "json",
                                                       *load, stdin=text).splitlines()]
        r = random.Random(seed + 1)
        out = []
        for k, ((t, s), tau) in enumerate(zip(rows, told)):
            row = {"t": t, **dict(zip(columns, (x for g in s for x in g)))}
            row.update({"tau%d" % (i + 1): x + noise * r.gauss(0, 1) for i, x in enumerate(tau)})
            row = {c: x for c, x in row.items() if c == "t" or c.rstrip("0123456789") in groups + ("tau",)}
            out.append(change(k, row) if change else row)
        self.write(name, ",".join(out[0]) + "\n" + "".join(",".join("%.12g" % x if c == "t" else "%.17g" % x for c, x in row.items()) + "\n" for row in out))
        return name

    def warned(self, *args):
        r = self.run_arne("identify", "begin.yaml", *args, "--format", "json")
        self.assertEqual(r.returncode, 0, r.stderr)
        told = json.loads(r.stdout)
        self.assertEqual(len(told["warnings"]), r.stderr.count("arne: warning: "))
        return told, " ".join(told["warnings"])

    def test_exact_states_give_the_robot_back(self):
        told = self.answer("identify", "begin.yaml", "--in", self.log("log.csv"), "--cutoff", "off", "--out", "found.yaml")
        self.assertTrue(told["consistent"])
        for j, f in zip(told["joints"], ((2, 3, 0.4), (1.5, 2, -0.3), (20, 5, 0))):
            self.assertLess(j["error"], 1e-12)
            self.assertLess(j["error_least_squares"], 1e-12)
            self.assertGreater(j["error_before"], 0.1)
            for name, should in zip(("viscous", "coulomb", "offset"), f):
                self.assertAlmostEqual(j[name], should, delta=1e-7)
        # the file is a robot that gives the same torques anywhere, and converts
        self.write("at.csv", "q1,q2,q3,qd1,qd2,qd3,qdd1,qdd2,qdd3\n1,-2,0.3,1,-1,0.5,3,2,-1\n0,0,0,0,0,0,0,0,0\n")
        for options in ([], ["--want", "mass"]):
            torques = [[json.loads(x) for x in self.good("eval", robot, "--in", "at.csv", "--format", "json", *(options or ["--want", "id"])).splitlines()]
                       for robot in ("true.yaml", "found.yaml")]
            for a, b in zip(*torques):
                for x, y in zip(str(a["id"] if "id" in a else sum(a["mass"], [])).strip("[]").split(","),
                                str(b["id"] if "id" in b else sum(b["mass"], [])).strip("[]").split(",")):
                    self.assertAlmostEqual(float(x), float(y), delta=1e-7)
        self.run_arne("convert", "found.yaml", "--to", "urdf", "--out", "found.urdf")
        self.assertIn("<inertial>", self.read("found.urdf"))
        self.assertEqual(self.answer("info", "found.yaml")["warnings"], [])

    def test_friction_that_differs_backwards(self):
        self.write("true.yaml", TRUE.replace("coulomb: 3, offset: 0.4", "coulomb: 3, coulomb_negative: 2").replace(", offset: -0.3", ""))
        log = self.log("log.csv")
        told = self.answer("identify", "begin.yaml", "--in", log, "--cutoff", "off", "--uneven", "--out", "found.yaml")
        self.assertLess(max(j["error"] for j in told["joints"]), 1e-11)
        self.write("at.csv", "q1,qd1,q2,qd2,q3,qd3\n0,0.7,0,0.2,0,0.1\n0,-0.7,0,-0.2,0,-0.1\n")
        rub = [[json.loads(x)["friction"] for x in self.good("eval", robot, "--want", "friction", "--in", "at.csv", "--format", "json").splitlines()]
               for robot in ("true.yaml", "found.yaml")]
        self.assertAlmostEqual(rub[0][0][0], 3 + 2 * 0.7, delta=1e-12)
        self.assertAlmostEqual(rub[0][1][0], -2 - 2 * 0.7, delta=1e-12)
        for a, b in zip(*rub):
            for x, y in zip(a, b):
                self.assertAlmostEqual(x, y, delta=1e-6)

    def test_friction_that_falls_with_speed(self):
        """Stribeck's law is found where it is, and the model with it is better than one without."""
        self.write("true.yaml", TRUE.replace("viscous: 2, coulomb: 3", "viscous: 2, coulomb: 3, static: 6, stribeck_velocity: 0.2, stribeck_exponent: 2"))
        log = self.log("log.csv", 1200)
        plain, found = (self.answer("identify", "begin.yaml", "--in", log, "--cutoff", "off", "--quiet", *more)["joints"][0] for more in ([], ["--stribeck"]))
        self.assertLess(found["error"], plain["error"] / 3)
        self.assertAlmostEqual(found["static"], 6, delta=0.6)
        self.assertAlmostEqual(found["coulomb"], 3, delta=0.3)
        self.assertAlmostEqual(found["stribeck_velocity"], 0.2, delta=0.1)

    def test_noise_and_a_low_pass(self):
        log = self.log("log.csv", 2400, 0.005, 1, ("q",))
        other = self.log("other.csv", 1200, 0.005, 1, ("q",), seed=8)
        told = self.answer("identify", "begin.yaml", "--in", log, "--validate", other, "--cutoff", "6", "--out", "found.yaml")
        self.assertEqual([told["cutoff"], told["rows"], told["validated"]], [6, 2400, True])
        for j in told["joints"]:
            self.assertLess(j["error"], 0.06)
            self.assertLess(j["error"], j["error_least_squares"] + 0.005)
        parameters = {p["name"]: p for p in told["parameters"]}
        for name, should in (("FV1", 2), ("FS1", 3), ("FV2", 1.5), ("FS2", 2), ("FV3", 20), ("FO2", -0.3), ("M3", 1.5)):
            if name in parameters:
                self.assertLess(abs(parameters[name]["value"] - should), 4 * parameters[name]["deviation"], name)
                self.assertLess(parameters[name]["deviation"], 0.3 * max(1, abs(should)))

    def test_joints_that_are_left_out(self):
        """The slide rests at zero and is not in the log; of the others one torque is used."""
        def change(k, row):
            return {"t": row["t"], "q.lift": row["q2"], "q.turn": row["q1"], "qd.lift": row["qd2"], "qd.turn": row["qd1"],
                    "qdd.lift": row["qdd2"], "qdd.turn": row["qdd1"], "tau.lift": row["tau2"], "other": 7}
        told = self.answer("identify", "begin.yaml", "--in", self.log("log.csv", change=change, still=(2,)), "--cutoff", "off", "--joints", "lift")
        self.assertEqual([j["name"] for j in told["joints"]], ["lift"])
        self.assertLess(told["joints"][0]["error"], 1e-11)
        self.assertAlmostEqual(told["joints"][0]["coulomb"], 2, delta=1e-6)

    def test_a_joint_that_follows(self):
        """A gripper: the finger that follows is felt by its master, and what rubs in it is told once."""
        finger = "  - {name: %s, type: prismatic, axis: [1, 0, 0], parent: hand, %s, link: {mass: %g, com: [0.1, 0, 0]}}\n"
        robot = "name: gripper\nconvention: urdf\njoints:\n  - {name: hand, type: revolute, axis: [0, 1, 0], link: {mass: 1, com: [0.1, 0, 0]}}\n"
        self.write("true.yaml", robot + finger % ("left", "friction: {viscous: 3}", 2)
                   + finger % ("right", "friction: {coulomb: 2}, mimic: {joint: left, multiplier: -0.5}", 1))
        self.write("begin.yaml", robot + finger % ("left", "friction: {coulomb: 1}", 1)
                   + finger % ("right", "friction: {coulomb: 1}, mimic: {joint: left, multiplier: -0.5}", 1))
        global N
        N = 2
        try:
            log = self.log("log.csv")
        finally:
            N = 3
        told, _ = self.warned("--in", log, "--cutoff", "off", "--out", "found.yaml")
        self.assertAlmostEqual(told["joints"][1]["coulomb"], 1, delta=1e-6)
        at = "q1,q2,qd1,qd2,qdd1,qdd2\n0.3,0.4,1,0.3,1,2\n"
        torques = [self.answer("eval", robot, "--want", "id", "--in", "-", stdin=at)["id"] for robot in ("true.yaml", "found.yaml")]
        for x, y in zip(*torques):
            self.assertAlmostEqual(x, y, delta=1e-6)

    def test_a_payload(self):
        """Mass, centre and inertia of a load, with a robot that is known, or with a log without it."""
        should = [2, 0.05, -0.02, 0.03, 0.01, 0.001, 0, 0.012, 0, 0.006]
        load = ("--payload", "reach=" + ",".join(map(str, should)))
        exact = self.answer("identify", "true.yaml", "--in", self.log("load.csv", load=load), "--payload", "reach", "--cutoff", "off",
                            "--out", "loaded.yaml")["payload"]
        for x, y in zip([exact["mass"], *exact["com"], *exact["inertia"]], should):
            self.assertAlmostEqual(x, y, delta=1e-6)
        at = "q1,q2,q3,qdd1,qdd2,qdd3\n1,-2,0.3,3,2,-1\n"
        torques = [json.loads(self.good("eval", *robot, "--want", "id", "--in", "-", "--format", "json", stdin=at))["id"]
                   for robot in (("true.yaml", *load), ("loaded.yaml",))]
        for x, y in zip(*torques):
            self.assertAlmostEqual(x, y, delta=1e-4)
        noisy = self.log("load.csv", 2000, 0.01, 0.3, ("q", "qd"), load=load)
        empty = self.log("empty.csv", 2000, 0.01, 0.3, ("q", "qd"), seed=9)
        for more in (["true.yaml"], ["begin.yaml", "--empty", empty]):
            found = self.answer("identify", *more, "--in", noisy, "--payload", "reach", "--cutoff", "6")["payload"]
            for x, y, d in zip([found["mass"], *found["com"], *found["inertia"]], should, found["deviation"]):
                self.assertLess(abs(x - y), 5 * d)
            self.assertLess(found["deviation"][0], 0.1)
        # what no torque feels is said
        told, words = self.warned("--in", noisy, "--payload", "turn", "--cutoff", "6")
        self.assertIn("does not tell all of the load", words)

    def test_gains_of_drives(self):
        """Currents in place of torques: a log with a known load tells the gains of the joints that feel it."""
        gains = (5, 2, 7)
        def change(k, row):
            return {c: x / gains[int(c[-1]) - 1] if c.startswith("tau") else x for c, x in row.items()}
        self.log("empty.csv", 2000, 0.01, 0.1, change=change)
        self.log("load.csv", 2000, 0.01, 0.1, change=change, seed=5, load=("--payload", "reach=3,0.1,0,0.05"))
        for cutoff in ("6", "auto"):  # gains come before the search for a cut-off
            told = self.answer("identify", "begin.yaml", "--in", "empty.csv", "--load", "load.csv:reach=3,0.1,0,0.05", "--cutoff", cutoff)
            for j, gain in zip(told["joints"], gains):
                self.assertAlmostEqual(j["gain"], gain, delta=0.05 * gain)
                self.assertLess(j["error"], 0.03)
        self.refused(2, "--load LOG:LINK=m,x,y,z", "identify", "begin.yaml", "--in", "empty.csv", "--load", "load.csv")

    def test_torques_that_are_late(self):
        log = self.log("log.csv", 2000, 0.01, 0.1, ("q",), late=0.017)
        before, after = (self.answer("identify", "begin.yaml", "--in", log, "--cutoff", "6", *more)["joints"] for more in ([], ["--delay", "auto"]))
        for a, b in zip(before, after):
            self.assertAlmostEqual(b["delay"], 0.017, delta=0.002)
            self.assertLess(b["error"], 0.6 * a["error"])

    def refuse(self, words, log, *more):
        self.refused(1, words, "identify", "begin.yaml", "--in", log, "--out", "no.yaml", *more)

    def test_bad_logs(self):
        self.refuse(("log.csv:1:", "tau1"), self.log("log.csv", 50, change=lambda k, r: {c: x for c, x in r.items() if "tau" not in c}))
        self.refuse(("log.csv", "runs backwards"), self.log("log.csv", 50, change=lambda k, r: {**r, "t": r["t"] if k < 30 else r["t"] - 0.1}))
        self.refuse(("no joint moves",), self.log("log.csv", 50, still=(0, 1, 2)))
        self.refuse(("too few",), self.log("log.csv", 2))
        self.refuse(("too few rows", "longer"), self.log("log.csv", 20), "--cutoff", "5")
        self.refuse(("too high",), self.log("log.csv", 200), "--cutoff", "30")
        self.refused(2, ("no joint", "lift"), "identify", "begin.yaml", "--in", "log.csv", "--joints", "lif")
        self.refused(2, ("--in",), "identify", "begin.yaml")
        self.write("box.yaml", BEGIN.replace("convention: urdf", "convention: urdf\nfloating: true"))
        self.refused(1, ("several freedoms",), "identify", "box.yaml", "--in", "log.csv")

    def test_doubtful_logs(self):
        log = self.log("log.csv", 300, 0.01, change=lambda k, r: {**r, "tau2": -r["tau2"]}, still=(2,))
        told, words = self.warned("--in", log, "--cutoff", "5")
        self.assertIn("torque of joint lift seems to have the wrong sign", words)
        self.assertNotIn("turn seems", words)
        self.assertIn("joint reach never moves", words)
        self.assertIn("too short", words)
        degrees = self.log("log.csv", 300, change=lambda k, r: {c: x * 180 / math.pi if c in ("q1", "q2", "qd1", "qd2", "qdd1", "qdd2") else x
                                                               for c, x in r.items()})
        self.assertLess(self.answer("identify", "begin.yaml", "--in", degrees, "--cutoff", "off", "--degrees")["joints"][0]["error"], 1e-11)


if __name__ == "__main__":
    main()
