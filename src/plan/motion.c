/* SPDX-License-Identifier: MIT
 *
 * motion.c - velocities and accelerations of a sampled motion, as the path planner of [001 section II] has them: constant within
 * a cycle, changing from one cycle to the next. */
#include <string.h>

#include "arne/feasible.h"

static double velocity(const arne_motion *s, int dof, int k, int i)
{
    if (s->qd) return s->qd[(size_t)k * (size_t)dof + (size_t)i];
    if (s->count < 2) return 0;
    if (k > s->count - 2) k = s->count - 2;
    const double *q = s->q + (size_t)k * (size_t)dof + i;
    return (q[dof] - q[0]) / s->dt;
}

void arne_motion_at(const arne_motion *s, int dof, int k, double *qd, double *qdd)
{
    for (int i = 0; i < dof; i++) {
        qd[i] = velocity(s, dof, k, i);
        if (qdd) qdd[i] = k + 1 < s->count ? (velocity(s, dof, k + 1, i) - qd[i]) / s->dt : 0;
    }
}

const char *arne_limit_words(arne_limit_kind kind)
{
#define LIMIT_WORDS(id, words) words,
    static const char *const text[] = {ARNE_LIMIT_KINDS(LIMIT_WORDS)};
#undef LIMIT_WORDS
    return text[kind];
}
