/* SPDX-License-Identifier: MIT
 *
 * adaptive.c - passivity-based tracking whose parameters are learned on the way.
 *
 *     tau = Y(q, qd, qr, qrd) K + kp e + kd ed,   Kdot = Gamma Y's,   s = qr - qd          [000 eq. 8], doc/control.md (4)
 *
 * Y is the regressor of NE* with two velocities. The Christoffel factorization is symmetric in them [ERRATA 1.4], so two
 * ordinary regressors give it: c(x) = C(q,x) x is quadratic, C(q,qd) qr = c((qd + qr)/2) - c((qd - qr)/2). */
#include <math.h>
#include <string.h>

#include "arne/regressor.h"
#include "control/controller.h"
#include "dynamics/data.h"

enum { LINK = ARNE_LINK_PARAMETERS };

typedef struct {
    arne_settings *still; /* those of the robot, without gravity */
    arne_data *bare;      /* on them */
    int count;
    int *column;
    double *first, *value; /* count: as given, as learned */
    double *size;          /* count: of each parameter, the yardstick of its update */
    double *gain;          /* count: Gamma */
    double *Y, *Z;         /* nv x 11 a body */
    double *s;             /* n */
} adaptive;

static int parameters(const arne_controller *c) { return LINK * arne_model_bodies(c->m); }

/* Y(q, qd, qr, qrd) = Y((qd + qr)/2, qrd) - Y((qd - qr)/2, 0) without gravity */
static void two_velocities(const arne_controller *c, const double *q, const double *qd, const double *qr, const double *qrd)
{
    const adaptive *k = c->own;
    const int n = c->n;
    double *half = c->z, *zero = c->w;
    for (int i = 0; i < n; i++) half[i] = (qd[i] + qr[i]) / 2;
    arne_regressor(c->d, q, half, qrd, k->Y);
    for (int i = 0; i < n; i++) half[i] = (qd[i] - qr[i]) / 2, zero[i] = 0;
    arne_settings_copy(k->still, arne_data_settings_used(c->d));
    arne_set_gravity(k->still, (const double[3]){0, 0, 0});
    arne_regressor(k->bare, q, half, zero, k->Z);
    for (int i = 0; i < n * parameters(c); i++) k->Y[i] -= k->Z[i];
}

static double entry(const arne_controller *c, int row, int k)
{
    const adaptive *a = c->own;
    return a->Y[row * parameters(c) + a->column[k]];
}

/* 0 inertia, 1 first moment, 2 mass, 3 rotor: what may be compared */
static int dimension(int parameter)
{
    const int p = parameter % LINK;
    return p < 6 ? 0 : p < 9 ? 1 : p == 9 ? 2 : 3;
}

/* A parameter is as large as its first guess, and not less than a tenth of the largest of its kind in its link (K: all 11 n). */
static void find_sizes(adaptive *a, const double *K)
{
    for (int k = 0; k < a->count; k++) {
        const int p = a->column[k];
        double most = 0;
        for (int i = p - p % LINK; i < p - p % LINK + LINK; i++)
            if (dimension(i) == dimension(p)) most = fmax(most, fabs(K[i]));
        a->size[k] = fmax(fabs(a->first[k]), most > 0 ? 0.1 * most : 0.01);
    }
}

/* Gains by which each parameter, alone, would learn at `rate` 1/s while the robot moves at 1 rad/s, 1 rad/s^2 all over its range.
 * But for transients the error is s = Y K/kd, so Kdot = -Gamma Y'Y K/kd; power[k] = size^2 sum of Y_ik^2/kd_i is what an error as
 * large as the parameter does. Parameters that hardly do anything learn more slowly.               doc/control.md (5) */
static void find_gains(arne_controller *c, double rate)
{
    enum { POSITIONS = 8 };
    const double HARDLY = 1e-3;
    const adaptive *a = c->own;
    double most = 0;
    for (int k = 0; k < POSITIONS; k++) {
        arne__spread_position(c->m, k, c->x);
        for (int i = 0; i < c->n; i++) c->y[i] = 1;
        arne_regressor(c->d, c->x, c->y, c->y, a->Y);
        for (int p = 0; p < a->count; p++)
            for (int i = 0; i < c->n; i++) a->gain[p] += pow(entry(c, i, p) * a->size[p], 2) / c->kd[i] / POSITIONS;
    }
    for (int p = 0; p < a->count; p++) most = fmax(most, a->gain[p]);
    for (int p = 0; p < a->count && most > 0; p++) a->gain[p] = rate * a->size[p] * a->size[p] / (a->gain[p] + HARDLY * most);
}

