/* SPDX-License-Identifier: MIT
 *
 * work.c - work memory of a thread, laid out in one block. */
#include "algo/screws.h"
#include "algo/texts.h"
#include "base/layout.h"

size_t EXPORT(work)(robot_counts of_robot, void *memory, work *k)
{
    const size_t n = (size_t)of_robot.n, nv = (size_t)of_robot.nv, padded = turns_padded(of_robot.nq);
    size_t used = 0;
    k->evaluate = arne__machine_turns();
    k->s = layout_next(memory, &used, padded, sizeof(num));
    k->c = layout_next(memory, &used, padded, sizeof(num));
    k->link = layout_next(memory, &used, n, sizeof(link_state));
    k->passed = layout_next(memory, &used, n, sizeof(passed_state));
    k->wide = layout_next(memory, &used, (size_t)of_robot.nwide, sizeof(wide_state));
    k->force = layout_next(memory, &used, n, sizeof(vec3));
    k->moment = layout_next(memory, &used, n, sizeof(vec3));
    k->row = layout_next(memory, &used, nv, sizeof(num));
    k->column = layout_next(memory, &used, nv, sizeof(num));
    k->matrix = layout_next(memory, &used, nv * nv, sizeof(num));
    const size_t most = nv * (11 * n > 4 * nv ? 11 * n : 4 * nv) + 12; /* the largest is the regressor, or a derivative */
    k->all = layout_next(memory, &used, of_robot.nfollow ? (size_t)of_robot.nq + 4 * nv + most : 0, sizeof(num));
    k->kept = layout_next(memory, &used, n, sizeof(kept_state));
    k->screws = layout_next(memory, &used, (size_t)screws_room(of_robot.nv), sizeof(num));
    k->columns = layout_next(memory, &used, 3 * nv * COLUMNS, sizeof(num));
    return used;
}
