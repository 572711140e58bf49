/* SPDX-License-Identifier: MIT
 *
 * rollout.c - rollouts: their memory, blocks of some side by side, and the products of the derivatives of their steps. */
#include "rollout/rollout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algo/joint.h"
#include "arne/regressor.h"
#include "base/fail.h"
#include "base/layout.h"
#include "base/options.h"
#include "dynamics/data.h"
#include "dynamics/tangent.h"

enum { FRICTION_PARAMETERS = 2 };

static const rollout_rule rules[ARNE_RULES] = {
    [ARNE_RULE_RK4] = {4, {0, 0.5, 0.5, 1}, {1.0 / 6, 2.0 / 6, 2.0 / 6, 1.0 / 6}, false}, /* [004 section 9] */
    [ARNE_RULE_EULER] = {1, {0}, {1}, false},
    [ARNE_RULE_SEMI_IMPLICIT] = {1, {0}, {1}, true},
};

/* places of all arrays; memory NULL: counts only */
static size_t lay_out(arne_rollout *r, void *memory)
{
    const size_t n = (size_t)r->nv, nq = (size_t)r->nq, L = ROLLOUT_LANES, columns = (size_t)rollout_columns(r, r->np);
    const size_t carried = 2 * n * (size_t)rollout_width(r, r->np);
    const struct {
        double **at;
        size_t count;
    } arrays[] = {{&r->q, L * nq},
                  {&r->v, L * n},
                  {&r->tau, L * n},
                  {&r->u, L * n},
                  {&r->Q, L * nq},
                  {&r->V, L * n},
                  {&r->slope, L * 2 * n},
                  {&r->sum, L * 2 * n},
                  {&r->qdd, L * n},
                  {&r->D, L * 3 * n * n},
                  {&r->dslope, L * 2 * n * columns},
                  {&r->dsum, L * 2 * n * columns},
                  {&r->carried, L * carried},
                  {&r->dx, 2 * n * columns},
                  {&r->product, carried},
                  {&r->Y, n * (size_t)r->np},
                  {&r->rows, (size_t)r->nwide * TANGENT_MOST * columns}};
    size_t used = layout_aligned(sizeof *r);
    r->wide = layout_next(memory, &used, (size_t)r->nwide, sizeof *r->wide);
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        *arrays[k].at = layout_next(memory, &used, arrays[k].count, sizeof(double));
    return used;
}

/* the memory of one thread */
static arne_status one_thread(const arne_settings *s, const arne_rollout_options *o, arne_rollout **out, arne_error *error)
{
    arne_rollout base = {.model = s->model, .step = o->step, .rule = &rules[o->rule], .joint = -1, .threads = 1};
    base.nq = s->model->nq, base.nv = s->model->nv;
    base.np = o->parameters ? (ARNE_LINK_PARAMETERS + FRICTION_PARAMETERS) * arne_model_bodies(s->model) : 0;
    for (int i = 0; i < s->model->robot->n; i++) base.nwide += is_wide(&s->model->robot->link[i]);
    arne_rollout *r = aligned_alloc(LAYOUT_ALIGN, lay_out(&base, NULL));
    if (!r) return NO_MEMORY(error);
    *r = base;
    lay_out(r, r);
    for (int i = 0, k = 0; i < s->model->robot->n; i++) {
        const robot_link *l = &s->model->robot->link[i];
        if (is_wide(l)) r->wide[k++] = (rollout_wide){robot_own_v(s->model->robot, l), l->nv};
    }
    arne_status status = arne_data_share(s, &r->data, error);
    if (!status) status = arne_data_prepare(r->data, ARNE_DERIVATIVES | ARNE_BATCHES, error);
    if (status) {
        arne_rollout_free(r);
        return status;
    }
    *out = r;
    return ARNE_OK;
}

arne_status arne_rollout_new(const arne_settings *s, const arne_rollout_options *options, arne_rollout **out, arne_error *error)
{
    arne_rollout_options o;
    if (out) *out = NULL;
    if (!s || !options || !out || options_take(&o, sizeof o, options))
        return BAD_ARGUMENT(error, "a rollout needs settings, options and a place");
    if ((unsigned)o.rule >= ARNE_RULES) return BAD_ARGUMENT(error, "no such rule for steps: %d", (int)o.rule);
    if (!(o.step > 0) || !isfinite(o.step)) return BAD_ARGUMENT(error, "the step of a rollout must be a positive time");
    if (o.threads < 0) return BAD_ARGUMENT(error, "rollouts cannot be split into %d parts", o.threads);
    arne_status status = one_thread(s, &o, out, error);
    if (status || o.threads < 2) return status;
    arne_rollout *r = *out;
    r->run = o.run;
    r->others = calloc((size_t)o.threads - 1, sizeof *r->others);
    if (!r->others) status = NO_MEMORY(error);
    for (; r->threads < o.threads && !status; r->threads += !status)
        status = one_thread(s, &o, &r->others[r->threads - 1], error);
    if (status) {
        arne_rollout_free(r);
        *out = NULL;
    }
    return status;
}

