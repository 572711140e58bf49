# SPDX-License-Identifier: MIT
"""What the tests of the program share: it runs in a folder of its own, answers, or refuses.

The program is $ARNE, or build/arne. Every refusal must have the right exit status (1 bad input, 2 wrong usage), say one line
"arne: ..." on standard error, print no result and leave no file behind."""
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ARNE = os.path.abspath(os.environ.get("ARNE", "build/arne"))
TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


def lift(limits):
    """A robot file: 2 kg on a vertical slide, so that force = 2 (9.81 + qdd)."""
    return """\
name: lift
convention: urdf
joints:
  - name: z
    type: prismatic
    axis: [0, 0, 1]
    limits: {%s}
    link: {mass: 2, com: [0.1, 0, 0], inertia: {xx: 0.1, xy: 0, xz: 0, yy: 0.1, yz: 0, zz: 0.1, about: com}}
""" % limits


def arne(*args, stdin="", folder=None, **environment):
    """A finished process; what it said as text."""
    data = stdin if isinstance(stdin, bytes) else stdin.encode()
    r = subprocess.run([ARNE, *args], input=data, capture_output=True, cwd=folder, timeout=120, env={**os.environ, **environment})
    r.stdout, r.stderr = r.stdout.decode(), r.stderr.decode()
    return r


HAVE_HDF5 = os.path.exists(os.path.join(os.path.dirname(ARNE), "arne_hdf5.so"))
HAVE_RANKS = bool(shutil.which("mpirun")) and os.path.exists(os.path.join(os.path.dirname(ARNE), "arne_mpi.so"))
THREE_RANKS = ["mpirun", "--oversubscribe", "--allow-run-as-root", "-n", "3"]


def three_ranks(*args, folder=None, prepare=None, **environment):
    """The same by mpirun. What MPI does not free is no concern of a sanitized program."""
    return subprocess.run([*THREE_RANKS, ARNE, *args], capture_output=True, text=True, cwd=folder, preexec_fn=prepare, timeout=120,
                          env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0", **environment})


class Program(unittest.TestCase):
    FILES = {}  # name: content, in the folder when a test begins

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for name, content in self.FILES.items():
            self.write(name, content)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, content):
        with open(self.path(name), "wb") as f:
            f.write(content if isinstance(content, bytes) else content.encode())
        return name

    def read(self, name):
        with open(self.path(name), encoding="utf-8", newline="") as f:
            return f.read()

    def table(self, name):
        """The rows of a CSV file: numbers, and empty fields as they are."""
        with open(self.path(name)) as f:
            return [{k: float(v) if v else v for k, v in row.items()} for row in csv.DictReader(f)]

    def run_arne(self, *args, **more):
        return arne(*args, folder=self.folder, **more)

    def good(self, *args, **more):
        r = self.run_arne(*args, **more)
        self.assertEqual((r.returncode, r.stderr), (0, ""), args)
        return r.stdout

    def answer(self, *args, **more):
        return json.loads(self.good(*args, "--format", "json", **more))

    def robots(self):
        """Names of the shipped ones."""
        return [r["name"] for r in self.answer("robots")]

    def one_freedom_robots(self):
        """Those whose joints have one freedom each."""
        about = {name: self.answer("info", name, "--quiet") for name in self.robots()}
        return [name for name, i in about.items() if i["nq"] == i["nv"]]

    def refused(self, status, words, *args, stdout="", **more):
        before = sorted(os.listdir(self.folder))
        r = self.run_arne(*args, **more)
        self.assertEqual(r.returncode, status, (args, r.stderr))
        self.assertTrue(r.stderr.startswith("arne: ") and r.stderr.endswith("\n") and r.stderr.count("\n") == 1, (args, r.stderr))
        self.assertEqual(r.stdout, stdout, args)
        for word in [words] if isinstance(words, str) else words:
            self.assertIn(word, r.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), before, args)

    def near(self, x, y, tolerance=1e-9):
        self.assertLessEqual(abs(x - y), tolerance * max(1, abs(y)), (x, y))


def main():
    if not os.path.exists(ARNE):
        sys.exit("there is no %s: build it, or set ARNE" % ARNE)
    done = unittest.main(exit=False).result
    for test, why in done.skipped:  # tools/test collects these lines
        if why != "light":
            print("not tested: %s: %s" % (test.id().replace("__main__.", ""), why))
    sys.exit(not done.wasSuccessful())
