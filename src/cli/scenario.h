/* SPDX-License-Identifier: MIT
 *
 * scenario.h - scenario files of commands: found by name, with --set, and with what varies drawn by --seed. */
#ifndef CLI_SCENARIO_H
#define CLI_SCENARIO_H

#include "arne/scenario.h"
#include "cli/cli.h"

typedef struct {
    char *path;
    const char **settings;
    arne_scenario_options options;
    uint64_t seed;
} scenario_given;

int scenario_take(const arguments *a, scenario_given *g); /* the first word, --set, --seed */
void scenario_drop(scenario_given *g);
void print_scenarios(FILE *to); /* the shipped ones */

#endif
