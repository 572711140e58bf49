/* SPDX-License-Identifier: MIT
 *
 * tangent.h - how small changes pass through motions of one spherical (nv = 3) or free (nv = 6) joint. doc/optimise.md */
#ifndef DYNAMICS_TANGENT_H
#define DYNAMICS_TANGENT_H

enum { TANGENT_MOST = 6 };

/* Of q exp(u): by q, exp(-ad u), and by u, the integral of exp(-s ad u) over s = 0 ... 1; nv x nv each, row major. */
void arne__tangent_integrate(int nv, const double *u, double *by_q, double *by_u);

/* How u changes in time where q exp(u) moves with velocity v, to the order that Runge-Kutta rules of order four need:
 * v + ad u v/2 + ad u ad u v/12. By u and by v: nv x nv each, NULL both: not wanted. */
void arne__tangent_rate(int nv, const double *u, const double *v, double *rate, double *by_u, double *by_v);

#endif
