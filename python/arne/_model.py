# SPDX-License-Identifier: MIT
"""Models: the class on top of arne._arne, which has the methods, and the ways to make one."""
import collections
import functools
import html
import os
import shutil
import subprocess
import tempfile
import warnings

import numpy as np

from . import _arne

version = _arne.version
Limits = collections.namedtuple("Limits", "lower upper velocity acceleration effort")
Rollout = collections.namedtuple("Rollout", "q qd A B by_start by_tau by_parameters")


class Error(Exception):
    """What arne refuses to do, in one sentence. file and line: where, if a robot file is to blame."""

    def __init__(self, message, file=None, line=0):
        super().__init__(message)
        self.file, self.line = file, line or None

    def __reduce__(self):
        return type(self), (str(self), self.file, self.line or 0)


class Warning(UserWarning):
    """What a robot file says that cannot be, or that arne does not use."""


def table():
    """What can be computed: a list of dicts with name, about, inputs, parts (name, rows, columns) and options."""
    return [row for row in _arne.table() if not row["hidden"]]


def robots():
    """The shipped robots: a dict of names and files."""
    return _arne.robots()


def _named(row):
    made = collections.namedtuple(row["name"], [part[0] for part in row["parts"]])
    made.__module__ = __name__
    globals()["_result_" + row["name"]] = made
    made.__qualname__ = "_result_" + row["name"]
    return made._make


_arne._start(Error, Warning, np.empty, np.asarray, np.dtype(np.float64), np.dtype(np.float32),
             {row["name"]: _named(row) for row in _arne.table() if len(row["parts"]) > 1})


def load(robot, base="file", mimic="follow", *, set=None, tool=None, strict=False):
    """A model from a robot file or the name of a shipped robot.

    robot: a path (.urdf, .sdf, .xml, .yaml, .par) or a name of arne.robots().
    base: 'file' as the file says, 'fixed' held still, 'free' with six freedoms more.
    mimic: joints that mimic others 'follow' them, or are 'independent'.
    set: numbers for symbols of the file, {"D3": 0.45}.
    tool: a point (x, y, z) of the deepest link, or (link, x, y, z): a link called tool there, then m.tip.
    strict: a body that cannot exist is an error, not a warning.

    >>> arne.load("ur5e").nv
    6
    """
    return Model._made(os.fspath(robot), base, mimic, None, {"set": set, "tool": tool, "strict": strict})


