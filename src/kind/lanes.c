/* SPDX-License-Identifier: MIT
 *
 * lanes.c - the door to a lane kind: states in, lanes inside, states out. The last vector is filled up with its last state. */
#include <stdbool.h>
#include <string.h>

#include "algo/rows.h"
#include "algo/texts.h"
#include "kind/kinds.h"

typedef par real; /* of one lane */

size_t CAT(arne__batch_bytes_, KIND)(robot_counts n, int size)
{
    work k;
    return EXPORT(work)(n, NULL, &k) + ((size_t)n.nq + 4 * (size_t)n.nv + (size_t)size) * sizeof(num);
}

/* ---- four numbers of every state at a time, so that none is moved alone and vectors are loaded as they were stored ---- */

#if LANES >= 4
typedef real quad __attribute__((vector_size(4 * sizeof(real))));

/* The same of every quad of two vectors: places 0 ... 3 are the first vector's, 4 ... 7 the second's. */
#define AT(i, g) ((i) % 4 + 4 * (g) + (i) / 4 * LANES)
#define QUAD(g, i, j, k, l) AT(i, g), AT(j, g), AT(k, g), AT(l, g)
#if LANES == 4
#define QUADS(...) QUAD(0, __VA_ARGS__)
#elif LANES == 8
#define QUADS(...) QUAD(0, __VA_ARGS__), QUAD(1, __VA_ARGS__)
#else
#define QUADS(...) QUAD(0, __VA_ARGS__), QUAD(1, __VA_ARGS__), QUAD(2, __VA_ARGS__), QUAD(3, __VA_ARGS__)
#endif
#if defined __clang__ || __GNUC__ >= 12
#define MIX(a, b, ...) __builtin_shufflevector(a, b, QUADS(__VA_ARGS__))
#define JOIN8(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7)
#define HALF(a, i, j, k, l) __builtin_shufflevector(a, a, i, j, k, l)
#define JOIN16(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#else
#define MIX(a, b, ...) __builtin_shuffle(a, b, (CAT(KIND, _int)){QUADS(__VA_ARGS__)})
#endif

/* a[k][4g + l] becomes a[l][4g + k], k and l = 0 ... 3 */
static inline void turn_over(num a[4])
{
    num b[4];
    for (int k = 0; k < 4; k += 2) { /* pairs as the machine mixes them: of doubles in halves of a quad */
        b[k] = sizeof(real) == 8 ? MIX(a[k], a[k + 1], 0, 4, 2, 6) : MIX(a[k], a[k + 1], 0, 4, 1, 5);
        b[k + 1] = sizeof(real) == 8 ? MIX(a[k], a[k + 1], 1, 5, 3, 7) : MIX(a[k], a[k + 1], 2, 6, 3, 7);
    }
    a[0] = MIX(b[0], b[2], 0, 1, 4, 5);
    a[sizeof(real) == 8 ? 2 : 1] = MIX(b[0], b[2], 2, 3, 6, 7);
    a[sizeof(real) == 8 ? 1 : 2] = MIX(b[1], b[3], 0, 1, 4, 5);
    a[3] = MIX(b[1], b[3], 2, 3, 6, 7);
}

/* one vector of the quads at from, from + step, ... */
static inline num join(const real *from, size_t step)
{
    union {
        quad of[LANES / 4];
        num all;
    } x;
    for (size_t g = 0; g < LANES / 4; g++) memcpy(&x.of[g], from + g * step, sizeof(quad));
#if defined JOIN8 && LANES == 8 /* in registers: what is stored in parts cannot be loaded whole at once */
    return JOIN8(x.of[0], x.of[1]);
#elif defined JOIN16 && LANES == 16
    return JOIN16(JOIN8(x.of[0], x.of[1]), JOIN8(x.of[2], x.of[3]));
#else
    return x.all;
#endif
}

/* four numbers of LANES states, which are `step` apart */
static inline void gather_four(const real *x, size_t step, num to[4])
{
    num a[4];
    for (size_t l = 0; l < 4; l++) a[l] = join(x + l * step, 4 * step);
    turn_over(a);
    for (int k = 0; k < 4; k++) to[k] = a[k];
}

/* the quads of a vector to to, to + step, ... */
static inline void part(num y, size_t step, real *to)
{
#if defined HALF && LANES == 8 /* from registers, as above */
    const quad of[] = {HALF(y, 0, 1, 2, 3), HALF(y, 4, 5, 6, 7)};
#elif defined HALF && LANES == 16
    const quad of[] = {HALF(y, 0, 1, 2, 3), HALF(y, 4, 5, 6, 7), HALF(y, 8, 9, 10, 11), HALF(y, 12, 13, 14, 15)};
#else
    quad of[LANES / 4];
    memcpy(of, &y, sizeof of);
#endif
    for (size_t g = 0; g < LANES / 4; g++) memcpy(to + g * step, &of[g], sizeof(quad));
}

static inline void scatter_four(const num y[4], size_t step, real *to)
{
    num a[4] = {y[0], y[1], y[2], y[3]};
    turn_over(a);
    for (size_t l = 0; l < 4; l++) part(a[l], 4 * step, to + l * step);
}
#else
static inline void gather_four(const real *x, size_t step, num to[4]) { (void)x, (void)step, (void)to; }
static inline void scatter_four(const num y[4], size_t step, real *to) { (void)y, (void)step, (void)to; }
#endif

