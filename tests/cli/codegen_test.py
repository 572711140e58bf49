#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""arne codegen: the code compiles alone without a warning, gives the bits of the general text, and survives bad input."""
import ctypes
import json
import os
import random
import subprocess
import tempfile
import unittest

ARNE = os.path.abspath(os.environ.get("ARNE", "build/arne"))
STRICT = ["cc", "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"]
ALL = "id,fd,mass,bias,gravity,coriolis_vector,momentum,ctqd,coriolis,star,regressor,did,dfd,energy,pose,jacobian"


class Codegen(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_arne(self, *args):
        return subprocess.run([ARNE, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder, timeout=120)

    def good(self, *args):
        r = self.run_arne(*args)
        self.assertEqual((r.returncode, r.stderr), (0, ""), args)
        return r.stdout

    def refused(self, status, word, *args):
        before = sorted(os.listdir(self.folder))
        r = self.run_arne(*args)
        self.assertEqual(r.returncode, status, (args, r.stderr))
        self.assertTrue(r.stderr.startswith("arne: ") and r.stderr.count("\n") == 1, r.stderr)
        self.assertIn(word, r.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def compile(self, *args):
        r = subprocess.run([*STRICT, *args, "-lm"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=self.folder)
        self.assertEqual((r.returncode, r.stdout), (0, ""))

    def robots(self):
        return [r["name"] for r in json.loads(self.good("robots", "--format", "json"))]

    def test_every_shipped_robot_passes_its_own_test(self):
        for name in self.robots():
            with self.subTest(robot=name):
                self.good("codegen", name, "--what", ALL, "--name", "g", "--out", "g", "--test", "--quiet")
                self.compile("-O0", "g/g.c", "g/g_test.c", "-o", "check")
                r = subprocess.run([os.path.join(self.folder, "check")], stdout=subprocess.PIPE, text=True)
                self.assertEqual((r.returncode, r.stdout), (0, "0 of 80 answers differ\n"))

    def test_the_bits_are_those_of_the_general_text(self):
        draw = random.Random(5)
        for name in self.robots():
            with self.subTest(robot=name):
                self.good("codegen", name, "--what", "id,mass,bias,gravity,momentum", "--params", "standard", "--name", "g",
                          "--out", name, "--quiet")
                self.compile("-shared", "-fPIC", name + "/g.c", "-o", name + "/g.so")
                g = ctypes.CDLL(os.path.join(self.folder, name, "g.so"))
                n = json.loads(self.good("info", name, "--format", "json", "--quiet"))["dof"]
                groups = {k: [draw.uniform(-3, 3) for _ in range(n)] for k in ("q", "qd", "qdd")}
                with open(os.path.join(self.folder, "x.csv"), "w") as f:
                    f.write(",".join("%s%d" % (k, i + 1) for k in groups for i in range(n)) + "\n")
                    f.write(",".join("%.17g" % x for k in groups for x in groups[k]) + "\n")
                row = json.loads(self.good("eval", name, "--want", "id,mass,bias,gravity,momentum", "--in", "x.csv", "--format", "json",
                                           "--quiet"))
                q, qd, qdd = ((ctypes.c_double * n)(*groups[k]) for k in ("q", "qd", "qdd"))
                out, matrix = (ctypes.c_double * n)(), (ctypes.c_double * (n * n))()
                for what, args in (("id", (q, qd, qdd)), ("bias", (q, qd)), ("gravity", (q,)), ("momentum", (q, qd))):
                    getattr(g, "g_" + what)(*args, out)
                    self.assertEqual(list(out), row[what], what)
                g.g_mass(q, matrix)
                self.assertEqual(list(matrix), [x for r in row["mass"] for x in r])

    def test_base_parameters_need_fewer_operations(self):
        for name in ("rx90", "puma560", "stanford", "scara", "panda"):
            cost = {}
            for params in ("standard", "base"):
                self.good("codegen", name, "--what", "id", "--params", params, "--name", "g", "--out", params, "--rigid", "--quiet")
                with open(os.path.join(self.folder, params, "g.h")) as f:
                    row = [line.split() for line in f if line.startswith(" * id ")][0]
                cost[params] = int(row[2]) + int(row[3])
            self.assertLess(cost["base"], 0.95 * cost["standard"], name)

    def test_names_of_the_robot_file_stay_in_comments(self):
        evil = 'x; system("touch gone") */ #error \\\\'
        with open(os.path.join(self.folder, "evil.yaml"), "w") as f:
            f.write("name: '%s'\nconvention: mdh\njoints:\n  - name: '%s'\n    type: revolute\n    a: 0\n    alpha: 0\n    d: 0\n"
                    "    theta: 0\n    link: {mass: 1, com: [1, 0, 0], inertia: {xx: 1, yy: 1, zz: 1}}\n" % (evil, evil))
        self.good("codegen", "evil.yaml", "--out", "e", "--name", "e", "--what", ALL, "--test", "--quiet")
        self.compile("e/e.c", "e/e_test.c", "-o", "check")
        self.good("codegen", "evil.yaml", "--out", "f", "--quiet")
        self.assertEqual(len(os.listdir(os.path.join(self.folder, "f"))), 2)

    def test_bad_input(self):
        self.refused(2, "--out", "codegen", "puma560")
        self.refused(1, "dynamite", "codegen", "puma560", "--what", "id,dynamite", "--out", "o")
        self.refused(1, "twice", "codegen", "puma560", "--what", "id,id", "--out", "o")
        self.refused(1, "identifier", "codegen", "puma560", "--name", "1x", "--out", "o")
        self.refused(1, "identifier", "codegen", "puma560", "--name", "a/../b", "--out", "o")
        self.refused(1, "nosuch", "codegen", "nosuch", "--out", "o")
        self.refused(1, "nolink", "codegen", "puma560", "--link", "nolink", "--out", "o")
        self.refused(2, "params", "codegen", "puma560", "--params", "best", "--out", "o")
        self.refused(1, "cannot", "codegen", "puma560", "--out", "/proc/nowhere")
        with open(os.path.join(self.folder, "empty.yaml"), "w") as f:
            f.write("name: empty\nconvention: mdh\njoints:\n  - {name: j1, type: revolute, a: 0, alpha: 0, d: 0, theta: 0}\n")
        self.refused(1, "j1", "codegen", "empty.yaml", "--what", "fd", "--out", "o")
        self.good("codegen", "empty.yaml", "--what", "id,mass", "--name", "e", "--out", "e", "--test", "--quiet")
        self.compile("e/e.c", "e/e_test.c", "-o", "check")


if __name__ == "__main__":
    unittest.main()
