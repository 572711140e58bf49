# SPDX-License-Identifier: MIT
"""Generated derivatives on vectors within one state: the same bits as one number at a time, and as many states a call."""
import ctypes
import random
import subprocess

from support import Program, main


class Vectors(Program):
    def library(self, name, vectors, *options):
        """-O0: bits, not speed; -ffp-contract=off is the default of -std=c11"""
        path = "%s%d%s.so" % (name, vectors, "".join(options))
        subprocess.run(["cc", "-std=c11", "-O0", *options, "-Wall", "-Wextra", "-Werror", "-Dg_VECTORS=%d" % vectors,
                        "-shared", "-fPIC", "g/g.c", "-lm", "-o", path], cwd=self.folder, check=True)
        return ctypes.CDLL(self.path(path))

    def test_bits_do_not_depend_on_vectors(self):
        draw = random.Random(3)
        for name, function, base, lanes in (("panda", "dfd", [], []), ("quadruped", "dfd", [], []),
                                             ("kuka-lwr", "did", [], ["--lanes", "2"])):
            with self.subTest(robot=name):
                self.good("codegen", name, "--what", function, "--name", "g", "--out", "g", "--quiet", *base, *lanes)
                self.assertTrue("g_LET(" in self.read("g/g.c"), "numbers side by side are vectors")
                info = self.answer("info", name, "--quiet", *base)
                n, nq = info["nv"], info["nq"]
                one, two = self.library(name, 0), self.library(name, 1)
                # as wide as the machine has them, and not one sum contracted
                wide = self.library(name, 1, "-O3", "-march=native") if name == "panda" else two
                for _ in range(3):
                    q = [draw.uniform(-1, 1) for _ in range(nq)]
                    if nq > n:
                        size = sum(x * x for x in q[3:7])**0.5
                        q[3:7] = [x / size for x in q[3:7]]
                    x = [(ctypes.c_double * len(v))(*v) for v in (q, *([draw.uniform(-2, 2) for _ in range(n)] for _ in range(2)))]
                    a, b = (ctypes.c_double * (3 * n * n))(), (ctypes.c_double * (3 * n * n))()
                    getattr(one, "g_" + function)(*x, a)
                    getattr(two, "g_" + function)(*x, b)
                    self.assertEqual(list(a), list(b), function)
                    getattr(wide, "g_" + function)(*x, b)
                    self.assertEqual(list(a), list(b), function)
                    self.assertGreater(max(map(abs, a)), 0.1)
                    if lanes:
                        many = [(ctypes.c_double * (2 * len(v)))(*(e for e in v for _ in range(2))) for v in x]
                        out = (ctypes.c_double * (6 * n * n))()
                        getattr(two, "g_%s_x2" % function)(*many, out)
                        self.assertEqual(list(a), list(out[::2]), function)


if __name__ == "__main__":
    main()
