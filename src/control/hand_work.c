/* SPDX-License-Identifier: MIT
 *
 * hand_work.c - memory for hands. */
#include "control/hand_work.h"

#include "arne/positions.h"
#include "dynamics/more.h"

enum { ROWS = 6 };

size_t arne__hand_work(const arne_model *m, void *memory)
{
    const size_t n = (size_t)m->nv, nq = (size_t)m->nq, links = (size_t)m->nlink, doubles = 2 * ROWS * n + n * n + 2 * n + 3 * nq;
    hand_work *h = memory;
    if (!memory)
        return layout_aligned(sizeof *h) + doubles * sizeof(double) + 2 * n * sizeof(int) + n * sizeof(bool) +
               links * sizeof *h->rank;
    double *v = (double *)((char *)memory + layout_aligned(sizeof *h));
    *h = (hand_work){.m = m, .n = m->nv, .nq = m->nq, .J = v, .A = v + ROWS * n, .M = v + 2 * ROWS * n};
    h->q = h->M + n * n;
    h->guess = h->q + nq;
    h->best = h->guess + nq;
    h->step = h->best + nq;
    h->scale = h->step + n;
    h->at = (int *)(h->scale + n);
    h->joint = h->at + n;
    h->held = (bool *)(h->joint + n);
    for (int i = 0; i < m->nv; i++) {
        h->joint[i] = arne_velocity_joint(m, i);
        h->at[i] = arne_velocity_position(m, i);
    }
    h->rank = (unsigned char(*)[2])(h->held + n);
    return 0;
}
