/* SPDX-License-Identifier: MIT
 *
 * rows.h - joints that readers add: those of two or three freedoms that are exact as rows of joints of one freedom, with links
 * without mass between them. doc/free.md */
#ifndef DESCRIBE_ROWS_H
#define DESCRIBE_ROWS_H

#include "arne/description.h"

#pragma GCC visibility push(default) /* used by more than one library */

typedef struct {
    const char *name; /* of the joint in files */
    int count;
    struct {
        const char *name; /* of the freedom: the joint is called JOINT.name, and so is the link it moves, but for the last */
        arne_joint_type type;
    } freedom[3];
} joint_row;

/* planar: slides along x and y, then turns about the normal. cylindrical: turns about an axis, then slides along it.
 * universal: turns about a first axis, then about a second one that the first turn carries. */
extern const joint_row arne__planar, arne__cylindrical, arne__universal;

/* NULL: there is no such row */
const joint_row *arne__row_called(const char *name);

/* Turns the last joint of a description into a row. Its axis is the normal, the axis or the first axis; `second` is that of a
 * universal joint. The x and y of a plane are the axes of the joint frame, turned by the shortest way that brings z to the
 * normal. *first = the first joint of the row, the others follow it. */
arne_status arne__describe_row(arne_description *d, const joint_row *row, const double second[3], size_t *first,
                               arne_error *error);

/* Hangs the root on a new one, "world", by a free joint "base"; each with _ behind where the description has such a name. */
arne_status arne__describe_floating(arne_description *d, arne_error *error);

#pragma GCC visibility pop
#endif
