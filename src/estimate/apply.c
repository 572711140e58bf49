/* SPDX-License-Identifier: MIT
 *
 * apply.c - the numbers that were found into the description of the robot. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "estimate/identifier.h"

static arne_link_description *find_link(const arne_description *d, const char *name)
{
    for (size_t k = 0; k < d->nlink; k++)
        if (!strcmp(d->links[k].name, name)) return &d->links[k];
    return NULL;
}

static arne_joint_description *find_joint(const arne_description *d, const char *name)
{
    for (size_t k = 0; k < d->njoint; k++)
        if (!strcmp(d->joints[k].name, name)) return &d->joints[k];
    return NULL;
}

/* What is fixed to a link is part of its body. */
static void empty_below(arne_description *d, const char *link)
{
    for (size_t k = 0; k < d->njoint; k++) {
        const arne_joint_description *j = &d->joints[k];
        if (j->type != ARNE_FIXED || strcmp(j->parent, link)) continue;
        arne_link_description *child = find_link(d, j->child);
        if (child) child->body = (arne_body){0};
        empty_below(d, j->child);
    }
}

static void put_joint(const arne_identified_joint *o, arne_joint_description *j)
{
    const double g = j->motor.gear;
    j->motor.inertia = o->rotor / (g * g);
    j->motor.viscous = o->motor_viscous / (g * g);
    j->motor.coulomb = o->motor_coulomb / fabs(g);
    free(j->friction.points);
    j->friction = (arne_friction){.viscous = o->viscous,
                                  .coulomb = o->coulomb,
                                  .static_ = o->static_,
                                  .stribeck_velocity = o->static_ > 0 ? o->stribeck_velocity : 0.1,
                                  .stribeck_exponent = 2,
                                  .offset = o->offset,
                                  .coulomb_negative = o->coulomb_negative};
}

/* Two bodies as one. */
static arne_body together(const arne_body *a, const arne_body *b)
{
    static const int at[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
    const arne_body *const both[2] = {a, b};
    arne_body sum = {.mass = a->mass + b->mass};
    for (int i = 0; i < 3 && sum.mass > 0; i++) sum.com[i] = (a->mass * a->com[i] + b->mass * b->com[i]) / sum.mass;
    for (int k = 0; k < 2; k++) { /* [003 eq. 9.13], parallel axes */
        double d[3], square = 0;
        for (int i = 0; i < 3; i++) d[i] = both[k]->com[i] - sum.com[i], square += d[i] * d[i];
        for (int e = 0; e < 6; e++)
            sum.inertia[e] +=
                both[k]->inertia[e] + both[k]->mass * ((at[e][0] == at[e][1] ? square : 0) - d[at[e][0]] * d[at[e][1]]);
    }
    return sum;
}

/* What rubs and turns in a joint that follows is in the numbers of its master now. */
static void empty_followers(const arne_description *d, const char *master)
{
    for (size_t k = 0; k < d->njoint; k++) {
        arne_joint_description *j = &d->joints[k];
        if (!j->master || strcmp(j->master, master)) continue;
        j->friction.viscous = j->friction.coulomb = j->friction.offset = 0;
        j->motor.inertia = j->motor.viscous = j->motor.coulomb = 0;
        empty_followers(d, j->name);
    }
}

arne_status arne_identified_apply(const arne_identified *r, arne_description *d, arne_error *error)
{
    if (!r || !d) return BAD_ARGUMENT(error, "it needs what was found and a description");
    if (r->payload_link) {
        arne_link_description *l = find_link(d, r->payload_link);
        if (!l) return BAD_VALUE(error, "the description has no link %s: it is another robot's", r->payload_link);
        l->body = together(&l->body, &r->payload.body);
        return ARNE_OK;
    }
    for (int b = 0; b < r->nbody; b++) {
        arne_link_description *l = find_link(d, r->bodies[b].link);
        if (!l) return BAD_VALUE(error, "the description has no link %s: it is another robot's", r->bodies[b].link);
        if (!r->bodies[b].felt) continue;
        l->body = r->bodies[b].body;
        empty_below(d, r->bodies[b].link);
    }
    for (int k = 0; k < r->njoint; k++) {
        arne_joint_description *j = find_joint(d, r->joints[k].name);
        if (!j) return BAD_VALUE(error, "the description has no joint %s: it is another robot's", r->joints[k].name);
        put_joint(&r->joints[k], j);
        empty_followers(d, r->joints[k].name);
    }
    return ARNE_OK;
}
