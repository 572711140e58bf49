# SPDX-License-Identifier: MIT
"""Every quantity of `arne eval --want` as a method: the numbers of the program, for robots of every kind of joint; layouts, floats,
threads, out=; what is refused, and in which words."""
import copy
import doctest
import json
import os
import pickle
import subprocess
import tempfile
import threading
import unittest
import warnings

import arne
import numpy as np

PROGRAM = os.environ["ARNE"]
DATA = os.path.join(os.path.dirname(__file__), "..", "data")
g = np.random.default_rng(19)
GROUPS = ("q", "qd", "qdd", "qddd", "qdddd", "tau", "qa", "qnext", "qdnext")


def states(m, n):
    x = {k: g.uniform(-1, 1, (n, m.nq if k in ("q", "qnext") else m.nv)) for k in GROUPS}
    for k in ("q", "qnext"):
        x[k] = m.normalize(x[k])
    return x


def evaluate(robot, want, x, *options):
    names = [f"{k}{i + 1}" for k in x for i in range(x[k].shape[1])]
    rows = [",".join(repr(float(v)) for k in x for v in x[k][i]) for i in range(len(x["q"]))]
    text = ",".join(names) + "\n" + "\n".join(rows) + "\n"
    r = subprocess.run([PROGRAM, "eval", robot, "--want", want, "--in", "-", "--format", "json", "--quiet", *options], input=text,
                       capture_output=True, text=True)
    if r.returncode:
        raise RuntimeError(r.stderr)
    return [json.loads(line) for line in r.stdout.splitlines()]


def far(a, b):
    a, b = np.asarray(a, float), np.asarray(b, float)
    return np.inf if a.shape != b.shape else np.max(np.abs(a - b), initial=0) / max(1, np.max(np.abs(b), initial=0))


