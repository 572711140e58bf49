#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`arne excite` beside 1,000 random motions: at least twice as good, on a UR arm and one of seven joints. From one start and with
half the steps; doc/excite.md has the numbers of all of them. The program is $ARNE, or build/arne."""
from support import Program, main


class Bar(Program):
    def test_twice_as_good_as_the_best_of_a_thousand(self):
        for robot in ("ur5e", "kuka-lwr"):
            v = self.answer("excite", robot, "--starts", "1", "--steps", "300", "--quiet", "--out", "m.csv")
            self.assertEqual(v["random"]["count"], 1000)
            self.assertGreater(v["random"]["condition"] / v["condition"], 2, robot)
            self.assertTrue(self.answer("feasible", robot, "--in", "m.csv")["feasible"], robot)


if __name__ == "__main__":
    main()
