# SPDX-License-Identifier: MIT
"""Placements, velocities and forces by the names Pinocchio's users type: SE3, Motion, Force, exp and log, roll-pitch-yaw."""
import types

import numpy as np


def _vector(x, n):
    x = np.asarray(x, float).reshape(-1)
    if x.shape != (n,):
        raise ValueError(f"wrong argument size: expected {n}, got {x.size}")
    return x.copy()


def skew(x):
    x = _vector(x, 3)
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


def unSkew(S):
    S = np.asarray(S, float)
    return np.array([S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]]) / 2


class SE3:
    """A placement: x in its own axes is rotation x + translation. SE3(R, p), SE3(4 x 4), SE3.Identity()."""

    def __init__(self, *args):
        if len(args) == 1 and isinstance(args[0], SE3):
            args = args[0].rotation, args[0].translation
        elif len(args) == 1:
            H = np.asarray(args[0], float).reshape(4, 4)
            args = H[:3, :3], H[:3, 3]
        R, p = args if args else (np.eye(3), np.zeros(3))
        self.rotation = np.array(getattr(R, "toRotationMatrix", lambda: R)(), float).reshape(3, 3)
        self.translation = _vector(p, 3)

    @staticmethod
    def Identity():
        return SE3()

    @staticmethod
    def Random():
        return exp6(np.random.uniform(-1, 1, 6))

    @property
    def homogeneous(self):
        H = np.eye(4)
        H[:3, :3], H[:3, 3] = self.rotation, self.translation
        return H

    np = homogeneous

    def __array__(self, dtype=None, copy=None):
        return self.homogeneous

    def inverse(self):
        return SE3(self.rotation.T, -self.rotation.T @ self.translation)

    def toActionMatrix(self):
        """of velocities, linear before angular"""
        R = self.rotation
        return np.block([[R, skew(self.translation) @ R], [np.zeros((3, 3)), R]])

    def toActionMatrixInverse(self):
        return self.inverse().toActionMatrix()

    def toDualActionMatrix(self):
        """of forces"""
        R = self.rotation
        return np.block([[R, np.zeros((3, 3))], [skew(self.translation) @ R, R]])

    action = property(toActionMatrix)
    actionInverse = property(toActionMatrixInverse)
    dualAction = property(toDualActionMatrix)
    toHomogeneousMatrix = lambda self: self.homogeneous

    def act(self, x):
        if isinstance(x, SE3):
            return SE3(self.rotation @ x.rotation, self.rotation @ x.translation + self.translation)
        if isinstance(x, Motion):
            return Motion(self.toActionMatrix() @ x.vector)
        if isinstance(x, Force):
            return Force(self.toDualActionMatrix() @ x.vector)
        return self.rotation @ _vector(x, 3) + self.translation

    def actInv(self, x):
        return self.inverse().act(x)

    __mul__ = __matmul__ = act

    def isApprox(self, other, prec=1e-12):
        return bool(np.allclose(self.homogeneous, other.homogeneous, rtol=prec, atol=prec))

    def isIdentity(self, prec=1e-12):
        return self.isApprox(SE3(), prec)

    def __eq__(self, other):
        return isinstance(other, SE3) and bool(np.array_equal(self.homogeneous, other.homogeneous))

    def copy(self):
        return SE3(self)

    def __repr__(self):
        return f"  R =\n{self.rotation}\n  p = {self.translation}\n"


class _Six:
    """Six numbers, linear before angular, that can be changed in place."""

    def __init__(self, *args):
        if len(args) == 1 and isinstance(args[0], _Six):
            args = (args[0].vector,)
        self.vector = np.concatenate([_vector(a, 3) for a in args]) if len(args) == 2 else _vector(args[0] if args else np.zeros(6), 6)

    @classmethod
    def Zero(cls):
        return cls()

    @classmethod
    def Random(cls):
        return cls(np.random.uniform(-1, 1, 6))

    np = property(lambda self: self.vector)
    linear = property(lambda self: self.vector[:3], lambda self, x: self.vector.__setitem__(slice(0, 3), _vector(x, 3)))
    angular = property(lambda self: self.vector[3:], lambda self, x: self.vector.__setitem__(slice(3, 6), _vector(x, 3)))

    def setZero(self):
        self.vector[:] = 0

    def __array__(self, dtype=None, copy=None):
        return self.vector.copy()

    def __add__(self, other):
        return type(self)(self.vector + other.vector)

    def __sub__(self, other):
        return type(self)(self.vector - other.vector)

    def __neg__(self):
        return type(self)(-self.vector)

    def __mul__(self, x):
        return type(self)(self.vector * x)

    __rmul__ = __mul__

    def __truediv__(self, x):
        return type(self)(self.vector / x)

    def __eq__(self, other):
        return type(self) is type(other) and bool(np.array_equal(self.vector, other.vector))

    def isApprox(self, other, prec=1e-12):
        return bool(np.allclose(self.vector, other.vector, rtol=prec, atol=prec))

    def se3Action(self, M):
        return M.act(self)

    def se3ActionInverse(self, M):
        return M.actInv(self)

    def copy(self):
        return type(self)(self)

    def __repr__(self):
        return f"  {'v' if isinstance(self, Motion) else 'f'} = {self.linear}\n  {'w' if isinstance(self, Motion) else 'tau'} = {self.angular}\n"


