/* SPDX-License-Identifier: MIT
 *
 * batch.c - many states at once: the widest lane kind the machine has, in doubles or floats. */
#include "arne/batch.h"

#include <math.h>

#include "algo/rows.h"
#include "dynamics/more.h"
#include "kind/kinds.h"

size_t arne__lanes_bytes(robot_counts n, int room) { return WIDEST(arne__batch_bytes_, f64x8, f64x4, f64x2)(n, room); }
size_t arne__lanes32_bytes(robot_counts n, int room) { return WIDEST(arne__batch_bytes_, f32x16, f32x8, f32x4)(n, room); }

int arne_batch_lanes(void) { return arne__machine_lanes(); }

/* one call, in doubles or floats */
typedef struct {
    arne_data *d;
    const arne_quantity_options *options;
    bool floats;
    size_t count;
    const void *in[5]; /* q qd qdd tau qa; NULL: absent */
    void *out;
    int size; /* numbers of the result of a state */
    batch_run_fn *run;
} batch;

/* of many states: the last one that failed, with its joint */
typedef struct {
    arne_status status;
    int joint;
} verdict;

static arne_status pronounce(arne_data *d, verdict v)
{
    d->joint = v.joint;
    return v.status;
}

static void *place(const batch *b, const void *x, size_t at)
{
    return x ? (char *)x + at * (b->floats ? sizeof(float) : sizeof(double)) : NULL;
}

static int width(const batch *b, int g) { return g ? b->d->model->nv : b->d->model->nq; }

/* One state by itself, floats in doubles and back: forward dynamics in doubt, what is too large for the lanes. */
static void one(const batch *b, int quantity, size_t i, verdict *all)
{
    const double *x[5];
    double *state = b->d->more->state;
    for (int g = 0; g < 5; state += width(b, g++)) {
        const float *given = place(b, b->in[g], i * (size_t)width(b, g));
        x[g] = b->floats && given ? state : (const double *)(const void *)given;
        for (int k = 0; k < width(b, g) && x[g] == state; k++) state[k] = (double)given[k];
    }
    void *out = place(b, b->out, i * (size_t)b->size);
    const arne_state of = {x[0], x[1], x[2], x[3], x[4]};
    const arne_status status = arne_compute(b->d, quantity, b->options, &of, b->floats ? state : out);
    for (int k = 0; k < b->size && b->floats; k++) ((float *)out)[k] = (float)state[k];
    if (status) *all = (verdict){status, b->d->joint};
}

/* Articulated inertias H further apart than the reals can tell, or accelerations that are not finite. */
static bool doubtful(const double *H, const double *qdd, int n)
{
    bool finite = true;
    for (int k = 0; k < n; k++) finite = finite && isfinite(qdd[k]);
    return !finite || arne__fd_doubtful(H, n);
}
static bool doubtful32(const float *H, const float *qdd, int n)
{
    float least = INFINITY, most = 0;
    bool finite = true;
    for (int i = 0; i < n; i++) {
        if (!(H[i] >= least)) least = H[i];
        if (H[i] > most) most = H[i];
        finite = finite && isfinite(qdd[i]);
    }
    return !finite || !(least > 1e-5f * most);
}

/* `count` states of a row in the lanes; H: of kinds.h */
static void in_lanes(const batch *b, int row, const arne_quantity_options *o, size_t first, size_t count, void *H)
{
    const data_more *more = b->d->more;
    const unsigned reads = arne_quantity_at(row)->inputs;
    const void *x[5] = {NULL};
    for (int g = 0; g < 5; g++)
        if (reads & 1u << g) x[g] = place(b, b->in[g], first * (size_t)width(b, g));
    const batch_job job = {row,
                           o->link,
                           (int)o->frame,
                           (int)o->factor,
                           count,
                           x[0],
                           x[1],
                           x[2],
                           x[3],
                           x[4],
                           place(b, b->out, first * (size_t)b->size),
                           b->size};
    b->run(b->floats ? more->robot32 : b->d->settings->robot, b->floats ? more->lanes32 : more->lanes, &job, H);
}

/* Forward dynamics by articulated bodies, or its derivatives, and one by one as arne_fd does it where the inertias are in doubt.
 */
