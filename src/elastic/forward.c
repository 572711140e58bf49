/* SPDX-License-Identifier: MIT
 *
 * forward.c - forward dynamics of elastic joints [002 eq. 4a, 4b], rest, energy. */
#include <string.h>

#include "elastic/flex.h"

arne_status arne_flex_spring(arne_flex *f, const double *q, const double *qd, const double *theta, const double *thetad,
                             double *tau_e)
{
    if (!f || !q || !qd || !theta || !thetad || !tau_e) return ARNE_BAD_ARGUMENT;
    for (int i = 0; i < f->n; i++) {
        const joint_spring *s = &f->spring[i];
        tau_e[i] = 0;
        if (f->at[i] < 0) continue;
        tau_e[i] = arne__spring_torque(s, theta[i] - q[f->at[i]], NULL) + s->damping * (thetad[i] - qd[i]); /* [002 eq. 7] */
    }
    return ARNE_OK;
}

arne_status arne_flex_fd(arne_flex *f, const double *q, const double *qd, const double *theta, const double *thetad,
                         const double *tau, double *qdd, double *thetadd)
{
    if (!f || !tau || !qdd || !thetadd || arne_flex_spring(f, q, qd, theta, thetad, f->row)) return ARNE_BAD_ARGUMENT;
    /* B thetadd = tau - friction - tau_e                                          [002 eq. 4b] */
    for (int i = 0; i < f->n; i++) {
        const bool loose = f->at[i] < 0; /* what has no motor takes its torque itself */
        f->ask[i] = loose ? 0 : (tau[i] - arne__flex_motor_friction(f, i, thetad[i]) - f->row[i]) / f->rotors[i];
        if (loose) f->row[i] = tau[i];
    }
    const arne_status status = arne_fd(f->links, q, qd, f->row, qdd); /* [002 eq. 4a] */
    memcpy(thetadd, f->ask, (size_t)f->n * sizeof *thetadd);
    return status;
}

/* f->row, the torques at rest, as they are where the joints that have springs stay and the others go as they must:
 * M_uu a_u = -row_u of these, the rows and columns of the rest those of the unit matrix. */
static arne_status let_go(arne_flex *f, const double *q)
{
    const int n = f->n;
    double *a = f->x, *zero = f->ask;
    arne_mass(f->links, q, f->mass);
    for (int i = 0; i < n; i++) {
        a[i] = f->at[i] < 0 ? -f->row[i] : 0;
        for (int j = 0; j < n && f->at[i] >= 0; j++) f->mass[i * n + j] = f->mass[j * n + i] = i == j;
    }
    const arne_status status = arne_factor(f->links, f->mass);
    if (status) return status;
    arne_solve(f->links, f->mass, a);
    return arne_id(f->links, q, zero, a, f->row);
}

arne_status arne_flex_rest(arne_flex *f, const double *q, double *theta, double *tau)
{
    if (!f || !q || !theta || !tau) return ARNE_BAD_ARGUMENT;
    memset(f->ask, 0, (size_t)f->n * sizeof *f->ask);
    arne_bias(f->links, q, f->ask, f->row);
    const arne_status status = f->loose ? let_go(f, q) : ARNE_OK;
    for (int i = 0; i < f->n && !status; i++) {
        const double still[3] = {f->row[i], 0, 0};
        double x[3];
        theta[i] = tau[i] = 0;
        if (f->at[i] < 0) continue;
        arne__spring_solve(&f->spring[i], still, x);
        theta[i] = q[f->at[i]] + x[0];
        tau[i] = f->row[i];
    }
    return status;
}

arne_status arne_flex_energy(arne_flex *f, const double *q, const double *qd, const double *theta, const double *thetad,
                             double *kinetic, double *potential)
{
    if (!f || !q || !qd || !theta || !thetad || !kinetic || !potential) return ARNE_BAD_ARGUMENT;
    arne_energy(f->links, q, qd, kinetic, potential);
    for (int i = 0; i < f->n; i++) {
        if (f->at[i] < 0) continue;
        *kinetic += f->rotors[i] * thetad[i] * thetad[i] / 2;
        *potential += arne__spring_energy(&f->spring[i], theta[i] - q[f->at[i]]);
    }
    return ARNE_OK;
}