static arne_status take_columns(arne_controller *c, const arne_control_options *o, adaptive *a, arne_error *error)
{
    const int all = parameters(c);
    for (int k = 0; k < a->count; k++) {
        const int p = o->ncolumn ? o->columns[k] : k;
        if (p < 0 || p >= all)
            return BAD_ARGUMENT(error, "there is no parameter %d; a robot of %d joints has 0 to %d", p, arne_model_bodies(c->m),
                                all - 1);
        a->column[k] = p;
        a->first[k] = o->ncolumn && o->values ? o->values[k] : a->Y[p];
        if (isfinite(a->first[k])) continue;
        char name[16];
        arne_parameter_name(arne_model_bodies(c->m), p, name);
        return BAD_VALUE(error, "the first guess of parameter %s is not a number", name);
    }
    return ARNE_OK;
}

static void reset(arne_controller *c)
{
    const adaptive *a = c->own;
    memcpy(a->value, a->first, (size_t)a->count * sizeof *a->value);
}

static arne_status start(arne_controller *c, const arne_control_options *o, arne_error *error)
{
    arne_status status = arne__law_passivity.start(c, o, error);
    if (status) return status;
    if (o->ncolumn < 0 || (o->ncolumn > 0 && !o->columns) || !(o->adaptation >= 0) || isinf(o->adaptation))
        return BAD_VALUE(error, "adaptive: %s",
                         o->adaptation >= 0 ? "the columns are missing" : "the gain of the update must not be negative");
    adaptive *a = arne__arena_take(c->memory, 1, sizeof *a);
    if (!(c->own = a)) return NO_MEMORY(error);
    const size_t n = (size_t)c->n, square = n * (size_t)parameters(c);
    a->count = o->ncolumn ? o->ncolumn : parameters(c);
    const size_t count = (size_t)a->count;
    if (!arne_settings_new(c->m, &a->still, NULL)) arne_data_share(a->still, &a->bare, NULL);
    a->column = arne__arena_take(c->memory, count, sizeof *a->column);
    double *v = arne__arena_take(c->memory, 4 * count + 2 * square + n, sizeof *v);
    if (!a->bare || !a->column || !v) return NO_MEMORY(error);
    double **const parts[] = {&a->first, &a->value, &a->size, &a->gain, &a->Y, &a->Z, &a->s};
    const size_t sizes[] = {count, count, count, count, square, square, n};
    for (int k = 0; k < 7; v += sizes[k++]) *parts[k] = v;

    arne_parameters(arne_data_settings_used(c->d), a->Y); /* 11 n numbers: Y is still free */
    status = take_columns(c, o, a, error);
    if (status) return status;
    find_sizes(a, a->Y);
    reset(c);
    find_gains(c, o->adaptation > 0 ? o->adaptation : arne__gains_pace(c->period) / 4);
    return ARNE_OK;
}

static void stop(arne_controller *c)
{
    const adaptive *a = c->own;
    if (!a) return;
    arne_data_free(a->bare);
    arne_settings_free(a->still);
}

static arne_status tick(arne_controller *c, const arne_tick *in, double *tau, unsigned *flags)
{
    (void)flags;
    const adaptive *a = c->own;
    const int n = c->n;
    const double *r = in->reference, *rd = r + n;
    double *qr = c->x, *qrd = c->y;
    arne__passivity_velocity(c, in, qr, qrd);
    for (int i = 0; i < n; i++) a->s[i] = qr[i] - in->qd[i];
    two_velocities(c, in->q, in->qd, qr, qrd);
    arne_friction_torque(c->d, qr, c->z);
    for (int i = 0; i < n; i++) {
        tau[i] = c->kp[i] * (r[i] - in->q[i]) + c->kd[i] * (rd[i] - in->qd[i]) + c->z[i];
        for (int k = 0; k < a->count; k++) tau[i] += entry(c, i, k) * a->value[k];
    }
    return ARNE_OK;
}

/* K += period Gamma Y's, kept within ten sizes of the first guess: a projection on a box, which only helps V to fall */
static void learn(arne_controller *c)
{
    const adaptive *a = c->own;
    for (int k = 0; k < a->count; k++) {
        double Ys = 0;
        for (int i = 0; i < c->n; i++) Ys += entry(c, i, k) * a->s[i];
        const double step = c->period * a->gain[k] * Ys, reach = 10 * a->size[k];
        a->value[k] = fmin(fmax(a->value[k] + step, a->first[k] - reach), a->first[k] + reach);
    }
}

const control_law arne__law_adaptive = {.rows = 3, .start = start, .reset = reset, .tick = tick, .learn = learn, .stop = stop};

const double *arne_controller_parameters(const arne_controller *c, int *ncolumn)
{
    const adaptive *a = c && c->law == &arne__law_adaptive ? c->own : NULL;
    if (ncolumn) *ncolumn = a ? a->count : 0;
    return a ? a->value : NULL;
}
