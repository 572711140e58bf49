/* SPDX-License-Identifier: MIT
 *
 * batch.c - many states at once: the widest lane kind the machine has, in doubles or floats, in parts that threads can share. */
#include "arne/batch.h"

#include <math.h>

#include "algo/rows.h"
#include "base/options.h"
#include "dynamics/more.h"
#include "kind/kinds.h"

size_t arne__lanes_bytes(robot_counts n, int room) { return WIDEST(arne__batch_bytes_, f64x8, f64x4, f64x2)(n, room); }
size_t arne__lanes32_bytes(robot_counts n, int room) { return WIDEST(arne__batch_bytes_, f32x16, f32x8, f32x4)(n, room); }

enum { MOST_THREADS = 4096 };

int arne_batch_lanes(void) { return arne__machine_lanes(); }

/* one call, in doubles or floats */
typedef struct {
    arne_data *d;
    int quantity;
    arne_quantity_options options;
    arne_batch_options how;
    bool floats, alone; /* alone: state by state, not in lanes */
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

static void *place(const batch *b, const void *x, size_t at)
{
    return x ? (char *)x + at * (b->floats ? sizeof(float) : sizeof(double)) : NULL;
}

static int width(const batch *b, int g) { return g ? b->d->model->nv : b->d->model->nq; }
static arne_stride input_stride(const batch *b, int g) { return g ? b->how.v : b->how.q; }

/* n numbers as doubles one after the other: where they are, or in `to` */
static const double *fetch(const batch *b, const void *x, size_t step, int n, double *to)
{
    if (!x || (!b->floats && step == 1)) return x;
    for (size_t k = 0; k < (size_t)n; k++)
        to[k] = b->floats ? (double)((const float *)x)[k * step] : ((const double *)x)[k * step];
    return to;
}

/* a result of state i in doubles into the caller's floats */
static void narrow(const batch *b, const double *from, size_t i)
{
    const size_t step = b->how.out.number, size = (size_t)b->size;
    float *to = (float *)b->out + i * b->how.out.state;
    if (step == 1)
        for (size_t k = 0; k < size; k++) to[k] = (float)from[k];
    else
        for (size_t k = 0; k < size; k++) to[k * step] = (float)from[k];
}

/* One state by itself, floats in doubles and back: forward dynamics in doubt, what is too large for the lanes. */
static void one(const batch *b, arne_data *d, size_t i, verdict *all)
{
    const double *x[5];
    double *state = d->more->state;
    for (int g = 0; g < 5; state += width(b, g++)) {
        const arne_stride by = input_stride(b, g);
        x[g] = fetch(b, place(b, b->in[g], i * by.state), by.number, width(b, g), state);
    }
    const size_t step = b->how.out.number;
    void *out = place(b, b->out, i * b->how.out.state);
    const bool there = !b->floats && step == 1;
    const arne_state of = {x[0], x[1], x[2], x[3], x[4]};
    const arne_status status = arne_compute(d, b->quantity, &b->options, &of, there ? out : state);
    if (b->floats) narrow(b, state, i);
    for (size_t k = 0; k < (size_t)b->size && !there && !b->floats; k++) ((double *)out)[k * step] = state[k];
    if (status) *all = (verdict){status, d->joint};
}

/* `count` states of a row in the lanes; H: of kinds.h */
static void in_lanes(const batch *b, arne_data *d, int row, size_t first, size_t count, void *H)
{
    const data_more *more = d->more;
    const unsigned reads = arne_quantity_at(row)->inputs;
    const void *x[5] = {NULL};
    for (int g = 0; g < 5; g++)
        if (reads & 1u << g) x[g] = place(b, b->in[g], first * input_stride(b, g).state);
    const arne_quantity_options *o = &b->options;
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
                           place(b, b->out, first * b->how.out.state),
                           b->size,
                           b->how.q,
                           b->how.v,
                           b->how.out,
                           arne_quantity_at(row)->options & ARNE_OF_LINK && !d->settings->robot->nfollow};
    b->run(b->floats ? more->robot32 : d->settings->robot, b->floats ? more->lanes32 : more->lanes, &job, H);
}

/* Articulated inertias, or pivots of M, H of state i further apart than the reals can tell, or accelerations that are not finite;
 * of derivatives H is no number then. */
static bool doubtful(const batch *b, const arne_data *d, const void *H, size_t i)
{
    const int n = width(b, 1);
    double *room = d->more->state;
    const double *h = fetch(b, H, 1, n, room), *x = h;
    if (b->quantity == TEXT_fd) x = fetch(b, place(b, b->out, i * b->how.out.state), b->how.out.number, n, room + n);
    return arne__fd_doubtful(h, x, n, b->floats ? 1e-5 : ARNE_FAR_APART);
}

