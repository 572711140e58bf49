#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`arne eval` on .npy and .h5 files, on threads: the numbers of CSV, bit for bit, in constant memory; files that are none are refused.

The program is $ARNE, or build/arne."""
import json
import os
import resource
import shutil
import signal
import subprocess
import sysconfig
import unittest

from arrays import States, array, numbers
from support import ARNE, HAVE_HDF5, TOP, main



class Bulk(States):
    def setUp(self):
        super().setUp()
        names = [g + str(i + 1) for g in ("q", "qd", "qdd", "tau") for i in range(6)]
        self.write("s.csv", ",".join(names) + "\n" + "".join(",".join(map(repr, row)) + "\n" for row in self.rows))

    def test_all_ways_give_the_same_numbers(self):
        want = ("eval", "ur5e", "--want", "id,fd,mass,did,energy")
        told = [json.loads(line) for line in self.good(*want, "--in", "s.csv", "--format", "json").splitlines()]
        flat = []
        for x in told:
            d = x["did"]
            flat.append(tuple(x["id"] + x["fd"] + sum(x["mass"] + d["dq"] + d["dqd"] + d["dqdd"], []) +
                              [x["energy"]["kinetic"], x["energy"]["potential"]]))
        self.assertEqual(len(flat), self.COUNT)
        for args in (["--in", "s.csv"], ["--in", "s.npy"], ["--in", "s.npy", "--threads", "3"], ["--in", "s.npy", "--columns", "q,qd,qdd,tau"]):
            self.good(*want, *args, "--out", "r.npy")
            self.assertEqual(numbers(self.bytes_of("r.npy")), flat, args)
        self.assertEqual(self.good(*want, "--in", "s.csv", "--format", "csv"), self.good(*want, "--in", "s.npy", "--format", "csv"))
        self.good(*want, "--in", "s.npy", "--out", "r.csv")
        self.assertEqual(self.read("r.csv"), self.good(*want, "--in", "s.csv", "--format", "csv"))
        # one by one, as single states
        for k in (0, 7, self.COUNT - 1):
            self.write("one.csv", "".join(line for i, line in enumerate(self.read("s.csv").splitlines(True)) if i in (0, k + 1)))
            self.assertEqual(json.loads(self.good(*want, "--in", "one.csv", "--format", "json")), told[k])

    def test_columns_of_an_array(self):
        part = [row[:6] + row[18:] for row in self.rows[:20]]
        self.write("p.npy", array(part, 12))
        self.good("eval", "ur5e", "--want", "fd", "--in", "p.npy", "--columns", "q,tau", "--out", "r.npy")
        self.write("p.csv", ",".join(g + str(i + 1) for g in ("q", "tau") for i in range(6)) + "\n" + "".join(
            ",".join(map(repr, row)) + "\n" for row in part))
        lines = self.good("eval", "ur5e", "--want", "fd", "--in", "p.csv", "--format", "json").splitlines()
        self.assertEqual(numbers(self.bytes_of("r.npy")), [tuple(json.loads(line)["fd"]) for line in lines])

    @unittest.skipUnless(HAVE_HDF5, "built without HDF5")
    def test_hdf5(self):
        want = ("eval", "ur5e", "--want", "id,did")
        self.good(*want, "--in", "s.npy", "--out", "r.h5", "--threads", "2")
        self.refused(1, ["dataset /q: is not there"], *want, "--in", "r.h5")
        self.refused(1, ["cut off"], *want, "--in", self.write("cut.h5", self.bytes_of("r.h5")[:3000]))
        self.refused(1, ["no HDF5 file"], *want, "--in", self.write("text.h5", "q1,q2\n"))

    @unittest.skipUnless(HAVE_HDF5, "built without HDF5")
    def test_a_full_disk(self):
        """A file that may not grow: it is told, once, and nothing of it is left."""
        def small():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (16384, 16384))
        for given, out in (("s.csv", "r.h5"), ("s.csv", "r.npy"), ("s.npy", "r.h5")):
            before = sorted(os.listdir(self.folder))
            p = subprocess.run([ARNE, "eval", "ur5e", "--want", "mass", "--in", given, "--out", out], cwd=self.folder, capture_output=True,
                               text=True, preexec_fn=small)
            self.assertEqual((p.returncode, p.stdout, p.stderr.count("\n")), (1, "", 1), (given, out, p.stderr))
            self.assertRegex(p.stderr, "disk full|File too large")
            self.assertRegex(p.stderr, "^arne: " + out)
            self.assertEqual(sorted(os.listdir(self.folder)), before)

    def with_module(self, content, *folders):
        """What a copy of the program says that has this module, or none, in these folders."""
        os.makedirs(self.path("bin"), exist_ok=True)
        program = shutil.copy(ARNE, self.path("bin"))
        if os.path.exists(self.path("bin", "arne_hdf5.so")):
            os.unlink(self.path("bin", "arne_hdf5.so"))
        for folder in folders:
            os.makedirs(self.path(folder), exist_ok=True)
            self.write(os.path.join(folder, "arne_hdf5.so"), content)
        p = subprocess.run([program, "eval", os.path.join(TOP, "robots", "ur5e.yaml"), "--want", "id", "--in", "s.npy", "--out", "r.h5"],
                           cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(p.returncode, 0 if p.stderr == "" else 1, p.stderr)
        return p.stderr

    def test_modules(self):
        self.assertEqual(self.with_module(None), "arne: this arne was built without HDF5; install it and build again (tools/setup big)\n")
        said = self.with_module("no library", "bin")
        self.assertRegex(said, r"^arne: hdf5 is here and cannot be loaded: \S*/bin/arne_hdf5.so: ")
        self.assertEqual(said.count("\n"), 1)
        subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "/dev/null", "-o", self.path("empty.so")], check=True)
        with open(self.path("empty.so"), "rb") as f:
            empty = f.read()
        # where it is built, and where it is installed, which has one of these names
        for folders in (["bin"], ["lib/arne", "lib64/arne", "lib/%s/arne" % sysconfig.get_config_var("MULTIARCH")]):
            self.assertEqual(self.with_module(empty, *folders), "arne: arne_hdf5.so is no module of this arne\n")
        if HAVE_HDF5:
            with open(os.path.join(os.path.dirname(ARNE), "arne_hdf5.so"), "rb") as f:
                self.assertEqual(self.with_module(f.read(), "bin"), "")

    def test_a_row_that_fails(self):
        rows = [list(row) for row in self.rows[:9]]
        rows[5][13] = float("nan")
        self.write("nan.npy", array(rows, 24))
        self.refused(1, ["nan.npy:6: column qdd2 is not a finite number"], "eval", "ur5e", "--want", "id", "--in", "nan.npy", "--out", "r.npy")
        rows[5][13] = 1e308
        self.write("big.npy", array(rows, 24))
        self.refused(1, ["big.npy:6: id is not finite"], "eval", "ur5e", "--want", "id", "--in", "big.npy", "--out", "r.npy", "--threads", "2")
        p = subprocess.run([ARNE, "eval", "ur5e", "--want", "id", "--in", "big.npy", "--format", "json"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((p.returncode, len(p.stdout.splitlines())), (1, 5))  # those before it are printed

    def test_refusals(self):
        rows = self.rows[:4]
        want = ("eval", "ur5e", "--want", "id", "--in")
        whole = array(rows, 24)
        for name, data, words in (("f.npy", array(rows, 24, kind="<f4"), "float64"), ("o.npy", array(rows, 24, order="True"), "column after column"),
                                  ("c.npy", whole[:-8], "cut off"), ("h.npy", whole[:60], "cut off"), ("t.npy", b"q1,q2\n1,2\n", "no array"),
                                  ("w.npy", array([r[:7] for r in rows], 7), "7 columns"), ("e.npy", array([], 24), "no rows"),
                                  ("d.npy", array(rows, 24, shape="(2, 2, 24)"), "shape"), ("big.npy", array(rows, 24, kind=">f8"), "float64")):
            self.refused(1, [words], *want, self.write(name, data), "--out", "r.npy")
        self.refused(1, ["no.npy"], *want, "no.npy")
        self.refused(1, ["is no group"], *want, "s.npy", "--columns", "q,speed")
        self.refused(1, ["--columns"], *want, "s.csv", "--columns", "q")
        self.refused(2, [".npy"], *want, "s.npy", "--out", "result")
        self.refused(2, ["--threads"], *want, "s.npy", "--threads", "0")
        self.refused(2, ["whole number"], *want, "s.npy", "--threads", "1.5")
        if not HAVE_HDF5:
            self.refused(1, ["HDF5"], *want, "s.npy", "--out", "r.h5")

    def test_memory_is_constant(self):
        def most(copies):
            self.good("eval", "ur5e", "--want", "id", "--in", self.repeated("long.npy", copies), "--out", "r.npy")
            return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        few = most(10)  # 2.9 MB of input
        self.assertLess(most(60) - few, 4000)  # kB more for 14 MB more


main()
