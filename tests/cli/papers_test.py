#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables and figures of the documents: every number that must agree does, every other one says why."""
import os
import re
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
        page.row("Table 1", "misprint", "1", "2", agrees=True, corrected="2")
        page.row("Table 1", "unknown", "1", "2", cannot="nobody knows the motion")
        self.assertEqual(page.failures, [])
        page.row("Table 1", "differs", "1", "2", agrees=False, why="said, but it must agree")
        page.row("Table 1", "silent", "1", "2", why="a reason is no agreement")
        page.row("Table 1", "corrected, but not as ours", "1", "3", agrees=False, corrected="2")
        page.grid("Table 2", ["", "a"], [("r", [paper.Value("1", "2", False)])])
        self.assertEqual(len(page.failures), 4)
        self.assertEqual((page.count, page.of("agrees"), page.of("misprint"), page.of("cannot")), (7, 1, 1, 1))

    def test_names_are_escaped(self):
        page = paper.Page("x", "<b>")
        page.row("<i>", "&", "1", "1", agrees=True)
        page.grid("<i>", ["<i>"], [("<i>", [paper.Value("<i>", "<i>", True)])])
        self.assertIn("&lt;i&gt;", page.html())
        self.assertNotIn("<i>", page.html())

    def test_printed_is_told_from_right(self):
        page = paper.Page("x", "title")
        page.row("Table 1", "misprint", "159", "160", agrees=True, corrected="160")
        page.row("Table 1", "not there", None, "7", agrees=True, corrected="7")
        text = page.html()
        self.assertIn("<s>159</s>", text)
        self.assertNotIn("<s>160</s>", text)
        self.assertIn("not printed", text)

    def test_misprints_come_from_the_errata(self):
        for number in paper.ERRATA:
            rows = paper.misprints(number)
            self.assertGreaterEqual(len(rows), 10, number)
            self.assertTrue(all(len(r) == 3 and all(r) for r in rows), number)
        self.assertIn(["3.1", "g in m/s", "m/s^2; the equation is right"], paper.misprints("004"))


class Papers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "papers", "index.html")
            cls.done = subprocess.run([sys.executable, os.path.join(TOP, "papers", "build.py"), out], capture_output=True, text=True)
            with open(out) as f:
                cls.text = f.read()
        parts = cls.text.split("<section id=")
        cls.opening, cls.sections = parts[0], parts[1:]

    def test_every_number_that_must_agree_does(self):
        self.assertEqual((self.done.returncode, self.done.stderr), (0, ""), self.done.stdout)
        self.assertNotIn('class="differs"', self.text)
        self.assertEqual([s[1:5] for s in self.sections], ["s000", "s001", "s002", "s003", "s004"])

    def test_it_opens_with_what_a_reader_wants(self):
        for words in ("misprinted", "cannot be reproduced", "agrees", *("#s00%d" % k for k in range(5))):
            self.assertIn(words, self.opening)
        for section in self.sections:
            order = [section.index(w) for w in ("<h3>Misprinted", "<h3>Cannot be reproduced", "<h3>Agrees", '<table class="grid"' if "s001" not in section[:9] else "<svg")]
            self.assertEqual(order, sorted(order))

    def test_the_variants_are_one_grid(self):
        grid = self.sections[0].split('<table class="grid">')[1].split("</table>")[0]
        self.assertEqual(grid.count("<tr>"), 17)
        self.assertEqual(self.text.count("<td>eq. (20)</td>"), 0)

    def test_tables_have_their_columns(self):
        for section, head in ((2, "<th>joint 1</th><th>joint 2</th>"), (3, "<th>XX</th><th>XY</th><th>XZ</th>"), (4, "<th>multiplications</th><th>additions</th>")):
            self.assertIn(head, self.sections[section])
        self.assertIn('<s>I_zz</s></span><span class="corrected">I_xz</span>', self.sections[2])

    def test_long_cells_wrap(self):
        for cell in re.findall(r"<td>([^<]*)</td>", "".join(re.findall(r'<table class="grid">.*?</table>', self.text))):
            self.assertLessEqual(len(cell), 60, cell)

    def test_pictures_are_those_of_runs(self):
        self.assertEqual(self.text.count("<svg"), 3)  # 001: 2, 002: five panels
        self.assertIn("prefers-color-scheme:dark", self.text)
        self.assertNotRegex(self.text, "fill=.(white|rgb)")


if __name__ == "__main__":
    unittest.main()
