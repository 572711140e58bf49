#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`arne eval` by code of the robot's own (--fast), and on ranks: the bytes are those of one process without it.

The program is $ARNE, or build/arne."""
import os
import resource
import shutil
import struct
import subprocess
import time
import unittest

from arrays import States, array, numbers
from support import ARNE, HAVE_HDF5, HAVE_RANKS, THREE_RANKS, main, three_ranks


@unittest.skipUnless(shutil.which("cc"), "there is no compiler")
class Fast(States):
    """--fast: code of the robot's own, compiled once."""

    def setUp(self):
        super().setUp()
        self.write("two.npy", array([row[:8] for row in self.rows[:100]], 8))
        os.mkdir(self.path("cache"))
        os.mkdir(self.path("none"))  # in the place of PATH: no compiler
        os.mkdir(self.path("broken"))
        self.write("broken/cc", "#!/bin/sh\necho it is broken\nexit 1\n")
        os.chmod(self.path("broken/cc"), 0o755)
        self.broken = {"PATH": self.path("broken") + ":" + os.environ["PATH"]}

    def eval(self, *args, want="id", robot="planar2r", states="two.npy", **more):
        """What it says, and the results."""
        more = {"XDG_CACHE_HOME": self.path("cache"), "CC": "", **more}
        r = self.run_arne("eval", robot, "--want", want, "--in", states, "--out", "r.npy", *args, **more)
        self.assertEqual(r.returncode, 0, r.stderr)
        return r.stderr, self.bytes_of("r.npy")

    def kept(self):
        return sorted(os.listdir(self.path("cache", "arne")))

    def test_the_same_bytes(self):
        ur5e = {"want": "id,mass", "robot": "ur5e", "states": "s.npy"}
        plain = self.eval(**ur5e)
        for args in ([], ["--threads", "3"]):
            self.assertEqual(self.eval("--fast", *args, **ur5e), plain)
        self.assertEqual([name.split("-")[0] for name in self.kept()], ["id", "mass"])
        self.assertEqual(self.eval("--fast", **ur5e, **self.broken), plain)  # no compiler is needed any more
        near = [numbers(self.eval(*args, want="fd")[1]) for args in ([], ["--fast"])]  # another text
        most = max(abs(x) for row in near[0] for x in row)
        self.assertLess(max(abs(x - y) for a, b in zip(*near) for x, y in zip(a, b)), 1e-12 * most)

    def test_joints_of_several_freedoms(self):
        rows = [row + [0.5] for row in self.rows[:50]]
        for row in rows:
            size = sum(x * x for x in row[3:7]) ** 0.5
            row[3:7] = [x / size for x in row[3:7]]
        self.write("free.npy", array(rows, 25))
        plain = self.eval("--base", "free", states="free.npy")
        self.assertEqual(self.eval("--base", "free", "--fast", states="free.npy"), plain)
        self.assertEqual(len(self.kept()), 1)

    def test_another_robot_is_other_code(self):
        self.eval("--fast")
        for args in (["--rigid"], ["--gravity", "0,0,9.81"], ["--payload", "j2=1,0,0,0.1"]):
            said, data = self.eval("--fast", *args, **self.broken)
            self.assertRegex(said, r"^arne: note: --fast: cc does not compile the code: it is broken; computed as without it\n$")
            self.assertEqual(data, self.eval(*args)[1])
        self.assertEqual(len(self.kept()), 1)

    def test_a_damaged_file_is_made_anew(self):
        plain = self.eval("--fast")
        name, = self.kept()
        whole = self.bytes_of("cache/arne/" + name)
        flipped = bytearray(whole)
        flipped[len(whole) // 2] ^= 1
        for data in (b"", b"no library", whole[:-1], whole[:len(whole) // 2], bytes(flipped)):
            self.write("cache/arne/" + name, data)
            self.assertEqual(len(self.eval("--fast", **self.broken)[0].splitlines()), 1)
        self.assertEqual(self.eval("--fast"), plain)
        self.assertEqual(self.eval("--fast", **self.broken), plain)
        self.assertEqual(self.kept(), [name])

    def test_two_at_once(self):
        plain = self.eval()[1]
        command = [ARNE, "eval", "planar2r", "--want", "id", "--in", "two.npy", "--fast", "--out"]
        there = {"cwd": self.folder, "env": {**os.environ, "XDG_CACHE_HOME": self.path("cache")}, "stderr": subprocess.PIPE}
        both = [subprocess.Popen([*command, "r%d.npy" % k], **there) for k in range(2)]
        self.assertEqual([(p.communicate()[1], p.returncode) for p in both], 2 * [(b"", 0)])
        self.assertEqual([self.bytes_of("r%d.npy" % k) for k in range(2)], 2 * [plain])
        self.assertEqual(len(self.kept()), 1)

    def test_without_it(self):
        plain = self.eval()[1]
        open_to_all = self.path("open", "arne")
        os.makedirs(open_to_all)
        os.chmod(open_to_all, 0o777)
        for words, more in (("no compiler cc", {"PATH": self.path("none")}), ("no compiler mine", {"CC": "mine"}),
                            ("cannot be made", {"XDG_CACHE_HOME": self.path("s.npy")}), ("alone may write", {"XDG_CACHE_HOME": self.path("open")})):
            said, data = self.eval("--fast", **more)
            self.assertIn(words, said)
            self.assertEqual((len(said.splitlines()), data), (1, plain), said)
        self.assertEqual(self.eval("--fast", "--quiet", PATH=self.path("none")), ("", plain))
        self.assertEqual(os.listdir(open_to_all), [])

    def test_what_the_code_has_not(self):
        for want, args in (("motor", []), ("id,mass", ["--wrench", "j2=1,2,3,0,0,0"]), ("star", ["--columns", "q,qd,qdd,qa"]),
                           ("jacobian", ["--jacobian-frame", "local"])):
            said, data = self.eval("--fast", *args, want=want)
            self.assertEqual((len(said.splitlines()), data), (1, self.eval(*args, want=want)[1]), said)
            self.assertIn(want.split(",")[0], said)

    def test_a_row_that_fails(self):
        rows = [row[:8] for row in self.rows[:20]]
        rows[13][4] = 1e308
        self.write("big.npy", array(rows, 8))
        self.refused(1, ["big.npy:14: id is not finite"], "eval", "planar2r", "--want", "id", "--in", "big.npy", "--out", "r.npy", "--fast",
                     XDG_CACHE_HOME=self.path("cache"))


@unittest.skipUnless(HAVE_RANKS, "there is no MPI")
class Ranks(States):
    """mpirun -n K arne eval: the rows are shared, the bytes are those of one."""

    def run_ranks(self, *args, **more):
        return three_ranks("eval", "ur5e", *args, folder=self.folder, **more)

    def said(self, r):
        """What arne said, without mpirun's words about it."""
        return [line for line in r.stderr.splitlines() if line.startswith("arne: ")]

    def same(self, source, out, *args):
        args = [*args, "--quiet", "--want", "id,energy,motor", "--in", source, "--out"]
        self.good("eval", "ur5e", *args, "one" + out)
        r = self.run_ranks(*args, "three" + out)
        self.assertEqual((r.returncode, r.stdout, self.said(r)), (0, "", []), r.stderr)
        self.assertEqual(self.bytes_of("three" + out), self.bytes_of("one" + out), (source, out))

    def positions(self, name, copies=60, bad=None):
        """Rows of q alone, many blocks of text; `bad` stands in the place of so many bytes at the middle of the file."""
        head = ",".join("q%d" % (i + 1) for i in range(6)) + "\n"
        text = head + copies * "".join(",".join(map(repr, row[:6])) + "\n" for row in self.rows)
        lines = text.splitlines()
        if bad:
            lines[len(lines) // 2] = bad
        self.write(name, "\n".join(lines) + "\n")
        return len(lines) // 2 + 1

    def test_the_same_bytes(self):
        """Each format in and out, four blocks and more; what a rank does not own it does not read."""
        long = self.repeated("long.npy", 9)
        with open(self.path("long.csv"), "w") as f:
            f.write(",".join(g + str(i + 1) for g in ("q", "qd", "qdd", "tau") for i in range(6)) + "\n")
            f.writelines(9 * [",".join(map(repr, row)) + "\n" for row in self.rows])
        self.same(long, ".npy")
        self.same("long.csv", ".npy")
        self.same("long.csv", ".csv")
        self.same("long.csv", ".txt", "--format", "text")
        if not HAVE_HDF5:
            self.skipTest("built without HDF5")
        self.good("eval", "ur5e", "--want", "id", "--in", long, "--out", "q.h5")
        self.rename_dataset("q.h5")  # torques as positions: any numbers do
        self.same("q.h5", ".h5")
        for name in ("a.h5", "b.h5"):
            self.write(name, self.bytes_of("q.h5"))
        self.good("eval", "ur5e", "--quiet", "--want", "id,did", "--in", "a.h5", "--out", "a.h5")  # beside what is there
        self.assertEqual(self.run_ranks("--quiet", "--want", "id,did", "--in", "b.h5", "--out", "b.h5").returncode, 0)
        self.assertEqual(self.bytes_of("a.h5"), self.bytes_of("b.h5"))
        self.assertGreater(len(self.bytes_of("a.h5")), 4 * len(self.bytes_of("q.h5")))

    @unittest.skipUnless(shutil.which("cc"), "there is no compiler")
    def test_with_code_of_the_robots_own(self):
        args = ["--quiet", "--want", "id", "--in", self.repeated("long.npy", 2), "--out"]
        self.good("eval", "ur5e", *args, "one.npy")
        r = three_ranks("eval", "ur5e", *args, "three.npy", "--fast", folder=self.folder, XDG_CACHE_HOME=self.folder)
        self.assertEqual((r.returncode, r.stdout, self.said(r)), (0, "", []), r.stderr)
        self.assertEqual(self.bytes_of("three.npy"), self.bytes_of("one.npy"))

    def rename_dataset(self, name):
        """/id becomes /q: a name in the heap of an old-style group, filled up with zeros."""
        data = self.bytes_of(name)
        self.assertEqual(data.count(b"id\0\0\0\0\0\0"), 1)
        self.write(name, data.replace(b"id\0\0\0\0\0\0", b"q\0\0\0\0\0\0\0"))

    def test_derivatives_need_the_rows_beside(self):
        lines = ["t," + ",".join("q%d" % (i + 1) for i in range(6))]
        lines += ["%r,%s" % (0.01 * k, ",".join(map(repr, row[:6]))) for k, row in enumerate(8 * self.rows)]
        self.write("t.csv", "\n".join(lines) + "\n")
        args = ["--want", "id", "--in", "t.csv", "--differentiate", "--format", "csv", "--quiet"]
        self.assertEqual(self.run_ranks(*args).stdout, self.good("eval", "ur5e", *args))
        self.same("t.csv", ".csv", "--differentiate")
        lines[5000] = "1,2"  # which each of them reads
        self.write("t.csv", "\n".join(lines) + "\n")
        r = self.run_ranks(*args[:-3], "--quiet", "--out", "r.csv")
        self.assertEqual((r.returncode, self.said(r)), (1, ["arne: t.csv:5001: the row has 2 of 7 fields; column q2 is missing"]))
        self.assertNotIn("r.csv", os.listdir(self.folder))

    def test_each_writes_its_text(self):
        """More blocks than a rank computes before it has to know the place of the first."""
        self.positions("q.csv")
        self.same("q.csv", ".json", "--format", "json")
        device = self.run_ranks("--quiet", "--want", "id", "--in", "q.csv", "--out", "/dev/stdout", "--format", "csv")
        self.assertEqual(device.stdout, self.good("eval", "ur5e", "--quiet", "--want", "id", "--in", "q.csv", "--format", "csv"))

    def test_a_fault_ends_the_text(self):
        before = sorted([*os.listdir(self.folder), "q.csv"])
        for copies, bad, words in ((60, "1,2,3,4,5,x", 'column q6: "x" is not a number'), (3, "1,2", "the row has 2 of 6 fields; column q3 is missing")):
            line = self.positions("q.csv", copies, bad)
            r = self.run_ranks("--quiet", "--want", "id", "--in", "q.csv", "--out", "r.csv")
            self.assertEqual((r.returncode, self.said(r)), (1, ["arne: q.csv:%d: %s" % (line, words)]))
            self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_a_signal_leaves_nothing(self):
        """mpirun asks all to end and kills those that are left as soon as one of them has; the first one has the file."""
        self.write("long.csv", ",".join("q%d" % (i + 1) for i in range(30)) + "\n" + 300000 * (",".join(30 * "0") + "\n"))
        before = sorted(os.listdir(self.folder))
        p = subprocess.Popen([*THREE_RANKS, ARNE, "eval", "humanoid", "--base", "fixed", "--quiet", "--want", "fd", "--method", "wo1", "--in",
                              "long.csv", "--out", "r.csv"], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.time() + 60
        while time.time() < deadline and sorted(os.listdir(self.folder)) == before:
            time.sleep(0.01)
        p.terminate()
        self.assertNotEqual(p.wait(timeout=60), 0)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_a_file_that_may_not_grow(self):
        self.positions("q.csv")
        most = 12 << 20  # MPI needs files too
        args = ["--quiet", "--want", "id,motor", "--in", "q.csv", "--out", "r.csv"]
        r = self.run_ranks(*args, prepare=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
        self.assertEqual((r.returncode, self.said(r)), (1, ["arne: r.csv: cannot write: File too large"]))
        self.assertEqual(sorted(os.listdir(self.folder)), ["q.csv", "s.npy"])

    def test_faults_are_said_once(self):
        name = self.repeated("long.npy", 5)
        with open(self.path(name), "r+b") as f:  # in the second block, of the second rank
            f.seek(128 + 8 * (24 * 5000 + 13))
            f.write(struct.pack("<d", 1e308))
        r = self.run_ranks("--want", "id", "--in", name, "--format", "csv")
        self.assertEqual(r.returncode, 1)
        self.assertEqual(self.said(r), ["arne: long.npy:5001: id is not finite: the numbers of this row are too large"])
        alone = self.run_arne("eval", "ur5e", "--want", "id", "--in", name, "--format", "csv")
        self.assertEqual((r.stdout, self.said(r)), (alone.stdout, alone.stderr.splitlines()))  # the rows before it are printed
        with open(self.path(name), "r+b") as f:  # and before it, of the first rank, a number that is none
            f.seek(128 + 8 * 24 * 3000)
            f.write(struct.pack("<d", float("nan")))
        said = self.said(self.run_ranks("--want", "id", "--in", name, "--out", "r.npy"))
        self.assertEqual(said, ["arne: long.npy:3001: column q1 is not a finite number"])
        self.assertEqual([n for n in os.listdir(self.folder) if n.startswith("r.npy")], [])
        os.mkfifo(self.path("fifo"))
        for args, words in ((["--want", "id", "--in", "no.npy"], "no.npy: cannot open"), (["--want", "id", "--in", "-"], "--in -: several"),
                            (["--want", "id", "--in", "fifo"], "--in fifo: several")):
            said = self.said(self.run_ranks(*args))
            self.assertEqual(len(said), 1, said)
            self.assertIn(words, said[0])


main()
