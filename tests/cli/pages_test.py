#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is drawn, and what is said about it: units beside their axes, legends of what is there, torques that do not begin with a
false zero, runs told apart by what differs, one set of colours that follows the screen. The program is $ARNE, or build/arne."""
import json
import re
import shutil
import unittest

from support import Program, main

TURN = "t,q1,q2\n0,0,0\n1,0.7853981633974483,0\n2,1.5707963267948966,0\n"
COLOUR = re.compile(r"""(?:stroke|fill) ?= ?["'](#[0-9a-f]{6}|rgb\([^)]*\)|black|white|gray)["']""")


def figures(page):
    """[caption without tags, picture] of every figure"""
    found = re.findall(r"<figure class=\"chart\"><figcaption>(.*?)</figcaption>\n(<svg.*?</svg>)", page, re.S)
    return [(re.sub(r"<[^>]*>", "", caption), svg) for caption, svg in found]


def texts(svg):
    """[x, y, anchor, text] of the words in a picture of gnuplot"""
    pattern = r'translate\(([-\d.]+),([-\d.]+)\)"[^>]*text-anchor="(\w+)">\s*<text>(.*?)</text>'
    return [(float(x), float(y), anchor, re.sub(r"<[^>]*>", "", words).strip()) for x, y, anchor, words in re.findall(pattern, svg, re.S)]


@unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not here")
class Pages(Program):
    def page(self, *args):
        self.good("report", *args, "--out", "page.html")
        self.source = self.read("page.html")
        return figures(self.source)

    def test_units_stand_beside_wide_numbers(self):
        for size in (1, 1e-6, 1e-9, 123456.7, 3.3e12):
            self.write("a.csv", "t,q1,tau1\n" + "".join("%d,%r,%r\n" % (k, size * (k - 3) / 3, -size * k) for k in range(8)))
            drawn = self.page("a.csv")
            self.assertEqual(len(drawn), 2)
            for (_, svg), unit in zip(drawn, ("rad", "Nm")):
                words = texts(svg)
                x, y, anchor, _ = next(w for w in words if w[3] == unit)
                # six pixels for a letter are more than it takes: the unit and all numbers are inside the picture, the unit above them
                half = 3 * len(unit)
                self.assertTrue(anchor == "middle" and x - half >= 0 and y >= 10, (size, unit, x, y))
                numbers = [w for w in words if w[2] == "end"]
                self.assertGreater(len(numbers), 2)
                for nx, ny, _, text in numbers:
                    self.assertGreaterEqual(nx - 6.6 * len(text), 0, (size, text))
                    self.assertGreater(ny, y + 8, (size, text))

    def test_legends_name_what_is_drawn(self):
        self.write("turn.csv", TURN)
        caption = self.page("turn.csv", "--robot", "planar2r")[0][0]
        self.assertIn("3 instants, pale to dark", caption)
        self.assertNotIn("contact", self.source)
        self.assertNotIn("In the charts", self.source)
        self.write("still.csv", "t,q1,q2\n" + "".join("%d,1,1\n" % k for k in range(20)))
        self.assertIn("it does not move", self.page("still.csv", "--robot", "planar2r")[0][0])
        self.write("touched.csv", "t,q1,q2,contact\n0,0,0,0\n1,0.5,0,1\n2,1,0,0\n")
        caption = self.page("touched.csv", "--robot", "planar2r")[0][0]
        self.assertIn("contact found", caption)
        legend = re.search(r"In the charts:.*?</p>", self.source, re.S).group(0)
        self.assertIn("a contact was found", legend)
        self.assertNotIn("done to the robot", legend)
        self.assertNotIn("began to stop", legend)

        self.assertIn("circles: joints that turn", caption)
        self.assertNotIn("squares", caption)
        self.write("half.csv", "t,q1\n0,0\n1,1\n")
        self.page("half.csv", "--robot", "planar2r")
        self.assertIn("The robot is not drawn: there is no column q2", self.source)

    def test_as_many_instants_as_are_drawn(self):
        # half of the time at rest: what is named is what is there, each group of sticks an instant
        self.write("rest.csv", "t,q1,q2\n" + "".join("%d,%r,0\n" % (k, 0.1 * min(k, 7)) for k in range(15)))
        caption, svg = self.page("rest.csv", "--robot", "planar2r")[0]
        drawn = len(re.findall(r"<g stroke=\"[^\"]*\" stroke-opacity", svg))
        self.assertTrue(3 <= drawn <= 5, drawn)
        self.assertIn("%d instants" % drawn, caption)

    def test_the_path_is_that_of_the_end(self):
        # planar2r: two rods of 1 m. The frame of the second lies at the elbow, its centre of mass half a metre
        # further out, its end where --tool says it.
        self.write("turn.csv", TURN)
        for words, length, name in (((), 1.5, "the centre of mass of j2"), (("--tool", "1,0,0"), 2, "tool")):
            caption, svg = self.page("turn.csv", "--robot", "planar2r", *words)[0]
            bar = float(re.search(r"v-6m0 3h([\d.]+)m", svg).group(1)) / float(re.search(r">([\d.]+) m</text>", svg).group(1))
            path = re.search(r'<polyline fill="none" stroke="#c8501e"[^>]*points="([^"]*)"', svg).group(1)
            points = [tuple(map(float, p.split(","))) for p in path.split()]
            self.assertAlmostEqual((points[0][0] - points[-1][0]) / bar, length, delta=0.01)
            self.assertAlmostEqual((points[0][1] - points[-1][1]) / bar, length, delta=0.01)
            self.assertIn("path of " + name, caption)

    def test_runs_are_told_apart_by_what_differs(self):
        scenario = "title: same\nrobot: planar2r\nduration: 0.2\nstart: {q: [0.3, 0.2]}\nmotion: {polynomial: {degree: 5, time: [0, 0.1], to: [0.3, 0.2]}}\ncontroller: {kind: %s, period: 0.01}\n"
        for name, kind in (("a", "computed-torque"), ("b", "pd-gravity"), ("c", "pd-gravity")):
            self.write(name + ".yaml", scenario % kind)
            self.good("simulate", name + ".yaml", "--out", name + ".csv", "--quiet")
        drawn = self.page("a.csv", "b.csv")
        self.assertIn('<a href="#run1">computed-torque</a>', self.source)
        self.assertIn('<a href="#run2">pd-gravity</a>', self.source)
        captions = [c for c, _ in drawn]
        first = captions[0]
        self.assertTrue("computed-torque" in first and "pd-gravity" in first, first)
        for title in ("Speeds, the largest of the joints", "Torques: j1", "Positions: j2"):
            caption, svg = next(f for f in drawn if f[0].startswith(title))
            self.assertIn("computed-torque", caption)
            curves = set(re.findall(r"<path stroke='(#\w+)' +d=", svg)) - {"#888888"}
            self.assertEqual(curves, {"#1f5fbf", "#c8501e"}, title)
        self.page("b.csv", "c.csv")
        self.assertIn('<a href="#run1">b.csv</a>', self.source)
        self.page("a.csv", "b.csv", "c.csv")
        self.assertIn('<a href="#run3">pd-gravity, c.csv</a>', self.source)

    def test_the_largest_of_the_joints(self):
        self.write("a.csv", "t,q1,q2,qd1,qd2\n0,0,0,0,0\n1,0,0,1,-3\n2,0,0,0,0\n")
        self.write("b.csv", "t,q1,q2,qd1,qd2\n0,0,0,0,0\n1,0,0,1,2\n3,0,0,0,0\n")
        svg = next(s for c, s in self.page("a.csv", "b.csv") if c.startswith("Speeds, the largest"))
        self.assertNotIn("controller", self.source)  # nobody knows any: no such column
        self.assertFalse([w for w in texts(svg) if w[3].startswith("-")])
        # both peaks against the same axis: 3 and 2 above 0
        top = {}
        for colour, path in re.findall(r"<path stroke='(#1f5fbf|#c8501e)' +d='M([^']*)'", svg):
            heights = [float(y) for y in re.findall(r"[\d.]+,([\d.]+)", path)]
            top[colour] = max(heights) - min(heights)
        self.assertAlmostEqual(top["#1f5fbf"] / top["#c8501e"], 1.5, delta=0.02)

    def test_one_set_of_colours(self):
        """every colour of every picture is one that the style knows, and the style has two of each, for day and night"""
        self.write("m.csv", "t,q1,q2,q3,q4,q5,q6,q7\n" + "".join("%r,%s\n" % (0.01 * k, ",".join("%r" % (1e-9 * k**4 * j) for j in range(7)))
                                                                 for k in range(30)))
        self.write("log.csv", "t,q1,q2,qd1,qd2,tau1,tau2\n" + "".join("%r,1,0,0,0,50,0\n" % (0.01 * k) for k in range(30)))
        self.good("elastic", "kuka-lwr", "--in", "m.csv", "--plot", "e.svg", "--quiet")
        self.good("observe", "planar2r", "--in", "log.csv", "--plot", "r.svg", "--quiet")
        self.write("turn.csv", TURN)
        self.page("turn.csv", "--robot", "planar2r")
        for text in (self.source, self.read("e.svg"), self.read("r.svg")):
            day, night = re.search(r":root\{([^}]*)\}\n@media screen and \(prefers-color-scheme:dark\)\{:root\{([^}]*)\}", text).groups()
            day, night = (dict(re.findall(r"--(\w+):([^;]*);", x)) for x in (day, night))
            self.assertEqual(set(day), set(night))
            followed = set(re.findall(r'\[stroke="(#\w+)"\]\{stroke:var\(--\w+\)\}', text))
            self.assertEqual(followed, set(day.values()))
            self.assertEqual(set(COLOUR.findall(re.sub(r"<style>.*?</style>", "", text, flags=re.S))) - followed, set())
        self.assertIn('<rect width="100%" height="100%" fill="#ffffff"/>', self.read("e.svg"))
        self.assertNotRegex(self.source, r"background:#fff[^f]*\}(?!.*@media print)")


class FirstRow(Program):
    SCENARIO = "robot: planar2r\nduration: 0.1\nstart: {q: [0.3, 0.2]}\nmotion: {polynomial: {degree: 5, time: [0, 0.1], to: [0.3, 0.2]}}\ncontroller: {kind: computed-torque, period: 0.01}\n"

    def test_the_torques_begin_with_those_that_act(self):
        self.write("s.yaml", self.SCENARIO)
        self.good("simulate", "s.yaml", "--out", "run.csv", "--quiet")
        first = self.table("run.csv")[0]
        weight = json.loads(self.good("eval", "planar2r", "--want", "gravity", "--in", "-", "--format", "json", stdin="q1,q2\n0.3,0.2\n"))["gravity"]
        for k in (1, 2):  # at rest on its place: the weight and nothing else
            self.assertAlmostEqual(first["tau%d" % k], weight[k - 1], delta=1e-9)

    def test_with_a_fault_from_the_beginning(self):
        self.write("s.yaml", self.SCENARIO + "disturbances:\n  - fault: {joint: j2, kind: lost, from: 0}\n")
        self.good("simulate", "s.yaml", "--out", "run.csv", "--quiet")
        first = self.table("run.csv")[0]
        self.assertEqual(first["real_tau2"], 0)
        self.assertGreater(abs(first["tau2"]), 1)
        self.assertEqual(first["real_tau1"], first["tau1"])


if __name__ == "__main__":
    main()
