# SPDX-License-Identifier: MIT
"""Second derivatives and derivatives by parameters from the shell: numbers by hand, every format, generated code, refusals."""
import math
import subprocess

from support import Program, main


class Derivatives(Program):
    # a trolley and a pendulum: M11 = 3, M12 = l cos, tau_2 = qdd2 + qdd1 cos + 9.81 sin, of mass 1 and length 1
    ROBOT = """name: crane
convention: urdf
gravity: [0, 0, -9.81]
joints:
  - {name: x, type: prismatic, axis: [1, 0, 0], link: {name: trolley, mass: 2}}
  - {name: phi, type: revolute, axis: [0, -1, 0], link: {name: load, mass: 1, com: [0, 0, -1]}}
"""
    FILES = {"crane.yaml": ROBOT}
    STATE = "q1,q2,qd1,qd2,qdd1,qdd2,qa1,qa2,tau1,tau2\n0,0,0,2,3,5,7,11,3,1\n"

    def eval(self, want, *more, state=STATE):
        return self.answer("eval", "crane.yaml", "--want", want, "--in", "-", *more, stdin=state)

    def test_numbers_by_hand(self):
        # tau_1 = 3 qdd1 + qdd2 cos - qd2^2 sin, at phi = 0
        d = self.eval("d2id,d2id_times")
        none, g, e = [[0, 0], [0, 0]], 9.81, d["d2id"]
        self.assertEqual(e["qq"], [[[0, 0], [0, -5]], [[0, 0], [0, -3]]])
        self.assertEqual(e["qqd"], [[[0, 0], [0, -4]], none])
        self.assertEqual(e["qdqd"], [none, none])
        self.assertEqual(e["qqdd"], [none, none])
        self.assertEqual(d["d2id_times"]["qq"], [[0, 0], [0, -5 * 7 - 3 * 11]])
        self.assertEqual(d["d2id_times"]["qqd"], [[0, 0], [0, -4 * 7]])
        # at phi = pi/2: gravity bends, M12 falls, the centrifugal force is full
        e = self.eval("d2id", state="q1,q2,qdd1,qdd2\n0,1.5707963267948966,3,5\n")["d2id"]
        self.near(e["qq"][1][1][1], -g)
        self.near(e["qdqd"][0][1][1], -2)
        self.near(e["qqdd"][0][1][1], -1)
        self.near(e["qqdd"][1][1][0], -1)
        self.near(e["qqdd"][1][0][1], 0)

    def test_every_format(self):
        head, row = self.good("eval", "crane.yaml", "--want", "d2id", "--in", "-", "--format", "csv", stdin=self.STATE).split()
        values = dict(zip(head.split(","), map(float, row.split(","))))
        self.assertEqual(len(values), 4 * 8)
        self.assertEqual([values["d2id.qq.x.phi.phi"], values["d2id.qq.phi.phi.phi"], values["d2id.qqd.x.phi.phi"]], [-5, -3, -4])
        text = self.good("eval", "crane.yaml", "--want", "d2id", "--in", "-", stdin=self.STATE)
        self.assertRegex(text, r"d2id qq\n    of the torque of x\n +x +phi\n +x +0 +0\n +phi +0 +-5\n    of the torque of phi\n")

    def test_parameters_and_loads(self):
        # a load of 4 at the pendulum's hinge is trolley: qdd1 = (tau1 + 4 - qdd2) / 3 ... at phi = 0, both by hand
        r = self.eval("fd,dfd,dfd_parameters,did_payload,dfd_payload", "--link", "load")
        inverse, a = r["dfd"]["dtau"], r["fd"]
        columns = self.good("eval", "crane.yaml", "--want", "dfd_parameters", "--format", "csv").split("\n")[0].split(",")
        at = columns.index("dfd_parameters.x.M2")
        for i in range(2):
            self.near(r["dfd_parameters"][i][at], -inverse[i][0] * a[0])
            self.near(r["dfd_payload"][i][9], -inverse[i][0] * a[0])
        self.assertEqual(r["did_payload"][0][9], 3)
        f = self.eval("dfd_parameters", "--friction-columns")["dfd_parameters"]
        self.assertEqual([len(f[0]), f[0][22:24]], [26, [0, 0]])
        for i in range(2):
            self.near(f[i][24], -inverse[i][1] * 2)
            self.near(f[i][25], -inverse[i][1])
        p = self.eval("dfd_parameters", "--order", "pinocchio")["dfd_parameters"]
        self.near(p[0][11], r["dfd_parameters"][0][at])
        # a load is what it says: id of the loaded robot is id + did_payload times the load
        loaded = self.eval("id", "--payload", "load=2,0.1,0.2,0.3")["id"]
        Y, K = r["did_payload"], [2 * 0.13, -2 * 0.02, -2 * 0.03, 2 * 0.10, -2 * 0.06, 2 * 0.05, 0.2, 0.4, 0.6, 2]
        for one, other, row in zip(self.eval("id")["id"], loaded, Y):
            self.near(other - one, sum(y * k for y, k in zip(row, K)))

    def test_generated_code(self):
        what = "d2id,d2id_times,dfd_parameters,did_payload,dfd_payload"
        self.good("codegen", "crane.yaml", "--what", what, "--link", "load", "--name", "g", "--out", "out", "--test")
        subprocess.run(["cc", "-O1", "g.c", "g_test.c", "-o", "g", "-lm"], cwd=self.path("out"), check=True)
        said = subprocess.run([self.path("out", "g")], check=True, capture_output=True, text=True).stdout
        self.assertRegex(said, r"^0 of \d+ answers differ")
        self.good("codegen", "panda", "--what", "d2id", "--name", "p", "--out", "panda")  # 4 x 343 results
        self.refused(1, "no code for d2id", "codegen", "humanoid", "--what", "d2id", "--out", "o")

    def test_refusals(self):
        joints = "".join("  - {name: j%d, type: prismatic, axis: [1, 0, 0], link: {mass: 1}}\n" % i for i in range(813))
        self.write("long.yaml", "name: long\nconvention: urdf\njoints:\n" + joints)
        self.refused(1, ["d2id of 813 freedoms", "d2id_times"], "eval", "long.yaml", "--want", "d2id")
        for want in ("did", "d2id", "d2id_times", "fd", "dfd", "dfd_parameters", "dfd_payload"):
            joint = "phi" if want.startswith("d") and "fd" not in want else ""  # of accelerations: whose they are
            self.refused(1, f"{want} is not finite: the numbers of this row are too large, at joint {joint}", "eval", "crane.yaml", "--want", want, "--in", "-",
                         stdin="q1,q2,qd1,qd2\n0,0,0,1e200\n")
        self.write("light.yaml", self.ROBOT.replace(", mass: 1, com: [0, 0, -1]", ""))
        for want in ("dfd_parameters", "dfd_payload"):
            self.refused(1, "singular at joint phi", "eval", "light.yaml", "--want", want)
            self.refused(1, "'phi'", "codegen", "light.yaml", "--what", want, "--out", "o")