class Motion(_Six):
    """A velocity or acceleration in space."""

    def cross(self, other):
        v, w = self.linear, self.angular
        if isinstance(other, Force):
            return Force(np.cross(w, other.linear), np.cross(w, other.angular) + np.cross(v, other.linear))
        return Motion(np.cross(w, other.linear) + np.cross(v, other.angular), np.cross(w, other.angular))

    def dot(self, force):
        return float(self.vector @ np.asarray(force))


class Force(_Six):
    """A force and a moment."""

    def dot(self, motion):
        return float(self.vector @ np.asarray(motion))


class Inertia:
    """A body: its mass, centre of mass, inertia about that, in axes of its own."""

    def __init__(self, mass=0.0, lever=(0, 0, 0), inertia=np.zeros((3, 3))):
        self.mass, self.lever, self.inertia = float(mass), _vector(lever, 3), np.array(inertia, float).reshape(3, 3)

    @staticmethod
    def Zero():
        return Inertia()

    def matrix(self):
        c = skew(self.lever)
        return np.block([[self.mass * np.eye(3), -self.mass * c], [self.mass * c, self.inertia - self.mass * c @ c]])

    def __add__(self, other):
        mass = self.mass + other.mass
        lever = (self.mass * self.lever + other.mass * other.lever) / mass if mass else np.zeros(3)
        about = [b.inertia - b.mass * skew(b.lever - lever) @ skew(b.lever - lever) for b in (self, other)]
        return Inertia(mass, lever, about[0] + about[1])

    def __mul__(self, motion):
        return Force(self.matrix() @ motion.vector)

    def toDynamicParameters(self):
        """m, m c, and xx xy yy xz yz zz of the inertia about the origin"""
        I = self.matrix()[3:, 3:]
        return np.array([self.mass, *(self.mass * self.lever), I[0, 0], I[0, 1], I[1, 1], I[0, 2], I[1, 2], I[2, 2]])

    def vtiv(self, motion):
        return float(motion.vector @ self.matrix() @ motion.vector)

    def se3Action(self, M):
        return Inertia(self.mass, M.act(self.lever), M.rotation @ self.inertia @ M.rotation.T)

    def se3ActionInverse(self, M):
        return self.se3Action(M.inverse())

    def copy(self):
        return Inertia(self.mass, self.lever, self.inertia)

    def __repr__(self):
        return f"  m = {self.mass}\n  c = {self.lever}\n  I = \n{self.inertia}\n"


def exp3(w):
    """The rotation about w by its length."""
    w = _vector(w, 3)
    t, S = np.linalg.norm(w), skew(w)
    a, b = (np.sin(t) / t, (1 - np.cos(t)) / t**2) if t > 1e-4 else (1 - t**2 / 6, 0.5 - t**2 / 24)
    return np.eye(3) + a * S + b * S @ S


def _quaternion(R):
    """qx qy qz qw of a rotation, by its largest component."""
    R = np.asarray(R, float)
    squares = 1 + np.array([[1, -1, -1], [-1, 1, -1], [-1, -1, 1], [1, 1, 1]]) @ np.diag(R)  # 4 q_i^2
    i = int(np.argmax(squares))
    x, y, z = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    xy, xz, yz = R[1, 0] + R[0, 1], R[2, 0] + R[0, 2], R[2, 1] + R[1, 2]
    q = np.array([[squares[0], xy, xz, x], [xy, squares[1], yz, y], [xz, yz, squares[2], z], [x, y, z, squares[3]]][i])
    return q / np.linalg.norm(q)


def _rotation(q):
    q = np.asarray(q, float)
    x, y, z, w = q / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def log3(R):
    """The rotation vector of a rotation, at most half a turn."""
    q = _quaternion(R)
    q = -q if q[3] < 0 else q
    s = np.linalg.norm(q[:3])
    return q[:3] * (2 * np.arctan2(s, q[3]) / s if s > 1e-8 else 2.0)


def _left(w):
    """The matrix V of exp6: translation = V v."""
    t, S = np.linalg.norm(w), skew(w)
    b, c = ((1 - np.cos(t)) / t**2, (t - np.sin(t)) / t**3) if t > 1e-3 else (0.5 - t**2 / 24, 1 / 6 - t**2 / 120)
    return np.eye(3) + b * S + c * S @ S


def exp6(v):
    """Where a body comes from the identity that moves for a unit of time with velocity v."""
    v = Motion(v)
    return SE3(exp3(v.angular), _left(v.angular) @ v.linear)