class Numbers(unittest.TestCase):
    def all_rows(self, m, robot, *options):
        x = states(m, 3)
        rows = [r for r in arne.table() if r["name"] not in ("integrate", "difference", "normalize", "rate")]
        lone = ("elastic", "achievable", "fd", "dfd", "dfd_parameters", "dfd_payload")  # what some robots have not
        together = evaluate(robot, ",".join(r["name"] for r in rows if r["name"] not in lone), x, *options)
        for row in rows:
            name, more = row["name"], {}
            words = list(options)
            if "dt" in row["options"]:
                more, words = {"dt": 0.01}, words + ["--dt", "0.01"]
            try:
                want = [line[name] for line in (evaluate(robot, name, x, *words) if name in lone else together)]
            except RuntimeError as e:
                with self.assertRaises(arne.Error, msg=f"{robot} {name}: {e}"):
                    getattr(m, name)(*[x[k] for k in row["inputs"]], **more)
                continue
            got = getattr(m, name)(*[x[k] for k in row["inputs"]], **more)
            one = getattr(m, name)(*[x[k][1] for k in row["inputs"]], **more)
            for k, part in enumerate(row["parts"]):
                many = got[k] if part[0] else got
                single = one[k] if part[0] else one
                for i, line in enumerate(want):
                    ref = line[part[0]] if part[0] else line
                    if part[0] == "saturated":
                        ref = [n in ref for n in m.v_names]
                    self.assertLess(far(many[i], ref), 1e-14, f"{robot} {name} {part[0]}")
                self.assertTrue(np.array_equal(single, many[1]), f"{robot} {name}: one state is not one of many")

    def test_every_quantity_is_that_of_the_program(self):
        for robot in ("planar2r", "kuka-lwr", "stanford", "coupled-wrist", "quadrotor-arm"):
            self.all_rows(arne.load(robot), robot)
        self.all_rows(arne.load("ur5e", base="free"), "ur5e", "--base", "free")

    def test_files(self):
        """A tree, and fingers that follow, or not."""
        link = '<link name="%s"><inertial><origin xyz="0.1 0 0.2"/><mass value="%d"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" ' \
               'iyz="0" izz="0.1"/></inertial></link>'
        joint = '<joint name="%s" type="revolute"><parent link="%s"/><child link="%s"/><origin xyz="0.3 0 0"/><axis xyz="0 1 0"/>' \
                '<limit lower="-1" upper="1" effort="5" velocity="5"/>%s</joint>'
        text = "".join(["<robot name='hand'>", *(link % (n, i + 1) for i, n in enumerate("abcd")), joint % ("j1", "a", "b", ""),
                        joint % ("left", "b", "c", ""), joint % ("right", "b", "d", '<mimic joint="left" multiplier="-1"/>'),
                        "</robot>"])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "hand.urdf")
            with open(path, "w") as file:
                file.write(text)
            self.assertEqual(arne.load(path).joints, ("j1", "left"))
            for mimic, n in (("follow", 2), ("independent", 3)):
                m = arne.load(path, mimic=mimic)
                self.assertEqual(m.nv, n)
                self.all_rows(m, path, "--mimic", mimic)
        everything = os.path.join(DATA, "mjcf", "everything.xml")
        m = arne.load(everything)
        said = subprocess.run([PROGRAM, "eval", everything, "--want", "com,mass", "--state", "home", "--format", "json", "--quiet"],
                              capture_output=True, text=True, check=True).stdout
        q, qd = m.state("home")
        named = dict(zip(m.q_names, q))
        self.assertEqual((named["flies.z"], named["bend"], named["wags.qw"], named["hinge"]), (1, 0.2, 1, 0.5))  # as the file has it
        self.assertLess(far(m.mass(q), json.loads(said)["mass"]), 1e-14)
        self.assertLess(far(m.com(q, qd).position, json.loads(said)["com"]["position"]), 1e-14)
        tree = os.path.join(DATA, "trees", "tree_05.urdf")
        self.all_rows(arne.load(tree), tree)

    def test_symbols_and_tools(self):
        text = "name: x\nconvention: dh\njoints:\n  - {name: j1, type: revolute, a: L, link: {mass: 2}}\n"
        m = arne.Model.from_yaml(text, set={"L": 0.5}, tool=(0.1, 0, 0))
        self.assertAlmostEqual(m.mass([0.0])[0, 0], 2 * 0.5**2)
        self.assertEqual(m.tip, "tool")
        self.assertTrue(np.allclose(m.pose([0.0]).position, [0.6, 0, 0]))
        self.assertTrue(np.allclose(pickle.loads(pickle.dumps(m)).pose([0.0]).position, [0.6, 0, 0]))
        x = states(arne.load("ur5e"), 2)
        ref = evaluate("ur5e", "jacobian", x, "--tool", "elbow=0.1,0.2,0.3")
        self.assertLess(far(arne.load("ur5e", tool=("elbow", 0.1, 0.2, 0.3)).jacobian(x["q"]), [r["jacobian"] for r in ref]), 1e-14)
        for words, more in (("L", {}), ("set", {"set": {3: 1}}), ("tool", {"set": {"L": 1}, "tool": ("j1", 1)})):
            with self.assertRaisesRegex((arne.Error, TypeError), words): arne.Model.from_yaml(text, **more)

    def test_what_a_model_tells(self):
        m = arne.load("ur5e", base="free")
        info = json.loads(subprocess.run([PROGRAM, "info", "ur5e", "--base", "free", "--format", "json"], capture_output=True, text=True,
                                         check=True).stdout)
        self.assertEqual((m.nq, m.nv, m.total_mass), (info["nq"], info["nv"], info["mass"]))
        self.assertEqual(list(m.joints), [j["name"] for j in info["joints"]])
        self.assertEqual(m.limits.upper[6:].tolist(), [j["upper"] for j in info["joints"][1:]])
        self.assertTrue(np.isinf(m.limits.effort[:6]).all())
        self.assertEqual(m.q_names[:4], ("base.x", "base.y", "base.z", "base.qx"))
        self.assertEqual(m.with_gravity(1, 2, 3).gravity_vector.tolist(), [1, 2, 3])

    def test_settings(self):
        m, x = arne.load("ur5e"), states(arne.load("ur5e"), 2)
        plain = m.id(x["q"], x["qd"], x["qdd"])
        other = m.with_payload("wrist_3", 2, (0, 0, 0.1), np.eye(3) * 0.01).with_gravity(0, 0, -1.62).with_wrenches(
            ("elbow", [1, 2, 3, 4, 5, 6], "aligned", [0.1, 0, 0])).with_rigid()
        ref = evaluate("ur5e", "id", x, "--payload", "wrist_3=2,0,0,0.1,0.01,0,0,0.01,0,0.01", "--gravity", "0,0,-1.62", "--rigid",
                       "--wrench", "elbow=1,2,3,4,5,6@0.1,0,0")
        self.assertLess(far(other.id(x["q"], x["qd"], x["qdd"]), [r["id"] for r in ref]), 1e-14)
        self.assertTrue(np.array_equal(plain, m.id(x["q"], x["qd"], x["qdd"])), "settings of one changed the other")
        for again in (pickle.loads(pickle.dumps(other)), copy.copy(other)):
            self.assertTrue(np.array_equal(again.id(x["q"], x["qd"], x["qdd"]), other.id(x["q"], x["qd"], x["qdd"])))
        K = m.parameters * 1.5
        self.assertLess(far(m.with_parameters(K).mass(x["q"]), 1.5 * m.mass(x["q"])), 1e-14)

    def test_layouts(self):
        m = arne.load("kuka-lwr")
        x = states(m, 300)
        q, qd, qdd = x["q"], x["qd"], x["qdd"]
        ref = m.id(q, qd, qdd)
        wide = np.zeros((300, 20))
        wide[:, 3:17:2] = q
        back = np.ascontiguousarray(qd[::-1])[::-1]
        odd = np.frombuffer(b"x" + qdd.tobytes(), dtype="u1")[1:].view("f8").reshape(300, 7)
        self.assertFalse(odd.flags.aligned)
        for a, b, c in ((np.asfortranarray(q), back, odd), (wide[:, 3:17:2], qd, qdd), (q.tolist(), qd, qdd),
                        (q.astype(">f8"), qd, qdd)):
            self.assertTrue(np.array_equal(m.id(a, b, c), ref))
            self.assertTrue(np.array_equal(m.id(a, b, c, threads=2), ref))
        self.assertTrue(np.array_equal(m.id(q, qd[0], qdd), m.id(q, np.tile(qd[0], (300, 1)), qdd)))
        self.assertTrue(np.array_equal(m.id(q, qd, (9 * qdd).astype(int)), m.id(q, qd, (9 * qdd).astype(int).astype(float))))
        self.assertEqual(m.id(q[:0], qd[:0], qdd[:0]).shape, (0, 7))
        out = np.zeros((300, 14))[:, ::2]
        self.assertIs(m.id(q, qd, qdd, out=out), out)
        self.assertTrue(np.array_equal(out, ref))
        parts = tuple(np.empty((7, 300, 7)).transpose(1, 2, 0) for _ in range(3))
        m.did(q, qd, qdd, out=parts)
        for a, b in zip(parts, m.did(q, qd, qdd, threads=0)):
            self.assertTrue(np.array_equal(a, b))

    def test_floats(self):
        for robot in ("kuka-lwr", "quadruped"):
            m = arne.load(robot)
            x = {k: v.astype("f4") for k, v in states(m, 40).items()}
            for name in ("id", "fd", "mass", "did", "jacobian", "motor"):
                given = [x[k] for k in next(r for r in arne.table() if r["name"] == name)["inputs"]]
                got, ref = getattr(m, name)(*given), getattr(m, name)(*[v.astype("f8") for v in given])
                for a, b in zip(got if name == "did" else [got], ref if name == "did" else [ref]):
                    self.assertEqual(a.dtype, np.float32)
                    self.assertLess(far(a, b), 2e-4, f"{robot} {name}")
            self.assertEqual(m.id(x["q"].astype("f8"), x["qd"], x["qdd"]).dtype, np.float64)

    def test_eight_threads(self):
        m = arne.load("humanoid")
        x = states(m, 64)
        ref, wrong = m.fd(x["q"], x["qd"], x["tau"]), []

        def work(i):
            for k in range(30):
                a, n = i * 8 + k % 8, (k * 7) % 64
                if not np.array_equal(m.fd(x["q"][a], x["qd"][a], x["tau"][a]), ref[a]): wrong.append(a)
                if not np.array_equal(m.fd(x["q"][n:], x["qd"][n:], x["tau"][n:]), ref[n:]): wrong.append(n)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for t in threads: t.start()
        for t in threads: t.join()
        self.assertEqual(wrong, [])
        child = os.fork()
        if not child:
            os._exit(0 if np.array_equal(m.fd(x["q"], x["qd"], x["tau"], threads=2), ref) else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0, "after a fork")

    def test_positions(self):
        m = arne.load("quadruped")
        x, h = states(m, 20), 1e-6
        q2 = m.integrate(x["q"], x["qd"])
        self.assertLess(far(m.difference(x["q"], q2), x["qd"]), 1e-12)
        ahead, behind = m.integrate(x["q"], h * x["qd"]), m.integrate(x["q"], -h * x["qd"])
        self.assertLess(far((ahead - behind) / (2 * h), m.rate(x["q"], x["qd"])), 1e-8)
        self.assertTrue(np.array_equal(m.neutral[3:7], [0, 0, 0, 1]))

    def test_methods(self):
        m = arne.load("puma560")
        x = states(m, 5)
        for method in ("turney", "lagrange", "gibbs-appell", "mrnea"):
            self.assertLess(far(m.id(x["q"], x["qd"], x["qdd"], method=method), m.id(x["q"], x["qd"], x["qdd"])), 1e-12)
        for method in ("crba", "wo1", "mrnea", "aba"):
            self.assertLess(far(m.fd(x["q"], x["qd"], x["tau"], method=method), m.fd(x["q"], x["qd"], x["tau"])), 1e-10)
        ref = evaluate("puma560", "regressor", x, "--order", "pinocchio", "--friction-columns")
        got = m.regressor(x["q"], x["qd"], x["qdd"], order="pinocchio", friction_columns=True)
        self.assertLess(far(got, [r["regressor"] for r in ref]), 1e-14)


