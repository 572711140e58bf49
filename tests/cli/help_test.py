#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What arne says about itself: the manual page and the completions name every command and option of the help, shells and groff
accept them, colours are for terminals, --quiet and --verbose are for every command. The program is $ARNE, or build/arne."""
import os
import pty
import re
import shutil
import subprocess
import tempfile
import unittest

from support import ARNE, arne, main

ESCAPE = "\x1b["


def commands():
    return re.findall(r"^  (\w+) +\S", arne("help").stdout, re.M)


def options(command):
    """those of its help"""
    text = arne("help", command).stdout
    return re.findall(r"^  --([\w-]+)", text[text.index("\noptions:\n"):], re.M)


def on_terminal(*args, **environment):
    """what the program writes to a terminal"""
    main, other = pty.openpty()
    process = subprocess.Popen([ARNE, *args], stdin=other, stdout=other, stderr=other, env={**os.environ, "TERM": "xterm", **environment})
    os.close(other)
    text = b""
    while True:
        try:
            more = os.read(main, 65536)
        except OSError:  # the other side is closed
            break
        if not more:
            break
        text += more
    os.close(main)
    process.wait(timeout=60)
    return text.decode()


class Overview(unittest.TestCase):
    def test_it_begins_with_name_and_version(self):
        self.assertTrue(arne("help").stdout.startswith(arne("--version").stdout.strip() + " - "))


class Manual(unittest.TestCase):
    def test_it_names_every_command_and_option(self):
        text = arne("help", "--man").stdout
        self.assertGreater(len(commands()), 10)
        for name in commands():
            self.assertIn('\n.SS "arne ' + name, text)
            for option in options(name):
                self.assertIn("\\-\\-" + option.replace("-", "\\-"), text)

    def test_it_lists_what_can_be_wanted(self):
        text = arne("help", "--man").stdout
        evaluated = text[text.index('.SS "arne eval'):]
        evaluated = evaluated[:evaluated.index("\n.SS")]
        for name in ("coriolis", "jacobian", "gravity"):
            self.assertRegex(evaluated, r"(?m)^ +%s " % name)

    @unittest.skipUnless(shutil.which("groff"), "groff is not here")
    def test_groff_has_nothing_to_say_about_it(self):
        r = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=arne("help", "--man").stdout, capture_output=True, text=True, timeout=60)
        self.assertEqual((r.returncode, r.stderr), (0, ""))

    @unittest.skipUnless(shutil.which("groff"), "groff is not here")
    def test_examples_come_out_as_they_are_typed(self):
        r = subprocess.run(["groff", "-man", "-Tascii", "-P-c", "-rLL=200n"], input=arne("help", "--man").stdout, capture_output=True, text=True, timeout=60)
        plain = re.sub(".\x08", "", r.stdout)
        self.assertIn("printf 'q1,q2\\n0,0\\n0.5,-0.2\\n' | arne eval planar2r --want id,mass --in -", plain)


@unittest.skipUnless(shutil.which("bash"), "bash is not here")
class Bash(unittest.TestCase):
    def complete(self, *words):
        """what bash would offer for the last word"""
        script = arne("help", "--completion", "bash").stdout
        quoted = " ".join("'%s'" % w for w in words)
        script += "\nCOMP_WORDS=(%s)\nCOMP_CWORD=%d\n_arne\nprintf '%%s\\n' \"${COMPREPLY[@]}\"\n" % (quoted, len(words) - 1)
        path = os.path.dirname(ARNE) + ":" + os.environ["PATH"]
        r = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, timeout=60, env={**os.environ, "PATH": path})
        self.assertEqual((r.returncode, r.stderr), (0, ""), words)
        return set(r.stdout.split())

    def test_commands_and_options_are_those_of_the_help(self):
        self.assertEqual(self.complete("arne", ""), set(commands()) | {"--help", "--version"})
        for name in commands():
            self.assertEqual(self.complete("arne", name, "--"), {"--" + o for o in options(name)} | {"--help"}, name)

    def test_values(self):
        self.assertEqual(self.complete("arne", "info", "puma560", "--format", ""), {"text", "json"})
        self.assertEqual(self.complete("arne", "info", "puma560", "--format", "j"), {"json"})
        self.assertEqual(self.complete("arne", "eval", "puma560", "--in", ""), set())  # the shell completes files
        self.assertEqual(self.complete("arne", "help", "ev"), {"eval"})
        self.assertEqual(self.complete("arne", "eval", "puma560", "--want", "gr"), {"gravity"})
        self.assertLessEqual({"id", "mass", "elastic", "base_regressor"}, self.complete("arne", "eval", "puma560", "--want", ""))
        self.assertEqual(self.complete("arne", "eval", "puma560", "--want", "id,mass,jac"), {"id,mass,jacobian", "id,mass,jacobian_dot"})
        self.assertEqual(self.complete("arne", "eval", "puma560", "--method", "g"), {"gibbs-appell"})
        self.assertEqual(self.complete("arne", "eval", "puma560", "--method", "a"), {"aba"})
        self.assertEqual(self.complete("arne", "observe", "puma560", "--method", ""), {"exact", "numeric"})
        self.assertEqual(self.complete("arne", "eval", "planar2r", "--link", ""), {"base", "j1", "j2"})
        self.assertEqual(self.complete("arne", "reach", "nothing", "--link", ""), set())
        self.assertEqual(self.complete("arne", "simulate", "pend"), {"pendulum"})

    def test_every_word_that_is_offered_is_taken(self):
        for name in self.complete("arne", "eval", "kuka-lwr", "--want", ""):
            r = arne("eval", "kuka-lwr", "--want", name, "--dt", "0.01")
            self.assertEqual(r.returncode, 0, (name, r.stderr))
        for name in self.complete("arne", "eval", "puma560", "--method", ""):
            self.assertRegex(arne("help", "eval").stdout, rf"\n  {name} +\w", name)  # and said what it is
            self.assertEqual(arne("eval", "puma560", "--want", "id,fd", "--method", name).returncode, 0, name)

    def test_robots(self):
        listed = set(re.findall(r'"name":"([^"]*)"', arne("robots", "--format", "json", "--quiet").stdout))
        self.assertIn("planar2r", listed)
        self.assertEqual(self.complete("arne", "info", ""), listed)


@unittest.skipUnless(shutil.which("zsh"), "zsh is not here")
class Zsh(unittest.TestCase):
    def test_it_is_sound_and_complete(self):
        text = arne("help", "--completion", "zsh").stdout
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "_arne")
            with open(path, "w") as f:
                f.write(text)
            r = subprocess.run(["zsh", "-f", "-n", path], capture_output=True, text=True, timeout=60)
            self.assertEqual((r.returncode, r.stderr), (0, ""))
        parts = re.split(r"\n        (\w+)\) _arguments", text)
        said = dict(zip(parts[1::2], parts[2::2]))
        self.assertEqual(sorted(said), sorted(commands()))
        for name in commands():
            self.assertEqual(set(re.findall(r"'\*?--([\w-]+)\[", said[name])), set(options(name)) | {"help"}, name)
        self.assertRegex(said["eval"], r"--want\[.*:LIST:_values -s , name id fd mass ")
        self.assertRegex(said["eval"], r"--link\[.*:LINK:_arne_links'")
        self.assertIn("'*:name:_arne_scenarios'", said["simulate"])

    def test_values(self):
        text = arne("help", "--completion", "zsh").stdout
        for value, completes in (("FILE", "_files"), ("LINK", "_arne_links"), ("text|json", "(text json)"), ("NUMBER", " ")):
            found = set(re.findall(r"'\*?--[\w-]+\[(?:\\.|[^]\\])*\]:%s:([^\n]*)'" % re.escape(value), text))
            self.assertIn(found, [{completes}] + [set()] * (value == "NUMBER"), value)


class Terminal(unittest.TestCase):
    def test_colour_only_on_terminals(self):
        self.assertNotIn(ESCAPE, arne("help", "eval").stdout)
        self.assertNotIn(ESCAPE, arne("fly").stderr)
        os.environ.pop("NO_COLOR", None)
        self.assertIn(ESCAPE + "1musage:", on_terminal("help", "eval"))
        self.assertIn(ESCAPE + "31marne:", on_terminal("fly"))

    def test_colour_can_be_refused(self):
        for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            for args in (("help",), ("help", "eval"), ("fly",)):
                self.assertNotIn(ESCAPE, on_terminal(*args, **environment))


    def test_bench_shows_its_progress(self):
        words = ("bench", "planar2r", "scara", "--ms", "0.01")
        self.assertRegex(on_terminal(*words), r"(?s)  timing planar2r, 1 of 2\r +\r.*  timing scara, 2 of 2\r +\r")
        self.assertNotIn("timing", on_terminal(*words, "--quiet"))
        self.assertEqual(arne(*words).stderr, "")


class QuietAndVerbose(unittest.TestCase):
    def test_every_command_knows_both(self):
        for name in commands():
            self.assertLessEqual({"quiet", "verbose"}, set(options(name)), name)

    def test_verbose_says_what_it_reads_and_how_long_it_takes(self):
        r = arne("info", "planar2r", "--verbose")
        self.assertEqual(r.returncode, 0)
        self.assertRegex(r.stderr, r"^arne: note: \S*planar2r.yaml: planar2r, 2 moving joints[^\n]*\narne: note: info took [\d.]+ s\n$")
        self.assertEqual(r.stdout, arne("info", "planar2r").stdout)

    def test_not_both(self):
        r = arne("info", "planar2r", "--verbose", "--quiet")
        self.assertEqual((r.returncode, r.stdout), (2, ""))
        self.assertIn("do not go together", r.stderr)

    def test_quiet_hides_a_broken_robot_in_the_list(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "aaa.yaml"), "w") as f:
                f.write("joints: [")
            self.assertIn("aaa", arne("robots", ARNE_ROBOTS=folder).stderr)
            self.assertEqual(arne("robots", "--quiet", ARNE_ROBOTS=folder).stderr, "")

    def test_one_paper_at_a_time(self):
        for args in (("--words", "links"), ("--words", "robots", "eval"), ("--words", "robots", "--man"), ("--man", "eval"), ("--man", "--completion", "bash"), ("--completion", "zsh", "eval")):
            r = arne("help", *args)
            self.assertEqual((r.returncode, r.stdout), (2, ""), args)
        self.assertEqual(arne("help", "--completion", "fish").returncode, 2)


if __name__ == "__main__":
    main()
