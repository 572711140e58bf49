#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`arne report` from outside: does the page say and draw what is in the run, is every name harmless, is bad input refused?

The program is $ARNE, or build/arne. The runs are made by arithmetic (made_run.py), so what the page must say is known."""
import csv
import html.parser
import json
import os
import re

import made_run
from support import ARNE, TOP, Program, main

HOSTILE = "<script>alert('x')</script>&\"`touch pwned`$(touch pwned)\\'\x1b%s%n"
VOID = {"meta", "br", "img", "link", "hr", "input"}


class Page(html.parser.HTMLParser):
    """the text of a page, the figures with their captions; fails on tags that do not match"""

    def __init__(self, text):
        super().__init__()
        self.open, self.captions, self.text, self.tags, self.links = [], [], "", set(), []
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.links += [v for k, v in attributes if k in ("href", "src", "xlink:href")]
        assert not any(k.startswith("on") for k, _ in attributes), attributes
        if tag not in VOID:
            self.open.append(tag)
        if tag == "figcaption":
            self.captions.append("")

    def handle_startendtag(self, tag, attributes):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data):
        if "style" in self.open:
            return
        self.text += data
        if "figcaption" in self.open:
            self.captions[-1] += data


def read_csv(text):
    names, *rows = csv.reader(text.splitlines())
    return names, [[float(x) for x in row] for row in rows]


class Case(Program):
    def make(self, name="run", **more):
        more.setdefault("seconds", 2.0)
        more.setdefault("push", (1.0, 1.2))
        made_run.write(self.path(name), ARNE, **more)
        return name + ".csv"

    def page(self, *args):
        r = self.run_arne("report", *args, "--out", "page.html")
        self.assertEqual((r.returncode, r.stdout, r.stderr), (0, "", ""), args)
        self.source = self.read("page.html")
        page = Page(self.source)
        self.assertNotIn("script", page.tags)
        self.assertTrue(all(link.startswith("#") for link in page.links), page.links)
        self.assertNotIn("url(", self.source)
        return page


class Words(Case):
    def test_motions_of_plan_and_feasible_tell_their_robot(self):
        self.write("points.csv", "q1,q2\n-1,0.5\n0,1\n1,0.2\n")
        self.good("plan", "planar2r", "--path", "points.csv", "--out", "m.csv")
        self.good("feasible", "planar2r", "--in", "m.csv", "--out", "a.csv")
        self.good("report", "m.csv", "a.csv", "--out", "page.html")
        page = self.read("page.html")
        for words in ("planar2r", "fastest motion along a path", "achieved motion"):
            self.assertIn(words, page)
        self.good("feasible", "planar2r", "--in", "m.csv", "--out", os.devnull)
        self.assertFalse(os.path.exists(os.devnull + ".json"))

    def test_a_plan_is_good_and_an_infeasible_motion_bad(self):
        self.write("points.csv", "q1,q2\n-1,0.5\n0,1\n1,0.2\n")
        self.good("plan", "planar2r", "--path", "points.csv", "--out", "m.csv")
        page = self.page("m.csv")
        self.assertIn("As fast as its limits allow: no limit is exceeded.", page.text)
        self.assertIn('class="verdict good"', self.source)
        for policy, colour, words in (("keep", "bad", "Not feasible: joint j1 needs "), ("scale", "good", "Feasible: no limit is exceeded; as it was commanded, joint j1 needs ")):
            self.good("feasible", "planar2r", "--in", "m.csv", "--payload", "j2=5,1,0,0", "--policy", policy, "--out", "a.csv")
            page = self.page("a.csv")
            self.assertIn(words, page.text)
            self.assertIn("5 kg on link j2, its centre of mass at 1, 0, 0 m", page.text)
            self.assertIn('class="verdict %s"' % colour, self.source)

    def test_simulate_tells_the_verdict_of_the_page(self):
        for name, verdict, words in (("push", "good", "The contact was found "), ("pendulum", "fair", "leaves its position limits"),
                                     ("stiction", "bad", "The joint j3 did not move, though it should have: it is up to 0.05 m off.")):
            told = self.answer("simulate", os.path.join(TOP, "examples/scenarios", name + ".yaml"), "--out", "run.csv")
            beside = json.loads(self.read("run.json"))
            for key in ("verdict", "why", "payload", "tracking"):
                self.assertEqual(told[key], beside[key])
            page = self.page("run.csv")
            self.assertEqual(told["verdict"], verdict)
            self.assertIn(words, told["why"])
            self.assertIn(told["why"], page.text)
            self.assertIn('class="verdict %s"' % verdict, self.source)
            self.assertEqual(told["tracking"] and told["tracking"]["errors"], told["summary"]["max_error"])

    def test_the_story_of_a_push(self):
        page = self.page(self.make())
        for words in ("Robot kuka-lwr, 7 joints", "controller passivity", "The contact was found 20 ms after it began, and the robot stopped",
                      "20 N on link j4", "no joint saturates", "within 0.004 rad"):
            self.assertIn(words, page.text)
        for title in ("side view", "View from above", "Positions", "Tracking error", "Speeds", "Torques", "against their limits", "Residuals", "Energies"):
            self.assertTrue(any(title in c for c in page.captions), title)
        self.assertEqual(self.source.count("<svg"), len(page.captions))
        self.assertFalse(any("Deflections" in c or "Loads" in c for c in page.captions))

    def test_a_push_that_nobody_noticed(self):
        page = self.page(self.make(change=lambda i, c, r: i["events"].__delitem__(slice(1, 3)) or [x.__setitem__(c.index("contact"), 0) for x in r]))
        self.assertIn("The observer did not notice: 20 N on link j4", page.text)
        self.assertIn('class="verdict bad"', self.source)

    def test_a_false_alarm(self):
        page = self.page(self.make(change=lambda i, c, r: i["events"].__delitem__(0)))
        self.assertIn("1 contact was found where nothing had happened", page.text)

    def test_a_contact_column_is_enough(self):
        page = self.page(self.make(change=lambda i, c, r: i["events"].__delitem__(slice(1, 3))))
        self.assertIn("The contact was found 20 ms after it began.", page.text)

    def test_a_log_does_not_tell_what_was_done(self):
        page = self.page(self.make(change=lambda i, c, r: i["events"].__delitem__(0) or i.update(arne="observe")))
        self.assertIn("1 contact was found, the first at t = 1.02 s.", page.text)
        self.assertNotIn("alse alarm", page.text)

    def test_saturation(self):
        def weak(info, columns, rows):
            info["limits"]["effort"][1] = max(abs(r[columns.index("tau2")]) for r in rows)
        page = self.page(self.make(push=None, change=weak))
        self.assertRegex(page.text, r"The joint j2 is at its torque limit for [\d.]+ ms")
        self.assertRegex(page.text, r"joint j2 comes nearest to its limit, 100 % of")

    def test_position_limits_of_the_robot(self):
        page = self.page(self.make(push=None, change=lambda i, c, r: r[50].__setitem__(c.index("q4"), 3.0)))
        self.assertIn("The joint j4 leaves its position limits", page.text)
        self.assertIn("t = 0.5 s", page.text)

    def test_a_run_that_failed(self):
        page = self.page(self.make(change=lambda i, c, r: i.update(status="failed", message="joint j3 runs away")))
        self.assertIn("The run failed at t = 2 s: joint j3 runs away.", page.text)

    def test_several_runs_are_compared(self):
        page = self.page(self.make("a", title="soft"), self.make("b", title="stiff", delay=0.05))
        self.assertIn("side by side", page.text)
        for words in ("soft", "stiff", "20", "50"):
            self.assertIn(words, page.text)
        self.assertEqual(sorted(page.links), ["#run1", "#run2"])
        widths = [float(w) for w in re.findall(r'stroke-width="([0-9.]+)"', self.read("page.html"))]
        self.assertGreaterEqual(min(widths), 1)  # every curve is to be seen

    def test_the_largest_error_and_its_time(self):
        run = self.make(push=None)
        names, rows = read_csv(self.read(run))
        errors = [(abs(row[names.index("q%d" % i)] - row[names.index("qr%d" % i)]), row[0]) for row in rows for i in range(1, 8)]
        error, t = max(errors, key=lambda e: e[0])
        self.assertRegex(self.page(run).text, r"follows its reference to within %.3g rad [^;]*; the largest error is at joint [^,]*, t = %.4g s" % (error, t))

    def test_verbose_tells_each_run(self):
        runs = [self.make("a"), self.make("b")]
        said = self.run_arne("report", *runs, "--out", "page.html", "--verbose").stderr
        for run in runs:
            self.assertIn("arne: note: %s: drawn\n" % run, said)


class Pictures(Case):
    def test_any_table_with_a_robot(self):
        self.write("swing.csv", "t,q1,q2\n0,0,0\n1,0.5,-0.2\n2,0.9,0.3\n")
        page = self.page("swing.csv", "--robot", "planar2r", "--title", "A swing")
        self.assertIn("A swing", page.text)
        self.assertTrue(any("side view (x, y)" in c for c in page.captions), page.captions)
        self.assertFalse(any("above" in c for c in page.captions))

    def test_the_stick_figure_is_true_to_scale(self):
        # planar2r: link 2 starts 1 m from the base; turned by a right angle its origin lies as far above it
        self.write("turn.csv", "t,q1,q2\n0,0,0\n1,1.5707963267948966,0\n")
        self.page("turn.csv", "--robot", "planar2r")
        sticks = re.findall(r'<polyline points="([\d.]+),([\d.]+) [\d.,]+ ([\d.]+),([\d.]+)"/>', self.source)
        x0, y0, x1, y1 = max((tuple(map(float, s)) for s in sticks), key=lambda s: s[2] - s[0])
        u0, v0, u1, v1 = max((tuple(map(float, s)) for s in sticks), key=lambda s: s[1] - s[3])
        bar = float(re.search(r'v-6m0 3h([\d.]+)m', self.source).group(1)) / float(re.search(r">([\d.]+) m</text>", self.source).group(1))
        self.assertLess(abs((x1 - x0) - bar), 0.3)  # a tenth of a pixel is the resolution of the file
        self.assertLess(abs((v0 - v1) - bar), 0.3)
        self.assertLess(abs(y1 - y0) + abs(u1 - u0), 0.3)

    def test_sliding_joints_have_their_own_charts(self):
        self.write("g.csv", "t,q1,q2,q3,q4,tau1\n0,0,0,0,0,1\n1,0.5,-0.2,0.1,0.2,2\n")
        r = self.run_arne("report", "g.csv", "--robot", "scara", "--out", "page.html", "--quiet")
        self.assertEqual((r.returncode, r.stderr), (0, ""))
        captions = Page(self.read("page.html")).captions
        self.assertEqual(sum(c.startswith("Positions") for c in captions), 2)

    def test_time_may_stand_in_any_column(self):
        def last(info, columns, rows):
            for row in (columns, *rows):
                row.append(row.pop(0))

        pages = [self.page(self.make(change=change)) and self.source for change in (None, last)]
        self.assertEqual(*pages)

    def test_springs_loads_and_unknown_columns(self):
        self.write("e.csv", "t,q1,theta1,r1.fx,r1.fy,r1.fz,r1.mx,r1.my,r1.mz,weather\n" + "".join("%d,0.1,0.12,3,4,0,0,0,%d,1\n" % (k, k) for k in range(3)))
        page = self.page("e.csv")
        for title in ("Deflections", "Loads of the joints: force", "Loads of the joints: moment"):
            self.assertTrue(any(title in c for c in page.captions), title)
        self.assertIn("Columns that are not drawn: weather", page.text)

    def test_a_peak_survives_thinning(self):
        rows = ["%d,%s" % (k, "77" if k == 12345 else "0") for k in range(40000)]
        self.write("long.csv", "t,q1\n" + "\n".join(rows) + "\n")
        self.page("long.csv")
        # the curve starts at zero; the peak is as far above it as the picture is high, but for its edges
        path = re.search(r"<path stroke='#1f5fbf' +d='M([^']*)'", self.source).group(1)
        heights = [float(y) for y in re.findall(r"[\d.]+,([\d.]+)", path)]
        self.assertGreater(max(heights) - min(heights), 100)
        self.assertLess(len(heights), 2000)


class Harmless(Case):
    def test_names_from_files_are_only_text(self):
        joints = [HOSTILE.replace("x'", "%d'" % i) for i in range(7)]
        def spoil(info, columns, rows):
            info.update(title=HOSTILE, controller=HOSTILE, integrator=HOSTILE, model=HOSTILE)
            for e in info["events"]:
                e["text"] = HOSTILE
        page = self.page(self.make(joints=joints, change=spoil))
        self.assertIn("alert('x')", page.text)
        self.assertNotIn("pwned", os.listdir(self.folder))
        self.assertNotIn("\x1b", self.source)

    def test_names_of_columns(self):
        self.write("c.csv", 't,q1,"<img src=x onerror=alert(1)>"\n0,1,2\n1,2,3\n')
        self.assertNotIn("img", self.page("c.csv").tags)


class Refusals(Case):
    def test_usage(self):
        self.make()
        self.refused(2, "--out", "report", "run.csv")
        self.refused(2, "RUN", "report", "--out", "page.html")

    def test_tables(self):
        for text, words in (("", "empty"), ("q1,q2\n1,2\n", "no column t"), ("t,q1\n0,1\n", "two rows"), ("t,q1\n0,1\n0,2\n", ["bad.csv:3:", "after"]),
                            ("t,q1\n0,1\n1,nan\n", "finite"), ("t,q1\n0,1\n1\n", "q1"), ("t,a\n0,1\n1,2\n", "q1"), ("t,q1,q1\n0,1,2\n1,2,3\n", "twice")):
            self.write("bad.csv", text)
            self.refused(1, ["bad.csv"] + ([words] if isinstance(words, str) else words), "report", "bad.csv", "--out", "page.html")
        self.refused(1, "gone.csv", "report", "gone.csv", "--out", "page.html")

    def test_descriptions(self):
        for change, words in ((lambda i: i.update(dof=8), ["run.json", "joints"]), (lambda i: i.pop("arne"), ["run.json", "arne"]),
                              (lambda i: i.update(title=3), ["title", "text"]), (lambda i: i.update(events={}), "events"),
                              (lambda i: i.update(events=[{"t": "soon", "kind": "stop"}]), '"t"'), (lambda i: i.update(events=[{}]), "events"),
                              (lambda i: i.update(thresholds=[1, 2]), "thresholds"), (lambda i: i["limits"].update(effort=["strong"] * 7), "effort"),
                              (lambda i: i.update(dof=-1), "dof"), (lambda i: i.update(dof=1e300), "dof"), (lambda i: i.update(joints=7), "joints"),
                              (lambda i: i.update(robot="planar2r"), ["planar2r", "--robot"])):
            self.make(change=lambda i, c, r: change(i))
            self.refused(1, words, "report", "run.csv", "--out", "page.html")
        self.make()
        for text, line in (("", 1), ("{", 1), ('{\n"arne": nonsense}', 2), ("[]", 0), ('{"arne":"run"} trailing', 1)):
            self.write("run.json", text)
            self.refused(1, "run.json:%d:" % line if line else "run.json", "report", "run.csv", "--out", "page.html")
        self.write("run.json", "[" * 100000)
        self.refused(1, "run.json", "report", "run.csv", "--out", "page.html")

    def test_a_robot_that_is_not_here_is_said_and_the_rest_is_drawn(self):
        self.make(change=lambda i, c, r: i.update(robot="elsewhere/arm.yaml"))
        r = self.run_arne("report", "run.csv", "--out", "page.html")
        self.assertEqual(r.returncode, 0)
        self.assertIn("--robot", r.stderr)
        self.assertEqual(r.stderr.count("\n"), 1)
        self.assertEqual(self.run_arne("report", "run.csv", "--out", "page.html", "--quiet").stderr, "")
        self.refused(1, "no-such-robot", "report", "run.csv", "--robot", "no-such-robot", "--out", "other.html")

    def test_no_gnuplot_and_no_place(self):
        self.make()
        self.refused(1, "gnuplot-nox", "report", "run.csv", "--out", "page.html", PATH="/nonexistent")
        self.refused(1, "nowhere", "report", "run.csv", "--out", "nowhere/page.html")

    def test_noise_never_crashes(self):
        import random
        noise = random.Random(11)
        self.make(seconds=0.05, dt=0.01)
        good = self.read("run.json").encode()
        for _ in range(40):
            text = bytearray(good)
            for _ in range(noise.randint(1, 5)):
                text[noise.randrange(len(text))] = noise.choice(b'{}[]",:0-e\\\0n\xff')
            self.write("run.json", bytes(text))
            r = self.run_arne("report", "run.csv", "--out", "/dev/null", "--quiet", PATH="/nonexistent")  # without gnuplot: only the reading
            self.assertEqual(r.returncode, 1, r.stderr)
            self.assertEqual(r.stderr.count("\n"), 1, r.stderr)


if __name__ == "__main__":
    main()
