#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The link that is meant where nobody names one, and tools: `--tool`, `tool:` of a robot file, `tool:` of a scenario. Places are
judged by planar trigonometry. The program is $ARNE, or build/arne."""
import math

from support import Program, main

# a planar arm of two links of 1 m; its flange 0.5 m beyond; the last branch of the file is fixed to the world
URDF = """<robot name='arm'>
<link name='world'/>
<link name='upper'><inertial><origin xyz='0.5 0 0'/><mass value='1'/>
<inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial></link>
<link name='fore'><inertial><origin xyz='0.5 0 0'/><mass value='1'/>
<inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial></link>
<link name='flange'/><link name='camera'/><link name='base'/>
<joint name='a' type='revolute'><parent link='world'/><child link='upper'/><axis xyz='0 0 1'/>
<limit lower='-3' upper='3' velocity='5' effort='50'/></joint>
<joint name='b' type='revolute'><parent link='upper'/><child link='fore'/><origin xyz='1 0 0'/><axis xyz='0 0 1'/>
<limit lower='-3' upper='3' velocity='5' effort='50'/></joint>
<joint name='c' type='fixed'><parent link='fore'/><child link='flange'/><origin xyz='1.5 0 0'/></joint>
<joint name='d' type='fixed'><parent link='world'/><child link='camera'/></joint>
<joint name='e' type='fixed'><parent link='camera'/><child link='base'/></joint>
</robot>
"""

YAML = """name: crank
convention: mdh
tool: [0.3, 0.4, 0]
joints:
  - {name: j1, type: revolute, limits: {lower: -3, upper: 3, velocity: 5, effort: 50}, link: {mass: 1, com: [0.2, 0, 0]}}
"""

SCENARIO = """robot: crank.yaml
duration: 0.1
options: {tool: [0, 0, 0.7]}
start: {q: [0.4]}
output: {link: tool_}
"""


def planar(q, tool):
    """Place of a point of the forearm."""
    a, b = q[0], q[0] + q[1]
    return [math.cos(a) + math.cos(b) * tool[0] - math.sin(b) * tool[1], math.sin(a) + math.sin(b) * tool[0] +
            math.cos(b) * tool[1], tool[2]]


class Tip(Program):
    FILES = {"arm.urdf": URDF, "crank.yaml": YAML, "run.yaml": SCENARIO, "in.csv": "q1,q2\n0.3,-0.8\n"}
    Q = [0.3, -0.8]

    def same(self, found, should, tolerance=1e-12):
        for x, y in zip(found, should):
            self.near(x, y, tolerance)

    def evaluate(self, *args):
        return self.answer("eval", "arm.urdf", "--want", "pose,jacobian", "--in", "in.csv", *args)

    def test_the_default_is_the_deepest_link_beyond_the_last_moving_joint(self):
        a = self.evaluate()
        at = planar(self.Q, [1.5, 0, 0])
        self.same(a["pose"]["position"], at)
        self.same(a["jacobian"][0], [-at[1], math.sin(0.3) - at[1]])  # z x r
        self.same(a["jacobian"][1], [at[0], at[0] - math.cos(0.3)])
        self.assertEqual(a, self.evaluate("--link", "flange"))

    def test_a_tool_is_the_default_link(self):
        self.same(self.evaluate("--tool", "0.2,0.1,-0.3")["pose"]["position"], planar(self.Q, [1.7, 0.1, -0.3]))
        self.same(self.evaluate("--tool", "fore=0.2,0.1,-0.3")["pose"]["position"], planar(self.Q, [0.2, 0.1, -0.3]))
        self.same(self.evaluate("--tool", "0.2,0.1,0", "--link", "flange")["pose"]["position"], planar(self.Q, [1.5, 0, 0]))

    def test_reach_moves_the_tool(self):
        a = self.answer("reach", "arm.urdf", "--pose", "1.2,1.1,-0.3", "--tool", "0.2,0.1,-0.3")
        self.assertEqual(a["link"], "tool")
        self.same(planar(a["q"], [1.7, 0.1, -0.3]), [1.2, 1.1, -0.3], 1e-8)
        self.assertEqual(self.answer("reach", "arm.urdf", "--pose", "1.2,1.1,0")["link"], "flange")

    def test_a_map_is_drawn_of_the_tool(self):
        self.write("path.csv", "q1,q2\n0.3,-0.8\n0.5,0.2\n")
        self.answer("plan", "arm.urdf", "--path", "path.csv", "--map", "map.csv", "--places", "2", "--others", "free", "--tool",
                    "0.2,0.1,0")
        row = self.table("map.csv")[0]
        self.same([row[k] for k in "xyz"], planar(self.Q, [1.7, 0.1, 0]), 1e-6)

    def test_a_robot_file_has_a_tool(self):
        self.write("one.csv", "q1\n0.5\n")
        a = self.answer("eval", "crank.yaml", "--want", "pose", "--in", "one.csv")["pose"]["position"]
        turn = math.atan2(0.4, 0.3) + 0.5
        self.same(a, [0.5 * math.cos(turn), 0.5 * math.sin(turn), 0])

    def test_a_scenario_has_a_tool(self):
        self.good("simulate", "run.yaml", "--out", "run.csv", "--quiet")
        row = self.table("run.csv")[0]
        turn = math.atan2(0.4, 0.3) + 0.4
        self.same([row["hand." + k] for k in "xyz"], [0.5 * math.cos(turn), 0.5 * math.sin(turn), 0.7], 1e-6)

    def test_bad_tools_are_refused(self):
        for tool in ("1,2", "a,b,c", "=1,2,3", "1,2,3,4", ""):
            self.refused(2, "--tool", "eval", "arm.urdf", "--want", "pose", "--tool", tool)
        self.refused(1, "'nobody'", "eval", "arm.urdf", "--want", "pose", "--tool", "nobody=1,2,3")


class Body(Program):
    """A robot without moving joints."""
    FILES = {"box.urdf": "<robot name='box'><link name='world'/><link name='box'><inertial><origin xyz='0.5 0 0'/><mass value='2'/>"
                         "<inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
                         "<joint name='a' type='fixed'><parent link='world'/><child link='box'/><origin xyz='0 0 1'/></joint></robot>"}

    def test_it_has_mass_and_places_but_no_torques(self):
        none = {"dof": 0, "nq": 0, "nv": 0, "base": "fixed", "joints": [], "warnings": []}
        self.assertEqual(self.answer("info", "box.urdf"), {"name": "box", "mass": 2, **none})
        self.assertIn("0 moving joints, 2 kg", self.good("info", "box.urdf"))
        a = self.answer("eval", "box.urdf", "--want", "id,fd,mass,regressor,did,jacobian,pose")
        self.assertEqual((a["id"], a["fd"], a["mass"], a["regressor"], a["did"]["dq"]), ([], [], [], [], []))
        self.assertEqual(a["jacobian"], [[]] * 6)
        self.assertEqual(a["pose"]["position"], [0, 0, 1])
        self.refused(1, "no base parameters", "eval", "box.urdf", "--want", "base_regressor")
        self.assertIn("type: fixed", self.good("convert", "box.urdf", "--to", "yaml"))

    def test_what_moves_robots_refuses_it(self):
        for command in (["count"], ["equations"], ["base"], ["codegen", "--out", "x"], ["reach", "--pose", "1,2,3"], ["elastic"],
                        ["variants"], ["formulations"], ["bench"]):
            self.refused(1, ["box.urdf", "no joint that moves"], command[0], "box.urdf", *command[1:])


if __name__ == "__main__":
    main()
