# SPDX-License-Identifier: MIT
"""The names that Pinocchio's users type, on arne: many scripts run after `import arne.pinocchio as pin`.

Arguments, their order and the layout of vectors are Pinocchio's: cosine and sine of continuous joints, its order of joints, joint 0
is the universe. doc/pinocchio.md has the table of what is there and what is not.

>>> import arne.pinocchio as pin
>>> [pin.SE3.Identity().translation.size, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED.name]
[3, 'LOCAL_WORLD_ALIGNED']
"""
import enum

import numpy as np

from ._model import version as __version__
from ._pin_model import (Data, Frame, FrameType, Joint, JointModelFreeFlyer, Model, ReferenceFrame, StdVec_Force, _sized,
                         buildModelFromUrdf, buildModelFromXML, utils)
from ._pin_space import (SE3, AngleAxis, Force, Inertia, Jexp3, Jexp6, Jlog3, Jlog6, Motion, Quaternion, SE3ToXYZQUAT, XYZQUATToSE3, exp,
                         exp3, exp6, log, log3, log6, rpy, skew, unSkew)

WORLD, LOCAL, LOCAL_WORLD_ALIGNED = ReferenceFrame
OP_FRAME, JOINT, FIXED_JOINT, BODY, SENSOR = FrameType


class Convention(enum.IntEnum):
    WORLD, LOCAL = 0, 1


def __getattr__(name):
    raise AttributeError(f"arne.pinocchio has no {name}: doc/pinocchio.md lists what there is")


def _forces(more):
    """Of optional arguments the forces; a Convention says nothing here."""
    forces = [x for x in more if x is not None and not isinstance(x, enum.Enum)]
    return forces[0] if forces else None


# ---- positions


def neutral(model):
    return model.from_q(model.arne.neutral)


def integrate(model, q, v):
    return model.from_q(model.arne.integrate(model.to_q(q), model.to_v(v)))


def difference(model, q0, q1):
    v = model.arne.difference(model.to_q(q0), model.to_q(q1)).copy()
    turns = model._turns[2]
    v[turns] = np.arctan2(np.sin(v[turns]), np.cos(v[turns]))  # the shorter way round
    return model.from_v(v)


def interpolate(model, q0, q1, u):
    return integrate(model, q0, u * difference(model, q0, q1))


def normalize(model, q):
    return model.from_q(model.arne.normalize(model.to_q(q)))


def distance(model, q0, q1):
    return float(np.linalg.norm(difference(model, q0, q1)))


def isSameConfiguration(model, q0, q1, prec=1e-12):
    return bool(np.max(np.abs(difference(model, q0, q1)), initial=0) <= prec)


def randomConfiguration(model, lowerPositionLimit=None, upperPositionLimit=None):
    """Uniform between the limits; where there is none, between -1 and 1 (angles that turn freely: anywhere)."""
    low = np.asarray(model.lowerPositionLimit if lowerPositionLimit is None else lowerPositionLimit, float)
    high = np.asarray(model.upperPositionLimit if upperPositionLimit is None else upperPositionLimit, float)
    low, high = np.where(np.isfinite(low), low, -1.0), np.where(np.isfinite(high), high, 1.0)
    q = np.random.uniform(np.minimum(low, high), high)
    for joint in model.joints[1:]:
        if joint.nq == 2:
            angle = np.random.uniform(-np.pi, np.pi)
            q[joint.idx_q:joint.idx_q + 2] = np.cos(angle), np.sin(angle)
        elif joint.nq == 7:
            x = np.random.normal(size=4)
            q[joint.idx_q + 3:joint.idx_q + 7] = x / np.linalg.norm(x)
    return q


# ---- dynamics


def rnea(model, data, q, v, a, fext=None):
    m = model.computing(fext)
    data._q, data._v, data._a = model.to_q(q), model.to_v(v), model.to_v(a, "acceleration")
    data.tau = model.from_v(m.id(data._q, data._v, data._a))
    return data.tau


def aba(model, data, q, v, tau, *more):
    data._q, data._v = model.to_q(q), model.to_v(v)
    data.ddq = model.from_v(model.computing(_forces(more)).fd(data._q, data._v, model.to_v(tau, "joint torque")))
    return data.ddq


def crba(model, data, q, convention=None):
    data._q = model.to_q(q)
    data.M = model.from_vv(model.arne.mass(data._q))
    return data.M


def computeMinverse(model, data, q=None):
    if q is not None:
        crba(model, data, q)
    data.Minv = np.linalg.inv(data.M)
    return data.Minv


def nonLinearEffects(model, data, q, v):
    data._q, data._v = model.to_q(q), model.to_v(v)
    data.nle = model.from_v(model.computing().bias(data._q, data._v))
    return data.nle


