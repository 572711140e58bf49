# SPDX-License-Identifier: MIT
"""MJCF from the shell: what info says of it, states by their names, motions that would be wrong, other formats."""
import json

from support import Program, main

MODEL = """<mujoco model="leg">
  <compiler angle="radian"/>
  <default><joint axis="0 1 0" %s/></default>
  <worldbody>
    <body name="hull"><freejoint/><geom type="box" size="0.3 0.2 0.1"/>
      <body name="thigh" pos="0 0 -0.1"><joint name="hip"/><geom type="capsule" size="0.05" fromto="0 0 0 0 0 -0.4"/>
        <body name="shin" pos="0 0 -0.4"><joint name="knee" range="0 2"/><geom type="capsule" size="0.04" fromto="0 0 0 0 0 -0.4"/></body>
      </body>
    </body>
  </worldbody>
  <keyframe>
    <key name="home" qpos="0 0 1 1 0 0 0 -0.5 1"/>
    <key name="fall" qpos="1 2 3 0 0 0 1 0.1 0.2" qvel="1 2 3 4 5 6 7 8"/>
  </keyframe>
</mujoco>
"""
ARM = ('<mujoco><worldbody><body name="arm"><joint name="turn" axis="0 1 0" stiffness="2"/>'
       '<geom type="capsule" size="0.05" fromto="0 0 0 1 0 0"/></body></worldbody></mujoco>')
SCENARIO = "robot: arm.xml\nduration: 0.1\nstart: {q: [0.1]}\ncontroller: {kind: none}\n"


class Mjcf(Program):
    FILES = {"leg.xml": MODEL % "", "soft.xml": MODEL % 'stiffness="3"', "arm.xml": ARM, "swing.yaml": SCENARIO,
             "stiff.yaml": SCENARIO + "options: {rigid: true}\n"}

    def test_info_lists_joints_and_states(self):
        i = self.answer("info", "leg.xml")
        self.assertEqual((i["name"], i["nq"], i["nv"], i["base"], i["states"]), ("leg", 9, 8, "free", ["home", "fall"]))
        self.assertEqual([j["name"] for j in i["joints"]], ["hull", "hip", "knee"])
        self.assertIn("states: home, fall", self.good("info", "leg.xml"))

    def test_a_state_by_its_name_is_the_row_with_its_numbers(self):
        """Half a turn about z: the quaternion's w is last, and the velocity of the hull is told in its own axes."""
        head = ",".join("q%d" % k for k in range(1, 10)) + "," + ",".join("qd%d" % k for k in range(1, 9))
        row = "1,2,3,0,0,1,0,0.1,0.2,-1,-2,3,4,5,6,7,8"
        want = self.good("eval", "leg.xml", "--want", "id,fd,com", "--in", "-", "--format", "json", stdin=head + "\n" + row + "\n")
        got = self.good("eval", "leg.xml", "--want", "id,fd,com", "--state", "fall", "--format", "json")
        want, got = json.loads(want), json.loads(got)
        for key in ("id", "fd"):
            for x, y in zip(got[key], want[key]):
                self.near(x, y, 1e-12)
        for x, y in zip(got["com"]["position"] + got["com"]["velocity"], want["com"]["position"] + want["com"]["velocity"]):
            self.near(x, y, 1e-12)

    def test_a_state_that_is_not_there(self):
        self.refused(1, 'there is no state "hom"; did you mean "home"?', "eval", "leg.xml", "--want", "id", "--state", "hom")
        self.refused(2, "--state and --in", "eval", "leg.xml", "--want", "id", "--state", "home", "--in", "-")

    def test_motions_that_would_be_wrong_are_refused(self):
        for quantity in ("fd", "dfd"):
            self.refused(1, "soft.xml:6: joint 'hip': the spring of a joint (stiffness) is not modelled, so accelerations", "eval",
                     "soft.xml", "--want", quantity, "--quiet")
        self.good("eval", "soft.xml", "--want", "fd", "--rigid", "--quiet")
        self.good("eval", "soft.xml", "--want", "id,mass", "--quiet")
        self.refused(1, "swing.yaml:1: arm.xml:1: joint 'turn': the spring", "simulate", "swing.yaml", "--out", "run.csv")
        self.good("simulate", "stiff.yaml", "--out", "run.csv", "--quiet")

    def test_files_that_nest_without_end_or_name_without_end(self):
        """Each file is as deep as XML may be, and includes the next; thousands of bodies without names are named in a moment."""
        for k in range(6):
            inside = '<include file="deep%d.xml"/>' % (k + 1) if k < 5 else ""
            self.write("deep%d.xml" % k, "<mujoco>" + "<body>" * 200 + inside + "</body>" * 200 + "</mujoco>")
        self.write("deep.xml", '<mujoco><worldbody><include file="deep0.xml"/></worldbody></mujoco>')
        self.refused(1, "deep4.xml:1: elements are nested deeper than 1000", "info", "deep.xml")
        self.write("many.xml", "<mujoco><worldbody>" + '<body><joint/><geom size="1"/></body>' * 20000 + "</worldbody></mujoco>")
        self.assertEqual(self.answer("info", "many.xml", "--quiet")["nv"], 20000)

    def test_the_same_robot_in_other_formats(self):
        mass = self.answer("eval", "leg.xml", "--want", "mass", "--state", "home", "--rigid")["mass"]
        head, row = "q1,q2,q3,q4,q5,q6,q7,q8,q9", "0,0,1,0,0,0,1,-0.5,1"
        for format_ in ("urdf", "yaml"):
            r = self.run_arne("convert", "leg.xml", "--to", format_, "--out", "leg." + format_, "--force")
            self.assertEqual(r.returncode, 0)
            self.assertIn("leg.xml:12: states that have names are left out", r.stderr)
            other = json.loads(self.good("eval", "leg." + format_, "--want", "mass", "--rigid", "--in", "-", "--format", "json",
                                         "--quiet", stdin=head + "\n" + row + "\n"))["mass"]
            for a, b in zip(mass, other):
                for x, y in zip(a, b):
                    self.near(x, y, 1e-12)


if __name__ == "__main__":
    main()
