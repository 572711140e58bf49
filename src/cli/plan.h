/* SPDX-License-Identifier: MIT
 *
 * plan.h - what the command `plan` found: the path, its fastest timing, the map of a hand's accelerations; and the report. */
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

#include "arne/plan.h"
#include "cli/input.h"
#include "cli/out.h"

typedef struct {
    const robot *robot;
    arne_log points;
    arne_wrench *wrenches;
    int nwrench;
    arne_data *data;
    arne_curve *curve;
    arne_plan *plan; /* NULL: no timing was asked for */
    double dt, uniform;
    arne_plan_records records;
    int places; /* of the map, 0: none */
    arne_map_row *map;
} planning;

/* print_plan.c */
void print_plan_text(const planning *p, out *o);
void print_plan_json(const planning *p, out *o);

#endif