class Model(_arne.Model):
    """A robot and its settings. Made by arne.load; `with_...` give others of the same robot. Safe to use from many threads."""

    @classmethod
    def _made(cls, robot, base, mimic, text, more):
        tool = more["tool"]
        if tool is not None:
            tool = (None, *tool) if len(tool) == 3 else tuple(tool)
        m, path = cls._load(os.fsdecode(robot), base, mimic, dict(more["set"] or {}), tool, bool(more["strict"]))
        m.path = os.path.abspath(path)
        m._recipe = (m.path if text is None else None, base, mimic, text, (), more)
        return m

    @classmethod
    def from_yaml(cls, text, base="file", mimic="follow", *, set=None, tool=None, strict=False):
        """A model from the text of a robot file in arne's YAML.

        >>> arne.Model.from_yaml('''
        ... name: pendulum
        ... convention: dh
        ... joints:
        ...   - {name: j1, type: revolute, a: 1, link: {mass: 2, com: [0, 0, 0]}}
        ... ''').mass([0.0])
        array([[2.]])
        """
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "robot.yaml")
            with open(path, "w") as file:
                file.write(text)
            try:
                m = cls._made(path, base, mimic, text, {"set": set, "tool": tool, "strict": strict})
            except Error as e:
                raise Error(str(e).replace(path, "yaml"), "yaml", e.line) from None
        m.path = None
        return m

    # ---- settings ----

    def _changed(self, name, value):
        m = self._with(name, value)
        m.path = self.path
        m._recipe = (*self._recipe[:4], (*self._recipe[4], (name, value)), self._recipe[5])
        return m

    def with_gravity(self, *g):
        """With gravity x, y, z in base axes, m/s^2: with_gravity(0, 0, -1.62), or with_gravity(None) for none."""
        g = g[0] if len(g) == 1 else g
        return self._changed("gravity", (0.0, 0.0, 0.0) if g is None or isinstance(g, str) and g == "off" else tuple(np.asarray(g, float)))

    def with_payload(self, link=None, mass=0.0, com=(0, 0, 0), inertia=None):
        """With a body carried by a link (None: m.tip): mass, centre of mass in link axes, inertia about it (3 x 3, or xx xy xz yy
        yz zz)."""
        inertia = np.zeros(6) if inertia is None else np.asarray(inertia, float)
        if inertia.shape == (3, 3):
            inertia = inertia[np.triu_indices(3)]
        if inertia.shape != (6,):
            raise ValueError(f"inertia: its shape is {inertia.shape}, wanted (3, 3) or (6,)")
        com = np.asarray(com, float)
        if com.shape != (3,):
            raise ValueError(f"com: its shape is {com.shape}, wanted (3,)")
        link = self.tip if link is None else self.links[link] if isinstance(link, int) else link
        return self._changed("payload", (link, (float(mass), *map(float, com), *map(float, inertia))))

    def with_wrenches(self, *wrenches):
        """With wrenches that act on links, in place of those before. Each is (link, [fx, fy, fz, mx, my, mz]), or with a frame
        ('aligned', 'local', 'world') and a point in link axes after it: (link, wrench, 'local', [x, y, z])."""
        made = []
        for wrench in wrenches:
            link, six, frame, point = (*wrench, *("aligned", (0, 0, 0))[len(wrench) - 2:])
            six, point = np.asarray(six, float), np.asarray(point, float)
            if six.shape != (6,) or point.shape != (3,):
                raise ValueError(f"wrench: shapes are {six.shape} and {point.shape} of the point, wanted (6,) and (3,)")
            made.append((link, frame, (*map(float, six), *map(float, point))))
        return self._changed("wrenches", tuple(made))

    def with_parameters(self, parameters):
        """With these inertial parameters, 11 a body in the order of m.parameters."""
        return self._changed("parameters", tuple(map(float, np.asarray(parameters, float))))

    def with_rigid(self, rigid=True):
        """Without friction and rotor inertia; with_rigid(False): with both."""
        return self._changed("rigid", bool(rigid))

    def with_friction(self, friction=True):
        """With or without friction."""
        return self._changed("friction", bool(friction))

    def with_rotors(self, rotors=True):
        """With or without the inertia of rotors."""
        return self._changed("rotors", bool(rotors))

    # ---- code of this robot alone ----

    def compile(self, what=("id", "fd", "mass", "bias", "gravity"), link=None, cc="cc", flags=("-O3", "-march=native")):
        """The same model with methods from C code of this robot alone (`arne codegen`), compiled by cc and loaded: faster, and the
        same numbers to rounding. What is not in `what`, floats, and other links and frames than the code's run as before.

        >>> m.compile(["id"]).compiled
        True
        """
        from ._commands import functions
        link = self.tip if link is None else link
        if not shutil.which(cc):
            warnings.warn(f"there is no compiler {cc}: the model stays as it is", Warning, stacklevel=2)
            return self
        with tempfile.TemporaryDirectory() as folder:
            lanes = self._tell("lanes")
            functions["codegen"](self, what=list(what), out=folder, name="robot", link=link, lanes=lanes)
            library = os.path.join(folder, "robot.so")
            r = subprocess.run([cc, *flags, "-shared", "-fPIC", "-w", "-o", library, os.path.join(folder, "robot.c"), "-lm"],
                               capture_output=True, text=True)
            if r.returncode:
                raise Error(f"{cc} does not compile the code: {r.stderr.strip()[-500:]}")
            m = self._code(library, "robot", lanes, link)
        m.path, m._recipe = self.path, self._recipe
        return m

    def __reduce__(self):
        return _again, self._recipe

    # ---- what it tells ----

    name = property(lambda self: self._tell("name"), doc="the robot's name")
    joints = property(lambda self: tuple(j["name"] for j in self._tell("joints") if j["master"] is None),
                      doc="names of the joints that move by themselves, in the order of all vectors")
    joint_table = property(lambda self: self._tell("joints"), doc="all about the joints: a tuple of dicts")
    links = property(lambda self: self._tell("links"), doc="names of the links, the base first")
    tip = property(lambda self: self._tell("tip"), doc="the link that is meant where nobody names one")
    q_names = property(lambda self: self._tell("q_names"), doc="names of the nq numbers of a position")
    v_names = property(lambda self: self._tell("v_names"), doc="names of the nv numbers of a velocity")
    total_mass = property(lambda self: self._tell("mass"), doc="of all links, kg")
    warnings = property(lambda self: self._tell("warnings"), doc="what was said about the robot file")
    gravity_vector = property(lambda self: np.array(self._tell("gravity")), doc="gravity that is set, base axes, m/s^2")
    parameters = property(lambda self: np.array(self._tell("parameters")),
                          doc="inertial parameters XX XY XZ YY YZ ZZ MX MY MZ M IA of every body, payloads included")
    parameter_names = property(lambda self: self._tell("parameter_names"), doc="names of m.parameters")
    base_names = property(lambda self: self._tell("base_names"), doc="names of the base parameters, columns of base_regressor")
    neutral = property(lambda self: np.array(self._tell("neutral")), doc="the position of zeros, quaternions 0 0 0 1")
    compiled = property(lambda self: self._tell("compiled"), doc="whether methods run code of this robot alone")

    @functools.cached_property
    def limits(self):
        """Limits(lower, upper, velocity, acceleration, effort), (nv,) each, infinite where the file has none; not to be written."""
        out = {k: np.full(self.nv, np.inf) for k in Limits._fields}
        out["lower"] *= -1
        for joint in self._tell("joints"):
            if joint["master"] is None and joint["type"] in ("revolute", "prismatic"):
                for k in Limits._fields:
                    out[k][joint["v"]] = joint[k]
        for x in out.values():
            x.flags.writeable = False
        return Limits(**out)

    def state(self, name):
        """(q, qd) of a state that the robot file has by a name, as the keyframes of MJCF."""
        q, qd = self._tell("state", name)
        return np.array(q), np.array(qd)

    def rollout(self, q, qd, tau, *, step, rule="rk4", derivatives=(), every=False):
        """The motion from q, qd with torques tau held over K steps, and its derivatives; of one start or many (doc/optimise.md).

        q: (nq,) or (N, nq). qd: (nv,) or (N, nv). tau: (K, nv) or (N, K, nv).
        step: seconds. rule: 'rk4', 'euler' or 'semi-implicit'.
        derivatives: of 'steps' (A (K, 2 nv, 2 nv) and B (K, 2 nv, nv) of each step), 'start' (by_start (2 nv, 2 nv) of the last
        state), 'tau' (by_tau (2 nv, K nv)), 'parameters' (by_parameters (2 nv, 13 bodies)); along velocities, dq then dqd.
        every: by_... of every state, (K + 1, ...), in place of the last.
        Result: q (K + 1, nq), qd (K + 1, nv), and what was asked for, else None.

        >>> r = m.rollout(q, qd, np.zeros((10, 2)), step=0.01)
        >>> bool(np.isclose(sum(m.energy(r.q[-1], r.qd[-1])), sum(m.energy(q, qd)), rtol=1e-6))
        True
        """
        q, qd, tau = (np.ascontiguousarray(x, float) for x in (q, qd, tau))
        many = tau.ndim == 3
        if tau.ndim not in (2, 3) or tau.shape[-1] != self.nv:
            raise ValueError(f"tau: its shape is {tau.shape}, wanted (K, {self.nv}) or (N, K, {self.nv})")
        for name, x, n in (("q", q, self.nq), ("qd", qd, self.nv)):
            if x.shape != (*tau.shape[:-2], n):
                raise ValueError(f"{name}: its shape is {x.shape}, wanted {(*tau.shape[:-2], n)} as tau is {tau.shape}")
        derivatives = {derivatives} if isinstance(derivatives, str) else set(derivatives)
        unknown = derivatives - {"steps", "start", "tau", "parameters"}
        if unknown:
            raise ValueError(f"derivatives: {sorted(unknown)[0]!r} is not one of steps, start, tau, parameters")
        q = self.integrate(q, 0 * qd) if q.size else q  # quaternions of unit length
        N, K, nq, nv = len(tau) if many else 1, tau.shape[-2], self.nq, self.nv
        states = (K + 1,) if every else ()
        shapes = {"q": (K + 1, nq), "qd": (K + 1, nv), "A": (K, 2 * nv, 2 * nv), "B": (K, 2 * nv, nv),
                  "by_start": (*states, 2 * nv, 2 * nv), "by_tau": (*states, 2 * nv, K * nv),
                  "by_parameters": (*states, 2 * nv, 13 * len(self._tell("joints")))}
        wanted = {"q", "qd", *(("A", "B") if {"steps", "tau"} & derivatives else ()), *("by_" + d for d in derivatives)}
        out = Rollout(*(np.zeros((N, *shape)) if name in wanted else None for name, shape in shapes.items()))
        self._rollout(float(step), rule, N, K, bool(every), (q, qd, tau, *out))
        return out if many else Rollout(*(None if x is None else x[0] for x in out))

    def achievable(self, q, qd, qnext, qdnext, **options):
        result = super().achievable(q, qd, qnext, qdnext, **options)
        return result if options.get("out") else result._replace(saturated=result.saturated.astype(bool))

    achievable.__doc__ = _arne.Model.achievable.__doc__

    def _repr_html_(self):
        """A small table, for notebooks."""
        rows = []
        for j in self._tell("joints"):
            limits = ["" if j["type"] in ("free", "spherical") or np.isinf(j[k]) else f"{j[k]:.5g}"
                      for k in ("lower", "upper", "velocity", "effort")]
            kind = j["type"] if j["master"] is None else f"follows {j['master']}"
            cells = [j["name"], kind, j["parent"] or "", *limits]
            rows.append("<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in cells) + "</tr>")
        head = "".join(f"<th>{h}</th>" for h in ("joint", "type", "parent", "lower", "upper", "velocity", "effort"))
        return (f"<p><b>{html.escape(self.name)}</b>: nq {self.nq}, nv {self.nv}, {self.total_mass:.5g} kg, gravity "
                f"{', '.join(f'{x:g}' for x in self.gravity_vector)}</p><table><tr>{head}</tr>{''.join(rows)}</table>")

    def __repr__(self):
        return f"<arne.Model {self.name}: nq {self.nq}, nv {self.nv}{', compiled' if self.compiled else ''}>"


for _class in (Error, Warning, Limits, Model, Rollout):
    _class.__module__ = "arne"


def _again(robot, base, mimic, text, changes, more):
    """A model from its recipe: pickles, copies."""
    m = load(robot, base, mimic, **more) if text is None else Model.from_yaml(text, base, mimic, **more)
    for name, value in changes:
        m = m._changed(name, value)
    return m
