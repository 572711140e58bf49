#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`arne reach`: the answer is judged by `arne eval --want pose`, its limits by `arne info`; bad input is refused in one line. The
program is $ARNE, or build/arne."""
import math

from support import Program, main

NEAR = 1e-8  # m, and entries of a rotation matrix


def rpy(roll, pitch, yaw):
    """Rz(yaw) Ry(pitch) Rx(roll), written out."""
    a, b, c = (math.cos(x) for x in (yaw, pitch, roll))
    d, e, f = (math.sin(x) for x in (yaw, pitch, roll))
    return [[a * b, a * e * f - d * c, a * e * c + d * f], [d * b, d * e * f + a * c, d * e * c - a * f], [-e, b * f, b * c]]


class Reach(Program):
    def solved(self, robot, *args):
        return self.answer("reach", robot, *args)

    def pose(self, robot, link, q):
        names = ",".join("q%d" % (i + 1) for i in range(len(q)))
        rows = names + "\n" + ",".join("%.17g" % x for x in q) + "\n"
        return self.answer("eval", robot, "--want", "pose", "--link", link, "--in", "-", stdin=rows)["pose"]

    def check(self, robot, link, pose, *args):
        a = self.solved(robot, "--link", link, "--pose", ",".join(str(x) for x in pose), *args)
        at = self.pose(robot, link, a["q"])
        p, R = at["position"], at["rotation"]
        for i in range(3):
            self.assertLess(abs(p[i] - pose[i]), NEAR)
        self.assertLess(a["position_error"], NEAR)
        if len(pose) == 6:
            want = rpy(*pose[3:])
            for i in range(3):
                for j in range(3):
                    self.assertLess(abs(R[i][j] - want[i][j]), NEAR)
        else:
            self.assertIsNone(a["rotation_error"])
        limits = self.answer("info", robot)["joints"]
        for q, joint in zip(a["q"], limits):
            self.assertLessEqual(joint["lower"] if joint["lower"] is not None else -math.inf, q)
            self.assertGreaterEqual(joint["upper"] if joint["upper"] is not None else math.inf, q)
        return a

    def test_poses_are_reached(self):
        self.check("ur5e", "wrist_3", [0.4, 0.2, 0.3, 3.0, 0.1, -0.4])
        self.check("kuka-lwr", "j7", [0.3, 0.3, 0.4])
        self.check("stanford", "j6", [0.3, 0.4, 0.6, 0.2, 0.5, 1.0])

    def test_the_start_decides_which_answer(self):
        """An answer given as the start comes back as it is."""
        a = self.check("ur5e", "wrist_3", [0.4, 0.2, 0.3, 3.0, 0.1, -0.4])
        b = self.check("ur5e", "wrist_3", [0.4, 0.2, 0.3, 3.0, 0.1, -0.4], "--from", ",".join("%.17g" % q for q in a["q"]))
        for x, y in zip(a["q"], b["q"]):
            self.assertLess(abs(x - y), 1e-6)

    def test_the_last_link_is_the_default(self):
        self.assertEqual(self.solved("kuka-lwr", "--pose", "0.3,0.3,0.4")["link"], "j7")

    def test_degrees(self):
        one = self.answer("reach", "ur5e", "--pose", "0.4,0.2,0.3,0,1.5707963267948966,0", "--from", "0,-1,1,0.1,0.2,0.3")
        turned = ",".join("%.17g" % math.degrees(x) for x in (0, -1, 1, 0.1, 0.2, 0.3))
        other = self.answer("reach", "ur5e", "--pose", "0.4,0.2,0.3,0,90,0", "--from", turned, "--degrees")
        for a, b in zip(one["q"], other["q"]):
            self.near(a, b, 1e-6)

    def test_text_names_the_joints(self):
        r = self.run_arne("reach", "ur5e", "--pose", "0.4,0.2,0.3")
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertEqual(len(r.stdout.splitlines()), 9)  # header, units, six joints, where the link stands
        self.assertIn("shoulder_pan", r.stdout)
        self.assertIn("from the target", r.stdout)

    def test_out_of_reach_says_how_near(self):
        self.refused(1, ["wrist_3", "cannot reach", "at least 3.", "the nearest found is 4."], "reach", "ur5e", "--pose", "5,0,0")
        self.refused(1, ["cannot reach", "bridge is at its upper limit"], "reach", "gantry", "--pose", "9,0,0")

    def test_what_is_not_found_is_not_called_impossible(self):
        """within the arm's length, but the wrist does not turn that way"""
        r = self.run_arne("reach", "puma560", "--pose", "0.9,0,0.2,3,0,0")
        self.assertEqual(r.returncode, 1)
        self.assertIn("was not brought to the target from ", r.stderr)
        self.assertIn("the nearest found is ", r.stderr)
        self.assertNotIn("cannot", r.stderr)

    def test_a_pose_at_the_limits_is_reached(self):
        """poses with joints of the Puma at their limits"""
        for q in [[2.79252, -3.92699, -0.78539, 2.96705, 1.74532, 0.5], [0.3, -3.92699, 3.9269, 0.2, -1.74532, 0.5]]:
            at = self.pose("puma560", "j6", q)
            (a, _, _), (b, _, _), (c, d, e) = at["rotation"]
            angles = [math.atan2(d, e), math.atan2(-c, math.hypot(d, e)), math.atan2(b, a)]
            self.check("puma560", "j6", at["position"] + angles)

    def test_bad_input(self):
        self.refused(2, ["--pose"], "reach", "ur5e")
        self.refused(2, ["--pose"], "reach", "ur5e", "--pose", "1,2")
        self.refused(2, ["--pose"], "reach", "ur5e", "--pose", "1,2,nan")
        self.refused(2, ["--pose"], "reach", "ur5e", "--pose", "1,2,3,4")
        self.refused(2, ["--from", "6 numbers"], "reach", "ur5e", "--pose", "0.4,0.2,0.3", "--from", "1,2")
        self.refused(2, ["--format"], "reach", "ur5e", "--pose", "0.4,0.2,0.3", "--format", "xml")
        self.refused(1, ["wrist_4", "did you mean \"wrist_"], "reach", "ur5e", "--pose", "0.4,0.2,0.3", "--link", "wrist_4")
        self.refused(1, ["part of the base"], "reach", "ur5e", "--pose", "0.4,0.2,0.3", "--link", "base")
        self.refused(1, ["nowhere"], "reach", "nowhere", "--pose", "0.4,0.2,0.3")

    def test_help_examples_work(self):
        text = self.run_arne("help", "reach").stdout
        lines = [line.split() for line in text.splitlines() if " reach " in line and "--pose" in line and "usage" not in line]
        ran = 0
        for words in lines:
            if "ROBOT" in words:
                continue
            at = words.index("reach")
            self.assertEqual(self.run_arne(*words[at:]).returncode, 0, words)
            ran += 1
        self.assertGreaterEqual(ran, 2)


if __name__ == "__main__":
    main()
