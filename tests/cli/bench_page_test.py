#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of make bench from given numbers: what it shows, what it refuses."""
import html.parser
import json
import os
import subprocess
import sys
import tempfile
import unittest

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def row(quantity, variant, ns, **more):
    return {"quantity": quantity, "variant": variant, "ns": ns, "least_ns": ns, "ratio": ns / 1000, "states_per_second": 1e9 / ns, **more}


def robot(name, joints, rows, file=None):
    return {"name": name, "file": file, "joints": joints, "serial": True, "states": 256, "mujoco_refusal": None, "peak_f64": 4e10,
            "peak_f32": 8e10, "rows": rows}


PLANAR = os.path.join(TOP, "robots", "planar2r.yaml")
ARM = [row("id", "KDL", 1000, latency={"calls": 20000, "median": 1010, "p999": 2020, "longest": 9000}), row("id", "MuJoCo", 1100),
       row("id", "general", 200), row("id", "lanes", 25), row("id", "f32 lanes", 12.5), row("id", "1 thread", 25),
       row("id", "2 threads", 13, speedup=1.923), row("fd", "general", 600), row("id", "generated lanes", 16)]
CHAINS = [robot(f"chain {n}", n, [row("id", "KDL", 200 * n), row("id", "general", 30 * n), row("fd", "general", 100 * n)]) for n in (10, 100)]
PEERS = {"repeats": 31, "block_ms": 3, "threads": 2, "lanes": 8, "compiler": "cc -O3 <b>", "clock_ns": 25,
         "robots": [robot("six", 6, ARM, PLANAR)] + CHAINS}
TIMES = {"median": 2, "p999": 5, "longest": 9, "bins": [[1, 2, 10], [2, 4, 980], [4, 8, 9], [8, 16, 1]]}
LOOP = {"robot": "kuka-lwr", "joints": 7, "memory": "locked", "scheduled": "SCHED_FIFO", "counted_ticks": 10000, "system_calls": 0,
        "rates": [{"hz": 1000, "ticks": 1000, "left_out": 0, "minor_faults": 0, "major_faults": 0, "computing_us": TIMES, "late_us": TIMES}]}


def operations(params):
    words = ["count", PLANAR, "--what", "id", "--rigid", "--inertia", "file", "--params", params, "--format", "json"]
    done = subprocess.run([os.environ.get("ARNE", os.path.join(TOP, "build", "arne")), *words], capture_output=True, text=True, check=True)
    count = json.loads(done.stdout)["id"]
    return count["mul"] + count["add"]


class Outline(html.parser.HTMLParser):
    """Do the tags close as they open? What is named from outside?"""
    VOID = {"meta", "br"}

    def __init__(self, text):
        super().__init__()
        self.open, self.bad, self.outside = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag not in self.VOID:
            self.open.append(tag)
        self.outside += [v for k, v in attributes if k in ("src", "href")] + ([tag] if tag in ("script", "link") else [])

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.bad.append(tag)


class Page(unittest.TestCase):
    def write(self, **files):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, content in files.items():
            with open(os.path.join(folder.name, name + ".json"), "w") as f:
                f.write(content if isinstance(content, str) else json.dumps(content))
        done = subprocess.run([sys.executable, os.path.join(TOP, "bench", "page.py"), folder.name], capture_output=True, text=True)
        texts = {}
        for name in sorted(os.listdir(folder.name)):
            with open(os.path.join(folder.name, name)) as f:
                texts[name] = f.read()
        return done, texts

    def test_the_page_stands_alone_and_shows_every_part(self):
        done, texts = self.write(peers=PEERS, loop=LOOP)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        page = texts["index.html"]
        outline = Outline(page)
        self.assertEqual((outline.open, outline.bad, outline.outside), ([], [], []))
        for words in ("prefers-color-scheme:dark", "Control loops", "0 in 10000 ticks", "Growth", "six, 6 joints", "chain 100, 100 joints",
                      "<b>0.025</b>", "25 ns", "40 M/s", "1.01 µs", "2.02 µs", "cc -O3 &lt;b&gt;", "no cuda.json"):
            self.assertIn(words, page)
        self.assertEqual(page.count("<svg viewBox=\"0 0 400"), 2 + 2 + 2)  # id, fd; growth of both; one rate: computing, late

    def test_shares_are_operations_over_time_and_peak(self):
        _, texts = self.write(peers=PEERS)
        rows = json.loads(texts["bench.json"])["peers"]["robots"][0]["rows"]
        got = {r["variant"]: (r.get("operations"), r.get("share_of_peak")) for r in rows if r["quantity"] == "id"}
        general, generated = operations("standard"), operations("base")
        self.assertGreater(general, generated)
        self.assertEqual((got["lanes"][0], got["f32 lanes"][0], got["2 threads"][0], got["generated lanes"][0]), (general, general, general, generated))
        self.assertAlmostEqual(got["lanes"][1], general / 25e-9 / 4e10)
        self.assertAlmostEqual(got["f32 lanes"][1], general / 12.5e-9 / 8e10)
        self.assertAlmostEqual(got["2 threads"][1], general / 13e-9 / (2 * 4e10))
        self.assertEqual(got["KDL"], (None, None))

    def test_marks_are_ratios_of_one_run(self):
        done, texts = self.write(peers=PEERS)
        marks = {what: got for what, _, got in json.loads(texts["bench.json"])["marks"]}
        self.assertAlmostEqual(marks["general lanes, times KDL"], 40)
        self.assertAlmostEqual(marks["generated lanes, times KDL"], 62.5)
        self.assertAlmostEqual(marks["f32 lanes, times lanes"], 2)
        self.assertIsNone(marks["generated f32 lanes, times generated lanes"])
        self.assertEqual(marks["2 threads, times one"], 1.923)
        self.assertIn("generated lanes, times KDL", done.stdout)

    def test_cuda_is_a_column_where_it_was_measured(self):
        cuda = [{"robot": "six", "quantity": "id", "variant": "CUDA f64", "states_per_second": 2e9},
                {"robot": "nobody", "quantity": "id", "variant": "CUDA f32", "states_per_second": 4e9}]
        done, texts = self.write(peers=PEERS, cuda=cuda)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("<th>CUDA f64</th>", texts["index.html"])
        self.assertIn("<b>0.0005</b>", texts["index.html"])  # 0.5 ns over 1000
        self.assertNotIn("CUDA f32", texts["index.html"])
        self.assertNotIn("no CUDA", done.stdout)

    def test_bad_files_are_one_line_and_no_page(self):
        for files in ({}, {"peers": "{"}, {"peers": {"robots": [{}]}}, {"peers": PEERS, "loop": {"robot": "x"}}, {"peers": PEERS, "cuda": [{"robot": "six"}]}):
            done, texts = self.write(**files)
            self.assertEqual(done.returncode, 1, files)
            self.assertRegex(done.stderr, r"\Abench: [^\n]+\n\Z")
            self.assertEqual(sorted(texts), sorted(f"{name}.json" for name in files))


if __name__ == "__main__":
    unittest.main()
