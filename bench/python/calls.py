# SPDX-License-Identifier: MIT
"""What a call from Python costs: arne beside C and PyKDL (Debian: python3-pykdl), interleaved in one run. From the root, after
`make python`:

    PYTHONPATH=build/python python3 bench/python/calls.py [--build build] [--robot kuka-lwr] [--rounds 200]

Processor time, but for the lines that say wall, and the least of many rounds, since other programs disturb them."""
import argparse
import ctypes
import os
import pathlib
import subprocess
import tempfile
import time
import warnings
import xml.etree.ElementTree as xml

import arne
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
options.add_argument("--build", default="build")
options.add_argument("--robot", default="kuka-lwr")
options.add_argument("--rounds", type=int, default=200)
o = options.parse_args()


def in_c(path, folder):
    """The library's own functions behind a loop in C."""
    so = os.path.join(folder, "calls.so")
    flags = subprocess.run(["pkg-config", "--libs", "libxml-2.0", "yaml-0.1"], capture_output=True, text=True).stdout.split()
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", f"-I{HERE.parent.parent / 'include'}", "-o", so, HERE / "calls.c",
                    f"{o.build}/libarne_file.a", f"{o.build}/libarne.a", *flags, "-lm", "-ldl"], check=True)
    c = ctypes.CDLL(so)
    c.calls_time.restype = c.calls_batch.restype = ctypes.c_double
    assert c.calls_open(path.encode()) == 0
    return c


def in_kdl(m, folder):
    """The same arm for PyKDL, from its URDF; None: PyKDL is not here."""
    try:
        import PyKDL as kdl
    except ImportError:
        return None
    warnings.simplefilter("ignore")  # a URDF has no motors; KDL uses none
    arne.convert(m, to="urdf", out=os.path.join(folder, "m.urdf"))
    root = xml.parse(os.path.join(folder, "m.urdf")).getroot()
    numbers = lambda e, k, absent="0 0 0": [float(x) for x in (absent if e is None else e.get(k, absent)).split()]
    frame = lambda e: kdl.Frame(kdl.Rotation.RPY(*numbers(e, "rpy")), kdl.Vector(*numbers(e, "xyz")))
    links = {link.get("name"): link for link in root.findall("link")}
    chain = kdl.Chain()
    for joint in root.findall("joint"):  # a joint turns about an axis through the tip of the one before
        at, axis = frame(joint.find("origin")), kdl.Vector(*numbers(joint.find("axis"), "xyz", "1 0 0"))
        body = links[joint.find("child").get("link")].find("inertial")
        rigid = kdl.RigidBodyInertia()
        if body is not None:
            six = [float(body.find("inertia").get(k)) for k in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")]
            mass = float(body.find("mass").get("value"))
            rigid = frame(body.find("origin")) * kdl.RigidBodyInertia(mass, kdl.Vector(0, 0, 0), kdl.RotationalInertia(*six))
        name = joint.get("name")
        moves = joint.get("type") in ("revolute", "continuous")
        turns = kdl.Joint(name, at.p, at.M * axis, kdl.Joint.RotAxis) if moves else kdl.Joint(name, kdl.Joint.Fixed)
        chain.addSegment(kdl.Segment(name, turns, at, rigid))
    return kdl, chain, kdl.Vector(*m.gravity_vector)


def least(calls, rounds):
    """ns a call, the least of the rounds, each taken in turn."""
    best = dict.fromkeys(calls, np.inf)
    for _ in range(rounds):
        for name, call in calls.items():
            best[name] = min(best[name], call())
    return best


def python(f, *args, repeats=300, **more):
    def run():
        begin = time.thread_time_ns()
        for _ in range(repeats):
            f(*args, **more)
        return (time.thread_time_ns() - begin) / repeats
    return run


def pointer(x):
    return x.ctypes.data_as(ctypes.c_void_p)


m = arne.load(o.robot)
n = m.nv
g = np.random.default_rng(1)
q, qd, x = (g.uniform(-1, 1, n) for _ in range(3))
with tempfile.TemporaryDirectory() as folder:
    c = in_c(m.path, folder)
    fast = m.compile(["id", "fd", "mass"])
    out, square = np.empty(n), np.empty((n, n))
    room = np.empty(3 * n * n)
    calls = {}
    for name, given in (("id", (q, qd, x)), ("fd", (q, qd, x)), ("mass", (q,)), ("did", (q, qd, x))):
        def of_c(name=name):
            return c.calls_time(name.encode(), 300, *map(pointer, (q, qd, x, room)))
        calls[name, "C"] = of_c
        calls[name, "Python"] = python(getattr(m, name), *given)
        if name in ("id", "fd", "mass"):
            calls[name, "out="] = python(getattr(m, name), *given, out=square if name == "mass" else out)
            calls[name, "compiled"] = python(getattr(fast, name), *given)
    kdl = in_kdl(m.with_rigid(False), folder)
    if kdl:
        k, chain, gravity = kdl
        def joints(v):
            a = k.JntArray(n)
            for i in range(n): a[i] = float(v[i])
            return a
        a, b, d, tau = joints(q), joints(qd), joints(x), k.JntArray(n)
        still = [k.Wrench() for _ in range(chain.getNrOfSegments())]
        solver, dynamics, M = k.ChainIdSolver_RNE(chain, gravity), k.ChainDynParam(chain, gravity), k.JntSpaceInertiaMatrix(n)
        solver.CartToJnt(a, b, d, still, tau)
        dynamics.JntToMass(a, M)
        rigid = m.with_rigid()
        far = max(np.abs([tau[i] for i in range(n)] - rigid.id(q, qd, x)).max(),
                  np.abs(np.array([[M[i, j] for j in range(n)] for i in range(n)]) - rigid.mass(q)).max())
        assert far < 1e-6, f"KDL has another robot: {far}"
        calls["id", "PyKDL"] = python(solver.CartToJnt, a, b, d, still, tau)
        calls["mass", "PyKDL"] = python(dynamics.JntToMass, a, M)
    best = least(calls, o.rounds)
    print(f"{m.name}, {n} joints; ns a call\n")
    columns = ("C", "Python", "out=", "compiled", "PyKDL")
    print(f"{'':10}" + "".join(f"{w:>10}" for w in columns) + f"{'above C':>10}")
    for name in ("id", "fd", "mass", "did"):
        cells = [best.get((name, w)) for w in columns]
        print(f"{name:10}" + "".join(f"{'' if v is None else f'{v:.0f}':>10}" for v in cells) + f"{cells[1] - cells[0]:10.0f}")

    count = 1000000
    Q, QD, X = (g.uniform(-1, 1, (count, n)) for _ in range(3))
    T = np.zeros((count, n))
    many = {"C": lambda: c.calls_batch(count, *map(pointer, (Q, QD, X, T)))}
    def of(model, clock=time.thread_time_ns, **more):
        def run():
            begin = clock()
            model.id(Q, QD, X, **more)
            return (clock() - begin) / count
        return run
    many.update({"Python, out=": of(m, out=T), "Python, a new array": of(m), "compiled": of(fast, out=T),
                 "two threads, both": of(m, time.process_time_ns, out=T, threads=2),
                 "one thread, wall": of(m, time.perf_counter_ns, out=T),
                 "two threads, wall": of(m, time.perf_counter_ns, out=T, threads=2)})
    best = least(many, max(3, o.rounds // 6))
    print(f"\nid of {count} states, ns a state")
    for name, v in best.items():
        print(f"{name:22}{v:8.1f}{best['C'] / v:8.2f} of C's speed")
