/* SPDX-License-Identifier: MIT
 *
 * bounds.c - the limits of a motion: a barrier that grows where a sample comes near one, and a look between the samples.
 *
 * Positions, velocities, accelerations and speeds of motors are trigonometric polynomials: their samples bound them (series.c).
 * Torques and the place of the hand are not: a smooth function leaves the line between two samples by at most h^2/8 of its second
 * derivative, which is taken as twice the largest second difference, on a grid that is SPLIT times finer; friction jumps
 * where a velocity changes its sign, and there both sides are looked at. */
#include <math.h>
#include <string.h>

#include "arne/derive.h"
#include "excite/excite.h"

enum { SPLIT = 8 };

/* what samples of torques and places keep free for what is between them */
static const double BETWEEN = 0.985;

bool arne__bounds_open(arena *a, bounds *b)
{
    const size_t n = (size_t)b->s->n;
    double **const vectors[] = {&b->tau, &b->motor, &b->speed, &b->by_motor, &b->by_tau, &b->torque, &b->share};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if (!(*vectors[k] = arne__arena_take(a, n, sizeof(double)))) return false;
    b->D = arne__arena_take(a, 3 * n * n, sizeof *b->D);
    b->J = arne__arena_take(a, 6 * n, sizeof *b->J);
    b->room = arne__arena_take(a, 10 * n + 18, sizeof *b->room);
    for (int k = 0; k < b->s->n; k++) {
        double low, high;
        arne__limits_torque(b->s->m, k, 0, &low, &high);
        b->torques |= isfinite(low) || isfinite(high);
    }
    return b->D && b->J && b->room;
}

/* -log(1 - g^2), and its derivative by g; INFINITY: outside */
static double wall(double g, double *by)
{
    const double left = 1 - g * g;
    *by = 2 * g / left;
    return left > 0 ? -log(left) : INFINITY;
}

/* the range of motor k that is used at this speed; false: none */
static bool torque_range(const bounds *b, int k, double speed, double *middle, double *half)
{
    double low, high;
    arne__limits_torque(b->s->m, k, speed, &low, &high);
    *middle = b->scale * (low + high) / 2;
    *half = b->scale * (high - low) / 2;
    return isfinite(*half) && *half > 0;
}

static double torques(bounds *b, const double *q, const double *qd, const double *qdd, double weight, const series_motion *by,
                      int at)
{
    const arne_model *m = b->s->m;
    const int n = b->s->n;
    double sum = 0;
    arne_id(b->d, q, qd, qdd, b->tau);
    arne__limits_torques_to_motors(m, b->tau, b->motor);
    arne__limits_to_motors(m, qd, b->speed);
    for (int k = 0; k < n; k++) {
        double middle, half;
        b->by_motor[k] = 0;
        if (!torque_range(b, k, b->speed[k], &middle, &half)) continue;
        half *= BETWEEN;
        sum += wall((b->motor[k] - middle) / half, &b->by_motor[k]);
        b->by_motor[k] *= weight / half;
        if (!isfinite(sum)) return INFINITY;
    }
    if (!by) return sum;
    for (int i = 0; i < n; i++) {
        b->by_tau[i] = m->transmission ? 0 : b->by_motor[i];
        for (int k = 0; k < n && m->transmission; k++) b->by_tau[i] += m->transmission[i * n + k] * b->by_motor[k];
    }
    double *D[3] = {b->D, b->D + n * n, b->D + 2 * n * n}, *const to[3] = {by->q + at, by->qd + at, by->qdd + at};
    arne_id_derivatives(b->d, q, qd, qdd, D[0], D[1], D[2]);
    for (int g = 0; g < 3; g++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) to[g][j] += b->by_tau[i] * D[g][i * n + j];
    return sum;
}

