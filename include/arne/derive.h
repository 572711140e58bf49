/* SPDX-License-Identifier: MIT
 *
 * derive.h - derivatives of inverse and forward dynamics, and along a motion, for data prepared with ARNE_DERIVATIVES. */
#ifndef ARNE_DERIVE_H
#define ARNE_DERIVE_H

#include "arne/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* Derivatives of inverse dynamics with respect to q, qd, qdd (nv x nv each, row i: torque i); any of them may be NULL. Those by q
 * of a spherical or free joint are along its velocities: of id at arne_integrate(q, h e_k), by h. Gravity, payloads, switches and
 * wrenches are those of d. */
arne_status arne_id_derivatives(arne_data *d, const double *q, const double *qd, const double *qdd, double *dq, double *dqd,
                                double *dqdd);
/* Derivatives of forward dynamics with respect to q, qd, tau. Returns as arne_fd. */
arne_status arne_fd_derivatives(arne_data *d, const double *q, const double *qd, const double *tau, double *dq, double *dqd,
                                double *dtau);
/* Inverse dynamics along a motion: a position (nq), then the velocity and its time derivatives up to the fifth (6 x nv, those
 * after the first may be zero); tau[k] = k-th time derivative of the torque, k = 0 ... 4 (5 x nv). */
arne_status arne_id_taylor(arne_data *d, const double *q, double *tau);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
