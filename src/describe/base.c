/* SPDX-License-Identifier: MIT
 *
 * base.c - what users choose of a robot: held by its base or free to move with it; joints that follow others, or do not. */
#include <stdlib.h>
#include <string.h>

#include "describe/rows.h"

static bool has_link(const arne_description *d, const char *name)
{
    for (size_t i = 0; i < d->nlink; i++)
        if (!strcmp(d->links[i].name, name)) return true;
    return false;
}
static bool has_joint(const arne_description *d, const char *name)
{
    for (size_t i = 0; i < d->njoint; i++)
        if (!strcmp(d->joints[i].name, name)) return true;
    return false;
}

/* The first link that is no joint's child, NULL: none. */
static const char *root_of(const arne_description *d)
{
    for (size_t i = 0; i < d->nlink; i++) {
        size_t j = 0;
        while (j < d->njoint && strcmp(d->joints[j].child, d->links[i].name)) j++;
        if (j == d->njoint) return d->links[i].name;
    }
    return NULL;
}

arne_status arne__describe_floating(arne_description *d, arne_error *error)
{
    const char *root = root_of(d);
    if (!root) return ARNE_OK; /* what is wrong with the tree is said where it is built */
    char joint[16] = "base", world[16] = "world";
    while (has_joint(d, joint) && strlen(joint) + 1 < sizeof joint) strcat(joint, "_");
    while (has_link(d, world) && strlen(world) + 1 < sizeof world) strcat(world, "_");
    char *child = strdup(root);
    const bool ok = child && arne_description_link(d, world, 0) && arne_description_joint(d, joint, 0, ARNE_FREE, world, child);
    free(child);
    return ok ? ARNE_OK : arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
}

arne_status arne_description_base(arne_description *d, arne_base_choice choice, arne_error *error)
{
    if (!d || (unsigned)choice > ARNE_BASE_FREE)
        return arne_fail(error, ARNE_BAD_ARGUMENT, NULL, 0, "a description and a choice of its base are needed");
    const char *root = choice == ARNE_BASE_FILE ? NULL : root_of(d);
    if (!root) return ARNE_OK;
    bool floats = false;
    for (size_t i = 0; i < d->njoint; i++) {
        arne_joint_description *j = &d->joints[i];
        if (j->type != ARNE_FREE || strcmp(j->parent, root)) continue;
        floats = true;
        if (choice == ARNE_BASE_FIXED) j->type = ARNE_FIXED;
    }
    return choice == ARNE_BASE_FREE && !floats ? arne__describe_floating(d, error) : ARNE_OK;
}

arne_status arne_description_mimic(arne_description *d, arne_mimic_choice choice, arne_error *error)
{
    if (!d || (unsigned)choice > ARNE_MIMIC_INDEPENDENT)
        return arne_fail(error, ARNE_BAD_ARGUMENT, NULL, 0, "a description and a choice of its joints that follow are needed");
    for (size_t i = 0; i < d->njoint && choice == ARNE_MIMIC_INDEPENDENT; i++) {
        free(d->joints[i].master);
        d->joints[i].master = NULL;
    }
    return ARNE_OK;
}
