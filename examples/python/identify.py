# SPDX-License-Identifier: MIT
"""A robot identified from a log: the motion that excites it, a recording with noise, a model whose torques can be trusted.

The log comes from a robot that differs from its file, as real ones do: heavier links, other friction. Of a real robot it is the
recording of t, q and tau while it does the motion."""
import arne
import numpy as np

rng = np.random.default_rng(4)
m = arne.load("planar3r")
truth = m.with_parameters(m.parameters * rng.uniform(0.8, 1.2, m.parameters.shape)).with_payload("j3", 0.7, (0.4, 0.05, 0))


def record(motion):
    """What a logger writes: positions of an encoder, torques with noise and joints that rub."""
    rub = 0.8 * np.sign(motion.qd) + 0.4 * motion.qd
    tau = truth.id(motion.q, motion.qd, motion.qdd) + rub
    return {"t": motion.t, "q": motion.q + rng.normal(0, 1e-5, motion.q.shape), "tau": tau + rng.normal(0, 0.05, tau.shape)}


def error(model, log, motion):
    """How much of the torques a model does not tell, joint by joint."""
    return np.linalg.norm(log["tau"] - model.id(motion.q, motion.qd, motion.qdd), axis=0) / np.linalg.norm(log["tau"], axis=0)


if __name__ == "__main__":
    first = arne.excite(m, time=6, periods=2, random=100, steps=100, seed=1)
    second = arne.excite(m, time=6, random=100, steps=100, seed=2)  # another motion, to judge by
    found = arne.identify(m, record(first))
    log = record(second)
    before, after = error(m, log, second), error(found.model, log, second)
    print("torques not told by the file:          ", " ".join(f"{100 * e:5.1f} %" for e in before))
    print("torques not told by what was identified:", " ".join(f"{100 * e:4.1f} %" for e in after))
    print("friction found:", ", ".join(f"{j.name} {j.coulomb:.2f} Nm + {j.viscous:.2f} Nm s" for j in found.joints))
    assert (after < 0.05).all() and (after < before / 3).all()
