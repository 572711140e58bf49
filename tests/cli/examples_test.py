#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pastes what people paste: the examples of every command's help, and every line "$ ..." of README.md and doc/*.md, and compares
what comes out with what the page says.

A page runs in a folder of its own that looks like the top folder of arne after make. A block of YAML, XML or .par after a line that
names a file (`pendulum.urdf`) becomes that file. Output is compared word by word, numbers to six digits; a line "..." stands for
anything. The program is $ARNE, or build/arne."""
import glob
import os
import re
import subprocess
import unittest

from support import ARNE, TOP, Program, arne, main

# not run here: they take long and tests of their own run them, need another build, or are installed things
ELSEWHERE = re.compile(r"codegen|\bcc\b|\$\{CC|build-|\bmake\b|pkg-config|sincos_coefficients|^cd ")
# their numbers are times of this machine
TIMED = re.compile(r"arne (formulations(?! --published)|bench)|--test|simulate|demo")
NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def commands():
    text = arne("help").stdout
    return re.findall(r"^  (\w+) +\S", text, re.M)


def same(expected, got):
    """word by word, numbers to six digits"""
    e, g = (NUMBER.split(x) for x in (expected, got))
    if [" ".join(x.split()) for x in e] != [" ".join(x.split()) for x in g]:
        return False
    pairs = zip(NUMBER.findall(expected), NUMBER.findall(got))
    return all(abs(float(a) - float(b)) <= 1e-5 * max(abs(float(a)), abs(float(b))) + 1e-14 for a, b in pairs)


def matches(expected, got):
    """lists of lines; "..." is any number of lines"""
    if not expected:
        return not got
    if expected[0].strip() == "...":
        return any(matches(expected[1:], got[k:]) for k in range(len(got) + 1))
    return bool(got) and same(expected[0], got[0]) and matches(expected[1:], got[1:])


def blocks(text):
    """(language, lines, the words before it) of every block of code; indented blocks that hold a "$ " line too"""
    lines, before, k = text.splitlines(), "", 0
    while k < len(lines):
        if lines[k].startswith("```"):
            end = k + 1
            while not lines[end].startswith("```"):
                end += 1
            yield lines[k][3:].strip(), lines[k + 1:end], before
            before, k = "", end + 1
        elif lines[k].startswith("    ") and not before.rstrip().endswith("-"):
            end = k
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            yield "", [x[4:] for x in lines[k:end]], before
            before, k = "", end
        else:
            before += lines[k] + "\n"
            k += 1


def pasted(lines):
    """(command, lines of its output or None where the page shows none) of a block"""
    command, output = None, []
    for line in lines + ["$ "]:
        if line.startswith("$ "):
            if command:
                while output and not output[-1].strip():
                    output.pop()
                yield command, output or None
            command, output = line[2:], []
        else:
            output.append(line)


class Case(Program):
    def setUp(self):
        super().setUp()
        os.mkdir(os.path.join(self.folder, "build"))
        os.symlink(ARNE, os.path.join(self.folder, "build", "arne"))
        for name in ("robots", "examples", "tools", "include", "src", "doc", "tests"):
            os.symlink(os.path.join(TOP, name), os.path.join(self.folder, name))
        self.environment = {**os.environ, "PATH": os.path.join(self.folder, "build") + ":" + os.environ["PATH"]}

    def shell(self, line):
        return subprocess.run(["/bin/sh", "-c", line], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                              env=self.environment)

    def page(self, path):
        with open(os.path.join(TOP, path), encoding="utf-8") as f:
            text = f.read()
        for language, lines, before in blocks(text):
            names = re.findall(r"`([\w.-]+\.(?:yaml|urdf|xml|par|csv|c))`", before)
            if names and language in ("yaml", "xml", "par", "csv") and not lines[0].startswith("$ "):
                with open(os.path.join(self.folder, names[-1]), "w") as f:
                    f.write("\n".join(lines) + "\n")
            for command, output in pasted(lines):
                if ELSEWHERE.search(command):
                    continue
                with self.subTest(page=path, command=command):
                    self.paste(command, output)

    def paste(self, command, output):
        r = self.shell(command)
        refusal = output and any(re.match("arne: (?!warning: |note: )", line) for line in output)
        self.assertIn(r.returncode, (1, 2) if refusal else (0,), (command, r.stderr))
        if output is None or TIMED.search(command):
            return
        got = [line for line in (r.stdout + r.stderr).splitlines() if line.strip()]
        self.assertTrue(matches([line for line in output if line.strip()], got), "\n".join(["the page says:", *output, "arne says:", *got]))


class Help(Case):
    def test_every_command_has_an_example_that_works(self):
        names = commands()
        self.assertIn("eval", names)
        for name in names:
            text = subprocess.run([ARNE, "help", name], capture_output=True, text=True, check=True).stdout
            lines = text[text.index("\nexample:\n") + 10:].splitlines()
            self.assertTrue(any("arne " + name in line for line in lines), text)
            with self.subTest(command=name):
                r = self.shell("set -e\n" + "\n".join(lines).replace(ARNE + " ", "arne "))
                self.assertEqual(r.returncode, 0, (lines, r.stderr))
                for said in r.stderr.splitlines():
                    self.assertTrue(said.startswith("arne: warning: "), said)


def sanitized():
    with open(ARNE, "rb") as f:
        return b"__asan_init" in f.read()


@unittest.skipIf(sanitized(), "what comes out does not depend on sanitizers: the other builds read the pages")
class Pages(Case):
    def test_readme(self):
        setup = ["build/arne convert ur5e --to urdf --quiet | sed 's/\"wrist_3\"/\"tool0\"/' > my_robot.urdf",
                 "printf 'q1,q2,q3,q4,q5,q6\\n0,0.1,0.2,0.3,0.4,0.5\\n' > states.csv",
                 "printf 't,q1\\n0,0\\n1,1\\n' > run.csv",
                 "printf 'q1,q2,q3,q4,q5,q6,q7\\n0,0,0,0,0,0,0\\n0.5,0.3,0,-0.5,0,0.2,0\\n' > points.csv",
                 "printf 'x,y,z\\n0.4,0.2,0.3\\n0.4,-0.2,0.3\\n' > poses.csv",
                 "awk 'BEGIN { print \"t,q1,q2,q3,q4,q5,q6,q7\"; for (i = 0; i <= 200; i++) { x = sin(i / 50); "
                 "printf \"%.2f,%.12f,%.12f,0,%.12f,0,%.12f,0\\n\", i / 100, x / 3, x / 5, x / 4, x / 6 } }' > smooth.csv",
                 "printf 't,q1,q2,q3,q4,q5,q6,q7\\n0,0,0,0,0,0,0,0\\n0.1,0,0,0,0,0,0,0\\n' > motion.csv"]
        for line in setup:
            self.assertEqual(self.shell(line).returncode, 0, line)
        self.page("README.md")

    def test_doc(self):
        for path in sorted(glob.glob(os.path.join(TOP, "doc", "*.md"))):
            self.page(os.path.relpath(path, TOP))


if __name__ == "__main__":
    main()
