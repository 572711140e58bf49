/* SPDX-License-Identifier: MIT
 *
 * inverse.c - inverse dynamics of elastic joints: link motion with four derivatives to motor torques [002 eq. 44].
 *
 *     tau_e, tau_e', tau_e''  from the links;  theta = q + spring^-1(tau_e);  tau = B theta'' + motor friction + tau_e */
#include <string.h>

#include "base/options.h"
#include "dynamics/data.h"
#include "elastic/flex.h"
#include "kind/kinds.h"

TEXT_WIDE(ejnea);

double arne__flex_motor_friction(const arne_flex *f, int i, double thetad)
{
    const joint_motor *m = &f->motor[i];
    return arne__data_robot(f->links)->friction ? m->viscous * thetad + m->coulomb * ((thetad > 0) - (thetad < 0)) : 0;
}

void arne__flex_link_friction(arne_flex *f, const double *qd, int rows, double *tau)
{
    const robot *r = arne__data_robot(f->links);
    bool some = false;
    for (int i = 0; i < r->n; i++) some = some || r->link[i].law != LAW_NONE;
    if (!some || !r->friction) return;
    arne__series_friction_tay4(r, f->series, qd, rows, f->rub);
    for (int i = 0; i < rows * f->n; i++) tau[i] += f->rub[i];
}

/* f->tau (tau_e and two derivatives) to everything that was asked for; q: 3 x n at least */
static void answer(arne_flex *f, const double *q, const arne_flex_torques *out)
{
    const int n = f->n;
    for (int i = 0; i < n; i++) {
        const double tau[3] = {f->tau[i], f->tau[n + i], f->tau[2 * n + i]};
        double x[3];
        arne__spring_solve(&f->spring[i], tau, x);
        /* theta = q + x, and its derivatives                                      [002 eq. 42, ERRATA 3.2] */
        for (int d = 0; d < 3; d++) f->x[d * n + i] = q[d * n + i] + x[d];
        /* tau = B theta'' + friction + tau_e                                      [002 eq. 43] */
        f->row[i] = f->rotors[i] * f->x[2 * n + i] + arne__flex_motor_friction(f, i, f->x[n + i]) + tau[0];
    }
    double *const to[] = {out->tau_e, out->dtau_e, out->ddtau_e, out->theta, out->dtheta, out->ddtheta, out->tau};
    const double *const is[] = {f->tau, f->tau + n, f->tau + 2 * n, f->x, f->x + n, f->x + 2 * n, f->row};
    for (int k = 0; k < 7; k++)
        if (to[k]) memcpy(to[k], is[k], (size_t)n * sizeof *to[k]);
}

arne_status arne_flex_id(arne_flex *f, const double *q, const arne_flex_torques *out)
{
    arne_flex_torques to;
    if (!f || !q || !out || options_take(&to, sizeof to, out)) return ARNE_BAD_ARGUMENT;
    if (f->loose) return ARNE_UNSUPPORTED;
    TEXT_OF(f->links, ejnea)
    (arne__data_robot(f->links), arne__data_work(f->links), f->state, 2, q, f->rate, f->acceleration, f->tau);
    arne__flex_link_friction(f, q + f->n, 3, f->tau);
    answer(f, q, &to);
    return ARNE_OK;
}

/* Rates of the wrenches: -(J'w)' = -J''w - J'w', -(J'w)'' = ... - 2 J''w' - J'w'', where J'w' and its derivative are the
 * difference that a wrench w' makes to the torques. */
static void add_wrench_rates(arne_flex *f, const robot *links, const arne_wrench *rates, int derivative)
{
    const int n = f->n;
    memcpy(f->pushed, links, links->at.bytes);
    for (int e = 0; e < links->nwrench && rates; e++) {
        arne_wrench *one = (arne_wrench *)robot_wrench(f->pushed, 0);
        *one = *robot_wrench(links, e);
        memcpy(one->force, rates[e].force, sizeof one->force);
        memcpy(one->moment, rates[e].moment, sizeof one->moment);
        for (int sign_of_it = -1; sign_of_it <= 1; sign_of_it += 2) {
            f->pushed->nwrench = sign_of_it > 0;
            arne__series_id_tay4(f->pushed, f->series, f->q, f->rub);
            for (int i = 0; i < n; i++) {
                f->tau[derivative * n + i] += sign_of_it * f->rub[i];
                if (derivative == 1) f->tau[2 * n + i] += sign_of_it * 2 * f->rub[n + i];
            }
        }
    }
}

arne_status arne_flex_id_taylor(arne_flex *f, const double *q, const arne_flex_torques *out)
{
    arne_flex_torques to;
    if (!f || !q || !out || options_take(&to, sizeof to, out)) return ARNE_BAD_ARGUMENT;
    if (f->loose) return ARNE_UNSUPPORTED;
    const int n = f->n;
    const robot *links = arne__data_robot(f->links);
    memcpy(f->q, q, 5 * (size_t)n * sizeof *q);
    memset(f->q + 5 * n, 0, 2 * (size_t)n * sizeof *q);
    arne__series_id_tay4(links, f->series, f->q, f->tau);
    add_wrench_rates(f, links, f->rate, 1);
    add_wrench_rates(f, links, f->acceleration, 2);
    answer(f, q, &to);
    return ARNE_OK;
}
