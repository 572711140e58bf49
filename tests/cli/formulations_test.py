#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`arne formulations`: its tables parse, every method agrees with the inverse dynamics, the general arm costs at most what an
independent recount says, and bad input is refused in one line. The program is $ARNE, or build/arne."""
import json
import os

from support import TOP, Program, main

TREES = os.path.join(TOP, "tests", "data", "trees")
AGREES = 1e-10

METHODS = {
    ("id", name) for name in ("ne", "turney", "newton-euler", "recursive-lagrange", "lagrange", "gibbs-appell", "christoffel", "mrnea",
                               "mrnea-literal")
} | {("mass", "composite"), ("mass", "strobe-mass"), ("coriolis arrays", "strobe-coriolis")} | {
    ("fd", name) for name in ("aba", "crba", "wo1", "mrnea")
}
NOT_COUNTED = {("fd", "wo1"), ("fd", "mrnea")}

# n revolute joints in a row, axes skew
LINK = """\
  - name: j{0}
    type: revolute
    a: 0.1
    alpha: 1
    d: 0.05
    link: {{mass: 1.5, com: [0.05, 0.01, 0.02], inertia: {{xx: 0.01, xy: 0, xz: 0, yy: 0.01, yz: 0, zz: 0.01, about: com}}}}
"""


def chain(n):
    return "name: chain\nconvention: mdh\njoints:\n" + "".join(LINK.format(i) for i in range(n))


# The last link weighs nothing: no forward dynamics.
MASSLESS = chain(2) + "  - {name: tip, type: revolute, a: 1}\n"


class Case(Program):
    def robot(self, name, *args):
        table = self.answer("formulations", name, "--ms", "0.01", *args)
        return table, {(m["computes"], m["method"]): m for m in table["methods"]}


class OneRobot(Case):
    def test_all_methods_agree(self):
        """Serial, branched, sliding and coupled robots, and all random trees."""
        shipped = ["rx90", "stanford", "gantry", "scara", "coupled-wrist", "torso2", "panda", "planar2r"]
        trees = [os.path.join(TREES, name) for name in sorted(os.listdir(TREES)) if name.endswith(".urdf")]
        self.assertTrue(trees)
        for name in shipped + trees:
            table, methods = self.robot(name)
            self.assertEqual(set(methods), METHODS, name)
            self.assertEqual(table["left_out"], [])
            for key, m in methods.items():
                self.assertIsNotNone(m["agreement"], (name, key))
                self.assertLess(m["agreement"], AGREES, (name, key))
                self.assertGreater(m["ns"], 0, (name, key))

    def test_counts_are_those_of_the_command_count(self):
        names = {"id": ("id", "ne"), "fd": ("fd", "crba"), "aba": ("fd", "aba"), "mass": ("mass", "composite"),
                 "strobe-coriolis": ("coriolis arrays", "strobe-coriolis"), "lagrange": ("id", "lagrange")}
        for options in ([], ["--as-written"], ["--inertia", "file"]):
            count = self.answer("count", "rx90", "--what", ",".join(names), *options)
            _, methods = self.robot("rx90", *options)
            for name, key in names.items():
                for what in ("mul", "add", "div", "trig", "other", "depth"):
                    self.assertEqual(methods[key][what], count[name][what], (options, name, what))

    def test_what_is_not_counted_has_no_number(self):
        _, methods = self.robot("scara")
        for key, m in methods.items():
            for what in ("mul", "add", "div", "trig", "depth"):
                self.assertEqual(m[what] is None, key in NOT_COUNTED, (key, what))

    def test_as_written_is_never_cheaper(self):
        table, written = self.robot("puma560", "--as-written")
        self.assertTrue(table["as_written"])
        _, passes = self.robot("puma560")
        for key in METHODS - NOT_COUNTED:
            self.assertGreaterEqual(written[key]["mul"], passes[key]["mul"], key)

    def test_text_has_one_row_a_method(self):
        lines = self.good("formulations", "rx90", "--ms", "0.01").splitlines()
        self.assertEqual(len(lines), len(METHODS) + 3)
        self.assertIn("6 joints", lines[0])
        heads = lines[1].split()
        self.assertEqual(heads, ["computes", "method", "order", "mul", "add", "div", "sin/cos", "depth", "ns", "agreement"])

    def test_massless_tip_is_called_singular(self):
        _, methods = self.robot(self.write("m.yaml", MASSLESS))
        for key, m in methods.items():
            self.assertEqual(m["agreement"] is None, key[0] == "fd", key)
            self.assertEqual(m["ns"] is None, key[0] == "fd", key)
        self.assertIn("singular", self.good("formulations", "m.yaml", "--ms", "0.01"))

    def test_long_robots_leave_out_what_takes_too_long(self):
        name = self.write("c.yaml", chain(31))
        table, methods = self.robot(name)
        self.assertEqual(set(table["left_out"]), {"lagrange", "christoffel", "strobe-coriolis", "mrnea-literal"})
        self.assertEqual(len(methods), len(METHODS) - 4)
        self.assertIn("More than 30 joints", self.good("formulations", name, "--ms", "0.01"))
        name = self.write("c.yaml", chain(61))
        table, methods = self.robot(name)
        self.assertEqual({m["order"] for m in methods.values()}, {1})
        self.assertEqual(len(methods) + len(table["left_out"]), len(METHODS))
        for m in methods.values():
            self.assertLess(m["agreement"], AGREES)
        self.assertIn("More than 60 joints: only the methods of order n", self.good("formulations", name, "--ms", "0.01"))
        self.refused(1, ["501 joints", "500"], "formulations", self.write("c.yaml", chain(501)))


class Published(Case):
    def rows(self, *args):
        rows = [json.loads(line) for line in self.good("formulations", "--published", "--format", "json", *args).splitlines()]
        return {name: [r for r in rows if r["table"] == name] for name in ("operations", "depth", "steps", "summary")}

    def test_ours_is_at_or_below_the_independent_recount(self):
        rows = self.rows()
        self.assertEqual({r["n"] for r in rows["operations"]}, set(range(1, 13)))
        self.assertEqual(len(rows["operations"]), 6 * 12 + 8)
        for r in rows["operations"]:
            for what in ("mul", "add"):
                self.assertLessEqual(r["as_written"][what], r["independent"][what], r)
                self.assertLessEqual(r["after_passes"][what], r["as_written"][what], r)
        for r in rows["depth"]:
            self.assertEqual(r["independent"], 8 * r["n"] + 4)
            self.assertLessEqual(r["as_written"], r["independent"], r)
        self.assertEqual(len(rows["depth"]), 24)
        self.assertEqual(rows["summary"][0]["above_independent"], 0)

    def test_printed_numbers_are_those_of_the_tables(self):
        printed = {r["method"]: r["printed"] for r in self.rows("--n", "6")["operations"] if r["printed"]}
        independent = {(r["method"], r["diagonal"]): r["independent"] for r in self.rows("--n", "6")["operations"]}
        self.assertEqual(printed["lagrange"], {"mul": 5916, "add": 4840})
        self.assertEqual(printed["recursive-lagrange"], {"mul": 1356, "add": 864})
        self.assertEqual(printed["newton-euler"], {"mul": 636, "add": 591})
        self.assertEqual(printed["turney"], {"mul": 513, "add": 504})
        self.assertEqual(printed["strobe-mass"], {"mul": 1512, "add": 1092})
        self.assertEqual(independent["lagrange", False], {"mul": 6217, "add": 4973})
        self.assertEqual(independent["turney", False], {"mul": 652, "add": 566})
        self.assertEqual(independent["strobe-coriolis", False], {"mul": 7896, "add": 6558})

    def test_steps_on_few_processors(self):
        steps = self.rows("--n", "2")["steps"]
        self.assertEqual([r["processors"] for r in steps], [1, 2, 4, 8])
        six = next(r for r in self.rows("--n", "6")["operations"] if r["method"] == "turney" and r["diagonal"])
        self.assertEqual(steps[0]["as_written"], six["as_written"]["mul"] + six["as_written"]["add"])
        for a, b in zip(steps, steps[1:]):
            self.assertLess(b["as_written"], a["as_written"])

    def test_long_arrays_only_when_asked_for(self):
        longest = lambda rows: max(r["n"] for r in rows["operations"] if r["method"] == "strobe-coriolis")
        self.assertEqual(longest(self.rows("--n", "7..10")), 8)
        self.assertEqual(longest(self.rows("--n", "7..10", "--all")), 10)

    def test_text(self):
        text = self.good("formulations", "--published")
        self.assertIn("printed      90 n - 27 multiplications, 88 n - 24 additions", text)
        self.assertIn("at or below the independent recount in all", text)
        self.assertIn("more than 8 links: only with --all", text)


class Refusals(Case):
    def test_bad_input(self):
        self.refused(2, ["needs a ROBOT", "--published"], "formulations")
        self.refused(2, ["--published", "rx90"], "formulations", "rx90", "--published")
        self.refused(1, ["nosuchrobot"], "formulations", "nosuchrobot")
        self.refused(2, ["--speed"], "formulations", "rx90", "--speed")
        self.refused(2, ["--format", "xml"], "formulations", "rx90", "--format", "xml")
        self.refused(2, ["--inertia"], "formulations", "rx90", "--inertia", "none")
        for ms in ("0", "-1", "x", "1e9", "nan"):
            self.refused(2, ["--ms", ms], "formulations", "rx90", "--ms", ms)
        for n in ("0", "17", "3..2", "1..99", "..", "1..", "2.5", "x", "1...3", ""):
            self.refused(2, ["--n"], "formulations", "--published", "--n", n)
        self.refused(2, ["--n", "--published"], "formulations", "rx90", "--n", "6")
        self.refused(2, ["--all", "--published"], "formulations", "rx90", "--all")
        self.refused(2, ["--as-written"], "formulations", "--published", "--as-written")
        self.refused(2, ["--rigid"], "formulations", "--published", "--rigid")
        self.refused(2, ["ur5e"], "formulations", "rx90", "ur5e")


if __name__ == "__main__":
    main()
