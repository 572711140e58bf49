# SPDX-License-Identifier: MIT
"""The program's commands as functions, code compiled and loaded, what notebooks show, type stubs, installation tables."""
import ast
import inspect
import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import warnings

import arne
import numpy as np

PROGRAM = os.environ["ARNE"]
g = np.random.default_rng(7)


def program(*words):
    return json.loads(subprocess.run([PROGRAM, *words, "--format", "json"], capture_output=True, text=True, check=True).stdout)


class Commands(unittest.TestCase):
    def test_every_command_is_a_function(self):
        table = json.loads(subprocess.run([PROGRAM, "help", "--table"], capture_output=True, text=True, check=True).stdout)
        for command in table:
            if command["name"] in ("help", "eval"): continue
            function = getattr(arne, command["name"])
            if command["name"] == "robots": continue
            self.assertIn(command["brief"], function.__doc__)
            names = {n.rstrip("_") for n in inspect.signature(function).parameters}
            for option in command["options"]:
                if option["name"] not in ("quiet", "verbose", "format"): self.assertIn(option["name"].replace("-", "_"), names)

    def test_a_run(self):
        run = arne.simulate({"robot": "planar2r", "start": {"q": np.array([1.0, 0.0])}, "duration": 0.3})
        self.assertEqual(run.q.shape, (len(run), 2))
        self.assertTrue(np.array_equal(run.q[0], [1, 0]))
        self.assertEqual((run.said.controller, run.verdict), (run.controller, run.said.verdict))
        energy = run.kinetic + run.potential
        self.assertLess(np.ptp(energy), 1e-6 * np.ptp(run.kinetic))
        m = arne.load("planar2r")
        self.assertLess(np.abs(m.energy(run.q, run.qd).kinetic - run.kinetic).max(), 1e-9)
        for bad in ("robt", "_x"):
            with self.assertRaises(AttributeError): getattr(run, bad)
        seen = arne.observe(m, run, gain=20)
        self.assertEqual(seen.said.gain.tolist(), [20, 20])
        self.assertFalse(seen.said.contact)
        page = run.report()
        self.assertIn("<html", page.html)
        self.assertIn("srcdoc", page._repr_html_())
        self.assertIn(str(len(run)), run._repr_html_())
        try:
            import matplotlib
        except ImportError:
            print("not tested: plots of runs: matplotlib is not here")
        else:
            self.assertEqual(len(run.plot().axes), 3)
            self.assertEqual(len(run.plot("kinetic").axes[0].lines), 1)

    def test_a_model_brings_its_settings(self):
        t = np.linspace(0, 1, 101)
        motion = {"t": t, "q": np.c_[t**3, -(t**3)]}
        m = arne.load("planar2r").with_payload("j2", 1, (1, 0, 0)).with_payload("j2", 2, (1, 0, 0)).with_gravity(0, -1.62, 0)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.csv")
            with open(path, "w") as file:
                file.write("t,q1,q2\n" + "".join(f"{x!r},{a!r},{b!r}\n" for x, (a, b) in zip(t.tolist(), motion["q"].tolist())))
            ref = program("feasible", "planar2r", "--in", path, "--payload", "j2=2,1,0,0", "--gravity", "0,-1.62,0")
        got = arne.feasible(m, motion)
        self.assertEqual([j.peak_torque for j in got.joints], [j["peak_torque"] for j in ref["joints"]])
        self.assertEqual(arne.base(arne.load("rx90")).count, program("base", "rx90")["count"])
        tool = arne.load("planar2r", tool=("j2", 1, 0, 0))
        self.assertTrue(np.allclose(tool.pose(arne.reach(tool, pose=[1, 1, 0]).q).position, [1, 1, 0], atol=1e-6))
        self.assertEqual(arne.info(tool.with_payload("tool", 1)).dof, 2)
        yaml = arne.Model.from_yaml(pathlib.Path(arne.robots()["planar2r"]).read_text())
        self.assertEqual(arne.info(yaml).mass, 6)
        with self.assertRaises(arne.Error) as caught:
            arne.feasible(m.with_parameters(m.parameters), motion)
        self.assertIn("parameters", str(caught.exception))

    def test_refusals(self):
        for kind, words, call in (
                (arne.Error, "in:1|column", lambda: arne.feasible("planar2r", {"t": [0, 1], "q": [[0], [1]]})),
                (ValueError, "in|rows", lambda: arne.feasible("planar2r", {"t": [0, 1], "q": [[0, 0]]})),
                (arne.Error, "scenario:1|durtion|duration", lambda: arne.simulate({"robot": "planar2r", "durtion": 1})),
                (arne.Error, "no robot|ur5e", lambda: arne.info("ur5")),
                (TypeError, "speed", lambda: arne.info("ur5e", speed=1)),
                (TypeError, "0 arguments", lambda: arne.info())):
            with self.assertRaises(kind) as caught:
                call()
            for word in words.split("|"):
                self.assertIn(word, str(caught.exception))
        try:
            arne.simulate({"robot": "planar2r", "durtion": 1})
        except arne.Error as e:
            self.assertEqual((e.file, e.line), ("scenario", 1))


