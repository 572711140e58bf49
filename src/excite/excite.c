/* SPDX-License-Identifier: MIT
 *
 * excite.c - the search: motions at random inside the limits, the best of them are starts of a descent inside a barrier that
 * gives way, and the best end of these is looked at between its samples. */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/options.h"
#include "excite/excite.h"

enum { MOST_HARMONICS = 64, PER_HARMONIC = 20, TRIES = 200, MOST_STARTS = 64 };

/* what is assumed where nothing is known */
static const double RANGE = 3.14159265358979323846, SLIDE = 0.5, SPEED = 1, SLIDE_SPEED = 0.25, RATE = 3;

typedef struct {
    arne_excitation e; /* first: freed through it */
    arena *memory;
} result;

typedef struct {
    double *z;
    double value;
} candidate;

typedef struct {
    const arne_model *m;
    arne_excite_options o;
    series s;
    bounds limits;
    cost *cost;
    arne_base *base;
    arne_data *d, *smooth;
    double *noise;
    arne_excite_joint *joints;
    series_motion motion, by;
    double *work, *trial;
    candidate *starts; /* the best first */
    int nstart, found;
    double barrier, order;
} search;

/* ---- what is asked for ---- */

static arne_status fill_in(arne_excite_options *o, const arne_model *m, arne_error *error)
{
    const struct {
        double value;
        const char *what;
    } numbers[] = {{o->period, "period"},
                   {o->scale, "scale"},
                   {o->velocity, "velocity"},
                   {o->acceleration, "acceleration"},
                   {o->amplitude, "amplitude"}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (!isfinite(numbers[k].value) || numbers[k].value < 0)
            return BAD_VALUE(error, "the %s of an excitation is %g: it must be positive", numbers[k].what, numbers[k].value);
    if (o->scale > 1) return BAD_VALUE(error, "the scale of an excitation is %g: 0 ... 1 of the limits can be used", o->scale);
    if ((unsigned)o->criterion >= ARNE_EXCITE_COUNT || o->harmonics < 0 || o->randoms < 0 || o->starts < 0 || o->steps < 0 ||
        o->link < 0 || o->link >= arne_model_links(m))
        return BAD_ARGUMENT(error, "an excitation with a criterion, counts or a link that do not exist");
    if (o->period == 0) o->period = 10;
    if (o->scale == 0) o->scale = 0.9;
    if (o->harmonics == 0) o->harmonics = (int)fmin(fmax(floor(0.6 * o->period), 3), 12);
    if (o->harmonics < 3 || o->harmonics > MOST_HARMONICS)
        return BAD_VALUE(error, "%d harmonics: 3 to %d are allowed (two numbers of each joint make it begin at rest)",
                         o->harmonics, MOST_HARMONICS);
    if (o->randoms == 0) o->randoms = 1000;
    if (o->starts == 0) o->starts = o->randoms < 3 ? o->randoms : 3;
    if (o->starts > o->randoms || o->starts > MOST_STARTS)
        return BAD_VALUE(error, "%d starts: at most %d, and not more than the %d random motions", o->starts, MOST_STARTS,
                         o->randoms);
    if (o->steps == 0) o->steps = 600;
    for (int c = 0; o->box && c < 3; c++)
        if (!isfinite(o->box[c]) || !isfinite(o->box[3 + c]) || !(o->box[c] < o->box[3 + c]))
            return BAD_VALUE(error, "the box goes from %g to %g along %c: its upper corner must be above its lower one",
                             o->box[c], o->box[3 + c], "xyz"[c]);
    if (o->link == 0) o->link = arne_model_tip(m);
    const int n = arne_model_nv(m);
    if (o->around && (!dense_finite(n, o->around) || !(o->amplitude > 0)))
        return BAD_VALUE(error, "motions around a posture need its numbers and an amplitude");
    for (int i = 0; i < n && o->noise; i++)
        if (!isfinite(o->noise[i]) || !(o->noise[i] > 0))
            return BAD_VALUE(error, "the noise of torque %d is %g: it must be positive", i + 1, o->noise[i]);
    return ARNE_OK;
}

/* ---- limits ---- */

static double speed_limit(const arne_model *m, int i)
{
    if (!m->transmission) return arne__limits_speed(m, i);
    double sum = 0; /* what all motors together give */
    for (int k = 0; k < m->n; k++) {
        const double part = fabs(m->transmission[i * m->n + k]);
        if (part > 0) sum += part * arne__limits_speed(m, k);
    }
    return fmin(sum, given_limit(m->joint[i].limits.velocity));
}

static arne_status joint_limits(search *x, int i, arne_error *error)
{
    const arne_model *m = x->m;
    const arne_excite_options *o = &x->o;
    const arne_limits *l = &m->joint[i].limits;
    const bool turns = arne_joint_kind(m, i) == ARNE_REVOLUTE;
    arne_excite_joint *j = &x->joints[i];
    double lower = l->lower, upper = l->upper, low, high;
    j->no_range = !isfinite(lower) || !isfinite(upper);
    if (j->no_range) {
        const double range = turns ? RANGE : SLIDE;
        if (!isfinite(lower)) lower = isfinite(upper) ? upper - 2 * range : -range;
        if (!isfinite(upper)) upper = lower + 2 * range;
    }
    const double middle = (lower + upper) / 2, half = o->scale * (upper - lower) / 2;
    lower = middle - half, upper = middle + half;
    if (o->around) {
        lower = fmax(lower, o->around[i] - o->amplitude);
        upper = fmin(upper, o->around[i] + o->amplitude);
        j->no_range = false;
    }
    if (!(upper > lower))
        return BAD_VALUE(error, "joint %s has no room to move: between %g and %g%s", m->joint[i].name, l->lower, l->upper,
                         o->around ? " and around the posture that is given" : "");
    double v = speed_limit(m, i), a = given_limit(l->acceleration);
    if (o->velocity > 0) v = fmin(v, o->velocity);
    j->no_velocity = !isfinite(v);
    if (j->no_velocity) v = turns ? SPEED : SLIDE_SPEED;
    if (o->acceleration > 0) a = fmin(a, o->acceleration);
    j->no_acceleration = !isfinite(a);
    if (j->no_acceleration) a = RATE * v;
    arne__limits_torque(m, i, 0, &low, &high);
    j->no_torque = !isfinite(high);
    j->lower = lower, j->upper = upper, j->velocity = o->scale * v, j->acceleration = o->scale * a;
    const double PI = RANGE, samples = cos(PI * x->s.harmonics / x->s.samples); /* of the largest value [Ehlich 1964] */
    x->s.limits[i] = (series_limits){.middle = (lower + upper) / 2,
                                     .half = (upper - lower) / 2,
                                     .velocity = j->velocity,
                                     .acceleration = j->acceleration,
                                     .within = {samples * (upper - lower) / 2, samples * j->velocity, samples * j->acceleration}};
    return ARNE_OK;
}

/* Deviations of the torques: a part of what the motors have, or of what states at random ask for. */
static void weigh(search *x)
{
    const int n = x->s.n;
    random_source random = {.state = 11};
    double *most = x->noise, *q = x->trial, *qd = q + n, *qdd = qd + n, *tau = qdd + n;
    bool known = !x->m->transmission;
    for (int i = 0; i < n; i++) known = known && !x->joints[i].no_torque;
    for (int k = 0; k < 200; k++) {
        for (int i = 0; i < n; i++) {
            const series_limits *l = &x->s.limits[i];
            q[i] = l->middle + l->half * arne__random_signed(&random);
            qd[i] = l->velocity * arne__random_signed(&random);
            qdd[i] = l->acceleration * arne__random_signed(&random);
        }
        arne_id(x->d, q, qd, qdd, tau);
        for (int i = 0; i < n; i++) most[i] = fmax(most[i], fabs(tau[i]));
    }
    for (int i = 0; i < n; i++) {
        double low, high;
        arne__limits_torque(x->m, i, 0, &low, &high);
        const double of = known ? high : most[i] > 0 ? most[i] : 1;
        x->noise[i] = x->joints[i].noise = x->o.noise ? x->o.noise[i] : 0.01 * of;
    }
}

/* ---- motions at random ---- */

/* The largest part of the swing that is inside all limits; false: hardly any. */
static bool shrink(search *x, const double *from, double *z)
{
    double low = 0, high = 1;
    for (int k = 0; k < 8; k++) {
        const double scale = k ? (low + high) / 2 : 1;
        arne__series_scale(&x->s, scale, from, z);
        arne__series_sample(&x->s, z, &x->motion);
        const bool inside = isfinite(arne__bounds_barrier(&x->limits, &x->motion, 1, NULL));
        if (inside && !k) return true;
        *(inside ? &low : &high) = scale;
    }
    arne__series_scale(&x->s, low, from, z);
    arne__series_sample(&x->s, z, &x->motion);
    return low > 0.03;
}

static double criterion(const search *x, const excite_value *v)
{
    return x->o.criterion == ARNE_EXCITE_VOLUME ? v->volume : v->condition;
}

/* in its place among the best */
static void keep(search *x, const double *z, double value)
{
    const size_t size = (size_t)(x->s.n * x->s.row);
    int at = x->nstart < x->o.starts ? x->nstart++ : x->nstart - 1;
    if (x->starts[at].value <= value) return;
    double *room = x->starts[at].z;
    for (; at > 0 && x->starts[at - 1].value > value; at--) x->starts[at] = x->starts[at - 1];
    memcpy(room, z, size * sizeof *z);
    x->starts[at] = (candidate){room, value};
}

static arne_status try_randoms(search *x, arne_excitation *e, arne_error *error)
{
    const int n = x->s.n, size = n * x->s.row;
    random_source random = {.state = 1 + (uint64_t)x->o.seed};
    double *z = x->trial, *shape = z + size, *q = shape + size;
    long tries = 0;
    e->random_condition = e->random_volume = INFINITY;
    while (x->found < x->o.randoms && tries < (long)TRIES * x->o.randoms) {
        tries++;
        arne__series_random(&x->s, &random, shape, x->work);
        for (int i = 0; i < n; i++) q[i] = x->s.limits[i].middle + x->s.limits[i].half * shape[i * x->s.row];
        excite_value v;
        if (!arne__bounds_rest(&x->limits, q) || !shrink(x, shape, z)) continue;
        x->found++;
        if (!arne__cost_value(x->cost, &x->motion, &v)) continue;
        e->random_condition = fmin(e->random_condition, v.condition);
        e->random_volume = fmin(e->random_volume, v.volume);
        keep(x, z, criterion(x, &v));
    }
    if (x->nstart > 0) return ARNE_OK;
    return BAD_VALUE(error, "%s: of %ld motions at random %s", arne_model_name(x->m), tries,
                     x->found        ? "none moves all parameters; give more time or harmonics"
                     : x->limits.box ? "none fits into the box and the torque limits; is the box where the hand can be?"
                                     : "none fits into the limits; can the motors carry the arm at rest?");
}

/* ---- the descent ---- */

static double barrier_function(void *context, const double *z, double *gradient)
{
    search *x = context;
    const size_t size = (size_t)(x->s.samples * x->s.n);
    arne__series_sample(&x->s, z, &x->motion);
    if (gradient) memset(x->by.q, 0, 3 * size * sizeof *x->by.q);
    const double outside = arne__bounds_barrier(&x->limits, &x->motion, x->barrier, gradient ? &x->by : NULL);
    if (!isfinite(outside)) return INFINITY;
    const double value = arne__cost_smooth(x->cost, &x->motion, x->order, gradient ? &x->by : NULL);
    if (gradient) {
        memset(gradient, 0, (size_t)(x->s.n * x->s.row) * sizeof *gradient);
        arne__series_back(&x->s, &x->by, gradient);
        arne__series_project(&x->s, gradient);
    }
    return value + outside;
}

static bool measure(search *x, const double *z, excite_value *v)
{
    arne__series_sample(&x->s, z, &x->motion);
    return arne__cost_value(x->cost, &x->motion, v);
}

/* From a start to its end, which is within all limits, between the samples too. */
static bool improve(search *x, candidate *c)
{
    static const double barriers[] = {0.03, 0.006, 0.001}, orders[] = {2, 5, 12};
    enum { STAGES = sizeof barriers / sizeof *barriers };
    const int size = x->s.n * x->s.row;
    excite_value v;
    for (int k = 0; k < STAGES; k++) {
        x->barrier = barriers[k], x->order = orders[k];
        arne__descend(size, barrier_function, x, x->o.steps / STAGES, c->z, x->work);
    }
    arne__series_project(&x->s, c->z); /* rounding */
    for (int k = 0; k < 30 && !arne__bounds_dense(&x->limits, c->z); k++) arne__series_scale(&x->s, 0.98, c->z, c->z);
    if (!arne__bounds_dense(&x->limits, c->z) || !measure(x, c->z, &v)) return false;
    c->value = criterion(x, &v);
    return true;
}

static arne_status descend_all(search *x, const double **best, arne_excitation *e, arne_error *error)
{
    double least = INFINITY;
    for (int k = 0; k < x->nstart; k++) {
        candidate *c = &x->starts[k];
        if (improve(x, c) && c->value < least) least = c->value, *best = c->z;
        e->starts++;
        if (x->o.progress && !x->o.progress(x->o.context, k + 1, x->nstart, least)) break;
    }
    if (*best) return ARNE_OK;
    return BAD_VALUE(error, "%s: no motion stays inside the limits between its samples; give wider ones", arne_model_name(x->m));
}

/* ---- the result ---- */

static void tell(search *x, const double *z, arne_excitation *e)
{
    const series *s = &x->s;
    const int n = s->n, N = s->harmonics, points = 8 * s->samples;
    excite_value v = {0};
    measure(x, z, &v);
    arne__bounds_dense(&x->limits, z);
    e->condition = v.condition, e->volume = v.volume;
    memcpy(e->hand, x->limits.hand, sizeof e->hand);
    for (int i = 0; i < n; i++) {
        const double *row = z + i * s->row;
        const series_limits *l = &s->limits[i];
        e->mean[i] = l->middle + l->half * row[0];
        for (int h = 0; h < N; h++) {
            const double kw = (h + 1) * s->w;
            e->sine[h * n + i] = l->velocity * row[1 + h] / kw;
            e->cosine[h * n + i] = -l->velocity * row[1 + N + h] / kw;
        }
        arne_excite_joint *j = &e->joints[i];
        j->from = INFINITY, j->to = -INFINITY;
        j->torque = x->limits.torque[i], j->torque_part = x->limits.share[i];
    }
    double *q = x->trial, *qd = q + n, *qdd = qd + n;
    for (int k = 0; k < points; k++) {
        arne__series_at(s, z, s->period * k / points, q, qd, qdd);
        for (int i = 0; i < n; i++) {
            arne_excite_joint *j = &e->joints[i];
            j->from = fmin(j->from, q[i]), j->to = fmax(j->to, q[i]);
            j->speed = fmax(j->speed, fabs(qd[i]));
            j->most = fmax(j->most, fabs(qdd[i]));
        }
    }
}

/* ---- all of it ---- */

static bool take_data(search *x, const arne_settings *prior, arne_error *error)
{
    arne_data **const data[] = {&x->d, &x->smooth};
    for (int k = 0; k < 2; k++)
        if (arne_data_new(x->m, data[k], error) || arne_settings_copy(arne_data_settings(*data[k]), prior)) return false;
    arne_set_friction(arne_data_settings(x->smooth), false);
    return !arne_data_prepare(x->d, ARNE_BATCHES | ARNE_DERIVATIVES, error);
}

static bool take_room(search *x, arena *a, arne_excitation *e)
{
    const size_t n = (size_t)x->s.n, N = (size_t)x->s.harmonics;
    e->joints = x->joints = arne__arena_take(a, n, sizeof *x->joints);
    e->mean = arne__arena_take(a, n, sizeof *e->mean);
    e->sine = arne__arena_take(a, N * n, sizeof *e->sine);
    e->cosine = arne__arena_take(a, N * n, sizeof *e->cosine);
    if (!arne__series_open(a, &x->s) || !e->joints || !e->mean || !e->sine || !e->cosine) return false;
    const size_t size = n * (size_t)x->s.row, rows = (size_t)x->s.samples * n;
    const size_t most = DESCEND_VECTORS * size > 3 * rows ? DESCEND_VECTORS * size : 3 * rows;
    double *motions = arne__arena_take(a, 6 * rows, sizeof *motions);
    x->noise = arne__arena_take(a, n, sizeof *x->noise);
    x->work = arne__arena_take(a, most, sizeof *x->work);
    x->trial = arne__arena_take(a, 2 * size + 4 * n, sizeof *x->trial);
    x->starts = arne__arena_take(a, (size_t)x->o.starts, sizeof *x->starts);
    if (!motions || !x->noise || !x->work || !x->trial || !x->starts) return false;
    x->motion = (series_motion){motions, motions + rows, motions + 2 * rows};
    x->by = (series_motion){motions + 3 * rows, motions + 4 * rows, motions + 5 * rows};
    for (int k = 0; k < x->o.starts; k++) {
        x->starts[k] = (candidate){arne__arena_take(a, size, sizeof(double)), INFINITY};
        if (!x->starts[k].z) return false;
    }
    x->limits = (bounds){.s = &x->s, .d = x->d, .smooth = x->smooth, .box = x->o.box, .link = x->o.link, .scale = x->o.scale};
    return arne__bounds_open(a, &x->limits);
}

static arne_status seek(search *x, arena *a, const arne_settings *prior, arne_excitation *e, arne_error *error)
{
    const arne_base_options bo = {.size = sizeof bo, .no_rotors = x->o.no_rotors, .gravity = arne_settings_gravity(prior)};
    if (!take_data(x, prior, error) || !take_room(x, a, e)) return NO_MEMORY(error);
    arne_status status = ARNE_OK;
    for (int i = 0; i < x->s.n && !status; i++) status = joint_limits(x, i, error);
    if (!status) status = arne_base_find(x->m, &bo, &x->base, error);
    if (status) return status;
    weigh(x);
    if (!(x->cost = arne__cost_new(a, &x->s, &x->o, x->noise, x->d, x->base))) return NO_MEMORY(error);
    e->inertial = x->base->count;
    e->friction = arne__cost_friction(x->cost);
    e->parameters = e->inertial + e->friction;
    const double *best = NULL;
    status = try_randoms(x, e, error);
    e->randoms = x->found;
    if (!status) status = descend_all(x, &best, e, error);
    if (!status) tell(x, best, e);
    return arne__cost_starved(x->cost) ? NO_MEMORY(error) : status;
}

arne_status arne_excite(const arne_settings *prior, const arne_excite_options *options, arne_excitation **out, arne_error *error)
{
    search x = {0};
    if (out) *out = NULL;
    if (!prior || !out || options_take(&x.o, sizeof x.o, options))
        return BAD_ARGUMENT(error, "an excitation needs settings, options that tell their size, and a place");
    x.m = arne_settings_model(prior);
    arne_status status = arne__one_freedom_each(x.m, "excitations", error);
    if (!status && arne_model_nv(x.m) == 0) status = UNSUPPORTED(error, "no joint of %s moves", arne_model_name(x.m));
    if (!status) status = fill_in(&x.o, x.m, error);
    if (status) return status;
    /* what is switched off has no torque */
    x.o.no_rotors |= !arne_settings_rotors(prior);
    x.o.no_friction |= !arne_settings_friction(prior);
    arena *a = arne__arena_new();
    result *r = arne__arena_take(a, 1, sizeof *r);
    if (!r) {
        arne__arena_free(a);
        return NO_MEMORY(error);
    }
    x.s = (series){.m = x.m, .n = arne_model_nv(x.m), .harmonics = x.o.harmonics, .period = x.o.period};
    x.s.samples = PER_HARMONIC * x.o.harmonics;
    r->e = (arne_excitation){.dof = x.s.n, .harmonics = x.o.harmonics, .period = x.o.period};
    r->memory = a;
    status = seek(&x, a, prior, &r->e, error);
    arne_base_free(x.base);
    arne_data_free(x.d);
    arne_data_free(x.smooth);
    if (status)
        arne__arena_free(a);
    else
        *out = &r->e;
    return status;
}

void arne_excitation_free(arne_excitation *e)
{
    if (e) arne__arena_free(((result *)e)->memory);
}

arne_status arne_excitation_trajectory(const arne_excitation *e, int periods, arne_trajectory **out, arne_error *error)
{
    if (out) *out = NULL;
    if (!e || !out || periods < 1) return BAD_ARGUMENT(error, "a motion needs an excitation, its periods and a place");
    return arne_trajectory_fourier(e->dof, e->harmonics, 2 * RANGE / e->period, e->mean, e->sine, e->cosine, 0,
                                   periods * e->period, 0, out, error);
}