/* Forward dynamics, or its derivatives, and one by one as arne_fd does it where the inertias are in doubt. */
static void forward(const batch *b, arne_data *d, size_t first, size_t end, verdict *all)
{
    void *H = d->more->doubts;
    const int way = robot_drive(d->settings->robot) ? TEXT_crba : TEXT_aba, row = b->quantity == TEXT_fd ? way : b->quantity;
    for (size_t i = first; i < end; i += DATA_DOUBTS) {
        const size_t part = end - i < DATA_DOUBTS ? end - i : DATA_DOUBTS;
        in_lanes(b, d, row, i, part, H);
        for (size_t k = 0; k < part; k++)
            if (doubtful(b, d, place(b, H, k * (size_t)width(b, 1)), i + k)) one(b, d, i + k, all);
    }
}

/* Derivatives of forward dynamics of floats, which are too coarse for M^-1 from a matrix in base axes: in lanes of doubles. */
static void widened(const batch *b, arne_data *d, size_t first, size_t end, verdict *all)
{
    double *at = d->more->widened, *in[5];
    batch wide = *b;
    wide.floats = false;
    wide.run = WIDEST(arne__batch_run_, f64x8, f64x4, f64x2);
    for (int g = 0; g < 5; at += DATA_WIDENED * width(b, g++)) wide.in[g] = in[g] = b->in[g] ? at : NULL;
    wide.how.q = (arne_stride){(size_t)width(b, 0), 1};
    wide.how.v = (arne_stride){(size_t)width(b, 1), 1};
    wide.how.out = (arne_stride){(size_t)b->size, 1};
    wide.out = at;
    for (size_t i = first; i < end; i += DATA_WIDENED) {
        const size_t count = end - i < DATA_WIDENED ? end - i : DATA_WIDENED;
        for (size_t k = 0; k < 5 * count; k++) {
            const int g = (int)(k / count), w = width(b, g);
            const arne_stride by = input_stride(b, g);
            if (in[g]) fetch(b, place(b, b->in[g], (i + k % count) * by.state), by.number, w, in[g] + k % count * (size_t)w);
        }
        forward(&wide, d, 0, count, all);
        for (size_t k = 0; k < count; k++) narrow(b, at + k * (size_t)b->size, i + k);
    }
}

/* Numbers of a result up to which lanes are quicker than state by state. Texts that fill the vectors with one state lose once the
 * results of eight leave the cache; all others gain at any size. Measured on chains of 10 to 300 joints, doc/kinds.md. */
static int most_in_lanes(const batch *b)
{
    const int room = b->d->more->lane_room, most = b->quantity == TEXT_dfd ? DATA_DFD : 7000;
    const bool abreast = b->quantity == TEXT_dfd ||
                         (!b->floats && (b->quantity == TEXT_mass || b->quantity == TEXT_did || b->quantity == TEXT_d2id_times));
    return abreast && most < room ? most : room;
}

/* derivatives: states with numbers that are none, or out of reach, once more as arne_compute judges them */
static void derived(const batch *b, arne_data *d, size_t first, size_t end, verdict *all)
{
    const unsigned reads = arne_quantity_at(b->quantity)->inputs;
    for (size_t i = first; i < end; i++) {
        bool in = true;
        for (int g = 0; g < 5; g++) {
            const arne_stride by = input_stride(b, g);
            const void *given = reads & 1u << g ? place(b, b->in[g], i * by.state) : NULL;
            const double *x = fetch(b, given, by.number, width(b, g), d->more->state);
            for (int k = 0; k < width(b, g) && x && b->floats; k++) in = in && fabs(x[k]) <= 1e9;
            in = in && (!x || arne__in_reach(x, width(b, g)));
        }
        if (!in) one(b, d, i, all);
    }
}

/* where the states of a part begin: at whole vectors */
static size_t cut(const batch *b, int k)
{
    enum { VECTOR = 16 };
    return k == b->how.threads ? b->count : b->count / (size_t)b->how.threads * (size_t)k / VECTOR * VECTOR;
}

static void part(void *context, int k)
{
    const batch *b = context;
    arne_data *d = k ? b->how.others[k - 1] : b->d;
    const size_t first = cut(b, k), end = cut(b, k + 1);
    verdict all = {ARNE_OK, -1};
    if (!b->alone && b->floats && d->more->version32 != d->settings->version) {
        arne__text_robot_copy_f32(d->settings->robot, d->more->robot32);
        d->more->version32 = d->settings->version;
    }
    for (size_t i = first; i < end && b->alone; i++) one(b, d, i, &all);
    if (!b->alone && b->quantity == TEXT_dfd && b->floats)
        widened(b, d, first, end, &all);
    else if (!b->alone && (b->quantity == TEXT_fd || b->quantity == TEXT_dfd))
        forward(b, d, first, end, &all);
    else if (!b->alone)
        in_lanes(b, d, b->quantity, first, end - first, NULL);
    if (!b->alone && arne__quantity_derives(b->quantity)) derived(b, d, first, end, &all);
    d->more->status = all.status;
    d->joint = all.joint;
}

