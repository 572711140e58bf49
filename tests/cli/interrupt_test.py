# SPDX-License-Identifier: MIT
"""Ends from outside: signals and files that may not grow, at random moments of every command that writes a file. What is there
afterwards is what was there before, or the whole result; never a part of one, never a table without what is said about it.

    ARNE=build/arne python3 tests/cli/interrupt_test.py        the seed is printed; SEED=... draws the same interruptions again"""
import concurrent.futures
import json
import math
import os
import random
import resource
import signal
import subprocess
import tempfile
import time

from support import ARNE, Program, main

SEED = int(os.environ.get("SEED") or random.SystemRandom().randrange(1, 10**9))
MANY = 200
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE]

LONG = """\
robot: planar2r
start: {q: [1, 0]}
duration: %g
integrator: {step: 0.001}
limits: {stops: false}
"""


def motion(rows):
    return "t,q1,q2\n" + "".join("%.3f,%.9f,%.9f\n" % (k / 1000, 0.4 * math.sin(k / 300), 0.3 * math.cos(k / 400))
                                 for k in range(rows))


def slow():
    rows = ["t," + ",".join("q%d" % j for j in range(1, 8))]
    for k in range(401):
        x = k / 400
        s = x**4 * (35 - 84 * x + 70 * x**2 - 20 * x**3)
        rows.append("%.2f" % (4 * x) + "".join(",%.15g" % (s * (3 if j % 2 else -3.5)) for j in range(1, 8)))
    return "\n".join(rows) + "\n"


def log(rows):
    return "t,q1,q2,qd1,qd2,tau1,tau2\n" + "".join("%.3f,0,0,0,0,58.86,14.715\n" % (k / 1000) for k in range(rows))


# what is run, the files it makes, until when it is worth interrupting (s)
COMMANDS = {
    "simulate": (["simulate", "long.yaml", "--out", "o.csv"], ["o.csv", "o.json"], 0.06),
    "simulate to its end": (["simulate", "short.yaml", "--out", "o.csv"], ["o.csv", "o.json"], 0.04),
    "feasible": (["feasible", "planar2r", "--in", "motion.csv", "--out", "o.csv"], ["o.csv", "o.json"], 0.04),
    "elastic": (["elastic", "kuka-lwr", "--in", "slow.csv", "--out", "o.csv"], ["o.csv", "o.json"], 0.03),
    "observe": (["observe", "planar2r", "--in", "log.csv", "--out", "o.csv"], ["o.csv", "o.json"], 0.03),
    "plan": (["plan", "planar2r", "--path", "points.csv", "--out", "o.csv"], ["o.csv", "o.json"], 0.03),
    "report": (["report", "log.csv", "--robot", "planar2r", "--out", "o.html"], ["o.html"], 0.15),
    "codegen": (["codegen", "planar2r", "--what", "id,mass,fd", "--out", "made"], ["made/planar2r.c", "made/planar2r.h"], 0.03),
    "convert": (["convert", "planar2r", "--to", "urdf", "--out", "o.urdf"], ["o.urdf"], 0.015),
}
LAST = {"html": "</html>", "c": "}", "h": "#endif", "urdf": "</robot>"}


def whole(name, text):
    if name.endswith(".json"):
        return json.loads(text)["status"] in ("finished", "stopped")
    if name.endswith(".csv"):
        lines = text.split("\n")
        return lines[-1] == "" and len(lines) > 2 and len({line.count(",") for line in lines[:-1]}) == 1
    return text.rstrip().endswith(LAST[name.split(".")[-1]])


def everything(folder):
    """path: content, None for a folder"""
    found = {}
    for at, folders, names in os.walk(folder):
        found.update({os.path.relpath(os.path.join(at, name), folder): None for name in folders})
        for name in names:
            with open(os.path.join(at, name)) as f:
                found[os.path.relpath(os.path.join(at, name), folder)] = f.read()
    return found


def wrong(name, before, after, makes, code, errors):
    """What should not be: a sentence, or nothing."""
    changed = [f for f in after if f not in before or after[f] != before[f]]
    if [f for f in changed if f not in makes and f != "made"]:
        return "left %s" % changed
    if "made" in after and not any(f.startswith("made/") for f in after):
        return "left an empty folder"
    if any(f in changed for f in makes) and not all(f in changed for f in makes):
        return "made %s without the others" % changed
    for f in changed:
        if after[f] is not None and not whole(f, after[f]):
            return "%s is not whole" % f
    if name != "simulate" or not changed:
        return None
    told = json.loads(after["o.json"])
    last = float(after["o.csv"].rstrip().split("\n")[-1].split(",")[0])
    if told["status"] != "stopped" or not told["message"] or abs(told["duration"] - last) > 0.0011:
        return "a part of a run that looks whole: %s %g" % (told, last)
    if "o.csv" not in errors or code == 0:
        return "a part of a run, in silence (%d): %s" % (code, errors)
    return None


