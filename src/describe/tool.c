/* SPDX-License-Identifier: MIT
 *
 * tool.c - a point of a robot that its file does not name: a link without mass at a fixed joint. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "describe/pose.h"
#include "describe/tree.h"

static bool is_used(const arne_description *d, const char *name)
{
    for (size_t i = 0; i < d->nlink; i++)
        if (!strcmp(d->links[i].name, name)) return true;
    for (size_t i = 0; i < d->njoint; i++)
        if (!strcmp(d->joints[i].name, name)) return true;
    return false;
}

arne_status arne_description_tool(arne_description *d, const char *link, const double xyz[3], arne_error *error)
{
    if (!d || !xyz) return BAD_ARGUMENT(error, "a tool needs a description and a place");
    for (int k = 0; k < 3; k++)
        if (!isfinite(xyz[k])) return arne_fail(error, ARNE_BAD_VALUE, d->file, 0, "the place of the tool must be finite");
    robot_tree *t = NULL;
    const arne_status status = arne__tree_build(d, &t, error);
    if (status) return status;
    size_t on = (size_t)t->tip;
    arne__tree_free(t);
    for (on = link ? 0 : on; link && on < d->nlink && strcmp(d->links[on].name, link);) on++;
    if (on == d->nlink) return arne_fail(error, ARNE_BAD_VALUE, d->file, 0, "the robot has no link '%s' for a tool", link);
    char name[64] = "tool";
    while (is_used(d, name) && strlen(name) + 1 < sizeof name) strcat(name, "_");
    char *tip = strdup(name);
    arne_joint_description *j = tip ? arne_description_joint(d, name, 0, ARNE_FIXED, d->links[on].name, name) : NULL;
    if (!j || !arne_description_link(d, name, 0)) {
        free(tip);
        return arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
    }
    free(d->tip);
    d->tip = tip;
    memcpy(j->before.p, xyz, sizeof j->before.p);
    const double turn = atan2(xyz[1], xyz[0]), dh[6] = {turn, xyz[2], 0, hypot(xyz[0], xyz[1]), -turn, 0};
    memcpy(j->dh, dh, sizeof j->dh);
    return ARNE_OK;
}
