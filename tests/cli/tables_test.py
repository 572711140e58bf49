# SPDX-License-Identifier: MIT
"""Tables that pass from one command to another: what arne writes every command reads, what nobody knows is refused; derivatives
that a table lacks, degrees, and angles that look like degrees."""
import math

from support import Program, main

RUN = """\
robot: kuka-lwr
duration: 0.4
motion:
  points: {degree: 7, times: [0, 0.4], q: [[0, 0, 0, 0, 0, 0, 0], [0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05]]}
controller: {kind: passivity, period: 0.001}
observer: {gain: 50, threshold: 5}
sensors: {quantum: 1e-6}
output: {energy: true, link: j7}
"""


def smooth(rows=201, h=0.005, n=7):
    """a motion without jumps"""
    lines = ["t," + ",".join("q%d" % (j + 1) for j in range(n))]
    for k in range(rows):
        x = k / (rows - 1)
        s = x**5 * (126 + x * (-420 + x * (540 + x * (-315 + x * 70))))
        lines.append(",".join("%.15g" % v for v in [k * h] + [0.2 * s] * n))
    return "\n".join(lines) + "\n"


def swing(names="t,q1,q2", degrees=False, h=1e-3):
    """q = (sin t, 0.5 cos 2t) and its derivatives, as far as they are named, at times that are not regular"""
    unit = 180 / math.pi if degrees else 1
    lines = [names]
    for k in range(300):
        t = k * h + 0.2 * h * math.sin(k)
        of = {"q1": math.sin(t), "q2": 0.5 * math.cos(2 * t), "qd1": math.cos(t), "qd2": -math.sin(2 * t), "qdd1": -math.sin(t),
              "qdd2": -2 * math.cos(2 * t), "tau1": 0, "tau2": 0}
        lines.append(",".join("%.17g" % (t if n == "t" else unit * of[n]) for n in names.split(",")))
    return "\n".join(lines) + "\n"


ALL = "t,q1,q2,qd1,qd2,qdd1,qdd2"


