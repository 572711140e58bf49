/* SPDX-License-Identifier: MIT
 *
 * scenario.c - the scenario file that a command is given. */
#include "cli/scenario.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int scenario_take(const arguments *a, scenario_given *g)
{
    double seed = 1;
    arne_error error = {0};
    *g = (scenario_given){.settings = calloc((size_t)a->noption + 1, sizeof *g->settings), .options.size = sizeof g->options};
    if (!g->settings) return no_memory();
    for (int i = 0; i < a->noption; i++)
        if (!strcmp(a->options[i].name, "set")) g->settings[g->options.nsetting++] = a->options[i].value;
    g->options.settings = g->settings;
    int status = option_number(a, "seed", 0, true, 0x1p53, "a whole number", &seed);
    if (!status && seed != rint(seed)) status = misuse("--seed takes a whole number");
    g->seed = (uint64_t)seed;
    return status ? status : checked(arne_scenario_find(a->words[0], &g->path, &error), &error);
}

void scenario_drop(scenario_given *g)
{
    free(g->path);
    free(g->settings);
}

void print_scenarios(FILE *to)
{
    arne_robot_place *list;
    size_t count;
    if (arne_scenarios(&list, &count, NULL) || !count) return;
    fputs("Shipped scenarios:", to);
    for (size_t i = 0; i < count; i++) fprintf(to, " %s", list[i].name);
    fputs(".\n", to);
    arne_robots_free(list, count);
}
