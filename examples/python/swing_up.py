# SPDX-License-Identifier: MIT
"""Swings a pole up on a cart by iLQR, with the analytic derivatives of forward dynamics.

Steps of h seconds, semi-implicit: qd' = qd + h fd(q, qd, tau), q' = q + h qd'. One call of m.dfd gives the derivatives of all steps
of a motion together; the backward pass is the usual one [Tassa, Erez, Todorov 2012]."""
import arne
import numpy as np

CART = """
name: cart-pole
convention: urdf
joints:
  - name: cart
    type: prismatic
    axis: [1, 0, 0]
    link: {mass: 1}
  - name: pole
    type: revolute
    axis: [0, 1, 0]
    link: {mass: 0.2, com: [0, 0, -0.5], inertia: {xx: 0.0042, xy: 0, xz: 0, yy: 0.0042, yz: 0, zz: 0.0001, about: com}}
"""
h, steps = 0.02, 150
goal = np.array([0, np.pi, 0, 0])  # the pole hangs at zero
weight, last, effort = np.array([0.1, 0.1, 0.01, 0.01]) * h, np.array([100, 300, 10, 30.0]), 0.01 * h


def roll(m, x0, u, x_old=None, k=None, K=None, alpha=0.0):
    """The motion of forces u, corrected along the way by the gains K and a part alpha of the change k; None: it is lost."""
    x, u = np.empty((len(u) + 1, 4)), u.copy()
    x[0] = x0
    tau = np.zeros(2)
    for i in range(len(u)):
        if K is not None:
            u[i] += alpha * k[i] + K[i] @ (x[i] - x_old[i])
        tau[0] = u[i]
        if not np.abs(x[i]).max() < 1e3:
            return None  # it flies away
        v = x[i, 2:] + h * m.fd(x[i, :2], x[i, 2:], tau)
        x[i + 1] = *(x[i, :2] + h * v), *v
    return x, u


def cost(x, u):
    return np.sum(weight * (x[:-1] - goal) ** 2) + np.sum(last * (x[-1] - goal) ** 2) + effort * np.sum(u**2)


def steps_of(m, x, u):
    """A = dx'/dx and B = dx'/du of all steps at once."""
    D = m.dfd(x[:-1, :2], x[:-1, 2:], np.c_[u, 0 * u])
    n = len(u)
    A, B = np.tile(np.eye(4), (n, 1, 1)), np.zeros((n, 4))
    A[:, 2:, :2], A[:, 2:, 2:], B[:, 2:] = h * D.dq, np.eye(2) + h * D.dqd, h * D.dtau[:, :, 0]
    A[:, :2] += h * A[:, 2:]
    B[:, :2] = h * B[:, 2:]
    return A, B


def backward(A, B, x, u, damping):
    k, K = np.empty(len(u)), np.empty((len(u), 4))
    v, V = 2 * last * (x[-1] - goal), np.diag(2 * last)
    for i in reversed(range(len(u))):
        a, b = A[i], B[i]
        q_u, q_uu = 2 * effort * u[i] + b @ v, 2 * effort + b @ V @ b + damping
        q_x, q_ux = 2 * weight * (x[i] - goal) + a.T @ v, b @ V @ a
        k[i], K[i] = -q_u / q_uu, -q_ux / q_uu
        v = q_x + K[i] * q_uu * k[i] + K[i] * q_u + q_ux * k[i]
        V = np.diag(2 * weight) + a.T @ V @ a + q_uu * np.outer(K[i], K[i]) + np.outer(K[i], q_ux) + np.outer(q_ux, K[i])
        V = (V + V.T) / 2
    return k, K


def swing_up(m, rounds=200):
    u = 0.1 * np.sin(np.arange(steps) * h * 4)
    x, u = roll(m, np.zeros(4), u)
    best, damping = cost(x, u), 1.0
    for round in range(rounds):
        k, K = backward(*steps_of(m, x, u), x, u, damping)
        for alpha in 0.6 ** np.arange(12):
            new = roll(m, x[0], u, x, k, K, alpha)
            if new and cost(*new) < best:
                break
        else:
            damping *= 10
            if damping > 1e6:
                break
            continue
        gain, best, (x, u), damping = best - cost(*new), cost(*new), new, max(damping / 3, 1e-9)
        if gain < 1e-5 * best:
            break
    return x, u, round + 1


if __name__ == "__main__":
    m = arne.Model.from_yaml(CART)
    x, u, rounds = swing_up(m)
    print(f"{rounds} rounds, cost {cost(x, u):.4g}, largest force {np.abs(u).max():.1f} N")
    print(f"the pole ends {np.rad2deg(abs(x[-1, 1] - np.pi)):.3f} degrees from upright, at {abs(x[-1, 3]):.4f} rad/s; the cart "
          f"at {x[-1, 0]:.4f} m")
    assert abs(x[-1, 1] - np.pi) < 0.02 and abs(x[-1, 3]) < 0.1 and abs(x[-1, 0]) < 0.1
