#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""arne codegen --abi casadi: a reader of CasADi's interface for external functions, as its `external` and Sparsity::compressed do
it, loads the code; what it says of itself is true, its values are those of eval, its Jacobians those of eval and of differences."""
import ctypes
import json
import math
import os
import random
import re
import subprocess

from support import Program, main

STRICT = ["cc", "-std=c11", "-O0", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-shared", "-fPIC"]
INT, REAL = ctypes.c_longlong, ctypes.c_double
POINTER = ctypes.POINTER(REAL)


class Sparsity:
    """rows, columns, and (row, column) of every number, column after column"""

    def __init__(self, v):
        self.rows, self.columns = v[0], v[1]
        if v[2] == 1:  # dense
            self.at = [(i, j) for j in range(self.columns) for i in range(self.rows)]
            return
        colind = [v[2 + j] for j in range(self.columns + 1)]
        row = [v[3 + self.columns + k] for k in range(colind[-1])]
        self.at = [(row[k], j) for j in range(self.columns) for k in range(colind[j], colind[j + 1])]
        assert colind[0] == 0 and len(self.at) < self.rows * self.columns, "dense patterns have the short form"
        for j in range(self.columns):
            own = row[colind[j]:colind[j + 1]]
            assert own == sorted(set(own)) and all(0 <= i < self.rows for i in own)


class External:
    def __init__(self, library, name):
        self.eval, self.name = getattr(library, name), name

        def ask(what, kind, *args):
            f = getattr(library, name + what)
            f.restype, f.argtypes = kind, [INT] * len(args)
            return f(*args)

        self.n_in, self.n_out = ask("_n_in", INT), ask("_n_out", INT)
        self.names_in = [ask("_name_in", ctypes.c_char_p, i).decode() for i in range(self.n_in)]
        self.names_out = [ask("_name_out", ctypes.c_char_p, i).decode() for i in range(self.n_out)]
        pattern = ctypes.POINTER(INT)
        self.into = [Sparsity(ask("_sparsity_in", pattern, i)) for i in range(self.n_in)]
        self.out = [Sparsity(ask("_sparsity_out", pattern, i)) for i in range(self.n_out)]
        assert not ask("_sparsity_in", pattern, self.n_in) and not ask("_sparsity_out", pattern, self.n_out)
        assert ask("_name_in", ctypes.c_char_p, self.n_in) is None and ask("_name_out", ctypes.c_char_p, self.n_out) is None
        assert all(ask("_default_in", REAL, i) == 0 for i in range(self.n_in))
        sizes = [INT() for _ in range(4)]
        assert getattr(library, name + "_work")(*[ctypes.byref(s) for s in sizes]) == 0
        self.arg, self.res, self.iw, self.w = (s.value for s in sizes)
        assert self.arg >= self.n_in and self.res >= self.n_out
        for what in ("_incref", "_decref"):
            getattr(library, name + what)()
        assert ask("_checkout", ctypes.c_int) == 0
        getattr(library, name + "_release")(0)

    def __call__(self, *x, want=None):
        """matrices as lists of rows, 0 where the pattern has nothing; want: outputs that are asked for"""
        given = [None if v is None else (REAL * max(1, len(s.at)))(*v) for v, s in zip(x, self.into)]
        result = [(REAL * (len(s.at) + 1))(*[7e77] * (len(s.at) + 1)) for s in self.out]
        arg = (POINTER * self.arg)(*[ctypes.cast(v, POINTER) if v is not None else POINTER() for v in given])
        res = (POINTER * self.res)(*[ctypes.cast(v, POINTER) if want is None or k in want else POINTER() for k, v in enumerate(result)])
        assert self.eval(arg, res, (INT * (self.iw + 1))(), (REAL * (self.w + 1))(), 0) == 0
        dense = []
        for s, v in zip(self.out, result):
            assert v[len(s.at)] == 7e77, "writes beyond its pattern"
            dense.append([[0.0] * s.columns for _ in range(s.rows)])
            for (i, j), number in zip(s.at, v):
                dense[-1][i][j] = number
        return dense


def flat(x):
    return [y for row in x for y in flat(row)] if isinstance(x, list) else [x]


LINK = """link: {mass: %g, com: [0.1, 0.02, -0.03], inertia: {xx: 0.04, xy: 0.003, xz: -0.002, yy: 0.05, yz: 0.001, zz: 0.06, about: com}}"""


def joint(name, parent, mass, at="0.3, 0, 0.1", kind="revolute", more=""):
    return """\
  - name: %s
    type: %s
