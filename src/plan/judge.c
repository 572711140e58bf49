/* SPDX-License-Identifier: MIT
 *
 * judge.c - is a commanded motion within all limits, and if not: in how much more time, with how much of its payload?
 *
 * In s times the time a sample asks the motors for
 *     t(s) = D/s^2 + J' friction(qd/s) + G,    D = t(1) - J' friction(qd) - G,   G: gravity and wrenches
 * and the payload enters torques linearly: with the part p of it they are t_0 + p (t_1 - t_0). */
#include <math.h>
#include <stdlib.h>

#include "plan/limits.h"

/* rounding is no violation */
static const double TOLERANCE = 1e-9;
/* no motion is ever slowed more than this */
static const double SLOWEST = 1e6;

typedef struct {
    const arne_model *m;
    arne_data *d;
    double *memory;
    const double *q;
    double *qd, *qdd, *qd_m;    /* joints, motors */
    double *dynamic, *standing; /* D and G, motors */
    double *scaled, *friction, *friction_m;
    double *tau, *zero;
} sample;

enum { SAMPLE_VECTORS = 10 };

static bool sample_open(sample *s, arne_data *d)
{
    *s = (sample){.m = arne_data_model(d), .d = d};
    const size_t n = (size_t)s->m->n;
    double **const vectors[SAMPLE_VECTORS] = {&s->qd,     &s->qdd,      &s->qd_m,       &s->dynamic, &s->standing,
                                              &s->scaled, &s->friction, &s->friction_m, &s->tau,     &s->zero};
    double *v = s->memory = calloc(n * SAMPLE_VECTORS + 1, sizeof *v);
    for (int k = 0; k < SAMPLE_VECTORS && v; k++, v += n) *vectors[k] = v;
    return v != NULL;
}

/* friction at qd/s, at the motors */
static void rub(sample *s, double slower)
{
    for (int i = 0; i < s->m->n; i++) s->scaled[i] = s->qd[i] / slower;
    arne_friction_torque(s->d, s->scaled, s->friction);
    arne__limits_torques_to_motors(s->m, s->friction, s->friction_m);
}

/* false: a torque is not finite */
static bool sample_take(sample *s, const arne_motion *motion, int k)
{
    const int n = s->m->n;
    s->q = motion->q + (size_t)k * (size_t)n;
    arne_motion_at(motion, n, k, s->qd, s->qdd);
    arne_id(s->d, s->q, s->qd, s->qdd, s->tau);
    arne__limits_torques_to_motors(s->m, s->tau, s->dynamic);
    arne_bias(s->d, s->q, s->zero, s->tau);
    arne_friction_torque(s->d, s->zero, s->friction); /* offsets are part of friction */
    for (int i = 0; i < n; i++) s->tau[i] -= s->friction[i];
    arne__limits_torques_to_motors(s->m, s->tau, s->standing);
    arne__limits_to_motors(s->m, s->qd, s->qd_m);
    rub(s, 1);
    for (int i = 0; i < n; i++) {
        if (!isfinite(s->dynamic[i]) || !isfinite(s->standing[i])) return false;
        s->dynamic[i] -= s->standing[i] + s->friction_m[i];
    }
    return true;
}

/* Keeps the larger of two excesses; x is beyond its limit if it is more than 1. */
static void compare(arne_violation *v, double *most, double excess, arne_limit_kind kind, int joint, double limit, double demand)
{
    if (!(excess > 1 + TOLERANCE && excess > *most)) return;
    *most = excess;
    *v = (arne_violation){.kind = kind, .joint = joint, .limit = limit, .demand = demand};
}

static double excess_of(double demand, double limit)
{
    return fabs(demand) <= fabs(limit) ? 0 : limit != 0 ? demand / limit : INFINITY;
}

/* The largest excess of the sample in `slower` times its time, 0: none. */
static double sample_excess(sample *s, double slower, arne_violation *v)
{
    const arne_model *m = s->m;
    double most = 0;
    rub(s, slower);
    for (int i = 0; i < m->n; i++) {
        const arne_limits *l = &m->joint[i].limits;
        const double bound = s->q[i] > l->upper ? l->upper : l->lower, beyond = fmax(s->q[i] - l->upper, l->lower - s->q[i]);
        compare(v, &most, 1 + fmax(beyond, 0), ARNE_POSITION, i, bound, s->q[i]);
        const double speed = s->qd[i] / slower, fastest = copysign(given_limit(l->velocity), speed);
        compare(v, &most, excess_of(speed, fastest), ARNE_VELOCITY, i, fastest, speed);
        const double a = s->qdd[i] / (slower * slower), a_most = copysign(given_limit(l->acceleration), a);
        compare(v, &most, excess_of(a, a_most), ARNE_ACCELERATION, i, a_most, a);

        const double gear = m->joint[i].motor.gear, turn = s->qd_m[i] / slower,
                     turn_most = copysign(arne__limits_speed(m, i), turn);
        compare(v, &most, excess_of(turn, turn_most), ARNE_MOTOR_SPEED, i, gear * turn_most, gear * turn);
        const double t = s->dynamic[i] / (slower * slower) + s->friction_m[i] + s->standing[i];
        double low, high;
        arne__limits_torque(m, i, turn, &low, &high);
        const double limit = t > 0 ? high : low, shaft = arne__limits_at_shaft(m, i) ? gear : 1;
        compare(v, &most, excess_of(t, limit), arne__limits_at_shaft(m, i) ? ARNE_MOTOR_EFFORT : ARNE_EFFORT, i, limit / shaft,
                t / shaft);
    }
    return most;
}