static arne_status forward(const batch *b, int quantity, const arne_quantity_options *o)
{
    const int nv = width(b, 1);
    void *H = b->d->more->doubts;
    verdict all = {ARNE_OK, -1};
    for (size_t i = 0; i < b->count; i += DATA_DOUBTS) {
        const size_t part = b->count - i < DATA_DOUBTS ? b->count - i : DATA_DOUBTS;
        in_lanes(b, quantity == TEXT_fd ? TEXT_aba : quantity, o, i, part, H);
        for (size_t k = 0; k < part; k++) {
            const void *h = place(b, H, k * (size_t)nv), *qdd = quantity == TEXT_fd ? place(b, b->out, (i + k) * (size_t)nv) : h;
            if (b->floats ? doubtful32(h, qdd, nv) : doubtful(h, qdd, nv)) one(b, quantity, i + k, &all);
        }
    }
    return pronounce(b->d, all);
}

static arne_status compute(batch *b, int quantity)
{
    arne_data *d = b->d;
    arne_quantity_options o;
    const arne_status status = arne__quantity_check(d, quantity, b->options, b->in, b->out, &o);
    if (status) return status;
    if (!d->more || !d->more->state) return ARNE_NOT_PREPARED;
    b->size = arne_quantity_size(quantity, d->model);
    /* floats are too coarse for M^-1 from a matrix in base axes */
    if (((quantity == TEXT_fd || quantity == TEXT_dfd) && (d->settings->robot->nfollow || d->model->unmodelled)) ||
        (quantity == TEXT_fd && robot_drive(d->settings->robot)) || (quantity == TEXT_dfd && b->floats) ||
        b->size > d->more->lane_room) {
        verdict all = {ARNE_OK, -1};
        if (b->floats && b->size > d->more->state_room) return ARNE_NO_MEMORY;
        for (size_t i = 0; i < b->count && all.status != ARNE_NOT_PREPARED; i++) one(b, quantity, i, &all);
        return pronounce(d, all);
    }
    if (b->floats && d->more->version32 != d->settings->version) arne__text_robot_copy_f32(d->settings->robot, d->more->robot32);
    if (b->floats) d->more->version32 = d->settings->version;
    if (quantity == TEXT_fd || quantity == TEXT_dfd) return forward(b, quantity, &o);
    in_lanes(b, quantity, &o, 0, b->count, NULL);
    return ARNE_OK;
}

arne_status arne_batch(arne_data *d, int quantity, const arne_quantity_options *options, size_t count, const arne_state *x,
                       double *out)
{
    if (!x) return ARNE_BAD_ARGUMENT;
    batch_run_fn *run = WIDEST(arne__batch_run_, f64x8, f64x4, f64x2);
    return compute(&(batch){d, options, false, count, {x->q, x->qd, x->qdd, x->tau, x->qa}, out, 0, run}, quantity);
}

arne_status arne_batch32(arne_data *d, int quantity, const arne_quantity_options *options, size_t count, const arne_state32 *x,
                         float *out)
{
    if (!x) return ARNE_BAD_ARGUMENT;
    batch_run_fn *run = WIDEST(arne__batch_run_, f32x16, f32x8, f32x4);
    return compute(&(batch){d, options, true, count, {x->q, x->qd, x->qdd, x->tau, x->qa}, out, 0, run}, quantity);
}

arne_status arne_batch_id(arne_data *d, size_t count, const double *q, const double *qd, const double *qdd, double *tau)
{
    return arne_batch(d, TEXT_id, NULL, count, &(arne_state){.q = q, .qd = qd, .qdd = qdd}, tau);
}
arne_status arne_batch_bias(arne_data *d, size_t count, const double *q, const double *qd, double *h)
{
    return arne_batch(d, TEXT_bias, NULL, count, &(arne_state){.q = q, .qd = qd}, h);
}
arne_status arne_batch_gravity(arne_data *d, size_t count, const double *q, double *g)
{
    return arne_batch(d, TEXT_gravity, NULL, count, &(arne_state){.q = q}, g);
}
arne_status arne_batch_mass(arne_data *d, size_t count, const double *q, double *M)
{
    return arne_batch(d, TEXT_mass, NULL, count, &(arne_state){.q = q}, M);
}
arne_status arne_batch_fd(arne_data *d, size_t count, const double *q, const double *qd, const double *tau, double *qdd)
{
    return arne_batch(d, TEXT_fd, NULL, count, &(arne_state){.q = q, .qd = qd, .tau = tau}, qdd);
}
