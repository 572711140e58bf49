/* SPDX-License-Identifier: MIT
 *
 * linearize.c - feedback linearization of elastic joints: the accelerations and jerks a state has, and the torque that gives the
 * fourth derivative asked for [002 section IV, ERRATA 3.3].
 *
 * One inertia matrix and one factorization for both systems; damping of the springs is left out of the rates (doc/elastic.md). */
#include <string.h>

#include "elastic/flex.h"
#include "dynamics/data.h"

TEXT_WIDE(ejnea);

arne_status arne_flex_state(arne_flex *f, const double *q, const double *qd, const double *theta, const double *thetad,
                            double *qdd, double *qddd)
{
    if (!f || arne_flex_spring(f, q, qd, theta, thetad, f->ask)) return ARNE_BAD_ARGUMENT;
    return arne_flex_state_measured(f, q, qd, theta, thetad, f->ask, qdd, qddd);
}

arne_status arne_flex_state_measured(arne_flex *f, const double *q, const double *qd, const double *theta, const double *thetad,
                                     const double *tau_e, double *qdd, double *qddd)
{
    if (!f || !q || !qd || !theta || !thetad || !tau_e) return ARNE_BAD_ARGUMENT;
    if (f->loose) return ARNE_UNSUPPORTED;
    const int n = f->n;
    const size_t bytes = (size_t)n * sizeof(double);
    double *x = f->q;
    arne_mass(f->links, q, f->mass); /* [002 eq. 46] */
    const arne_status status = arne_factor(f->links, f->mass);
    if (status) {
        if (qdd) memset(qdd, 0, bytes);
        if (qddd) memset(qddd, 0, bytes);
        return status;
    }
    memcpy(x, q, bytes);
    memcpy(x + n, qd, bytes);
    double *a = x + 2 * n, *jerk = x + 3 * n;
    /* M qdd = tau_e - n(q, qd)                                                    [002 eq. 47, 49, 51] */
    arne_bias(f->links, q, qd, f->row);
    for (int i = 0; i < n; i++) a[i] = tau_e[i] - f->row[i];
    arne_solve(f->links, f->mass, a);
    if (qddd) {
        /* M qddd = tau_e' - EJNEA3*(q, qd, qdd, 0)                                [002 eq. 48, 50, 52, ERRATA 3.1] */
        memset(jerk, 0, bytes);
        TEXT_OF(f->links, ejnea)
        (arne__data_robot(f->links), arne__data_work(f->links), f->state, 1, x, f->rate, NULL, f->tau);
        arne__flex_link_friction(f, x + n, 2, f->tau);
        for (int i = 0; i < n; i++)
            jerk[i] = arne__spring_rate(&f->spring[i], theta[i] - q[i], thetad[i] - qd[i]) - f->tau[n + i];
        arne_solve(f->links, f->mass, jerk);
        memcpy(qddd, jerk, bytes);
    }
    if (qdd) memcpy(qdd, a, bytes);
    return ARNE_OK;
}

arne_status arne_flex_linearize(arne_flex *f, const double *q, const double *qd, const double *qdd, const double *qddd,
                                const double *v, double *tau)
{
    /* tau = EJNEA(q, qd, qdd, qddd, v)                                            [002 eq. 45, ERRATA 3.1] */
    const double *const row[5] = {q, qd, qdd, qddd, v};
    if (!f || !q || !qd || !qdd || !qddd || !v || !tau) return ARNE_BAD_ARGUMENT;
    if (f->loose) return ARNE_UNSUPPORTED; /* joints of several freedoms have no motor that could */
    for (int k = 0; k < 5; k++) memmove(f->q + k * f->n, row[k], (size_t)f->n * sizeof *tau);
    const arne_flex_torques out = {.size = sizeof out, .tau = tau};
    return arne_flex_id(f, f->q, &out);
}
