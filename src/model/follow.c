/* SPDX-License-Identifier: MIT
 *
 * follow.c - which joint follows which: chains of masters down to the one that moves by itself. */
#include "model/follow.h"

#include <stdlib.h>

static arne_status check(const arne_description *d, const arne_joint_description *j, arne_error *error)
{
    const arne_friction *f = &j->friction;
    if (f->static_ > 0 || f->npoint > 0 || f->coulomb_negative > 0)
        return arne_fail(error, ARNE_UNSUPPORTED, d->file, j->line,
                         "joint '%s' follows another one: its friction can be viscous, Coulomb and an offset, nothing else",
                         j->name);
    if (j->elastic.stiffness != 0)
        return arne_fail(error, ARNE_UNSUPPORTED, d->file, j->line, "joint '%s' follows another one and cannot be elastic",
                         j->name);
    return ARNE_OK;
}

arne_status arne__follow(const arne_description *d, const robot_tree *t, follow_law **out, int *count, arne_error *error)
{
    follow_law *law = malloc((d->njoint + 1) * sizeof *law);
    if (!law) return arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
    arne_status status = ARNE_OK;
    *count = 0;
    for (size_t i = 0; i < d->njoint && !status; i++) {
        law[i] = (follow_law){-1, 1, 0};
        for (int k = (int)i; t->joint_master[k] >= 0; k = t->joint_master[k]) {
            law[i].offset += law[i].ratio * d->joints[k].offset;
            law[i].ratio *= d->joints[k].ratio;
            law[i].master = t->joint_master[k];
        }
        if (law[i].master < 0) continue;
        status = check(d, &d->joints[i], error);
        ++*count;
    }
    if (status)
        free(law);
    else
        *out = law;
    return status;
}
