#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`make demo` tells its story: a push, noticed soon after it began on the link that was pushed, a robot that stops, a page. And the
links of README.md and doc/*.md lead somewhere. The program is $ARNE, or build/arne."""
import glob
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from support import ARNE, TOP, main


class Demo(unittest.TestCase):
    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not here: no page")
    def test_the_story(self):
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(ARNE, os.path.join(folder, "arne"))
            r = subprocess.run([os.path.join(TOP, "tools/demo"), folder], capture_output=True, text=True, cwd=TOP, timeout=60)
            self.assertEqual((r.returncode, r.stderr), (0, ""), r.stdout)
            with open(os.path.join(folder, "demo/run.json")) as f:
                run = json.load(f)
            with open(os.path.join(folder, "demo/index.html"), encoding="utf-8") as f:
                page = f.read()
        first = {}
        for e in run["events"]:
            first.setdefault(e["kind"], e)
        self.assertEqual(run["status"], "finished")
        # after 20 ms an observer of gain 50/s shows 63 % of a push, far more than its threshold
        self.assertTrue(0 < first["contact"]["t"] - first["wrench"]["t"] < 0.02, first)
        self.assertGreaterEqual(first["stop"]["t"], first["contact"]["t"])
        self.assertIn("j4", first["wrench"]["text"])
        self.assertIn("j4", first["contact"]["text"])
        delay = re.search(r"The observer needed (\d+) ms", r.stdout)
        self.assertEqual(int(delay.group(1)), round(1e3 * (first["contact"]["t"] - first["wrench"]["t"])))
        for event in ("wrench", "contact", "stop"):
            self.assertIn(first[event]["text"], r.stdout)
        self.assertIn("after it began, and the robot stopped", page)
        self.assertGreater(page.count("<svg"), 8)


class Links(unittest.TestCase):
    def test_pages_that_are_named_are_there(self):
        for path in [os.path.join(TOP, "README.md"), *glob.glob(os.path.join(TOP, "doc", "*.md"))]:
            with open(path, encoding="utf-8") as f:
                text = f.read()
            for target in re.findall(r"\]\(([^)#: ]+)(?:#[^)]*)?\)", text):
                with self.subTest(page=os.path.relpath(path, TOP), link=target):
                    self.assertTrue(os.path.exists(os.path.join(os.path.dirname(path), target)))


if __name__ == "__main__":
    main()
