/* SPDX-License-Identifier: MIT
 *
 * robot_of.c - the robot of a kind from the robot in doubles, row by row of robot.def. */
#include "model/robot.h"

#include <string.h>

#define ARRAY_1(x) (&(x))
#define ARRAY_3(x) (x)
#define ARRAY_6(x) (x)
#define ARRAY_9(x) (x)

size_t EXPORT(robot_of)(const void *doubles, void *memory, EXPORT(robot_maker) * make, void *context)
{
    const robot_counts n = arne__robot_counts(doubles);
    const robot_places *from = arne__robot_places(doubles);
    robot_places at = *from;
    arne__robot_place(n, from->drive_at != 0, ROBOT_SIZES, &at);
    if (!memory) return at.bytes;
    robot *r = memory;
    *r = (robot){n.n, n.nq, n.nv, n.nwrench, n.friction, n.rotors, n.nwide, n.nfollow, .at = at};

#define NUMBERS(row, i, count, to)                                                                                               \
    for (int k = 0; k < count; k++) {                                                                                            \
        const double value = arne__robot_constant(doubles, row, i, k);                                                           \
        (to)[k] = make ? make(context, row, i, k, value) : CAT(KIND, _con)(value);                                               \
    }
#define WHOLE(field, count, role, names) NUMBERS(ROBOT_WHOLE_##field, 0, count, ARRAY_##count(r->field))
#include "model/robot.def"
    for (int i = 0; i < n.n; i++) {
        robot_link *l = &r->link[i];
        const link_integers integer = arne__robot_integers(doubles, i);
#define INTEGER(field) l->field = integer.field;
#define LINK(field, count, role, names) NUMBERS(ROBOT_LINK_##field, i, count, ARRAY_##count(l->field))
#include "model/robot.def"
    }
    for (int i = 0; i < at.nbase; i++) {
        base_frame *b = (base_frame *)(void *)((char *)memory + at.base_at) + i;
#define BASE(field, count, role, names) NUMBERS(ROBOT_BASE_##field, i, count, b->field)
#include "model/robot.def"
    }
    for (int i = 0; i < at.nframe; i++) {
        named_frame *f = (named_frame *)(void *)((char *)memory + at.frame_at) + i;
        f->body = arne__robot_body(doubles, i);
#define FRAME(field, count, role, names) NUMBERS(ROBOT_FRAME_##field, i, count, f->field)
#include "model/robot.def"
    }
#define MOTORS(field, squares, role, name)                                                                                       \
    for (int i = 0; i < (squares == 2 ? n.nv : 1) && at.field##_at; i++) {                                                       \
        par *row = (par *)(void *)((char *)memory + at.field##_at) + i * n.nv;                                                   \
        NUMBERS(ROBOT_MOTORS_##field, i, n.nv, row)                                                                              \
    }
#include "model/robot.def"
    memcpy((char *)memory + at.turns_at, (const char *)doubles + from->turns_at, at.bytes - at.turns_at);
    return at.bytes;
}

size_t EXPORT(robot_copy)(const void *doubles, void *memory) { return EXPORT(robot_of)(doubles, memory, NULL, NULL); }
