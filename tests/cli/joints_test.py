# SPDX-License-Identifier: MIT
"""Joints of several freedoms and joints that follow others, in files: numbers by hand, what is refused, robots that are shipped."""
import json
import math
import os
import re

from support import TOP, Program, main

CART = """\
name: cart
joints:
  - name: cart
    type: planar
    x: {limits: {lower: -3, upper: 4}, friction: {viscous: 5}}
    angle: {motor: {inertia: 0.001, gear: 10}}
    link: {mass: 2, com: [0.5, 0, 0], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
"""

PLANE = """<robot name="plane">
  <link name="floor"/>
  <link name="cart"><inertial><origin xyz="0.5 0 0"/><mass value="2"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="roll" type="planar"><parent link="floor"/><child link="cart"/>%s</joint>
</robot>
"""

FINGERS = """<robot name="fingers">
  <link name="palm"/>
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="first" type="continuous"><parent link="palm"/><child link="a"/>%s</joint>
  <joint name="other" type="continuous"><parent link="palm"/><child link="b"/>%s</joint>
</robot>
"""


def joint(text, top=""):
    return top + "joints:\n  - {name: j1, type: revolute, link: {mass: 1}}\n  - {name: j2, %s}\n" % text


class Joints(Program):
    FILES = {"cart.yaml": CART}

    def yaml(self, text, top=""):
        return self.write("r.yaml", joint(text, top))

    def test_a_planar_joint_is_x_y_angle(self):
        i = self.answer("info", "cart.yaml")
        self.assertEqual([(j["name"], j["type"]) for j in i["joints"]],
                         [("cart.x", "prismatic"), ("cart.y", "prismatic"), ("cart.angle", "revolute")])
        self.assertEqual((i["joints"][0]["lower"], i["joints"][0]["upper"], i["joints"][2]["lower"]), (-3, 4, None))
        table = "q.cart.x,q.cart.y,q.cart.angle,qd.cart.x,qd.cart.y,qd.cart.angle\n1,2,%r,3,0,4\n" % (math.pi / 2)
        r = self.answer("eval", "cart.yaml", "--want", "mass,bias,pose", "--in", "-", stdin=table)
        for got, want in zip(sum(r["mass"], []), [2, 0, -1, 0, 2, 0, -1, 0, 0.1 + 2 * 0.25 + 0.1]):
            self.assertAlmostEqual(got, want, 12)
        for got, want in zip(r["bias"], [5 * 3, -2 * 16 * 0.5, 0]):  # the mass swings round: 2 kg, 16 rad^2/s^2, 0.5 m, towards -y
            self.assertAlmostEqual(got, want, 12)
        for got, want in zip(r["pose"]["position"], [1, 2, 0]):
            self.assertAlmostEqual(got, want, 12)

    def test_planes_of_urdf_by_their_normal(self):
        for axis, where in (("", [1, 2, 0]), ('<axis xyz="0 0 1"/>', [1, 2, 0]), ('<axis xyz="0 0 -2"/>', [1, -2, 0]),
                            ('<axis xyz="1 0 0"/>', [0, 2, -1]), ('<axis xyz="0 1 0"/>', [1, 0, -2])):
            self.write("plane.urdf", PLANE % axis)
            r = self.answer("eval", "plane.urdf", "--want", "pose,gravity", "--in", "-", stdin="q1,q2,q3\n1,2,0\n")
            self.assertEqual(r["pose"]["position"], where, axis)
        self.write("plane.urdf", PLANE % '<limit lower="-1" upper="1"/><dynamics damping="1"/>')
        self.assertEqual([w.split(": ", 1)[1] for w in json.loads(self.run_arne("info", "plane.urdf", "--format", "json").stdout)["warnings"]],
                         ["joint 'roll' has several freedoms: its <%s> is not used" % word for word in ("limit", "dynamics")])

    def test_universal_and_cylindrical(self):
        self.yaml("type: universal, axis: [0, 0, 1], axis2: [1, 0, 0], second: {limits: {effort: 7}}, link: {mass: 1, com: [0, 1, 0]}")
        i = self.answer("info", "r.yaml")
        self.assertEqual([(j["name"], j["effort"]) for j in i["joints"]], [("j1", None), ("j2.first", None), ("j2.second", 7)])
        r = self.answer("eval", "r.yaml", "--want", "gravity")  # 1 kg, 1 m out along y: turning about x lifts it
        self.assertAlmostEqual(r["gravity"][2], 9.81, 12)
        self.yaml("type: cylindrical, axis: [0, 0, 2], link: {mass: 3, com: [1, 0, 0]}")
        r = self.answer("eval", "r.yaml", "--want", "gravity,mass", "--in", "-", stdin="q.j1,q.j2.angle,q.j2.slide\n0,1,2\n")
        self.assertAlmostEqual(r["gravity"][2], 3 * 9.81, 12)
        self.assertAlmostEqual(r["mass"][1][1], 3, 12)

    def test_free_and_spherical_joints_anywhere(self):
        self.yaml("type: spherical, origin: {xyz: [1, 0, 0]}, link: {mass: 2, com: [0, 0, 1], inertia: {xx: 1, yy: 1, zz: 1}}")
        i = self.answer("info", "r.yaml")
        self.assertEqual((i["nq"], i["nv"], i["joints"][1]["type"]), (5, 4, "spherical"))
        table = "q.j1,q.j2.qx,q.j2.qy,q.j2.qz,q.j2.qw\n0,%r,0,0,%r\n" % (math.sqrt(0.5), math.sqrt(0.5))
        r = self.answer("eval", "r.yaml", "--want", "gravity", "--in", "-", stdin=table)
        self.assertAlmostEqual(r["gravity"][1], -2 * 9.81, 12)  # it lies along -y: falls about its own -x
        self.yaml("type: free, link: {mass: 2}")
        self.assertEqual([j["type"] for j in self.answer("info", "r.yaml")["joints"]], ["revolute", "free"])

    def test_floating_frees_the_base_link(self):
        self.yaml("type: revolute, link: {mass: 1, com: [1, 0, 0]}", "floating: true\nbase: hull\nbase_link: {mass: 5}\n")
        i = self.answer("info", "r.yaml")
        self.assertEqual((i["base"], i["nv"], i["joints"][0]["name"], i["mass"]), ("free", 8, "base", 7))
        r = self.answer("eval", "r.yaml", "--want", "gravity,pose", "--link", "hull")
        self.assertAlmostEqual(r["gravity"][2], 7 * 9.81, 12)
        self.assertEqual(self.answer("info", "r.yaml", "--base", "fixed")["nv"], 2)
        self.yaml("type: revolute, link: {mass: 1}", "floating: false\n")
        self.assertEqual(self.answer("info", "r.yaml")["base"], "fixed")
        self.write("r.yaml", "floating: true\nbase: hull\njoints:\n  - {name: base, type: revolute, link: {mass: 1}}\n")
        self.assertEqual([j["name"] for j in self.answer("info", "r.yaml")["joints"]], ["base_", "base"])
        self.write("plane.urdf", PLANE % "")  # a URDF file is freed by a YAML file beside it, or held and given limits
        self.write("r.yaml", "urdf: plane.urdf\nfloating: true\njoints: [{name: roll.x, limits: {upper: 2}}]\n")
        i = self.answer("info", "r.yaml")
        self.assertEqual((i["base"], [j["upper"] for j in i["joints"]]), ("free", [None, 2, None, None]))
        i = self.answer("info", os.path.join(TOP, "tests", "data", "rows.yaml"))
        self.assertEqual([(j["name"], j["parent"]) for j in i["joints"] if j["type"] in ("free", "spherical")],
                         [("base", None), ("ball", "wrist.second"), ("drone", "base")])  # a body on a free base may be free itself
        self.assertEqual((i["nq"], i["nv"]), (7 + 2 + 2 + 4 + 2 + 7, 6 + 2 + 2 + 3 + 2 + 6))  # one of the cart follows
        self.yaml("type: revolute", "floating: perhaps\n")
        self.refused(1, "r.yaml:1: floating: true or false is expected", "info", "r.yaml")

    def test_what_a_joint_cannot_have(self):
        for text, words in (
                ("type: planar, limits: {upper: 1}", "key 'limits' belongs to one freedom: a planar joint has it under x, y, angle"),
                ("type: cylindrical, motor: {gear: 2}", "a cylindrical joint has it under angle, slide"),
                ("type: cylindrical, x: {}", "key 'x' is a freedom of another type of joint"),
                ("type: revolute, angle: {}", "key 'angle' is a freedom of another type of joint"),
                ("type: free, friction: {viscous: 1}", "key 'friction' is for joints of one freedom"),
                ("type: spherical, limits: {upper: 1}", "key 'limits' is for joints of one freedom"),
                ("type: free, mimic: {joint: j1}", "key 'mimic' is for joints of one freedom"),
                ("type: spherical, axis: [0, 0, 1]", "key 'axis' is for joints that turn about it"),
                ("type: revolute, axis2: [0, 0, 1]", "key 'axis2' is for universal joints"),
                ("type: universal, axis2: [0, 0, 0]", "the axis2 has length 0"),
                ("type: planar, x: {limit: {upper: 1}}", "x: unknown key 'limit'; did you mean 'limits'?"),
                ("type: planer", "unknown type 'planer'"),
                ("type: revolute, mimic: {multiplier: 2}", "mimic: which joint does it follow?")):
            self.yaml(text)
            self.refused(1, ["r.yaml:3: joint 'j2'", words], "info", "r.yaml")
        self.yaml("type: universal", "convention: mdh\n")
        self.refused(1, "a universal joint needs two axes", "info", "r.yaml")
        self.yaml("type: free, a: 1", "convention: dh\n")
        self.refused(1, "in convention dh it has no a, alpha, d, theta", "info", "r.yaml")

    def test_planar_joints_in_every_convention(self):
        for convention, text in (("dh", "a: 1, alpha: 1, d: 2, theta: 3"), ("mdh", "a: 1, alpha: 1, d: 2, theta: 3")):
            self.yaml("type: planar, %s, link: {mass: 1}" % text, "convention: %s\n" % convention)
            self.assertEqual(self.answer("info", "r.yaml")["nv"], 4)
            self.yaml("type: free, link: {mass: 1}", "convention: %s\n" % convention)
            self.assertEqual(self.answer("info", "r.yaml")["nv"], 7)

    def test_followers_that_lead_nowhere(self):
        mimic = '<mimic joint="%s"/>'
        for first, other, words in (("", mimic % "other", ":6: joint 'other' follows itself"),
                                    (mimic % "other", mimic % "first", ":5: joint 'first' follows 'other', which follows it in turn"),
                                    ("", "<mimic/>", ":6: joint 'other': <mimic> has no joint"),
                                    ("", '<mimic joint="first" multiplier="x"/>', ':6: joint \'other\': multiplier="x" of <mimic> is not')):
            self.write("f.urdf", FINGERS % (first, other))
            self.refused(1, "f.urdf" + words, "info", "f.urdf")
        self.write("f.urdf", FINGERS % ("", mimic % "third"))  # as other readers have it
        r = self.run_arne("info", "f.urdf")
        self.assertEqual(r.returncode, 0)
        self.assertIn("f.urdf:6: joint 'other' mimics 'third', but no joint has this name: it moves by itself", r.stderr)
        for text, words in (("type: revolute, mimic: {joint: j2}", "joint 'j2' follows itself"),
                            ("type: prismatic, mimic: {joint: j3}", "joint 'j2' follows 'j3', but no joint")):
            self.yaml(text)
            self.refused(1, "r.yaml:3: " + words, "info", "r.yaml")

    def test_trees_that_are_none(self):
        self.write("two.urdf", '<robot name="two">\n<link name="a"/>\n<link name="b"/>\n</robot>')
        self.refused(1, "two.urdf:3: two links have no parent, 'a' and 'b'", "info", "two.urdf")
        links = "".join('<link name="%s"/>' % c for c in "rabcd")
        joints = "".join('<joint name="%s" type="%s"><parent link="%s"/><child link="%s"/></joint>\n' % j for j in
                         (("j", "fixed", "r", "a"), ("k", "fixed", "r", "b"), ("l", "fixed", "a", "c"), ("loop", "fixed", "b", "c"),
                          ("fly", "floating", "c", "d")))
        self.write("loop.urdf", '<robot name="loop">%s\n%s</robot>' % (links, joints))
        self.refused(1, "loop.urdf:5: link 'c' has two parents, by joint 'l' and by joint 'loop'", "info", "loop.urdf")

    def test_the_centre_of_what_weighs_nothing(self):
        self.write("r.yaml", "base_link: {mass: 1}\njoints: [{name: j1, type: planar}]\n")
        self.refused(1, "com is not finite: nothing that moves has a mass", "eval", "r.yaml", "--want", "com")

    def test_converted_robots_say_the_same(self):
        self.yaml("type: universal, link: {mass: 1, com: [0.1, 0.2, 0.3], inertia: {xx: 1, yy: 1, zz: 1}}",
                  "floating: true\nbase: hull\nbase_link: {mass: 5}\n")
        want = ["--want", "mass,bias", "--in", "-"]
        table = ",".join(["q%d" % k for k in range(1, 11)] + ["qd%d" % k for k in range(1, 10)])
        table += "\n1,2,3,0.6,0,0,0.8,1,2,3,4,5,6,7,8,9,1,2,3\n"
        should = self.answer("eval", "r.yaml", *want, stdin=table)
        for ending in ("yaml", "urdf"):
            self.good("convert", "r.yaml", "--to", ending, "--out", "back." + ending)
            got = self.answer("eval", "back." + ending, *want, stdin=table)
            for a, b in zip(sum(should["mass"], should["bias"]), sum(got["mass"], got["bias"])):
                self.assertAlmostEqual(a, b, 11)
        self.assertIn("floating: true\nbase: hull\n", self.read("back.yaml"))
        self.refused(1, "joint base has several freedoms: .par cannot say that", "convert", "r.yaml", "--to", "par", "--out", "back.par")


