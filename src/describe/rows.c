/* SPDX-License-Identifier: MIT
 *
 * rows.c - joints of two and three freedoms as rows of joints of one. */
#include "describe/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe/pose.h"

const joint_row arne__planar = {"planar", 3, {{"x", ARNE_PRISMATIC}, {"y", ARNE_PRISMATIC}, {"angle", ARNE_REVOLUTE}}};
const joint_row arne__cylindrical = {"cylindrical", 2, {{"angle", ARNE_REVOLUTE}, {"slide", ARNE_PRISMATIC}}};
const joint_row arne__universal = {"universal", 2, {{"first", ARNE_REVOLUTE}, {"second", ARNE_REVOLUTE}}};

const joint_row *arne__row_called(const char *name)
{
    const joint_row *const rows[] = {&arne__planar, &arne__cylindrical, &arne__universal};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (!strcmp(rows[k]->name, name)) return rows[k];
    return NULL;
}

/* x and y after the shortest turn of z to n. 1 + n_z is (n_x^2 + n_y^2) / (1 - n_z), which keeps its digits where n_z is near -1;
 * beyond, at -z, the turn is about x. */
static void plane_axes(const double normal[3], double x[3], double y[3])
{
    const double size = hypot(hypot(normal[0], normal[1]), normal[2]);
    const double n[3] = {normal[0] / size, normal[1] / size, normal[2] / size}, flat = n[0] * n[0] + n[1] * n[1];
    const double k = n[2] >= 0 ? 1 / (1 + n[2]) : flat > 0 ? (1 - n[2]) / flat : 0;
    const double a[3] = {1 - k * n[0] * n[0], -k * n[0] * n[1], -n[0]};
    const double b[3] = {-k * n[0] * n[1], n[2] < 0 && flat == 0 ? -1 : 1 - k * n[1] * n[1], -n[1]};
    memcpy(x, a, sizeof a);
    memcpy(y, b, sizeof b);
}

/* "JOINT.freedom" */
static char *freedom_name(const char *joint, const char *freedom)
{
    const size_t room = strlen(joint) + strlen(freedom) + 2;
    char *name = malloc(room);
    if (name) snprintf(name, room, "%s.%s", joint, freedom);
    return name;
}

arne_status arne__describe_row(arne_description *d, const joint_row *row, const double second[3], size_t *first,
                               arne_error *error)
{
    const int count = row->count;
    double axes[3][3];
    const size_t at = *first = d->njoint - 1;
    const arne_joint_description given = d->joints[at];
    for (int k = 0; k < count; k++) memcpy(axes[k], given.axis, sizeof axes[k]);
    if (row == &arne__planar) plane_axes(given.axis, axes[0], axes[1]);
    if (row == &arne__universal) memcpy(axes[1], second, sizeof axes[1]);
    d->mdh = false; /* not every axis is the z of a frame */

    char *names[3] = {0}, *end = NULL;
    bool ok = true;
    for (int k = 0; k < count; k++) ok = (names[k] = freedom_name(given.name, row->freedom[k].name)) && ok;
    /* links between, then joints: the first takes the place of the given one, the last takes its child */
    for (int k = 0; k + 1 < count && ok; k++) ok = arne_description_link(d, names[k], given.line);
    for (int k = 1; k < count && ok; k++)
        ok = arne_description_joint(d, names[k], given.line, row->freedom[k].type, names[k - 1],
                                    k + 1 < count ? names[k] : given.child);
    ok = ok && (end = strdup(names[0]));
    if (ok) {
        arne_joint_description *j = &d->joints[at], *last = j + count - 1;
        for (int k = 0; k < count; k++) memcpy(j[k].axis, axes[k], sizeof axes[k]);
        last->after = given.after;
        j->after = arne__pose_identity();
        j->type = row->freedom[0].type;
        free(j->name);
        free(j->child);
        j->name = names[0];
        j->child = end;
        names[0] = NULL;
    }
    for (int k = 0; k < count; k++) free(names[k]);
    return ok ? ARNE_OK : arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
}
