/* SPDX-License-Identifier: MIT
 *
 * feasible.h - what `plan` and `feasible` share (cmd_feasible.c). */
#ifndef CLI_FEASIBLE_H
#define CLI_FEASIBLE_H

#include "cli/input.h"
#include "cli/out.h"

/* Nothing can be judged where nobody says what a motor can do. */
int check_torque_limits(const robot *r);

/* A motion as CSV: t, perhaps s, q, qd, qdd, tau; with `loads` motor torques and reactions too. */
typedef struct {
    arne_csv_writer *file;
    int n;
    bool path, loads;
} motion_rows;
void motion_rows_begin(const motion_rows *w);
void motion_rows_add(void *motion_rows, const arne_motion_row *r);

#endif
