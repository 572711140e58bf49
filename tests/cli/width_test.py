# SPDX-License-Identifier: MIT
"""Pages for people fit into 100 columns: every help page, every table of every shipped robot; what does not fit goes on below, and
nothing is lost by that. Numbers in tables have their units. Verdicts are coloured on terminals only."""
import json
import math
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


def g(x):
    """A number of a table: six digits, a dash where there is none."""
    return "-" if x is None else "%.6g" % (x + 0.0)


class SameNumbers(Program):
    """A page for people and the answer for programs are written apart; what one says stands in the other, in its place."""
    POINTS = "q1,q2,q3,q4\n0,0.1,-0.02,0\n0.4,0.3,-0.05,-1\n0.5,-0.6,-0.1,1\n"

    def motion(self, seconds):
        text = "t,q1,q2,q3,q4\n"
        for k in range(41):
            x = k / 40
            s = x**3 * (10 - 15 * x + 6 * x * x)
            text += "%r,%r,%r,%r,%r\n" % (2 + seconds * x, 0.1 + 2 * s, 0.3 + 1.1 * s, -0.18 + 0.1 * s, -0.4 + 5 * s)
        return self.write("motion.csv", text)

    def both(self, *words):
        """page, answer; the page in one line"""
        page, answer = self.run_arne(*words), self.run_arne(*words, "--format", "json")
        self.assertEqual((page.returncode, answer.returncode), (0, 0), (words, page.stderr))
        return " ".join(page.stdout.split()), json.loads(answer.stdout)

    def tells(self, page, *lines):
        for line in lines:
            self.assertIn(" ".join(line.split()), page)

    def rows(self, page, answers, *keys, first="name"):
        self.tells(page, " ".join(" ".join([a[first], *(g(a[k]) for k in keys)]) for a in answers))

    def test_info(self):
        page, a = self.both("info", "scara", "--payload", "j4=3,0.1,0.2,0.3")
        self.tells(page, "scara: 4 moving joints, %s kg" % g(a["mass"]))
        self.assertEqual(a["mass"], 17.5)
        for j in a["joints"]:
            self.tells(page, " ".join([j["name"], j["type"], j["parent"] or "-", *(g(j[k]) for k in ("lower", "upper", "velocity", "effort"))]))

    def test_everything_a_joint_has(self):
        """Every column says its own numbers, with the units of what turns and of what slides."""
        columns = [("lower", "rad|m", -1.25, -0.5), ("upper", "rad|m", 1.5, 0.75), ("velocity", "rad/s|m/s", 2.5, 3.5),
                   ("acceleration", "rad/s^2|m/s^2", 4.5, 5.5), ("effort", "Nm|N", 60.5, 70.5), ("jerk", "rad/s^3|m/s^3", 81, 91),
                   ("torque rate", "Nm/s|N/s", 101, 111), ("rotor inertia", "kg m^2", 0.012, 0.013), ("gear", "rad/m", 14, 15),
                   ("motor viscous", "Nm s", 0.016, 0.017), ("motor coulomb", "Nm", 0.018, 0.019), ("motor effort", "Nm", 20, 21),
                   ("motor speed", "rad/s", 22, 23), ("viscous", "Nm s|N s/m", 24, 25), ("coulomb", "Nm|N", 26, 27),
                   ("coulomb backwards", "Nm|N", 28, 29), ("offset", "Nm|N", 30, 31), ("static", "Nm|N", 32, 33),
                   ("stiffness", "Nm/rad|N/m", 340, 350), ("stiffness k3", "Nm/rad^3|N/m^3", 36, 37), ("stiffness k5", "Nm/rad^5|N/m^5", 38, 39),
                   ("damping", "Nm s|N s/m", 40, 41)]
        values = {title: (a, b) for title, unit, a, b in columns}
        text = "name: all\nconvention: urdf\njoints:\n"
        for i, kind in enumerate(("revolute", "prismatic")):
            v = {k: x[i] for k, x in values.items()}
            text += "  - name: j%d\n    type: %s\n    axis: [0, 0, 1]\n" % (i + 1, kind)
            text += "    limits: {lower: %g, upper: %g, velocity: %g, acceleration: %g, effort: %g, jerk: %g, effort_rate: %g}\n" % tuple(
                v[k] for k in ("lower", "upper", "velocity", "acceleration", "effort", "jerk", "torque rate"))
            text += "    motor: {inertia: %g, gear: %g, viscous: %g, coulomb: %g, effort: %g, speed: %g}\n" % tuple(
                v[k] for k in ("rotor inertia", "gear", "motor viscous", "motor coulomb", "motor effort", "motor speed"))
            text += "    friction: {viscous: %g, coulomb: %g, coulomb_negative: %g, offset: %g, static: %g, stribeck_velocity: 0.1}\n" % tuple(
                v[k] for k in ("viscous", "coulomb", "coulomb backwards", "offset", "static"))
            text += "    elastic: {stiffness: [%g, %g, %g], damping: %g}\n" % tuple(
                v[k] for k in ("stiffness", "stiffness k3", "stiffness k5", "damping"))
            text += "    link: {mass: %g, com: [0.1, 0.2, %g]}\n" % (i + 2, i + 3)
        self.write("all.yaml", text)
        seen = {}
        tables = self.good("info", "all.yaml").split("\n\n")
        for lines in (t.split("\n") for t in tables[1:-1]):
            for title in sorted(values, key=len, reverse=True):  # a title may end another one
                for m in re.finditer(r"(?<=  )%s(?=  |$)" % re.escape(title), lines[0]):
                    seen[title] = [re.split("  +", line[:m.end()])[-1] for line in lines[1:4]]
        self.assertEqual(seen, {title: [unit, g(a), g(b)] for title, unit, a, b in columns})
        self.tells(" ".join(tables[-1].split()), "link joint mass com x com y com z kg m m m", "j1 j1 2 0.1 0.2 3", "j2 j2 3 0.1 0.2 4")
        page = self.good("info", "all.yaml", "--payload", "j1=2.5,0,0,0", "--payload", "j2=3.5,0,0,0")
        self.assertIn("\n\npayload on j1: 2.5 kg\npayload on j2: 3.5 kg\n", page)
        self.assertIn("positions have 9 numbers, velocities 8\n", self.good("info", "all.yaml", "--base", "free"))

    def test_eval(self):
        self.write("in.csv", "t,q1,q2,q3,q4,qd1,qd2,qd3,qd4,qdd1,qdd2,qdd3,qdd4,tau1,tau2,tau3,tau4,qnext1,qnext2,qnext3,qnext4,qdnext1,qdnext2,"
                   "qdnext3,qdnext4\n3.5,0.1,0.2,-0.1,0.4,1,-2,0.3,4,5,6,-7,8,9,1,2,3,0.11,0.18,-0.09,0.44,9,1,3,-7\n")
        vectors = ["id", "fd", "bias", "gravity", "coriolis_vector", "ctqd", "friction", "momentum", "motor"]
        units = ["Nm|N", "rad/s^2|m/s^2", "Nm|N", "Nm|N", "Nm|N", "Nm|N", "Nm|N", "Nm s|N s", "Nm"]
        for want, unit in zip(vectors, units):
            page, a = self.both("eval", "scara", "--in", "in.csv", "--want", want + ",energy")
            self.tells(page, "row 1 t = 3.5 s joint %s %s %s" % (want, unit, " ".join("j%d %s" % (i + 1, g(x)) for i, x in enumerate(a[want]))),
                       "energy kinetic [J] %s energy potential [J] %s" % (g(a["energy"]["kinetic"]), g(a["energy"]["potential"])))
        page, a = self.both("eval", "scara", "--in", "in.csv", "--dt", "0.01", "--want",
                            "velocity,acceleration,pose,com,centroidal,joint_wrenches,achievable,jacobian,mass")
        twist, wrench = ["vx", "vy", "vz", "wx", "wy", "wz"], ["fx", "fy", "fz", "mx", "my", "mz"]
        joints = ["j1", "j2", "j3", "j4"]
        line = lambda names, x: " ".join("%s %s" % (n, g(v)) for n, v in zip(names, x))
        table = lambda names, columns, x: " ".join(columns + [" ".join([n, *map(g, row)]) for n, row in zip(names, x)])
        self.tells(page, "velocity of j4 [m/s, rad/s] " + line(twist, a["velocity"]),
                   "acceleration of j4 [m/s^2, rad/s^2] " + line(twist, a["acceleration"]),
                   "pose position of j4 [m] " + line("xyz", a["pose"]["position"]),
                   "pose rotation of j4 " + table("xyz", list("xyz"), a["pose"]["rotation"]),
                   "com position [m] " + line("xyz", a["com"]["position"]), "com velocity [m/s] " + line("xyz", a["com"]["velocity"]),
                   "com mass [kg] " + g(a["com"]["mass"]), "centroidal momentum [kg m/s, kg m^2/s] " + line(twist, a["centroidal"]["momentum"]),
                   "centroidal matrix " + table(twist, joints, a["centroidal"]["matrix"]),
                   "joint_wrenches [N, Nm] " + table(joints, wrench, a["joint_wrenches"]),
                   "achievable qdd " + line(joints, a["achievable"]["qdd"]), "achievable motor " + line(joints, a["achievable"]["motor"]),
                   "achievable saturated " + " ".join(a["achievable"]["saturated"]),
                   "jacobian of j4 " + table(twist, joints, a["jacobian"]), "mass " + table(joints, joints, a["mass"]))
        self.assertIn("j1", a["achievable"]["saturated"])
        head, row = self.good("eval", "scara", "--in", "in.csv", "--want", "velocity,mass,pose", "--format", "csv").split()
        self.assertEqual(head.split(",")[:8], ["t"] + ["velocity." + k for k in twist] + ["mass.j1.j1"])
        flat = [3.5] + a["velocity"] + sum(a["mass"], []) + a["pose"]["position"] + sum(a["pose"]["rotation"], [])
        self.assertEqual([float(x) for x in row.split(",")], flat)

    def test_counts(self):
        page, a = self.both("count", "scara", "--what", "id,fd", "--processors", "3", "--inertia", "file", "--params", "base", "--with-wrench")
        keys = ("mul", "add", "div", "trig", "other", "depth", "steps")
        self.tells(page, "scara: operations a call, the file's base inertial parameters, with the wrench of the last link " + " ".join(keys),
                   *(" ".join([name, *(str(a[name][k]) for k in keys)]) for name in ("id", "fd")))
        page, a = self.both("variants", "planar2r")
        self.tells(page, "planar2r: the 16 variants of NE*, %d random states" % a["states"],
                   *("%s %.1e %.1e%s" % (v["variant"], v["skew"], v["product"], " valid" if v["valid"] else "") for v in a["variants"]),
                   "%d of 16 factor" % len(a["valid"]))
        page, a = self.both("formulations", "scara", "--ms", "0.01", "--inertia", "file")
        self.tells(page, "scara: 4 joints; operations a call, the file's inertial parameters",
                   *(" ".join([m["computes"], m["method"], ["n", "n^2", "n^3"][m["order"] - 1], *("-" if m[k] is None else "%d" % m[k] for k in (
                       "mul", "add", "div", "trig", "depth"))]) for m in a["methods"]))

    def test_base(self):
        for robot in ("scara", "ur5e", "gantry"):
            page, a = self.both("base", robot)
            self.tells(page, "%s: %d base inertial parameters, %d without rotor inertias" % (robot, a["count"], a["count_without_rotors"]))
            kept = {p["name"]: p["terms"] for p in a["parameters"]}
            mark = lambda n: n if len(kept[n]) == 1 and kept[n][0]["parameter"] == n else re.sub(r"(\d)", r"R\1", n, count=1)
            letters = "XX XY XZ YY YZ ZZ MX MY MZ M IA".split()
            for i, f in enumerate(a["frames"]):
                row = [letter + str(i + 1) for letter in letters]
                self.tells(page, "%d %s %s" % (i + 1, f["joint"], " ".join(mark(n) if n in kept else "0" for n in row)),
                           "%d %s %d %s" % (i + 1, f["joint"], i, " ".join(g(f[k]) for k in ("gamma", "b", "alpha", "d", "theta", "r"))))
            for key in ("no_effect", "grouped"):
                if a[key]:
                    self.tells(page, key.replace("_", " ") + ": " + " ".join(a[key]))
            for name, terms in kept.items():
                if len(terms) > 1:
                    self.assertIn(" %s = " % mark(name), page)
        lines = self.good("base", "scara").split("no effect: ")[1].split("\n\n")[0].split("\n")
        self.assertEqual(len(lines), 2)  # folded where a page ends, and nowhere else
        page, a = self.both("base", "planar2r", "--no-rotors")
        self.assertIn("planar2r: %d base inertial parameters j joint" % a["count"], page)

    def test_simulate(self):
        page, a = self.both("simulate", "lwr_push", "--set", "duration=0.4")
        s = a["summary"]
        self.assertRegex(page, r"^%s %s, controller %s at %g Hz, %s: 0\.4 s in \S+ s, \S+ times as fast as real time \(\S+ s of processor time\); %d steps joint" % (
            re.escape(a["title"]), a["model"], a["controller"], 1 / a["period"], a["integrator"], s["steps"]))
        took, times = map(float, re.search(r" s in (\S+) s, (\S+) times", page).groups())
        self.near(took * times, 0.4, 0.01)
        self.tells(page, "joint largest error", *("%s %s rad" % (j, g(x)) for j, x in zip(a["joints"], s["max_error"])),
                   "verdict: %s. %s" % (a["verdict"], a["why"]))
        self.assertEqual((s["ticks"], a["status"], a["duration"]), (400, "finished", 0.4))

    def test_bench(self):
        page = self.good("bench", "planar2r", "--ms", "0.01")
        self.assertRegex(page, r"^planar2r: 2 joints, ns a state; batch: (2|4|8) lanes\n")
        rows = [line.split() for line in page.splitlines() if re.fullmatch(r"  \w+ +[\d.]+ +[\d.]+ +[\d.]+", line)]
        self.assertEqual((rows[0][0], rows[0][3]), ("id", "1.00"))
        self.assertGreater(len(rows), 15)
        for name, median, least, ratio in rows:
            self.assertLessEqual(float(least), float(median), name)
            of = float(rows[0][2])  # printed to a tenth
            self.assertLessEqual(abs(float(ratio) - float(least) / of), 0.006 + 0.06 / of * (1 + float(ratio)), name)
        a = self.answer("bench", "planar2r", "--ms", "0.01")
        self.assertEqual((a["robot"], a["dof"], [n for n in a["ns"] if not n.startswith("elastic")]), ("planar2r", 2, [r[0] for r in rows]))
        for name, t in a["ns"].items():
            self.assertTrue(t is None or t["min"] <= t["median"], name)

    def test_reach(self):
        page, a = self.both("reach", "scara", "--pose", "0.4,0.2,-0.05,0,0,0.3")
        limits = self.answer("info", "scara")["joints"]
        self.tells(page, *("%s %s %s %s" % (j["name"], g(q), g(j["lower"]), g(j["upper"])) for q, j in zip(a["q"], limits)),
                   "link j4: %.2g m and %.2g rad from the target" % (a["position_error"], a["rotation_error"]))

    def test_feasible(self):
        heavy = ["--payload", "j4=3,0.1,0.02,0.03"]
        for seconds, more in ((1, []), (1, heavy), (0.4, heavy), (0.4, ["--policy", "scale"]), (0.25, ["--policy", "resolve"])):
            page, a = self.both("feasible", "scara", "--in", self.motion(seconds), *more)
            scaled = a["policy"] == "scale"
            self.rows(page, a["joints"], "peak_torque", "peak_motor", "peak_speed", "peak_force", "peak_moment", "peak_bending")
            self.tells(page, "scara: 41 samples, %s s at intervals of %s s" % (g(seconds), g(seconds / 40)),
                       "loads of the %s, %s s; largest values:" % (a["loads_of"], g(a["duration"] if scaled else seconds)))
            self.assertEqual(a["loads_of"], "slowed motion" if scaled else "commanded motion")
            off = [j for j in a["joints"] if j["saturated_time"] or j["deviation"]]
            if off:
                self.tells(page, "policy %s makes another motion of it; joints that do not follow the command:" % a["policy"],
                           "joint saturated off by s rad" + "|m " * any(j["name"] != "j3" for j in off))
                self.rows(page, off, "saturated_time", "deviation")
            for j in a["joints"]:
                if j["cannot_stop_from"] is not None:
                    self.tells(page, "warning: from t = %s s on joint %s could not stop before its limit" % (g(j["cannot_stop_from"]), j["name"]))
            if a["lost_from"] is not None:
                self.tells(page, "lost: from t = %s s on saturated motors cannot hold joint %s within its speed limit" % (
                    g(a["lost_from"]), a["lost_joint"]))
            if a["feasible"]:
                self.tells(page, "feasible: no limit is exceeded")
                continue
            for which in ("first", "worst"):
                v = a[which + "_violation"]
                turns = v["joint"] != "j3"
                units = {"velocity": "rad/s" if turns else "m/s", "torque": "Nm" if turns else "N", "motor speed": "rad/s", "motor torque": "Nm"}
                self.tells(page, "%s at t = %s s: joint %s, %s %s %s, limit %s (%.3g %% over)" % (
                    which, g(v["t"]), v["joint"], v["kind"], g(v["demand"]), units[v["kind"]], g(v["limit"]), 100 * (v["demand"] / v["limit"] - 1)))
            self.tells(page, "feasible in %.4g times its time, %.4g s instead of %.4g s" % (a["slower"], a["slower"] * seconds, seconds))
            if a["lighter"] is not None:
                self.tells(page, "not feasible without its payload either" if a["lighter"] < 0 else "feasible with %.3g %% of its payload" % (100 * a["lighter"]))

    def test_plan(self):
        self.write("points.csv", self.POINTS)
        page, a = self.both("plan", "scara", "--path", "points.csv", "--dt", "0.01")
        self.rows(page, a["joints"], "peak_torque", "peak_motor", "peak_speed")
        self.tells(page, "scara: 3 points, a path of length " + g(a["length"]),
                   "fastest motion: %s s, %d samples at intervals of 0.01 s" % (g(a["duration"]), a["samples"]),
                   "one smooth time law for the whole path takes %s s, %.3g times as long" % (g(a["uniform"]), a["uniform"] / a["duration"]),
                   "some limit is reached, to 1 %%, %.1f %% of the time:" % (100 * a["active"]),
                   *("%s %s %.1f" % (l["kind"], l["joint"], 100 * l["share"]) for l in a["limits"]))
        self.assertEqual((a["points"], a["merged"], a["dt"], a["smooth"]), (3, 0, 0.01, False))
        self.write("poses.csv", "x,y,z\n0.5,0.2,0\n0.5,-0.2,0\n")
        page, a = self.both("plan", "scara", "--poses", "poses.csv", "--step", "0.05", "--map", "map.csv", "--places", "7", "--others", "free")
        self.tells(page, "along 2 poses; in between the link leaves its lines by at most %.2g m" % a["off_line"],
                   "largest accelerations of the link, the least of them along the path (at rest; -: there is none):")
        rows = self.table("map.csv")
        self.assertEqual(len(rows), 7)
        for way in ("forward", "backward", "left", "right", "up", "down"):
            least = min(rows, key=lambda r: r[way])
            self.tells(page, "%s %s %s" % (way, g(least[way]), g(least["point"])))
            self.near(a["map"][way]["least"], least[way], 1e-8)
            self.near(a["map"][way]["point"], least["point"], 1e-8)

    def test_elastic(self):
        text = "t," + ",".join("q%d" % i for i in range(1, 8)) + "\n"
        for k in range(40):
            text += "%r," % (0.5 + k / 30) + ",".join("%r" % (0.1 * i + 0.3 * math.sin(k / 30 + i)) for i in range(1, 8)) + "\n"
        self.write("smooth.csv", text)
        page, a = self.both("elastic", "kuka-lwr", "--in", "smooth.csv")
        self.tells(page, "kuka-lwr: 40 samples, %s s" % g(a["duration"]), "derivatives from a spline of degree %d through the positions" % a["fit"]["degree"],
                   *("%s %s deg %s %s Nm %s %.3g" % (j["name"], g(math.degrees(j["max_deflection"])), g(j["peak_tau_e"]), g(j["peak_tau"]),
                                                    g(j["max_difference"]), j["difference_percent"]) for j in a["joints"]))
        self.near(a["duration"], 1.3)
        for j in a["joints"]:
            self.near(j["difference_percent"], 100 * j["max_difference"] / j["peak_tau"])

    def test_excite_and_identify(self):
        page, a = self.both("excite", "scara", "--time", "4", "--random", "20", "--steps", "20", "--starts", "1", "--box", "-1,-1,-1,1,1,1",
                            "--out", "m.csv")
        r = a["random"]
        self.tells(page, "scara: a motion of 4 s, %d harmonics of %.4g Hz, from rest to rest; %d base parameters, %d of friction beside them" % (
                       a["harmonics"], a["fourier"]["frequency"], a["base_parameters"], a["friction_parameters"]),
                   "condition number of the weighted base regressor: %.4g; the best of %d random motions has %.4g, %.2f times as much" % (
                       a["condition"], r["count"], r["condition"], a["better"]),
                   "geometric mean of the deviations by one sample: %.4g; the best of 20 random motions has %.4g, %.2f times as much" % (
                       a["volume"], r["volume"], r["volume"] / a["volume"]), "1 starts,", "limits: 0.9 of those of the robot",
                   "j4 stays between (%.3f %.3f %.3f) and (%.3f %.3f %.3f) m" % tuple(a["hand"]))
        self.near(a["better"], r["condition"] / a["condition"])
        for j in a["joints"]:
            self.tells(page, "%s %.3f %.3f %.3f %.3f %.0f %.0f %.4g %.0f" % (
                j["name"], j["from"], j["to"], j["lower"], j["upper"], 100 * j["peak_speed"] / j["velocity"],
                100 * j["peak_acceleration"] / j["acceleration"], j["peak_torque"], 100 * j["torque_part"]))
        page, a = self.both("identify", "scara", "--in", "m.csv")
        percent = lambda x: "-" if x is None else "%.1f" % (100 * x)
        self.tells(page, "%d rows, %.4g s at %.4g Hz, low pass at %.3g Hz; condition number %.3g;" % (
            a["rows"], a["duration"], a["rate"], a["cutoff"], a["condition"]), "Errors on blocks that were held out:",
                   *("%s %s %s %s %s %.4g %.4g %.4g %.4g %.0f" % (j["name"], percent(j["error"]), percent(j["error_moving"]), percent(
                       j["error_least_squares"]), percent(j["error_before"]), j["viscous"], j["coulomb"], j["offset"], j["rotor"], 100 * j["moves"])
                     for j in a["joints"]))
        for p in a["parameters"]:
            letters = re.match("[A-Z]+", p["name"]).end()
            seen = "%.5g %.2g" % (p["value"], p["deviation"]) if p["seen"] else "- not seen"
            self.assertRegex(page + " ", " %sR?%s %s " % (p["name"][:letters], p["name"][letters:], re.escape("%s %.5g %.5g" % (seen, p["consistent"], p["before"]))))
        for b in a["bodies"]:
            told = "%s %.4g %.3f %.3f %.3f %.4g %s " % (b["link"], b["mass"], *b["com"], b["prior_mass"], "data" if b["data"] > 0.9 else "data, some prior"
                                                    if b["data"] > 0.5 else "prior, some data" if b["data"] > 0.1 else "prior")
            self.tells(page, told)

    def test_observe(self):
        q, F = [0.3, 0.8, -0.1, 0.4], [12, -7, 5, 0, 0, 0]
        header = ["%s%d" % (k, i) for k in ("q", "qd", "tau") for i in range(1, 5)]
        self.write("at.csv", ",".join(header[:4]) + "\n%r,%r,%r,%r\n" % tuple(q))
        at = self.answer("eval", "scara", "--in", "at.csv", "--want", "gravity,jacobian")
        push = [sum(at["jacobian"][k][i] * F[k] for k in range(6)) for i in range(4)]
        text = "t," + ",".join(header) + "\n"
        for k in range(120):
            tau = [x - y * (40 <= k < 80) for x, y in zip(at["gravity"], push)]
            text += "%r,%s\n" % (1 + k / 100, ",".join(map(repr, q + [0] * 4 + tau)))
        self.write("log.csv", text)
        page, a = self.both("observe", "scara", "--in", "log.csv", "--threshold", "0.6,0.7,0.8,0.01", "--gain", "30,40,50,60", "--link", "j4")
        self.tells(page, "scara: 120 samples, 1.19 s at intervals of 0.01 s, method exact", "thresholds as given")
        for j, gain, threshold in zip(a["joints"], a["gain"], a["thresholds"]):
            self.tells(page, "%s %s %s %s %s %s" % (j["name"], g(gain), g(threshold), g(j["largest"]), g(j["t"]), g(j["rms"])))
        self.assertEqual((a["gain"], a["thresholds"]), ([30, 40, 50, 60], [0.6, 0.7, 0.8, 0.01]))
        self.assertEqual(len(a["events"]), page.count(": link "))
        e = a["events"][0]
        f, w = e["force"], e["wrench"]
        self.tells(page, "t = %s ... %s s: link %s; largest at joint %s, %.4g %s at t = %s s" % (
                       g(e["t"]), g(e["end"]), e["link"], e["joint"], e["peak"], "N" if e["joint"] == "j3" else "Nm", g(e["peak_t"])),
                   "a force on %s at its origin, world axes: %.4g %.4g %.4g N, leaves %.2g %% of the residual" % (
                       f["link"], *f["force"], 100 * f["unexplained"]),
                   "wrench there: force %.3g %.3g %.3g N, moment %.3g %.3g %.3g Nm, leaves %.2g %%" % (*w["force"], *w["moment"], 100 * w["unexplained"]),
                   "joints feel %d of its 6 directions;" % w["seen"])
        self.assertEqual((e["link"], f["link"]), ("j3", "j4"))  # a force through the last axis turns it not
        for k in range(3):  # until it is over the filter comes near, at the slowest gain to 1 - exp(-12)
            self.near(f["force"][k], F[k], 0.02)

    def test_observe_one_joint_and_rows_that_are_held(self):
        text = "t,q1,q2,qd1,qd2,tau1,tau2\n"
        for k in range(200):
            tau = [58.86 + 3 * (k >= 90), 14.715]  # as planar2r stands stretched out, then another motor torque
            text += "%r,0,0,0,0,%s,%r\n" % (2 + k / 50, "nan" if 10 <= k < 21 else repr(tau[0]), tau[1])
        self.write("log.csv", text)
        page, a = self.both("observe", "planar2r", "--in", "log.csv", "--threshold", "1.5,2.5")
        self.assertEqual((a["held"], a["samples"], a["start"], a["period"], a["contact"]), (11, 200, 2, 0.02, True))
        self.tells(page, "the residual is held at 11 rows", *("line %d, t = %s s: %s" % (h["line"], g(h["t"]), h["why"]) for h in a["held_rows"][:8]),
                   "and 3 more: column held of --out")
        self.assertNotIn("line %d," % a["held_rows"][8]["line"], page)
        self.assertEqual([h["line"] for h in a["held_rows"]], list(range(12, 23)))
        e, f = a["events"][0], a["faults"][0]
        self.assertEqual((len(a["events"]), e["end"], e["link"], e["joint"], f["joint"]), (1, None, "j1", "j1", "j1"))
        self.near(e["peak"], -3, 1e-3)  # what is missing is not in the robot
        self.tells(page, "1 contact from t = %s s to the end of the log: link j1; largest at joint j1, %.4g Nm at t = %s s" % (
            g(e["t"]), e["peak"], g(e["peak_t"])), "only one joint speaks, which an actuator does too:")
        self.assertRegex(page, r" t = %s s: the actuator of joint j1 [a-z ,]+; its command hardly changes, so other faults look the same$" %
                         re.escape(g(f["t"])))
        self.assertFalse(f["told"])


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