class Tables(Program):
    def rows(self, *args, **more):
        r = self.run_arne("eval", "planar2r", "--format", "csv", "--in", "-", *args, **more)
        self.assertEqual(r.returncode, 0, r.stderr)
        return [[float(x) for x in line.split(",")] for line in r.stdout.split()[1:]], r.stderr

    def test_every_command_takes_what_the_others_write(self):
        self.write("run.yaml", RUN)
        self.write("smooth.csv", smooth())
        self.write("path.csv", "q1,q2,q3,q4,q5,q6,q7\n0,0,0,0,0,0,0\n0.3,0.2,0.1,0.1,0.1,0.1,0.1\n")
        self.good("simulate", "run.yaml", "--out", "run.csv", "--quiet")
        for words in (["feasible", "--in", "smooth.csv", "--policy", "scale"], ["elastic", "--in", "smooth.csv"],
                      ["plan", "--path", "path.csv"]):
            self.good(words[0], "kuka-lwr", *words[1:], "--out", words[0] + ".csv")
        for name in ("run", "feasible", "elastic", "plan"):
            header = self.read(name + ".csv").split("\n")[0].split(",")
            for command in (["eval", "--want", "gravity"], ["feasible"], ["observe"], ["elastic"]):
                if command[0] == "elastic" and name in ("run", "plan"):
                    continue  # they are not smooth enough, which has nothing to do with their columns
                r = self.run_arne(command[0], "kuka-lwr", *command[1:], "--in", name + ".csv")
                self.assertEqual(r.returncode, 0, (name, command, r.stderr))
                told = [line for line in r.stderr.split("\n") if "not used here" in line]
                strange = [c for c in header if c.startswith(("qr", "r1", "motor", "tau_e", "hand"))]
                self.assertEqual(len(told), 1 if strange and command[0] != "observe" else 0, (name, command, r.stderr))
        r = self.run_arne("feasible", "kuka-lwr", "--in", "run.csv")
        self.assertEqual(r.stderr, "arne: note: run.csv: not used here: columns qr, qdr, real_q, real_qd, r, contact, kinetic, potential, "
                         "hand\n")
        self.good("feasible", "kuka-lwr", "--in", "run.csv", "--quiet")

    def test_headings_stand_over_their_columns(self):
        self.write("q.csv", "q1,q2\n0,0\n")
        _, head, units, *rows = self.good("eval", "planar2r", "--want", "id,gravity", "--in", "q.csv").splitlines()
        self.assertEqual((head.split(), units.split()), (["joint", "id", "gravity"], ["Nm", "Nm"]))
        self.assertEqual([row.split() for row in rows if row.strip()], [["j1", "58.86", "58.86"], ["j2", "14.715", "14.715"]])

    def test_results_of_eval_are_passed_over(self):
        r = self.run_arne("eval", "planar2r", "--want", "gravity", "--in", "-",
                          stdin="q1,q2,id.j1,id.j2,energy.kinetic,mass.j1.j2,elastic.tau.j1\n0,0,1,2,3,,x\n")
        self.assertEqual((r.returncode, r.stderr), (0, "arne: note: <stdin>: not used here: columns id, energy, mass, elastic\n"))

    def test_names_that_nobody_knows_are_errors(self):
        for name in ("qr3", "qr0", "r3.fx", "r1.gx", "hand.w", "speed", "id", "idd.j1", "motor.j9", "rr1", "r"):
            self.refused(1, 'unknown column "%s"' % name, "eval", "planar2r", "--want", "id", "--in", "-",
                         stdin="q1,q2,%s\n0,0,0\n" % name)

    def test_missing_derivatives_are_said(self):
        note = "arne: note: <stdin>: there are no columns %s: taken as zero; --differentiate makes them from t\n"
        for header, want, missing in ((ALL, "id", ""), ("t,q1,q2,tau1,tau2", "id,mass", "qd, qdd"), ("t,q1,q2,qd1,qd2", "id", "qdd"),
                                      ("t,q1,q2,tau1,tau2", "bias", "qd"), ("t,q1,q2,qd1,qd2", "fd,bias", ""), ("t,q1,q2", "id", ""),
                                      ("q1,q2,qd1,qd2", "id", "")):
            self.assertEqual(self.rows("--want", want, stdin=swing(header))[1], note % missing if missing else "", header)
        self.assertEqual(self.rows("--want", "id", "--quiet", stdin=swing("t,q1,q2,qd1,qd2"))[1], "")

    def test_derivatives_by_differences(self):
        exact = self.rows("--want", "id,velocity", stdin=swing(ALL))[0]
        for header, ends in (("t,q1,q2", 0.05), ("t,q1,q2,qd1,qd2", 1e-4), ("t,q1,q2,qdd1,qdd2", 1e-4)):
            made, said = self.rows("--want", "id,velocity", "--differentiate", stdin=swing(header))
            self.assertEqual((len(made), said), (len(exact), ""))
            for k, (x, y) in enumerate(zip(made, exact)):
                tolerance = ends if k in (0, len(exact) - 1) else 2e-2 if header == "t,q1,q2" else 1e-4
                self.assertEqual(x[0], y[0])
                for a, b in zip(x, y):
                    self.near(a, b, tolerance)
        # what the file has is not touched
        self.assertEqual(self.rows("--want", "id", "--differentiate", stdin=swing(ALL))[0], self.rows("--want", "id", stdin=swing(ALL))[0])

    def test_a_parabola_is_differentiated_exactly(self):
        text = "t,q1,q2\n" + "".join("%.17g,%.17g,%.17g\n" % (t, 1 + t - t * t, 3 * t * t) for t in (0, 0.1, 0.4, 0.5, 1))
        made, _ = self.rows("--want", "id", "--differentiate", stdin=text)
        full = "t,q1,q2,qd1,qd2,qdd1,qdd2\n" + "".join("%.17g,%.17g,%.17g,%.17g,%.17g,-2,6\n" % (
            t, 1 + t - t * t, 3 * t * t, 1 - 2 * t, 6 * t) for t in (0, 0.1, 0.4, 0.5, 1))
        for x, y in zip(made, self.rows("--want", "id", stdin=full)[0]):
            for a, b in zip(x, y):
                self.near(a, b, 1e-10)

    def test_what_cannot_be_differentiated(self):
        words = ("eval", "planar2r", "--want", "id", "--differentiate", "--in", "-")
        self.refused(1, "<stdin>:1: derivatives are made from columns t and q1", *words, stdin="q1,q2\n0,0\n")
        self.refused(1, "derivatives are made from columns t and q1", "eval", "planar2r", "--want", "id", "--differentiate")
        self.refused(1, "<stdin>:3: derivatives need at least three rows", *words, stdin="t,q1,q2\n0,0,0\n1,0,0\n")
        self.refused(1, "<stdin>:3: t = 0 does not come after t = 0", *words, stdin="t,q1,q2\n0,0,0\n0,0,0\n1,0,0\n")
        self.refused(1, "there are no rows", *words, stdin="t,q1,q2\n")
        self.refused(1, "<stdin>:5: column q1", *words, stdin="t,q1,q2\n0,0,0\n1,0,0\n2,0,0\n3,x,0\n", stdout=self.run_arne(
            *words, stdin="t,q1,q2\n0,0,0\n1,0,0\n2,0,0\n").stdout.split("row 3")[0])

    def test_degrees(self):
        plain, turned = (self.rows("--want", "id,pose", *more, stdin=swing(ALL, degrees=bool(more)))
                         for more in ((), ("--degrees",)))
        self.assertEqual(turned[1], "")
        for x, y in zip(plain[0], turned[0]):
            for a, b in zip(x, y):
                self.near(a, b, 1e-12)
        for command, timed in ((["feasible", "--in"], True), (["plan", "--path"], False)):
            answers = []
            for unit, more in ((1, ()), (180 / math.pi, ("--degrees",))):
                text = "t,q1,q2\n"[0 if timed else 2:]
                for k in range(5):
                    text += ("%g," % (k / 10) if timed else "") + "%.17g,%.17g\n" % (unit * 0.1 * k, unit * 0.05 * k)
                answers.append(self.answer(command[0], "planar2r", command[1], "-", *more, stdin=text))
            self.near(answers[0]["duration"], answers[1]["duration"], 1e-9)
            if timed:
                for one, other in zip(answers[0]["joints"], answers[1]["joints"]):
                    self.near(one["peak_torque"], other["peak_torque"], 1e-9)

    def test_slides_stay_metres(self):
        states = "q1,q2,q3,q4,qd1,qd2,qd3,qd4\n%s\n"
        row = (0.3, -0.4, 0.1, 0.2, 0.5, 0.6, 0.07, 0.8)
        kinds = [j["type"] for j in self.answer("info", "scara")["joints"] if j["type"] != "fixed"]
        self.assertIn("prismatic", kinds)
        turned = [x * (1 if kinds[i % 4] == "prismatic" else 180 / math.pi) for i, x in enumerate(row)]
        one, other = (self.answer("eval", "scara", "--want", "bias,pose", "--in", "-", *more, stdin=states % ",".join("%.17g" % x for x in v))
                      for more, v in (((), row), (("--degrees",), turned)))
        for a, b in zip(one["bias"] + one["pose"]["position"], other["bias"] + other["pose"]["position"]):
            self.near(a, b, 1e-12)

    def test_angles_that_look_like_degrees_are_said_once(self):
        text = "t,q1,q2,qd1,qd2,tau1,tau2\n" + "".join("%g,%g,0,0,0,0,0\n" % (t, q) for t, q in ((0, 0), (1, 90), (2, 91), (3, 92)))
        words = "arne: warning: <stdin>:3: joint j1 stands at 90 rad, far outside its limits -3.14159 ... 3.14159; if these are degrees: " \
                "--degrees\n"
        for command in (["eval", "--want", "gravity"], ["observe"]):
            r = self.run_arne(command[0], "planar2r", *command[1:], "--in", "-", stdin=text)
            self.assertEqual((r.returncode, r.stderr), (0, words))
            r = self.run_arne(command[0], "planar2r", *command[1:], "--in", "-", "--quiet", stdin=text)
            self.assertEqual((r.returncode, r.stderr), (0, ""))
        self.good("eval", "planar2r", "--want", "gravity", "--in", "-", "--degrees", stdin=text)
        self.good("eval", "planar2r", "--want", "gravity", "--in", "-", stdin="q1,q2\n9,-9\n")  # a turn more is no mistake


if __name__ == "__main__":
    main()
