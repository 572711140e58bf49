/* SPDX-License-Identifier: MIT
 *
 * lanes.c - the door to a lane kind: states one after the other in, lanes inside, states out. The last vector is filled up with
 * its last state. */
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

/* Four numbers of four states at a time, so that no number is moved alone. */
typedef real quad __attribute__((vector_size(4 * sizeof(real))));
#ifdef __clang__
#define MIX(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
typedef __typeof__(((CAT(KIND, _int)){0})[0]) quad_index __attribute__((vector_size(4 * sizeof(real))));
#define MIX(a, b, i, j, k, l) __builtin_shuffle(a, b, (quad_index){i, j, k, l})
#endif

/* to[k][l] = from[l][k], k and l = 0 ... 3; steps: numbers from one row to the next */
static void turn_over(const real *from, size_t step, real *to, size_t to_step)
{
    quad a[4], b[4];
    for (int l = 0; l < 4; l++) memcpy(&a[l], from + (size_t)l * step, sizeof(quad));
    for (int k = 0; k < 4; k += 2) {
        b[k] = MIX(a[k], a[k + 1], 0, 4, 1, 5);
        b[k + 1] = MIX(a[k], a[k + 1], 2, 6, 3, 7);
    }
    a[0] = MIX(b[0], b[2], 0, 1, 4, 5);
    a[1] = MIX(b[0], b[2], 2, 3, 6, 7);
    a[2] = MIX(b[1], b[3], 0, 1, 4, 5);
    a[3] = MIX(b[1], b[3], 2, 3, 6, 7);
    for (int k = 0; k < 4; k++) memcpy(to + (size_t)k * to_step, &a[k], sizeof(quad));
}

/* lanes of vector x of the states from `first` on */
static const num *gather(const real *x, int width, size_t first, size_t count, num *to)
{
    if (!x) return NULL;
    if (LANES >= 4 && width >= 4 && first + LANES <= count) {
        x += first * (size_t)width;
        for (int l = 0; l < LANES; l += 4)
            for (int i = 0; i < width; i += 4) { /* the last four may overlap those before */
                const int at = i + 4 <= width ? i : width - 4;
                turn_over(x + l * width + at, (size_t)width, (real *)(void *)&to[at] + l, LANES);
            }
        return to;
    }
    for (int l = 0; l < LANES; l++) {
        const real *state = x + (first + (size_t)l < count ? first + (size_t)l : count - 1) * (size_t)width;
        for (int i = 0; i < width; i++) to[i][l] = state[i];
    }
    return to;
}

static void scatter(const num *y, int width, size_t first, size_t count, real *to)
{
    to += first * (size_t)width;
    if (LANES >= 4 && width >= 4 && first + LANES <= count) {
        for (int l = 0; l < LANES; l += 4)
            for (int i = 0; i < width; i += 4) {
                const int at = i + 4 <= width ? i : width - 4;
                turn_over((const real *)(const void *)&y[at] + l, LANES, to + l * width + at, (size_t)width);
            }
        return;
    }
    for (int l = 0; l < LANES && first + (size_t)l < count; l++)
        for (int i = 0; i < width; i++) to[l * width + i] = y[i][l];
}

void CAT(arne__batch_run_, KIND)(const void *robot_, void *memory, const batch_job *job, void *H)
{
    const robot *r = robot_;
    const int nq = robot_nq(r), nv = robot_nv(r);
    work k;
    num *q = (num *)((char *)memory + EXPORT(work)(robot_count(r), memory, &k));
    num *qd = q + nq, *qdd = qd + nv, *tau = qdd + nv, *qa = tau + nv, *y = qa + nv;
    for (size_t first = 0; first < job->count; first += LANES) {
        const text_input in = {gather(job->q, nq, first, job->count, q),
                               gather(job->qd, nv, first, job->count, qd),
                               gather(job->qdd, nv, first, job->count, qdd),
                               gather(job->tau, nv, first, job->count, tau),
                               gather(job->qa, nv, first, job->count, qa),
                               job->link,
                               job->axes,
                               job->factor};
        EXPORT(run)(job->row, r, &k, &in, y);
        scatter(y, job->size, first, job->count, job->y);
        if (H) scatter(k.row, nv, first, job->count, H);
    }
}
