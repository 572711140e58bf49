/* SPDX-License-Identifier: MIT
 *
 * achievable.c - achievable accelerations of one interpolation cycle [001 sections II and V, stated in ERRATA 2.4].
 *
 * Positions and velocities asked for are clipped, desired accelerations follow, one mRNEA gives H and u', and the motors answer
 *     t = A a + b,    A = J'H J,  b = J'u',  a = J^-1 qdd                          [001 eq. 42, 43]
 * behind their gears. A is symmetric and positive definite with any transmission J, so every set of saturated motors can be
 * solved for; divided by the gears it is H_a of the paper. H holds the rotors, u' friction and wrenches. */
#include <math.h>
#include <string.h>

#include "arne/formulations.h"
#include "base/options.h"
#include "plan/limits.h"
#include "plan/limits_work.h"

static double clip(double x, double low, double high) { return fmax(low, fmin(high, x)); }

/* steps 1 and 2: velocities at the end of the cycle */
static void clip_velocities(cycle *c, const arne_cycle_options *o, const double *q_next, const double *qd_next)
{
    const arne_model *m = c->m;
    for (int i = 0; i < m->n; i++) {
        const arne_limits *l = &m->joint[i].limits;
        const double most = m->drive ? given_limit(l->velocity) : arne__limits_speed(m, i);
        double v = clip(qd_next[i], -most, most);
        if (o->stay) {
            const double q = clip(q_next[i], l->lower, l->upper);
            v = clip(v, (l->lower - q) / o->dt, (l->upper - q) / o->dt);
        }
        c->speed[i] = v;
    }
    if (!m->drive) return;
    /* coupled motors have speeds of their own; what is taken from one is taken from the joints it moves */
    arne__limits_to_motors(m, c->speed, c->x);
    for (int k = 0; k < m->n; k++) {
        const double most = arne__limits_speed(m, k), less = clip(c->x[k], -most, most) - c->x[k];
        for (int i = 0; i < m->n && less != 0; i++) c->speed[i] += m->transmission[i * m->n + k] * less;
    }
}

/* step 3: desired accelerations */
static void desire(cycle *c, const arne_cycle_options *o, const double *qd)
{
    for (int i = 0; i < c->m->n; i++) {
        const double most = given_limit(c->m->joint[i].limits.acceleration), a = (c->speed[i] - qd[i]) / o->dt;
        c->want[i] = clip(a, -most, most);
        if (c->want[i] != a) c->speed[i] = qd[i] + c->want[i] * o->dt;
    }
}

/* step 4: H, u' and the same for the motors: A = J'H J, b = J'u' */
static void equations(cycle *c, arne_data *d, const double *q, const double *qd)
{
    const arne_model *m = c->m;
    const int n = m->n;
    const double *J = m->transmission;
    arne_forms_mrnea(d, q, qd, c->H, c->u);
    arne__limits_torques_to_motors(m, c->u, c->b);
    arne__limits_to_motors(m, qd, c->x);
    for (int k = 0; k < n; k++) arne__limits_torque(m, k, c->x[k], &c->low[k], &c->high[k]);
    if (!J) {
        memcpy(c->A, c->H, (size_t)n * (size_t)n * sizeof *c->A);
        return;
    }
    memset(c->S, 0, (size_t)n * (size_t)n * sizeof *c->S);
    memset(c->A, 0, (size_t)n * (size_t)n * sizeof *c->A);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) c->S[i * n + k] += c->H[i * n + j] * J[j * n + k];
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int l = 0; l < n; l++) c->A[k * n + l] += J[i * n + k] * c->S[i * n + l];
}

/* step 5: t = A a + b */
static void torques(cycle *c)
{
    const int n = c->m->n;
    for (int k = 0; k < n; k++) {
        c->torque[k] = c->b[k];
        for (int j = 0; j < n; j++) c->torque[k] += c->A[k * n + j] * c->acc[j];
    }
}

/* A pivot is zero if it is rounding beside the number it came from. */
static const double SINGULAR = 1e-13;

/* Solves the rows and columns of A that are marked (at_limit, or all) for x, in place: Cholesky. The joint at which A is
 * singular, or -1. */
