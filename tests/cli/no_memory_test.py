# SPDX-License-Identifier: MIT
"""Memory that is refused once, at any of a command's allocations: the right answer, or one message and nothing else. A sample of
the allocations, another one whenever their number changes; all of them with

    ALL=1 ARNE=build/arne NO_MEMORY=build/tests/libno_memory.so python3 tests/cli/no_memory_test.py"""
import os
import re
import shutil
import unittest

from support import TOP, Program, main

REFUSER = os.environ.get("NO_MEMORY")
ALL = bool(os.environ.get("ALL"))

LINK = """<link name="%s"><inertial><origin xyz="%g 0 0" rpy="0 0.1 0"/><mass value="%g"/>
  <inertia ixx="0.1" ixy="0.01" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>\n"""
JOINT = """<joint name="%s" type="revolute"><parent link="%s"/><child link="%s"/><origin xyz="0.5 0 0.3" rpy="0.3 0 0"/>
  <axis xyz="%s"/><limit lower="-2" upper="2" velocity="3" effort="40"/><dynamics damping="0.5" friction="0.2"/></joint>\n"""
ROBOT = ("<robot name=\"two\"><link name=\"base\"/>\n" + LINK % ("a", 0.1, 2) + LINK % ("b", 0.2, 1) +
         JOINT % ("j1", "base", "a", "0 0 1") + JOINT % ("j2", "a", "b", "0 1 0") + "</robot>\n")
ELASTIC = """\
convention: mdh
joints:
  - name: j1
    type: revolute
    link: {mass: 1, com: [0.3, 0, 0], inertia: {xx: 1, yy: 1, zz: 1}}
    motor: {inertia: 0.1, gear: 1}
    elastic: {stiffness: 1000}
    limits: {effort: 30}
"""
RUN = """\
robot: ./two.urdf
duration: 0.05
motion: {polynomial: {degree: 5, time: [0, 0.05], from: [0, 0], to: [0.02, 0.01]}}
controller: {kind: computed-torque}
observer: {gain: 50, threshold: 4}
disturbances:
  - wrench: {link: b, force: [0, 20, 0], from: 0.02}
integrator: {method: %s}
"""
ROWS = """\
floating: true
joints:
  - {name: cart, type: planar, x: {limits: {upper: 1}}, angle: {mimic: {joint: cart.y}}, link: {mass: 1}}
  - {name: ball, type: spherical, link: {mass: 1}}
"""
SPRING = """\
robot: ./spring.yaml
options: {elastic: true}
start: {q: [0.1]}
duration: 0.01
controller: {kind: motor-pd}
sensors: {noise: 1e-5}
integrator: {method: cvode}
"""


def plain(text):
    """Without the time it took; lines may break elsewhere for it."""
    text = " ".join(text.split())
    return re.sub(r"s in [-+.0-9e]+ s, [-+.0-9e]+ times as fast as real time \([-+.0-9e]+ s|\"wall_s\":[-+.0-9e]+", "", text)


def said(text):
    """Without what SUNDIALS says itself, where it has no integrator yet that could be told to be quiet."""
    return re.sub(r"\n\[(ARKODE|CVODE)[^\n]* ERROR\][^\n]*\n  [^\n]*\n\n", "", text)


@unittest.skipUnless(REFUSER, "allocations cannot be refused in this build")
class NoMemory(Program):
    FILES = {"two.urdf": ROBOT, "spring.yaml": ELASTIC, "rk4.yaml": RUN % "rk4, step: 0.001", "arkode.yaml": RUN % "arkode",
             "cvode.yaml": RUN % "cvode", "spring_run.yaml": SPRING, "rows.yaml": ROWS,
             "path.csv": "q1,q2\n0,0\n0.5,0.4\n0.2,0.9\n",
             "states.csv": "q1,q2,qd1,qd2,qdd1,qdd2\n0.1,0.2,0.3,0.4,0.5,0.6\n"}

    def attempt(self, number, args):
        """What it said and left, and how many allocations it made."""
        before = set(os.listdir(self.folder))
        os.mkdir(self.path("temporary"))
        tell = self.folder + ".tell"
        r = self.run_arne(*args, LD_PRELOAD=REFUSER, REFUSE=str(number), REFUSE_TELL=tell, TMPDIR=self.path("temporary"))
        left = os.listdir(self.path("temporary"))
        shutil.rmtree(self.path("temporary"))
        made = {}
        for name in set(os.listdir(self.folder)) - before:
            made[name] = plain(self.read(name))
            os.remove(self.path(name))
        count = 0
        if os.path.exists(tell):
            with open(tell) as f:
                count = int(f.read())
            os.remove(tell)
        return r, plain(r.stdout), made, left, count

    def holds(self, args, sample=20):
        args = args.split()
        r, text, made, left, count = self.attempt(0, args)
        self.assertEqual((r.returncode, r.stderr, left), (0, "", []), args)
        self.assertGreater(count, 100)
        step = 1 if ALL else max(1, count // sample)
        refusals = 0
        for number in range(1 + count % step, count + 1, step):
            with self.subTest(args=args, number=number):
                r, now_text, now_made, left, _ = self.attempt(number, args)
                self.assertGreaterEqual(r.returncode, 0, "it crashed")
                self.assertEqual(left, [])
                if r.returncode == 0:
                    self.assertEqual((r.stderr, now_text, now_made), ("", text, made))
                    continue
                refusals += 1
                self.assertRegex(said(r.stderr), r"\Aarne: .*(out of|Cannot allocate) memory\n\Z")
                self.assertNotRegex(r.stderr, r":[0-9]+: out of memory")  # no line is to blame
                self.assertEqual((r.stdout, now_made), ("", {}))
        self.assertGreater(refusals, 2)

    def test_robots_are_read_whole_or_not(self):
        self.holds("info two.urdf", 60)
        self.holds("info spring.yaml")
        self.good("convert", "two.urdf", "--to", "par", "--out", "two.par", "--quiet")
        self.holds("info two.par")
        shutil.copy(os.path.join(TOP, "tests", "data", "sdf", "everything.sdf"), self.path("all.sdf"))
        self.holds("eval all.sdf --want mass --quiet", 60)
        for name in ("everything.xml", "with_files.xml", "dent.obj"):
            shutil.copy(os.path.join(TOP, "tests", "data", "mjcf", name), self.path(name))
        self.holds("eval with_files.xml --state home --want mass --quiet", 60)
        self.holds("convert rows.yaml --to yaml --out back.yaml --quiet", 40)

    def test_eval(self):
        self.holds("eval two.urdf --want id,fd,mass --in states.csv")

    def test_simulate(self):
        for name in ("rk4", "arkode", "cvode", "spring_run"):
            self.holds("simulate %s.yaml --out run.csv" % name, 25)

    def test_plan_feasible(self):
        self.holds("plan two.urdf --path path.csv --out plan.csv")
        self.good("plan", "two.urdf", "--path", "path.csv", "--out", "plan.csv")
        self.holds("feasible two.urdf --in plan.csv --out achieved.csv")

    def test_observe_report(self):
        self.good("simulate", "rk4.yaml", "--out", "run.csv")
        self.holds("observe two.urdf --in run.csv --out residuals.csv")
        if not shutil.which("gnuplot"):
            self.skipTest("gnuplot is not installed")
        self.holds("report run.csv --out page.html", 5)


main()
