/* SPDX-License-Identifier: MIT
 *
 * sequence.c - trajectories one after the other, standing still in between. */
#include <math.h>
#include <stdbool.h>

#include "trajectory/trajectory.h"

/* Parts meet within this: units of the joints, and s. */
static const double MEET = 1e-9;
static void sequence_at(const arne_trajectory *s, double t, int order, double *out)
{
    int k = s->count - 1;
    while (k > 0 && t < s->parts[k]->start) k--;
    arne_trajectory_at(s->parts[k], t, order, out);
}

static arne_status check(int count, arne_trajectory *const *parts, double *a, double *b, arne_error *error)
{
    for (int k = 1; k < count; k++) {
        const arne_trajectory *before = parts[k - 1], *part = parts[k];
        if (part->start < before->end - MEET)
            return BAD_VALUE(error, "part %d starts at %g s, before part %d ends at %g s", k + 1, part->start, k, before->end);
        before->at(before, before->end, 0, a);
        part->at(part, part->start, 0, b);
        for (int i = 0; i < part->dof; i++)
            if (fabs(a[i] - b[i]) > MEET)
                return BAD_VALUE(error, "part %d starts elsewhere than part %d ends: joint %d at %.9g instead of %.9g", k + 1, k,
                                 i + 1, b[i], a[i]);
    }
    return ARNE_OK;
}

arne_status arne_trajectory_sequence(int count, arne_trajectory *const *parts, arne_trajectory **out, arne_error *error)
{
    if (!parts || !out) return arne__trajectory_missing(out, error);
    *out = NULL;
    if (count < 1) return BAD_VALUE(error, "a sequence needs at least one part");
    for (int k = 0; k < count; k++)
        if (!parts[k]) return arne__trajectory_missing(out, error);
    for (int k = 1; k < count; k++)
        if (parts[k]->dof != parts[0]->dof)
            return BAD_VALUE(error, "part %d has %d joints, part 1 has %d", k + 1, parts[k]->dof, parts[0]->dof);
    arne_trajectory *s = arne__trajectory_new(parts[0]->dof, parts[0]->start, parts[count - 1]->end);
    if (!s) return arne__trajectory_no_memory(s, error);
    s->parts = arne__arena_take(s->memory, (size_t)count, sizeof(arne_trajectory *));
    if (!s->parts) return arne__trajectory_no_memory(s, error);
    const arne_status status = check(count, parts, s->scratch, s->scratch + s->dof, error);
    if (status) {
        arne_trajectory_free(s);
        return status;
    }
    int inner = parts[0]->inner;
    for (int k = 1; k < count; k++) {
        const bool at_once = parts[k]->start <= parts[k - 1]->end + MEET;
        const int leaves = arne__trajectory_border(parts[k - 1], at_once ? parts[k] : NULL);
        const int enters = arne__trajectory_border(at_once ? parts[k - 1] : NULL, parts[k]);
        const int least = leaves < enters ? leaves : enters;
        if (least < inner) inner = least;
        if (parts[k]->inner < inner) inner = parts[k]->inner;
    }
    for (int k = 0; k < count; k++) {
        s->parts[k] = parts[k];
        atomic_fetch_add(&parts[k]->users, 1);
    }
    s->at = sequence_at;
    s->count = count;
    return arne__trajectory_finish(s, inner, out, error);
}
