#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables and figures of the documents: every number that must agree does, every other one says why."""
import os
import subprocess
import sys
import tempfile
import unittest

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "papers"))
sys.dont_write_bytecode = True
import paper  # noqa: E402


class Rules(unittest.TestCase):
    def test_a_difference_without_a_reason_is_a_failure(self):
        page = paper.Page("x", "title")
        page.row("Table 1", "same", "1", "1", agrees=True)
        page.row("Table 1", "explained", "1", "2", why="a misprint")
        self.assertEqual(page.failures, [])
        page.row("Table 1", "differs", "1", "2", agrees=False, why="said, but it must agree")
        page.row("Table 1", "silent", "1", "2")
        self.assertEqual(len(page.failures), 2)

    def test_names_are_escaped(self):
        page = paper.Page("x", "<b>")
        page.row("<i>", "&", "1", "1", agrees=True)
        self.assertIn("&lt;i&gt;", page.html())
        self.assertNotIn("<i>", page.html())


class Papers(unittest.TestCase):
    def test_all_pages(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "papers", "index.html")
            done = subprocess.run([sys.executable, os.path.join(TOP, "papers", "build.py"), out], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            with open(out) as f:
                text = f.read()
        for number in ("000", "001", "002", "003", "004"):
            self.assertIn(f'id="s{number}"', text)
        self.assertEqual(text.count("<svg"), 7)  # 001: 2, 002: 5
        self.assertNotIn('class="differs"', text)


if __name__ == "__main__":
    unittest.main()