static int solve(cycle *c, bool all)
{
    const int n = c->m->n;
    double *L = c->S, *x = c->x;
    for (int i = 0; i < n; i++) {
        if (!all && !c->at_limit[i]) continue;
        for (int j = 0; j <= i; j++) {
            if (!all && !c->at_limit[j]) continue;
            double s = c->A[i * n + j];
            for (int k = 0; k < j; k++)
                if (all || c->at_limit[k]) s -= L[i * n + k] * L[j * n + k];
            if (j < i)
                L[i * n + j] = s / L[j * n + j];
            else if (!(s > SINGULAR * fabs(c->A[i * n + i])))
                return i;
            else
                L[i * n + i] = sqrt(s);
        }
        for (int k = 0; k < i; k++)
            if (all || c->at_limit[k]) x[i] -= L[i * n + k] * x[k];
        x[i] /= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        if (!all && !c->at_limit[i]) continue;
        for (int k = i + 1; k < n; k++)
            if (all || c->at_limit[k]) x[i] -= L[k * n + i] * x[k];
        x[i] /= L[i * n + i];
    }
    return -1;
}

static double limit_of(const cycle *c, int k) { return c->at_limit[k] > 0 ? c->high[k] : c->low[k]; }

/* Motors found over their limit now, added to those at it; true: there were some. */
static bool saturate(cycle *c)
{
    bool more = false;
    for (int k = 0; k < c->m->n; k++) {
        if (c->at_limit[k]) continue;
        c->at_limit[k] = (c->torque[k] > c->high[k]) - (c->torque[k] < c->low[k]);
        more = more || c->at_limit[k];
    }
    return more;
}

/* A_SS a_S = limit_S - b_S - A_SU a_U: the motors S at their limits give what they can, the others have what was asked for. */
static int give_way(cycle *c)
{
    const int n = c->m->n;
    memcpy(c->acc, c->ask, (size_t)n * sizeof *c->acc);
    for (int i = 0; i < n; i++) {
        if (!c->at_limit[i]) continue;
        c->x[i] = limit_of(c, i) - c->b[i];
        for (int j = 0; j < n; j++)
            if (!c->at_limit[j]) c->x[i] -= c->A[i * n + j] * c->acc[j];
    }
    const int singular = solve(c, false);
    if (singular >= 0) return singular;
    for (int i = 0; i < n; i++)
        if (c->at_limit[i]) c->acc[i] = c->x[i];
    torques(c);
    for (int i = 0; i < n; i++)
        if (c->at_limit[i]) c->torque[i] = limit_of(c, i);
    return -1;
}

/* Reading P: S grows until nobody is over its limit. */
static int keep(cycle *c)
{
    int singular = -1;
    while (singular < 0 && saturate(c)) singular = give_way(c);
    return singular;
}

/* Where motor i belongs, by what it would do now: at the limit that it is over; away from a limit that gives it more
 * acceleration than was asked for. */
static int belongs(const cycle *c, int i)
{
    const int at = c->at_limit[i];
    const double more = at * (c->acc[i] - c->ask[i]), rounding = 1e-12 * (fabs(c->acc[i]) + fabs(c->ask[i]));
    if (at) return more > rounding ? 0 : at;
    return (c->torque[i] > c->high[i]) - (c->torque[i] < c->low[i]);
}

/* The one answer in which every motor has its acceleration or is at the limit that it would have to exceed for it. It is the
 * least of (a - ask)'A (a - ask) within the torque limits, Gauss's least constraint, and moves continuously with what is asked.
 * Pivots of blocks, single ones where these do not help [Judice 1994]; false: it was not found. */
static bool settle(cycle *c, int *singular)
{
    enum { PATIENCE = 3 };
    const int n = c->m->n;
    int least = n + 1, patience = PATIENCE;
    for (int k = 0; k < 50 + 10 * n; k++) {
        int wrong = 0, last = -1;
        for (int i = 0; i < n; i++)
            if (belongs(c, i) != c->at_limit[i]) wrong++, last = i;
        if (!wrong) return true;
        patience = wrong < least ? PATIENCE : patience - 1;
        if (wrong < least) least = wrong;
        for (int i = 0; i < n; i++)
            if (patience > 0 || i == last) c->at_limit[i] = belongs(c, i);
        if ((*singular = give_way(c)) >= 0) return true;
    }
    return false;
}

/* As settle; should it not be found, as keep. */
static int ease(cycle *c)
{
    int singular = -1;
    if (settle(c, &singular)) return singular;
    memcpy(c->acc, c->ask, (size_t)c->m->n * sizeof *c->acc);
    memset(c->at_limit, 0, (size_t)c->m->n * sizeof *c->at_limit);
    torques(c);
    return keep(c);
}

/* Reading F: A a = clipped torques - b                                           [001 eq. 44] */
static int resolve(cycle *c)
{
    if (!saturate(c)) return -1;
    for (int i = 0; i < c->m->n; i++) {
        if (c->at_limit[i]) c->torque[i] = limit_of(c, i);
        c->x[i] = c->torque[i] - c->b[i];
    }
    const int singular = solve(c, true);
    if (singular < 0) memcpy(c->acc, c->x, (size_t)c->m->n * sizeof *c->acc);
    return singular;
}