class Interruptions(Program):
    FILES = {"long.yaml": LONG % 1e5, "short.yaml": LONG % 20, "motion.csv": motion(2000), "log.csv": log(2000),
             "slow.csv": slow(), "points.csv": "q1,q2\n" + "".join("%.3f,%.3f\n" % (math.sin(k), math.cos(k)) for k in range(8))}

    def interrupt(self, k):
        """One interruption: what is wrong afterwards, and the exit status."""
        draw = random.Random(SEED * 1000 + k)
        name = list(COMMANDS)[k % len(COMMANDS)]
        words, makes, most = COMMANDS[name]
        how = draw.choice(SIGNALS + ["file size"])
        limit, wait = draw.randrange(0, 40) * 1024, draw.random() * most

        def prepare():
            for number in SIGNALS:
                signal.signal(number, signal.SIG_DFL)
            if how == "file size":
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        with tempfile.TemporaryDirectory() as folder:
            for file in self.FILES:
                os.link(self.path(file), os.path.join(folder, file))
            os.mkdir(os.path.join(folder, "tmp"))
            for file in makes:
                if draw.random() < 0.3 and "/" not in file:  # an older result
                    with open(os.path.join(folder, file), "w") as f:
                        f.write("old")
            before = everything(folder)
            p = subprocess.Popen([ARNE, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=prepare,
                                 env={**os.environ, "TMPDIR": os.path.join(folder, "tmp")})
            if how != "file size":
                time.sleep(wait)
                p.send_signal(how)
            errors = p.communicate(timeout=60)[1].decode()
            why = wrong(name, before, everything(folder), makes, p.returncode, errors)
            return why and "interruption %d: %s, %s after %.4f s (limit %d): %s" % (k, name, how, wait, limit, why), p.returncode

    def test_nothing_is_left_behind(self):
        print("seed %d" % SEED)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            done = list(pool.map(self.interrupt, range(MANY)))
        self.assertEqual([why for why, _ in done if why], [])
        self.assertGreater(sum(code != 0 for _, code in done), MANY / 4)  # else they came too late to tell anything

    def test_an_interrupted_run_keeps_its_rows_and_says_so(self):
        for number in SIGNALS:
            p = subprocess.Popen([ARNE, "simulate", "long.yaml", "--out", "run.csv"], cwd=self.folder, stderr=subprocess.PIPE,
                                 stdout=subprocess.DEVNULL, text=True, preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_DFL))
            deadline = time.time() + 30
            while time.time() < deadline and not [n for n in os.listdir(self.folder) if n.endswith(".part")]:
                time.sleep(0.01)
            time.sleep(0.1)
            p.send_signal(number)
            errors = p.communicate(timeout=60)[1]
            self.assertEqual(p.returncode, 128 + number)
            self.assertRegex(errors, r"^arne: stopped at t = .*; run.csv holds t = 0 \.\.\. ")
            told = json.loads(self.read("run.json"))
            self.assertEqual(told["status"], "stopped")
            self.assertIn("interrupted", told["message"])
            self.near(self.table("run.csv")[-1]["t"], told["duration"], 0.0011)
            self.assertEqual(sorted(os.listdir(self.folder)), sorted([*self.FILES, "run.csv", "run.json"]))
            os.remove(self.path("run.csv")), os.remove(self.path("run.json"))

    def test_a_file_that_may_not_grow_ends_with_a_whole_row(self):
        limit = 100 * 1024
        r = subprocess.run([ARNE, "simulate", "long.yaml", "--out", "run.csv"], cwd=self.folder, capture_output=True, text=True,
                           timeout=60, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertEqual(r.returncode, 1)
        self.assertRegex(r.stderr, r"^arne: run.csv: cannot write: File too large; it holds t = 0 \.\.\. [\d.]+\n$")
        length = os.path.getsize(self.path("run.csv"))
        self.assertTrue(limit - 500 < length <= limit, length)
        self.assertTrue(whole("run.csv", self.read("run.csv")))
        self.near(self.table("run.csv")[-1]["t"], json.loads(self.read("run.json"))["duration"])

    def test_a_table_does_not_come_without_what_is_said_about_it(self):
        os.mkdir(self.path("o.json"))
        for name in ("simulate to its end", "feasible", "elastic", "observe", "plan"):
            self.refused(1, "o.json", *COMMANDS[name][0])


if __name__ == "__main__":
    main()