class Sdf(Program):
    def setUp(self):
        super().setUp()
        with open(os.path.join(TOP, "tests", "data", "sdf", "everything.sdf")) as f:
            self.write("machine.sdf", re.sub("<mimic.*</mimic>", "", f.read()))

    def test_it_is_told_by_its_root_element(self):
        os.mkdir(self.path("mine"))
        for name in ("m.xml", "m.urdf", "m", "mine/shipped.sdf"):
            self.write(name, self.read("machine.sdf"))
        for name in ("machine.sdf", "m.xml", "./m.urdf", "./m", "shipped"):
            i = self.answer("info", name, "--quiet", ARNE_ROBOTS=self.path("mine"))
            self.assertEqual((i["name"], i["nv"], i["joints"][-1]["type"]), ("machine", 13, "free"), name)

    def test_places_and_weights(self):
        self.write("rest.csv", ",".join("q%d" % k for k in range(1, 16)) + "\n0,0,0,0,0,0,1,0,0,0,0,0,0,0,1\n")
        pose = self.answer("eval", "machine.sdf", "--want", "pose", "--link", "hand", "--in", "rest.csv", "--quiet")["pose"]
        # the foot is at (1, 2, 0), turned by 90 degrees: x of the machine is y of the world. The arm lies along its x, 1 m up
        for got, want in zip(pose["position"], [1, 2.6, 1]):
            self.assertAlmostEqual(got, want, 7)
        g = self.answer("eval", "machine.sdf", "--want", "gravity", "--in", "rest.csv", "--quiet")["gravity"]
        self.assertAlmostEqual(g[0], 0, 12)
        self.assertAlmostEqual(g[9], 0.3 * 9.81, 12)  # the lamp falls by itself

    def test_converted(self):
        self.good("convert", "machine.sdf", "--to", "yaml", "--out", "m.yaml", "--quiet")
        for name in ("mass", "gravity", "bias"):
            a, b = (self.answer("eval", robot, "--want", name, "--quiet") for robot in ("machine.sdf", "m.yaml"))
            flat = [sum(x[name], []) if name == "mass" else x[name] for x in (a, b)]
            for x, y in zip(*flat):
                self.assertAlmostEqual(x, y, 11)