/* What goes one state after the other: results without room in the lanes, some ways to invert M. */
static bool goes_alone(const batch *b)
{
    const arne_data *d = b->d;
    const int quantity = b->quantity;
    const bool fd = quantity == TEXT_fd, dfd = quantity == TEXT_dfd;
    if (quantity == TEXT_d2id || quantity == TEXT_dfd_parameters || quantity == TEXT_dfd_payload) return true;
    return ((fd || dfd) && d->model->unmodelled) || b->size > most_in_lanes(b);
}

/* a stride of vectors of n numbers, of which there are `count`; apart: no two of them may share a number */
static bool take_stride(arne_stride *by, int n, size_t count, bool apart)
{
    if (!by->state && !by->number) *by = (arne_stride){(size_t)n, 1};
    if (!by->state || !by->number) return n == 0;
    const size_t numbers = n > 0 ? (size_t)n - 1 : 0, states = count > 0 ? count - 1 : 0;
    return !apart || by->state > numbers * by->number || by->number > states * by->state;
}

static arne_status take_threads(const batch *b)
{
    const arne_batch_options *how = &b->how;
    if (how->threads > 1 && !how->others) return ARNE_BAD_ARGUMENT;
    for (int k = 0; k < how->threads - 1; k++) {
        const arne_data *d = how->others[k];
        if (!d || d == b->d || d->settings != b->d->settings) return ARNE_BAD_ARGUMENT;
        for (int i = 0; i < k; i++)
            if (how->others[i] == d) return ARNE_BAD_ARGUMENT;
        if (!d->more || !d->more->state) return ARNE_NOT_PREPARED;
    }
    return ARNE_OK;
}

/* one part after the other */
static void in_turn(int parts, void (*run)(void *context, int k), void *context)
{
    for (int k = 0; k < parts; k++) run(context, k);
}

static arne_status compute(batch *b, const arne_quantity_options *options, const arne_batch_options *how)
{
    arne_data *d = b->d;
    arne_status status = arne__quantity_check(d, b->quantity, options, b->in, b->out, &b->options);
    if (!status) status = options_take(&b->how, sizeof b->how, how);
    if (status) return status;
    b->options.size = sizeof b->options;
    b->size = arne_quantity_size(b->quantity, d->model);
    if (!take_stride(&b->how.q, width(b, 0), b->count, false) || !take_stride(&b->how.v, width(b, 1), b->count, false) ||
        !take_stride(&b->how.out, b->size, b->count, true) || b->how.threads < 0 || b->how.threads > MOST_THREADS)
        return ARNE_BAD_ARGUMENT;
    if (!d->more || !d->more->state) return ARNE_NOT_PREPARED;
    if (!b->how.threads) b->how.threads = 1;
    status = take_threads(b);
    if (status) return status;
    b->alone = goes_alone(b);
    if (b->alone && (b->floats || b->how.out.number != 1) && b->size > d->more->state_room) return ARNE_NO_MEMORY;
    (b->how.run ? b->how.run : in_turn)(b->how.threads, part, b);
    for (int k = b->how.threads - 1; k >= 0; k--) {
        const arne_data *of = k ? b->how.others[k - 1] : d;
        d->joint = of->joint;
        if (of->more->status) return of->more->status;
    }
    return ARNE_OK;
}

arne_status arne_batch_with(arne_data *d, int quantity, const arne_quantity_options *options, const arne_batch_options *how,
                            size_t count, const arne_state *x, double *out)
{
    if (!x) return ARNE_BAD_ARGUMENT;
    batch b = {.d = d, .quantity = quantity, .count = count, .in = {x->q, x->qd, x->qdd, x->tau, x->qa}, .out = out};
    b.run = WIDEST(arne__batch_run_, f64x8, f64x4, f64x2);
    return compute(&b, options, how);
}

arne_status arne_batch32_with(arne_data *d, int quantity, const arne_quantity_options *options, const arne_batch_options *how,
                              size_t count, const arne_state32 *x, float *out)
{
    if (!x) return ARNE_BAD_ARGUMENT;
    batch b = {.d = d, .quantity = quantity, .count = count, .in = {x->q, x->qd, x->qdd, x->tau, x->qa}, .out = out};
    b.floats = true;
    b.run = WIDEST(arne__batch_run_, f32x16, f32x8, f32x4);
    return compute(&b, options, how);
}

arne_status arne_batch(arne_data *d, int quantity, const arne_quantity_options *options, size_t count, const arne_state *x,
                       double *out)
{
    return arne_batch_with(d, quantity, options, NULL, count, x, out);
}

arne_status arne_batch32(arne_data *d, int quantity, const arne_quantity_options *options, size_t count, const arne_state32 *x,
                         float *out)
{
    return arne_batch32_with(d, quantity, options, NULL, count, x, out);
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
