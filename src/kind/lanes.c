/* SPDX-License-Identifier: MIT
 *
 * lanes.c - the door to a lane kind: states one after the other in, lanes inside, states out. The last vector is filled up with
 * its last state. */
#include "algo/rows.h"
#include "algo/texts.h"
#include "kind/kinds.h"

typedef par real; /* of one lane */

size_t CAT(arne__batch_bytes_, KIND)(robot_counts n, int size)
{
    work k;
    return EXPORT(work)(n, NULL, &k) + ((size_t)n.nq + 4 * (size_t)n.nv + (size_t)size) * sizeof(num);
}

/* lanes of vector x of the states from `first` on */
static const num *gather(const real *x, int width, size_t first, size_t count, num *to)
{
    if (!x) return NULL;
    for (int l = 0; l < LANES; l++) {
        const real *state = x + (first + (size_t)l < count ? first + (size_t)l : count - 1) * (size_t)width;
        for (int i = 0; i < width; i++) to[i][l] = state[i];
    }
    return to;
}

static void scatter(const num *y, int width, size_t first, size_t count, real *to)
{
    for (int l = 0; l < LANES && first + (size_t)l < count; l++)
        for (int i = 0; i < width; i++) to[(first + (size_t)l) * (size_t)width + (size_t)i] = y[i][l];
}

void CAT(arne__batch_run_, KIND)(const void *robot_, void *memory, const batch_job *job, void *H)
{
    const robot *r = robot_;
    const int nv = r->nv;
    work k;
    num *q = (num *)((char *)memory + EXPORT(work)(robot_count(r), memory, &k));
    num *qd = q + r->nq, *qdd = qd + nv, *tau = qdd + nv, *qa = tau + nv, *y = qa + nv;
    for (size_t first = 0; first < job->count; first += LANES) {
        const text_input in = {gather(job->q, r->nq, first, job->count, q),
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
