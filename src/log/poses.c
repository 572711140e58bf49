/* SPDX-License-Identifier: MIT
 *
 * poses.c - poses of a link from a table. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arne/log.h"

enum { COLUMNS = 6 };
static const char *const names[COLUMNS] = {"x", "y", "z", "roll", "pitch", "yaw"};

#define BAD_HEADER(c, ...) arne_fail(error, ARNE_BAD_SYNTAX, (c)->name, (c)->line, __VA_ARGS__)

/* Where the columns are; *places: there are no angles. */
static arne_status find_columns(const arne_csv *c, int at[COLUMNS], bool *places, arne_error *error)
{
    int angles = 0;
    for (int k = 0; k < COLUMNS; k++) {
        at[k] = arne_csv_find(c, names[k]);
        if (at[k] < 0 && k < 3)
            return BAD_HEADER(c, "column %s is missing; poses have x, y, z and perhaps roll, pitch, yaw", names[k]);
        angles += k >= 3 && at[k] >= 0;
    }
    if (angles != 0 && angles != 3) return BAD_HEADER(c, "of roll, pitch and yaw there are all three, or none");
    if (c->columns != 3 + angles)
        return BAD_HEADER(c, "poses have the columns x, y, z and perhaps roll, pitch, yaw, and no others");
    *places = angles == 0;
    return ARNE_OK;
}

arne_status arne_log_poses(const char *path, bool degrees, arne_pose **poses, int *count, bool *places, arne_error *error)
{
    arne_csv c;
    int at[COLUMNS];
    *poses = NULL, *count = 0;
    arne_status status = arne_csv_open(&c, path, error);
    if (!status) status = find_columns(&c, at, places, error);
    double row[COLUMNS], v[COLUMNS] = {0};
    for (bool more = true; !status;) {
        status = arne_csv_next(&c, row, &more, error);
        if (status || !more) break;
        if (!(*count & (*count - 1))) { /* arrays double whenever count is a power of two */
            arne_pose *bigger = realloc(*poses, (size_t)(*count ? 2 * *count : 1) * sizeof *bigger);
            if (!bigger || *count > INT_MAX / 4) status = arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
            if (bigger) *poses = bigger;
            if (status) break;
        }
        for (int k = 0; k < COLUMNS; k++) v[k] = (at[k] < 0 ? 0 : row[at[k]]) * (degrees && k >= 3 ? acos(-1) / 180 : 1);
        (*poses)[(*count)++] = arne_pose_rpy(v, v + 3);
    }
    if (!status && *count < 2)
        status = arne_fail(error, ARNE_BAD_VALUE, c.name, c.line, "a path has at least two poses, and here is %s",
                           *count ? "one" : "none");
    arne_csv_close(&c);
    if (status) free(*poses), *poses = NULL;
    return status;
}
