/* SPDX-License-Identifier: MIT
 *
 * robot.c - where the parts of a robot stand in its block, and the robot in doubles read by the other kinds. */
#include "model/robot.h"

#include <string.h>

#include "base/layout.h"

static size_t take(size_t *used, size_t bytes)
{
    const size_t at = *used;
    *used += layout_aligned(bytes);
    return at;
}

void arne__robot_place(robot_counts n, bool coupled, robot_sizes size, robot_places *at)
{
    const size_t v = (size_t)n.nv;
    size_t used = 0;
    take(&used, size.head + (size_t)n.n * size.link);
    at->base_at = take(&used, (size_t)at->nbase * size.base);
    at->frame_at = take(&used, (size_t)at->nframe * size.frame);
#define MOTORS(field, squares, role, name) at->field##_at = coupled ? take(&used, (squares == 2 ? v * v : v) * size.constant) : 0;
#include "model/robot.def"
    at->turns_at = take(&used, turns_padded(n.nq) * (2 * sizeof(double) + sizeof(long long)));
    at->chain_at = take(&used, 4 * v * sizeof(int));
    at->point_at = take(&used, (size_t)at->npoint * sizeof(robot_pair));
    at->wrench_at = take(&used, (size_t)at->most_wrenches * sizeof(arne_wrench));
    at->follow_at = take(&used, n.nfollow ? (size_t)(n.nq + n.nv) * sizeof(robot_follower) : 0);
    at->bytes = used;
}

robot_counts arne__robot_counts(const void *doubles) { return robot_count(doubles); }

const robot_places *arne__robot_places(const void *doubles) { return &((const robot *)doubles)->at; }

link_integers arne__robot_integers(const void *doubles, int i)
{
    const robot_link *l = &((const robot *)doubles)->link[i];
    return (link_integers){
#define INTEGER(field) .field = l->field,
#include "model/robot.def"
    };
}

int arne__robot_body(const void *doubles, int frame) { return robot_frame(doubles, frame)->body; }

/* one of `count` numbers that begin at x */
#define NUMBER_1(x) (x)
#define NUMBER_3(x) (x)[index]
#define NUMBER_6(x) (x)[index]
#define NUMBER_9(x) (x)[index]

/* clang-format off */
double arne__robot_constant(const void *doubles, robot_row row, int i, int index)
{
    const robot *r = doubles;
    switch (row) {
#define LINK(field, count, role, names) case ROBOT_LINK_##field: return NUMBER_##count(r->link[i].field);
#define BASE(field, count, role, names) case ROBOT_BASE_##field: return NUMBER_##count(robot_base(r, i)->field);
#define FRAME(field, count, role, names) case ROBOT_FRAME_##field: return NUMBER_##count(robot_frame(r, i)->field);
#define WHOLE(field, count, role, names) case ROBOT_WHOLE_##field: return NUMBER_##count(r->field);
#define MOTORS(field, squares, role, name) \
    case ROBOT_MOTORS_##field: return robot_##field(r)[squares == 2 ? i * r->nv + index : index];
#include "model/robot.def"
    default: return 0;
    }
}
/* clang-format on */

static const struct {
    robot_role role;
    const char *names;
} rows[ROBOT_ROWS] = {
#define LINK(field, count, role, names) {ROBOT_##role, names},
#define BASE LINK
#define FRAME LINK
#define WHOLE LINK
#define CENTRAL LINK
#define MOTORS(field, squares, role, name) {ROBOT_##role, name},
#include "model/robot.def"
};

robot_role arne__robot_role(robot_row row) { return rows[row].role; }

void arne__robot_name(robot_row row, int index, char name[16])
{
    const char *at = rows[row].names;
    for (; index > 0 && strchr(at, ' '); index--) at = strchr(at, ' ') + 1;
    const size_t length = strcspn(at, " ");
    memcpy(name, at, length);
    name[length] = 0;
}
