/* SPDX-License-Identifier: MIT
 *
 * plan.h - the parts of the command `plan`: the path, its fastest timing, the map of a hand's accelerations, the report. */
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

#include "cli/input.h"
#include "cli/out.h"

/* Directions of the map: along the path of the hand, to its side, against and with gravity. */
#define MAP_DIRECTIONS(X)                                                                                                        \
    X(FORWARD, "forward") X(BACKWARD, "backward") X(LEFT, "left") X(RIGHT, "right") X(UP, "up") X(DOWN, "down")
#define MAP_ENUM(id, name) MAP_##id,
typedef enum { MAP_DIRECTIONS(MAP_ENUM) MAP_COUNT } map_direction;
#undef MAP_ENUM
extern const char *const map_names[MAP_COUNT];

/* What a joint goes through. */
typedef struct {
    double torque, motor, speed; /* largest, at the joint and at the shaft */
} plan_joint;

typedef struct {
    const robot *robot;
    arne_log points;
    arne_wrench *wrenches;
    int nwrench;
    arne_data *data;
    arne_curve *curve;
    arne_plan *plan; /* NULL: no timing was asked for */
    double dt, uniform;
    double active;      /* part of the time at which some limit is used to 99 % */
    double *share;      /* ARNE_LIMIT_COUNT x dof: the same for each limit */
    plan_joint *joints; /* dof */
    bool mapped;
    double least[MAP_COUNT], where[MAP_COUNT]; /* of the map; -INFINITY: somewhere no torques will do; point of the path */
} planning;

/* plan_map.c: writes the map to the file of --map */
int plan_map(const arguments *a, planning *p);
/* print_plan.c */
void print_plan_text(const planning *p, out *o);
void print_plan_json(const planning *p, out *o);

#endif
