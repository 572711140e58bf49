/* SPDX-License-Identifier: MIT
 *
 * hand_work.c - memory for hands. */
#include "control/hand_work.h"

#include "dynamics/more.h"

enum { ROWS = 6 };

size_t arne__hand_work(const arne_model *m, void *memory)
{
    const size_t n = (size_t)m->n, links = (size_t)m->nlink, doubles = 2 * ROWS * n + n * n + 5 * n;
    hand_work *h = memory;
    if (!memory) return layout_aligned(sizeof *h) + doubles * sizeof(double) + n * sizeof(bool) + links * sizeof *h->rank;
    double *v = (double *)((char *)memory + layout_aligned(sizeof *h));
    *h = (hand_work){.m = m, .n = m->n, .J = v, .A = v + ROWS * n, .M = v + 2 * ROWS * n};
    h->q = h->M + n * n;
    h->guess = h->q + n;
    h->best = h->guess + n;
    h->step = h->best + n;
    h->scale = h->step + n;
    h->held = (bool *)(h->scale + n);
    h->rank = (unsigned char(*)[2])(h->held + n);
    return 0;
}
