#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`arne observe` and `arne variants` from outside: logs with a known push, thresholds, pictures, how bad logs are refused.

The program is $ARNE, or build/arne. The robot of the logs is a mass on a vertical slide, m qdd = f - m g + push, and the planar
arm planar2r at rest, so that every expected number is worked out by hand."""
import json
import math
import shutil
import unittest

from support import Program, lift, main

LIFT = lift("lower: -10, upper: 10, velocity: 10, effort: 100")
DT, GAIN, PUSH = 0.01, 50, 6.0


def slide_log(rows=200, push_from=80, push_to=120, push=PUSH, mass=2.0, noise=None):
    """free fall held by the motor, pushed by a constant force for a while: exact states"""
    text = ["t,q1,qd1,tau1,spare"]
    q, v = 0.3, 0.2
    f = mass * 9.81
    for k in range(rows):
        n = noise() if noise else 0.0
        text.append("%.17g,%.17g,%.17g,%.17g,7" % (k * DT, q, v + n, f))
        a = (push if push_from <= k < push_to else 0) / mass
        q, v = q + v * DT + a * DT * DT / 2, v + a * DT
    return "\n".join(text) + "\n"


def drive_log(command, given, rows=400, mass=2.0):
    """the slide driven by given(t, command) instead of the command that the log tells"""
    text = ["t,q1,qd1,tau1"]
    q, v, last = 0.3, 0.2, command(0)
    for k in range(rows):
        text.append("%.17g,%.17g,%.17g,%.17g" % (k * DT, q, v, last))
        last = command(k * DT)
        a = given(k * DT, last) / mass - 9.81
        q, v = q + v * DT + a * DT * DT / 2, v + a * DT
    return "\n".join(text) + "\n"


class Case(Program):
    FILES = {"lift.yaml": LIFT}

    def observed(self, log, *args):
        self.write("log.csv", log)
        return self.answer("observe", "lift.yaml", "--in", "log.csv", *args)


class Residuals(Case):
    def test_a_push_comes_back_filtered(self):
        self.observed(slide_log(), "--threshold", "1", "--gain", str(GAIN), "--out", "r.csv")
        rows = [line.split(",") for line in self.read("r.csv").splitlines()]
        self.assertEqual(rows[0], ["t", "r1", "contact", "held"])
        self.assertEqual(len(rows), 201)
        for row in rows[1:]:
            t = float(row[0])
            rise = PUSH * (1 - math.exp(-GAIN * max(0, min(t, 1.2) - 0.8)))
            self.near(float(row[1]), rise * math.exp(-GAIN * max(0, t - 1.2)), 1e-8)

    def test_events_have_times_link_and_wrench(self):
        answer = self.observed(slide_log(), "--threshold", "1")
        self.assertTrue(answer["contact"])
        self.assertEqual(len(answer["events"]), 1)
        e = answer["events"][0]
        # over 1 N of 6: after 1/50 ln(6/5) = 3.6 ms, so at the first sample after 0.8
        self.near(e["t"], 0.81)
        self.assertTrue(1.2 < e["end"] < 1.45)
        self.assertEqual((e["link"], e["joint"]), ("z", "z"))
        self.near(e["peak"], PUSH, 1e-6)
        self.near(e["peak_t"], 1.2)
        self.near(e["wrench"]["force"][2], PUSH, 1e-6)
        self.near(sum(map(abs, e["wrench"]["force"][:2] + e["wrench"]["moment"])), 0)
        self.near(e["wrench"]["unexplained"], 0)

    def test_what_is_not_seen_is_said(self):
        e = self.observed(slide_log(), "--threshold", "1", "--point", "0.1,0.2,0.3")["events"][0]
        self.assertEqual((e["force"]["seen"], e["wrench"]["seen"], len(e["wrench"]["blind"])), (1, 1, 5))
        self.assertEqual(e["force"]["point"], [0.1, 0.2, 0.3])
        self.near(e["force"]["force"][2], PUSH, 1e-6)
        self.near(sum(abs(b[2]) for b in e["force"]["blind"]), 0)
        text = self.good("observe", "lift.yaml", "--in", "log.csv", "--threshold", "1")
        for words in ["a force on z at its origin, world axes: 0 0 6 N", "not seen: forces along 1 0 0", "1 of its 6 directions", "certain fz\n"]:
            self.assertIn(words, text)
        self.refused(2, "--point", "observe", "lift.yaml", "--in", "log.csv", "--point", "1,2")

    def test_a_push_that_lasts_has_no_end(self):
        e = self.observed(slide_log(push_to=10**6), "--threshold", "1")["events"]
        self.assertEqual(len(e), 1)
        self.assertIsNone(e[0]["end"])

    def test_a_quiet_log_is_quiet(self):
        for args in [(), ("--threshold", "0.01"), ("--method", "numeric", "--threshold", "0.01")]:
            answer = self.observed(slide_log(push=0), *args)
            self.assertFalse(answer["contact"])
            self.assertEqual((answer["events"], answer["faults"]), ([], []))
            self.near(answer["joints"][0]["largest"], 0, 1e-9)

    def test_without_thresholds_the_log_gives_them(self):
        answer = self.observed(slide_log())
        self.assertEqual(answer["thresholds_from"], "log")
        self.near(answer["thresholds"][0], 0.02 * 2 * 9.81)
        self.assertEqual(len(answer["events"]), 1)

    def test_thresholds_that_hide_what_lasts_are_said(self):
        """pushed for most of the log: the usual residual is the push"""
        self.write("log.csv", slide_log(push_from=40, push_to=10**6))
        self.assertIn("large residuals are usual at joint z and hide what lasts", self.good("observe", "lift.yaml", "--in", "log.csv"))
        self.assertNotIn("are usual", self.good("observe", "lift.yaml", "--in", "log.csv", "--threshold", "1"))
        self.write("log.csv", slide_log())
        self.assertNotIn("are usual", self.good("observe", "lift.yaml", "--in", "log.csv"))

    def test_a_payload_is_known_or_seen(self):
        self.write("log.csv", slide_log(push=0, mass=3.0))
        r = self.run_arne("observe", "lift.yaml", "--in", "log.csv", "--threshold", "1", "--format", "json")
        # motor carries 9.81 N more than the model thinks: r -> 2 g - tau = -9.81
        self.near(json.loads(r.stdout)["joints"][0]["largest"], -9.81, 1e-6)
        r = self.run_arne("observe", "lift.yaml", "--in", "log.csv", "--threshold", "1", "--format", "json", "--payload", "z=1,0,0,0",
                          "--quiet")
        self.near(json.loads(r.stdout)["joints"][0]["largest"], 0)

    def test_an_offset_is_named(self):
        self.write("log.csv", slide_log(rows=400, push_to=10**6))
        answer = json.loads(self.run_arne("observe", "lift.yaml", "--in", "log.csv", "--threshold", "1", "--format", "json").stdout)
        self.assertEqual([f["kind"] for f in answer["faults"]], ["offset"])
        self.near(answer["faults"][0]["offset"], PUSH, 1e-2)

    def faults(self, command, given):
        return self.observed(drive_log(command, given), "--threshold", "0.5")["faults"]

    def test_one_fault_has_one_verdict(self):
        """commands that swing, and then hardly: what was told stays, with what was told"""
        weight = 2 * 9.81

        def swings(t):
            return weight + (6 * math.sin(9 * t) if t < 1.5 else 0.2 * math.sin(9 * t))

        broken = {
            "lost-power": (lambda t, tau: 0.0, 1, 0),
            "weak": (lambda t, tau: 0.5 * tau, 0.5, 0),
            "offset": (lambda t, tau: tau + 3, 0, 3),
            "frozen": (lambda t, tau: weight + 3, 1, weight + 3),
        }
        for kind, (given, loss, offset) in broken.items():
            found = self.faults(swings, lambda t, tau: given(t, tau) if t >= 0.4 else tau)
            self.assertEqual([(f["kind"], f["told"]) for f in found], [(kind, True)])
            self.near(found[0]["loss"], loss, 1e-2)
            self.near(found[0]["offset"], offset, 0.1)
            self.assertLess(found[0]["t"], 1.2)
        text = self.good("observe", "lift.yaml", "--in", "log.csv", "--threshold", "0.5")
        self.assertIn("the actuator of joint z keeps its torque whatever it is told: 22.6", text)

    def test_a_constant_command_tells_little(self):
        """and says so; when the command changes later, the verdict becomes the right one"""
        for late, kind, told in [(10, "offset", False), (1.5, "weak", True)]:
            found = self.faults(lambda t: 20 + (6 * math.sin(9 * t) if t > late else 0), lambda t, tau: 0.7 * tau if t >= 0.4 else tau)
            self.assertEqual([(f["kind"], f["told"]) for f in found], [(kind, told)])
        self.observed(drive_log(lambda t: 20, lambda t, tau: 14), "--threshold", "0.5")
        self.assertIn("other faults look the same", self.good("observe", "lift.yaml", "--in", "log.csv", "--threshold", "0.5"))

    def test_links_behind_springs(self):
        # the spring pulls with 1000 N/m * 25.62 mm = 19.62 N + 6 N and nothing moves: something holds with -6 N; the motor is not asked
        self.write("soft.yaml", LIFT + "    motor: {inertia: 1}\n    elastic: {stiffness: 1000}\n")
        rows = "".join("%g,0.5,0,0.52562,0,%d\n" % (DT * k, k) for k in range(100))
        self.write("log.csv", "t,q1,qd1,theta1,thetad1,tau1\n" + rows)
        answer = self.answer("observe", "soft.yaml", "--in", "log.csv", "--threshold", "1", "--links")
        self.assertTrue(answer["link_side"])
        self.near(answer["joints"][0]["largest"], -6, 1e-6)
        self.assertEqual(answer["faults"], [])
        self.refused(1, "stiffness", "observe", "lift.yaml", "--in", "log.csv", "--links")

    def test_text_tells_the_story(self):
        self.write("log.csv", slide_log())
        text = self.good("observe", "lift.yaml", "--in", "log.csv", "--threshold", "1")
        for words in ["lift: 200 samples", "1 contact\n", "link z", "force", "thresholds as given"]:
            self.assertIn(words, text)

    def test_the_out_file_has_a_json_beside_it(self):
        self.observed(slide_log(), "--threshold", "1", "--out", "r.csv")
        run = json.loads(self.read("r.json"))
        self.assertEqual((run["arne"], run["version"], run["dof"], run["joints"]), ("observe", 1, 1, ["z"]))
        self.assertEqual(run["events"][0]["kind"], "contact")
        self.near(run["thresholds"][0], 1)

    @unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot")
    def test_a_picture(self):
        self.observed(slide_log(), "--threshold", "1", "--plot", "r.svg")
        self.assertIn("</svg>", self.read("r.svg"))
        self.assertIn("residuals", self.read("r.svg"))

    def test_no_gnuplot_is_said(self):
        self.write("log.csv", slide_log())
        self.refused(1, "gnuplot", "observe", "lift.yaml", "--in", "log.csv", "--plot", "r.svg", PATH="/nowhere")


class Learning(Case):
    def dice(self, seed):
        state = [seed]

        def roll():
            total = 0
            for _ in range(12):
                state[0] = (state[0] * 6364136223846793005 + 1442695040888963407) % 2**64
                total += state[0] / 2**64
            return 1e-3 * (total - 6)

        return roll

    def test_thresholds_are_learned(self):
        self.write("quiet.csv", slide_log(rows=3000, push=0, noise=self.dice(1)))
        answer = self.observed(slide_log(noise=self.dice(2)), "--learn", "quiet.csv", "--rate", "0.1")
        self.assertEqual(answer["thresholds_from"], "learned")
        # noise of 1 mm/s on 2 kg through a gain of 50/s: about 0.1 N, its extremes in an hour below 1 N
        self.assertTrue(0.2 < answer["thresholds"][0] < 1.5, answer["thresholds"])
        self.assertEqual(len(answer["events"]), 1)
        self.assertTrue(0.8 < answer["events"][0]["t"] < 0.85)
        rarer = self.observed(slide_log(noise=self.dice(2)), "--learn", "quiet.csv", "--rate", "0.0001")
        self.assertGreater(rarer["thresholds"][0], answer["thresholds"][0])

    def test_another_rate_is_refused(self):
        self.write("log.csv", slide_log())
        self.write("quiet.csv", "t,q1,qd1,tau1\n" + "".join("%g,0,0,19.62\n" % (0.02 * k) for k in range(300)))
        self.refused(1, ["quiet.csv", "every 0.02 s"], "observe", "lift.yaml", "--in", "log.csv", "--learn", "quiet.csv")

    def test_a_short_log_is_refused(self):
        self.write("log.csv", slide_log())
        self.write("quiet.csv", slide_log(rows=50))
        self.refused(1, ["quiet.csv", "too few"], "observe", "lift.yaml", "--in", "log.csv", "--learn", "quiet.csv")


class BadLogs(Case):
    def setUp(self):
        super().setUp()
        self.lines = slide_log().splitlines()

    def put(self, lines):
        self.write("log.csv", "\n".join(lines) + "\n")

    def bad(self, words, *args, status=1):
        self.refused(status, words, "observe", "lift.yaml", "--in", "log.csv", "--out", "r.csv", *args)

    def test_nan_is_held_and_said(self):
        clean = self.observed("\n".join(self.lines) + "\n", "--threshold", "1")
        for hole in ["nan", "", "inf", "-NaN"]:
            lines = list(self.lines)
            for k in (50, 51, 100):
                field = lines[k].split(",")
                field[2] = hole
                lines[k] = ",".join(field)
            self.put(lines)
            r = self.run_arne("observe", "lift.yaml", "--in", "log.csv", "--threshold", "1", "--format", "json", "--out", "r.csv")
            self.assertEqual(r.returncode, 0, r.stderr)
            self.assertIn("arne: warning: log.csv:51: ", r.stderr)
            self.assertIn("3 such rows", r.stderr)
            self.assertEqual(r.stderr.count("\n"), 1)
            answer = json.loads(r.stdout)
            self.assertEqual(answer["held"], 3)
            self.assertEqual([row["line"] for row in answer["held_rows"]], [51, 52, 101])
            self.near(answer["events"][0]["peak"], clean["events"][0]["peak"], 1e-4)
            rows = [line.split(",") for line in self.read("r.csv").splitlines()[1:]]
            self.assertTrue(all(math.isfinite(float(row[1])) for row in rows))
            self.assertEqual(rows[99 - 1][1], rows[99][1])
            self.assertEqual([k for k, row in enumerate(rows) if row[3] == "1"], [49, 50, 99])

    def test_nan_in_the_log_to_learn_from_is_said(self):
        self.put(self.lines)
        quiet = slide_log(rows=400, push=0).splitlines()
        quiet[200] = "1.99,nan,0.2,19.62,7"
        self.write("quiet.csv", "\n".join(quiet) + "\n")
        r = self.run_arne("observe", "lift.yaml", "--in", "log.csv", "--learn", "quiet.csv")
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertIn("arne: warning: quiet.csv:201: ", r.stderr)

    def test_all_nan(self):
        self.put([self.lines[0]] + ["%g,nan,0,0,0" % (0.01 * k) for k in range(20)])
        self.bad("no row has all its numbers")

    def test_rows_that_are_missing_are_said_and_held(self):
        clean = self.observed("\n".join(self.lines) + "\n", "--threshold", "1")
        short = self.lines[50].rsplit(",", 3)[0]
        blank = "," + self.lines[50].split(",", 1)[1]
        for lines, line, words in [
            (self.lines[:100] + self.lines[110:], 101, "rows are missing before it"),
            (self.lines[:50] + [""] + self.lines[51:], 51, "a number is missing"),
            (self.lines[:50] + [short] + self.lines[51:], 51, "a number is missing"),
            (self.lines[:50] + [blank] + self.lines[51:], 51, "a number is missing"),
        ]:
            self.put(lines)
            r = self.run_arne("observe", "lift.yaml", "--in", "log.csv", "--threshold", "1", "--out", "r.csv")
            self.assertEqual(r.returncode, 0, r.stderr)
            self.assertIn("arne: warning: log.csv:%d: %s" % (line, words), r.stderr)
            self.assertIn("the residual is held at 1 row\n", r.stdout)
            self.assertIn("  line %d, t = " % line, r.stdout)
            rows = [row.split(",") for row in self.read("r.csv").splitlines()[1:]]
            self.assertEqual([k + 2 for k, row in enumerate(rows) if row[3] == "1"], [line])
            answer = self.observed("\n".join(lines) + "\n", "--threshold", "1", "--quiet")
            self.assertEqual([event["link"] for event in answer["events"]], ["z"])
            self.near(answer["events"][0]["peak"], clean["events"][0]["peak"], 1e-4)
            self.near(answer["period"], DT, 1e-12)

    def test_a_changing_rate(self):
        lines = self.lines[:60]
        last = float(lines[-1].split(",")[0])
        lines += ["%g,0,0,0,0" % (last + 0.013 * (k + 1)) for k in range(20)]
        self.put(lines)
        self.bad(["log.csv:61: ", "the rate changes"])

    def test_time_that_stands_still(self):
        lines = list(self.lines)
        lines[30] = lines[29]
        self.put(lines)
        self.bad(["log.csv:31: ", "does not come after"])

    def test_time_that_is_none(self):
        self.put([self.lines[0]] + ["nan" + line[line.index(","):] for line in self.lines[1:]])
        self.bad(["log.csv:2: ", "needs its time"])

    def test_an_empty_line_where_no_row_is_missing(self):
        self.put(self.lines[:60] + [""] + self.lines[60:])
        self.bad(["log.csv:61: ", "an empty line", "remove it"])

    def test_missing_columns(self):
        for name in ["q1", "qd1", "tau1", "t"]:
            self.put([self.lines[0].replace(name + ",", "x" + name + ",", 1) if name != "t" else "x" + self.lines[0]] + self.lines[1:])
            self.bad(["log.csv:1: ", "column %s" % name, "missing"])

    def test_too_few_rows(self):
        self.put(self.lines[:3])
        self.bad("at least three")

    def test_not_a_number(self):
        self.put(self.lines[:20] + ["0.19,abc,0,0,0"])
        self.bad(["log.csv:21: ", "abc"])

    def test_gains_and_thresholds(self):
        self.put(self.lines)
        for text in ["0", "-1", "50,50", "x", "nan", "1e400"]:
            self.bad("--gain", "--gain", text, status=2)
            self.bad("--threshold", "--threshold", text, status=2)
        self.bad("joint z", "--gain", "-3", status=2)

    def test_options_that_do_not_fit(self):
        self.put(self.lines)
        self.bad("--learn", "--rate", "0.1", status=2)
        self.bad("exclude", "--learn", "log.csv", "--threshold", "1", status=2)
        self.bad("--rate", "--learn", "log.csv", "--rate", "2", status=2)
        self.bad(["no link", "z"], "--link", "zz")
        self.bad("theta1", "--links")
        self.refused(2, "--in", "observe", "lift.yaml")
        self.refused(1, "nothing.csv", "observe", "lift.yaml", "--in", "nothing.csv")

    def test_an_unstable_observer_is_said(self):
        self.put(slide_log(rows=2000).splitlines())
        self.bad("grows without bound", "--method", "numeric", "--gain", "100000")


class Variants(Case):
    def study(self, robot):
        return self.answer("variants", robot, "--quiet")

    def test_general_robots_leave_two(self):
        for robot in ["dlr-lwr3", "kuka-lwr", "puma560", "stanford", "ur5e"]:
            answer = self.study(robot)
            self.assertEqual(answer["valid"], ["0001", "1110"], robot)
            self.assertEqual(len(answer["variants"]), 16)
            for v in answer["variants"]:
                self.assertLess(v["product"], 1e-11)
                self.assertTrue(v["skew"] < 1e-11 if v["valid"] else v["skew"] > 1e-4, (robot, v))

    def test_simple_robots_allow_all(self):
        for robot in ["planar2r", "lift.yaml"]:
            self.assertEqual(len(self.study(robot)["valid"]), 16)

    def test_text(self):
        r = self.run_arne("variants", "kuka-lwr", "--quiet")
        self.assertEqual(r.returncode, 0)
        self.assertIn("2 of 16", r.stdout)
        self.assertEqual(r.stdout.count("valid\n"), 2)

    def test_bad_input(self):
        self.refused(1, "nobody", "variants", "nobody")
        self.refused(2, "ROBOT", "variants")


if __name__ == "__main__":
    main()
