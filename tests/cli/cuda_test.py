# SPDX-License-Identifier: MIT
"""The header for GPUs, compiled for the processor: the bits of the generated C, functions of one state and of arrays; and where nvcc
is here, for a device: nothing worth naming waits outside the registers."""
import re
import shutil
import subprocess

from support import Program, main

CXX = ["c++", "-std=c++17", "-O0", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-x", "c++"]
NVCC = shutil.which("nvcc")

# both codes at the same states: the C code state by state, the header one by one and all at once
COMPARE = r"""
#include <cstdio>
#include <vector>
#include "g.cuh"
extern "C" {
%(prototypes)s
}
static unsigned long long at = 7;
static %(T)s draw(void)
{
    at = at * 6364136223846793005ull + 1442695040888963407ull;
    return (%(T)s)((double)(at >> 11) / 4503599627370496.0 - 1);
}
static long different(const std::vector<%(T)s> &a, const std::vector<%(T)s> &b)
{
    long n = 0;
    for (size_t i = 0; i < a.size(); i++) n += memcmp(&a[i], &b[i], sizeof a[i]) != 0;
    return n;
}
int main(void)
{
    const long n = 5;
    enum { nq = %(nq)d, nv = %(nv)d };
    std::vector<%(T)s> q(n * nq), v(n * nv), x(n * nv), Q(n * nq), V(n * nv), X(n * nv);
    for (long k = 0; k < n; k++) {
        for (int i = 0; i < nq; i++) q[k * nq + i] = k == 4 && nq == nv ? 3e5 * draw() : 3 * draw();
        for (int i = 0; i < nv; i++) v[k * nv + i] = draw(), x[k * nv + i] = draw();
        for (int i = 0; i < nq; i++) Q[i * n + k] = q[k * nq + i];
        for (int i = 0; i < nv; i++) V[i * n + k] = v[k * nv + i], X[i * n + k] = x[k * nv + i];
    }
%(checks)s
    return 0;
}
"""
CHECK = r"""
    {
        enum { size = %(size)s };
        std::vector<%(T)s> a(n * size), b(n * size), c(n * size), d(n * size);
        for (long k = 0; k < n; k++) c_%(name)s(%(of_k)s, &a[k * size]), g_%(name)s(%(of_k)s, &b[k * size]);
        g_%(name)s_batch(n, %(all)s, &c[0]);
        for (long k = 0; k < n; k++)
            for (int i = 0; i < size; i++) d[k * size + i] = c[i * n + k];
        printf("%(name)s %%ld %%ld %%g\n", different(a, b), different(b, d), (double)a[0]);
    }
"""
INPUTS = {"id": "qvx", "fd": "qvx", "bias": "qv", "gravity": "q", "mass": "q", "coriolis": "qv", "regressor": "qvx", "did": "qvx", "dfd": "qvx"}
SIZES = {"mass": "nv * nv", "coriolis": "nv * nv", "did": "3 * nv * nv", "dfd": "3 * nv * nv"}


class Cuda(Program):
    def compare(self, robot, functions, *options, single=False):
        info, what, T = self.answer("info", robot, "--quiet"), ",".join(functions), "float" if single else "double"
        self.good("codegen", robot, "--what", what, "--name", "g", "--target", "cuda", "--out", "g", "--quiet", *options)
        self.good("codegen", robot, "--what", what, "--name", "c", "--out", "g", "--quiet", "--real", T, *options)
        live = "--live" in options
        prototypes, checks = "", ""
        for name in functions:
            given = INPUTS[name]
            prototypes += "void c_%s(%s%s *);\n" % (name, ("const %s *, " % T) * (len(given) + live), T)
            size = lambda letter: "nq" if letter == "q" else "nv"
            checks += CHECK % {
                "name": name, "T": T, "size": SIZES.get(name, "nv"),
                "of_k": ", ".join(["c_parameters"] * live + ["&%s[k * %s]" % (i, size(i)) for i in given]),
                "all": ", ".join(["&P[0]"] * live + ["&%s[0]" % i.upper() for i in given])}
        if live:
            prototypes += "extern const double c_parameters[];\n"
            checks = """    std::vector<double> P(n * (sizeof g_parameters / sizeof *g_parameters));
    for (size_t i = 0; i < P.size(); i++) P[i] = g_parameters[i / n];
""" + checks
        self.write("g/compare.cpp", COMPARE % {"T": T, "nq": info["nq"], "nv": info["nv"], "prototypes": prototypes, "checks": checks})
        subprocess.run(["cc", "-std=c11", "-O0", "-c", "g/c.c", "-o", "g/c.o"], cwd=self.folder, check=True)
        subprocess.run([*CXX, "-Wno-unused", "g/compare.cpp", "-c", "-o", "g/compare.o"], cwd=self.folder, check=True)
        subprocess.run(["c++", "g/compare.o", "g/c.o", "-lm", "-o", "g/compare"], cwd=self.folder, check=True)
        out = subprocess.run(["g/compare"], cwd=self.folder, check=True, capture_output=True, text=True).stdout
        lines = [line.split() for line in out.splitlines()]
        self.assertEqual([line[0] for line in lines], list(functions))
        for name, one, many, first in lines:
            self.assertEqual((one, many), ("0", "0"), (robot, name, "entries that differ"))

    def test_bits_are_those_of_the_c_code(self):
        dynamics = ("id", "fd", "bias", "gravity", "mass")
        self.compare("kuka-lwr", dynamics)
        self.compare("kuka-lwr", dynamics, "--rigid", "--params", "standard")
        self.compare("quadruped", ("id", "gravity", "mass"))
        self.compare("coupled-wrist", ("id", "fd"))
        self.compare("planar2r", ("id", "fd", "did", "dfd"))
        self.compare("scara", ("id", "fd", "mass"), single=True)
        self.compare("ur5e", ("id", "fd"), "--live")

    def test_answers_are_those_of_the_library(self):
        for robot, what, real in (("panda", "id,fd,did,dfd,jacobian,regressor", "double"), ("quadrotor-arm", "id,did,dfd,centroidal", "double"),
                                  ("ur5e", "id,did,dfd", "float")):
            self.good("codegen", robot, "--what", what, "--name", "g", "--target", "cuda", "--test", "--out", "g", "--quiet", "--real", real)
            subprocess.run([*CXX, "g/g_test.cu", "-o", "g/test"], cwd=self.folder, check=True)
            out = subprocess.run(["g/test"], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual((out.returncode, out.stdout.split()[0]), (0, "0"), (robot, out.stdout))

    def test_what_does_not_go_together(self):
        for option in (["--lanes", "8"], ["--abi", "casadi"]):
            self.refused(1, "one state a thread", "codegen", "ur5e", "--what", "id", "--target", "cuda", "--out", "g", *option)

    def test_registers_suffice(self):
        if not NVCC:
            self.skipTest("nvcc is not here")
        self.good("codegen", "kuka-lwr", "--rigid", "--what", "id,fd,did,dfd", "--name", "g", "--target", "cuda", "--out", "g", "--quiet")
        kernel = "template __global__ void g_%s_batch<double>(long, const double *, const double *, const double *, double *);\n"
        self.write("g/k.cu", '#include "g.cuh"\n' + "".join(kernel % name for name in ("id", "fd", "did", "dfd")))
        said = subprocess.run([NVCC, "-arch=sm_90", "-Xptxas", "-v", "-cubin", "k.cu", "-o", "k.cubin"], cwd=self.path("g"), check=True,
                              capture_output=True, text=True).stderr
        spilled = dict(re.findall(r"Function properties for \S*?g_(\w+)_batch\S*\n.*?(\d+) bytes spill stores", said))
        self.assertEqual(sorted(spilled), ["dfd", "did", "fd", "id"], said)
        for name, most in (("id", 0), ("fd", 0), ("did", 64), ("dfd", 1500)):
            self.assertLessEqual(int(spilled[name]), most, name)


if __name__ == "__main__":
    main()
