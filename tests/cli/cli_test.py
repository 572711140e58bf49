#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program from outside: what it answers on robots small enough for a calculation by hand, and how it refuses bad input.

The program is $ARNE, or build/arne. Every refusal must have the right exit status (1 bad input, 2 wrong usage), say one line
"arne: ..." on standard error, print no result and leave no file behind."""
import json
import math
import os
import random
import subprocess

from support import ARNE, Program, main

CLOSE = 1e-12  # a handful of roundings on numbers near ten
G = 9.81

# One revolute joint about z, gravity along -y: tau = 0.6 qdd + 9.81 cos q. A fixed joint carries the tip, 1 m out.
PENDULUM = """\
name: pendulum
source: by hand
gravity: [0, -9.81, 0]
convention: mdh
joints:
  - name: arm
    type: revolute
    limits: {lower: -2, upper: 2.5, effort: 30}
    link: {mass: 2, com: [0.5, 0, 0], inertia: {xx: 0.05, xy: 0, xz: 0, yy: 0.1, yz: 0, zz: 0.1, about: com}}
  - name: tip
    type: fixed
    a: 1
"""

# The same with a motor: rotor inertia 0.01 at gear 10 is 1 kg m^2 at the joint.
DRIVEN = PENDULUM.replace("pendulum", "driven").replace(
    "    link:", "    motor: {inertia: 0.01, gear: 10}\n    friction: {viscous: 0.5}\n    link:", 1)

MASSLESS = """\
name: massless
convention: mdh
joints:
  - name: first
    type: revolute
    link: {mass: 1, com: [1, 0, 0], inertia: {xx: 0.1, xy: 0, xz: 0, yy: 0.1, yz: 0, zz: 0.1, about: com}}
  - name: second
    type: revolute
    a: 1
"""

# A lift of 2 kg with damping 0.5 that carries an arm: prismatic first, URDF names.
LIFT = """\
<robot name="lift">
  <link name="floor"/>
  <link name="car">
    <inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
  </link>
  <link name="arm">
    <inertial><origin xyz="1 0 0"/><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>
  </link>
  <joint name="rail.one" type="prismatic">
    <parent link="floor"/><child link="car"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="3" effort="100" velocity="2"/><dynamics damping="0.5"/>
  </joint>
  <joint name="turn" type="continuous"><parent link="car"/><child link="arm"/><axis xyz="0 0 1"/></joint>
