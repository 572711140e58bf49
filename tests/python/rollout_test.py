# SPDX-License-Identifier: MIT
"""m.rollout: the steps of the rule by m.fd, derivatives by differences, on fixed and free bases."""
import unittest

import arne
import numpy as np

g = np.random.default_rng(8)


def rk4(m, q, qd, tau, h):
    """One step on a robot whose positions are plain numbers."""
    a1, v1 = m.fd(q, qd, tau), qd
    v2 = qd + h / 2 * a1
    a2 = m.fd(q + h / 2 * v1, v2, tau)
    v3 = qd + h / 2 * a2
    a3 = m.fd(q + h / 2 * v2, v3, tau)
    v4 = qd + h * a3
    a4 = m.fd(q + h * v3, v4, tau)
    return q + h / 6 * (v1 + 2 * v2 + 2 * v3 + v4), qd + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)


class Rollouts(unittest.TestCase):
    def test_steps(self):
        m = arne.load("ur5e").with_payload("wrist_3", 1)
        q, qd, tau = g.uniform(-1, 1, 6), g.uniform(-1, 1, 6), m.gravity(np.zeros(6)) + g.uniform(-1, 1, (5, 6))
        r = m.rollout(q, qd, tau, step=0.01)
        for k in range(5):
            q, qd = rk4(m, q, qd, tau[k], 0.01)
            self.assertLess(np.abs(r.q[k + 1] - q).max(), 1e-12)
            self.assertLess(np.abs(r.qd[k + 1] - qd).max(), 1e-11)
        self.assertIsNone(r.A)

    def test_derivatives(self):
        h = 1e-6
        for robot in ("planar2r", "quadrotor-arm"):
            m = arne.load(robot)
            q, qd, tau = m.normalize(g.uniform(-1, 1, m.nq)), g.uniform(-1, 1, m.nv), g.uniform(-1, 1, (3, m.nv))
            r = m.rollout(q, qd, tau, step=0.02, derivatives=("steps", "start", "tau"))
            self.assertLess(np.abs(np.linalg.multi_dot(r.A[::-1]) - r.by_start).max(), 1e-9)
            end = lambda q, qd, tau: (lambda e: (e.q[-1], e.qd[-1]))(m.rollout(q, qd, tau, step=0.02))
            def slope(plus, minus):
                return np.r_[m.difference(minus[0], plus[0]), plus[1] - minus[1]] / (2 * h)
            for k in range(m.nv):
                e = h * np.eye(m.nv)[k]
                for column, s in ((k, slope(end(m.integrate(q, e), qd, tau), end(m.integrate(q, -e), qd, tau))),
                                  (m.nv + k, slope(end(q, qd + e, tau), end(q, qd - e, tau)))):
                    self.assertLess(np.abs(s - r.by_start[:, column]).max(), 1e-6, robot)
                d = np.zeros_like(tau)
                d[1] = e
                self.assertLess(np.abs(slope(end(q, qd, tau + d), end(q, qd, tau - d)) - r.by_tau[:, m.nv + k]).max(), 1e-6, robot)

    def test_many_and_shapes(self):
        m = arne.load("planar2r")
        q, qd, tau = g.uniform(-1, 1, (9, 2)), g.uniform(-1, 1, (9, 2)), g.uniform(-1, 1, (9, 4, 2))
        many = m.rollout(q, qd, tau, step=0.01, rule="semi-implicit", derivatives="parameters", every=True)
        one = m.rollout(q[3], qd[3], tau[3], step=0.01, rule="semi-implicit", derivatives=["parameters"], every=True)
        self.assertEqual(many.by_parameters.shape, (9, 5, 4, 26))
        for a, b in zip(many, one):
            if a is not None: self.assertTrue(np.array_equal(a[3], b))
        for kind, words, call in ((ValueError, r"tau.*\(4, 3\)", lambda: m.rollout(q[0], qd[0], np.zeros((4, 3)), step=0.01)),
                                  (ValueError, r"q.*\(9, 2\)", lambda: m.rollout(q[0], qd, tau, step=0.01)),
                                  (ValueError, "rule.*heun", lambda: m.rollout(q, qd, tau, step=0.01, rule="heun")),
                                  (ValueError, "derivatives.*speed", lambda: m.rollout(q, qd, tau, step=0.01, derivatives="speed")),
                                  (arne.Error, "", lambda: m.rollout(q, qd, tau, step=-1)),
                                  (TypeError, "step", lambda: m.rollout(q, qd, tau))):
            with self.assertRaisesRegex(kind, words): call()


if __name__ == "__main__":
    unittest.main()
