/* SPDX-License-Identifier: MIT
 *
 * plan.c - curves through way-points and the fastest way along them: a timing (timing.h) that starts and ends at given speeds. */
#include "arne/plan.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plan/timing.h"

enum { GRID = 1000, MOST_GRID = 10000000, MOST_SAMPLES = 2000000, UNIFORM_SAMPLES = 501 };
static const double DT = 0.001;
/* a limit is active where this part of it is used */
static const double ACTIVE = 0.99;

/* ---- curves ---- */

struct arne_curve {
    path path;
};

static arne_status check_points(const double *points, int count, int dof, arne_error *error)
{
    if (count < 2) return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "a path has at least two points");
    if (dof < 1) return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "a path needs at least one joint that moves");
    for (int k = 0; k < count; k++) {
        bool same = k > 0;
        for (int i = 0; i < dof; i++) {
            const double q = points[(size_t)k * (size_t)dof + (size_t)i];
            if (!isfinite(q)) return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "point %d has a number that is not finite", k + 1);
            same = same && q == points[(size_t)(k - 1) * (size_t)dof + (size_t)i];
        }
        if (same) return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "points %d and %d are the same; remove one", k, k + 1);
    }
    return ARNE_OK;
}

arne_status arne_curve_new(const double *points, int count, int dof, arne_curve **out, arne_error *error)
{
    *out = NULL;
    arne_status status = check_points(points, count, dof, error);
    if (status) return status;
    arne_curve *c = calloc(1, sizeof *c);
    if (!c || !arne__path_spline(&c->path, points, count, dof)) {
        arne_curve_free(c);
        return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    }
    const path *p = &c->path;
    for (int k = 1; k < count; k++)
        if (!(p->s[k] > p->s[k - 1]) || isinf(p->s[k])) {
            arne_curve_free(c);
            return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "points %d and %d are too near or too far for a path of this length",
                             k, k + 1);
        }
    *out = c;
    return ARNE_OK;
}

void arne_curve_free(arne_curve *c)
{
    if (!c) return;
    arne__path_close(&c->path);
    free(c);
}

double arne_curve_length(const arne_curve *c) { return c->path.s[c->path.count - 1]; }

static double point_of(const path *p, double s)
{
    const int k = arne__path_piece(p, s);
    return 1 + k + (s - p->s[k]) / (p->s[k + 1] - p->s[k]);
}

double arne_curve_point(const arne_curve *c, double s) { return point_of(&c->path, s); }

void arne_curve_at(const arne_curve *c, double s, double *q, double *q1, double *q2)
{
    const path *p = &c->path;
    const int k = arne__path_piece(p, s);
    arne__path_at(p, k, (s - p->s[k]) / (p->s[k + 1] - p->s[k]), q, q1, q2);
}

/* ---- plans ---- */

struct arne_plan {
    timing timing;
    double velocity;      /* part of the limits */
    bool rests;           /* at both ends */
    double *memory;       /* dof each */
    double *q, *qd, *qdd; /* state */
    double *tau, *torque, *speed;
};

static void place(const timing *t, double s, char words[TIMING_PLACE])
{
    const double at = point_of(&t->path, s), k = floor(at + 1e-9);
    if (at - k < 1e-9)
        snprintf(words, TIMING_PLACE, "point %.0f", k);
    else
        snprintf(words, TIMING_PLACE, "%.3g %% of the way from point %.0f to %.0f", 100 * (at - k), k, k + 1);
}

static arne_status check_options(const arne_plan_options *o, arne_error *error)
{
    if (o->grid < 0 || o->grid > MOST_GRID)
        return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "a grid has 1 to %d intervals, not %d", MOST_GRID, o->grid);
    if (!(o->dt >= 0) || isinf(o->dt)) return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "the interval dt is a time above 0");
    if (!(o->velocity_scale >= 0) || o->velocity_scale > 1)
        return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "the velocity scale is above 0 and at most 1");
    if (!(o->start_speed >= 0) || !(o->end_speed >= 0) || isinf(o->start_speed) || isinf(o->end_speed))
        return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "the speeds at the ends are not negative");
    return ARNE_OK;
}

