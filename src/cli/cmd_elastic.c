/* SPDX-License-Identifier: MIT
 *
 * cmd_elastic.c - what elastic joints make of a motion: deflections, motor torques, the difference from rigid joints. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "arne/report.h"
#include "cli/elastic.h"

/* A motion computed: rows of count x n. */
typedef struct {
    const robot *robot;
    const elastic_motion *motion;
    double *tau_e, *tau, *theta, *thetad, *rigid;
    arne_flex_record *joints;
} elastic_run;

static const char *joint_name(const elastic_run *e, int i) { return arne_joint_name(e->robot->model, i); }
static bool is_slide(const elastic_run *e, int i) { return arne_joint_kind(e->robot->model, i) == ARNE_PRISMATIC; }
/* degrees or millimetres */
static double shown(const elastic_run *e, int i, double x) { return is_slide(e, i) ? 1000 * x : x * 180 / acos(-1); }
static double duration(const elastic_run *e) { return e->motion->t[e->motion->count - 1] - e->motion->t[0]; }
static double percent(const arne_flex_record *j) { return j->tau > 0 ? 100 * j->difference / j->tau : 0; }

static void print_text(const elastic_run *e, out *o)
{
    const elastic_motion *m = e->motion;
    out_format(o, "%s: %d samples, %.6g s\n", arne_model_name(e->robot->model), m->count, duration(e));
    if (m->fitted) {
        out_format(o, "derivatives from a spline of degree %d through ", m->fit.degree);
        if (m->fit.every > 1)
            out_format(o, "every %dth position, at most %.2g away from the others\n", m->fit.every, m->fit.deviation);
        else
            out_text(o, "the positions\n");
    }
    if (*m->fit.note) out_format(o, "note: %s\n", m->fit.note);
    out_text(o, "\nlargest values:\n");
    table t = {.columns = 8, .align = "lrlrrlrr"};
    table_cells(&t, "joint", "deflection", "", "spring", "motor", "", "elastic - rigid", "% of motor");
    for (int i = 0; i < m->n; i++) {
        const arne_flex_record *j = &e->joints[i];
        table_cell(&t, joint_name(e, i));
        table_number(&t, shown(e, i, j->deflection));
        table_cell(&t, is_slide(e, i) ? "mm" : "deg");
        table_number(&t, j->tau_e, j->tau);
        table_cell(&t, is_slide(e, i) ? "N" : "Nm");
        table_number(&t, j->difference);
        table_format(&t, "%.3g", percent(j));
    }
    table_print(&t, "  ", o);
}

static void print_json(const elastic_run *e, out *o)
{
    const elastic_motion *m = e->motion;
    json_open(o, NULL, '{');
    json_members(o, NUMBER("samples", m->count), NUMBER("duration", duration(e)));
    if (m->fitted)
        json_object(o, "fit", NUMBER("degree", m->fit.degree), NUMBER("every", m->fit.every),
                    NUMBER("deviation", m->fit.deviation));
    else
        json_string(o, "fit", NULL);
    json_string(o, "note", *m->fit.note ? m->fit.note : NULL);
    json_open(o, "joints", '[');
    for (int i = 0; i < m->n; i++) {
        const arne_flex_record *j = &e->joints[i];
        json_object(o, NULL, TEXT("name", joint_name(e, i)), NUMBER("max_deflection", j->deflection),
                    NUMBER("peak_tau_e", j->tau_e), NUMBER("peak_tau", j->tau), NUMBER("peak_rigid", j->rigid),
                    NUMBER("max_difference", j->difference), NUMBER("difference_percent", percent(j)));
    }
    out_text(o, "]}\n");
}

/* ---- files ---- */

static void write_rows(const elastic_run *e, arne_csv_writer *w)
{
    static const char *const names[] = {"q", "qd", "tau", "theta", "thetad", "tau_e", "rigid"};
    enum { GROUPS = sizeof names / sizeof *names };
    const int n = e->motion->n;
    arne_csv_name(w, "t");
    for (int g = 0; g < GROUPS; g++) arne_csv_names(w, names[g], n);
    for (size_t k = 0; k < (size_t)e->motion->count && arne_csv_end_row(w); k++) {
        const size_t at = k * (size_t)n;
        const double *x = e->motion->x + 5 * at;
        const double *const groups[GROUPS] = {x, x + n, e->tau + at, e->theta + at, e->thetad + at, e->tau_e + at, e->rigid + at};
        arne_csv_numbers(w, &e->motion->t[k], 1);
        for (int g = 0; g < GROUPS; g++) arne_csv_numbers(w, groups[g], n);
    }
    arne_csv_end_row(w);
}

