# SPDX-License-Identifier: MIT
"""arne.torch: gradients beside those of finite differences (torch.autograd.gradcheck), in doubles, batches of 16."""
import subprocess
import sys
import unittest

try:
    import torch
except ImportError:
    print("not tested: arne.torch: PyTorch is not here (tools/setup torch)")
    raise SystemExit(0)
import arne
import arne.torch
import numpy as np

g = np.random.default_rng(3)


def tensors(m, n=16):
    q = m.normalize(g.uniform(-1, 1, (n, m.nq)))
    return [torch.tensor(x, requires_grad=True) for x in (q, *(g.uniform(0.1, 1, (n, m.nv)) for _ in range(2)))]


class Gradients(unittest.TestCase):
    def test_states(self):
        for robot in ("planar2r", "stanford", "kuka-lwr", "ur5e", "quadrotor-arm"):
            m = arne.load(robot)
            x = tensors(m)
            for f in (arne.torch.id, arne.torch.fd):
                self.assertTrue(torch.autograd.gradcheck(lambda *y: f(m, *y), x, atol=1e-5, rtol=1e-5), robot)

    def test_parameters(self):
        for robot in ("planar2r", "stanford"):
            m = arne.load(robot)
            K = torch.tensor(m.parameters, requires_grad=True)
            x = [v.detach() for v in tensors(m)]
            for f in (arne.torch.id, arne.torch.fd):
                self.assertTrue(torch.autograd.gradcheck(lambda k: f(m, *x, parameters=k), [K], atol=1e-5, rtol=1e-5), robot)

    def test_motions(self):
        for robot in ("planar2r", "quadrotor-arm"):
            m = arne.load(robot)
            q, qd, _ = tensors(m, 2)
            tau = torch.tensor(g.uniform(-1, 1, (2, 3, m.nv)), requires_grad=True)
            self.assertTrue(torch.autograd.gradcheck(lambda *x: arne.torch.rollout(m, *x, step=0.02), [q, qd, tau], atol=1e-5), robot)
        with self.assertRaisesRegex(ValueError, "shapes"): arne.torch.rollout(m, q, qd, tau[0], step=0.02)

    def test_shapes(self):
        m = arne.load("ur5e")
        q, qd, qdd = tensors(m, 6)
        one = arne.torch.id(m, q[2], qd[2], qdd[2])
        cube = arne.torch.id(m, q.reshape(2, 3, 6), qd.reshape(2, 3, 6), qdd[0])
        self.assertEqual((tuple(one.shape), tuple(cube.shape)), ((6,), (2, 3, 6)))
        cube.sum().backward()
        self.assertEqual(tuple(qdd.grad.shape), (6, 6))
        self.assertEqual(arne.torch.id(m, q.float(), qd.float(), qdd.float()).dtype, torch.float32)
        with self.assertRaisesRegex(ValueError, r"tau.*\(3,\).*6"):
            arne.torch.fd(m, q[0], qd[0], torch.zeros(3))

    def test_learning(self):
        """The parameters of a payload from torques, by gradient descent on what is linear."""
        m = arne.load("planar2r")
        x = [v.detach() for v in tensors(m, 64)]
        truth = torch.tensor(m.with_payload("j2", 1.0, (1, 0, 0)).id(*[v.numpy() for v in x]))
        K = torch.tensor(m.parameters, requires_grad=True)
        loss = lambda: ((arne.torch.id(m, *x, parameters=K) - truth) ** 2).mean()
        before = loss().item()
        steps = torch.optim.LBFGS([K], max_iter=60)
        def step():
            steps.zero_grad()
            value = loss()
            value.backward()
            return value
        steps.step(step)
        self.assertLess(loss().item(), 1e-6 * before)

    def test_only_when_asked(self):
        r = subprocess.run([sys.executable, "-c", "import arne, sys; raise SystemExit('torch' in sys.modules)"])
        self.assertEqual(r.returncode, 0)


if __name__ == "__main__":
    unittest.main()
