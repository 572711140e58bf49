/* SPDX-License-Identifier: MIT
 *
 * feasible.h - what the command `feasible` found, and its report. */
#ifndef CLI_FEASIBLE_H
#define CLI_FEASIBLE_H

#include "cli/input.h"
#include "cli/out.h"

typedef struct {
    const robot *robot;
    motion_file *file;
    arne_data *data;
    arne_policy policy;
    arne_verdict verdict;
    arne_achievement achieved;
    arne_joint_record *joints;
} feasibility;

/* cmd_feasible.c: nothing can be judged where nobody says what a motor can do. */
int check_torque_limits(const robot *r);

/* A motion as CSV: t, perhaps s, q, qd, qdd, tau; with `loads` motor torques and reactions too. */
typedef struct {
    arne_csv_writer *file;
    int n;
    bool path, loads;
} motion_rows;
void motion_rows_begin(const motion_rows *w);
void motion_rows_add(void *motion_rows, const arne_motion_row *r);

/* print_feasible.c */
void print_feasible_text(const feasibility *f, out *o);
void print_feasible_json(const feasibility *f, out *o);

#endif