class Compiled(unittest.TestCase):
    def test_the_same_numbers(self):
        m = arne.load("ur5e").with_payload("wrist_3", 1.5, (0, 0, 0.1))
        c = m.compile(["id", "fd", "mass", "jacobian", "star"])
        self.assertTrue(c.compiled and not m.compiled)
        x = [g.uniform(-1, 1, (37, 6)) for _ in range(3)]
        for name, given in (("id", x), ("fd", x), ("mass", x[:1]), ("jacobian", x[:1]), ("gravity", x[:1])):
            ref = getattr(m, name)(*given)
            for form in (given, [np.asfortranarray(v) for v in given], [v[:, ::-1][:, ::-1] for v in given]):
                for threads in (1, 2):
                    self.assertLess(np.abs(getattr(c, name)(*form, threads=threads) - ref).max(), 1e-10 * np.abs(ref).max(), name)
            one = getattr(c, name)(*[v[3] for v in given])
            self.assertLess(np.abs(one - ref[3]).max(), 1e-10 * np.abs(ref).max(), name)
        self.assertTrue(np.array_equal(c.jacobian(x[0], link="elbow"), m.jacobian(x[0], link="elbow")), "another link")
        self.assertTrue(np.array_equal(c.star(*x, x[1]), m.star(*x, x[1])), "the code has another Coriolis matrix")
        self.assertFalse(np.array_equal(c.id(*x), m.id(*x)), "the code is not run")
        self.assertEqual(c.id(*[v.astype("f4") for v in x]).dtype, np.float32)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            self.assertIs(m.compile(cc="no-such-compiler"), m)
        self.assertIn("no-such-compiler", str(said[0].message))
        del m
        self.assertEqual(c.id(*x).shape, (37, 6))


class Shown(unittest.TestCase):
    def test_a_table_of_the_robot(self):
        text = arne.load("ur5e", base="free")._repr_html_()
        for word in ("ur5e", "nq 13", "elbow", "free", "<table>"):
            self.assertIn(word, text)

    def test_stubs_follow_the_tables(self):
        package = pathlib.Path(arne.__file__).parent
        self.assertTrue((package / "py.typed").exists())
        tree = ast.parse((package / "_arne.pyi").read_text())
        model = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "Model")
        methods = {n.name: n for n in model.body if isinstance(n, ast.FunctionDef)}
        for row in arne.table():
            stub, real = methods[row["name"]].args, inspect.signature(getattr(arne._model._arne.Model, row["name"]))
            self.assertEqual({a.arg for a in stub.args + stub.kwonlyargs}, set(real.parameters), row["name"])
        functions = {n.name: n for n in ast.parse((package / "__init__.pyi").read_text()).body if isinstance(n, ast.FunctionDef)}
        for name in arne._functions:
            self.assertIn(name, functions)


if __name__ == "__main__":
    unittest.main()
