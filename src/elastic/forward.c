/* SPDX-License-Identifier: MIT
 *
 * forward.c - forward dynamics of elastic joints [002 eq. 4a, 4b], rest, energy. */
#include <string.h>

#include "elastic/flex.h"

void arne_flex_spring(arne_flex *f, const double *q, const double *qd, const double *theta, const double *thetad, double *tau_e)
{
    for (int i = 0; i < f->n; i++) {
        const joint_spring *s = &f->spring[i];
        tau_e[i] = arne__spring_torque(s, theta[i] - q[i], NULL) + s->damping * (thetad[i] - qd[i]); /* [002 eq. 7] */
    }
}

int arne_flex_fd(arne_flex *f, const double *q, const double *qd, const double *theta, const double *thetad, const double *tau,
                 double *qdd, double *thetadd)
{
    arne_flex_spring(f, q, qd, theta, thetad, f->row);
    /* B thetadd = tau - friction - tau_e                                          [002 eq. 4b] */
    for (int i = 0; i < f->n; i++) f->ask[i] = (tau[i] - arne__flex_motor_friction(f, i, thetad[i]) - f->row[i]) / f->rotors[i];
    const int singular = arne_fd(f->links, q, qd, f->row, qdd); /* [002 eq. 4a] */
    memcpy(thetadd, f->ask, (size_t)f->n * sizeof *thetadd);
    return singular;
}

void arne_flex_rest(arne_flex *f, const double *q, double *theta, double *tau)
{
    memset(f->ask, 0, (size_t)f->n * sizeof *f->ask);
    arne_bias(f->links, q, f->ask, f->row);
    for (int i = 0; i < f->n; i++) {
        const double still[3] = {f->row[i], 0, 0};
        double x[3];
        arne__spring_solve(&f->spring[i], still, x);
        theta[i] = q[i] + x[0];
        tau[i] = f->row[i];
    }
}

void arne_flex_energy(arne_flex *f, const double *q, const double *qd, const double *theta, const double *thetad, double *kinetic,
                      double *potential)
{
    arne_energy(f->links, q, qd, kinetic, potential);
    for (int i = 0; i < f->n; i++) {
        *kinetic += f->rotors[i] * thetad[i] * thetad[i] / 2;
        *potential += arne__spring_energy(&f->spring[i], theta[i] - q[i]);
    }
}
