/* SPDX-License-Identifier: MIT
 *
 * feasible.h - the parts of the command `feasible`: the achieved motion, what the joints go through in it, the report. */
#ifndef CLI_FEASIBLE_H
#define CLI_FEASIBLE_H

#include "cli/input.h"
#include "cli/out.h"

/* What a joint goes through in the achieved motion. */
typedef struct {
    double torque, speed, motor;   /* largest, at the joint and at the shaft */
    double saturated;              /* s */
    double force, moment, bending; /* of the reaction in the joint's own frame; bending: normal to the axis */
    double away;                   /* from the commanded position */
    double no_stop;                /* time from which on it cannot stop before its limit, NAN: never */
} joint_record;

typedef struct {
    const robot *robot;
    motion_file *file;
    arne_data *data;
    arne_policy policy;
    arne_verdict verdict;
    double duration; /* of the achieved motion */
    double lost;     /* time from which on saturated motors cannot hold the motion, NAN: never */
    joint_record *joints;
} feasibility;

/* cmd_feasible.c: nothing can be judged where nobody says what a motor can do. */
int check_torque_limits(const robot *r);

/* achieve.c: runs the motion by the policy, fills `joints` and `duration`, writes the achieved motion to `path` (NULL: nowhere).
 */
int achieve(feasibility *f, const char *path);

/* print_feasible.c */
void print_feasible_text(const feasibility *f, out *o);
void print_feasible_json(const feasibility *f, out *o);

#endif