/* the least time, from `slower` on, in which this sample is within all limits */
static double sample_slower(sample *s, double slower)
{
    arne_violation v;
    double low = slower, high = slower;
    while (sample_excess(s, high, &v) > 0) {
        if (v.kind == ARNE_POSITION || high > SLOWEST) return INFINITY;
        low = high;
        high *= 1.5;
    }
    for (int k = 0; k < 40 && high - low > 1e-9 * high; k++) {
        const double middle = (low + high) / 2;
        *(sample_excess(s, middle, &v) > 0 ? &low : &high) = middle;
    }
    return high;
}

static arne_status overflow(arne_error *error, int k)
{
    return BAD_VALUE(error, "the torques of sample %d are not finite: the numbers are too large", k + 1);
}

/* One way through the motion: finds violations at the commanded speed (out, may be NULL), raises *slower. */
static arne_status pass(sample *s, const arne_motion *motion, arne_verdict *out, double *slower, arne_error *error)
{
    double worst = 0;
    for (int k = 0; k < motion->count; k++) {
        if (!sample_take(s, motion, k)) return overflow(error, k);
        arne_violation v = {0};
        const double excess = out ? sample_excess(s, 1, &v) : 0;
        v.sample = k;
        if (excess > 0 && !out->first.kind) out->first = v;
        if (excess > worst * (1 + TOLERANCE)) worst = excess, out->worst = v; /* of equal ones the first */
        if (isfinite(*slower) && (*slower > 1 || excess > 0 || !out)) *slower = sample_slower(s, *slower);
    }
    return ARNE_OK;
}

/* the part of the payload that all torques allow: low <= t_0 + p (t_1 - t_0) <= high */
static arne_status lighten(sample *s, sample *light, const arne_motion *motion, double *part, arne_error *error)
{
    double least = 0, most = 1;
    for (int k = 0; k < motion->count; k++) {
        if (!sample_take(s, motion, k) || !sample_take(light, motion, k)) return overflow(error, k);
        for (int i = 0; i < s->m->n; i++) {
            double low, high;
            arne__limits_torque(s->m, i, s->qd_m[i], &low, &high);
            const double t0 = light->dynamic[i] + light->friction_m[i] + light->standing[i];
            const double slope = s->dynamic[i] + s->friction_m[i] + s->standing[i] - t0;
            low -= TOLERANCE * fabs(low), high += TOLERANCE * fabs(high);
            if (slope > 0 || slope < 0) {
                const double p = ((slope > 0 ? low : high) - t0) / slope, r = ((slope > 0 ? high : low) - t0) / slope;
                least = fmax(least, p), most = fmin(most, r);
            } else if (t0 < low || t0 > high) {
                most = -1;
            }
        }
    }
    *part = least <= most ? most : -1;
    return ARNE_OK;
}

static bool torque_only(const arne_violation *v) { return v->kind == ARNE_EFFORT || v->kind == ARNE_MOTOR_EFFORT; }

arne_status arne_judge(const arne_motion *motion, arne_data *d, arne_data *light, arne_verdict *out, arne_error *error)
{
    sample s, empty = {0};
    const arne_status given = arne__motion_check(motion, d, out, error);
    if (given) return given;
    if (light && arne_data_model(light) != arne_data_model(d))
        return BAD_ARGUMENT(error, "the robot without its payload is another one");
    *out = (arne_verdict){.slower = 1, .lighter = NAN};
    if (!sample_open(&s, d) || (light && !sample_open(&empty, light))) {
        free(s.memory);
        return NO_MEMORY(error);
    }
    arne_status status = pass(&s, motion, out, &out->slower, error);
    /* slowing may bring up what speed held up: until all agree */
    for (double before = 1; !status && isfinite(out->slower) && before != out->slower;) {
        before = out->slower;
        status = pass(&s, motion, NULL, &out->slower, error);
    }
    if (light && !status) {
        out->lighter = out->first.kind ? -1 : 1;
        if (torque_only(&out->first) && torque_only(&out->worst)) status = lighten(&s, &empty, motion, &out->lighter, error);
    }
    free(s.memory);
    free(empty.memory);
    return status;
}