def computeGeneralizedGravity(model, data, q):
    data._q = model.to_q(q)
    data.g = model.from_v(model.computing().gravity(data._q))
    return data.g


def computeStaticTorque(model, data, q, fext):
    still = np.zeros(model.nv)
    data.tau = rnea(model, data, q, still, still, fext)
    return data.tau


def computeCoriolisMatrix(model, data, q, v):
    data._q, data._v = model.to_q(q), model.to_v(v)
    data.C = model.from_vv(model.arne.coriolis(data._q, data._v))
    return data.C


def computeRNEADerivatives(model, data, q, v, a, fext=None):
    data.tau = rnea(model, data, q, v, a, fext)
    found = model.computing(fext).did(data._q, data._v, data._a)
    data.dtau_dq, data.dtau_dv, data.M = (model.from_vv(x) for x in found)
    return data.dtau_dq, data.dtau_dv, data.M


def computeGeneralizedGravityDerivatives(model, data, q):
    still = np.zeros(model.nv)
    return model.from_vv(model.computing().did(model.to_q(q), still, still).dq)


def computeABADerivatives(model, data, q, v, tau, fext=None):
    data.ddq = aba(model, data, q, v, tau, fext)
    found = model.computing(fext).dfd(data._q, data._v, model.to_v(tau, "joint torque"))
    data.ddq_dq, data.ddq_dv, data.Minv = (model.from_vv(x) for x in found)
    data.ddq_dtau = data.Minv
    return data.ddq_dq, data.ddq_dv, data.Minv


def computeJointTorqueRegressor(model, data, q, v, a):
    """rnea = regressor parameters: ten a body, as Inertia.toDynamicParameters has them, in the axes of its joint."""
    m = model.computing()
    x = model.to_q(q), model.to_v(v), model.to_v(a, "acceleration")
    order = [9, 6, 7, 8, 0, 1, 3, 2, 4, 5]  # M MX MY MZ XX XY YY XZ YZ ZZ
    blocks = [model.from_v(m.did_payload(*x, link=link).T).T[:, order] for link in model._links[1:]]
    data.jointTorqueRegressor = np.hstack(blocks)
    return data.jointTorqueRegressor


def computeKineticEnergy(model, data, q=None, v=None):
    q, v = (data._q, data._v) if q is None else (model.to_q(q), model.to_v(v))
    data.kinetic_energy = float(model.computing().energy(q, v).kinetic)
    return data.kinetic_energy


def computePotentialEnergy(model, data, q=None):
    q = data._q if q is None else model.to_q(q)
    data.potential_energy = float(model.computing().energy(q, np.zeros(model.nv)).potential)
    return data.potential_energy


def computeMechanicalEnergy(model, data, q=None, v=None):
    data.mechanical_energy = computeKineticEnergy(model, data, q, v) + computePotentialEnergy(model, data, q)
    return data.mechanical_energy


# ---- the whole body


def computeTotalMass(model, data=None):
    """Of all that moves, as there."""
    mass = float(model.arne.com(model.arne.neutral, np.zeros(model.nv)).mass)
    if data is not None:
        data.mass[0] = mass
    return mass


def centerOfMass(model, data, q=None, v=None, a=None, compute_subtree_coms=True):
    v, a = (None if isinstance(x, bool) else x for x in (v, a))  # (q, compute_subtree_coms)
    data._q = data._q if q is None else model.to_q(q)
    data._v = np.zeros(model.nv) if v is None else model.to_v(v)
    found = model.arne.com(data._q, data._v)
    data.com[0], data.vcom[0], data.mass[0] = found.position, found.velocity, float(found.mass)
    if a is not None:
        forwardKinematics(model, data, q, v, a)
        force = np.zeros(3)  # of each body mass times the acceleration of its centre
        for Y, M, v, a in zip(model.inertias[1:], data.oMi[1:], data.v[1:], data.a[1:]):
            force += Y.mass * M.rotation @ (a.linear + np.cross(v.angular, v.linear) + np.cross(a.angular, Y.lever) +
                                            np.cross(v.angular, np.cross(v.angular, Y.lever)))
        data.acom[0] = force / data.mass[0]
    return data.com[0]


def jacobianCenterOfMass(model, data, q=None, compute_subtree_coms=True):
    centerOfMass(model, data, q)
    data.Jcom = model.from_v(model.arne.com_jacobian(data._q))
    return data.Jcom


def ccrba(model, data, q, v):
    data._q, data._v = model.to_q(q), model.to_v(v)
    momentum, matrix = model.arne.centroidal(data._q, data._v)
    data.hg, data.Ag = Force(momentum), model.from_v(matrix)
    return data.Ag


def computeCentroidalMap(model, data, q):
    return ccrba(model, data, q, np.zeros(model.nv))


