/* SPDX-License-Identifier: MIT
 *
 * rk4.h - the classical Runge-Kutta step [004 section 9]. */
#ifndef SIMULATE_RK4_H
#define SIMULATE_RK4_H

/* dx/dt at (t, x); 0, or not 0 when there is none: the step is given up and passes the number on. */
typedef int rk4_derivative(void *context, double t, const double *x, double *dx);

/* x(t + h) in place; scratch: 4 n doubles. */
int arne__rk4_step(rk4_derivative *f, void *context, int n, double t, double h, double *x, double *scratch);

#endif
