/* SPDX-License-Identifier: MIT
 *
 * cmd_elastic.c - what elastic joints make of a motion: deflections, motor torques, the difference from rigid joints. */
#include <stdlib.h>

#include "arne/report.h"
#include "cli/elastic.h"

static int report(const arguments *a, const elastic_run *e, bool json)
{
    const char *rows = option_value(a, "out"), *plot = option_value(a, "plot");
    int status = rows ? write_elastic_csv(e, a->words[0], rows) : CLI_OK;
    const arne_elastic_plot drawn = {e->motion->count, e->motion->t, e->motion->x, e->theta, e->tau, e->rigid};
    arne_error error = {0};
    if (!status && plot) status = checked(arne_plot_elastic(e->robot->model, &drawn, plot, &error), &error);
    if (status) return status;
    out o = {0};
    (json ? print_elastic_json : print_elastic_text)(e, &o);
    return out_finish(&o, false);
}

static int examine(const arguments *a, elastic_run *e, arne_flex *flex, bool json)
{
    const elastic_motion *m = e->motion;
    const size_t size = (size_t)m->count * (size_t)m->n;
    double *numbers = malloc((5 * size + 1) * sizeof *numbers);
    e->joints = calloc((size_t)m->n + 1, sizeof *e->joints);
    arne_data *rigid = numbers && e->joints ? robot_data(e->robot) : NULL;
    int status = numbers && e->joints ? rigid ? CLI_OK : CLI_FAILED : no_memory();
    if (!status) {
        double **const part[] = {&e->tau_e, &e->tau, &e->theta, &e->thetad, &e->rigid};
        for (size_t k = 0; k < sizeof part / sizeof *part; k++) *part[k] = numbers + k * size;
        /* rigid joints keep their rotors: with --rigid only friction goes, as on the elastic side */
        arne_set_rotors(rigid, true);
        arne_set_wrenches(rigid, m->wrenches, m->nwrench);
        arne_set_wrenches(arne_flex_links(flex), m->wrenches, m->nwrench);
        arne_error error = {0};
        const arne_flex_torques to = {.tau_e = e->tau_e, .tau = e->tau, .theta = e->theta, .dtheta = e->thetad};
        if (arne_flex_motion(flex, rigid, m->count, m->t, m->x, &to, e->rigid, e->joints, &error))
            status = complain_at(m->name, 0, "%s", error.message);
    }
    if (!status) status = report(a, e, json);
    arne_data_free(rigid);
    free(e->joints);
    free(numbers);
    return status;
}

static int run(const arguments *a)
{
    const int format = option_json(a);
    if (format < 0) return CLI_MISUSED;
    robot r;
    int status = robot_open(a, a->words[0], &r);
    if (status) return status;
    arne_flex *flex = NULL;
    elastic_motion m = {0};
    elastic_run e = {.robot = &r, .motion = &m};
    status = elastic_open(&r, &flex);
    if (!status) {
        status = elastic_motion_open(a, &r, &m);
        if (!status) status = examine(a, &e, flex, format == 1);
        elastic_motion_close(&m);
    }
    arne_flex_free(flex);
    robot_close(&r);
    return status;
}

static const option options[] = {
    {"in", "FILE", false, "the motion of the links, CSV with a header; - is standard input"},
    {"degree", "7|9", false, "of the spline through the positions, where the file has no derivatives; default 7"},
    {"dt", "SECONDS", false, "the interval of the rows, where there is no column t"},
    {"out", "FILE", false,
     "CSV: t, q, qd, tau (motor torques behind the gears), theta, thetad (motors), tau_e (springs), rigid (torques of rigid "
     "joints); and a JSON file of the same name"},
    {"plot", "FILE", false, "positions, velocities, deflections, torques, difference from rigid joints: SVG (needs gnuplot)"},
    INPUT_WRENCH_OPTIONS,
    {"format", "text|json", false, "for people or for programs"},
    {0},
};

const command command_elastic = {
    .name = "elastic",
    .synopsis = "ROBOT --in FILE [--degree 7|9] [--out FILE] [--plot FILE]",
    .brief = "Motor torques and deflections of elastic joints for a motion of the links",
    .text = "Columns of FILE: t; q1 ... qn, or q.JOINT; perhaps qd1 ... qdddd1 ..., all four or they are not used. Without them\n"
            "a spline through the positions has the derivatives; where it cannot, because one of them jumps or the positions\n"
            "are too coarse, the command says which and where.\n"
            "\n"
            "Every joint needs a spring and a rotor: elastic: {stiffness: 1000}, motor: {inertia: 1e-4, gear: 100} in the robot\n"
            "file. The table: largest deflection (degrees or mm), torque of the spring, torque of the motor behind its gear,\n"
            "largest difference of that from the torque of rigid joints and its part of the motor's peak.\n",
    .options = options,
    .more_options = robot_options,
    .min_words = 1,
    .max_words = 1,
    .word = "ROBOT",
    .example = "  awk 'BEGIN { print \"t,q1,q2,q3,q4,q5,q6,q7\"; for (k = 0; k <= 400; k++) { x = k / 400;\n"
               "    s = x^4 * (35 - 84 * x + 70 * x^2 - 20 * x^3); printf \"%.2f\", 4 * x;\n"
               "    for (j = 1; j <= 7; j++) printf \",%.15g\", s * (j % 2 ? 3 : -3.5); print \"\" } }' > motion.csv\n"
               "  @ elastic kuka-lwr --in motion.csv\n",
    .run = run,
};