def log6(M):
    """The Motion that exp6 turns into M."""
    M = SE3(M)
    w = log3(M.rotation)
    return Motion(np.linalg.solve(_left(w), M.translation), w)


def exp(x):
    return exp6(x) if np.size(np.asarray(x)) == 6 else exp3(x)


def log(x):
    return log6(x) if isinstance(x, SE3) or np.shape(x) == (4, 4) else log3(x)


def _right(A):
    """sum of (-A)^k / (k + 1)!"""
    J = term = np.eye(len(A))
    for k in range(1, 48):
        term = term @ -A / (k + 1)
        J = J + term
    return J


def Jexp3(w):
    """exp3(w + dw) = exp3(w) exp3(Jexp3(w) dw)"""
    return _right(skew(w))


def Jexp6(v):
    """The same of exp6."""
    v = Motion(v)
    return _right(np.block([[skew(v.angular), skew(v.linear)], [np.zeros((3, 3)), skew(v.angular)]]))


def Jlog3(R):
    return np.linalg.inv(Jexp3(log3(R)))


def Jlog6(M):
    return np.linalg.inv(Jexp6(log6(M)))


class Quaternion:
    """Quaternion(w, x, y, z), Quaternion(rotation matrix), Quaternion([x, y, z, w]): coeffs() are x y z w."""

    def __init__(self, *args):
        first = args[0] if args else (0, 0, 0, 1)
        if len(args) == 4:
            self._xyzw = _vector((*args[1:], args[0]), 4)
        elif isinstance(first, Quaternion):
            self._xyzw = first.coeffs()
        else:
            first = np.asarray(getattr(first, "toRotationMatrix", lambda: first)(), float)
            self._xyzw = _quaternion(first) if first.shape == (3, 3) else _vector(first, 4)

    @staticmethod
    def Identity():
        return Quaternion()

    x, y, z, w = (property(lambda self, k=k: float(self._xyzw[k])) for k in range(4))

    def coeffs(self):
        return self._xyzw.copy()

    def norm(self):
        return float(np.linalg.norm(self._xyzw))

    def normalize(self):
        self._xyzw /= self.norm()
        return self

    def normalized(self):
        return Quaternion(self).normalize()

    def toRotationMatrix(self):
        return _rotation(self._xyzw)

    matrix = toRotationMatrix

    def conjugate(self):
        return Quaternion(self.w, -self.x, -self.y, -self.z)

    def inverse(self):
        return Quaternion(self.conjugate().coeffs() / self.norm() ** 2)

    def __mul__(self, other):
        if not isinstance(other, Quaternion):
            return self.toRotationMatrix() @ _vector(other, 3)
        a, b = self._xyzw, other._xyzw
        return Quaternion(np.append(a[3] * b[:3] + b[3] * a[:3] + np.cross(a[:3], b[:3]), a[3] * b[3] - a[:3] @ b[:3]))

    def angularDistance(self, other):
        return float(np.linalg.norm(log3(self.toRotationMatrix().T @ other.toRotationMatrix())))

    def slerp(self, t, other):
        R = self.toRotationMatrix()
        return Quaternion(R @ exp3(t * log3(R.T @ other.toRotationMatrix())))

    def __repr__(self):
        return f"(x,y,z,w) = {tuple(map(float, self._xyzw))}"


class AngleAxis:
    """AngleAxis(angle, axis), AngleAxis(rotation matrix)"""

    def __init__(self, *args):
        if len(args) == 1:
            turn = log3(getattr(args[0], "toRotationMatrix", lambda: args[0])())
            self.angle = float(np.linalg.norm(turn))
            self.axis = turn / self.angle if self.angle else np.array([1.0, 0, 0])
        else:
            self.angle, self.axis = float(args[0]), _vector(args[1], 3)

    def toRotationMatrix(self):
        return exp3(self.angle * self.axis)

    matrix = toRotationMatrix


def XYZQUATToSE3(x):
    x = _vector(x, 7)
    return SE3(_rotation(x[3:]), x[:3])


def SE3ToXYZQUAT(M):
    return np.concatenate([M.translation, _quaternion(M.rotation)])


def _rpy_matrix(roll, pitch=None, yaw=None):
    roll, pitch, yaw = _vector(roll, 3) if pitch is None else (roll, pitch, yaw)
    return exp3([0, 0, yaw]) @ exp3([0, pitch, 0]) @ exp3([roll, 0, 0])


def _matrix_rpy(R):
    R = np.asarray(R, float)
    pitch = np.arctan2(-R[2, 0], np.hypot(R[0, 0], R[1, 0]))
    if np.hypot(R[0, 0], R[1, 0]) < 1e-12:
        return np.array([0, pitch, np.arctan2(-R[0, 1], R[1, 1])])
    return np.array([np.arctan2(R[2, 1], R[2, 2]), pitch, np.arctan2(R[1, 0], R[0, 0])])


rpy = types.SimpleNamespace(rpyToMatrix=_rpy_matrix, matrixToRpy=_matrix_rpy)
