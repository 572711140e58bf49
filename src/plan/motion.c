/* SPDX-License-Identifier: MIT
 *
 * motion.c - velocities and accelerations of a sampled motion, as the path planner of [001 section II] has them: constant within
 * a cycle, changing from one cycle to the next. */
#include "plan/limits.h"

static double velocity(const arne_motion *s, int dof, int k, int i)
{
    if (s->qd) return s->qd[(size_t)k * (size_t)dof + (size_t)i];
    if (s->count < 2) return 0;
    if (k > s->count - 2) k = s->count - 2;
    const double *q = s->q + (size_t)k * (size_t)dof + i;
    return (q[dof] - q[0]) / s->dt;
}

arne_status arne_motion_at(const arne_motion *s, int dof, int k, double *qd, double *qdd)
{
    if (!s || !s->q || dof < 0 || k < 0 || k >= s->count || !qd) return ARNE_BAD_ARGUMENT;
    for (int i = 0; i < dof; i++) {
        qd[i] = velocity(s, dof, k, i);
        if (qdd) qdd[i] = k + 1 < s->count ? (velocity(s, dof, k + 1, i) - qd[i]) / s->dt : 0;
    }
    return ARNE_OK;
}

arne_status arne__motion_check(const arne_motion *s, const arne_data *d, const void *out, arne_error *error)
{
    if (s && s->q && s->count > 0 && (s->dt > 0 || s->count == 1) && d && out) return ARNE_OK;
    return BAD_ARGUMENT(error, "a motion has samples at an interval above 0; it needs data and a place");
}

const char *arne_limit_words(arne_limit_kind kind)
{
#define LIMIT_WORDS(id, words) words,
    static const char *const text[] = {ARNE_LIMIT_KINDS(LIMIT_WORDS)};
#undef LIMIT_WORDS
    return (int)kind >= 0 && kind < ARNE_LIMIT_COUNT ? text[kind] : NULL;
}