void arne_rollout_free(arne_rollout *r)
{
    if (!r) return;
    for (int k = 1; k < r->threads; k++) arne_rollout_free(r->others[k - 1]);
    free(r->others);
    arne_data_free(r->data);
    free(r);
}

int arne_rollout_joint(const arne_rollout *r) { return r ? r->joint : -1; }

/* C = A B (n x n, n x columns) */
static void product(const arne_rollout *r, int n, const double *A, const double *B, int columns, double *C)
{
    memset(C, 0, (size_t)n * (size_t)columns * sizeof *C);
    arne__rollout_multiply(r, n, n, columns, A, n, B, columns, C, columns);
}

static void copy_columns(int rows, const double *from, int from_width, double *to, int to_width, int count)
{
    for (int i = 0; i < rows; i++) memcpy(to + i * to_width, from + i * from_width, (size_t)count * sizeof *to);
}

/* a block of rollouts on its way */
typedef struct {
    const arne_rollout_arrays *x;
    size_t first;
    int np; /* parameters; -1: no derivatives */
} block;

/* Results of a rollout: its i-th of `per` things of `size` numbers. */
static double *result(double *x, size_t rollout, int per, int i, int size)
{
    return x + (rollout * (size_t)per + (size_t)i) * (size_t)size;
}

static void write_state(const arne_rollout *r, const block *b, int lane, int state)
{
    const arne_rollout_arrays *x = b->x;
    const size_t i = b->first + (size_t)lane;
    if (x->positions)
        memcpy(result(x->positions, i, x->steps + 1, state, r->nq), r->q + lane * r->nq, (size_t)r->nq * sizeof(double));
    if (x->velocities)
        memcpy(result(x->velocities, i, x->steps + 1, state, r->nv), r->v + lane * r->nv, (size_t)r->nv * sizeof(double));
}

/* x_k by the start and parameters, where it is wanted */
static void write_carried(const arne_rollout *r, const block *b, int lane, int state)
{
    const arne_rollout_arrays *x = b->x;
    const int n = 2 * r->nv, width = rollout_width(r, b->np), per = x->every ? x->steps + 1 : 1, at = x->every ? state : 0;
    const size_t i = b->first + (size_t)lane;
    const double *carried = r->carried + (size_t)lane * (size_t)(n * width);
    if (!x->every && state < x->steps) return;
    if (x->by_start) copy_columns(n, carried, width, result(x->by_start, i, per, at, n * n), n, n);
    if (x->by_parameters) copy_columns(n, carried + n, width, result(x->by_parameters, i, per, at, n * b->np), b->np, b->np);
}

/* after a step of one lane: dx holds its derivatives */
static void after_step(arne_rollout *r, int lane, int step, void *context)
{
    const block *b = context;
    const arne_rollout_arrays *x = b->x;
    const size_t i = b->first + (size_t)lane;
    write_state(r, b, lane, step + 1);
    if (b->np < 0) return;
    const int n = 2 * r->nv, columns = rollout_columns(r, b->np), width = rollout_width(r, b->np);
    if (x->A) copy_columns(n, r->dx, columns, result(x->A, i, x->steps, step, n * n), n, n);
    if (x->B) copy_columns(n, r->dx + n, columns, result(x->B, i, x->steps, step, n * r->nv), r->nv, r->nv);
    if (!x->by_start && !x->by_parameters) return;
    double *carried = r->carried + (size_t)lane * (size_t)(n * width);
    memcpy(r->product, carried, (size_t)(n * width) * sizeof *carried);
    memset(carried, 0, (size_t)(n * width) * sizeof *carried); /* A carried, and what this step adds by parameters */
    copy_columns(n, r->dx + 3 * r->nv, columns, carried + n, width, b->np);
    arne__rollout_multiply(r, n, n, width, r->dx, columns, r->product, width, carried, width);
    write_carried(r, b, lane, step + 1);
}

/* Of every state: T_k+1 = A_k T_k, its own torques B_k. Of the last alone, from the end: A_K-1 ... A_k+1 B_k. */
static void chain_torques(arne_rollout *r, const arne_rollout_arrays *x, size_t i)
{
    const int n = 2 * r->nv, m = r->nv, K = x->steps, width = K * m;
    const double *A = result(x->A, i, K, 0, n * n), *B = result(x->B, i, K, 0, n * m);
    const size_t whole = (size_t)n * (size_t)width;
    if (x->every) {
        double *T = x->by_tau + i * (size_t)(K + 1) * whole;
        memset(T, 0, whole * sizeof *T);
        for (int k = 0; k < K; k++, T += whole, A += n * n, B += n * m) {
            product(r, n, A, T, width, T + whole);
            copy_columns(n, B, m, T + whole + k * m, width, m);
        }
        return;
    }
    double *T = x->by_tau + i * whole, *last = r->carried, *next = r->product, *part = r->dx;
    for (int k = 0; k < n * n; k++) last[k] = k % (n + 1) == 0;
    for (int k = K - 1; k >= 0; k--) {
        product(r, n, last, B + k * n * m, m, part);
        copy_columns(n, part, m, T + k * m, width, m);
        product(r, n, last, A + k * n * n, n, next);
        double *t = last;
        last = next, next = t;
    }
}

