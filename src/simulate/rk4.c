/* SPDX-License-Identifier: MIT
 *
 * rk4.c - the classical Runge-Kutta step. */
#include "simulate/rk4.h"

int arne__rk4_step(rk4_derivative *f, void *context, int n, double t, double h, double *x, double *scratch)
{
    /* stages at t, t + h/2 (twice), t + h with weights 1 2 2 1 over 6  [004 section 9] */
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    double *start = scratch, *sum = scratch + n, *slope = scratch + 2 * n, *stage = scratch + 3 * n;
    for (int i = 0; i < n; i++) {
        start[i] = x[i];
        sum[i] = slope[i] = 0;
    }
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < n; i++) stage[i] = start[i] + at[s] * h * slope[i];
        const int status = f(context, t + at[s] * h, stage, slope);
        if (status) return status;
        for (int i = 0; i < n; i++) sum[i] += weight[s] * slope[i];
    }
    for (int i = 0; i < n; i++) x[i] = start[i] + h / 6 * sum[i];
    return 0;
}
