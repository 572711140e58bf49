#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""In the loop: tools/demo_learn excites a robot that is not what its file says, identifies it from a noisy log and observes it with
both models, judged by what was done to the robot in the scenario; and logs of closed loops, whose robots are known: are the
deviations that are told true? The program is $ARNE, or build/arne."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from support import ARNE, TOP, Program, main


class Loop(unittest.TestCase):
    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not here: no page")
    def test_the_story(self):
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(ARNE, os.path.join(folder, "arne"))
            r = subprocess.run([os.path.join(TOP, "tools/demo_learn"), folder], capture_output=True, text=True, cwd=TOP, timeout=120)
            self.assertEqual((r.returncode, r.stderr), (0, ""), r.stdout)
            with open(os.path.join(folder, "demo/learn.html"), encoding="utf-8") as f:
                page = f.read()
            learned = subprocess.run([ARNE, "info", os.path.join(folder, "demo/learned.yaml")], capture_output=True, text=True)
            self.assertEqual(learned.returncode, 0, learned.stderr)
        before, after = map(float, re.search(r"leaves ([\d.]+) % .* learned one ([\d.]+) %", r.stdout).groups())
        self.assertGreater(before, 30)
        self.assertLess(after, 8)
        # the file knows of no tool: a contact at once; who has learned feels the push of 0.3 s, and nothing else
        self.assertRegex(r.stdout, r"model of the file feels a contact from t = 0\.0\d+ s to the end")
        felt = re.findall(r"from t = ([\d.]+) s to t = ([\d.]+) s", re.search(r"with the learned model (.*)", r.stdout).group(1))
        self.assertEqual(len(felt), 1, r.stdout)
        begin, end = map(float, felt[0])
        self.assertTrue(4.5 < begin < 4.55 and 4.8 < end < 4.9, felt)
        self.assertIn("panda, identified", page)
        self.assertGreater(page.count("<svg"), 10)


SCENARIO = """\
robot: %s
duration: 10
motion: {csv: {file: motion.csv}}
controller: {kind: computed-torque, period: 0.001, kp: 400, kd: 40}
sensors: {noise: 5e-5, velocity_noise: 2e-3, seed: 7}
integrator: {method: rk4, step: 0.001}
output: {rate: 500}
"""


class Honesty(Program):
    def test_true_parameters_are_within_two_deviations(self):
        """the robot of the file is the true one; torques of a run are means since the row before, half a row late"""
        for robot in ("ur5e", "rx90"):
            self.write("s.yaml", SCENARIO % robot)
            self.good("excite", robot, "--random", "30", "--starts", "1", "--steps", "40", "--dt", "0.02", "--out", "motion.csv")
            self.good("simulate", "s.yaml", "--out", "log.csv", "--quiet")
            v = self.answer("identify", robot, "--in", "log.csv", "--cutoff", "5", "--delay", "0.001", "--quiet")
            seen = [p for p in v["parameters"] if p["seen"]]
            within = [abs(p["value"] - p["before"]) <= 2 * p["deviation"] for p in seen]
            self.assertGreater(len(seen), 50)
            self.assertGreaterEqual(sum(within), 0.9 * len(seen), robot)
            # and they are worth telling: most parameters of more than noise are known to a tenth
            large = sorted(abs(p["deviation"] / p["value"]) for p in seen if abs(p["before"]) > 0.1)
            self.assertLess(large[len(large) // 2], 0.1, robot)


if __name__ == "__main__":
    main()