/* coupled motors have speeds of their own */
static double motor_speeds(bounds *b, const double *qd, double weight, double *by)
{
    const arne_model *m = b->s->m;
    const int n = b->s->n;
    const series_limits *l = b->s->limits;
    double sum = 0;
    arne__limits_to_motors(m, qd, b->speed);
    for (int k = 0; k < n; k++) {
        const double most = b->scale * arne__limits_speed(m, k) * l[0].within[1] / l[0].velocity;
        double d;
        if (!isfinite(most)) continue;
        sum += wall(b->speed[k] / most, &d);
        if (!isfinite(sum)) return INFINITY;
        for (int i = 0; i < n && by; i++) by[i] += weight * d / most * m->drive[k * n + i];
    }
    return sum;
}

static double hand(bounds *b, const double *q, double weight, double *by)
{
    const int n = b->s->n;
    arne_pose pose;
    double sum = 0;
    arne_link_pose(b->d, q, b->link, &pose);
    if (by) arne_link_jacobian(b->d, q, b->link, ARNE_ALIGNED, b->J);
    for (int c = 0; c < 3; c++) {
        const double middle = (b->box[c] + b->box[3 + c]) / 2, half = BETWEEN * (b->box[3 + c] - b->box[c]) / 2;
        double d;
        sum += wall((pose.p[c] - middle) / half, &d);
        if (!isfinite(sum)) return INFINITY;
        for (int i = 0; i < n && by; i++) by[i] += weight * d / half * b->J[c * n + i];
    }
    return sum;
}

static double joints(const bounds *b, const double *const x[3], double weight, double *const by[3])
{
    double sum = 0;
    for (int i = 0; i < b->s->n; i++) {
        const series_limits *l = &b->s->limits[i];
        for (int g = 0; g < 3; g++) {
            double d;
            sum += wall((x[g][i] - (g ? 0 : l->middle)) / l->within[g], &d);
            if (!isfinite(sum)) return INFINITY;
            if (by) by[g][i] += weight * d / l->within[g];
        }
    }
    return sum;
}

double arne__bounds_barrier(bounds *b, const series_motion *x, double weight, const series_motion *by)
{
    const int n = b->s->n, samples = b->s->samples;
    const double each = weight / samples;
    double sum = 0;
    for (int k = 0; k < samples && isfinite(sum); k++) {
        const int at = k * n;
        const double *const of[3] = {x->q + at, x->qd + at, x->qdd + at};
        double *const to[3] = {by ? by->q + at : NULL, by ? by->qd + at : NULL, by ? by->qdd + at : NULL};
        sum += joints(b, of, each, by ? to : NULL);
        if (b->s->m->transmission && isfinite(sum)) sum += motor_speeds(b, of[1], each, to[1]);
        if (b->box && isfinite(sum)) sum += hand(b, of[0], each, to[0]);
        if (b->torques && isfinite(sum)) sum += torques(b, of[0], of[1], of[2], each, by, at);
    }
    return isfinite(sum) ? sum * each : INFINITY;
}

bool arne__bounds_rest(bounds *b, const double *q)
{
    memset(b->J, 0, (size_t)b->s->n * sizeof *b->J);
    if (b->box && isinf(hand(b, q, 0, NULL))) return false;
    return !b->torques || isfinite(torques(b, q, b->J, b->J, 0, NULL, 0));
}

/* ---- between the samples ---- */

typedef struct {
    bounds *b;
    const double *z;
    double *q, *qd, *qdd, *plain; /* n */
    double *last, *before;        /* what is smooth, n + 3: of the two points before */
    double *bend, *peak;          /* n + 3: largest second difference */
} looker;