static bool make_room(arne_plan *p, const path *from)
{
    timing *t = &p->timing;
    const size_t n = (size_t)t->m->n;
    double **const vectors[] = {&p->q, &p->qd, &p->qdd, &p->tau, &p->torque, &p->speed};
    enum { COUNT = sizeof vectors / sizeof *vectors };
    double *v = p->memory = calloc(n * COUNT + 1, sizeof *v);
    for (int k = 0; k < COUNT && v; k++, v += n) *vectors[k] = v;
    return arne__path_spline(&t->path, from->q, from->count, from->dof) && v;
}

arne_status arne_plan_find(const arne_curve *c, arne_data *d, const arne_plan_options *options, arne_plan **out,
                           arne_error *error)
{
    const arne_plan_options o = options ? *options : (arne_plan_options){0};
    *out = NULL;
    arne_status status = check_options(&o, error);
    if (status) return status;
    arne_plan *p = calloc(1, sizeof *p);
    if (!p) return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    timing *t = &p->timing;
    t->m = arne_data_model(d);
    t->dt = o.dt > 0 ? o.dt : DT;
    p->velocity = o.velocity_scale > 0 ? o.velocity_scale : 1;
    p->rests = o.start_speed == 0 && o.end_speed == 0;
    /* faster than the whole path in a tenth of a sample cannot be told apart */
    const timing_wish wish = {.fastest = 10 * arne_curve_length(c) / t->dt,
                              .start = o.start_speed,
                              .end = o.end_speed,
                              .velocity = p->velocity,
                              .longest = MOST_SAMPLES * t->dt,
                              .place = place};
    const bool room =
        make_room(p, &c->path) && arne__timing_grid(t, o.grid > 0 ? o.grid : GRID, o.start_speed == 0, o.end_speed == 0);
    status = room ? arne__timing_find(t, d, &wish, error) : arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    if (status)
        arne_plan_free(p);
    else
        *out = p;
    return status;
}

void arne_plan_free(arne_plan *p)
{
    if (!p) return;
    arne__timing_close(&p->timing);
    free(p->memory);
    free(p);
}

double arne_plan_duration(const arne_plan *p) { return arne__timing_duration(&p->timing); }

int arne_plan_samples(const arne_plan *p) { return 1 + (int)lround(arne__timing_duration(&p->timing) / p->timing.dt); }

double arne_plan_at(const arne_plan *p, double t, double *q, double *qd, double *qdd)
{
    return arne__timing_at(&p->timing, t, q, qd, qdd);
}

void arne_plan_use(arne_plan *p, arne_data *d, double time, double *use)
{
    const arne_model *m = p->timing.m;
    const int n = m->n;
    arne_plan_at(p, time, p->q, p->qd, p->qdd);
    arne_id(d, p->q, p->qd, p->qdd, p->tau);
    arne__limits_torques_to_motors(m, p->tau, p->torque);
    arne__limits_to_motors(m, p->qd, p->speed);
    for (int k = 0; k < ARNE_LIMIT_COUNT * n; k++) use[k] = 0;
    for (int i = 0; i < n; i++) {
        const double joint = p->velocity * given_limit(m->joint[i].limits.velocity),
                     motor = p->velocity * arne__limits_speed(m, i);
        use[ARNE_VELOCITY * n + i] = fabs(p->qd[i]) / joint;
        if (m->drive || motor < joint) use[ARNE_MOTOR_SPEED * n + i] = fabs(p->speed[i]) / motor;
        use[ARNE_ACCELERATION * n + i] = fabs(p->qdd[i]) / given_limit(m->joint[i].limits.acceleration);
        double low, top;
        arne__limits_torque(m, i, p->speed[i], &low, &top);
        const double limit = p->torque[i] > 0 ? top : -low;
        use[(arne__limits_at_shaft(m, i) ? ARNE_MOTOR_EFFORT : ARNE_EFFORT) * n + i] = limit > 0 ? fabs(p->torque[i]) / limit : 0;
    }
}

