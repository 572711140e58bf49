# SPDX-License-Identifier: MIT
"""A robot as Pinocchio's users know it: its order of joints, its numbers of a position, its frames; and the way from there to the
vectors of arne, and back. Here: as Pinocchio has it; there: in arne."""
import enum
import os
import tempfile
import types
import xml.etree.ElementTree as ElementTree

import numpy as np

from ._model import load
from ._pin_space import SE3, Force, Inertia, Motion, _rpy_matrix


class ReferenceFrame(enum.IntEnum):
    WORLD, LOCAL, LOCAL_WORLD_ALIGNED = range(3)


class FrameType(enum.IntEnum):
    OP_FRAME, JOINT, FIXED_JOINT, BODY, SENSOR = 1, 2, 4, 8, 16


class JointModelFreeFlyer:
    """The root joint of a robot whose base moves freely: buildModelFromUrdf(path, JointModelFreeFlyer())."""

    nq, nv = 7, 6

    def shortname(self):
        return "JointModelFreeFlyer"


class Joint:
    """model.joints[i]"""

    def __init__(self, id, kind, nq, nv, idx_q, idx_v):
        self.id, self.kind, self.nq, self.nv, self.idx_q, self.idx_v = id, kind, nq, nv, idx_q, idx_v

    def shortname(self):
        return self.kind

    def __repr__(self):
        return f"{self.kind} id {self.id}: nq {self.nq} at {self.idx_q}, nv {self.nv} at {self.idx_v}"


class Frame:
    """model.frames[i]: placement in the axes of its parent joint"""

    def __init__(self, name, parentJoint, *more):
        parentFrame, placement, type = more if len(more) == 3 else (0, *more)  # Frame(name, joint, placement, type) too
        self.name, self.parentJoint, self.parentFrame, self.type = name, int(parentJoint), int(parentFrame), type
        self.placement = SE3(placement)

    parent = property(lambda self: self.parentJoint)
    previousFrame = property(lambda self: self.parentFrame)

    def __repr__(self):
        return f"Frame name: {self.name} paired to (parent joint/ parent frame)({self.parentJoint}/{self.parentFrame})"


def _numbers(node, attribute, n=3):
    text = None if node is None else node.get(attribute)
    return np.array([float(x) for x in text.split()]) if text else np.zeros(n)


def _kind(joint):
    """Pinocchio's word for a joint that moves."""
    words = {"revolute": "R", "continuous": "RUB", "prismatic": "P"}
    axis = joint.find("axis")
    x = np.array([1.0, 0, 0]) if axis is None else _numbers(axis, "xyz")
    x = x / np.linalg.norm(x)
    for letter, unit in zip("XYZ", np.eye(3)):
        if np.array_equal(x, unit):
            return "JointModel" + words[joint.get("type")] + letter
    return "JointModel" + {"R": "Revolute", "RUB": "RevoluteUnbounded", "P": "Prismatic"}[words[joint.get("type")]] + "Unaligned"


