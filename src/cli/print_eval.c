/* SPDX-License-Identifier: MIT
 *
 * print_eval.c - a row of results as JSON, as CSV, or as tables for people, by the shapes of its quantities. */
#include <stdio.h>
#include <string.h>

#include "cli/quantity.h"

static void json_part(const char *key, const part *p, const evaluation *e, const double *x, out *o)
{
    const int rows = axis_size(p->rows, e), columns = axis_size(p->columns, e);
    if (p->rows == ARNE_AXIS_ONE) {
        json_number(o, key, *x);
    } else if (p->columns == ARNE_AXIS_ONE) {
        json_numbers(o, key, x, rows);
    } else {
        json_open(o, key, '[');
        for (int i = 0; i < rows; i++) {
            if (p->columns == ARNE_AXIS_PAIRS)
                json_part(NULL, &(part){NULL, ARNE_AXIS_JOINTS, ARNE_AXIS_JOINTS}, e, x + i * columns, o);
            else if (p->columns != AXIS_MEMBERS)
                json_numbers(o, NULL, x + i * columns, columns);
            else if (x[i] != 0)
                json_string(o, NULL, axis_label(p->rows, e, i));
        }
        json_close(o, ']');
    }
}

static void json_quantity(const quantity *q, const evaluation *e, const double *x, out *o)
{
    if (!q->parts[0].name) {
        json_part(q->name, &q->parts[0], e, x, o);
        return;
    }
    json_open(o, q->name, '{');
    for (int k = 0; k < q->nparts; k++) {
        const part *p = &q->parts[k];
        json_part(p->name, p, e, x, o);
        x += axis_size(p->rows, e) * axis_size(p->columns, e);
    }
    json_close(o, '}');
}

void print_json(const evaluation *e, const quantity *wanted, double **results, int count, const double *t, out *o)
{
    json_open(o, NULL, '{');
    if (t) json_number(o, "t", *t);
    for (int i = 0; i < count; i++) json_quantity(&wanted[i], e, results[i], o);
    out_text(o, "}\n");
}

/* mass.JOINT.JOINT, energy.kinetic, pose.position.x ... */
static void csv_name(const quantity *q, const part *p, const evaluation *e, int i, int j, out *o)
{
    char name[512];
    int n = snprintf(name, sizeof name, "%s", q->name);
    const bool pairs = p->columns == ARNE_AXIS_PAIRS, none = p->columns == ARNE_AXIS_ONE || p->columns == AXIS_MEMBERS;
    const int joints = axis_size(ARNE_AXIS_JOINTS, e);
    const char *const more[] = {p->name, p->rows == ARNE_AXIS_ONE ? NULL : axis_label(p->rows, e, i),
                                pairs ? axis_label(ARNE_AXIS_JOINTS, e, j / joints) : NULL,
                                pairs  ? axis_label(ARNE_AXIS_JOINTS, e, j % joints)
                                : none ? NULL
                                       : axis_label(p->columns, e, j)};
    for (int k = 0; k < 4; k++)
        if (more[k] && n < (int)sizeof name) n += snprintf(name + n, sizeof name - (size_t)n, ".%s", more[k]);
    out_csv_name(o, name);
}

/* A comma where a field stands before. */
static void comma(out *o)
{
    if (o->length && o->s[o->length - 1] != '\n') out_text(o, ",");
}

void print_csv_header(const evaluation *e, const quantity *wanted, int count, const double *t, out *o)
{
    if (t) out_text(o, "t");
    for (int k = 0; k < count; k++)
        for (const part *p = wanted[k].parts; p < wanted[k].parts + wanted[k].nparts; p++)
            for (int i = 0; i < axis_size(p->rows, e); i++)
                for (int j = 0; j < axis_size(p->columns, e); j++) {
                    comma(o);
                    csv_name(&wanted[k], p, e, i, j, o);
                }
    out_text(o, "\n");
}

void print_csv(const evaluation *e, const quantity *wanted, double **results, int count, const double *t, out *o)
{
    if (t) out_number(o, *t);
    for (int k = 0; k < count; k++)
        for (int i = 0, n = quantity_size(&wanted[k], e); i < n; i++) {
            comma(o);
            out_number(o, results[k][i]);
        }
    out_text(o, "\n");
}

/* Of joints that turn, that slide; a quantity of others: NULL. */
static const char *const *units(const char *name)
{
    static const char *const all[][3] = {{"id", "Nm", "N"},      {"fd", "rad/s^2", "m/s^2"},     {"bias", "Nm", "N"},
                                         {"gravity", "Nm", "N"}, {"coriolis_vector", "Nm", "N"}, {"ctqd", "Nm", "N"},
                                         {"star", "Nm", "N"},    {"friction", "Nm", "N"},        {"momentum", "Nm s", "N s"},
                                         {"motor", "Nm", "Nm"}};
    const int k = NAME_FIND(all, sizeof all / sizeof *all, name);
    return k < 0 ? NULL : all[k] + 1;
}