/* motor torques at a time, compared with what is used of their limits */
static bool look(looker *k, double t, double *smooth)
{
    bounds *b = k->b;
    const int n = b->s->n;
    bool within = true;
    arne__series_at(b->s, k->z, t, k->q, k->qd, k->qdd);
    arne_id(b->d, k->q, k->qd, k->qdd, b->tau);
    arne__limits_torques_to_motors(b->s->m, b->tau, b->motor);
    arne__limits_to_motors(b->s->m, k->qd, b->speed);
    for (int i = 0; i < n; i++) {
        double middle, half;
        b->torque[i] = fmax(b->torque[i], fabs(b->tau[i]));
        if (!torque_range(b, i, b->speed[i], &middle, &half)) continue;
        const double part = (fabs(b->motor[i] - middle) + k->bend[i]) / half;
        b->share[i] = fmax(b->share[i], part);
        within = within && part <= 1;
    }
    if (!smooth) return within;
    arne_pose pose = {0};
    arne_id(b->smooth, k->q, k->qd, k->qdd, b->tau);
    arne__limits_torques_to_motors(b->s->m, b->tau, smooth);
    if (b->box) arne_link_pose(b->d, k->q, b->link, &pose);
    for (int c = 0; c < 3; c++) {
        const double p = smooth[n + c] = pose.p[c];
        if (!b->box) continue;
        b->hand[c] = fmin(b->hand[c], p);
        b->hand[3 + c] = fmax(b->hand[3 + c], p);
        within = within && p - k->bend[n + c] >= b->box[c] && p + k->bend[n + c] <= b->box[3 + c];
    }
    return within;
}

/* both sides of the times between t0 and t1 at which a joint or a motor turns round */
static bool turns(looker *k, double t0, double t1)
{
    bounds *b = k->b;
    const arne_model *m = b->s->m;
    const int n = b->s->n;
    bool within = true;
    for (int i = 0; i < (m->transmission ? 2 * n : n); i++) {
        double low = t0, high = t1, sign[2];
        for (int e = 0; e < 2; e++) {
            arne__series_at(b->s, k->z, e ? t1 : t0, k->q, k->qd, k->qdd);
            arne__limits_to_motors(m, k->qd, b->speed);
            sign[e] = i < n ? k->qd[i] : b->speed[i - n];
        }
        if (sign[0] * sign[1] >= 0) continue;
        for (int step = 0; step < 40; step++) {
            const double t = (low + high) / 2;
            arne__series_at(b->s, k->z, t, k->q, k->qd, k->qdd);
            arne__limits_to_motors(m, k->qd, b->speed);
            *((i < n ? k->qd[i] : b->speed[i - n]) * sign[0] > 0 ? &low : &high) = t;
        }
        const double aside = 1e-3 * (t1 - t0);
        within = look(k, fmax(low - aside, t0), NULL) && within;
        within = look(k, fmin(high + aside, t1), NULL) && within;
    }
    return within;
}

bool arne__bounds_dense(bounds *b, const double *z)
{
    const int n = b->s->n, points = SPLIT * b->s->samples, wide = n + 3;
    double *at = b->room;
    memset(at, 0, (size_t)(4 * n + 6 * wide) * sizeof *at);
    looker k = {.b = b, .z = z};
    double **const vectors[] = {&k.q, &k.qd, &k.qdd, &k.plain, &k.last, &k.before, &k.bend, &k.peak};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; at += i < 4 ? n : wide, i++) *vectors[i] = at;
    double *now = at;
    bool within = true;
    for (int pass = 0; pass < 2; pass++) { /* first how much it bends, then with that */
        for (int i = 0; i < n; i++) b->torque[i] = b->share[i] = 0;
        for (int c = 0; c < 6; c++) b->hand[c] = !b->box ? NAN : c < 3 ? INFINITY : -INFINITY;
        within = true;
        for (int p = 0; p <= points + 1; p++) {
            const double t = b->s->period * p / points, h = b->s->period / points;
            within = look(&k, t, now) && within;
            for (int i = 0; i < wide && p > 1; i++) k.peak[i] = fmax(k.peak[i], fabs(now[i] - 2 * k.last[i] + k.before[i]));
            if (pass && p < points) within = turns(&k, t, t + h) && within;
            memcpy(k.before, k.last, (size_t)wide * sizeof *now);
            memcpy(k.last, now, (size_t)wide * sizeof *now);
        }
        for (int i = 0; i < wide; i++) k.bend[i] = 2 * k.peak[i] / 8;
    }
    return within;
}
