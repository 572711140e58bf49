# SPDX-License-Identifier: MIT
"""Words that people bring with them: names of other libraries, files of other tools, scenarios by their names."""
import json
import os
import re
import shutil

from support import TOP, Program, main


def rows():
    """(word, what arne calls it) of the tables of doc/coming_from.md"""
    with open(os.path.join(TOP, "doc", "coming_from.md")) as f:
        for line in f:
            cells = line.split("|")
            if len(cells) == 4:
                ours = re.match(r" `(?:eval --want (\w+)|(arne [^`]*))`", cells[2])
                for word in re.findall(r"`([^`]*)`", cells[1]):
                    yield word, ours and (ours.group(1) or ours.group(2))


def known():
    """(word, ours) of the program"""
    with open(os.path.join(TOP, "src", "cli", "alias.c")) as f:
        return dict(re.findall(r'^    \{"(\w+)", "([^"]*)"\}', f.read(), re.M))


class Words(Program):
    def test_the_page_and_the_program_know_the_same_words(self):
        page = {word: ours for word, ours in rows() if ours}
        self.assertGreater(len(known()), 50)
        for word, ours in known().items():
            self.assertTrue(word in page and ours.startswith(page[word]), (word, ours, page.get(word)))

    def test_names_of_others_are_taken_and_translated(self):
        wanted = [(word, ours) for word, ours in known().items() if not ours.startswith("arne ")]
        results = {}
        for word, ours in wanted:
            r = self.run_arne("eval", "planar2r", "--want", word, "--format", "json")
            self.assertEqual((r.returncode, r.stderr), (0, "arne: note: arne calls %s: %s\n" % (word, ours)))
            if ours not in results:
                results[ours] = self.answer("eval", "planar2r", "--want", ours)
            self.assertEqual(json.loads(r.stdout), results[ours], word)
        self.assertEqual(self.answer("eval", "planar2r", "--want", "RNEA", "--quiet"), results["id"])
        self.assertNotEqual(results["mass"], results["momentum"])
        self.refused(2, 'there is no "m"', "eval", "planar2r", "--want", "m")  # a letter is what it is

    def test_what_is_no_quantity_is_answered_with_its_command(self):
        for word, ours in known().items():
            line = ours if ours.startswith("arne ") else "arne eval ROBOT --want " + ours
            self.refused(2, 'there is no command "%s"; arne calls it: %s' % (word, line), word, "planar2r")
            if ours.startswith("arne "):
                self.refused(2, "a command of its own here: " + ours, "eval", "planar2r", "--want", word)
        self.refused(2, "arne eval ROBOT --want mass", "mass", "planar2r")
        self.refused(2, "arne eval ROBOT --want id", "help", "rnea")
        self.refused(2, 'there is no command "fly" (the commands: arne help)', "fly")

    def test_files_of_other_tools_are_seen(self):
        self.write("r.xacro", "<robot/>")
        self.write("r.urdf.xacro", "<robot/>")
        self.write("s.txt", "?")
        self.refused(1, "arne: r.xacro: a xacro file is a program that writes a URDF: xacro r.xacro > robot.urdf", "info", "r.xacro")
        self.refused(1, "xacro ./r.urdf.xacro > robot.urdf", "info", "./r.urdf.xacro")
        self.refused(1, "arne: s.txt: unknown kind of file", "info", "s.txt")
        self.refused(1, "arne: t.sdf: there is no such file", "info", "t.sdf")
        os.mkdir(self.path("planar2r"))  # a folder of this name hides no robot
        self.good("info", "planar2r")

    def test_scenarios_by_name(self):
        names = sorted(n[:-5] for n in os.listdir(os.path.join(TOP, "examples", "scenarios")) if n.endswith(".yaml"))
        self.assertIn("Shipped scenarios: " + " ".join(names) + ".", " ".join(self.good("help", "simulate").split()))
        at = os.path.join(TOP, "examples", "scenarios", "pendulum.yaml")
        by_name, by_path = (self.answer("simulate", name, "--set", "duration=0.2") for name in ("pendulum", at))
        self.assertEqual(by_name["summary"]["ticks"], by_path["summary"]["ticks"])
        self.refused(1, 'there is no scenario "pendulun"; did you mean "pendulum"?', "simulate", "pendulun")
        self.refused(1, "arne: gone.yaml: there is no such file", "simulate", "gone.yaml")
        os.mkdir(self.path("mine"))
        shutil.copy(at, self.path("mine", "swing.yaml"))
        self.good("simulate", "swing", "--set", "duration=0.1", "--quiet", ARNE_SCENARIOS=self.path("mine"))


if __name__ == "__main__":
    main()