/* qdd = qdd desired + J (achieved - desired): joints that no changed motor moves keep theirs to the bit */
static void joint_accelerations(const cycle *c, double dt, const double *qd, const arne_achieved *out)
{
    const arne_model *m = c->m;
    const int n = m->n;
    for (int i = 0; i < n; i++) {
        double a = c->want[i];
        if (!m->transmission)
            a = c->acc[i];
        else
            for (int k = 0; k < n; k++)
                if (c->acc[k] != c->ask[k]) a += m->transmission[i * n + k] * (c->acc[k] - c->ask[k]);
        if (out->qdd) out->qdd[i] = a;
        if (out->qd) out->qd[i] = a == c->want[i] ? c->speed[i] : qd[i] + a * dt;
    }
}

/* tau = J^-T t at the joints, t/gear at the shafts */
static void joint_torques(const cycle *c, const arne_achieved *out)
{
    const arne_model *m = c->m;
    const int n = m->n;
    for (int i = 0; i < n; i++) {
        if (out->motor) out->motor[i] = c->torque[i] / m->joint[i].motor.gear;
        if (out->saturated) out->saturated[i] = c->at_limit[i] != 0;
        if (!out->tau) continue;
        out->tau[i] = m->drive ? 0 : c->torque[i];
        for (int k = 0; k < n && m->drive; k++) out->tau[i] += m->drive[k * n + i] * c->torque[k];
    }
}

arne_status arne_achievable(arne_data *d, const arne_cycle_options *options, const double *q, const double *qd,
                            const double *q_next, const double *qd_next, const arne_achieved *out)
{
    arne_cycle_options o;
    arne_achieved to;
    if (!d || !options || !q || !qd || !q_next || !qd_next || !out || options_take(&o, sizeof o, options) ||
        options_take(&to, sizeof to, out) || !(o.dt > 0) || isinf(o.dt) || (o.policy != ARNE_KEEP && o.policy != ARNE_RESOLVE))
        return ARNE_BAD_ARGUMENT;
    if (!limits_of(d)) return ARNE_NOT_PREPARED;
    cycle *c = &limits_of(d)->cycle;
    const int n = c->m->n;
    clip_velocities(c, &o, q_next, qd_next);
    desire(c, &o, qd);
    equations(c, d, q, qd);
    arne__limits_to_motors(c->m, c->want, c->ask);
    memcpy(c->acc, c->ask, (size_t)n * sizeof *c->acc);
    memset(c->at_limit, 0, (size_t)n * sizeof *c->at_limit);
    torques(c);
    d->joint = o.policy == ARNE_RESOLVE ? resolve(c) : o.ease ? ease(c) : keep(c);
    if (d->joint >= 0) {
        memset(c->want, 0, (size_t)n * sizeof *c->want);
        memset(c->acc, 0, (size_t)n * sizeof *c->acc);
        memcpy(c->ask, c->acc, (size_t)n * sizeof *c->ask);
        memcpy(c->speed, qd, (size_t)n * sizeof *c->speed);
    }
    joint_accelerations(c, o.dt, qd, &to);
    joint_torques(c, &to);
    return d->joint < 0 ? ARNE_OK : ARNE_SINGULAR;
}

/* H_ii (qdd_i' - qdd_i) = (braking torque) - tau_i, then qd^2/(2 |qdd_i'|) */
arne_status arne_stopping(arne_data *d, const double *q, const double *qd, const double *qdd, double *distance)
{
    if (!d || !q || !qd || !qdd || !distance) return ARNE_BAD_ARGUMENT;
    if (!limits_of(d)) return ARNE_NOT_PREPARED;
    cycle *c = &limits_of(d)->cycle;
    const arne_model *m = c->m;
    const int n = m->n;
    equations(c, d, q, qd);
    for (int i = 0; i < n; i++) {
        double tau = c->u[i], brake = 0;
        for (int j = 0; j < n; j++) tau += c->H[i * n + j] * qdd[j];
        const bool forward = qd[i] > 0;
        if (!m->drive) brake = forward ? c->low[i] : c->high[i];
        for (int k = 0; k < n && m->drive; k++) {
            const double share = m->drive[k * n + i];
            if (share != 0) brake += share * ((share > 0) == forward ? c->low[k] : c->high[k]);
        }
        const double a = qdd[i] + (brake - tau) / c->H[i * n + i];
        distance[i] = qd[i] == 0 ? 0 : a * qd[i] < 0 ? qd[i] * qd[i] / (2 * fabs(a)) : INFINITY;
    }
    return ARNE_OK;
}