def computeCentroidalMomentum(model, data, q=None, v=None):
    if q is None:
        data.hg = Force(model.arne.centroidal(data._q, data._v).momentum)
    else:
        ccrba(model, data, q, v)
    return data.hg


# ---- joints and frames in space


def forwardKinematics(model, data, q, v=None, a=None):
    m = model.arne
    data._q = model.to_q(q)
    data._v = np.zeros(model.nv) if v is None else model.to_v(v)
    data._a = np.zeros(model.nv) if a is None else model.to_v(a, "acceleration")
    for i in range(1, model.njoints):
        link = model._links[i]
        pose = m.pose(data._q, link=link)
        data.oMi[i] = SE3(pose.rotation, pose.position)
        data.liMi[i] = data.oMi[model.parents[i]].actInv(data.oMi[i])
        if v is not None:
            data.v[i] = Motion(m.velocity(data._q, data._v, link=link, frame="local"))
        if a is not None:
            data.a[i] = Motion(m.acceleration(data._q, data._v, data._a, link=link, frame="local"))


def updateFramePlacement(model, data, frame_id):
    frame = model.frames[frame_id]
    data.oMf += [SE3() for _ in range(model.nframes - len(data.oMf))]  # added since
    data.oMf[frame_id] = data.oMi[frame.parentJoint] * frame.placement
    return data.oMf[frame_id]


def updateFramePlacements(model, data):
    for i in range(model.nframes):
        updateFramePlacement(model, data, i)


def framesForwardKinematics(model, data, q):
    forwardKinematics(model, data, q)
    updateFramePlacements(model, data)


def framePlacement(model, data, q, frame_id):
    """forwardKinematics, and the placement of one frame."""
    forwardKinematics(model, data, q)
    return updateFramePlacement(model, data, frame_id)


def _spatial(placement, axes, six):
    """Of a frame there: its own velocities, or a matrix of them, in the axes that are asked for."""
    if axes == LOCAL:
        return six
    return (placement.action if axes == WORLD else SE3(placement.rotation, np.zeros(3)).action) @ six


def _frame(model, data, frame_id, q=None):
    """The frame, the link of its joint (None: nothing moves it), its placement in the world."""
    if q is not None:
        data._q = model.to_q(q)
    if data._q is None:
        raise ValueError("the data knows no position yet: forwardKinematics(model, data, q)")
    frame = model.frames[frame_id]
    link = model._links[frame.parentJoint]
    if link is None:
        return frame, None, frame.placement
    pose = model.arne.pose(data._q, link=link)
    return frame, link, SE3(pose.rotation, pose.position) * frame.placement


def computeFrameJacobian(model, data, q, frame_id, reference_frame=LOCAL):
    frame, link, placement = _frame(model, data, frame_id, q)
    if link is None:
        return np.zeros((6, model.nv))
    J = model.from_v(model.arne.jacobian(data._q, link=link, frame="local"))
    return _spatial(placement, reference_frame, frame.placement.actionInverse @ J)


def getFrameJacobian(model, data, frame_id, reference_frame):
    return computeFrameJacobian(model, data, None, frame_id, reference_frame)


def getFrameJacobianTimeVariation(model, data, frame_id, reference_frame):
    """The time derivative of getFrameJacobian along the velocity of the data."""
    frame, link, placement = _frame(model, data, frame_id)
    if link is None:
        return np.zeros((6, model.nv))
    inside = frame.placement.actionInverse
    J, D = (model.from_v(x) for x in (model.arne.jacobian(data._q, link=link, frame="local"),
                                      model.arne.jacobian_dot(data._q, data._v, link=link, frame="local")))
    J, D = inside @ J, inside @ D
    v = Motion(J @ model.from_v(data._v))
    turn = np.kron(np.eye(2), skew(v.angular))
    if reference_frame == WORLD:
        turn[:3, 3:] = skew(v.linear)
    return _spatial(placement, reference_frame, D if reference_frame == LOCAL else D + turn @ J)


def getFrameVelocity(model, data, frame_id, reference_frame=LOCAL):
    J = computeFrameJacobian(model, data, None, frame_id, reference_frame)
    return Motion(J @ model.from_v(data._v))


def getFrameAcceleration(model, data, frame_id, reference_frame=LOCAL):
    frame, link, placement = _frame(model, data, frame_id)
    if link is None:
        return Motion()
    a = model.arne.acceleration(data._q, data._v, data._a, link=link, frame="local")
    return Motion(_spatial(placement, reference_frame, frame.placement.actionInverse @ a))


def getFrameClassicalAcceleration(model, data, frame_id, reference_frame=LOCAL):
    v, a = (f(model, data, frame_id, reference_frame) for f in (getFrameVelocity, getFrameAcceleration))
    a.linear = a.linear + np.cross(v.angular, v.linear)
    return a