class Shipped(Program):
    def test_robots_with_a_free_base(self):
        for name, joints, mass in (("satellite", 7, 400 + 36 + 8 + 8 + 3 + 5 + 2 + 3), ("quadruped", 12, 9 + 4 * (0.8 + 1.1 + 0.22 + 0.06)),
                                   ("humanoid", 30, 8 + 24.1 + 2 * 6.2 + 2 * 14.1), ("quadrotor-arm", 8, 1.8 + 0.08 + 0.35)):
            i = self.answer("info", name, "--strict")
            self.assertEqual((i["base"], i["nv"], i["nq"], i["warnings"]), ("free", 6 + joints, 7 + joints, []), name)
            self.assertAlmostEqual(i["mass"], mass, 12)
            # left and right are alike: at zero the centre of mass is in the middle
            com = self.answer("eval", name, "--want", "com")["com"]
            self.assertAlmostEqual(com["position"][1], 0, 12)
            for other in ("fixed", "free"):
                self.assertEqual(self.answer("info", name, "--base", other)["nv"], joints + 6 * (other == "free"))

    def test_thrust_that_carries_the_quadrotor(self):
        """A quarter of the weight at each propeller: nothing is left for the base."""
        wrenches = []
        for name in ("front_left", "rear_left", "rear_right", "front_right"):
            wrenches += ["--wrench", "propeller_%s=0,0,%r,0,0,0" % (name, (1.8 + 0.08 + 0.35) * 9.81 / 4)]
        for torque in self.answer("eval", "quadrotor-arm", "--want", "id", "--wrench-frame", "local", *wrenches)["id"]:
            self.assertAlmostEqual(torque, 0, 12)

    def test_feet_stand_level(self):
        for name, links, height in (("quadruped", ["%s_%s_foot" % (a, b) for a in ("front", "rear") for b in ("left", "right")], -0.42),
                                    ("humanoid", ["left_sole", "right_sole"], -0.93)):
            for link in links:
                self.assertAlmostEqual(self.answer("eval", name, "--want", "pose", "--link", link)["pose"]["position"][2], height, 12)

    def test_files_say_how_their_inertias_came_about(self):
        for name in ("satellite", "quadruped", "humanoid", "quadrotor-arm"):
            with open(os.path.join(TOP, "robots", name + ".yaml")) as f:
                self.assertIn("Solids of even density", f.read())


if __name__ == "__main__":
    main()
