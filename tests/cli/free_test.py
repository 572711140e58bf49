# SPDX-License-Identifier: MIT
"""Free bases from the shell: columns, numbers by hand, quaternions, and commands that do not take them yet."""
import json
import math

from support import Program, main

BODY = """<robot name="satellite">
  <link name="world"/>
  <link name="hull"><inertial><origin xyz="0 0 0"/><mass value="2"/>
    <inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="orbit" type="%s"><parent link="world"/><child link="hull"/></joint>
  <link name="arm"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="continuous"><parent link="hull"/><child link="arm"/><origin xyz="0 0 1"/><axis xyz="0 0 1"/></joint>
</robot>
"""


class Free(Program):
    FILES = {"free.urdf": BODY % "floating", "fixed.urdf": BODY % "fixed"}

    def rows(self, robot, want, table, *options):
        lines = self.good("eval", robot, "--want", want, "--in", "-", "--format", "json", *options, stdin=table)
        return [json.loads(line) for line in lines.splitlines()]

    def near(self, is_, should, digits=12):
        self.assertEqual(len(is_), len(should))
        for got, want in zip(is_, should):
            self.assertAlmostEqual(got, want, digits)

    def test_info_lists_the_free_joint(self):
        i = self.answer("info", "free.urdf")
        self.assertEqual((i["nq"], i["nv"], i["dof"], i["base"]), (8, 7, 7, "free"))
        self.assertEqual([(j["name"], j["type"]) for j in i["joints"]], [("orbit", "free"), ("shoulder", "revolute")])
        i = self.answer("info", "ur5e", "--base", "free")
        self.assertEqual((i["nq"], i["nv"], i["joints"][0]["name"], i["joints"][0]["type"]), (13, 12, "base", "free"))
        i = self.answer("info", "free.urdf", "--base", "fixed")
        self.assertEqual((i["nq"], i["nv"], i["base"]), (1, 1, "fixed"))

    def test_a_spinning_body_by_hand(self):
        """Arm at rest on the hull, gravity off: f = m (v' + w x v) of the centre, moments of Euler about it."""
        h = math.sqrt(0.5)
        table = ("q.orbit.x,q.orbit.y,q.orbit.z,q.orbit.qx,q.orbit.qy,q.orbit.qz,q.orbit.qw,q.shoulder,"
                 "qd.orbit.vx,qd.orbit.vy,qd.orbit.vz,qd.orbit.wx,qd.orbit.wy,qd.orbit.wz,qd.shoulder\n"
                 "4,5,6,0,0,%r,%r,0,1,0,0,0,0,3,0\n" % (h, h))
        r = self.rows("free.urdf", "id,com,energy,centroidal", table, "--gravity", "off")[0]
        # the hull goes along its x with 1 m/s and turns with 3 rad/s about z; the arm's centre is at (0.5, 0, 1) of it.
        # centripetal: arm 1 kg: -9 * 0.5 along x; both: w x v = 3 along y, 3 kg
        self.near(r["id"], [-4.5, 9, 0, -3, -4.5, 1.5, 1.5])
        # the world sees the hull's x axis as y
        self.near(r["com"]["position"], [4, 5 + 0.5 / 3, 6 + 1 / 3])
        # hull (1, 0), arm (1, 1.5) in hull axes: in the world (0, 1), (-1.5, 1)
        self.near(r["com"]["velocity"], [-0.5, 1, 0])
        self.assertAlmostEqual(r["energy"]["kinetic"], (2 * 1 + 1 * (1 + 2.25) + 2.6 * 9) / 2, 12)
        self.near(r["centroidal"]["momentum"][:3], [-1.5, 3, 0])

    def test_numbers_and_names_are_the_same(self):
        values = "0.1,0.2,0.3,0,0,0,1,0.5,1,2,3,4,5,6,7\n"
        names = ["q.orbit." + c for c in ("x", "y", "z", "qx", "qy", "qz", "qw")] + ["q.shoulder"]
        names += ["qd.orbit." + c for c in ("vx", "vy", "vz", "wx", "wy", "wz")] + ["qd.shoulder"]
        numbers = ["q%d" % k for k in range(1, 9)] + ["qd%d" % k for k in range(1, 8)]
        a, b = (self.rows("free.urdf", "id,mass", ",".join(header) + "\n" + values)[0] for header in (names, numbers))
        self.assertEqual(a, b)

    def test_a_base_held_still_is_a_fixed_one(self):
        table = "q1,qd1,qdd1\n0.4,2,3\n"
        want = "id,mass,bias,pose"
        self.assertEqual(self.rows("free.urdf", want, table, "--base", "fixed"), self.rows("fixed.urdf", want, table))

    def test_a_free_base_is_added_where_the_file_has_none(self):
        """At rest the base carries the weight of all, and the joints what they carry on a fixed base."""
        n = 6
        q = [0.3, -0.5, 0.7, 0.2, -0.4, 0.6]
        header, row = [",".join("q%d" % k for k in range(1, m + 1)) + "\n" for m in (n, n + 7)], ",".join(map(str, q)) + "\n"
        free = self.rows("ur5e", "gravity", header[1] + "0,0,0,0,0,0,1," + row, "--base", "free")[0]["gravity"]
        fixed = self.rows("ur5e", "gravity", header[0] + row)[0]["gravity"]
        mass = self.answer("info", "ur5e")["mass"]
        self.near(free[:3], [0, 0, 9.81 * mass], 9)
        self.near(free[6:], fixed)

    def test_quaternions_are_normalised_or_refused(self):
        header = ",".join("q%d" % k for k in range(1, 9)) + "\n"
        a, b = self.rows("free.urdf", "gravity", header + "0,0,0,0.6,0,0,0.8,0\n0,0,0,0.6003,0,0,0.8004,0\n")
        self.near(a["gravity"], b["gravity"])
        for bad in ("nan", "inf", "-inf"):
            self.refused(1, ':3: column q6: "%s" is not a finite number' % bad, "eval", "free.urdf", "--want", "gravity", "--in", "-",
                         stdin=header + "0,0,0,0,0,0,1,0\n0,0,0,0,0,%s,1,0\n" % bad, stdout=self.good(
                             "eval", "free.urdf", "--want", "gravity", "--in", "-", stdin=header + "0,0,0,0,0,0,1,0\n"))
        for bad in ("0,0,0,0,0,0,0,0", "0,0,0,1,1,0,0,0"):
            self.refused(1, ":2: joint orbit: the quaternion", "eval", "free.urdf", "--want", "gravity", "--in", "-", "--format", "json",
                         stdin=header + bad + "\n")

    def test_without_a_file_the_base_stands_at_the_origin(self):
        pose = self.answer("eval", "free.urdf", "--want", "pose", "--link", "hull")["pose"]
        self.assertEqual(pose, {"position": [0, 0, 0], "rotation": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]})

    def test_commands_that_do_not_take_it_say_so(self):
        for name, *words in (["feasible", "--in", "free.urdf"],):
            self.refused(1, "orbit has several freedoms", name, "free.urdf", *words)

    def test_methods_of_the_documents_are_for_fixed_bases(self):
        self.refused(1, "--method lagrange is for robots whose joints have one freedom each: it differentiates poses by coordinates",
                     "eval", "free.urdf", "--want", "id", "--method", "lagrange")
        self.refused(1, "[000 section IV]", "variants", "free.urdf")
        self.refused(1, "strobe-mass is not counted: strobing [004 section 8]", "count", "free.urdf", "--what", "strobe-mass")
        # the others ask for the motion of a body, however it came about
        ids = [self.answer("eval", "free.urdf", "--want", "id", "--method", m)["id"] for m in ("ne", "turney", "newton-euler")]
        self.near(ids[0], ids[1])
        self.near(ids[0], ids[2])
        methods = self.answer("formulations", "free.urdf", "--ms", "0.01")
        self.assertEqual([m["method"] for m in methods["methods"]], ["ne", "turney", "newton-euler", "composite", "aba", "crba", "wo1"])
        self.assertIn("gibbs-appell", methods["left_out"])


if __name__ == "__main__":
    main()
