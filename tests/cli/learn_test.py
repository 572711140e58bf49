#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""In the loop: tools/demo_learn excites a robot that is not what its file says, identifies it from a noisy log and observes it with
both models. Judged by what was done to the robot: the scenario. The program is $ARNE, or build/arne."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from support import ARNE, TOP, main


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


if __name__ == "__main__":
    main()