class Refusals(unittest.TestCase):
    def refused(self, kind, words, call):
        with self.assertRaises(kind) as caught:
            call()
        for word in words.split("|"):
            self.assertIn(word, str(caught.exception))

    def test_arguments(self):
        m, z = arne.load("ur5e"), np.zeros(6)
        many = np.zeros((4, 6))
        for kind, words, call in (
                (ValueError, "qd|(5,)|(6,) or (N, 6)", lambda: m.id(z, z[:5], z)),
                (ValueError, "q|(4, 6, 1)", lambda: m.id(many[:, :, None], z, z)),
                (ValueError, "q|()", lambda: m.mass(1.0)),
                (ValueError, "qdd|3 states|4", lambda: m.id(many, many, many[:3])),
                (TypeError, "qdd|numbers|str", lambda: m.id(z, z, "x")),
                (TypeError, "q|numbers|complex", lambda: m.mass(z + 1j)),
                (TypeError, "q|numbers|NoneType", lambda: m.mass(None)),
                (TypeError, "qdd", lambda: m.id(z, z)),
                (TypeError, "3 arrays|4", lambda: m.id(z, z, z, z)),
                (TypeError, "qd|twice", lambda: m.id(z, z, z, qd=z)),
                (TypeError, "speed", lambda: m.id(z, z, z, speed=1)),
                (ValueError, "out|(5,)|(6,)", lambda: m.id(z, z, z, out=np.zeros(5))),
                (TypeError, "out|float64", lambda: m.id(z, z, z, out=np.zeros(6, "f4"))),
                (TypeError, "out|written", lambda: m.id(z, z, z, out=bytes(48))),
                (ValueError, "out|shares|qdd", lambda: m.id(z, z + 1, z + 2, out=None) is None or m.id(many[0], many[1], z, out=z)),
                (TypeError, "out|tuple of 3", lambda: m.did(z, z, z, out=z)),
                (ValueError, "threads|-1", lambda: m.id(many, many, many, threads=-1)),
                (ValueError, "wrist3|wrist_3", lambda: m.jacobian(z, link="wrist3")),
                (ValueError, "frame|upside|aligned", lambda: m.jacobian(z, frame="upside")),
                (ValueError, "method|newton|turney", lambda: m.id(z, z, z, method="newton")),
                (ValueError, "dt", lambda: m.achievable(z, z, z, z)),
                (ValueError, "inertia|(2, 2)", lambda: m.with_payload("wrist_3", 1, inertia=np.eye(2))),
                (ValueError, "no link|elbo", lambda: m.with_payload("elbo", 1)),
                (ValueError, "gravity|nan", lambda: m.with_gravity(0, 0, np.nan)),
                (ValueError, "parameters|(3,)", lambda: m.with_parameters([1, 2, 3])),
                (TypeError, "arne.load", arne.Model)):
            self.refused(kind, words, call)

    def test_robots(self):
        self.refused(arne.Error, "no robot|ur5e", lambda: arne.load("ur5"))
        self.refused(arne.Error, "nowhere.urdf", lambda: arne.load("/nowhere.urdf"))
        self.refused(ValueError, "base|swimming|free", lambda: arne.load("ur5e", base="swimming"))
        with self.assertRaises(arne.Error) as caught:
            arne.Model.from_yaml("name: x\nconvention: dh\njoints:\n  - name: j1\n    type: wheel\n")
        self.assertEqual((caught.exception.file, caught.exception.line), ("yaml", 5))
        self.assertIn("j1", str(caught.exception))
        free = arne.load("quadruped")
        q = free.neutral
        q[3:7] = 0.1, 0, 0, 1.1
        self.refused(ValueError, "quaternion|base|state 0", lambda: free.mass(q))
        empty = arne.Model.from_yaml("name: x\nconvention: dh\njoints:\n  - {name: j1, type: revolute, a: 1}\n")
        self.refused(arne.Error, "singular|j1", lambda: empty.fd([0], [0], [1]))
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            arne.Model.from_yaml("name: x\nconvention: dh\njoints:\n  - {name: j1, type: revolute, a: 1, link: {mass: -1}}\n")
        self.assertIn("j1", str(said[0].message))