class Choices(Program):
    """Frames, factorizations and starts by their names, each by another way to the same number."""
    STATE = "q1,q2,q3,q4,q5,q6,qd1,qd2,qd3,qd4,qd5,qd6,qdd1,qdd2,qdd3,qdd4,qdd5,qdd6,qa1,qa2,qa3,qa4,qa5,qa6\n" + (
        "0.3,-0.9,1.1,0.4,-0.7,0.2,1,-2,1.5,0.7,-0.3,2,3,1,-2,5,4,-1,0.5,-1.5,2.5,1,-0.4,0.8\n")

    def eval(self, want, *more):
        return self.answer("eval", "puma560", "--want", want, "--in", "-", *more, stdin=self.STATE)

    def test_wrenches_by_the_jacobian_of_their_frame(self):
        w = [3, -5, 7, 0.5, 1.5, -2]
        spec = "j5=" + ",".join(map(str, w))
        free = self.eval("id")["id"]
        for frame in ("local", "world", "aligned"):
            J = self.eval("jacobian", "--link", "j5", "--jacobian-frame", frame)["jacobian"]
            pushed = self.eval("id", "--wrench", spec, "--wrench-frame", frame)["id"]
            for i in range(6):
                self.near(pushed[i], free[i] - sum(J[k][i] * w[k] for k in range(6)), 1e-11)
        self.assertEqual(self.eval("id", "--wrench", spec), self.eval("id", "--wrench", spec, "--wrench-frame", "aligned"))
        self.assertEqual(self.eval("jacobian"), self.eval("jacobian", "--jacobian-frame", "aligned"))
        # at a point the force has a moment about the origin, in the axes of the link
        p, f = [0.1, -0.2, 0.3], w[:3]
        cross = [p[1] * f[2] - p[2] * f[1], p[2] * f[0] - p[0] * f[2], p[0] * f[1] - p[1] * f[0]]
        about = "j5=" + ",".join("%r" % x for x in f + [m + c for m, c in zip(w[3:], cross)])
        a = self.eval("id", "--wrench-frame", "local", "--wrench", spec + "@0.1,-0.2,0.3")["id"]
        for x, y in zip(a, self.eval("id", "--wrench-frame", "local", "--wrench", about)["id"]):
            self.near(x, y, 1e-11)

    def test_factorizations_by_their_names(self):
        numbers = [float(x) for x in self.STATE.split()[1].split(",")]
        qdd, qa = numbers[12:18], numbers[18:]
        r = self.eval("mass,gravity")
        by_name = {f: self.eval("coriolis", "--factor", f)["coriolis"] for f in ("star0001", "star1110", "christoffel")}
        for star in ("0001", "1110"):
            C = by_name["star" + star]
            for i, x in enumerate(self.eval("star", "--star", star)["star"]):
                self.near(x, sum(r["mass"][i][k] * qdd[k] + C[i][k] * qa[k] for k in range(6)) + r["gravity"][i], 1e-10)
        for i in range(6):
            for k in range(6):
                self.near(by_name["christoffel"][i][k], (by_name["star0001"][i][k] + by_name["star1110"][i][k]) / 2, 1e-11)
        self.assertEqual(self.eval("coriolis")["coriolis"], by_name["christoffel"])
        self.assertEqual(self.eval("star"), self.eval("star", "--star", "0001"))
        self.assertNotEqual(by_name["star0001"], by_name["star1110"])

    def test_names_of_columns_go_with_their_order(self):
        letters = "XX XY XZ YY YZ ZZ MX MY MZ M IA".split()
        theirs = "M MX MY MZ XX XY YY XZ YZ ZZ IA".split()
        values = {}
        for order, names in (("symoro", letters), ("khalil", letters), ("pinocchio", theirs)):
            head, row = self.good("eval", "planar2r", "--want", "regressor", "--order", order, "--friction-columns", "--in", "-", "--format",
                                  "csv", stdin="q1,q2,qd1,qd2,qdd1,qdd2\n0.3,0.4,1,-2,3,4\n").split()
            inner = [n + str(k) for k in (1, 2) for n in names] + ["FV1", "FS1", "FV2", "FS2"]
            self.assertEqual(head.split(","), ["regressor.%s.%s" % (j, n) for j in ("j1", "j2") for n in inner])
            values[order] = dict(zip(head.split(","), map(float, row.split(","))))
        self.assertEqual(values["pinocchio"], values["symoro"])
        self.assertEqual(values["khalil"], values["symoro"])
        self.assertEqual([values["symoro"]["regressor.j2." + n] for n in ("FV1", "FS1", "FV2", "FS2")], [0, 0, -2, -1])

    def test_where_a_search_starts(self):
        joints = "".join("  - {name: %s, type: %s, axis: [0, 0, 1], limits: {%s, velocity: 3, effort: 40}, link: {mass: 1, com: [0.3, 0, 0]}}\n" % x
                         for x in (("a", "revolute", "lower: -1, upper: 2"), ("b", "prismatic", "lower: 1, upper: 5"),
                                   ("c", "revolute", "lower: 0.5")))
        self.write("arm.yaml", "name: arm\nconvention: urdf\njoints:\n" + joints)
        # the middle of the limits, or what is nearest to zero; degrees are for joints that turn. Whoever is there does not move.
        for more, q in (([], (0.5, 3, 0.5)), (["--from", "0.1,2,1"], (0.1, 2, 1)),
                        (["--degrees", "--from", "30,2,60"], (math.radians(30), 2, math.radians(60)))):
            r = self.answer("reach", "arm.yaml", "--pose", "0,0,%r" % q[1], *more)
            for x, y in zip(r["q"], q):
                self.near(x, y)
        self.refused(2, "it takes 3 numbers, one a joint", "reach", "arm.yaml", "--pose", "0,0,3", "--from", "1,2")

    def test_numbers_of_options(self):
        def far(*words):
            return self.answer("eval", "planar2r", "--want", "gravity", *words)["gravity"]
        self.assertEqual(far("--gravity", " 1 ,-2e0, +.5 "), far("--gravity=1,-2,0.5"))
        self.assertEqual(far("--gravity", "off"), [0, 0])
        for bad in ("0x1,2,3", "1,2,nan", "inf,0,0", "1,2,3,", "1,,3", "1e999,0,0", "1 2,0,0", "1,2,3,4", "1" * 64 + ",0,0"):
            self.refused(2, "it takes three numbers x,y,z or the word off", "eval", "planar2r", "--want", "gravity", "--gravity", bad)
        self.assertEqual(far("--gravity", "0" * 62 + "1,0,0"), far("--gravity", "1,0,0"))
        self.assertEqual(self.good("info", "--", "planar2r"), self.good("info", "planar2r"))
        self.refused(2, 'does not know what to do with "--format"', "info", "planar2r", "--", "--format")


main()
