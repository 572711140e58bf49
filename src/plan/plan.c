/* SPDX-License-Identifier: MIT
 *
 * plan.c - the fastest way along a curve: a timing (timing.h) that starts and ends at given speeds, or one of the curve through
 * the samples of a motion. */
#include "arne/plan.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/options.h"
#include "plan/timing.h"

enum { MOST_GRID = 10000000, MOST_SAMPLES = 2000000, UNIFORM_SAMPLES = 501 };
enum { COARSE = 500, PER_PIECE = 4, FINEST = 1 << 20 }; /* intervals of the first grid and of the last */
enum { FEWEST_INTERVALS = 2000 };                       /* of a motion that is retimed */
static const double SLOWEST = 1e4;                      /* a motion that takes this many times its time is none */
static const double DT = 0.001;
/* a limit is active where this part of it is used */
static const double ACTIVE = 0.99;

enum { PLAN_VECTORS = 6 };

struct arne_plan {
    timing timing;
    arena *memory;
    timing_wish wish;     /* its limits */
    double *q, *qd, *qdd; /* dof each: state */
    double *tau, *torque, *speed;
};

static void place(const timing *t, double s, char words[TIMING_PLACE])
{
    const path *p = &t->path;
    const int k = arne__path_piece(p, s);
    const double part = path_part(p, k, s);
    if (part < 1e-9 || part > 1 - 1e-9)
        snprintf(words, TIMING_PLACE, "point %d", p->number[part > 0.5 ? k + 1 : k]);
    else
        snprintf(words, TIMING_PLACE, "%.3g %% of the way from point %d to %d", 100 * part, p->number[k], p->number[k + 1]);
}

static arne_status check_options(const arne_plan_options *o, arne_error *error)
{
    if (o->grid < 0 || o->grid > MOST_GRID) return BAD_VALUE(error, "a grid has 1 to %d intervals, not %d", MOST_GRID, o->grid);
    if (!(o->dt >= 0) || isinf(o->dt)) return BAD_VALUE(error, "the interval dt is a time above 0");
    if (!(o->velocity_scale >= 0) || o->velocity_scale > 1)
        return BAD_VALUE(error, "the velocity scale is above 0 and at most 1");
    if (!(o->start_speed >= 0) || !(o->end_speed >= 0) || isinf(o->start_speed) || isinf(o->end_speed))
        return BAD_VALUE(error, "the speeds at the ends are not negative");
    if (!(o->jerk >= 0) || !(o->effort_rate >= 0)) return BAD_VALUE(error, "limits of jerk and torque rate are above 0");
    return ARNE_OK;
}

/* Without path and grid; NULL: no memory. */
static arne_plan *plan_new(const arne_model *m, double dt, double velocity)
{
    arena *memory = arne__arena_new();
    arne_plan *p = arne__arena_take(memory, 1, sizeof *p);
    double *v = p ? arne__arena_take(memory, (size_t)m->n * PLAN_VECTORS, sizeof *v) : NULL;
    if (!v) {
        arne__arena_free(memory);
        return NULL;
    }
    *p = (arne_plan){.timing = {.m = m, .dt = dt}, .memory = memory, .wish = {.velocity = velocity}};
    double **const vectors[PLAN_VECTORS] = {&p->q, &p->qd, &p->qdd, &p->tau, &p->torque, &p->speed};
    for (int k = 0; k < PLAN_VECTORS; k++, v += m->n) *vectors[k] = v;
    return p;
}

/* Finds its timing; frees it after a failure. `room`: path and grid are there. */
static arne_status plan_finish(arne_plan *p, bool room, arne_data *d, const timing_wish *wish, arne_plan **out, arne_error *error)
{
    p->wish = *wish;
    const arne_status status = room ? arne__timing_find(&p->timing, p->memory, d, wish, error) : NO_MEMORY(error);
    if (status)
        arne_plan_free(p);
    else
        *out = p;
    return status;
}

