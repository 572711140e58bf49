/* SPDX-License-Identifier: MIT
 *
 * inverse.c - inverse dynamics of elastic joints: link motion with four derivatives to motor torques [002 eq. 44].
 *
 *     tau_e, tau_e', tau_e''  from the links;  theta = q + spring^-1(tau_e);  tau = B theta'' + motor friction + tau_e */
#include <string.h>

#include "elastic/flex.h"
#include "kind/f64_texts.h"
#include "kind/kinds.h"

bool arne__flex_friction(const arne_flex *f) { return arne__data_robot(f->links)->friction; }

double arne__flex_motor_friction(const arne_flex *f, int i, double thetad)
{
    const joint_motor *m = &f->motor[i];
    return arne__flex_friction(f) ? m->viscous * thetad + m->coulomb * ((thetad > 0) - (thetad < 0)) : 0;
}

void arne__flex_link_friction(arne_flex *f, const double *qd, int rows, double *tau)
{
    const robot *r = arne__data_robot(f->links);
    bool some = false;
    for (int i = 0; i < f->n; i++) some = some || r->link[i].law != LAW_NONE;
    if (!some || !r->friction) return;
    arne__series_friction_tay4(r, f->series, qd, rows, f->rub);
    for (int i = 0; i < rows * f->n; i++) tau[i] += f->rub[i];
}

static void put(double *to, const double *x, int n)
{
    if (to) memcpy(to, x, (size_t)n * sizeof *to);
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
    put(out->tau_e, f->tau, n);
    put(out->dtau_e, f->tau + n, n);
    put(out->ddtau_e, f->tau + 2 * n, n);
    put(out->theta, f->x, n);
    put(out->dtheta, f->x + n, n);
    put(out->ddtheta, f->x + 2 * n, n);
    put(out->tau, f->row, n);
}

void arne_flex_id(arne_flex *f, const double *q, const arne_flex_torques *out)
{
    arne__data_text(f->links)->ejnea(arne__data_robot(f->links), arne__data_work(f->links), f->state, 2, q, f->rate,
                                     f->acceleration, f->tau);
    arne__flex_link_friction(f, q + f->n, 3, f->tau);
    answer(f, q, out);
}

/* Rates of the wrenches: -(J'w)' = -J''w - J'w', -(J'w)'' = ... - 2 J''w' - J'w'', where J'w' and its derivative are the
 * difference that a wrench w' makes to the torques. */
static void add_wrench_rates(arne_flex *f, const robot *links, const arne_wrench *rates, int derivative)
{
    const int n = f->n;
    for (int e = 0; e < links->nwrench && rates; e++) {
        arne_wrench one = links->wrench[e];
        robot pushed = *links, bare = *links;
        memcpy(one.force, rates[e].force, sizeof one.force);
        memcpy(one.moment, rates[e].moment, sizeof one.moment);
        pushed.wrench = &one;
        pushed.nwrench = 1;
        bare.nwrench = 0;
        for (int sign_of_it = -1; sign_of_it <= 1; sign_of_it += 2) {
            arne__series_id_tay4(sign_of_it > 0 ? &pushed : &bare, f->series, f->q, f->rub);
            for (int i = 0; i < n; i++) {
                f->tau[derivative * n + i] += sign_of_it * f->rub[i];
                if (derivative == 1) f->tau[2 * n + i] += sign_of_it * 2 * f->rub[n + i];
            }
        }
    }
}

void arne_flex_id_taylor(arne_flex *f, const double *q, const arne_flex_torques *out)
{
    const int n = f->n;
    const robot *links = arne__data_robot(f->links);
    memcpy(f->q, q, 5 * (size_t)n * sizeof *q);
    memset(f->q + 5 * n, 0, 2 * (size_t)n * sizeof *q);
    arne__series_id_tay4(links, f->series, f->q, f->tau);
    add_wrench_rates(f, links, f->rate, 1);
    add_wrench_rates(f, links, f->acceleration, 2);
    answer(f, q, out);
}
