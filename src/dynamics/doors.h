/* SPDX-License-Identifier: MIT
 *
 * doors.h - doors to double texts for robots whose joints may follow others. */
#ifndef DYNAMICS_DOORS_H
#define DYNAMICS_DOORS_H

#include "dynamics/data.h"
#include "kind/kinds.h"

/* Positions and velocities of all joints where some follow others, else x itself: where a text takes them. which: 0 ... 3. */
static inline const double *all_q(const arne_data *d, const double *q)
{
    const robot *r = d->settings->robot;
    if (r->nfollow) arne__text_follow(r, q, 1, d->work.all);
    return r->nfollow ? d->work.all : q;
}
static inline const double *all_v(const arne_data *d, int which, const double *x)
{
    const robot *r = d->settings->robot;
    double *all = d->work.all + r->nq + which * r->nv;
    if (r->nfollow) arne__text_follow(r, x, 0, all);
    return r->nfollow ? all : x;
}
/* where a text puts the result y of this shape, and what is done with it then */
static inline double *all_y(const arne_data *d, row_shape shape, double *y)
{
    const robot *r = d->settings->robot;
    return r->nfollow && (shape.by_row || shape.by_column) ? d->work.all + r->nq + 4 * r->nv : y;
}
static inline void lead(const arne_data *d, row_shape shape, double *y)
{
    double *all = all_y(d, shape, y);
    if (all != y) arne__text_lead(d->settings->robot, shape.rows, shape.columns, shape.by_row, shape.by_column, all, y);
}
#define AS_IT_IS(d) ((row_shape){0})
#define TORQUES(d) ((row_shape){(d)->settings->robot->nv, 1, true, false})
#define SQUARE(d) ((row_shape){(d)->settings->robot->nv, (d)->settings->robot->nv, true, true})
#define JACOBIAN(d) ((row_shape){6, (d)->settings->robot->nv, false, true})
#define REGRESSOR(d) ((row_shape){(d)->settings->robot->nv, 11 * (d)->settings->robot->n, true, false})

/* A double text of the robot of d with these arguments, and y as the last: ARNE_BAD_ARGUMENT where something is missing. */
#define TEXT_DOOR(d, there, name, shape, y, ...)                                                                                 \
    ((d) && (there)                                                                                                              \
         ? (TEXT_OF(d, name)((d)->settings->robot, &(d)->work, __VA_ARGS__, all_y(d, shape, y)), lead(d, shape, y), ARNE_OK)     \
         : ARNE_BAD_ARGUMENT)

#endif