def _joint_frame(model, joint_id):
    return model.getFrameId(model.names[joint_id], FrameType.JOINT | FrameType.FIXED_JOINT)


def computeJointJacobian(model, data, q, joint_id):
    return computeFrameJacobian(model, data, q, _joint_frame(model, joint_id))


def getJointJacobian(model, data, joint_id, reference_frame):
    return getFrameJacobian(model, data, _joint_frame(model, joint_id), reference_frame)


def getVelocity(model, data, joint_id, reference_frame=LOCAL):
    return getFrameVelocity(model, data, _joint_frame(model, joint_id), reference_frame)


def getAcceleration(model, data, joint_id, reference_frame=LOCAL):
    return getFrameAcceleration(model, data, _joint_frame(model, joint_id), reference_frame)


def getClassicalAcceleration(model, data, joint_id, reference_frame=LOCAL):
    return getFrameClassicalAcceleration(model, data, _joint_frame(model, joint_id), reference_frame)


def computeJointJacobians(model, data, q=None):
    """Columns of all joints in the axes of the world, at its origin."""
    forwardKinematics(model, data, model.from_q(data._q) if q is None else q)
    data.J = np.zeros((6, model.nv))
    for joint in model.joints[1:]:
        columns = slice(joint.idx_v, joint.idx_v + joint.nv)
        data.J[:, columns] = getJointJacobian(model, data, joint.id, WORLD)[:, columns]
    return data.J


def computeJointJacobiansTimeVariation(model, data, q, v):
    computeJointJacobians(model, data, q)
    data._v = model.to_v(v)
    data.dJ = np.zeros((6, model.nv))
    for joint in model.joints[1:]:
        columns = slice(joint.idx_v, joint.idx_v + joint.nv)
        data.dJ[:, columns] = getFrameJacobianTimeVariation(model, data, _joint_frame(model, joint.id), WORLD)[:, columns]
    return data.dJ


def computeAllTerms(model, data, q, v):
    crba(model, data, q)
    nonLinearEffects(model, data, q, v)
    computeGeneralizedGravity(model, data, q)
    computeJointJacobians(model, data, q)
    jacobianCenterOfMass(model, data, q)
    forwardKinematics(model, data, q, v)
    computeMechanicalEnergy(model, data, q, v)


class RobotWrapper:
    """A model and its data. RobotWrapper.BuildFromURDF(path, package_dirs, root_joint): meshes are not read."""

    def __init__(self, model, collision_model=None, visual_model=None, verbose=False):
        self.model, self.data = model, model.createData()
        self.q0, self.v0 = neutral(model), np.zeros(model.nv)

    @staticmethod
    def BuildFromURDF(filename, package_dirs=None, root_joint=None, verbose=False, meshLoader=None):
        return RobotWrapper(buildModelFromUrdf(filename, root_joint))

    nq = property(lambda self: self.model.nq)
    nv = property(lambda self: self.model.nv)
    mass = lambda self, q: crba(self.model, self.data, q)
    nle = lambda self, q, v: nonLinearEffects(self.model, self.data, q, v)
    gravity = lambda self, q: computeGeneralizedGravity(self.model, self.data, q)
    Jcom = lambda self, q: jacobianCenterOfMass(self.model, self.data, q)
    centroidalMomentum = lambda self, q, v: computeCentroidalMomentum(self.model, self.data, q, v)
    framesForwardKinematics = lambda self, q: framesForwardKinematics(self.model, self.data, q)
    computeJointJacobians = lambda self, q: computeJointJacobians(self.model, self.data, q)
    computeJointJacobian = lambda self, q, index: computeJointJacobian(self.model, self.data, q, index)
    getJointJacobian = lambda self, index, rf=LOCAL: getJointJacobian(self.model, self.data, index, rf)
    computeFrameJacobian = lambda self, q, frame_id: computeFrameJacobian(self.model, self.data, q, frame_id)
    getFrameJacobian = lambda self, frame_id, rf=LOCAL: getFrameJacobian(self.model, self.data, frame_id, rf)

    def forwardKinematics(self, q, v=None, a=None):
        forwardKinematics(self.model, self.data, q, v, a)

    def com(self, q=None, v=None):
        centerOfMass(self.model, self.data, q, v)
        return self.data.com[0] if v is None else (self.data.com[0], self.data.vcom[0])

    def placement(self, q, index, update_kinematics=True):
        if update_kinematics:
            self.forwardKinematics(q)
        return self.data.oMi[index]

    def framePlacement(self, q, index, update_kinematics=True):
        if update_kinematics:
            self.forwardKinematics(q)
        return updateFramePlacement(self.model, self.data, index)

    def frameVelocity(self, q, v, index, update_kinematics=True, reference_frame=LOCAL):
        if update_kinematics:
            self.forwardKinematics(q, v)
        return getFrameVelocity(self.model, self.data, index, reference_frame)
