/* SPDX-License-Identifier: MIT
 *
 * numeric.c - the observer as it is done where C'qd is not to be had: the inertia matrix is differentiated numerically, C'qd =
 * Mdot qd - c, and the integral of [000 eq. 6] is summed by Euler's rule. It is here to be compared with (doc/observe.md): its
 * noise grows with the rate, and gains above 2/period make it unstable. */
#include "observe/observer.h"

#include <string.h>

bool arne__numeric_tick(arne_observer *o, const double *q, const double *qd, const double *tau, bool first)
{
    const int n = o->n;
    const double h = o->period;
    arne_mass(o->d, q, o->M1);
    arne_coriolis_vector(o->d, q, qd, o->beta);
    arne_gravity(o->d, q, o->g);
    arne_friction_torque(o->d, qd, o->f);
    for (int i = 0; i < n; i++) {
        o->p[i] = 0;
        double rate = 0; /* Mdot qd */
        for (int k = 0; k < n; k++) {
            const int at = i * n + k;
            o->p[i] += o->M1[at] * qd[k];
            rate += (o->M1[at] - o->M[at]) / h * qd[k];
        }
        /* tau + C'qd - g - friction, with C'qd = Mdot qd - c  [000 eq. 2, 4] */
        o->beta[i] = tau[i] + rate - o->beta[i] - o->g[i] - o->f[i];
    }
    if (!dense_finite(n, o->p) || (!first && !dense_finite(n, o->beta))) return false;
    for (int i = 0; i < n; i++) {
        /* r goes on from where it was, also after samples that were not numbers */
        if (first) {
            o->integral[i] = 0;
            o->p0[i] = o->p[i] - o->r[i] / o->gain[i];
        } else {
            /* r = K (p - p(0) - integral)  [000 eq. 6], [ERRATA part one 1.1] */
            o->integral[i] += h * (o->beta[i] + o->r[i]);
            o->r[i] = o->gain[i] * (o->p[i] - o->p0[i] - o->integral[i]);
        }
    }
    memcpy(o->M, o->M1, (size_t)n * (size_t)n * sizeof *o->M);
    return true;
}
