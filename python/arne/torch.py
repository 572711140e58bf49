# SPDX-License-Identifier: MIT
"""PyTorch: arne.torch.id and arne.torch.fd, differentiable by their arguments and by the inertial parameters; arne.torch.rollout,
motions from torques.

Forward is m.id or m.fd, backward the analytic derivatives (m.did, m.dfd), for parameters the regressor:
d id / dK = Y, d fd / dK = -M^-1 Y. Tensors are computed on the CPU; derivatives of derivatives are not there. Needs PyTorch (Debian:
python3-torch); `import arne` alone does not load it."""
import numpy as np
import torch as _torch
from torch.autograd.function import once_differentiable

__all__ = ["id", "fd", "rollout"]


def _array(x):
    return x.detach().cpu().numpy()


def _rates(m, q):
    """Of positions q (N, nq) by velocities: (N, nq, nv)."""
    return np.stack([m.rate(q, np.eye(m.nv, dtype=q.dtype)[k]) for k in range(m.nv)], -1)


def _by_numbers(m, q, by_velocity):
    """From gradients along velocities (N, nv) to those by the numbers of q (N, nq): quaternions are normalised before use."""
    return by_velocity if m.nq == m.nv else np.einsum("nvq,nv->nq", np.linalg.pinv(_rates(m, q)), by_velocity)


def _by_velocity(m, q, by_numbers):
    """The other way round."""
    return by_numbers if m.nq == m.nv else np.einsum("nqv,nq->nv", _rates(m, q), by_numbers)


class _Dynamics(_torch.autograd.Function):
    @staticmethod
    def forward(ctx, m, name, q, qd, x, parameters):
        if parameters is not None:
            m = m.with_parameters(_array(parameters).astype(float))
        ctx.m, ctx.name, ctx.parameters = m, name, parameters is not None
        y = _torch.from_numpy(getattr(m, name)(_array(q), _array(qd), _array(x))).to(q.device)
        ctx.save_for_backward(q, qd, x, y)
        return y

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        m, (q, qd, x, y), g = ctx.m, map(_array, ctx.saved_tensors), _array(grad)
        D = (m.did if ctx.name == "id" else m.dfd)(q, qd, x)
        back = [np.einsum("ni,nij->nj", g, part) for part in D]
        back[0] = _by_numbers(m, q, back[0])
        if ctx.parameters and ctx.needs_input_grad[5]:
            # fd: M^-1 is symmetric, so its product with g is the last of the three
            by = np.einsum("ni,nij->j", g, m.regressor(q, qd, x)) if ctx.name == "id" else \
                -np.einsum("ni,nij->j", back[2], m.regressor(q, qd, y))
            back.append(by)
        else:
            back.append(None)
        return (None, None, *(None if b is None else _torch.from_numpy(np.ascontiguousarray(b)).to(grad) for b in back))


def _call(m, name, q, qd, x, parameters):
    q, qd, x = (_torch.as_tensor(v) for v in (q, qd, x))
    kind = _torch.promote_types(_torch.promote_types(q.dtype, qd.dtype), x.dtype)
    if not kind.is_floating_point:
        kind = _torch.float64
    for word, v, n in (("q", q, m.nq), ("qd", qd, m.nv), ("qdd" if name == "id" else "tau", x, m.nv)):
        if not v.dim() or v.shape[-1] != n:
            raise ValueError(f"{word}: its shape is {tuple(v.shape)}, wanted (..., {n})")
    batch = _torch.broadcast_shapes(q.shape[:-1], qd.shape[:-1], x.shape[:-1])
    q, qd, x = (v.to(kind).expand(*batch, v.shape[-1]).reshape(-1, v.shape[-1]) for v in (q, qd, x))
    return _Dynamics.apply(m, name, q, qd, x, parameters).reshape(*batch, m.nv)


def id(m, q, qd, qdd, parameters=None):
    """Inverse dynamics as a differentiable function: torques (..., nv) of q (..., nq), qd and qdd (..., nv).

    parameters: inertial parameters in place of the robot's, 11 a body as m.parameters; gradients flow to them too. Gradients by
    the numbers of a quaternion are those of the normalised one.
    """
    return _call(m, "id", q, qd, qdd, parameters)


def fd(m, q, qd, tau, parameters=None):
    """Forward dynamics as a differentiable function: accelerations (..., nv) of q (..., nq), qd and tau (..., nv). See id."""
    return _call(m, "fd", q, qd, tau, parameters)


class _Motion(_torch.autograd.Function):
    @staticmethod
    def forward(ctx, m, step, rule, q, qd, tau):
        ctx.m, ctx.r = m, m.rollout(_array(q), _array(qd), _array(tau), step=step, rule=rule, derivatives="steps")
        return _torch.from_numpy(ctx.r.q).to(q), _torch.from_numpy(ctx.r.qd).to(q)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_q, grad_qd):
        m, r, gq, gqd = ctx.m, ctx.r, _array(grad_q).astype(float), _array(grad_qd).astype(float)
        by_tau = np.empty(r.B.shape[:2] + (m.nv,))
        by_state = lambda k: np.concatenate([_by_velocity(m, r.q[:, k], gq[:, k]), gqd[:, k]], -1)
        back = by_state(-1)
        for k in reversed(range(r.B.shape[1])):
            by_tau[:, k] = np.einsum("nij,ni->nj", r.B[:, k], back)
            back = by_state(k) + np.einsum("nij,ni->nj", r.A[:, k], back)
        grads = _by_numbers(m, r.q[:, 0], back[:, :m.nv]), back[:, m.nv:], by_tau
        return None, None, None, *(_torch.from_numpy(np.ascontiguousarray(x)).to(grad_q) for x in grads)


def rollout(m, q, qd, tau, step, rule="rk4"):
    """m.rollout as a differentiable function: q (..., K + 1, nq) and qd (..., K + 1, nv) from q (..., nq), qd (..., nv) and tau
    (..., K, nv)."""
    q, qd, tau = (_torch.as_tensor(v) for v in (q, qd, tau))
    if tau.dim() < 2 or q.shape[:-1] != tau.shape[:-2] or qd.shape[:-1] != tau.shape[:-2]:
        raise ValueError(f"q, qd, tau: their shapes are {tuple(q.shape)}, {tuple(qd.shape)}, {tuple(tau.shape)}, wanted (..., {m.nq}), "
                         f"(..., {m.nv}), (..., K, {m.nv})")
    batch = tau.shape[:-2]
    out = _Motion.apply(m, step, rule, q.reshape(-1, q.shape[-1]), qd.reshape(-1, qd.shape[-1]), tau.reshape(-1, *tau.shape[-2:]))
    return tuple(x.reshape(*batch, *x.shape[1:]) for x in out)
