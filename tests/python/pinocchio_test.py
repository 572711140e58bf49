# SPDX-License-Identifier: MIT
"""arne.pinocchio beside what Pinocchio 3.7 answered (tests/data/trees, its order of joints, continuous joints as cosine and sine),
beside forward kinematics written out here, and beside differences."""
import json
import os
import re
import unittest
import xml.etree.ElementTree as ElementTree

import arne.pinocchio as pin
import numpy as np

TREES = os.path.join(os.path.dirname(__file__), "..", "data", "trees")
NAMES = sorted(f[:-5] for f in os.listdir(TREES) if f.endswith(".urdf"))
FRAMES = (pin.LOCAL, pin.WORLD, pin.LOCAL_WORLD_ALIGNED)
H = 1e-6


def path(name):
    return os.path.join(TREES, name + ".urdf")


def position(model, angles):
    """One number a joint, as the stored answers have them, in the layout of the model."""
    q = []
    for joint, x in zip(model.joints[1:], angles):
        q += [np.cos(x), np.sin(x)] if joint.nq == 2 else [x]
    return np.array(q)


class Case(unittest.TestCase):
    def near(self, got, wanted, tolerance, what=""):
        got, wanted = np.asarray(got, float), np.asarray(wanted, float)
        self.assertEqual(got.shape, wanted.shape, what)
        off = np.max(np.abs(got - wanted), initial=0)
        self.assertLessEqual(off, tolerance * max(1, np.max(np.abs(wanted), initial=0)), what)

    def some(self, name, free=False, seed=3):
        g = np.random.default_rng(seed)
        model = pin.buildModelFromUrdf(path(name), pin.JointModelFreeFlyer()) if free else pin.buildModelFromUrdf(path(name))
        q = pin.integrate(model, pin.neutral(model), g.uniform(-1, 1, model.nv))
        return model, model.createData(), q, *g.uniform(-1, 1, (3, model.nv))


class Answers(Case):
    def test_of_pinocchio(self):
        wide = 0
        for name in NAMES:
            with open(os.path.join(TREES, name + ".json")) as file:
                stored = json.load(file)
            model = pin.buildModelFromUrdf(path(name))
            data = model.createData()
            self.assertEqual(list(model.names), ["universe"] + stored["joints"], name)
            wide += model.nq != model.nv
            for case in stored["cases"]:
                q, v, a, tau = position(model, case["q"]), case["qd"], case["qdd"], case["tau_in"]
                near = lambda got, key: self.near(got, case[key], 1e-9, f"{name} {key}")
                near(pin.rnea(model, data, q, v, a), "id")
                near(pin.aba(model, data, q, v, tau), "fd")
                near(pin.aba(model, data, q, v, tau, pin.Convention.WORLD), "fd")
                near(pin.crba(model, data, q), "M")
                near(pin.nonLinearEffects(model, data, q, v), "bias")
                near(pin.computeGeneralizedGravity(model, data, q), "gravity_torque")
                near(pin.computeKineticEnergy(model, data, q, v), "kinetic")
                near(pin.computePotentialEnergy(model, data, q), "potential")
                dq, dv, M = pin.computeRNEADerivatives(model, data, q, v, a)
                near(dq, "did_dq"), near(dv, "did_dqd"), near(M, "M")
                self.near(pin.computeCoriolisMatrix(model, data, q, v) @ v + data.g, case["bias"], 1e-9)
                self.near(pin.computeMinverse(model, data, q) @ case["M"], np.eye(model.nv), 1e-6)
                # the wrench acts in world axes at the joint's origin; a force there is given in the axes of the joint
                w = case["wrench"]
                R = np.array(w["joint_rotation_world"])
                forces = [pin.Force.Zero() for _ in range(model.njoints)]
                at = model.getJointId(w["joint"])
                forces[at] = pin.Force(R.T @ w["force"], R.T @ w["moment"])
                near(pin.rnea(model, data, q, v, a, forces), "id_with_wrench")
                near(pin.aba(model, data, q, v, tau, forces), "fd_with_wrench")
                pin.forwardKinematics(model, data, q)
                self.near(data.oMi[at].rotation, R, 1e-9)
                self.near(data.oMi[at].translation, w["joint_origin_world"], 1e-9)
        self.assertGreater(wide, 3)  # of robots with continuous joints

    def test_order_is_that_of_the_names(self):
        """Two children of one link: the joint that comes first in the alphabet, j10 before j9, whatever the file has."""
        text = "<robot name='y'>" + "".join(f"<link name='{n}'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' "
                                            f"ixz='0' iyz='0'/></inertial></link>" for n in "abcd")
        for joint, parent, child, kind in (("j9", "a", "b", "continuous"), ("tool", "b", "d", "fixed"), ("j10", "a", "c", "prismatic")):
            text += (f"<joint name='{joint}' type='{kind}'><parent link='{parent}'/><child link='{child}'/><axis xyz='0 0 1'/>"
                     "<limit effort='5' velocity='2' lower='-1' upper='3'/></joint>")
        model = pin.buildModelFromXML(text + "</robot>")
        self.assertEqual(model.names, ["universe", "j10", "j9"])
        self.assertEqual([f.name for f in model.frames], ["universe", "root_joint", "a", "j10", "c", "j9", "b", "tool", "d"])
        self.assertEqual([f.parentJoint for f in model.frames], [0, 0, 0, 1, 1, 2, 2, 2, 2])
        self.assertEqual([j.shortname() for j in model.joints[1:]], ["JointModelPZ", "JointModelRUBZ"])
        self.assertEqual((model.nq, model.nv, model.idx_qs, model.nqs), (3, 2, [0, 0, 1], [0, 1, 2]))
        self.assertEqual(list(model.lowerPositionLimit), [-1, -1.01, -1.01])
        self.assertEqual((model.getFrameId("d"), model.getFrameId("nobody"), model.existFrame("tool")), (8, 9, True))
        self.assertEqual(list(pin.neutral(model)), [0, 1, 0])


