# SPDX-License-Identifier: MIT
"""From a URDF file to a controller: a robot follows a motion by computed torques, with and without knowing what it carries.

The plant is the robot with half a kilogram in its hand, run by Runge-Kutta steps of m.fd; the controller has its own model."""
import pathlib
import tempfile

import arne
import numpy as np

period = 0.002


def motion(t):
    """q, qd, qdd of the reference: each joint swings with its own frequency, from rest."""
    w, a = np.array([1.0, 1.3, 1.6, 1.9, 2.2, 2.5]), np.array([0.6, 0.4, 0.5, 0.8, 0.7, 1.0])
    home = np.array([0.0, -1.2, 1.0, -0.8, -1.5, 0.0])
    return home + a * (1 - np.cos(w * t)), a * w * np.sin(w * t), a * w * w * np.cos(w * t)


def computed_torques(m, q, qd, t, stiffness=400.0):
    """M(q) (qdd_r + 2 sqrt(k) e' + k e) + h(q, qd): every joint's error decays like a damped spring of its own."""
    q_r, qd_r, qdd_r = motion(t)
    tau = m.id(q, qd, qdd_r + 2 * np.sqrt(stiffness) * (qd_r - qd) + stiffness * (q_r - q))
    return np.clip(tau, -m.limits.effort, m.limits.effort)


def run(plant, model, duration=2.0):
    """The largest error of each joint, rad."""
    q, qd, _ = motion(0.0)
    worst = np.zeros(plant.nv)
    for i in range(int(duration / period)):
        tau = computed_torques(model, q, qd, i * period)
        f = lambda a, b: (b, plant.fd(a, b, tau))
        k1 = f(q, qd)
        k2 = f(q + period / 2 * k1[0], qd + period / 2 * k1[1])
        k3 = f(q + period / 2 * k2[0], qd + period / 2 * k2[1])
        k4 = f(q + period * k3[0], qd + period * k3[1])
        q = q + period / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
        qd = qd + period / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
        worst = np.maximum(worst, np.abs(motion((i + 1) * period)[0] - q))
    return worst


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        urdf = pathlib.Path(folder) / "ur5e.urdf"  # stands for the file that you have
        arne.convert("ur5e", to="urdf", out=urdf)
        m = arne.load(urdf)
    print(m)
    plant = m.with_payload(m.tip, 0.5, (0, 0, 0.1), 0.001 * np.eye(3))
    blind, told = run(plant, m), run(plant, plant)
    print("largest errors, mrad, of a controller that does not know the payload:", (1e3 * blind).round(1))
    print("                                                 and of one that does:", (1e3 * told).round(3))
    assert told.max() < 2e-3 < blind.max()