/* no derivatives of a rollout that failed, and no states beyond `done` */
static void clear(const arne_rollout *r, const arne_rollout_arrays *x, size_t i, int done)
{
    const size_t n = 2 * (size_t)r->nv, K = (size_t)x->steps, per = x->every ? K + 1 : 1, left = K - (size_t)done;
    const struct {
        double *at;
        size_t count;
    } all[] = {{x->A, K * n * n},
               {x->B, K * n * n / 2},
               {x->by_start, per * n * n},
               {x->by_tau, per * n * K * n / 2},
               {x->by_parameters, per * n * (size_t)r->np}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k].at) memset(all[k].at + i * all[k].count, 0, all[k].count * sizeof(double));
    if (x->positions)
        memset(result(x->positions, i + 1, (int)K + 1, -(int)left, r->nq), 0, left * (size_t)r->nq * sizeof(double));
    if (x->velocities) memset(result(x->velocities, i + 1, (int)K + 1, -(int)left, r->nv), 0, left * n / 2 * sizeof(double));
}

static arne_status run_block(arne_rollout *r, const arne_rollout_arrays *x, size_t first, int lanes)
{
    const bool derive = x->A || x->B || x->by_start || x->by_tau || x->by_parameters;
    block b = {x, first, !derive ? -1 : x->by_parameters ? r->np : 0};
    const size_t n = (size_t)r->nv, nq = (size_t)r->nq, K = (size_t)x->steps, N = (size_t)lanes;
    const int width = rollout_width(r, b.np);
    memcpy(r->q, x->q + first * nq, N * nq * sizeof *r->q);
    memcpy(r->v, x->qd + first * n, N * n * sizeof *r->v);
    for (int l = 0; l < lanes; l++) {
        write_state(r, &b, l, 0);
        double *carried = r->carried + (size_t)l * (size_t)(2 * r->nv * width);
        for (int k = 0; k < 2 * r->nv * width && derive; k++) carried[k] = k / width == k % width; /* x_0 by itself */
        if (derive) write_carried(r, &b, l, 0);
        if (x->done) x->done[first + (size_t)l] = x->steps;
    }
    for (int k = 0; k < x->steps; k++) {
        for (size_t l = 0; l < N; l++) memcpy(r->tau + l * n, x->tau + ((first + l) * K + (size_t)k) * n, n * sizeof *r->tau);
        const arne_status status = arne__rollout_step(r, lanes, k, b.np, after_step, &b);
        if (!status) continue;
        if (lanes > 1) return status; /* one by one */
        clear(r, x, first, k);
        if (x->done) x->done[first] = k;
        return status;
    }
    for (size_t l = 0; l < N && x->by_tau; l++) chain_torques(r, x, first + l);
    return ARNE_OK;
}

/* rollouts from `first` on, on one thread */
static void run_range(arne_rollout *r, const arne_rollout_arrays *x, size_t first, size_t end)
{
    int joint = -1;
    r->status = ARNE_OK;
    r->friction = arne_settings_friction(arne_data_settings_used(r->data));
    for (; first < end; first += ROLLOUT_LANES) {
        const int lanes = end - first < ROLLOUT_LANES ? (int)(end - first) : ROLLOUT_LANES;
        r->joint = -1;
        arne_status own = run_block(r, x, first, lanes);
        const bool alone = own && lanes > 1; /* whose fault it is */
        if (own && !alone) r->status = own, joint = r->joint;
        for (int l = 0; l < lanes && alone; l++) {
            r->joint = -1;
            own = run_block(r, x, first + (size_t)l, 1);
            if (own) r->status = own, joint = r->joint;
        }
    }
    r->joint = joint;
}

typedef struct {
    arne_rollout *r;
    const arne_rollout_arrays *x;
    size_t count;
} share;

static void run_part(void *context, int k)
{
    const share *s = context;
    const size_t blocks = (s->count + ROLLOUT_LANES - 1) / ROLLOUT_LANES, parts = (size_t)s->r->threads, part = (size_t)k;
    const size_t first = blocks * part / parts * ROLLOUT_LANES, end = blocks * (part + 1) / parts * ROLLOUT_LANES;
    run_range(k ? s->r->others[k - 1] : s->r, s->x, first, end < s->count ? end : s->count);
}

arne_status arne_rollout_run(arne_rollout *r, size_t count, const arne_rollout_arrays *arrays)
{
    arne_rollout_arrays x;
    if (!r || !arrays || options_take(&x, sizeof x, arrays) || x.steps < 0 || !x.q || !x.qd || (!x.tau && x.steps > 0) ||
        (x.by_tau && (!x.A || !x.B)) || (x.by_parameters && !r->np))
        return ARNE_BAD_ARGUMENT;
    share s = {r, &x, count};
    if (r->run && r->threads > 1)
        r->run(r->threads, run_part, &s);
    else
        for (int k = 0; k < r->threads; k++) run_part(&s, k);
    for (int k = 1; k < r->threads; k++)
        if (r->others[k - 1]->status) r->status = r->others[k - 1]->status, r->joint = r->others[k - 1]->joint;
    return r->status;
}
