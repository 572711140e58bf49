#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""arne codegen: the code compiles alone without a warning, gives the bits of the general text, and survives bad input."""
import ctypes
import os
import random
import re
import shutil
import subprocess

from support import Program, main

STRICT = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"]
QUICK = "clang" if shutil.which("clang") else "cc"  # of two compilers, without optimization: a third of the time
ALL = "id,fd,mass,bias,gravity,coriolis_vector,momentum,ctqd,coriolis,star,regressor,did,dfd,energy,pose,jacobian"


class Codegen(Program):
    def compile(self, *args, quick=False):
        r = subprocess.run([*([QUICK, *STRICT, "-O0"] if quick else ["cc", *STRICT]), *args, "-lm"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=self.folder)
        self.assertEqual((r.returncode, r.stdout), (0, ""))

    def shape(self, name):
        """Numbers of a position and of a velocity."""
        info = self.answer("info", name, "--quiet")
        return info["nq"], info["nv"]

    def state(self, name, draw):
        """q, qd, qdd; a free base has a quaternion of unit length to the last bit: eval would bring it there."""
        nq, n = self.shape(name)
        groups = {k: [draw.uniform(-3, 3) for _ in range(count)] for k, count in (("q", nq), ("qd", n), ("qdd", n))}
        if nq > n:
            groups["q"][3:7] = [0.5, -0.5, 0.5, 0.5]
        return groups

    def test_every_shipped_robot_passes_its_own_test(self):
        for name in self.robots():
            with self.subTest(robot=name):
                # derivatives are long: of short robots, of one of six joints and of one that flies
                short = self.shape(name)[1] <= 4 or name in ("ur5e", "quadrotor-arm")
                what = ALL if short else ALL.replace(",did,dfd", "")
                self.good("codegen", name, "--what", what, "--name", "g", "--out", "g", "--test", "--quiet")
                self.compile("g/g.c", "g/g_test.c", "-o", "check", quick=True)
                r = subprocess.run([self.path("check")], stdout=subprocess.PIPE, text=True)
                self.assertEqual((r.returncode, r.stdout), (0, "0 of %d answers differ\n" % (5 * len(what.split(",")))))

    def test_the_bits_are_those_of_the_general_text(self):
        draw = random.Random(5)
        for name in self.robots():
            with self.subTest(robot=name):
                self.good("codegen", name, "--what", "id,mass,bias,gravity,momentum", "--params", "standard", "--name", "g",
                          "--out", name, "--quiet")
                nq, n = self.shape(name)
                level = "-O1" if n < 10 else "-O0"  # the bits of long code are those of short code
                self.compile(level, "-shared", "-fPIC", name + "/g.c", "-o", name + "/g.so")
                g = ctypes.CDLL(self.path(name, "g.so"))
                groups = self.state(name, draw)
                with open(self.path("x.csv"), "w") as f:
                    f.write(",".join("%s%d" % (k, i + 1) for k in groups for i in range(len(groups[k]))) + "\n")
                    f.write(",".join("%.17g" % x for k in groups for x in groups[k]) + "\n")
                row = self.answer("eval", name, "--want", "id,mass,bias,gravity,momentum", "--in", "x.csv", "--quiet")
                q, qd, qdd = ((ctypes.c_double * len(groups[k]))(*groups[k]) for k in ("q", "qd", "qdd"))
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
                text = self.read(os.path.join(params, "g.h"))
                row = re.search(r"\n \* id .*", text)[0].split()
                self.assertRegex(text, r" \*     double tau\[\d\];\n \*     g_id\(q, qd, qdd, tau\);\n")  # how it is called
                cost[params] = int(row[2]) + int(row[3])
            self.assertLess(cost["base"], 0.95 * cost["standard"], name)

    def test_lanes_give_the_bits_of_one_state(self):
        draw = random.Random(9)
        few = {"id": 3, "mass": 1, "pose": 1}
        for name, lanes, params, what in (("ur5e", 4, "base", {"id": 3, "fd": 3}), ("coupled-wrist", 8, "standard", few),
                                          ("scara", 2, "base", {**few, "star": 4, "regressor": 3, "did": 3, "dfd": 3})):
            with self.subTest(robot=name, lanes=lanes):
                self.good("codegen", name, "--what", ",".join(what), "--params", params, "--lanes", str(lanes), "--name", "g", "--out",
                          name, "--quiet")
                self.compile("-shared", "-fPIC", name + "/g.c", "-o", name + "/g.so")
                g = ctypes.CDLL(self.path(name, "g.so"))
                n = self.answer("info", name, "--quiet")["dof"]
                size = {"mass": n * n, "regressor": 11 * n * n, "did": 3 * n * n, "dfd": 3 * n * n, "pose": 12}
                # one lane is far away: its sines are those of libm
                rows = [[[draw.uniform(-3, 3) * (1e6 if lane == 1 else 1) for _ in range(n)] for lane in range(lanes)] for _ in range(4)]
                for function, inputs in what.items():
                    count = size.get(function, n)
                    many = [(ctypes.c_double * (n * lanes))(*(group[lane][i] for i in range(n) for lane in range(lanes)))
                            for group in rows[:inputs]]
                    out = (ctypes.c_double * (count * lanes))()
                    getattr(g, "g_%s_x%d" % (function, lanes))(*many, out)
                    for lane in range(lanes):
                        one = (ctypes.c_double * count)()
                        getattr(g, "g_" + function)(*((ctypes.c_double * n)(*group[lane]) for group in rows[:inputs]), one)
                        self.assertEqual(bytes(one), bytes((ctypes.c_double * count)(*out[lane::lanes])), function)

    def test_floats_are_close_to_doubles(self):
        """No double anywhere; torques within 1e-5 of the largest; lanes give the bits of one state."""
        draw = random.Random(13)
        what = {"id": 3, "gravity": 1, "mass": 1, "friction": 2}
        for name, lanes, more in (("ur5e", 4, []), ("panda", 8, []), ("rx90", 16, []), ("scara", 8, ["--live"]), ("torso2", 4, []),
                                  ("coupled-wrist", 16, ["--params", "standard"])):
            with self.subTest(robot=name):
                others = ["pose", *(["fd"] if lanes < 16 else []), *(["did"] if name == "scara" else [])]  # these take cc long
                for real in ("double", "float"):
                    wide = ["--lanes", str(lanes)] if real == "float" else []
                    self.good("codegen", name, "--what", ",".join([*what, *others]), "--real", real, *wide, *more, "--name", "g",
                              "--out", real, "--test", "--quiet")
                text = self.read("float/g.c") + self.read("float/g.h")
                self.assertIn("Single precision", text)
                self.assertNotIn("double", text.replace("rounded from double", ""))
                if shutil.which("clang"):
                    subprocess.run(["clang", *STRICT, "-Wdouble-promotion", "-fsyntax-only", "float/g.c"], cwd=self.folder, check=True)
                libraries = ["%s/%s-%s.so" % (real, name, real) for real in ("double", "float")]
                self.compile("-shared", "-fPIC", "double/g.c", "-o", libraries[0], quick=True)
                self.compile("-Wdouble-promotion", "-shared", "-fPIC", "float/g.c", "-o", libraries[1])
                self.compile("float/g_test.c", libraries[1], "-o", "check")
                r = subprocess.run([self.path("check")], stdout=subprocess.PIPE, text=True, cwd=self.folder)
                self.assertEqual((r.returncode, r.stdout), (0, "0 of %d answers differ\n" % (5 * (len(what) + len(others)))))
                wide, narrow = (ctypes.CDLL(self.path(library)) for library in libraries)
                n = self.answer("info", name, "--quiet")["dof"]
                # one lane is far away: its sines are those of libm
                rows = [[[ctypes.c_float(draw.uniform(-3, 3) * (1e6 if lane == 1 else 1)).value for _ in range(n)] for lane in range(lanes)]
                        for _ in range(3)]
                live = lambda g, c: [ctypes.byref(c.in_dll(g, "g_parameters"))] if more == ["--live"] else []
                for function, inputs in what.items():
                    size = n * n if function == "mass" else n
                    many = (ctypes.c_float * (size * lanes))()
                    getattr(narrow, "g_%s_x%d" % (function, lanes))(
                        *live(narrow, ctypes.c_float),
                        *((ctypes.c_float * (n * lanes))(*(v[lane][i] for i in range(n) for lane in range(lanes))) for v in rows[:inputs]), many)
                    for lane in range(lanes):
                        want, got = (ctypes.c_double * size)(), (ctypes.c_float * size)()
                        getattr(wide, "g_" + function)(*live(wide, ctypes.c_double), *((ctypes.c_double * n)(*v[lane]) for v in rows[:inputs]), want)
                        getattr(narrow, "g_" + function)(*live(narrow, ctypes.c_float), *((ctypes.c_float * n)(*v[lane]) for v in rows[:inputs]), got)
                        self.assertEqual(bytes(got), bytes((ctypes.c_float * size)(*many[lane::lanes])), function)
                        most = 1e-5 * max(map(abs, want)) + 1e-30
                        if lane != 1 or function == "friction":  # far away a float is no angle
                            for a, b in zip(want, got):
                                self.assertLessEqual(abs(a - b), most, function)

    def test_fast_math_keeps_the_numbers(self):
        """It may reorder sums; the rounding and the reduction of the angles must not fold."""
        n, lanes, draw = 6, 2, random.Random(11)
        what = {"id": 3, "fd": 3, "mass": 1, "bias": 2}
        self.good("codegen", "ur5e", "--what", ",".join(what), "--lanes", str(lanes), "--name", "g", "--out", "g", "--quiet")
        self.compile("-O2", "-shared", "-fPIC", "g/g.c", "-o", "g.so")
        exact = ctypes.CDLL(self.path("g.so"))
        for compiler in filter(shutil.which, ("gcc", "clang")):
            subprocess.run([compiler, "-std=c11", "-Ofast", "-w", "-shared", "-fPIC", "g/g.c", "-o", compiler + ".so", "-lm"],
                           cwd=self.folder, check=True)
            fast = ctypes.CDLL(self.path(compiler + ".so"))
            for size in [3] * 20 + [100, 1e4, 1e5, 1e7]:
                x = [[draw.uniform(-most, most) for _ in range(n)] for most in (size, 3, 3)]
                for function, inputs in what.items():
                    count = n * n if function == "mass" else n
                    want, got, many = ((ctypes.c_double * (count * k))() for k in (1, 1, lanes))
                    one = [(ctypes.c_double * n)(*v) for v in x[:inputs]]
                    getattr(exact, "g_" + function)(*one, want)
                    getattr(fast, "g_" + function)(*one, got)
                    getattr(fast, "g_%s_x%d" % (function, lanes))(
                        *((ctypes.c_double * (n * lanes))(*(e for e in v for _ in range(lanes))) for v in x[:inputs]), many)
                    most = 1e-12 * max(map(abs, want))
                    for a, b, c in zip(want, got, many[::lanes]):
                        self.assertLessEqual(max(abs(a - b), abs(a - c)), most, (compiler, function, size))

    def test_a_long_function_is_written_in_pieces(self):
        n = 30
        robot = ("humanoid", "--base", "fixed")
        vector, two, draw = ctypes.c_double * n, ctypes.c_double * (2 * n), random.Random(3)
        x = [[draw.uniform(-2, 2) for _ in range(n)] for _ in range(3)]
        with open(self.path("x.csv"), "w") as f:
            f.write(",".join("%s%d" % (k, i + 1) for k in ("q", "qd", "qdd") for i in range(n)) + "\n")
            f.write(",".join("%.17g" % e for v in x for e in v) + "\n")
        want = self.answer("eval", *robot, "--want", "did", "--in", "x.csv", "--quiet")["did"]
        want = [e for k in ("dq", "dqd", "dqdd") for row in want[k] for e in row]
        one, many = (ctypes.c_double * (3 * n * n))(), (ctypes.c_double * (6 * n * n))()
        for name, more in (("plain", []), ("live", ["--live", "--lanes", "2"])):
            self.good("codegen", *robot, "--what", "did", *more, "--name", "g", "--out", name, "--quiet")
            text = self.read(name + "/g.c")
            self.assertIn("g_did_2(", text)
            self.assertEqual("g_did_x2_2(" in text, bool(more))
            self.compile("-shared", "-fPIC", name + "/g.c", "-o", name + "/%s.so" % name, quick=True)
            g = ctypes.CDLL(self.path(name, name + ".so"))
            live = [ctypes.byref(ctypes.c_double.in_dll(g, "g_parameters"))] if more else []
            g.g_did(*live, *(vector(*v) for v in x), one)
            self.assertLessEqual(max(abs(a - b) for a, b in zip(one, want)), 1e-12 * max(map(abs, want)))
            if more:
                g.g_did_x2(*live, *(two(*(e for e in v for _ in range(2))) for v in x), many)
                self.assertEqual(bytes(one), bytes((ctypes.c_double * (3 * n * n))(*many[::2])))

    def test_live_code_compiles_with_its_test_and_lists_its_parameters(self):
        for name in ("planar2r", "coupled-wrist", "gantry"):
            for params in ("base", "standard"):
                with self.subTest(robot=name, params=params):
                    what = "id,fd,mass,did,regressor,pose" + (",energy" if params == "standard" else "")
                    self.good("codegen", name, "--what", what, "--live", "--lanes", "2", "--params", params, "--name", "g", "--out", "g",
                              "--test", "--quiet")
                    self.compile("g/g.c", "g/g_test.c", "-o", "check", quick=True)
                    r = subprocess.run([self.path("check")], stdout=subprocess.PIPE, text=True)
                    self.assertEqual((r.returncode, r.stdout), (0, "0 of %d answers differ\n" % (5 * len(what.split(",")))))
        # the order is that of arne base
        self.good("codegen", "rx90", "--live", "--name", "g", "--out", "g", "--quiet")
        with open(self.path("g", "g.c")) as f:
            names = [line.split()[2] for line in f if line.startswith("    ") and "*/" in line and "/*" in line]
        self.assertEqual(names, [p["name"] for p in self.answer("base", "rx90")["parameters"]])

    def test_names_of_the_robot_file_stay_in_comments(self):
        evil = 'x; system("touch gone") */ #error \\\\'
        with open(self.path("evil.yaml"), "w") as f:
            f.write("name: '%s'\nconvention: mdh\njoints:\n  - name: '%s'\n    type: revolute\n    a: 0\n    alpha: 0\n    d: 0\n"
                    "    theta: 0\n    link: {mass: 1, com: [1, 0, 0], inertia: {xx: 1, yy: 1, zz: 1}}\n" % (evil, evil))
        self.good("codegen", "evil.yaml", "--out", "e", "--name", "e", "--what", ALL, "--test", "--quiet")
        self.compile("e/e.c", "e/e_test.c", "-o", "check")
        self.good("codegen", "evil.yaml", "--out", "f", "--quiet")
        self.assertEqual(len(os.listdir(self.path("f"))), 2)

    SLIDE = ("name: slide\nconvention: urdf\ngravity: [0, 0, -9.81]\njoints:\n"
             "  - {name: z, type: prismatic, axis: [0, 0, 1], link: {mass: 2.5}}\n")

    def test_the_receipt(self):
        """All of a header, for a mass on a slide: 2.5 (qdd + 9.81) is a sum and a product, one after the other."""
        self.write("slide.yaml", self.SLIDE)
        version = self.good("--version").split()[1]
        head = ('/* s.%s - dynamics of the robot "slide", 1 joint, written by arne ' + version + ". Do not edit.\n *\n"
                " * Robot: slide.yaml.\n * Joints in order: z.\n")
        base = " * 2 base inertial parameters, %s rotor inertia and friction: M1 IA1.\n"
        use = (" * SI units, radians. Vectors have 1 entries, matrices are %s major. The code %sallocates nothing, has no\n"
               " * state and cannot fail; input and output may not overlap.\n")
        link = " * Link of pose, velocity, jacobian and the like: z.\n"
        call = " *\n *     double tau[1];\n *     s_id(q, qd, qdd, tau);\n *\n"
        flags = (" * Compile with -O3 -march=native -ffp-contract=off: without contraction the bits are the same on every machine (gcc 12\n"
                 " * contracts some pairs of sums all the same, unless -fno-tree-slp-vectorize is there too), with it some functions are up to a\n"
                 " * tenth faster. gcc 12 on AMD: add -mtune=generic.\n")
        table = (" *\n * Work and memory. depth: longest chain of operations. stack: the most values that are computed and still needed at one\n"
                 " * time, %d bytes each; what a compiler keeps in registers it need not store.\n *\n"
                 " * function            mul    add  div sincos  other  depth  stack\n")
        one = " * %-16s      1      1    0      0      0      2  2 values, 16 bytes\n"
        none = " * %-16s      0      0    0      0      0      0  0 values, 0 bytes\n"
        guard = ' */\n#ifndef s_ARNE_H\n#define s_ARNE_H\n\n#ifdef __cplusplus\nextern "C" {\n#endif\n\nenum { s_dof = 1, s_nq = 1 };\n'
        end = "\n#ifdef __cplusplus\n}\n#endif\n#endif\n"
        motion = "joint torques of a motion q, qd, qdd: inverse dynamics"

        def header(*options, name="s.h"):
            self.good("codegen", "slide.yaml", "--name", "s", "--out", "s", "--quiet", *options)
            return self.read("s/" + name)

        self.assertEqual(header("--what", "id,mass,pose"),
                         head % "h" + base % "with" + use % ("row", "needs libm, ") + link + call + flags + table % 8 + one % "id" + none % "mass"
                         + none % "pose" + guard + "\nvoid s_id(const double *q, const double *qd, const double *qdd, double *tau); /* " + motion
                         + " */\nvoid s_mass(const double *q, double *M); /* inertia matrix M(q) */\n"
                         "void s_pose(const double *q, double *x); /* of a link in the world: position and rotation */\n" + end)
        # M (qdd + g) + IA qdd
        all_ = "XX1 XY1 XZ1 YY1 YZ1 ZZ1 MX1 MY1 MZ1 M1 IA1"
        self.assertEqual(header("--what", "id", "--live", "--lanes", "8", "--real", "float", "--params", "standard"),
                         head % "h" + " * 11 standard inertial parameters, with rotor inertia and friction: " + all_ + ".\n"
                         + use % ("row", "needs libm, ")
                         + " * Single precision: float throughout, constants rounded from double. Torques are within 1e-5 of the largest.\n"
                         " * `parameters` are the inertial parameters above, in this order; s_parameters are those of the robot file. Change a\n"
                         " * copy for a payload or an identified model. fd and dfd need an inertia matrix that is positive definite.\n"
                         " *\n *     float tau[1];\n *     s_id(s_parameters, q, qd, qdd, tau);\n *\n" + flags
                         + " * Functions in _x8 take 8 states a call, entry i of state l at i * 8 + l of every array; their bits are those of the\n"
                         " * functions of one state where contraction is off. They need gcc or clang.\n" + table % 4
                         + " * id                    2      2    0      0      0      3  3 values, 12 bytes\n" + guard
                         + "extern const float s_parameters[11];\n\n"
                         "void s_id(const float *parameters, const float *q, const float *qd, const float *qdd, float *tau); /* " + motion + " */\n\n"
                         "void s_id_x8(const float *parameters, const float *q, const float *qd, const float *qdd, float *tau);\n" + end)
        self.assertIn("const float s_parameters[11] = {\n"
                      + "".join("    %sf, /* %s */\n" % ("2.5" if name == "M1" else "0.0", name) for name in all_.split()) + "};\n",
                      self.read("s/s.c"))
        cuda = header("--what", "id,fd", "--target", "cuda", name="s.cuh")
        self.assertEqual(cuda.split("#ifndef")[0],
                         head % "cuh" + base % "with" + use % ("row", "") + call
                         + " * Templates for double and float: in a kernel of yours, s_id above; over arrays with entry i of state k at i n + k,\n"
                         " * a kernel that takes them in the same order:\n *\n *     s_id_batch<<<(n + 127) / 128, 128>>>(n, ...);\n *\n"
                         " * Functions of several parts, NAME_parts of them: dim3((n + 127) / 128, s_id_parts) blocks compute all parts at once.\n"
                         " * Compile with nvcc, or as C++17 by any compiler with -ffp-contract=off. The bits are those of the C code, unless\n"
                         " * ARNE_FMA or ARNE_TURNS is set, see below; exp and pow (friction that falls with speed) are the device's.\n"
                         + table % 8 + one % "id" + one % "fd" + " */\n")
        casadi = header("--what", "id,jacobian", "--abi", "casadi", "--rigid")
        self.assertEqual(casadi.split("#ifndef")[0],
                         head % "h" + " * 1 base inertial parameters, without rotor inertia and friction: M1.\n" + use % ("column", "needs libm, ") + link
                         + " * Functions are those that CasADi loads (and acados with it), matrices there column by column without structural zeros:\n"
                         " *\n *     cc -O3 -march=native -shared -fPIC s.c -o s.so -lm\n *     f = casadi.external(\"s_id\", \"./s.so\")\n"
                         + table % 8 + one % "id" + none % "jacobian" + none % "jac_id" + " */\n")
        free = header("--what", "gravity", "--base", "free", "--params", "standard")
        self.assertIn(" * q, 8 numbers: base.x, base.y, base.z, base.qx, base.qy, base.qz, base.qw, z.\n"
                      " * qd, qdd, tau, 7 numbers: base.vx, base.vy, base.vz, base.wx, base.wy, base.wz, z.\n", free)
        self.assertIn(" * 22 standard inertial parameters, with rotor inertia and friction.\n", free)
        self.assertIn("Vectors have 7 entries, q has 8, matrices are row major.", free)
        self.assertIn("enum { s_dof = 7, s_nq = 8 };\n", free)

    def test_hardly_a_value_is_negated(self):
        """Signs pass through products and sums: a tenth of the arithmetic was negations without that (doc/codegen.md), of the statements
        and results at most a fiftieth negates what it reads."""
        for name, what in (("ur5e", "id,mass,fd,did"), ("kuka-lwr", "id,mass,did")):
            self.good("codegen", name, "--what", what, "--params", "standard", "--name", "g", "--out", "g", "--quiet")
            text = self.read("g/g.c")
            statements = re.findall(r"^    (?:const double t\d+ =|\w+\[\d+\](?:\.d\[\d\])? =|g_(?:PUT|LET)\().*", text, re.M)
            negated = [line for line in statements if re.search(r"\(-[a-z]|= -[a-z]", line)]
            self.assertGreater(len(statements), 1000)
            self.assertLess(len(negated), len(statements) / 50, negated[:10])

    def test_lists_fill_their_lines(self):
        """Words of a list stand on lines of at most 118 columns; the first of a line had no room on the one before."""
        self.good("codegen", "humanoid", "--what", "gravity", "--live", "--params", "standard", "--name", "g", "--out", "g",
                  "--quiet")
        lines = self.read("g/g.h").split(" * SI units")[0].splitlines()
        wrapped = [k for k, line in enumerate(lines) if line.startswith(" *     ")]
        self.assertGreater(len(wrapped), 10)
        for k in wrapped:
            self.assertLessEqual(max(len(lines[k]), len(lines[k - 1])), 118)
            self.assertGreater(len(lines[k - 1]) + 1 + len(lines[k].split()[1]), 118, lines[k])

    def test_its_test_sees_small_faults(self):
        """The numbers are those of 2.5 (qdd + 9.81); one that is off by 4e-10 is, one by 4e-14 is rounding."""
        self.write("slide.yaml", self.SLIDE)
        for real, small, large in (("double", 4e-14, 4e-10), ("float", 4e-6, 4e-5)):
            self.good("codegen", "slide.yaml", "--what", "id,mass,pose", "--name", "s", "--out", "s", "--test", "--quiet",
                      "--real", real)
            test, code = self.read("s/s_test.c").replace("f,", ",").replace("f}", "}"), self.read("s/s.c")
            states = re.findall(r"x\[\] = \{(.*?)\};\s+static const \w+ id\[\] = \{(.*?)\};", test)
            self.assertEqual(len(states), 5)
            for x, torque in states:
                x = [float(e) for e in x.split(",")]
                self.assertEqual(len(set(x)), 5)
                self.assertTrue(all(abs(e) < 3 for e in x))
                self.near(float(torque), 2.5 * (x[2] + 9.81), 1e-6 if real == "float" else 1e-12)
            self.assertEqual(len(re.findall(r"\bmass\[\] = \{2\.5\};", test)), 5)
            f = "f" if real == "float" else ""
            self.assertIn("M[0] = 2.5%s;" % f, code)
            for off, bad in ((small, 0), (-large, 5)):
                self.write("s/s.c", code.replace("M[0] = 2.5%s;" % f, "M[0] = %.17g%s;" % (2.5 * (1 + off), f)))
                self.compile("s/s.c", "s/s_test.c", "-o", "check", quick=True)
                r = subprocess.run([self.path("check")], stdout=subprocess.PIPE, text=True)
                self.assertEqual((r.returncode, r.stdout.splitlines()[-1]), (bad > 0, "%d of 15 answers differ" % bad))
                said = re.findall(r"^mass is off by (.*)$", r.stdout, re.M)
                self.assertEqual(len(said), bad)
                for e in said:
                    self.near(float(e) / abs(2.5 * off), 1, 0.02)

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
        self.refused(1, "energy", "codegen", "puma560", "--live", "--what", "energy", "--out", "o")
        self.refused(2, "lanes", "codegen", "puma560", "--lanes", "3", "--out", "o")
        self.refused(1, "doubles", "codegen", "puma560", "--lanes", "16", "--out", "o")
        self.refused(1, "floats", "codegen", "puma560", "--lanes", "2", "--real", "float", "--out", "o")
        self.refused(2, "real", "codegen", "puma560", "--real", "half", "--out", "o")
        self.write("empty.yaml", "name: empty\nconvention: mdh\njoints:\n  - {name: j1, type: revolute, a: 0, alpha: 0, d: 0, theta: 0}\n")
        for what in ("fd", "dfd"):
            self.refused(1, f"no code for {what}: the inertia matrix is singular at joint 'j1'; give the link mass and inertia",
                         "codegen", "empty.yaml", "--what", "id," + what, "--out", "o")
        self.good("codegen", "empty.yaml", "--what", "id,mass", "--name", "e", "--out", "e", "--test", "--quiet")
        self.compile("e/e.c", "e/e_test.c", "-o", "check")


if __name__ == "__main__":
    main()