static int write_csv(const elastic_run *e, const char *path, const out *said)
{
    arne_csv_writer *w;
    arne_error error = {0};
    if (is_json_name(path))
        return misuse("--out %s: the rows are CSV and the JSON file beside them has this name; choose another", path);
    if (arne_csv_create(path, 0, &w, &error)) return say_error(&error);
    write_rows(e, w);
    return finish_told(w, e->robot, (arne_about){.kind = "elastic", .title = "elastic joints", .duration = duration(e)}, said);
}

/* ---- the command ---- */

static int report(const arguments *a, const elastic_run *e)
{
    const char *rows = option_value(a, "out"), *plot = option_value(a, "plot");
    out o = {0};
    (option_json(a) ? print_json : print_text)(e, &o);
    int status = rows ? write_csv(e, rows, &o) : CLI_OK;
    const arne_elastic_plot drawn = {e->motion->count, e->motion->t, e->motion->x, e->theta, e->tau, e->rigid};
    arne_error error = {0};
    if (!status && plot) status = checked(arne_plot_elastic(e->robot->model, &drawn, plot, &error), &error);
    if (!status) status = out_write(&o, false);
    out_free(&o);
    return status;
}

static int examine(const arguments *a, elastic_run *e, arne_flex *flex, arne_data *rigid)
{
    const elastic_motion *m = e->motion;
    const size_t size = (size_t)m->count * (size_t)m->n;
    double *numbers = malloc((5 * size + 1) * sizeof *numbers);
    e->joints = calloc((size_t)m->n + 1, sizeof *e->joints);
    int status = numbers && e->joints ? CLI_OK : no_memory();
    if (!status) {
        double **const part[] = {&e->tau_e, &e->tau, &e->theta, &e->thetad, &e->rigid};
        for (size_t k = 0; k < sizeof part / sizeof *part; k++) *part[k] = numbers + k * size;
        /* rigid joints keep their rotors: with --rigid only friction goes, as on the elastic side */
        arne_set_rotors(arne_data_settings(rigid), true);
        arne_set_wrenches(arne_data_settings(rigid), m->file.wrenches, m->file.nwrench);
        arne_set_wrenches(arne_flex_settings(flex), m->file.wrenches, m->file.nwrench);
        arne_error error = {0};
        const arne_flex_torques to = {
            .size = sizeof to, .tau_e = e->tau_e, .tau = e->tau, .theta = e->theta, .dtheta = e->thetad};
        if (arne_flex_motion(flex, rigid, m->count, m->t, m->x, &to, e->rigid, e->joints, &error))
            status = complain_at(m->file.log.name, 0, "%s", error.message);
    }
    if (!status) status = report(a, e);
    free(e->joints);
    free(numbers);
    return status;
}

static int open_and_examine(const robot *r, arne_data *d, void *unused)
{
    (void)unused;
    arne_flex *flex = NULL;
    elastic_motion m = {0};
    elastic_run e = {.robot = r, .motion = &m};
    int status = elastic_open(r, &flex);
    if (!status) status = elastic_motion_open(r->arguments, r, &m);
    if (!status) status = examine(r->arguments, &e, flex, d);
    elastic_motion_close(&m);
    arne_flex_free(flex);
    return status;
}

static int run(const arguments *a) { return with_robot(a, a->words[0], open_and_examine, NULL); }

static const option options[] = {
    {"in", "FILE", false, "the motion of the links, CSV with a header; - is standard input"},
    {"degree", "7|9", false, "of the spline through the positions, where the file has no derivatives; default 7"},
    {"dt", "SECONDS", false, "the interval of the rows, where there is no column t"},
    INPUT_DEGREES_OPTION,
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
    ONE_ROBOT,
    .example = "  awk 'BEGIN { print \"t,q1,q2,q3,q4,q5,q6,q7\"; for (k = 0; k <= 400; k++) { x = k / 400;\n"
               "    s = x^4 * (35 - 84 * x + 70 * x^2 - 20 * x^3); printf \"%.2f\", 4 * x;\n"
               "    for (j = 1; j <= 7; j++) printf \",%.15g\", s * (j % 2 ? 3 : -3.5); print \"\" } }' > motion.csv\n"
               "  @ elastic kuka-lwr --in motion.csv\n",
    .run = run,
};
