#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Operation counts of `arne count --params base --with-wrench` beside the best published ones.

The bars are those of ERRATA part two 2.2, counted there by an independent program with the conventions of 2.1, or of the book
[003 tables 9.5, 9.6]; none is our own number. The program is $ARNE, or build/arne."""
import json

from support import Program, main

# robot, inertia, what: multiplications, additions, divisions
BARS = [
    ("rx90", "general", "id", 227, 217, 0),  # the wholly automatic algorithm
    ("rx90-simplified", "file", "id", 141, 112, 0),
    ("rx90", "general", "fd", 387, 351, 5),
    ("rx90-simplified", "file", "fd", 257, 205, 5),
    ("puma560", "general", "id", 240, 229, 0),
    ("kuka-lwr", "general", "id", 280, 267, 0),
    ("stanford", "general", "id", 231, 219, 0),
    ("scara", "general", "id", 44, 37, 0),
]
FULL = "com: [0.1, -0.05, 0.07], inertia: {xx: 0.3, xy: 0.01, xz: -0.02, yy: 0.25, yz: 0.03, zz: 0.2, about: com}"
# first moments along one axis, tensors diagonal about the frame: binary fractions, so that zeros stay zeros
PLAIN = "com: [%s], inertia: {xx: %g, xy: 0, xz: 0, yy: %g, yz: 0, zz: %g, about: frame}"


def robot(joints):
    """YAML of modified-DH joints (type, a, alpha, d, words of the link)."""
    lines = ["name: test", "gravity: [0, 0, -9.81]", "convention: mdh", "joints:"]
    for i, (kind, a, alpha, d, link) in enumerate(joints):
        lines += [f"  - name: j{i + 1}", f"    type: {kind}", f"    a: {a}", f"    alpha: {alpha}", f"    d: {d}", "    theta: 0",
                  "    link: {mass: %g, %s}" % (8 / 2 ** i, link), "    motor: {inertia: 0.001, gear: 50}"]
    return "\n".join(lines) + "\n"


def general_arm(n):
    """n revolute joints, every twist and offset that modified DH has."""
    return robot([("revolute", 0.3 + 0.01 * i if i else 0, 0.5 + 0.07 * i if i else 0, 0.2 + 0.013 * i if i else 0, FULL)
                  for i in range(n)])


def plain(i, along):
    com = ["0", "0", "0"]
    com["xyz".index(along)] = "%g" % (0.5 / 2 ** i)
    return PLAIN % (", ".join(com), 6 / 2 ** i, 5.5 / 2 ** i, 5 / 2 ** i)


def wrist(kinds, twists, offsets, along):
    """Letters R and P; offsets (a, d); first moments along these axes, or full tensors if None."""
    return robot([("prismatic" if k == "P" else "revolute", offsets[i][0], twists[i], offsets[i][1],
                   plain(i, along[i]) if along else FULL) for i, k in enumerate(kinds)])


# 2RP(3R), r2 between the first axes [ERRATA part two 2.1: first moments along z, z, z, z, y, z]
STANFORD = ("RRPRRR", ["0", "-pi/2", "pi/2", "0", "-pi/2", "pi/2"], [(0, 0), (0, 0.1625)] + [(0, 0)] * 4)
# R(2P)(3R) with an offset d3
TH8 = ("RPPRRR", ["0", "0", "-pi/2", "0", "-pi/2", "pi/2"], [(0, 0), (0, 0), (0.25, 0)] + [(0, 0)] * 3)
SIMPLE = "zzzzyz"


class Counts(Program):
    def count(self, name, inertia, what):
        r = self.run_arne("count", name, "--what", what, "--params", "base", "--inertia", inertia, "--with-wrench", "--format", "json")
        self.assertEqual((r.returncode, [w for w in r.stderr.splitlines() if "cannot exist" not in w]), (0, []), name)
        return json.loads(r.stdout)[what]

    def test_shipped_robots_cost_at_most_the_published_counts(self):
        for name, inertia, what, mul, add, div in BARS:
            with self.subTest(robot=name, what=what):
                c = self.count(name, inertia, what)
                self.assertLessEqual(c["mul"] + c["add"], mul + add, c)
                self.assertLessEqual(c["mul"], mul, c)
                self.assertLessEqual(c["add"], add, c)
                self.assertLessEqual(c["div"], div, c)

    def test_general_arm(self):
        n = 6
        c = self.count(self.write("r.yaml", general_arm(n)), "general", "id")
        self.assertLessEqual(c["mul"], 85 * n - 116, c)
        self.assertLessEqual(c["add"], 73 * n - 102, c)

    def test_stanford_and_th8(self):
        # the book, and the sum of the least known: additions are traded for more multiplications there
        for arm, along, book, least in ((STANFORD, None, (240, 227), (231, 219)), (STANFORD, SIMPLE, (142, 99), (135, 96)),
                                        (TH8, None, (175, 162), (161, 154)), (TH8, SIMPLE, (104, 72), (101, 72))):
            with self.subTest(arm=arm[0], along=along):
                c = self.count(self.write("r.yaml", wrist(*arm, along)), "file" if along else "general", "id")
                self.assertLessEqual(c["mul"], book[0], c)
                self.assertLessEqual(c["mul"] + c["add"], sum(least), c)

    def test_a_mirror_image_costs_the_same(self):
        for links in (SIMPLE, None):
            costs = [self.count(self.write("r.yaml", wrist("RRPRRR", [twist] * 6, [(0.1, 0)] * 6, links)), "general", what)
                     for twist in ("pi/2", "-pi/2") for what in ("id", "fd", "mass", "did")]
            self.assertEqual(costs[:4], costs[4:])

    def test_long_robots_are_counted_too(self):
        # beyond the joints that are searched, one way for all links: never dearer than the general text
        name = self.write("r.yaml", general_arm(14))
        c = self.answer("count", name, "--what", "id,id-lean", "--params", "base")
        self.assertLessEqual(c["id"]["mul"] + c["id"]["add"], c["id-lean"]["mul"] + c["id-lean"]["add"])


if __name__ == "__main__":
    main()