class Help(unittest.TestCase):
    def test_examples(self):
        q, qd, qdd, tau = np.array([0.3, -0.5]), np.array([0.2, 0.4]), np.array([1.0, 2.0]), np.array([3.0, 4.0])
        names = dict(arne=arne, np=np, m=arne.load("planar2r"), q=q, qd=qd, qdd=qdd, tau=tau)
        finder, runner = doctest.DocTestParser(), doctest.DocTestRunner()
        things = {r["name"]: getattr(arne.Model, r["name"]) for r in arne.table()}
        things.update(load=arne.load, rollout=arne.Model.rollout, from_yaml=arne.Model.from_yaml)
        for name, thing in things.items():
            test = finder.get_doctest(thing.__doc__, dict(names), name, None, 0)
            self.assertTrue(test.examples, f"{name} has no example")
            self.assertEqual(runner.run(test).failed, 0, name)
            if name in arne.Model.__dict__ or name == "load": continue
            for word in ("(", "threads", next(r for r in arne.table() if r["name"] == name)["about"]):
                self.assertIn(word, thing.__doc__)


class Memory(unittest.TestCase):
    def test_no_leak(self):
        import resource
        m, z, many = arne.load("planar2r"), np.zeros(2), np.zeros((20, 2))

        def work(n):
            for _ in range(n):
                m.id(z, z, z), m.did(z, z, z), m.mass(many[:, ::-1])
                m.with_gravity(0, 0, 0)
                try: m.id(z, z, "x")
                except TypeError: pass

        work(500)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        work(10000)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 2000, "kB for ten thousand rounds")


if __name__ == "__main__":
    unittest.main()
