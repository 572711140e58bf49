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


ARM = """name: arm
convention: urdf
joints:
  - {name: a, type: revolute, axis: [0, 0, 1], limits: {lower: -1, upper: 2, velocity: 3, effort: 40}, link: {mass: 5, com: [0.3, 0, 0]}}
  - {name: b, type: prismatic, axis: [1, 0, 0], limits: {lower: -3, upper: 4, velocity: 5, effort: 60}, link: {mass: 2, com: [0, 0.1, 0]}}
"""
WEAK = ARM.replace(", effort: 60", "")


class Sentences(Program):
    """What is refused is told in one sentence, every word and number of it in its place."""
    FILES = {"arm.yaml": ARM, "weak.yaml": WEAK, "p.csv": "q1,q2\n0,0\n1,1\n", "m.csv": "t,q1,q2\n0,0,0\n0.1,0,0\n0.2,0,0\n",
             "log.csv": "t,q1,q2,qd1,qd2,tau1,tau2\n" + "".join("%g,0,0,0,0,0,0\n" % (k / 10) for k in range(8)),
             "slow.csv": "t,q1,q2,qd1,qd2,tau1,tau2\n" + "".join("%g,0,0,0,0,0,0\n" % (k / 4) for k in range(8))}

    def say(self, status, *cases):
        for sentence, *words in cases:
            r = self.run_arne(*words[0].split())
            self.assertEqual((r.returncode, r.stderr, r.stdout), (status, "arne: " + sentence + "\n", ""), words)
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(self.FILES))

    def test_options(self):
        self.say(2,
                 ('info has no option --frmat; did you mean "--format"? (see: arne help info)', "info arm.yaml --frmat json"),
                 ("--format xml: it is one of text, json", "info arm.yaml --format xml"),
                 ("--format needs a value: --format text|json", "info arm.yaml --format"),
                 ("--strict takes no value", "info arm.yaml --strict=1"),
                 ("--base is given twice", "info arm.yaml --base free --base fixed"),
                 ("--params some: it is one of standard, base", "count arm.yaml --params some"),
                 ("--set x: it should read --set NAME=VALUE", "info arm.yaml --set x"),
                 ("--set =2: it should read --set NAME=VALUE", "info arm.yaml --set =2"),
                 ('--set k=two: "two" is not a number', "info arm.yaml --set k=two"),
                 ("--payload b: it should read --payload LINK=m,x,y,z", "info arm.yaml --payload b"),
                 ("--payload b=1,2: after the = come 4 numbers m,x,y,z or 10 with ixx,ixy,ixz,iyy,iyz,izz", "info arm.yaml --payload b=1,2"),
                 ("--payload: link b is given two payloads; add them up in one",
                  "info arm.yaml --payload a=1,0,0,0 --payload b=1,0,0,0 --payload b=2,0,0,0"),
                 ("--gravity 1,2: it takes three numbers x,y,z or the word off", "info arm.yaml --gravity 1,2"),
                 ("--tool 1,2: it takes a point x,y,z of the deepest link, or LINK=x,y,z", "info arm.yaml --tool 1,2"))
        for name in ("info", "variants"):
            line = self.good("help", name).split("usage: ")[1].split("\n")[0]
            self.say(2, ('%s does not know what to do with "more": %s' % (name, line), name + " arm.yaml more"),
                     ("%s needs a ROBOT: %s" % (name, line), name))

    def test_names_of_the_robot(self):
        self.say(1, ('arm.yaml: the robot has no link "bb"; did you mean "b"?', "eval arm.yaml --want pose --link bb"),
                 ('arm.yaml: the robot has no link "bb"; did you mean "b"?', "info arm.yaml --payload bb=1,0,0,0"),
                 ('arm.yaml: the robot has no link "bb"; did you mean "b"?', "eval arm.yaml --want id --wrench bb=1,2,3,4,5,6"),
                 ('arm.yaml: there is no state "up" (arne info lists them)', "eval arm.yaml --want id --state up"),
                 ("weak.yaml:5: joint b has no torque limit; give it one: limits: {effort: ...} or motor: {effort: ...} in YAML, "
                  "<limit effort=\"...\"> in URDF", "feasible weak.yaml --in m.csv"),
                 ("arm.yaml: link base is part of the base; no joint moves it", "reach arm.yaml --pose 1,0,0 --link base"),
                 ("arm.yaml: --links 3: the robot has 2 moving joints", "equations arm.yaml --links 3"))

    def test_eval(self):
        self.say(2,
                 ("eval needs a list of what to compute: --want id,mass,... (see: arne help eval)", "eval arm.yaml"),
                 ("--want id,,fd: it takes names with commas between them", "eval arm.yaml --want id,,fd"),
                 ("--want: mass is there twice", "eval arm.yaml --want mass,id,mass"),
                 ('--want: there is no "mas"; did you mean "mass"? (see: arne help eval)', "eval arm.yaml --want mas"),
                 ("--method crba is of no use to what is wanted: it is a way to compute fd (see: arne help eval)",
                  "eval arm.yaml --want id --method crba"),
                 ("--method lagrange is of no use to what is wanted: it is a way to compute id (see: arne help eval)",
                  "eval arm.yaml --want fd --method lagrange"),
                 ('--method: there is no "lagrang"; did you mean "lagrange"? (see: arne help eval)', "eval arm.yaml --want id --method lagrang"),
                 ("achievable needs the time from qd to qdnext: --dt SECONDS", "eval arm.yaml --want achievable"),
                 ("--dt 0: it takes a number of seconds above 0", "eval arm.yaml --want achievable --dt 0"),
                 ("--out x.txt: its name should end in .npy, .h5 or .csv, or say which --format it has", "eval arm.yaml --want id --out x.txt"),
                 ("--threads takes a whole number", "eval arm.yaml --want id --threads 1.5"),
                 ("--threads 0: it takes a number of threads", "eval arm.yaml --want id --threads 0"),
                 ("--state and --in are two ways to say the same; give one of them", "eval arm.yaml --want id --state up --in p.csv"),
                 ("--wrench 1,2: it should read LINK=fx,fy,fz,mx,my,mz[@x,y,z]", "eval arm.yaml --want id --wrench 1,2"),
                 ("--wrench b=1,2: after the = come six numbers fx,fy,fz,mx,my,mz", "eval arm.yaml --want id --wrench b=1,2"),
                 ("--wrench b=1,2,3,4,5,6@7: after the @ come three numbers x,y,z", "eval arm.yaml --want id --wrench b=1,2,3,4,5,6@7"),
                 ("--wrench b=1,2,3,4,5,6@7,8,9: in the frame world the moment is about the world's origin; leave out @x,y,z",
                  "eval arm.yaml --want id --wrench-frame world --wrench b=1,2,3,4,5,6@7,8,9"))

    def test_counts_equations_and_comparisons(self):
        self.say(2,
                 ('--what: nothing called "mas" can be counted; did you mean "mass"? (arne help count lists all)', "count arm.yaml --what id,mas"),
                 ('--processors takes a whole number from 1 on, not "1.5"', "count arm.yaml --processors 1.5"),
                 ('--processors takes a whole number from 1 on, not "0"', "count arm.yaml --processors 0"),
                 ('--what: there are no equations called "mas"; did you mean "mass"? (arne help equations lists all)',
                  "equations arm.yaml --what gravity,mas"),
                 ('--links takes a whole number from 1 on, not "0"', "equations arm.yaml --links 0"),
                 ('--links takes a whole number from 1 on, not "1.5"', "equations arm.yaml --links 1.5"),
                 ('--published is about a general arm and takes no ROBOT, not "arm.yaml"', "formulations arm.yaml --published"),
                 ("formulations needs a ROBOT, or --published for the general arm", "formulations"),
                 ("--n belongs to --published", "formulations arm.yaml --n 3"),
                 ("--all belongs to --published", "formulations arm.yaml --all"),
                 ("--ms does not belong to --published", "formulations --published --ms 3"),
                 ("--ms 1001: it takes a number of milliseconds between 0 and 1000", "formulations arm.yaml --ms 1001"),
                 ("--ms 10001: it takes a number of milliseconds between 0 and 10000", "bench arm.yaml --ms 10001"),
                 ("--test is for plain functions: leave it out, or --abi casadi", "codegen arm.yaml --abi casadi --test --out d"),
                 ("codegen needs a folder for its files: --out DIR", "codegen arm.yaml"),
                 ("help --words takes links ROBOT", "help --words links"),
                 ("help --words takes no other word", "help --words robots eval"),
                 ("help takes one of COMMAND, --man, --completion, --words and --table", "help eval --man"))

    def test_motions(self):
        self.say(2,
                 ("feasible needs a motion: --in FILE", "feasible arm.yaml"),
                 ("--dt -1: it takes a number of seconds above 0", "feasible arm.yaml --in m.csv --dt -1"),
                 ("plan needs a path: --path FILE of the joints, or --poses FILE of a link", "plan arm.yaml"),
                 ("plan needs a path: --path FILE of the joints, or --poses FILE of a link", "plan arm.yaml --path p.csv --poses p.csv"),
                 ("--grid 2.5: it takes a whole number", "plan arm.yaml --path p.csv --grid 2.5"),
                 ("--grid 1000001: it takes a number of intervals from 1 to 1000000", "plan arm.yaml --path p.csv --grid 1000001"),
                 ("--velocity-scale 1.1: it takes a part of the velocity limits, above 0 and at most 1",
                  "plan arm.yaml --path p.csv --velocity-scale 1.1"),
                 ("--jerk 0: it takes a limit in rad/s^3 or m/s^3 above 0", "plan arm.yaml --path p.csv --jerk 0"),
                 ("--torque-rate 0: it takes a limit in Nm/s or N/s above 0", "plan arm.yaml --path p.csv --torque-rate 0"),
                 ("--start-speed -1: it takes a speed along the path that is not negative", "plan arm.yaml --path p.csv --start-speed -1"),
                 ("--end-speed -1: it takes a speed along the path that is not negative", "plan arm.yaml --path p.csv --end-speed -1"),
                 ("--point 1,2: it takes three numbers x,y,z", "plan arm.yaml --path p.csv --map map.csv --point 1,2"),
                 ("--places 1: it takes a whole number from 2 to 1000000", "plan arm.yaml --path p.csv --map map.csv --places 1"),
                 ("--places 2.5: it takes a whole number from 2 to 1000000", "plan arm.yaml --path p.csv --map map.csv --places 2.5"),
                 ("--link, --point and --planned are about the map: give --map FILE or --plot FILE too", "plan arm.yaml --path p.csv --link b"),
                 ("--link, --point and --planned are about the map: give --map FILE or --plot FILE too", "plan arm.yaml --path p.csv --planned"),
                 ("--from 1: it takes 2 numbers, one a joint, with commas between them", "reach arm.yaml --pose 1,0,0 --from 1"),
                 ("--from 1: it takes 9 numbers, all of a position, with commas between them", "reach arm.yaml --pose 1,0,0 --from 1 --base free"),
                 ("reach needs --pose x,y,z or --pose x,y,z,roll,pitch,yaw (m, rad, world axes)", "reach arm.yaml"),
                 ("--pose 1,2,3,4: it takes 3 numbers (x,y,z) or 6 (x,y,z,roll,pitch,yaw) with commas between them", "reach arm.yaml --pose 1,2,3,4"))

    def test_learning(self):
        of_excite = [("--time 0", "a time in s above 0, up to 10000"), ("--scale 1.5", "a part of the limits above 0, up to 1"),
                     ("--velocity 0", "a speed above 0, rad/s or m/s"), ("--acceleration 0", "an acceleration above 0"),
                     ("--amplitude 0", "an angle in rad, or m, above 0"), ("--dt 1.5", "an interval in s above 0"),
                     ("--harmonics 2", "a whole number, 3 to 64"), ("--harmonics 3.5", "a whole number, 3 to 64"),
                     ("--starts 65", "a whole number, 1 to 64"), ("--random 0", "a whole number, 1 to 1000000"),
                     ("--steps 1000001", "a whole number, 1 to 1000000"), ("--seed 2147483648", "a whole number, 0 to 2147483647"),
                     ("--periods 10001", "a whole number, 1 to 10000"),
                     ("--box 1,2,3", "six numbers in m: x,y,z of the lower corner, then of the upper one"),
                     ("--noise 1,2,3", "2 numbers above 0, one a joint")]
        self.say(2, *[("%s: it takes %s" % (option, what), "excite arm.yaml " + option) for option, what in of_excite],
                 ("--link is about the box: give --box too", "excite arm.yaml --link b"),
                 ("--from needs --amplitude: how far from there", "excite arm.yaml --from 0,0"),
                 ("--out x.json: the name ending in .json is for what is said about the motion; give motion.csv", "excite arm.yaml --out x.json"),
                 ("identify needs a log: --in FILE", "identify arm.yaml"),
                 ('--joints a,c: the robot has no joint "c"; did you mean "a"?', "identify arm.yaml --in log.csv --joints a,c"),
                 ("--payload base: the base does not move: no torque depends on what it carries", "identify arm.yaml --in log.csv --payload base"),
                 ("--load log.csv:b=1,2: it should read --load LOG:LINK=m,x,y,z", "identify arm.yaml --in log.csv --load log.csv:b=1,2"),
                 ("--load log.csv:b=0,1,2,3: it should read --load LOG:LINK=m,x,y,z", "identify arm.yaml --in log.csv --load log.csv:b=0,1,2,3"),
                 ("--cutoff none: it takes a number of Hz above 0, auto or off", "identify arm.yaml --in log.csv --cutoff none"),
                 ("--delay none: it takes seconds, or auto", "identify arm.yaml --in log.csv --delay none"),
                 ("--moving 0: it takes a speed above 0, rad/s or m/s", "identify arm.yaml --in log.csv --moving 0"))

    def test_observing(self):
        self.say(2,
                 ("observe needs a log: --in FILE", "observe arm.yaml"),
                 ("--gain 1,2,3: it takes one number for all joints or 2, one a joint, with commas between them",
                  "observe arm.yaml --in log.csv --gain 1,2,3"),
                 ("--gain 5,-2: the gain of joint b must be above 0", "observe arm.yaml --in log.csv --gain 5,-2"),
                 ("--threshold 0: the threshold of joint a must be above 0", "observe arm.yaml --in log.csv --gain 1 --threshold 0"),
                 ("--learn and --threshold exclude each other", "observe arm.yaml --in log.csv --gain 1 --threshold 1 --learn slow.csv"),
                 ("--rate is about thresholds that are learned: give --learn FILE too", "observe arm.yaml --in log.csv --gain 1 --rate 0.1"),
                 ("--rate 1: it is the chance of a false alarm in an hour, between 0 and 1",
                  "observe arm.yaml --in log.csv --gain 1 --learn slow.csv --rate 1"),
                 ("--point 1,2: it takes three numbers x,y,z (m, axes of the link)", "observe arm.yaml --in log.csv --point 1,2"))
        self.say(1,
                 ("log.csv:1: --links needs the motors: columns theta1 ..., thetad1 ... are missing", "observe arm.yaml --in log.csv --links"),
                 ("slow.csv: the rows to learn from come every 0.25 s, those of log.csv every 0.1 s; record both at one rate",
                  "observe arm.yaml --in log.csv --gain 1 --learn slow.csv"))

    def test_runs(self):
        self.say(2,
                 ("report needs a place for its page: --out page.html", "report m.csv"),
                 ("a page is about one sweep, or about some runs", "report m.csv s.h5 --out page.html"),
                 ("--out x.json: the name ending in .json is for what is said about the run; give run.csv", "simulate pendulum --out x.json"),
                 ("--seed is that of a sweep: give --run K too (the noise of this run: --set sensors.seed=N)", "simulate pendulum --seed 3"),
                 ("--run -1: it takes the number of a run", "simulate pendulum --run -1"),
                 ("sweep needs a place for its runs: --out sweep.h5", "sweep lwr_push"),
                 ("convert needs the format to write: --to urdf|yaml|par", "convert arm.yaml"))

    def test_what_was_written_is_said(self):
        code = ["codegen", "arm.yaml", "--what", "gravity", "--test", "--params", "standard"]
        self.assertEqual(self.good(*code, "--out", "d"),
                         "d/arm.c and arm.h: gravity\nd/arm_test.c: cc arm.c arm_test.c -lm && ./a.out\n")
        self.assertEqual(self.good(*code, "--out", "e", "--name", "mine", "--target", "cuda"),
                         "e/mine.cuh: gravity\ne/mine_test.cu: nvcc mine_test.cu && ./a.out\n")
        self.write("two.yaml", ARM.replace("name: arm", "name: 2-link.arm\nsource: by hand"))
        self.assertEqual(self.good("codegen", "two.yaml", "--what", "gravity", "--out", "f"), "f/__link_arm.c and __link_arm.h: gravity\n")
        self.assertEqual(sorted(os.listdir(self.path("f"))), ["__link_arm.c", "__link_arm.h"])
        self.assertIn("two.yaml; by hand", self.read("f/__link_arm.h"))
        r = self.run_arne("info", self.path("two.yaml"), "--verbose")
        self.assertRegex(r.stderr, r"^arne: note: %s: 2-link\.arm, 2 moving joints, 3 links, 7 kg\n" % re.escape(self.path("two.yaml")))
        r = self.run_arne("report", "m.csv", "--robot", "arm.yaml", "--out", "page.html", "--verbose")
        self.assertIn("arne: note: m.csv: 3 rows, 3 columns, 2 joints\n", r.stderr)

    def test_warnings(self):
        for option, value, tells in (([], "99", "99 rad, far outside its limits -1 ... 2; if these are degrees: --degrees"),
                                     (["--degrees"], "9900", "172.788 rad, far outside its limits -1 ... 2")):
            self.write("far.csv", "q1,q2\n0,0\n%s,0\n-%s,0\n" % (value, value))
            r = self.run_arne("eval", "arm.yaml", "--want", "pose", "--in", "far.csv", "--format", "csv", *option)
            self.assertEqual(r.stderr, "arne: warning: far.csv:3: joint a stands at %s\n" % tells)
        for more, tells in (([], "motor, jacobian, coriolis: one row"), (["--in", "p.csv"], "motor, jacobian, coriolis: not in the code"),
                            (["--in", "p.csv", "--wrench", "b=1,2,3,4,5,6"], "motor, jacobian, coriolis: wrenches are not in the code")):
            r = self.run_arne("eval", "arm.yaml", "--fast", "--want", "motor,jacobian,coriolis", "--jacobian-frame", "local", "--factor",
                              "star0001", *more)
            self.assertEqual(r.stderr, "arne: note: --fast: %s, computed as without it\n" % tells)
        log = "t,qd1,qd2\n0,0,0\n1,0,0\n"
        for want, names in (("id", "qdd"), ("bias", None), ("id,mass", "qdd")):
            r = self.run_arne("eval", "arm.yaml", "--want", want, "--in", "-", "--format", "csv", stdin=log)
            note = "arne: note: <stdin>: there are no columns %s: taken as zero; --differentiate makes them from t\n" % names
            self.assertEqual(r.stderr, note if names else "")
        r = self.run_arne("eval", "arm.yaml", "--want", "id", "--in", "-", "--format", "csv", stdin="t,tau1,tau2\n0,0,0\n1,0,0\n")
        self.assertIn("there are no columns qd, qdd: taken as zero", r.stderr)
        heavy = ("info", "arm.yaml", "--payload", "b=-1,0,0,0", "--format", "json")
        self.assertRegex(self.run_arne(*heavy).stderr, r"^arne: warning: --payload b=-1,0,0,0: \S[^\n]*\n$")
        self.assertEqual(self.run_arne(*heavy, "--quiet").stderr, "")
        self.assertRegex(self.run_arne(*heavy, "--strict").stderr, r"^arne: --payload b=-1,0,0,0: \S[^\n]*\n$")


if __name__ == "__main__":
    main()
