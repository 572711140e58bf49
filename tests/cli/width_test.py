# SPDX-License-Identifier: MIT
"""Pages for people fit into 100 columns: every help page, every table of every shipped robot; what does not fit goes on below, and
nothing is lost by that. Numbers in tables have their units. Verdicts are coloured on terminals only."""
import os
import re
import unittest.mock

from help_test import ESCAPE, commands, on_terminal
from support import ARNE, Program, main

PAGE = 100


class Width(Program):
    def narrow(self, text, words):
        for line in text.split("\n"):
            self.assertLessEqual(len(line), PAGE, (words, line))

    def test_help(self):
        self.narrow(self.good("help").replace(ARNE, "arne"), "help")
        self.assertGreater(len(commands()), 15)
        for name in commands():
            self.narrow(self.good("help", name).replace(ARNE, "arne"), name)

    def test_help_loses_no_word(self):
        for name in ("count", "reach", "eval"):  # lines that are folded, filled, and longer than a page
            self.assertNotRegex(self.good("help", name), r"\S {3,}\S{60}")
        for name, last in (("count", "mrnea-literal strobe-mass strobe-coriolis"), ("equations", "coriolis id energy")):
            self.assertRegex(" ".join(self.good("help", name).split()), r" LIST names, with commas between them: [a-z0-9_ -]*%s\. " % last)

    def test_tables_of_all_robots(self):
        for name in self.robots():
            for words in (["info", name], ["base", name], ["eval", name, "--want", "id,fd,mass,jacobian,pose,energy,did,joint_wrenches"],
                          ["eval", name, "--want", "regressor"], ["formulations", name, "--ms", "0.01"]):
                r = self.run_arne(*words)
                if r.returncode == 0:
                    self.narrow(r.stdout, words)
        self.narrow(self.good("robots"), "robots")

    def test_other_tables(self):
        self.write("motion.csv", "t,q1,q2,q3,q4,q5,q6,q7\n" + "".join("%g%s\n" % (k / 100, ",%g" % (k / 200) * 7) for k in range(20)))
        self.write("log.csv", "t" + "".join(",%s%d" % (g, i) for g in ("q", "qd", "tau") for i in range(1, 8)) + "\n" +
                   "".join("%g%s\n" % (k / 100, ",0" * 21) for k in range(20)))
        self.write("points.csv", "q1,q2\n0,0\n1,1\n")
        for words in (["feasible", "kuka-lwr", "--in", "motion.csv"], ["observe", "kuka-lwr", "--in", "log.csv"],
                      ["plan", "planar2r", "--path", "points.csv"], ["simulate", "pendulum", "--set", "duration=0.1"],
                      ["reach", "ur5e", "--pose", "0.4,0.2,0.3"], ["variants", "rx90"], ["count", "rx90", "--what", "id"]):
            self.narrow(self.good(*words), words)

    def test_a_wide_table_goes_on_below_with_all_its_numbers(self):
        r = self.good("eval", "ur5e", "--want", "regressor")
        wide = self.answer("eval", "ur5e", "--want", "regressor")["regressor"]
        found = {}
        for line in r.split("\n")[2:]:
            words = line.split()
            if words and not re.match(r"[A-Z]", words[0]):
                found.setdefault(words[0], []).extend(float(x) for x in words[1:])
        self.assertEqual(len(found), 6)
        for row, numbers in zip(wide, found.values()):
            self.assertEqual(len(numbers), len(row))
            for a, b in zip(numbers, row):
                self.near(a, b, 1e-5)
        self.assertNotIn(" -0 ", r)

    def test_units(self):
        arm, both = self.good("info", "planar2r"), self.good("info", "scara")
        self.assertRegex(arm, r"\n +rad +rad +rad/s +Nm")
        self.assertRegex(both, r"\n +rad\|m +rad\|m +rad/s\|m/s +Nm\|N +kg m\^2 +rad/m\n")
        self.assertRegex(self.good("eval", "scara", "--want", "id,fd,motor,momentum"), r"\n +Nm\|N +rad/s\^2\|m/s\^2 +Nm +Nm s\|N s\n")
        self.assertIn("energy kinetic [J]  0", self.good("eval", "planar2r", "--want", "energy"))
        self.assertRegex(self.good("reach", "ur5e", "--pose", "0.4,0.2,0.3"), r"\n +rad +rad +rad\n")


class Verdicts(Program):
    def test_colours_are_for_terminals(self):
        self.write("good.csv", "t,q1,q2\n0,0,0\n0.1,0,0\n0.2,0,0\n")
        self.write("bad.csv", "t,q1,q2\n0,0,0\n0.1,2,0\n0.2,3,0\n")
        environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
        with unittest.mock.patch.dict(os.environ, environment, clear=True):
            for name, colour, words in (("good", "32", "feasible"), ("bad", "31", "not feasible")):
                line = ("feasible", "planar2r", "--in", self.path(name + ".csv"))
                self.assertIn("%s%sm%s%s0m" % (ESCAPE, colour, words, ESCAPE), on_terminal(*line))
                self.assertNotIn(ESCAPE, on_terminal(*line, NO_COLOR="1"))
                self.assertNotIn(ESCAPE, self.run_arne(*line).stdout)
                self.assertIn("\n" + words, self.run_arne(*line).stdout)


if __name__ == "__main__":
    main()
