/* SPDX-License-Identifier: MIT
 *
 * derive.h - derivatives: the same texts on jets. */
#ifndef ARNE_DERIVE_H
#define ARNE_DERIVE_H

#include "arne/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct arne_jets arne_jets;

arne_jets *arne_jets_new(const arne_model *m); /* one per thread; NULL when memory is short */
void arne_jets_free(arne_jets *j);

/* Derivatives of inverse dynamics with respect to q, qd, qdd (dof x dof each, row i: torque i); any of them may be NULL.
 * Gravity, payloads, switches and wrenches are those of d. */
void arne_id_derivatives(arne_jets *j, arne_data *d, const double *q, const double *qd, const double *qdd, double *dq,
                         double *dqd, double *dqdd);
/* Derivatives of forward dynamics with respect to q, qd, tau. Returns as arne_fd. */
int arne_fd_derivatives(arne_jets *j, arne_data *d, const double *q, const double *qd, const double *tau, double *dq, double *dqd,
                        double *dtau);
/* Inverse dynamics along a motion: q[k] = k-th time derivative of q (k = 0 ... 6, 7 x dof, those after the second may be zero);
 * tau[k] = k-th time derivative of the torque, k = 0 ... 4 (5 x dof). */
void arne_id_taylor(arne_jets *j, arne_data *d, const double *q, double *tau);

#ifdef __cplusplus
}
#endif
#endif
