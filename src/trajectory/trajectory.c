/* SPDX-License-Identifier: MIT
 *
 * trajectory.c - what all trajectories share: time outside their own, how smooth they are. */
#include "trajectory/trajectory.h"

#include <math.h>
#include <string.h>

/* A derivative counts as continuous where its jump is below this part of its largest value. */
static const double JUMP = 1e-6;

arne_trajectory *arne__trajectory_new(int dof, double start, double end)
{
    const size_t size = (size_t)(ARNE_TRAJECTORY_ORDER + 1) * (size_t)dof;
    arena *memory = arne__arena_new();
    arne_trajectory *s = arne__arena_take(memory, 1, sizeof *s);
    double *v = arne__arena_take(memory, 3 * size, sizeof *v);
    if (!s || !v) {
        arne__arena_free(memory);
        return NULL;
    }
    *s = (arne_trajectory){.memory = memory, .dof = dof, .start = start, .end = end, .peak = v, .scratch = v + size, .users = 1};
    return s;
}

void arne_trajectory_free(arne_trajectory *s)
{
    if (!s || atomic_fetch_sub(&s->users, 1) > 1) return;
    for (int k = 0; k < s->count; k++) arne_trajectory_free(s->parts[k]);
    arne__arena_free(s->memory);
}

int arne_trajectory_dof(const arne_trajectory *s) { return s ? s->dof : 0; }
double arne_trajectory_start(const arne_trajectory *s) { return s ? s->start : 0; }
double arne_trajectory_end(const arne_trajectory *s) { return s ? s->end : 0; }
int arne_trajectory_smoothness(const arne_trajectory *s) { return s ? s->smooth : 0; }

arne_status arne_trajectory_at(const arne_trajectory *s, double t, int order, double *out)
{
    if (!s || order < 0 || !out) return ARNE_BAD_ARGUMENT;
    const size_t n = (size_t)s->dof;
    if (order > ARNE_TRAJECTORY_ORDER) {
        memset(out + (ARNE_TRAJECTORY_ORDER + 1) * n, 0, (size_t)(order - ARNE_TRAJECTORY_ORDER) * n * sizeof *out);
        order = ARNE_TRAJECTORY_ORDER;
    }
    /* a time that misses an end by rounding is the end */
    const double rounding = 1e-14 * (fabs(s->start) + fabs(s->end)), within = fmin(fmax(t, s->start), s->end);
    if (fabs(t - within) <= rounding) {
        s->at(s, within, order, out);
        return ARNE_OK;
    }
    s->at(s, within, 0, out);
    memset(out + n, 0, (size_t)order * n * sizeof *out);
    return ARNE_OK;
}

arne_status arne__trajectory_missing(arne_trajectory **out, arne_error *error)
{
    if (out) *out = NULL;
    return BAD_ARGUMENT(error, "a trajectory needs all its numbers and a place");
}

int arne__trajectory_not_finite(const double *x, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(x[i])) return i;
    return -1;
}

arne_status arne__trajectory_check_times(int dof, double t0, double t1, arne_error *error)
{
    if (dof < 1) return BAD_VALUE(error, "a trajectory of %d joints: at least one is needed", dof);
    if (!isfinite(t0) || !isfinite(t1) || !(t1 > t0))
        return BAD_VALUE(error, "the trajectory runs from %g s to %g s: its end must come after its start", t0, t1);
    return ARNE_OK;
}

int arne__trajectory_border(const arne_trajectory *before, const arne_trajectory *after)
{
    const int n = before ? before->dof : after->dof, size = (ARNE_TRAJECTORY_ORDER + 1) * n;
    double *a = (before ? before : after)->scratch, *b = a + size;
    memset(a, 0, 2 * (size_t)size * sizeof *a);
    if (before) before->at(before, before->end, ARNE_TRAJECTORY_ORDER, a);
    if (after) after->at(after, after->start, ARNE_TRAJECTORY_ORDER, b);
    for (int i = n; i < size; i++)
        if (fabs(a[i] - b[i]) > JUMP * fmax(before ? before->peak[i] : 0, after ? after->peak[i] : 0)) return i / n - 1;
    return ARNE_TRAJECTORY_ORDER;
}

arne_status arne__trajectory_finish(arne_trajectory *s, int inner, arne_trajectory **out, arne_error *error)
{
    enum { SAMPLES = 64 };
    const size_t size = (size_t)(ARNE_TRAJECTORY_ORDER + 1) * (size_t)s->dof;
    double *scratch = s->scratch;
    for (int k = 0; k <= SAMPLES; k++) {
        s->at(s, k == SAMPLES ? s->end : s->start + (s->end - s->start) * k / SAMPLES, ARNE_TRAJECTORY_ORDER, scratch);
        if (arne__trajectory_not_finite(scratch, (int)size) >= 0) {
            arne_trajectory_free(s);
            return BAD_VALUE(error, "the motion is too fast for double precision: derivatives overflow");
        }
        for (size_t i = 0; i < size; i++) s->peak[i] = fmax(s->peak[i], fabs(scratch[i]));
    }
    for (int k = 0; k < s->count; k++)
        for (size_t i = 0; i < size; i++) s->peak[i] = fmax(s->peak[i], s->parts[k]->peak[i]);
    s->inner = inner;
    const int enters = arne__trajectory_border(NULL, s), leaves = arne__trajectory_border(s, NULL);
    s->smooth = enters < leaves ? enters : leaves;
    if (inner < s->smooth) s->smooth = inner;
    *out = s;
    return ARNE_OK;
}

arne_status arne__trajectory_no_memory(arne_trajectory *s, arne_error *error)
{
    arne_trajectory_free(s);
    return NO_MEMORY(error);
}
