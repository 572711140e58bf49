#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`arne sweep`: the same file from any number of threads and ranks and after any number of deaths; runs that can be run again;
what is not a sweep is refused. Needs HDF5 where arne was built with it, and mpirun for the ranks.

The program is $ARNE, or build/arne."""
import json
import os
import random
import re
import shutil
import subprocess
import time
import unittest

from support import ARNE, HAVE_HDF5, HAVE_RANKS, Program, main, three_ranks

SWING = """\
robot: planar2r
start: {q: [0.3, -0.2]}
duration: 0.4
motion: {points: {degree: 5, times: [0, 0.3], q: [[0.3, -0.2], [0.5, 0.1]]}}
controller: {kind: pd-gravity, period: 0.002}
observer: {gain: 50, threshold: 0.5}
sensors: {noise: 1e-5}
disturbances:
  - wrench: {link: j2, force: [0, 5, 0], from: 0.2, to: 0.3}
integrator: {method: rk4, step: 0.002}
vary:
  mass: {normal: [1, 0.1]}
  push: {uniform: [0, 2]}
  noise: {list: [0, 1e-5, 1e-4]}
"""


class Sweep(Program):
    FILES = {"swing.yaml": SWING}
    RUNS = 40

    def sweep(self, out, *args, runs=RUNS):
        return self.good("sweep", "swing.yaml", "--runs", str(runs), "--out", out, *args)

    def bytes_of(self, name):
        with open(self.path(name), "rb") as f:
            return f.read()

    @unittest.skipUnless(HAVE_HDF5, "built without HDF5")
    def test_threads_and_ranks_write_the_same(self):
        self.sweep("one.h5")
        self.sweep("three.h5", "--threads", "3")
        self.assertEqual(self.bytes_of("one.h5"), self.bytes_of("three.h5"))
        self.sweep("other.h5", "--seed", "2")
        self.assertNotEqual(self.bytes_of("one.h5"), self.bytes_of("other.h5"))
        if not HAVE_RANKS:
            self.skipTest("no MPI")
        r = three_ranks("sweep", "swing.yaml", "--runs", str(self.RUNS), "--out", "ranks.h5", folder=self.folder)
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertEqual(r.stdout.count("40 of them now"), 1, r.stdout)
        self.assertEqual(self.bytes_of("one.h5"), self.bytes_of("ranks.h5"))
        # what the first rank cannot do, none waits for
        r = three_ranks("sweep", "swing.yaml", "--runs", "9", "--out", "ranks.h5", folder=self.folder)
        self.assertNotEqual(r.returncode, 0)
        self.assertIn("has 40 runs, not 9", r.stderr)

    @unittest.skipUnless(HAVE_HDF5, "built without HDF5")
    def test_a_killed_sweep_goes_on(self):
        self.sweep("whole.h5", runs=200)
        chance = random.Random(5)
        for _ in range(10):
            p = subprocess.Popen([ARNE, "sweep", "swing.yaml", "--runs", "200", "--out", "part.h5", "--threads", "2"],
                                 cwd=self.folder, stdout=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, 0.08))
            p.kill()
            p.wait()
        said = self.sweep("part.h5", runs=200)
        self.assertEqual(self.bytes_of("whole.h5"), self.bytes_of("part.h5"))
        self.assertIn("200 finished", said)
        self.assertNotIn("of them now", self.sweep("part.h5", runs=200))  # nothing is left to do

    @unittest.skipUnless(HAVE_HDF5, "built without HDF5")
    def test_a_run_by_its_number(self):
        told = json.loads(self.sweep("s.h5", "--format", "json"))
        self.assertEqual((told["runs"], told["finished"], told["failed"]), (self.RUNS, self.RUNS, 0))
        worst = {q["joint"]: q for q in told["quantiles"] if q["of"] == "error"}
        self.assertEqual(set(worst), {"j1", "j2"})
        for number, (joint, q) in enumerate(sorted(worst.items())):
            self.assertLessEqual(q["low"], q["median"])
            self.assertLessEqual(q["high"], q["largest"])
            again = json.loads(self.good("simulate", "swing.yaml", "--run", str(q["in"]), "--format", "json"))
            self.assertEqual(again["summary"]["max_error"][number], q["largest"])

    @unittest.skipUnless(HAVE_HDF5, "built without HDF5")
    def test_a_page(self):
        self.sweep("s.h5")
        self.good("report", "s.h5", "--out", "page.html")
        page = self.read("page.html")
        for words in ("What matters", "The worst runs", "--run K", "<svg", "noise: {list"):
            self.assertIn(words, page)
        told = json.loads(self.sweep("s.h5", "--format", "json"))["quantiles"]
        worst = max(q["largest"] for q in told if q["of"] == "error")
        torque = max(q["largest"] / q["median"] for q in told if q["of"] == "torque")
        for words in (f"Largest error of any joint: {worst:.4g}", f"Peak torque, over the median of its joint: {torque:.4g} "):
            self.assertIn("</td><td>" + words, page.split("The worst runs")[1])

    @unittest.skipUnless(HAVE_HDF5, "built without HDF5")
    def test_grids_say_how_many(self):
        self.write("swing.yaml", SWING + "  start.q.1: {grid: [0.3, 0.301, 0.302]}\n")
        self.assertIn("3 runs", self.good("sweep", "swing.yaml", "--out", "g.h5"))

    @unittest.skipUnless(HAVE_HDF5, "built without HDF5")
    def test_draws_that_make_no_scenario_are_failures(self):
        self.write("swing.yaml", SWING.replace("normal: [1, 0.1]", "list: [1, -1]"))
        told = json.loads(self.sweep("s.h5", "--format", "json"))
        self.assertTrue(0 < told["failed"] < self.RUNS)
        self.assertIn("must be above 0", told["failures"][0]["message"])
        self.good("report", "s.h5", "--out", "page.html")
        names = re.findall("<th>(.*?)</th>", self.read("page.html").split("The worst runs")[1].split("</tr>")[0])
        rows = [dict(zip(names, re.findall("<td>(.*?)</td>", row))) for row in re.findall("<tr>(<td>.*?)</tr>", self.read("page.html"))]
        failed = [row for row in rows if "must be above 0" in row.get("why", "")]
        self.assertEqual(len(failed), min(told["failed"], 8))
        self.assertEqual({row["mass"] for row in failed}, {"-1"})

    def test_modules_of_others_are_refused(self):
        arne = shutil.copy(ARNE, self.folder)
        for content, words in (("no library", "cannot be loaded"), (None, "is no module of this arne")):
            if content:
                self.write("arne_hdf5.so", content)
            else:
                subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "/dev/null", "-o", "arne_hdf5.so"], cwd=self.folder, check=True)
            r = subprocess.run([arne, "sweep", "swing.yaml", "--runs", "3", "--out", "s.h5"], cwd=self.folder, capture_output=True, text=True, timeout=60)
            self.assertEqual((r.returncode, r.stdout), (1, ""), r.stderr)
            self.assertIn(words, r.stderr)
        os.mkdir(os.path.join(self.folder, "below"))  # what lies in a folder above is nobody's module
        r = subprocess.run([shutil.copy(ARNE, os.path.join(self.folder, "below")), "sweep", "swing.yaml", "--runs", "3", "--out", "s.h5"],
                           cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual((r.returncode, r.stdout), (1, ""), r.stderr)
        self.assertIn("without HDF5", r.stderr)

    def test_each_launcher_of_ranks_is_heard(self):
        arne = shutil.copy(ARNE, self.folder)  # no modules are beside it
        for name in ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_SIZE", "MV2_COMM_WORLD_SIZE"):
            for size, words in (("2", "without MPI"), ("1", "without HDF5")):
                r = subprocess.run([arne, "sweep", "swing.yaml", "--runs", "3", "--out", "s.h5"], cwd=self.folder, capture_output=True,
                                   text=True, timeout=60, env={**os.environ, name: size})
                self.assertEqual((r.returncode, r.stdout), (1, ""), r.stderr)
                self.assertIn(words, r.stderr)

    def test_refusals(self):
        self.refused(2, ["--out"], "sweep", "swing.yaml", "--runs", "3")
        self.refused(2, ["--run"], "simulate", "swing.yaml", "--seed", "3")
        self.refused(1, ["no such place"], "sweep", self.write("a.yaml", SWING + "  sensors.noise.x: {list: [1]}\n"), "--out", "a.h5")
        self.refused(1, ["what is to vary"], "sweep", self.write("b.yaml", SWING.split("vary")[0]), "--runs", "3", "--out", "a.h5")
        self.refused(1, ["how many runs"], "sweep", "swing.yaml", "--out", "a.h5")
        self.refused(2, ["whole"], "sweep", "swing.yaml", "--runs", "2.5", "--out", "a.h5")
        if not HAVE_HDF5:
            self.refused(1, ["HDF5"], "sweep", "swing.yaml", "--runs", "3", "--out", "a.h5")
            return
        self.sweep("s.h5", runs=5)
        whole = self.bytes_of("s.h5")
        self.refused(1, ["5 runs, not 6"], "sweep", "swing.yaml", "--runs", "6", "--out", "s.h5")
        self.refused(1, ["another seed"], "sweep", "swing.yaml", "--runs", "5", "--seed", "2", "--out", "s.h5")
        self.refused(1, ["other values were set"], "sweep", "swing.yaml", "--runs", "5", "--set", "duration=0.3", "--out", "s.h5")
        self.write("c.yaml", SWING.replace("0.4", "0.5"))
        self.refused(1, ["the scenario has changed"], "sweep", "c.yaml", "--runs", "5", "--out", "s.h5")
        self.assertEqual(self.bytes_of("s.h5"), whole)
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "robots", "planar2r.yaml")) as f:
            robot = f.read()
        self.write("mine.yaml", robot)
        self.write("own.yaml", SWING.replace("planar2r", "mine.yaml"))
        self.good("sweep", "own.yaml", "--runs", "2", "--out", "own.h5")
        self.write("mine.yaml", robot + "\n# what stands beside the numbers may change\n")
        self.good("sweep", "own.yaml", "--runs", "2", "--out", "own.h5")
        self.assertIn("mass: 3", robot)
        self.write("mine.yaml", robot.replace("mass: 3", "mass: 3.001", 1))
        self.refused(1, ["the robot has changed since"], "sweep", "own.yaml", "--runs", "2", "--out", "own.h5")
        self.write("cut.h5", whole[:len(whole) // 2])
        self.refused(1, ["cut off"], "sweep", "swing.yaml", "--runs", "5", "--out", "cut.h5")
        self.refused(1, ["cut off"], "report", "cut.h5", "--out", "page.html")
        self.assertEqual(whole.count(b"\0kind\0"), 1)
        self.write("other.h5", whole.replace(b"\0kind\0", b"\0sort\0"))
        self.refused(1, ["other.h5", "no file of arne sweep"], "report", "other.h5", "--out", "page.html")
        self.refused(1, ["No such file"], "report", "none.h5", "--out", "page.html")
        self.write("text.h5", "no file of anything")
        self.refused(1, ["no HDF5 file"], "sweep", "swing.yaml", "--runs", "5", "--out", "text.h5")
        self.refused(1, ["No such file"], "sweep", "swing.yaml", "--runs", "5", "--out", "nowhere/s.h5")


main()