/* how much slower the velocity scale alone asks for */
static double too_fast(const arne_plan *p, const double *qd, double most)
{
    const arne_model *m = p->timing.m;
    arne__limits_to_motors(m, qd, p->speed);
    for (int i = 0; i < m->n; i++) {
        most = fmax(most, fabs(qd[i]) / (p->velocity * given_limit(m->joint[i].limits.velocity)));
        most = fmax(most, fabs(p->speed[i]) / (p->velocity * arne__limits_speed(m, i)));
    }
    return most;
}

arne_status arne_plan_uniform(const arne_plan *p, arne_data *d, double *duration, arne_error *error)
{
    const path *way = &p->timing.path;
    const double T = arne_plan_duration(p), length = way->s[way->count - 1];
    const size_t n = (size_t)way->dof;
    double *q = malloc((2 * UNIFORM_SAMPLES * n + 1) * sizeof *q), *qd = q ? q + UNIFORM_SAMPLES * n : NULL, slower = 1;
    if (!q) return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    for (int k = 0; k < UNIFORM_SAMPLES; k++) {
        const double z = (double)k / (UNIFORM_SAMPLES - 1), s = length * z * z * z * (10 + z * (6 * z - 15));
        const double speed = length * 30 * z * z * (1 - z) * (1 - z) / T;
        const int piece = arne__path_piece(way, s);
        double *row = qd + (size_t)k * n;
        arne__path_at(way, piece, (s - way->s[piece]) / (way->s[piece + 1] - way->s[piece]), q + (size_t)k * n, row, p->qdd);
        for (size_t i = 0; i < n; i++) row[i] *= speed;
        slower = too_fast(p, row, slower);
    }
    const arne_motion motion = {UNIFORM_SAMPLES, T / (UNIFORM_SAMPLES - 1), q, qd};
    arne_verdict v;
    const arne_status status = arne_judge(&motion, d, NULL, &v, error);
    *duration = T * fmax(v.slower, slower);
    free(q);
    return status;
}

arne_status arne_plan_follow(arne_plan *p, arne_data *d, arne_plan_records *out, arne_error *error)
{
    const int n = p->timing.m->n, samples = arne_plan_samples(p);
    double *v = calloc((size_t)n * (5 + ARNE_LIMIT_COUNT), sizeof *v), *q = v, *qd = q + n, *qdd = qd + n, *tau = qdd + n;
    double *motor = tau + n, *use = motor + n;
    if (!v) return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    out->active = 0;
    for (int i = 0; i < n; i++) out->joints[i] = (arne_joint_record){.no_stop = NAN};
    for (int i = 0; i < ARNE_LIMIT_COUNT * n; i++) out->share[i] = 0;
    for (int k = 0; k < samples; k++) {
        const double t = k * p->timing.dt;
        bool some = false;
        arne_plan_at(p, t, q, qd, qdd);
        arne_plan_use(p, d, t, use);
        arne_id(d, q, qd, qdd, tau);
        arne_motor_torques(d, tau, motor);
        for (int i = 0; i < ARNE_LIMIT_COUNT * n; i++) {
            const bool active = use[i] >= ACTIVE;
            out->share[i] += active ? 1.0 / samples : 0;
            some = some || active;
        }
        out->active += some ? 1.0 / samples : 0;
        for (int i = 0; i < n; i++) {
            arne_joint_record *j = &out->joints[i];
            j->torque = fmax(j->torque, fabs(tau[i]));
            j->motor = fmax(j->motor, fabs(motor[i]));
            j->speed = fmax(j->speed, fabs(qd[i]));
        }
        if (out->row) out->row(out->context, &(arne_motion_row){t, t, q, qd, qdd, tau, motor, NULL});
    }
    free(v);
    return ARNE_OK;
}
