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
        tau_e[i] = arne__spring_torque(s, theta[i] - q[i], NULL) + s->damping * (thetad[i] - qd[i]); /* [002 eq. 7] */
    }
    return ARNE_OK;
}

arne_status arne_flex_fd(arne_flex *f, const double *q, const double *qd, const double *theta, const double *thetad,
                         const double *tau, double *qdd, double *thetadd)
{
    if (!f || !tau || !qdd || !thetadd || arne_flex_spring(f, q, qd, theta, thetad, f->row)) return ARNE_BAD_ARGUMENT;
    /* B thetadd = tau - friction - tau_e                                          [002 eq. 4b] */
    for (int i = 0; i < f->n; i++) f->ask[i] = (tau[i] - arne__flex_motor_friction(f, i, thetad[i]) - f->row[i]) / f->rotors[i];
    const arne_status status = arne_fd(f->links, q, qd, f->row, qdd); /* [002 eq. 4a] */
    memcpy(thetadd, f->ask, (size_t)f->n * sizeof *thetadd);
    return status;
}

arne_status arne_flex_rest(arne_flex *f, const double *q, double *theta, double *tau)
{
    if (!f || !q || !theta || !tau) return ARNE_BAD_ARGUMENT;
    memset(f->ask, 0, (size_t)f->n * sizeof *f->ask);
    arne_bias(f->links, q, f->ask, f->row);
    for (int i = 0; i < f->n; i++) {
        const double still[3] = {f->row[i], 0, 0};
        double x[3];
        arne__spring_solve(&f->spring[i], still, x);
        theta[i] = q[i] + x[0];
        tau[i] = f->row[i];
    }
    return ARNE_OK;
}

arne_status arne_flex_energy(arne_flex *f, const double *q, const double *qd, const double *theta, const double *thetad,
                             double *kinetic, double *potential)
{
    if (!f || !q || !qd || !theta || !thetad || !kinetic || !potential) return ARNE_BAD_ARGUMENT;
    arne_energy(f->links, q, qd, kinetic, potential);
    for (int i = 0; i < f->n; i++) {
        *kinetic += f->rotors[i] * thetad[i] * thetad[i] / 2;
        *potential += arne__spring_energy(&f->spring[i], theta[i] - q[i]);
    }
    return ARNE_OK;
}