</robot>
"""


class Case(Program):
    FILES = {"pendulum.yaml": PENDULUM, "driven.yaml": DRIVEN, "massless.yaml": MASSLESS, "lift.urdf": LIFT}

    def rows(self, robot, want, *args, csv=None):
        if csv is not None:
            args += ("--in", self.write("in.csv", csv))
        text = self.good("eval", robot, "--want", want, "--format", "json", *args)
        return [json.loads(line) for line in text.splitlines()]

    def row(self, robot, want, *args, csv=None):
        rows = self.rows(robot, want, *args, csv=csv)
        self.assertEqual(len(rows), 1)
        return rows[0]

    def close(self, got, expected):
        if isinstance(expected, (list, tuple)):
            self.assertEqual(len(got), len(expected))
            for g, e in zip(got, expected):
                self.close(g, e)
        else:
            self.assertLessEqual(abs(got - expected), CLOSE * max(1, abs(expected)), (got, expected))

    def refused_csv(self, words, content, robot="lift.urdf", stdout=""):
        self.write("bad.csv", content)
        self.refused(1, words, "eval", robot, "--want", "id", "--format", "json", "--in", "bad.csv", stdout=stdout)


class ByHand(Case):
    def test_a_row_of_zeros_is_the_default_input(self):
        self.close(self.row("pendulum.yaml", "id")["id"], [G])

    def test_inverse_and_forward_dynamics_of_a_pendulum(self):
        csv = "t,q1,qd1,qdd1,tau1\n0,0,0,1,10.41\n0.5,1.5,2,0,3\n"
        first, second = self.rows("pendulum.yaml", "id,fd,bias,gravity,mass,momentum,coriolis_vector", csv=csv)
        self.assertEqual(list(first), ["t", "id", "fd", "bias", "gravity", "mass", "momentum", "coriolis_vector"])
        self.close(first["id"], [10.41])
        self.close(first["fd"], [1])
        self.close(first["mass"], [[0.6]])
        g = G * math.cos(1.5)
        self.close([second[k] for k in ("t", "id", "bias", "gravity")], [0.5, [g], [g], [g]])
        self.close(second["fd"], [(3 - g) / 0.6])
        self.close(second["momentum"], [1.2])
        self.close(second["coriolis_vector"], [0])

    def test_both_methods_of_forward_dynamics_agree(self):
        csv = "q1,q2,qd1,qd2,tau1,tau2\n0.3,0.4,1,2,3,4\n"
        a = self.row("lift.urdf", "fd", "--method", "aba", csv=csv)["fd"]
        b = self.row("lift.urdf", "fd", "--method=crba", csv=csv)["fd"]
        self.close(a, b)

    def test_energy_pose_velocity_and_jacobian_of_the_tip(self):
        csv = "q1,qd1\n%.17g,2\n" % (math.pi / 6)
        r = self.row("pendulum.yaml", "energy,pose,velocity,jacobian", csv=csv)
        c, s = math.cos(math.pi / 6), math.sin(math.pi / 6)
        self.close(r["energy"]["kinetic"], 1.2)
        self.close(r["pose"]["position"], [c, s, 0])
        self.close(r["pose"]["rotation"], [[c, -s, 0], [s, c, 0], [0, 0, 1]])
        self.close(r["velocity"], [-2 * s, 2 * c, 0, 0, 0, 2])
        self.close(r["jacobian"], [[-s], [c], [0], [0], [0], [1]])
        local = self.row("pendulum.yaml", "jacobian", "--jacobian-frame", "local", csv=csv)
        self.close(local["jacobian"], [[0], [1], [0], [0], [0], [1]])
        inner = self.row("pendulum.yaml", "pose", "--link", "arm", csv=csv)
        self.close(inner["pose"]["position"], [0, 0, 0])

    def test_potential_energy_rises_with_the_mass(self):
        low, high = self.rows("pendulum.yaml", "energy", csv="q1\n0\n%.17g\n" % (math.pi / 2))
        self.close(high["energy"]["potential"] - low["energy"]["potential"], G)

    def test_wrenches_act_on_the_link(self):
        csv = "q1\n%.17g\n" % (math.pi / 2)
        for frame, spec, torque in (("local", "arm=0,1,0,0,0,0@1,0,0", -1), ("aligned", "arm=-1,0,0,0,0,0@1,0,0", -1),
                                    ("aligned", "tip=0,0,0,0,0,3", -3), ("world", "tip=0,0,0,0,0,3", -3),
                                    ("aligned", "tip=-2,0,0,0,0,0", -2)):
            r = self.row("pendulum.yaml", "id", "--wrench", spec, "--wrench-frame", frame, csv=csv)
            self.close(r["id"], [torque])
        twice = self.row("pendulum.yaml", "id", "--wrench", "tip=-2,0,0,0,0,0", "--wrench=arm=0,0,0,0,0,1", csv=csv)
        self.close(twice["id"], [-3])

    def test_wrench_columns_hold_for_their_row(self):
        csv = "w.tip.fx,w.tip.fy,w.tip.fz,w.tip.mx,w.tip.my,w.tip.mz,q1\n0,1,0,0,0,0,0\n0,0,0,0,0,5,0\n0,0,0,0,0,0,0\n"
        rows = self.rows("pendulum.yaml", "id", csv=csv)
        self.close([r["id"][0] for r in rows], [G - 1, G - 5, G])
        rows = self.rows("pendulum.yaml", "id", "--wrench", "arm=0,0,0,0,0,1", csv=csv)
        self.close([r["id"][0] for r in rows], [G - 2, G - 6, G - 1])

    def test_motor_friction_and_rigid(self):
        csv = "q1,qd1,qdd1\n0,2,1\n"
        r = self.row("driven.yaml", "id,mass,friction", csv=csv)
        self.close([r["id"], r["mass"], r["friction"]], [[0.6 + 1 + G + 1], [[1.6]], [1]])
        self.close(self.row("driven.yaml", "motor", csv=csv)["motor"], [(0.6 + 1 + G + 1) / 10])
        self.close(self.row("driven.yaml", "id", "--rigid", csv=csv)["id"], [0.6 + G])

    def test_gravity_and_payload_options(self):
        self.close(self.row("pendulum.yaml", "id", "--gravity", "off")["id"], [0])
        self.close(self.row("pendulum.yaml", "id", "--gravity", "0,-1,0")["id"], [1])
        r = self.row("pendulum.yaml", "id,mass", "--payload", "tip=1,0,0,0")
        self.close([r["id"], r["mass"]], [[2 * G], [[1.6]]])
        r = self.row("pendulum.yaml", "mass", "--payload", "tip=1,0,0,0,0.3,0,0,0.2,0,0.4")
        self.close(r["mass"], [[2]])

    def test_derivatives(self):
        r = self.row("pendulum.yaml", "did,dfd", csv="q1\n1\n")
        slope = -G * math.sin(1)
        self.close([r["did"][k] for k in ("dq", "dqd", "dqdd")], [[[slope]], [[0]], [[0.6]]])
        self.close([r["dfd"][k] for k in ("dq", "dqd", "dtau")], [[[-slope / 0.6]], [[0]], [[1 / 0.6]]])

    def test_reactions_of_the_first_joint_carry_the_weight(self):
        force = self.row("pendulum.yaml", "joint_wrenches")["joint_wrenches"]
        self.close(force, [[0, 2 * G, 0, 0, 0, G]])

    def test_a_lift_first_and_names_with_points(self):
        csv = '"q.turn", q.rail.one ,qdd.turn,qdd.rail.one,qd.rail.one,qd.turn\n1,2,0,1,2,0\n'
        self.close(self.row("lift.urdf", "id", csv=csv)["id"], [3 * (G + 1) + 1, 0])
        self.close(self.row("lift.urdf", "id", "--rigid", csv=csv)["id"], [3 * (G + 1), 0])


class Doors(Case):
    """Formats, files and streams."""

    def test_info_json(self):
        r = self.answer("info", "lift.urdf")
        self.assertEqual(list(r), ["name", "dof", "nq", "nv", "base", "joints", "mass", "warnings"])
        self.assertEqual((r["name"], r["dof"], r["mass"], r["warnings"]), ("lift", 2, 3, []))
        self.assertEqual(r["joints"][0], {"name": "rail.one", "type": "prismatic", "parent": None, "lower": 0, "upper": 3,
                                          "velocity": 2, "effort": 100})
        self.assertEqual(r["joints"][1], {"name": "turn", "type": "revolute", "parent": "rail.one", "lower": None, "upper": None,
                                          "velocity": None, "effort": None})

    def test_info_for_people(self):
        text = self.good("info", "driven.yaml")
        for word in ("driven", "arm", "tip", "gear", "viscous", "by hand"):
            self.assertIn(word, text)
        self.assertNotIn("viscous", self.good("info", "driven.yaml", "--rigid"))
        self.assertNotIn("gear", self.good("info", "pendulum.yaml"))

    def test_csv_output_reads_back(self):
        self.write("in.csv", "t,q1,q2\n0,1,2\n1,2,3\n")
        text = self.good("eval", "lift.urdf", "--want", "id,energy", "--in", "in.csv", "--format", "csv")
        head, *rows = text.splitlines()
        self.assertEqual(head, "t,id.rail.one,id.turn,energy.kinetic,energy.potential")
        self.assertEqual([len(r.split(",")) for r in rows], [5, 5])

    def test_text_output_names_the_joints(self):
        text = self.good("eval", "lift.urdf", "--want", "id,mass,pose,energy")
        for word in ("row 1", "rail.one", "turn", "29.43", "kinetic", "rotation"):
            self.assertIn(word, text)

    def test_csv_dialects(self):
        expected = self.rows("lift.urdf", "id", csv="t,q1,q2\n0,1,2\n1,2,3\n")
        for csv in ("t,q1,q2\r\n0,1,2\r\n1,2,3\r\n", "\ufefft,q1,q2\n0,1,2\n1,2,3", ' "t" , "q1",q.turn \n 0, 1 ,\t2\n"1","2.0","3e0"\n\n \n\r\n',
                    "q2,t,q1\n2,0,1\n3,1,2\n"):
            self.assertEqual(self.rows("lift.urdf", "id", csv=csv), expected, csv)

    def test_numbers_survive_a_german_locale(self):
        self.write("in.csv", "q1,q2\n0.5,0\n")
        text = self.good("eval", "lift.urdf", "--want", "id", "--in", "in.csv", "--format", "json", LC_ALL="de_DE.UTF-8")
        self.close(json.loads(text)["id"], [3 * G, 0])

    def test_printed_numbers_read_back_as_the_same_numbers(self):
        values = [random.Random(1).uniform(-3, 3) * 10.0 ** k for k in range(-12, 4)]
        rows = self.rows("pendulum.yaml", "energy", csv="t,q1\n" + "".join("%.17g,0\n" % v for v in values))
        self.assertEqual([r["t"] for r in rows], values)

    def test_standard_input_answers_row_by_row(self):
        p = subprocess.Popen([ARNE, "eval", "pendulum.yaml", "--want", "id", "--in", "-", "--format", "json"], cwd=self.folder,
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for q, torque in ((b"q1\n0\n", G), (b"1\n", G * math.cos(1))):
            p.stdin.write(q)
            p.stdin.flush()
            self.close(json.loads(p.stdout.readline())["id"], [torque])
        self.assertEqual(p.communicate(), (b"", b""))
        self.assertEqual(p.returncode, 0)

    def test_accepted_groups_that_nothing_here_uses(self):
        names = ["q", "qd", "qdd", "qddd", "qdddd", "tau", "qa", "qnext", "qdnext"]
        csv = ",".join(n + "1" for n in names) + "\n" + ",".join("0" for _ in names) + "\n"
        self.close(self.row("pendulum.yaml", "id", csv=csv)["id"], [G])

    def test_a_reader_that_leaves_is_no_error(self):
        self.write("in.csv", "q1\n" + "0\n" * 20000)
        r = subprocess.run(
            ["/bin/sh", "-c", '"$0" eval pendulum.yaml --want id --in in.csv --format json | head -n 1', ARNE], cwd=self.folder,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(r.stderr, b"")
        self.assertEqual(r.stdout.count(b"\n"), 1)

    def test_output_that_cannot_be_written_is_an_error(self):
        for args in ("info pendulum.yaml", "eval pendulum.yaml --want id", "robots", "help", "--version", "convert pendulum.yaml --to yaml"):
            for where in (">/dev/full", ">&-"):
                if where == ">/dev/full" and not os.path.exists("/dev/full"):
                    continue
                r = subprocess.run(["/bin/sh", "-c", '"$0" %s %s' % (args, where), ARNE], cwd=self.folder, stderr=subprocess.PIPE,
                                   timeout=60)
                self.assertEqual(r.returncode, 1, (args, where))
                self.assertRegex(r.stderr.decode(), r"^arne: [^\n]*\n$", (args, where))

    def test_convert_there_and_back(self):
        for robot, to in (("pendulum.yaml", "urdf"), ("pendulum.yaml", "yaml"), ("pendulum.yaml", "par"), ("lift.urdf", "yaml")):
            r = self.run_arne("convert", robot, "--to", to, "--out", "new." + to)
            self.assertEqual((r.returncode, r.stdout), (0, ""), r.stderr)
            common = ("--gravity", "0,-9.81,0", "--quiet")
            before, after = (self.good("eval", x, "--want", "id,mass", "--format", "json", *common) for x in (robot, "new." + to))
            before, after = json.loads(before), json.loads(after)
            self.close(after["id"], before["id"])
            self.close(after["mass"], before["mass"])
            printed = self.run_arne("convert", robot, "--to", to, "--quiet")
            self.assertEqual(printed.stdout, self.read("new." + to))
            os.unlink(self.path("new." + to))

    def test_convert_does_not_overwrite_unless_forced(self):
        self.write("there.yaml", "mine")
        self.refused(1, ["there.yaml", "--force"], "convert", "pendulum.yaml", "--to", "yaml", "--out", "there.yaml")
        self.assertEqual(self.read("there.yaml"), "mine")
        self.good("convert", "pendulum.yaml", "--to", "yaml", "--out", "there.yaml", "--force")
        self.assertIn("pendulum", self.good("info", "there.yaml"))

    def test_robots_of_a_folder(self):
        os.mkdir(self.path("mine"))
        for name in ("one.yaml", "two.yaml"):
            self.write("mine/" + name, PENDULUM)
        listed = self.answer("robots", ARNE_ROBOTS="mine")
        self.assertIn({"name": "one", "dof": 1, "source": "by hand"}, listed)
        self.assertIn("two", self.good("robots", ARNE_ROBOTS="mine"))
        self.assertIn("pendulum", self.good("info", "one", ARNE_ROBOTS="mine"))

    def test_a_broken_robot_does_not_hide_the_others(self):
        os.mkdir(self.path("mine"))
        self.write("mine/aaa.yaml", "joints: [")
        self.write("mine/bbb.yaml", PENDULUM)
        r = self.run_arne("robots", "--format", "json", ARNE_ROBOTS="mine")
        self.assertEqual(r.returncode, 0)
        self.assertRegex(r.stderr, r"^arne: warning: [^\n]*aaa.yaml[^\n]*\n$")
        self.assertIn({"name": "aaa", "dof": None, "source": None}, json.loads(r.stdout))

    def test_shipped_robots_load_and_evaluate(self):
        listed = self.answer("robots")
        for robot in listed:
            r = self.run_arne("eval", robot["name"], "--want", "id,fd,mass", "--format", "json", "--quiet")
            self.assertEqual((r.returncode, r.stderr), (0, ""), robot)
            self.assertEqual(len(json.loads(r.stdout)["id"]), robot["dof"])

    def test_bench(self):
        r = self.answer("bench", "pendulum.yaml", "--ms", "0.05")
        self.assertEqual((r["robot"], r["dof"]), ("pendulum", 1))
        self.assertIn(r["lanes"], (2, 4, 8))
        self.assertGreater(r["ns"]["id"]["median"], 0)
        self.assertLessEqual(r["ns"]["id"]["min"], r["ns"]["id"]["median"])
        text = self.good("bench", "massless.yaml", "lift.urdf", "--ms=0.05")
        self.assertIn("make bench", text)
        self.assertIn("lift", text)

    def test_help_and_version(self):
        self.assertRegex(self.good("--version"), r"^arne \d+\.\d+\.\d+\n$")
        overview = self.good("help")
        self.assertEqual(overview, self.good("--help"))
        for name in ("info", "eval", "convert", "robots", "bench", "help"):
            self.assertIn(name, overview)
            text = self.good("help", name)
            self.assertEqual(text, self.good(name, "--help"))
            self.assertIn("usage: arne " + name, text)
            self.assertIn("example:", text)


class WrongUsage(Case):
    def test_no_command_prints_usage(self):
        r = self.run_arne()
        self.assertEqual((r.returncode, r.stdout), (2, ""))
        self.assertIn("usage", r.stderr)

    def test_commands(self):
        self.refused(2, ["evla", '"eval"'], "evla")
        self.refused(2, "no such command in this version", "help", "fly")
        self.refused(2, "", "help", "eval", "info")
        self.refused(2, "ROBOT", "info")
        self.refused(2, "lift.urdf", "info", "pendulum.yaml", "lift.urdf")

    def test_options(self):
        self.refused(2, ["--wnat", '"--want"'], "eval", "pendulum.yaml", "--wnat", "id")
        self.refused(2, ["-x"], "info", "-x", "pendulum.yaml")
        self.refused(2, "value", "eval", "pendulum.yaml", "--want")
        self.refused(2, "value", "eval", "pendulum.yaml", "--want", "--rigid")
        self.refused(2, "value", "eval", "pendulum.yaml", "--want=")
        self.refused(2, "takes no value", "info", "pendulum.yaml", "--rigid=yes")
        self.refused(2, "twice", "info", "pendulum.yaml", "--rigid", "--rigid")
        self.refused(2, ["--format", "json"], "info", "pendulum.yaml", "--format", "xml")
        self.refused(2, "--payload", "convert", "pendulum.yaml", "--to", "urdf", "--payload", "tip=1,0,0,0")

    def test_values(self):
        for text in ("1,2", "1,2,3,4", "down", "1,2,nan", "0x1,0,0", "1,,2", "1e999,0,0"):
            self.refused(2, ["--gravity", text], "info", "pendulum.yaml", "--gravity", text)
        for text in ("D3", "=1", "D3=", "D3=two"):
            self.refused(2, "--set", "info", "pendulum.yaml", "--set", text)
        for text in ("tip", "tip=1", "tip=1,0,0,0,1", "tip=a,0,0,0", "=1,0,0,0"):
            self.refused(2, "--payload", "info", "pendulum.yaml", "--payload", text)
        self.refused(1, ["tap", '"tip"'], "info", "pendulum.yaml", "--payload", "tap=1,0,0,0")
        self.refused(2, "two payloads", "info", "pendulum.yaml", "--payload", "tip=1,0,0,0", "--payload", "tip=1,0,0,0")
        self.refused(1, "--payload", "info", "pendulum.yaml", "--strict", "--payload", "tip=-1,0,0,0")
        self.refused(2, "--ms", "bench", "pendulum.yaml", "--ms", "0")

    def test_want_and_method(self):
        self.refused(2, "--want", "eval", "pendulum.yaml")
        self.refused(2, ["gravty", '"gravity"'], "eval", "pendulum.yaml", "--want", "id,gravty")
        self.refused(2, "twice", "eval", "pendulum.yaml", "--want", "id,id")
        for text in ("id,", ",id", ",", "id,,fd"):
            self.refused(2, "--want", "eval", "pendulum.yaml", "--want", text)
        self.refused(2, "abb", "eval", "pendulum.yaml", "--want", "fd", "--method", "abb")
        self.refused(2, "aba", "eval", "pendulum.yaml", "--want", "id", "--method", "aba")
        self.refused(2, "ne", "eval", "pendulum.yaml", "--want", "fd", "--method", "ne")

    def test_every_method_gives_the_same(self):
        ways = {"id": ("ne", "turney", "lagrange", "recursive-lagrange", "newton-euler", "gibbs-appell", "christoffel", "mrnea", "mrnea-literal"),
                "fd": ("aba", "crba", "wo1", "mrnea")}
        names = ["%s%d" % (g, i + 1) for g in ("q", "qd", "qdd", "tau") for i in range(6)]
        csv = ",".join(names) + "\n" + ",".join("%g" % (0.1 * i * (-1) ** i) for i in range(24)) + "\n"
        for want, methods in ways.items():
            first = self.row("coupled-wrist", want, csv=csv)[want]
            for m in methods:
                for x, y in zip(self.row("coupled-wrist", want, "--method", m, csv=csv)[want], first):
                    self.assertAlmostEqual(x, y, delta=1e-10 * max(map(abs, first)), msg=m)

    def test_wrench_and_link(self):
        for text in ("tip", "tip=1,2,3", "tip=1,2,3,4,5,x", "tip=1,2,3,4,5,6@", "tip=1,2,3,4,5,6@1,2", "=1,2,3,4,5,6"):
            self.refused(2, "--wrench", "eval", "pendulum.yaml", "--want", "id", "--wrench", text)
        self.refused(1, ["tap", '"tip"'], "eval", "pendulum.yaml", "--want", "id", "--wrench", "tap=1,2,3,4,5,6")
        self.refused(2, "world", "eval", "pendulum.yaml", "--want", "id", "--wrench", "tip=1,2,3,4,5,6@1,0,0", "--wrench-frame", "world")
        self.refused(2, "--wrench-frame", "eval", "pendulum.yaml", "--want", "id", "--wrench-frame", "base")
        self.refused(1, ["tap", '"tip"'], "eval", "pendulum.yaml", "--want", "pose", "--link", "tap")
        self.refused(2, "--jacobian-frame", "eval", "pendulum.yaml", "--want", "pose", "--jacobian-frame", "body")

    def test_convert(self):
        for to in ((), ("--to", "mjcf")):
            self.refused(2, "--to", "convert", "pendulum.yaml", *to)
        self.refused(1, "nowhere", "convert", "pendulum.yaml", "--to", "yaml", "--out", "nowhere/new.yaml")


class BadRobots(Case):
    def test_names_and_paths(self):
        self.refused(1, ["no-such", "arne robots"], "info", "no-such-robot-at-all")
        self.refused(1, ["pndulum", '"pendulum"'], "info", "pndulum", ARNE_ROBOTS=".")
        self.refused(1, "gone.yaml", "info", "gone.yaml")
        self.refused(1, "./gone.urdf", "info", "./gone.urdf")
        self.refused(1, "folder", "info", "./")
        self.refused(1, "notes.txt", "info", "./" + self.write("notes.txt", "hello"))

    def test_files_that_are_broken(self):
        for name, text in (("a.yaml", "joints: ["), ("b.yaml", ""), ("c.urdf", "<robot"), ("d.urdf", ""), ("e.yaml", b"\x00\xff\x00"),
                           ("f.urdf", "<robot name='x'/>"), ("g.yaml", PENDULUM.replace("mass: 2", "mass: heavy")),
                           ("h.urdf", LIFT.replace('type="continuous"', 'type="screw"')), ("i.par", ""),
                           ("j.urdf", LIFT.replace('<child link="arm"/>', '<child link="leg"/>'))):
            self.write(name, text)
            for args in (("info",), ("eval", "--want", "id"), ("convert", "--to", "yaml", "--out", "new.yaml")):
                self.refused(1, name, args[0], name, *args[1:])

    def test_an_impossible_body_is_a_warning_and_with_strict_an_error(self):
        self.write("odd.yaml", PENDULUM.replace("zz: 0.1", "zz: 1"))
        r = self.run_arne("info", "odd.yaml", "--format", "json")
        self.assertEqual(r.returncode, 0)
        self.assertRegex(r.stderr, r"^arne: warning: [^\n]*arm[^\n]*\n$")
        self.assertEqual(len(json.loads(r.stdout)["warnings"]), 1)
        quiet = self.run_arne("info", "odd.yaml", "--quiet")
        self.assertEqual((quiet.returncode, quiet.stderr), (0, ""))
        self.refused(1, "arm", "info", "odd.yaml", "--strict")

    def test_a_singular_inertia_matrix(self):
        csv = self.write("in.csv", "q1,q2\n0,0\n")
        for want in ("fd", "dfd"):
            self.refused(1, ["in.csv:2:", "singular", "second"], "eval", "massless.yaml", "--want", want, "--in", csv)
        self.refused(1, "second", "eval", "massless.yaml", "--want", "fd", "--method", "crba", "--in", csv)
        self.refused(1, ["massless.yaml", "second"], "eval", "massless.yaml", "--want", "fd")


class BadInput(Case):
    def test_headers(self):
        for words, path in (("gone.csv", "gone.csv"), ("", ".")):
            self.refused(1, words, "eval", "lift.urdf", "--want", "id", "--in", path)
        self.refused_csv(["bad.csv", "empty"], "")
        self.refused_csv("bad.csv:1:", "\n")
        self.refused_csv(["bad.csv:1:", "no rows"], "q1,q2\n")
        for bad, header in (("q3", "q1,q2,q3"), ("q0", "q0,q1,q2"), ("q01", "q01,q2,q1"), ("speed1", "q1,q2,speed1")):
            self.refused_csv(["bad.csv:1:", bad], header + "\n1,2,3\n")
        self.refused_csv(["q.trun", '"q.turn"'], "q.trun,q1\n1,2\n")
        for bad, header in (("q2 (or q.turn)", "q1,qd1,qd2"), ("qd1 (or qd.rail.one)", "q1,q2,qd2")):
            self.refused_csv(["column %s is missing" % bad], header + "\n1,2,3\n")
        for bad, header in (("q1", "q1,q2,q1"), ("q.turn", "q1,q2,q.turn"), ("t", "t,t,q1")):
            self.refused_csv([bad, "twice"], header + "\n1,2,3\n")
        for words, text in (("no name", "q1,q2,\n1,2,3"), ("commas", "q1;q2\n1;2"), ("name the columns", "0.1,0.2\n0.1,0.2")):
            self.refused_csv(words, text + "\n")
        for header in ('q1,"q2', 'q1,"q2"x'):
            self.refused_csv("quote", header + "\n1,2\n")
        self.refused_csv("w.car.mz is missing", "w.car.fx,w.car.fy,w.car.fz,w.car.mx,w.car.my\n0,0,0,0,0\n")
        for bad in ("w.cat.fx", "w.car.fw", "w."):
            self.refused_csv(bad, bad + "\n0\n")

    def test_rows(self):
        self.write("good.csv", "q1,q2\n1,2\n")
        first = self.good("eval", "lift.urdf", "--want", "id", "--in", "good.csv", "--format", "json")
        for row, words in (("1", "q2"), ("1,2,3", "more"), ("1,two", ["q2", "two"]), ("1,", ["q2", "empty"]), (",2", ["q1", "empty"]),
                           ("nan,2", ["q1", "nan"]), ("1,inf", ["q2", "inf"]), ("1,-Infinity", "q2"), ("1,1e999", ["q2", "1e999"]),
                           ("0x1p3,2", "q1"), ("1,2,", "more"), ("1 1,2", "q1"), ('"1,2', ["q1", "quote"]), ("1;2", "q1"),
                           ("1,2\0", "zero byte"), ("1,--2", "q2"), ("1,2\x1b[31m", "q2")):
            words = [words] if isinstance(words, str) else words
            for end in ("\n", "\r\n", ""):
                self.refused_csv(["bad.csv:3:"] + words, "q1,q2\n1,2\n" + row + end, stdout=first)
        self.refused_csv(["bad.csv:3:", "empty line"], "q1,q2\n1,2\n\n3,4\n", stdout=first)

    def test_a_result_that_overflows_is_not_printed(self):
        self.refused_csv(["bad.csv:2:", "not finite"], "qdd1,qdd2\n1e308,0\n")

    def test_standard_input_has_a_name(self):
        self.refused(1, "<stdin>:2:", "eval", "lift.urdf", "--want", "id", "--in", "-", stdin="q1,q2\n1,x\n")
        self.refused(1, "<stdin>", "eval", "lift.urdf", "--want", "id", "--in", "-", stdin="")

    def test_noise_is_refused_or_read_but_never_crashes(self):
        noise = random.Random(7)
        good = bytearray(b'q1,q2,"qd1",qd2\r\n1,2.5e-3,-3,4\n5,6,7,8\n')
        for _ in range(150):
            text = bytearray(good)
            for _ in range(noise.randint(1, 4)):
                at = noise.randrange(len(text))
                if noise.random() < 0.3:
                    del text[at]
                else:
                    text[at] = noise.choice(b'",\n\r\0 0q1e+-.\xff\t')
            r = self.run_arne("eval", "lift.urdf", "--want", "id", "--in", "-", "--format", "json", stdin=bytes(text))
            self.assertIn(r.returncode, (0, 1), text)
            self.assertEqual(r.stderr.count("\n"), r.returncode, (text, r.stderr))
            for line in r.stdout.splitlines():
                json.loads(line)


if __name__ == "__main__":
    main()
