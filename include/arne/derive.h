/* SPDX-License-Identifier: MIT
 *
 * derive.h - derivatives of inverse and forward dynamics, first and second, by positions, velocities, accelerations, torques and
 * parameters, and along a motion. */
#ifndef ARNE_DERIVE_H
#define ARNE_DERIVE_H

#include "arne/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* For data prepared with ARNE_DERIVATIVES. ARNE_NOT_FINITE, results zero: a number of the state is none, or so large that they
 * are not finite; arne_data_joint says whose.
 *
 * Derivatives of inverse dynamics with respect to q, qd, qdd (nv x nv each, row i: torque i); any of them may be NULL. Those by q
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

/* The others need no preparation.
 *
 * Second derivatives of inverse dynamics: D is four tensors nv x nv x nv one after the other, q q, q qd, qd qd, q qdd. Entry
 * [i][a][b]: torque i derived by b (q, qd, qd, qdd), then by a (q, q, qd, q), so that among the freedoms of one spherical or free
 * joint q q is not symmetric. ARNE_NOT_FINITE as above. */
arne_status arne_id_second_derivatives(arne_data *d, const double *q, const double *qd, const double *qdd, double *D);
/* The same times x, a number for each torque: second derivatives of x'tau, four matrices [a][b] one after the other, in about the
 * time of first derivatives. */
arne_status arne_id_second_derivatives_times(arne_data *d, const double *q, const double *qd, const double *qdd, const double *x,
                                             double *D);

/* Derivatives of the accelerations of forward dynamics by inertial parameters: nv x 11 joints, columns as those of
 * arne_regressor, which is the same of torques; with those of friction, nv x 13 joints, as arne_regressor_friction. Return as
 * arne_fd. */
arne_status arne_fd_by_parameters(arne_data *d, const double *q, const double *qd, const double *tau, double *D);
arne_status arne_fd_by_parameters_friction(arne_data *d, const double *q, const double *qd, const double *tau, double *D);
/* By a load on a link: nv x 10, columns XX XY XZ YY YZ ZZ MX MY MZ M of the load about the origin of the link, in its axes. */
arne_status arne_id_by_payload(arne_data *d, const double *q, const double *qd, const double *qdd, int link, double *Y);
arne_status arne_fd_by_payload(arne_data *d, const double *q, const double *qd, const double *tau, int link, double *D);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