class Space(Case):
    def test_kinematics(self):
        """Products of placements, written out."""
        for name, free in ((n, f) for n in NAMES[:6] for f in (False, True)):
            model, data, q, v, a, _ = self.some(name, free)
            axes = {j.get("name"): j for j in ElementTree.parse(path(name)).getroot().findall("joint")}
            pin.framesForwardKinematics(model, data, q)
            for joint in model.joints[1:]:
                x = q[joint.idx_q:joint.idx_q + joint.nq]
                if joint.nq == 7:
                    moved = pin.XYZQUATToSE3(x)
                else:
                    node = axes[model.names[joint.id]]
                    axis = np.array([float(t) for t in node.find("axis").get("xyz").split()])
                    axis = axis / np.linalg.norm(axis)
                    angle = np.arctan2(x[1], x[0]) if joint.nq == 2 else x[0]
                    moved = pin.SE3(np.eye(3), angle * axis) if node.get("type") == "prismatic" else pin.SE3(pin.exp3(angle * axis), np.zeros(3))
                here = data.oMi[model.parents[joint.id]] * model.jointPlacements[joint.id] * moved
                self.near(data.oMi[joint.id].homogeneous, here.homogeneous, 1e-12, f"{name} {model.names[joint.id]}")
            for frame, found in zip(model.frames, data.oMf):
                self.assertTrue(found.isApprox(data.oMi[frame.parentJoint] * frame.placement))

    def test_jacobians(self):
        """By differences of placements, in all axes; velocities and accelerations by differences in time."""
        for name, free in (("tree_05", False), ("tree_07", True)):
            model, data, q, v, a, _ = self.some(name, free)
            model.addFrame(pin.Frame("mine", model.njoints - 1, 0, pin.SE3.Random(), pin.FrameType.OP_FRAME))
            frames = [model.getFrameId("mine"), model.nframes // 2, 1]
            at = lambda x, f: pin.framePlacement(model, data, x, f)
            step = lambda t: pin.integrate(model, q, t * v + t * t / 2 * a)
            for f in frames:
                here = at(q, f)
                local, world = np.zeros((6, model.nv)), np.zeros((6, model.nv))
                for k, e in enumerate(np.eye(model.nv)):
                    one, two = at(pin.integrate(model, q, -H * e), f), at(pin.integrate(model, q, H * e), f)
                    local[:, k] = pin.log(one.inverse() * two).vector / (2 * H)
                    world[:, k] = pin.log(two * one.inverse()).vector / (2 * H)
                aligned = np.kron(np.eye(2), here.rotation) @ local
                for axes, wanted in zip(FRAMES, (local, world, aligned)):
                    self.near(pin.computeFrameJacobian(model, data, q, f, axes), wanted, 1e-8)
                    pin.computeJointJacobians(model, data, q)
                    self.near(pin.getFrameJacobian(model, data, f, axes), wanted, 1e-8)
                    speeds, rates = [], []
                    for t in (-H, H):  # at these times the velocity is v + t a along the motion, to first order
                        pin.forwardKinematics(model, data, step(t), v + t * a)
                        speeds.append(pin.getFrameVelocity(model, data, f, axes).vector)
                        rates.append(pin.getFrameJacobian(model, data, f, axes))
                    pin.forwardKinematics(model, data, q, v, a)
                    self.near(pin.getFrameVelocity(model, data, f, axes).vector, wanted @ v, 1e-8)
                    self.near(pin.getFrameJacobianTimeVariation(model, data, f, axes), (rates[1] - rates[0]) / (2 * H), 1e-7)
                    found = pin.getFrameClassicalAcceleration if axes == pin.LOCAL_WORLD_ALIGNED else pin.getFrameAcceleration
                    self.near(found(model, data, f, axes).vector, (speeds[1] - speeds[0]) / (2 * H), 1e-7)
            J = pin.computeJointJacobians(model, data, q)
            last = model.njoints - 1
            self.near(data.oMi[last].actionInverse @ J @ (v * (pin.getJointJacobian(model, data, last, pin.WORLD).any(axis=0))),
                      pin.computeJointJacobian(model, data, q, last) @ v, 1e-12)
            pin.forwardKinematics(model, data, q, v, a)
            self.near(data.v[last].vector, pin.getVelocity(model, data, last).vector, 1e-12)
            self.near(data.a[last].vector, pin.getAcceleration(model, data, last).vector, 1e-12)

    def test_groups(self):
        g = np.random.default_rng(1)
        for x in (*g.uniform(-2, 2, (20, 6)), np.zeros(6), 1e-6 * np.ones(6), np.array([1, 2, 3, np.pi - 1e-7, 0, 0])):
            x = x if np.linalg.norm(x[3:]) < np.pi else x / 2
            M = pin.exp6(x)
            self.near(pin.log6(M).vector, x, 1e-9)
            self.near(M.rotation @ M.rotation.T, np.eye(3), 1e-13)
            dx = 1e-6 * g.uniform(-1, 1, 6)
            self.near(pin.log6(pin.exp6(x - dx).inverse() * pin.exp6(x + dx)).vector / 2e-6, pin.Jexp6(x) @ dx / 1e-6, 1e-8)
            self.near(pin.Jlog6(M) @ pin.Jexp6(x), np.eye(6), 1e-9)
            N, f, v = pin.SE3.Random(), pin.Force.Random(), pin.Motion(x)
            self.near((M * N).inverse().homogeneous, (N.inverse() * M.inverse()).homogeneous, 1e-12)
            self.near(M.act(f).dot(M.act(v)), f.dot(v), 1e-10)  # power is the same in all axes
            self.near(pin.XYZQUATToSE3(pin.SE3ToXYZQUAT(M)).homogeneous, M.homogeneous, 1e-12)
            a, b = pin.Quaternion(M.rotation), pin.Quaternion(N.rotation)
            self.near((a * b).matrix(), M.rotation @ N.rotation, 1e-12)
            self.near((a.inverse() * b).matrix(), M.rotation.T @ N.rotation, 1e-12)
            self.near(pin.SE3(a, x[:3]).rotation, M.rotation, 1e-12)
            self.near(pin.Quaternion(a.w, a.x, a.y, a.z) * x[:3], M.rotation @ x[:3], 1e-12)
            half = a.slerp(0.5, b)
            self.near(2 * half.angularDistance(a), a.angularDistance(b), 1e-7)
            turn = pin.AngleAxis(M.rotation)
            self.near(turn.angle * turn.axis, x[3:], 1e-9)
            self.near(turn.matrix(), M.rotation, 1e-9)
            self.near(pin.rpy.rpyToMatrix(pin.rpy.matrixToRpy(M.rotation)), M.rotation, 1e-12)


class Whole(Case):
    def test_positions(self):
        for name, free in (("tree_05", False), ("tree_10", True)):
            model, data, q, v, *_ = self.some(name, free)
            p = pin.integrate(model, q, v)
            self.near(pin.difference(model, q, p), v, 1e-12)
            self.assertTrue(pin.isSameConfiguration(model, pin.interpolate(model, q, p, 1.0), p, 1e-12))
            far = pin.integrate(model, q, 4 * np.ones(model.nv))  # more than half a turn
            turning = [j.idx_v for j in model.joints if j.nq == 2]
            self.assertTrue(turning)
            self.near(pin.difference(model, q, far)[turning], 4 - 2 * np.pi * np.ones(len(turning)), 1e-12)
            x = pin.randomConfiguration(model)
            self.near(pin.normalize(model, x), x, 1e-12)

    def test_momentum(self):
        """Centre of mass and momentum by differences; the weight at a free base; derivatives of accelerations by differences."""
        with open(path("tree_06")) as file:  # its base weighs nothing
            text = file.read().replace('<link name="base"/>', '<link name="base"><inertial><mass value="2"/><origin xyz="0.1 0 0"/><inertia '
                                       'ixx="0.1" iyy="0.2" izz="0.2" ixy="0" ixz="0" iyz="0"/></inertial></link>')
        model = pin.buildModelFromXML(text, pin.JointModelFreeFlyer())
        data = model.createData()
        q, v, a, tau = np.random.default_rng(3).uniform(-1, 1, (4, model.nv))
        q = pin.integrate(model, pin.neutral(model), q)
        com = pin.centerOfMass(model, data, q, v).copy()
        mass = pin.computeTotalMass(model, data)
        one, two = (pin.centerOfMass(model, data, pin.integrate(model, q, t * v)).copy() for t in (-H, H))
        pin.centerOfMass(model, data, q, v)
        self.near(data.vcom[0], (two - one) / (2 * H), 1e-8)
        self.near(pin.jacobianCenterOfMass(model, data, q) @ v, (two - one) / (2 * H), 1e-8)
        self.near(pin.ccrba(model, data, q, v) @ v, data.hg.vector, 1e-12)
        self.near(data.hg.linear, mass * (two - one) / (2 * H), 1e-7)
        R = pin.XYZQUATToSE3(q[:7]).rotation
        g = pin.computeGeneralizedGravity(model, data, q)
        self.near(R @ g[:3], [0, 0, 9.81 * mass], 1e-10)
        self.near(R @ g[3:6], np.cross(com - q[:3], [0, 0, 9.81 * mass]), 1e-10)
        dq, dv, dtau = pin.computeABADerivatives(model, data, q, v, tau)
        for k, e in enumerate(np.eye(model.nv)):
            one, two = (pin.aba(model, data, pin.integrate(model, q, s * H * e), v, tau).copy() for s in (-1, 1))
            self.near(dq[:, k], (two - one) / (2 * H), 1e-6)
        self.near(dtau @ pin.crba(model, data, q), np.eye(model.nv), 1e-9)

    def test_inertias(self):
        """Bodies as they are read give energy and centre of mass; its acceleration by differences."""
        for name, free in (("tree_04", False), ("tree_09", True)):
            model, data, q, v, a, _ = self.some(name, free)
            pin.forwardKinematics(model, data, q, v)
            pin.centerOfMass(model, data, q, v, a)
            self.near(sum(Y.vtiv(u) for Y, u in zip(model.inertias[1:], data.v[1:])) / 2, pin.computeKineticEnergy(model, data, q, v), 1e-12)
            mass = sum(Y.mass for Y in model.inertias[1:])
            self.near(mass, pin.computeTotalMass(model), 1e-12)
            self.near(sum(Y.mass * M.act(Y.lever) for Y, M in zip(model.inertias[1:], data.oMi[1:])) / mass, data.com[0], 1e-12)
            K = np.concatenate([Y.toDynamicParameters() for Y in model.inertias[1:]])
            self.near(pin.computeJointTorqueRegressor(model, data, q, v, a) @ K, pin.rnea(model, data, q, v, a), 1e-12)
            self.assertEqual(data.jointTorqueRegressor.shape, (model.nv, 10 * (model.njoints - 1)))
            found, speeds = data.acom[0], []
            for t in (-H, H):
                pin.centerOfMass(model, data, pin.integrate(model, q, t * v + t * t / 2 * a), v + t * a)
                speeds.append(data.vcom[0])
            self.near(found, (speeds[1] - speeds[0]) / (2 * H), 1e-7)

    def test_gravity_is_the_models(self):
        model, data, q, v, a, _ = self.some("tree_03")
        before = pin.computeGeneralizedGravity(model, data, q).copy()
        model.gravity.linear = np.array([0, 0, -9.81 / 6])
        self.near(6 * pin.computeGeneralizedGravity(model, data, q), before, 1e-12)
        model.gravity.setZero()
        self.near(pin.rnea(model, data, q, 0 * v, a), pin.crba(model, data, q) @ a, 1e-12)

    def test_inverse_kinematics(self):
        """The loop that Pinocchio's page of examples has, as it is written there."""
        model = pin.buildModelFromUrdf(path("tree_11"))
        data = model.createData()
        joint = model.njoints - 1
        goal = pin.integrate(model, pin.neutral(model), 0.3 * np.ones(model.nv))
        pin.forwardKinematics(model, data, goal)
        oMdes = data.oMi[joint].copy()
        q = pin.neutral(model)
        for _ in range(300):
            pin.forwardKinematics(model, data, q)
            iMd = data.oMi[joint].actInv(oMdes)
            err = pin.log(iMd).vector
            if np.linalg.norm(err) < 1e-6:
                break
            J = pin.computeJointJacobian(model, data, q, joint)
            J = -np.dot(pin.Jlog6(iMd.inverse()), J)
            v = -J.T.dot(np.linalg.solve(J.dot(J.T) + 1e-8 * np.eye(6), err))
            q = pin.integrate(model, q, 0.3 * v)
        self.assertLess(np.linalg.norm(err), 1e-6)

    def test_wrapper(self):
        robot = pin.RobotWrapper.BuildFromURDF(path("tree_05"), None, pin.JointModelFreeFlyer())
        self.assertEqual(robot.q0[6], 1)
        self.near(robot.com(robot.q0), pin.centerOfMass(robot.model, robot.data, robot.q0), 0)
        self.assertEqual(robot.mass(robot.q0).shape, (robot.nv, robot.nv))
        self.assertTrue(robot.framePlacement(robot.q0, 1).isIdentity())


class Refusals(Case):
    def test_words(self):
        model, data, q, v, a, _ = self.some("tree_05")
        for call, words in ((lambda: pin.rnea(model, data, q[1:], v, a), f"expected {model.nq}, got {model.nq - 1}\nhint: The configuration"),
                            (lambda: pin.rnea(model, data, q, v, a[1:]), "The acceleration vector"),
                            (lambda: pin.rnea(model, data, q, v, a, [pin.Force()]), "one force a joint"),
                            (lambda: pin.getFrameJacobian(model, model.createData(), 1, pin.LOCAL), "knows no position"),
                            (lambda: pin.buildModelFromUrdf(path("tree_05"), mimic=True), "arne.load"),
                            (lambda: pin.buildModelFromUrdf(path("tree_05"), "base"), "JointModelFreeFlyer"),
                            (lambda: pin.computeCollisions, "doc/pinocchio.md")):
            with self.assertRaisesRegex((ValueError, NotImplementedError, AttributeError), re.escape(words)):
                call()

    def test_page(self):
        """What doc/pinocchio.md says is there is there, and the other way round."""
        with open(os.path.join(os.path.dirname(__file__), "..", "..", "doc", "pinocchio.md")) as file:
            here, there = file.read().split("## What is not")
        model, data, *_ = self.some("tree_05")
        told = set()
        for row in re.findall(r"^\| ([^|`]+) \| (.*) \|$", here, re.M):
            of = {"of a model": model, "of a data": data}.get(row[0], pin)
            words = {w for some in re.findall(r"`([\w., ]+)`", row[1]) for w in some.split(", ") if "." not in w}
            self.assertEqual({w for w in words if not hasattr(of, w)}, set(), row[0])
            told |= words
        public = {n for n in vars(pin) if not n.startswith("_") and callable(getattr(pin, n)) and getattr(pin, n).__module__.startswith("arne")}
        self.assertEqual(public - told, set())
        for name in re.findall(r"`(\w+)`", there):
            self.assertNotIn(name, vars(pin))


if __name__ == "__main__":
    unittest.main()
