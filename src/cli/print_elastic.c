/* SPDX-License-Identifier: MIT
 *
 * print_elastic.c - what elastic joints do in a motion, for people and for programs, and as a table of rows. */
#include <math.h>
#include <stdio.h>

#include "cli/elastic.h"

static const char *joint_name(const elastic_run *e, int i) { return arne_joint_name(e->robot->model, i); }
static bool is_slide(const elastic_run *e, int i) { return arne_joint_kind(e->robot->model, i) == ARNE_PRISMATIC; }
/* degrees or millimetres */
static double shown(const elastic_run *e, int i, double x) { return is_slide(e, i) ? 1000 * x : x * 180 / acos(-1); }
static double duration(const elastic_run *e) { return e->motion->t[e->motion->count - 1] - e->motion->t[0]; }
static double percent(const arne_flex_record *j) { return j->tau > 0 ? 100 * j->difference / j->tau : 0; }

void print_elastic_text(const elastic_run *e, out *o)
{
    static const char *const heads[] = {"joint", "deflection", "", "spring", "motor", "", "elastic - rigid", "% of motor"};
    enum { COLUMNS = sizeof heads / sizeof *heads };
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
    table t = {.columns = COLUMNS, .align = "lrlrrlrr"};
    for (int k = 0; k < COLUMNS; k++) table_cell(&t, heads[k]);
    for (int i = 0; i < m->n; i++) {
        const arne_flex_record *j = &e->joints[i];
        table_cell(&t, joint_name(e, i));
        table_number(&t, shown(e, i, j->deflection));
        table_cell(&t, is_slide(e, i) ? "mm" : "deg");
        table_number(&t, j->tau_e);
        table_number(&t, j->tau);
        table_cell(&t, is_slide(e, i) ? "N" : "Nm");
        table_number(&t, j->difference);
        char text[32];
        snprintf(text, sizeof text, "%.3g", percent(j));
        table_cell(&t, text);
    }
    table_print(&t, "  ", o);
}

void print_elastic_json(const elastic_run *e, out *o)
{
    const elastic_motion *m = e->motion;
    json_open(o, NULL, '{');
    json_number(o, "samples", m->count);
    json_number(o, "duration", duration(e));
    if (m->fitted) {
        json_open(o, "fit", '{');
        json_number(o, "degree", m->fit.degree);
        json_number(o, "every", m->fit.every);
        json_number(o, "deviation", m->fit.deviation);
        json_close(o, '}');
    } else
        json_string(o, "fit", NULL);
    json_string(o, "note", *m->fit.note ? m->fit.note : NULL);
    json_open(o, "joints", '[');
    for (int i = 0; i < m->n; i++) {
        const arne_flex_record *j = &e->joints[i];
        json_open(o, NULL, '{');
        json_string(o, "name", joint_name(e, i));
        json_number(o, "max_deflection", j->deflection);
        json_number(o, "peak_tau_e", j->tau_e);
        json_number(o, "peak_tau", j->tau);
        json_number(o, "peak_rigid", j->rigid);
        json_number(o, "max_difference", j->difference);
        json_number(o, "difference_percent", percent(j));
        json_close(o, '}');
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

int write_elastic_csv(const elastic_run *e, const char *robot_name, const char *path)
{
    arne_csv_writer *w;
    arne_error error = {0};
    if (is_json_name(path))
        return misuse("--out %s: the rows are CSV and the JSON file beside them has this name; choose another", path);
    if (arne_csv_create(path, 0, &w, &error)) return say_error(&error);
    write_rows(e, w);
    if (arne_csv_finish(w, ARNE_OK, &error)) return say_error(&error);
    return tell_about("elastic", "elastic joints", robot_name, e->robot->model, duration(e), path);
}