def _weight(link):
    """The body of a link in its axes."""
    body = link.find("inertial")
    if body is None:
        return Inertia()
    I = body.find("inertia")
    xx, xy, xz, yy, yz, zz = (float(I.get(k) or 0) for k in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    at = SE3(_rpy_matrix(_numbers(body.find("origin"), "rpy")), _numbers(body.find("origin"), "xyz"))
    return Inertia(body.find("mass").get("value"), (0, 0, 0), [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]).se3Action(at)


class Model:
    """nq, nv, njoints, names, joints, frames, limits, gravity as there. arne: the model of arne that computes, without friction
    and rotors, its joints in arne's order."""

    def __init__(self, path, root_joint=None, root_joint_name="root_joint"):
        if root_joint is not None and not isinstance(root_joint, JointModelFreeFlyer):
            raise NotImplementedError("root_joint: JointModelFreeFlyer() or none")
        free = root_joint is not None
        self.arne = load(path, base="free" if free else "fixed", mimic="independent").with_rigid()
        self._now = None, None
        self.name = self.arne.name
        self.gravity = Motion(np.concatenate([self.arne.gravity_vector, np.zeros(3)]))
        self.names, self.parents, self.joints = ["universe"], [0], [Joint(0, "Universe", 0, 0, 0, 0)]
        self.jointPlacements, self._links = [SE3()], [None]
        self.inertias = [Inertia()]  # to be read: what computes is arne
        self.frames = [Frame("universe", 0, 0, SE3(), FrameType.FIXED_JOINT)]
        self.nq = self.nv = 0
        self._plain, self._turns, self._velocities = [], [], []  # (here, there) of positions; (cosine here, angle and its rate there); velocities there
        self._places = {j["name"]: j for j in self.arne.joint_table}
        root = ElementTree.parse(path).getroot()
        self._children = {}
        for joint in sorted(root.findall("joint"), key=lambda j: j.get("name").encode()):
            self._children.setdefault(joint.find("parent").get("link"), []).append(joint)
        self._weights = {link.get("name"): _weight(link) for link in root.findall("link")}
        below = {joint.find("child").get("link") for all in self._children.values() for joint in all}
        top = next(link.get("name") for link in root.findall("link") if link.get("name") not in below)
        if free:
            self._add_joint(0, root_joint_name, "JointModelFreeFlyer", self.arne.joints[0], top, SE3())
        else:
            self._add_frame(root_joint_name, 0, 0, SE3(), FrameType.FIXED_JOINT)
        self._grow(top, int(free), SE3(), 1)
        self._finish()

    # ---- reading: depth first, children by the names of their joints, as urdfdom lists them

    def _add_frame(self, name, joint, above, placement, type):
        self.frames.append(Frame(name, joint, above, placement, type))
        return len(self.frames) - 1

    def _grow(self, link, joint, placement, above):
        pending = []

        def body(link, joint, placement, above):
            frame = self._add_frame(link, joint, above, placement, FrameType.BODY)
            self.inertias[joint] = self.inertias[joint] + self._weights[link].se3Action(placement)
            pending.extend((node, joint, placement, frame) for node in reversed(self._children.get(link, [])))

        body(link, joint, placement, above)
        while pending:
            body(*self._joint(*pending.pop()))

    def _joint(self, node, joint, placement, above):
        origin = node.find("origin")
        here = placement * SE3(_rpy_matrix(_numbers(origin, "rpy")), _numbers(origin, "xyz"))
        name, type, link = node.get("name"), node.get("type"), node.find("child").get("link")
        if type == "fixed":
            return link, joint, here, self._add_frame(name, joint, above, here, FrameType.FIXED_JOINT)
        if type == "planar":
            raise NotImplementedError(f"joint {name} is planar: its velocities are in the axes of the link there, in those of its "
                                      "parent here; arne.load takes it")
        kind = "JointModelFreeFlyer" if type == "floating" else _kind(node)
        return link, self._add_joint(joint, name, kind, name, link, here, above), SE3(), len(self.frames) - 1

    def _add_joint(self, parent, name, kind, own, link, placement, above=0):
        place = self._places[own]
        free, turns = kind == "JointModelFreeFlyer", "RUB" in kind or "Unbounded" in kind
        nq, nv = (7, 6) if free else (2, 1) if turns else (1, 1)
        joint = Joint(len(self.joints), kind, nq, nv, self.nq, self.nv)
        if turns:
            self._turns.append((self.nq, place["q"], place["v"]))
        else:
            self._plain += [(self.nq + k, place["q"] + k) for k in range(nq)]
        self._velocities += range(place["v"], place["v"] + nv)
        self.nq += nq
        self.nv += nv
        self.joints.append(joint)
        self.names.append(name)
        self.parents.append(parent)
        self.jointPlacements.append(placement)
        self.inertias.append(Inertia())
        self._links.append(link)
        self._add_frame(name, joint.id, above, SE3(), FrameType.JOINT)
        return joint.id

    def _finish(self):
        self._plain = np.array(self._plain, int).reshape(-1, 2).T
        self._turns = np.array(self._turns, int).reshape(-1, 3).T
        self._velocities = np.array(self._velocities, int)
        self._same = bool(np.array_equal(self._velocities, np.arange(self.nv)))
        self._same_q = self._same and not self._turns.size
        if self.nv != self.arne.nv:
            raise NotImplementedError(f"{self.name}: its root floats already; leave JointModelFreeFlyer() out, or floating in the file")
        limits = self.arne.limits
        self.effortLimit, self.velocityLimit = (x[self._velocities] for x in (limits.effort, limits.velocity))
        self.lowerPositionLimit, self.upperPositionLimit = np.full(self.nq, -np.inf), np.full(self.nq, np.inf)
        for joint in self.joints[1:]:
            for limit, of, turn in ((self.lowerPositionLimit, limits.lower, -1.01), (self.upperPositionLimit, limits.upper, 1.01)):
                if joint.nq == 1:
                    limit[joint.idx_q] = of[self._velocities[joint.idx_v]]
                else:
                    limit[joint.idx_q + (3 if joint.nq == 7 else 0):joint.idx_q + joint.nq] = turn
        self.armature = np.zeros(self.nv)
        self.armature.flags.writeable = False
        self.referenceConfigurations = {}
        self.idx_qs, self.idx_vs = [j.idx_q for j in self.joints], [j.idx_v for j in self.joints]
        self.nqs, self.nvs = [j.nq for j in self.joints], [j.nv for j in self.joints]
        del self._children, self._places, self._weights

    njoints = property(lambda self: len(self.joints))
    nframes = property(lambda self: len(self.frames))
    nbodies = property(lambda self: sum(f.type == FrameType.BODY for f in self.frames) + 1)

    # ---- what it is asked

    def createData(self):
        return Data(self)

    def getJointId(self, name):
        return self.names.index(name) if name in self.names else self.njoints

    def existJointName(self, name):
        return name in self.names

    def getFrameId(self, name, type=None):
        found = [i for i, f in enumerate(self.frames) if f.name == name and (type is None or f.type & type)]
        return found[0] if found else self.nframes

    def existFrame(self, name, type=None):
        return self.getFrameId(name, type) < self.nframes

    def getBodyId(self, name):
        return self.getFrameId(name, FrameType.BODY)

    def existBodyName(self, name):
        return self.existFrame(name, FrameType.BODY)

    def addFrame(self, frame):
        if self.existFrame(frame.name, frame.type):
            return self.getFrameId(frame.name, frame.type)
        self.frames.append(frame)
        return self.nframes - 1

    def __repr__(self):
        lines = [f"Nb joints = {self.njoints} (nq={self.nq},nv={self.nv})"]
        return "\n".join(lines + [f"  Joint {i} {n}: parent={p}" for i, (n, p) in enumerate(zip(self.names, self.parents))]) + "\n"

    # ---- to arne and back

    def computing(self, fext=None):
        """The model of arne with gravity and forces as they are now."""
        g = tuple(self.gravity.linear)
        if self._now[0] != g:
            self._now = g, self.arne.with_gravity(*g)
        m = self._now[1]
        if fext is None:
            return m
        if len(fext) != self.njoints:
            raise ValueError(f"wrong argument size: expected {self.njoints}, got {len(fext)}\nhint: one force a joint, universe first")
        acting = [(self._links[i], np.asarray(f, float).reshape(6), "local") for i, f in enumerate(fext) if i and np.any(np.asarray(f))]
        return m.with_wrenches(*acting) if acting else m

    def to_q(self, q):
        q = _sized(q, self.nq, "configuration")
        if self._same_q:
            return q
        out = np.empty(self.arne.nq)
        out[self._plain[1]] = q[self._plain[0]]
        if self._turns.size:
            out[self._turns[1]] = np.arctan2(q[self._turns[0] + 1], q[self._turns[0]])
        return out

    def from_q(self, x):
        out = np.empty(self.nq)
        out[self._plain[0]] = x[self._plain[1]]
        if self._turns.size:
            out[self._turns[0]], out[self._turns[0] + 1] = np.cos(x[self._turns[1]]), np.sin(x[self._turns[1]])
        return out

    def to_v(self, v, what="velocity"):
        v = _sized(v, self.nv, what)
        if self._same:
            return v
        out = np.empty(self.nv)
        out[self._velocities] = v
        return out

    def from_v(self, x):
        """A vector, the columns of a matrix."""
        return x if self._same else x[..., self._velocities]

    def from_vv(self, x):
        """Rows and columns."""
        return x if self._same else x[np.ix_(self._velocities, self._velocities)]


def _sized(x, n, what):
    x = np.asarray(x, float).reshape(-1)
    if x.size != n:
        raise ValueError(f"wrong argument size: expected {n}, got {x.size}\nhint: The {what} vector is not of right size")
    return x


class Data:
    """What the last calls have found: tau, M, oMi, oMf, ... as there. A robot that nothing has been asked about has zeros."""

    def __init__(self, model):
        n = model.nv
        self._model, self._q, self._v, self._a = model, None, None, None
        self.tau, self.nle, self.g, self.ddq = (np.zeros(n) for _ in range(4))
        self.M, self.Minv, self.C, self.dtau_dq, self.dtau_dv, self.ddq_dq, self.ddq_dv, self.ddq_dtau = (np.zeros((n, n)) for _ in range(8))
        self.J, self.dJ, self.Ag = (np.zeros((6, n)) for _ in range(3))
        self.Jcom = np.zeros((3, n))
        self.oMi = [SE3() for _ in model.joints]
        self.liMi = [SE3() for _ in model.joints]
        self.oMf = [SE3() for _ in model.frames]
        self.v, self.a = ([Motion() for _ in model.joints] for _ in range(2))
        self.com, self.vcom, self.acom = ([np.zeros(3)] for _ in range(3))
        self.mass, self.hg = [0.0], Force()
        self.kinetic_energy = self.potential_energy = self.mechanical_energy = 0.0


def buildModelFromUrdf(filename, root_joint=None, root_joint_name="root_joint", verbose=False, mimic=False):
    """A model from a URDF file, its joints in Pinocchio's order. Joints that mimic others are joints of their own, as there."""
    if isinstance(root_joint, bool):  # (filename, mimic)
        root_joint, mimic = None, root_joint
    if mimic:
        raise NotImplementedError("mimic=True: arne.load(path) has joints that follow")
    if not isinstance(root_joint_name, str):
        root_joint_name = "root_joint"
    return Model(os.fspath(filename), root_joint, root_joint_name)


def buildModelFromXML(xml, root_joint=None, root_joint_name="root_joint", verbose=False, mimic=False):
    """The same from the text of a URDF file."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "robot.urdf")
        with open(path, "wb") as file:
            file.write(xml if isinstance(xml, bytes) else xml.encode())
        return buildModelFromUrdf(path, root_joint, root_joint_name, verbose, mimic)


StdVec_Force = list
utils = types.SimpleNamespace(zero=np.zeros, eye=np.eye, rand=lambda n: np.random.rand(*np.atleast_1d(n)))