arne_status arne_plan_find(const arne_curve *c, arne_data *d, const arne_plan_options *options, arne_plan **out,
                           arne_error *error)
{
    arne_plan_options o;
    if (out) *out = NULL;
    if (!c || !d || !out || options_take(&o, sizeof o, options) || arne__curve_path(c)->dof != arne_model_dof(arne_data_model(d)))
        return BAD_ARGUMENT(error, "a plan needs a path of its robot, data, options that tell their size, and a place");
    const arne_model *m = arne_data_model(d);
    arne_status status = check_options(&o, error);
    if (!status) status = arne__limits_all(m, error);
    if (status) return status;
    arne_plan *p = plan_new(m, o.dt > 0 ? o.dt : DT, o.velocity_scale > 0 ? o.velocity_scale : 1);
    if (!p) return NO_MEMORY(error);
    const int first = o.grid > 0 ? o.grid : COARSE + PER_PIECE * (arne__curve_path(c)->count - 1);
    /* faster than the whole path in a tenth of a sample cannot be told apart */
    const timing_wish wish = {.fastest = 10 * arne_curve_length(c) / p->timing.dt,
                              .start = o.start_speed,
                              .end = o.end_speed,
                              .velocity = p->wish.velocity,
                              .smooth = true,
                              .jerk = given_limit(o.jerk),
                              .effort_rate = given_limit(o.effort_rate),
                              .longest = MOST_SAMPLES * p->timing.dt,
                              .finest = o.grid > 0 ? 0 : FINEST,
                              .finest_stuck = o.grid > 0 ? 0 : 8 * first,
                              .progress = o.progress,
                              .context = o.context,
                              .place = place};
    const bool room = arne__path_copy(&p->timing.path, p->memory, arne__curve_path(c)) &&
                      arne__timing_grid(&p->timing, p->memory, first, o.start_speed == 0, o.end_speed == 0);
    return plan_finish(p, room, d, &wish, out, error);
}

/* The same path, as fast as the limits allow and nowhere faster than commanded: s is the commanded time, s' <= 1, both ends are
 * free. */
static void place_in_time(const timing *t, double s, char words[TIMING_PLACE])
{
    (void)t;
    snprintf(words, TIMING_PLACE, "t = %g s", s);
}

arne_status arne_retime(const arne_motion *s, arne_data *d, arne_plan **out, arne_error *error)
{
    if (out) *out = NULL;
    const arne_status status = arne__motion_check(s, d, out, error);
    if (status) return status;
    if (s->count < 2) return BAD_VALUE(error, "a motion has at least two samples");
    arne_plan *p = plan_new(arne_data_model(d), s->dt, 1);
    if (!p) return NO_MEMORY(error);
    const int pieces = s->count - 1, fine = 1 + (FEWEST_INTERVALS - 1) / pieces;
    const timing_wish wish = {
        .fastest = 1, .start = -1, .end = -1, .velocity = 1, .longest = SLOWEST * pieces * s->dt, .place = place_in_time};
    const bool room = arne__path_open(&p->timing.path, p->memory, s, p->timing.m->n) &&
                      arne__timing_grid(&p->timing, p->memory, fine * pieces, false, false);
    return plan_finish(p, room, d, &wish, out, error);
}

void arne_plan_free(arne_plan *p)
{
    if (p) arne__arena_free(p->memory);
}

double arne_plan_duration(const arne_plan *p) { return p ? arne__timing_duration(&p->timing) : 0; }

int arne_plan_samples(const arne_plan *p) { return p ? 1 + (int)lround(arne__timing_duration(&p->timing) / p->timing.dt) : 0; }

arne_status arne_plan_at(const arne_plan *p, double t, double *q, double *qd, double *qdd, double *s)
{
    if (!p || !q || !qd || !qdd) return ARNE_BAD_ARGUMENT;
    const double at = arne__timing_at(&p->timing, t, q, qd, qdd);
    if (s) *s = at;
    return ARNE_OK;
}

bool arne_plan_smooth(const arne_plan *p) { return p && p->timing.u; }

/* Torques of the motors, but for friction, which jumps where a joint turns back. */
static void torques_at(arne_plan *p, arne_data *d, double time, double *torque)
{
    arne__timing_at(&p->timing, time, p->q, p->qd, p->qdd);
    arne_id(d, p->q, p->qd, p->qdd, p->tau);
    arne_friction_torque(d, p->qd, p->speed);
    for (int i = 0; i < p->timing.m->n; i++) p->tau[i] -= p->speed[i];
    arne__limits_torques_to_motors(p->timing.m, p->tau, torque);
}

