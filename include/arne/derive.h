/* SPDX-License-Identifier: MIT
 *
 * derive.h - derivatives: the same texts on jets and Taylor series, for data prepared with ARNE_DERIVATIVES. */
#ifndef ARNE_DERIVE_H
#define ARNE_DERIVE_H

#include "arne/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* Derivatives of inverse dynamics with respect to q, qd, qdd (dof x dof each, row i: torque i); any of them may be NULL.
 * Gravity, payloads, switches and wrenches are those of d. */
arne_status arne_id_derivatives(arne_data *d, const double *q, const double *qd, const double *qdd, double *dq, double *dqd,
                                double *dqdd);
/* Derivatives of forward dynamics with respect to q, qd, tau. Returns as arne_fd. */
arne_status arne_fd_derivatives(arne_data *d, const double *q, const double *qd, const double *tau, double *dq, double *dqd,
                                double *dtau);
/* Inverse dynamics along a motion: q[k] = k-th time derivative of q (k = 0 ... 6, 7 x dof, those after the second may be zero);
 * tau[k] = k-th time derivative of the torque, k = 0 ... 4 (5 x dof). */
arne_status arne_id_taylor(arne_data *d, const double *q, double *tau);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