%s    origin: {xyz: [%s], rpy: [0.3, 0.5, 0]}
%s    %s
""" % (name, kind, "    parent: %s\n" % parent if parent else "", at, more + ("" if kind == "spherical" else "    axis: [0, 0, 1]\n"), LINK % mass)


class Casadi(Program):
    FILES = {
        # two arms of two joints on a turntable, one with friction in pieces
        "tree.yaml": "name: tree\nconvention: urdf\njoints:\n" + joint("waist", "", 3) + joint("left", "waist", 2)
        + joint("left_hand", "left", 1, more="    friction: {viscous: 0.4, coulomb: 0.2, static: 0.5, stribeck_velocity: 0.05}\n")
        + joint("right", "waist", 2, "-0.3, 0, 0.1") + joint("right_hand", "right", 1, kind="prismatic"),
        # a free base with a ball on it
        "flying.yaml": "name: flying\nconvention: urdf\nfloating: true\nbase: body\nbase_link: {mass: 4, inertia: {xx: 0.4, yy: 0.3, zz: 0.2, xy: 0.02, xz: 0, yz: 0.01, about: com}}\njoints:\n" + joint("ball", "", 2, kind="spherical"),
    }

    def load(self, robot, what, *more):
        self.good("codegen", robot, "--what", what, "--name", "g", "--abi", "casadi", "--out", "g", "--quiet", *more)
        r = subprocess.run([*STRICT, "g/g.c", "-o", "g.so", "-lm"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=self.folder)
        self.assertEqual((r.returncode, r.stdout), (0, ""))
        return ctypes.CDLL(self.path("g.so"))

    def states(self, robot, count, draw):
        info = self.answer("info", robot, "--quiet")
        turns, at = [], 0
        for j in info["joints"]:
            turns += [at + 3] if j["type"] == "free" else [at] if j["type"] == "spherical" else []
            at += {"free": 7, "spherical": 4, "fixed": 0}.get(j["type"], 1)
        rows = []
        for _ in range(count):
            x = {k: [draw.uniform(-2, 2) for _ in range(n)] for k, n in zip(("q", "qd", "qdd", "tau"), [info["nq"]] + 3 * [info["nv"]])}
            for t in turns:
                length = sum(e * e for e in x["q"][t:t + 4]) ** 0.5
                x["q"][t:t + 4] = [e / length for e in x["q"][t:t + 4]]
            rows.append(x)
        return rows, turns

    def eval(self, robot, rows, want):
        with open(self.path("x.csv"), "w") as f:
            f.write(",".join("%s%d" % (k, i + 1) for k in rows[0] for i in range(len(rows[0][k]))) + "\n")
            for x in rows:
                f.write(",".join("%.17g" % y for k in x for y in x[k]) + "\n")
        return [json.loads(line) for line in self.good("eval", robot, "--want", want, "--in", "x.csv", "--format", "json", "--quiet").splitlines()]

    def close(self, is_, should, tolerance, what):
        a, b = flat(is_), flat(should)
        self.assertEqual(len(a), len(b), what)
        scale = max(1e-3, *map(abs, b))
        self.assertLessEqual(max(abs(x - y) for x, y in zip(a, b)), tolerance * scale, what)

    def check(self, robot):
        draw = random.Random(3)
        what = "id,fd,mass,bias,gravity,did,energy"
        library = self.load(robot, what)
        f = {name: External(library, "g_" + name) for name in what.split(",")}
        for name in f:
            self.assertIn("_EXPORT int g_%s(const casadi_real **arg," % name, self.read("g/g.h"))
        jac = {name: External(library, "jac_g_" + name) for name in ("id", "fd", "bias", "gravity")}
        rows, turns = self.states(robot, 4, draw)
        plain = not turns
        for name, g in f.items():
            self.assertEqual(len(set(g.names_in + g.names_out)), g.n_in + g.n_out, "CasADi wants names that differ")
            self.assertFalse(hasattr(library, "jac_g_" + name) and name not in jac)
        for name, g in jac.items():
            self.assertEqual(g.names_in, f[name].names_in + ["out_" + n for n in f[name].names_out])
            self.assertEqual(g.names_out, ["jac_%s_%s" % (o, i) for o in f[name].names_out for i in f[name].names_in])
            for s, i in zip(g.out, f[name].into):
                self.assertEqual((s.rows, s.columns), (f[name].out[0].rows, i.rows))
        seen = {(name, k): set() for name, g in [*f.items(), *(("jac " + n, g) for n, g in jac.items())] for k in range(g.n_out)}
        for x, should in zip(rows, self.eval(robot, rows, "id,fd,mass,bias,gravity,did,dfd,energy")):
            for name, g in f.items():
                is_ = g(*[x[i] for i in g.names_in])
                parts = [should[name][o] for o in g.names_out] if isinstance(should[name], dict) else [should[name]]
                for k, (got, part) in enumerate(zip(is_, parts)):
                    self.close(got, part, 1e-9, (robot, name, k))
                    seen[name, k] |= {at for at in g.out[k].at if got[at[0]][at[1]]}
            for name, g in jac.items():
                inputs = [x[i] for i in f[name].names_in]
                is_ = g(*inputs, None)
                for k, got in enumerate(is_):
                    seen["jac " + name, k] |= {at for at in g.out[k].at if got[at[0]][at[1]]}
                if plain and name in ("id", "fd"):
                    self.close(is_, [should["d" + name][o] for o in (("dq", "dqd", "dqdd") if name == "id" else ("dq", "dqd", "dtau"))],
                               1e-9, (robot, name))
                self.differences(f[name], is_, inputs, turns, draw)
        for (name, k), at in seen.items():  # patterns are true: what they have is not zero
            g = jac[name[4:]] if name.startswith("jac ") else f[name]
            self.assertEqual(at, set(g.out[k].at), (robot, name, k))
        # outputs that nobody asks for, inputs that are not given
        g, inputs = jac["id"], [rows[0][i] for i in f["id"].names_in]
        self.assertEqual(g(*inputs, None, want=[2])[2], g(*inputs, None)[2])
        inputs[1] = None
        self.assertEqual(f["id"](*inputs), f["id"](inputs[0], [0.0] * f["id"].into[1].rows, inputs[2]))
        return f, jac

    def differences(self, f, jacobian, inputs, turns, draw):
        """in a random direction, quaternions on the way of unit length"""
        for k, x in enumerate(inputs):
            way = [draw.uniform(-1, 1) for _ in x]
            for t in turns if k == 0 else []:
                e = x[t:t + 4]
                along = sum(a * b for a, b in zip(e, way[t:t + 4]))
                way[t:t + 4] = [b - along * a for a, b in zip(e, way[t:t + 4])]
            sides = []
            h = 1e-5
            for sign in (-1, 1):
                y = [a + sign * h * b for a, b in zip(x, way)]
                for t in turns if k == 0 else []:
                    length = sum(a * a for a in y[t:t + 4]) ** 0.5
                    y[t:t + 4] = [a / length for a in y[t:t + 4]]
                sides.append(flat(f(*[y if i == k else v for i, v in enumerate(inputs)])))
            should = [(b - a) / (2 * h) for a, b in zip(*sides)]
            self.close([sum(r * w for r, w in zip(row, way)) for row in jacobian[k]], should, 1e-5, (f.name, k))

    def test_an_arm(self):
        f, jac = self.check("scara")
        self.assertLess(len(f["mass"].out[0].at), 16)  # the slide moves along the other axes
        self.assertEqual(jac["gravity"].out[0].at, [])  # and its weight is the same everywhere

    def test_a_tree(self):
        f, jac = self.check("tree.yaml")
        n = f["mass"].out[0].rows
        self.assertLess(len(f["mass"].out[0].at), n * n)
        self.assertLess(len(jac["id"].out[0].at), n * n)

    def test_a_free_base(self):
        self.check("flying.yaml")

    def test_friction_that_is_flat_where_it_is_fast(self):
        """Of one joint friction alone depends on its speed, and only near rest: a pattern from fast states would leave it out."""
        friction = "    friction: {viscous: 0, coulomb: 0.2, static: 0.5, stribeck_velocity: 0.05}\n"
        self.write("slow.yaml", "name: slow\nconvention: urdf\njoints:\n" + joint("j", "", 2, more=friction))
        jac = External(self.load("slow.yaml", "id"), "jac_g_id")
        self.assertEqual([s.at for s in jac.out], [[(0, 0)]] * 3)
        v = 0.02
        slope = -0.3 * 2 * v / 0.05 ** 2 * math.exp(-(v / 0.05) ** 2)  # of 0.2 + 0.3 exp(-(v / 0.05)^2)
        self.near(jac([0.3], [v], [0.4], None)[1][0][0], slope, 1e-9)

    def test_every_function_has_names_that_differ(self):
        names = re.findall(r"^  (\w+) ", self.good("help", "codegen").split("LIST:\n")[1].split("\n\n")[0], re.M)
        self.assertIn("jacobian", names)
        library = self.load("planar2r", ",".join(names))
        for name in names:
            g = External(library, "g_" + name)
            self.assertEqual(len(set(g.names_in + g.names_out)), g.n_in + g.n_out, name)

    def test_what_does_not_go_together_is_refused(self):
        for more, word in ((["--live"], "live"), (["--lanes", "4"], "lanes"), (["--real", "float"], "float")):
            r = self.run_arne("codegen", "planar2r", "--abi", "casadi", "--out", "g", *more)
            self.assertEqual(r.returncode, 1)
            self.assertIn(word, r.stderr)
            self.assertFalse(os.path.exists(self.path("g")))
        self.assertEqual(self.run_arne("codegen", "planar2r", "--abi", "casadi", "--test", "--out", "g").returncode, 2)
        self.assertEqual(self.run_arne("codegen", "planar2r", "--abi", "acados", "--out", "g").returncode, 2)


if __name__ == "__main__":
    main()