/* What a smooth plan uses of its limits of jerk and of torque rate. */
static void use_rates(arne_plan *p, arne_data *d, double time, double *jerk, double *rate)
{
    const timing *t = &p->timing;
    const double from = fmax(0, time - t->dt / 4), to = fmin(time + t->dt / 4, arne__timing_duration(t)), own = time / t->stretch;
    arne__timing_jerk(t, arne__timing_interval(t, own), own, p->q, p->qd, jerk);
    torques_at(p, d, from, rate);
    torques_at(p, d, to, p->torque);
    for (int i = 0; i < t->m->n; i++) {
        jerk[i] = fabs(jerk[i]) / arne__smooth_jerk(t->m, &p->wish, i);
        rate[i] = fabs(p->torque[i] - rate[i]) / (to - from) / arne__smooth_rate(t->m, &p->wish, i);
    }
}

arne_status arne_plan_use(arne_plan *p, arne_data *d, double time, double *use)
{
    if (!p || !d || arne_data_model(d) != p->timing.m || !use) return ARNE_BAD_ARGUMENT;
    const arne_model *m = p->timing.m;
    const int n = m->n;
    for (int k = 0; k < ARNE_LIMIT_COUNT * n; k++) use[k] = 0;
    if (p->timing.u) use_rates(p, d, time, use + ARNE_JERK * n, use + ARNE_EFFORT_RATE * n);
    arne__timing_at(&p->timing, time, p->q, p->qd, p->qdd);
    arne_id(d, p->q, p->qd, p->qdd, p->tau);
    arne__limits_torques_to_motors(m, p->tau, p->torque);
    arne__limits_to_motors(m, p->qd, p->speed);
    for (int i = 0; i < n; i++) {
        const double joint = p->wish.velocity * given_limit(m->joint[i].limits.velocity),
                     motor = p->wish.velocity * arne__limits_speed(m, i);
        use[ARNE_VELOCITY * n + i] = fabs(p->qd[i]) / joint;
        if (m->drive || motor < joint) use[ARNE_MOTOR_SPEED * n + i] = fabs(p->speed[i]) / motor;
        use[ARNE_ACCELERATION * n + i] = fabs(p->qdd[i]) / given_limit(m->joint[i].limits.acceleration);
        double low, top;
        arne__limits_torque(m, i, p->speed[i], &low, &top);
        const double limit = p->torque[i] > 0 ? top : -low;
        use[(arne__limits_at_shaft(m, i) ? ARNE_MOTOR_EFFORT : ARNE_EFFORT) * n + i] = limit > 0 ? fabs(p->torque[i]) / limit : 0;
    }
    return ARNE_OK;
}

/* how much slower the velocity scale alone asks for */
static double too_fast(const arne_plan *p, const double *qd, double most)
{
    const arne_model *m = p->timing.m;
    arne__limits_to_motors(m, qd, p->speed);
    for (int i = 0; i < m->n; i++) {
        most = fmax(most, fabs(qd[i]) / (p->wish.velocity * given_limit(m->joint[i].limits.velocity)));
        most = fmax(most, fabs(p->speed[i]) / (p->wish.velocity * arne__limits_speed(m, i)));
    }
    return most;
}

arne_status arne_plan_uniform(arne_plan *p, arne_data *d, double *duration, arne_error *error)
{
    if (!p || !d || arne_data_model(d) != p->timing.m || !duration)
        return BAD_ARGUMENT(error, "the time of a smooth law needs a plan, data of its robot, and a place");
    const path *way = &p->timing.path;
    const double T = arne_plan_duration(p), length = way->s[way->count - 1];
    const size_t n = (size_t)way->dof;
    double *q = malloc((2 * UNIFORM_SAMPLES * n + 1) * sizeof *q), *qd = q ? q + UNIFORM_SAMPLES * n : NULL, slower = 1;
    if (!q) return NO_MEMORY(error);
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
    if (!v) return NO_MEMORY(error);
    out->active = 0;
    for (int i = 0; i < n; i++) out->joints[i] = (arne_joint_record){.no_stop = NAN};
    for (int i = 0; i < ARNE_LIMIT_COUNT * n; i++) out->share[i] = 0;
    for (int k = 0; k < samples; k++) {
        const double t = k * p->timing.dt;
        bool some = false;
        arne_plan_at(p, t, q, qd, qdd, NULL);
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