/* one number of LANES states: in registers, as a vector that was stored in parts is loaded slowly */
static inline num gather_one(const real *x, size_t step)
{
    num to = {0};
    for (size_t l = 0; l < LANES; l++) to[l] = x[l * step];
    return to;
}

static arne_stride stride(arne_stride given, int width) { return given.state ? given : (arne_stride){(size_t)width, 1}; }

/* lanes of vector x of the states from `first` on */
static const num *gather(const real *x, arne_stride by, int width, size_t first, size_t count, num *to)
{
    if (!x) return NULL;
    const bool full = first + LANES <= count;
    x += first * by.state;
    if (full && by.state == 1) {
        for (int i = 0; i < width; i++) memcpy(&to[i], x + (size_t)i * by.number, sizeof *to);
        return to;
    }
    if (LANES >= 4 && width >= 4 && full && by.number == 1) {
        for (int i = 0; i < width; i += 4) { /* the last four may overlap those before */
            const int at = i + 4 <= width ? i : width - 4;
            gather_four(x + at, by.state, to + at);
        }
        return to;
    }
    for (int i = 0; i < width && full; i++) to[i] = gather_one(x + (size_t)i * by.number, by.state);
    for (size_t l = 0; l < LANES && !full; l++) {
        const real *state = x + (first + l < count ? l : count - 1 - first) * by.state;
        for (int i = 0; i < width; i++) to[i][l] = state[(size_t)i * by.number];
    }
    return to;
}

static void scatter(const num *y, arne_stride by, int width, size_t first, size_t count, real *to)
{
    const bool full = first + LANES <= count;
    to += first * by.state;
    if (full && by.state == 1) {
        for (int i = 0; i < width; i++) memcpy(to + (size_t)i * by.number, &y[i], sizeof *y);
        return;
    }
    if (LANES >= 4 && width >= 4 && full && by.number == 1) {
        for (int i = 0; i < width; i += 4) {
            const int at = i + 4 <= width ? i : width - 4;
            scatter_four(y + at, by.state, to + at);
        }
        return;
    }
    for (size_t l = 0; l < LANES && first + l < count; l++)
        for (int i = 0; i < width; i++) to[l * by.state + (size_t)i * by.number] = y[i][l];
}

/* A result as rows of `width` numbers of which the first `used` are not zero. */
typedef struct {
    int rows, width, used;
} filled;

/* the first velocities and positions that a job has to do with */
static int reach(const robot *r, const batch_job *job, int *nq)
{
    const int body = job->up_to_link ? robot_frame(r, job->link)->body : -1;
    if (!job->up_to_link) return *nq = robot_nq(r), robot_nv(r);
    return *nq = body < 0 ? 0 : r->link[body].iq + r->link[body].nq, body < 0 ? 0 : r->link[body].iv + r->link[body].nv;
}

static filled fills(const robot *r, const batch_job *job, int nv)
{
    row_shape part;
    const bool some = job->up_to_link && arne__row_part(job->row, 0, r->n, robot_nv(r), &part);
    if (some && part.by_column) return (filled){part.rows, part.columns, nv};
    if (some && part.by_row) return (filled){1, job->size, nv * part.columns};
    return (filled){1, job->size, job->size};
}

static void zeros(arne_stride by, int width, size_t first, size_t count, real *to)
{
    const size_t states = count - first < LANES ? count - first : LANES, numbers = (size_t)width;
    to += first * by.state;
    for (size_t l = 0; l < states; l++, to += by.state)
        if (by.number == 1)
            memset(to, 0, numbers * sizeof *to);
        else
            for (size_t i = 0; i < numbers; i++) to[i * by.number] = 0;
}

static void results(const num *y, filled as, arne_stride by, size_t first, size_t count, real *to)
{
    if (as.used < as.width) zeros(by, as.rows * as.width, first, count, to);
    for (int i = 0; i < as.rows; i++, y += as.width, to += (size_t)as.width * by.number)
        scatter(y, by, as.used, first, count, to);
}

void CAT(arne__batch_run_, KIND)(const void *robot_, void *memory, const batch_job *job, void *H)
{
    const robot *r = robot_;
    const int nq = robot_nq(r), nv = robot_nv(r);
    work k;
    num *q = (num *)((char *)memory + EXPORT(work)(robot_count(r), memory, &k));
    num *qd = q + nq, *qdd = qd + nv, *tau = qdd + nv, *qa = tau + nv, *y = qa + nv;
    const arne_stride by_q = stride(job->of_q, nq), by_v = stride(job->of_v, nv), by_y = stride(job->of_y, job->size);
    int qs;
    const int vs = reach(r, job, &qs);
    const filled as = fills(r, job, vs);
    for (size_t first = 0; first < job->count; first += LANES) {
        const text_input in = {gather(job->q, by_q, qs, first, job->count, q),
                               gather(job->qd, by_v, vs, first, job->count, qd),
                               gather(job->qdd, by_v, vs, first, job->count, qdd),
                               gather(job->tau, by_v, vs, first, job->count, tau),
                               gather(job->qa, by_v, vs, first, job->count, qa),
                               job->link,
                               job->axes,
                               job->factor,
                               first > 0};
        EXPORT(run)(job->row, r, &k, &in, y);
        results(y, as, by_y, first, job->count, job->y);
        if (H) scatter(k.row, (arne_stride){(size_t)nv, 1}, nv, first, job->count, H);
    }
}