/* What a part is measured in, where that is one unit for all of it. */
static const char *unit_of(const quantity *q, const part *p)
{
    if (!strcmp(q->name, "energy")) return " [J]";
    if (p->name && !strcmp(p->name, "position")) return " [m]";
    if (p->name && !strcmp(p->name, "velocity")) return " [m/s]";
    if (p->name && !strcmp(p->name, "mass")) return " [kg]";
    if (p->name && !strcmp(p->name, "momentum")) return " [kg m/s, kg m^2/s]";
    if (!strcmp(q->name, "velocity")) return " [m/s, rad/s]";
    if (!strcmp(q->name, "acceleration")) return " [m/s^2, rad/s^2]";
    if (!strcmp(q->name, "joint_wrenches")) return " [N, Nm]";
    return "";
}

static bool per_joint(const quantity *q)
{
    return !q->parts[0].name && q->parts[0].rows == ARNE_AXIS_JOINTS && q->parts[0].columns == ARNE_AXIS_ONE;
}

/* All vectors over the joints side by side. */
static void text_vectors(const arne_model *m, const quantity *wanted, double **results, int count, out *o)
{
    table t = {.columns = 1};
    for (int k = 0; k < count; k++) t.columns += per_joint(&wanted[k]);
    if (t.columns == 1) return;
    table_cell(&t, "joint");
    for (int k = 0; k < count; k++)
        if (per_joint(&wanted[k])) table_cell(&t, wanted[k].name);
    table_cell(&t, "");
    for (int k = 0; k < count; k++) {
        const char *const *u = units(wanted[k].name);
        if (per_joint(&wanted[k])) table_unit(&t, m, u ? u[0] : "-", u ? u[1] : "-");
    }
    for (int i = 0; i < arne_model_dof(m); i++) {
        table_cell(&t, arne_velocity_name(m, i));
        for (int k = 0; k < count; k++)
            if (per_joint(&wanted[k])) table_number(&t, results[k][i]);
    }
    table_print(&t, "  ", o);
}

static void text_part(const part *p, const evaluation *e, const double *x, out *o)
{
    int rows = axis_size(p->rows, e), columns = axis_size(p->columns, e);
    if (p->columns == AXIS_MEMBERS) {
        bool none = true;
        for (int i = 0; i < rows; i++)
            if (x[i] != 0) out_format(o, "  %s", axis_label(p->rows, e, i)), none = false;
        out_text(o, none ? "  none\n" : "\n");
        return;
    }
    if (p->columns == ARNE_AXIS_ONE) { /* a scalar or a short vector: one line */
        for (int i = 0; i < rows; i++)
            out_format(o, "  %s%s%.6g", axis_label(p->rows, e, i), p->rows == ARNE_AXIS_ONE ? "" : " ", x[i]);
        out_text(o, "\n");
        return;
    }
    out_text(o, "\n");
    if (p->columns == ARNE_AXIS_PAIRS) { /* a matrix each */
        for (int i = 0; i < rows; i++) {
            out_format(o, "    of the torque of %s", axis_label(p->rows, e, i));
            text_part(&(part){NULL, ARNE_AXIS_JOINTS, ARNE_AXIS_JOINTS}, e, x + i * columns, o);
        }
        return;
    }
    table t = {.columns = columns + 1};
    table_cell(&t, "");
    for (int j = 0; j < columns; j++) table_cell(&t, axis_label(p->columns, e, j));
    for (int i = 0; i < rows; i++) {
        table_cell(&t, axis_label(p->rows, e, i));
        for (int j = 0; j < columns; j++) table_number(&t, x[i * columns + j]);
    }
    table_print(&t, "    ", o);
}

void print_text(const evaluation *e, const quantity *wanted, double **results, int count, long row, const double *t, out *o)
{
    const arne_model *m = e->robot->model;
    out_format(o, "row %ld", row);
    if (t) out_format(o, "  t = %.6g s", *t);
    out_text(o, "\n");
    text_vectors(m, wanted, results, count, o);
    for (int k = 0; k < count; k++) {
        const double *x = results[k];
        const bool of_link = wanted[k].row >= 0 && arne_quantity_at(wanted[k].row)->options & ARNE_OF_LINK;
        for (int i = 0; i < wanted[k].nparts && !per_joint(&wanted[k]); i++) {
            const part *p = &wanted[k].parts[i];
            out_format(o, "  %s%s%s%s%s%s", wanted[k].name, p->name ? " " : "", p->name ? p->name : "", of_link ? " of " : "",
                       of_link ? arne_link_name(m, e->link) : "", unit_of(&wanted[k], p));
            text_part(p, e, x, o);
            x += axis_size(p->rows, e) * axis_size(p->columns, e);
        }
    }
}
