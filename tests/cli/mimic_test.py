# SPDX-License-Identifier: MIT
"""Joints that mimic others, from the file to every command: fewer columns, forces and inertias by hand, independent on request."""
import json
import math
import subprocess

from support import Program, main

# an arm of one joint with a gripper: the right finger goes half as far as the left one, the other way
GRIPPER = """<robot name="gripper">
  <link name="base"/>
  <link name="arm"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="left"><inertial><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="right"><inertial><mass value="4"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="lift" type="prismatic"><axis xyz="0 0 1"/><parent link="base"/><child link="arm"/>
    <limit lower="-9" upper="9" velocity="2" effort="500"/></joint>
  <joint name="right" type="prismatic"><axis xyz="1 0 0"/><parent link="arm"/><child link="right"/>
    <limit lower="-1" upper="1" velocity="2" effort="50"/><mimic joint="left" multiplier="-0.5" offset="0.1"/></joint>
  <joint name="left" type="prismatic"><axis xyz="1 0 0"/><parent link="arm"/><child link="left"/>
    <limit lower="-1" upper="1" velocity="2" effort="50"/></joint>
</robot>
"""
M = 2 + 0.25 * 4  # of the fingers together


class Mimic(Program):
    FILES = {"g.urdf": GRIPPER, "g.yaml": "urdf: g.urdf\njoints: [{name: left, friction: {viscous: 3}}, {name: right, friction: {coulomb: 2}}]\n"}

    def all_near(self, x, y):
        self.assertEqual(len(x), len(y))
        for a, b in zip(x, y):
            self.near(a, b)

    def eval(self, want, columns, values, *more, robot="g.urdf"):
        self.write("in.csv", ",".join(columns) + "\n" + ",".join(map(str, values)) + "\n")
        return self.answer("eval", robot, "--want", want, "--in", "in.csv", *more)

    def test_info_lists_who_follows_whom(self):
        info = self.answer("info", "g.urdf")
        self.assertEqual([info["dof"], info["nq"], [j["name"] for j in info["joints"]], info["mass"]], [2, 2, ["lift", "left"], 7])
        self.assertEqual(info["followers"], [{"name": "right", "master": "left", "ratio": -0.5, "offset": 0.1}])
        self.assertEqual(info["warnings"], [])
        self.assertRegex(self.good("info", "g.urdf"), r"joint that follows +master +ratio +offset\n +right +left +-0\.5 +0\.1")
        free = self.answer("info", "g.urdf", "--mimic", "independent")
        self.assertEqual([free["dof"], [j["name"] for j in free["joints"]], "followers" in free], [3, ["lift", "right", "left"], False])

    def test_forces_and_inertias(self):
        r = self.eval("id,mass,fd,pose,jacobian,com", ["q.lift", "q.left", "qdd.lift", "qdd.left", "tau.lift", "tau.left"],
                      [0, 0.4, 1, 2, 7 * 9.81, 6], "--link", "right")
        self.all_near(r["id"], [7 * (9.81 + 1), 2 * M])
        self.all_near(sum(r["mass"], []), [7, 0, 0, M])
        self.all_near(r["fd"], [0, 2])
        self.all_near(r["pose"]["position"], [0.1 - 0.2, 0, 0])
        self.all_near(r["jacobian"][0], [0, -0.5])
        self.all_near(r["com"]["position"], [(2 * 0.4 - 4 * 0.1) / 7, 0, 0])
        # what rubs in the finger that follows, its master feels; it can be switched off
        r = self.eval("id", ["qd1", "qd2"], [0, 0.2], robot="g.yaml")
        self.all_near(r["id"], [7 * 9.81, 3 * 0.2 + 0.5 * 2])
        self.all_near(self.eval("id", ["qd1", "qd2"], [0, 0.2], "--rigid", robot="g.yaml")["id"], [7 * 9.81, 0])
        self.all_near(self.eval("id", ["qdd1", "qdd2", "qdd3"], [0, 1, 0], "--mimic", "independent")["id"], [7 * 9.81, 4, 0])

    def test_a_log_that_has_the_joint_that_follows(self):
        self.write("in.csv", "q.lift,q.left,q.right,qdd.lift,qdd.left,qdd.right\n0,0,0.1,0,2,-1\n")
        r = self.run_arne("eval", "g.urdf", "--want", "id", "--in", "in.csv", "--format", "json")
        self.all_near(json.loads(r.stdout)["id"], [7 * 9.81, 2 * M])
        self.assertIn("q.right", r.stderr)

    def test_files_keep_it(self):
        for name in ("out.yaml", "out.urdf"):
            self.good("convert", "g.urdf", "--to", name[4:], "--out", name)
            self.all_near(sum(self.eval("mass", ["q1", "q2"], [0, 0], robot=name)["mass"], []), [7, 0, 0, M])

    def test_other_commands_see_two_joints(self):
        wave = lambda t: (0.1 * (1 - math.cos(t)), 0.2 * (1 - math.cos(t)), 0.1 * math.sin(t), 0.2 * math.sin(t), 0.1 * math.cos(t), 0.2 * math.cos(t))
        rows = ["t,q1,q2,qd1,qd2,qdd1,qdd2"] + [",".join("%.17g" % x for x in (k / 100, *wave(k / 100))) for k in range(300)]
        self.write("motion.csv", "\n".join(rows) + "\n")
        result = self.answer("feasible", "g.urdf", "--in", "motion.csv")
        self.assertEqual(result["verdict"], "feasible")
        self.write("s.yaml", "robot: g.urdf\nduration: 0.5\nstart: {q: [0, 0.2], qd: [0, 0.5]}\n")
        self.good("simulate", "s.yaml", "--out", "run.csv")
        self.near(self.table("run.csv")[-1]["q2"], 0.2 + 0.5 * 0.5)
        self.write("points.csv", "q1,q2\n0,0\n1,0.5\n")
        self.good("plan", "g.urdf", "--path", "points.csv", "--out", "plan.csv")

    def test_base_parameters(self):
        b = self.answer("base", "g.urdf")  # what slides has masses only: those of all, and those of the fingers as the master feels them
        self.assertEqual((b["count_without_rotors"], b["count"]), (2, 3))
        terms = {p["name"]: {t["parameter"]: t["coefficient"] for t in p["terms"]} for p in b["parameters"]}
        self.near(terms["M2"]["M3"] if "M2" in terms else terms["M3"]["M2"], 1 / 0.25 if "M2" in terms else 0.25, 1e-6)

    def test_generated_code(self):
        self.good("codegen", "g.yaml", "--what", "id,mass,fd,did,jacobian", "--out", "c", "--name", "g", "--params", "standard", "--link", "right")
        self.write("main.c", """#include <stdio.h>
#include "c/g.h"
int main(void)
{
    const double q[] = {0.3, 0.4}, qd[] = {0.5, -0.2}, x[] = {1, 2};
    double y[64];
    g_id(q, qd, x, y); printf("%.17g %.17g\\n", y[0], y[1]);
    g_fd(q, qd, x, y); printf("%.17g %.17g\\n", y[0], y[1]);
    g_mass(q, y); for (int i = 0; i < 4; i++) printf("%.17g ", y[i]);
    g_did(q, qd, x, y); for (int i = 0; i < 12; i++) printf("%.17g ", y[i]);
    g_jacobian(q, y); for (int i = 0; i < 12; i++) printf("%.17g ", y[i]);
}
""")
        subprocess.run(["cc", "-o", "run", "main.c", "c/g.c", "-lm"], cwd=self.folder, check=True)
        is_ = [float(w) for w in subprocess.run(["./run"], cwd=self.folder, check=True, capture_output=True, text=True).stdout.split()]
        head, state = ["q1", "q2", "qd1", "qd2", "qdd1", "qdd2", "tau1", "tau2"], [0.3, 0.4, 0.5, -0.2, 1, 2, 1, 2]
        r = self.eval("id,fd,mass,did,jacobian", head, state, "--link", "right", robot="g.yaml")
        flat = lambda A: sum(A, [])
        self.all_near(is_, r["id"] + r["fd"] + flat(r["mass"]) + flat(r["did"]["dq"]) + flat(r["did"]["dqd"]) + flat(r["did"]["dqdd"])
                      + flat(r["jacobian"]))


main()
