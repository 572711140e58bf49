/* SPDX-License-Identifier: MIT
 *
 * run.c - reads a run: the table of numbers, what stands beside it, and what its robot adds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arne/file.h"
#include "arne/positions.h"
#include "report/report.h"

enum { MOST_JOINTS = 10000 };

/* ---- the table ---- */

/* Rows as they stand in the file. */
static arne_status read_rows(arne_report_run *r, int t, double **rows, arne_error *error)
{
    arne_csv *c = &r->table;
    const size_t columns = (size_t)c->columns;
    size_t room = 0;
    for (bool more = true;; r->rows++) {
        if ((r->rows + 1) * columns > room) {
            room = 2 * (r->rows + 1) * columns;
            double *longer = realloc(*rows, room * sizeof *longer);
            if (!longer) return report_no_memory(error);
            *rows = longer;
        }
        const double *row = *rows + r->rows * columns;
        const arne_status status = arne_csv_next(c, *rows + r->rows * columns, &more, error);
        if (status || !more) return status;
        if (r->rows && !(row[t] > row[t - (int)columns]))
            return arne_fail(error, ARNE_BAD_VALUE, c->name, c->line, "t = %g does not come after t = %g; sort the rows by time",
                             row[t], row[t - (int)columns]);
    }
}

static arne_status read_columns(arne_report_run *r, arne_error *error)
{
    const arne_csv *c = &r->table;
    const size_t columns = (size_t)c->columns;
    for (int i = 0; i < c->columns; i++)
        if (arne_csv_find(c, c->names[i]) < i)
            return arne_fail(error, ARNE_BAD_VALUE, c->name, 1, "column %s is there twice", c->names[i]);
    const int t = arne_csv_find(c, "t");
    if (t < 0)
        return arne_fail(error, ARNE_BAD_VALUE, c->name, 1,
                         "there is no column t; a report needs the time of every row, in seconds");
    double *rows = NULL;
    arne_status status = read_rows(r, t, &rows, error);
    if (!status && r->rows < 2) status = arne_fail(error, ARNE_BAD_VALUE, c->name, c->line, "a report needs at least two rows");
    if (!status) {
        r->drawn = calloc(columns, sizeof *r->drawn);
        r->values = malloc(r->rows * columns * sizeof *r->values);
        if (!r->drawn || !r->values) status = report_no_memory(error);
    }
    for (size_t i = 0; i < r->rows && !status; i++)
        for (size_t k = 0; k < columns; k++) r->values[k * r->rows + i] = rows[i * columns + k];
    free(rows);
    if (!status) r->t = r->values + (size_t)t * r->rows;
    return status;
}

arne_status arne_report_read(const char *path, arne_report_run **out, arne_error *error)
{
    *out = NULL;
    arne_report_run *r = calloc(1, sizeof *r);
    if (!r || !(r->path = strdup(path))) {
        free(r);
        return report_no_memory(error);
    }
    arne_status status = arne_csv_open(&r->table, r->path, error);
    if (!status) status = read_columns(r, error);
    if (r->table.file && r->table.file != stdin) fclose(r->table.file);
    r->table.file = NULL; /* the names of its columns stay */
    if (!status) status = arne_about_read(r->path, &r->about, error);
    if (status)
        arne_report_free(r);
    else
        *out = r;
    return status;
}

void arne_report_free(arne_report_run *r)
{
    if (!r) return;
    arne_csv_close(&r->table);
    for (int i = 0; i < r->dof && r->joints; i++) free(r->joints[i]);
    arne_about_free(&r->about);
    void *const blocks[] = {r->path, r->drawn, r->values, r->joints, r->effort, r->contacts, r};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) free(blocks[k]);
}

void arne_report_size(const arne_report_run *r, size_t *rows, int *columns, int *joints)
{
    *rows = r->rows;
    *columns = r->table.columns;
    *joints = r->dof;
}

const double *arne__report_named(const arne_report_run *r, const char *name)
{
    const int k = arne_csv_find(&r->table, name);
    if (k < 0) return NULL;
    r->drawn[k] = true;
    return r->values + (size_t)k * r->rows;
}

const double *arne__report_column(const arne_report_run *r, const char *group, int joint, const char *part)
{
    char name[256];
    snprintf(name, sizeof name, "%s%d%s%s", group, joint + 1, part ? "." : "", part ? part : "");
    const double *x = arne__report_named(r, name);
    const char *called = r->joints ? r->joints[joint] : r->about.joints ? r->about.joints[joint] : NULL;
    if (x || !called || part) return x;
    snprintf(name, sizeof name, "%s.%.200s", group, called);
    return arne__report_named(r, name);
}

/* ---- the robot ---- */

static bool is_there(const char *path)
{
    struct stat s;
    return !stat(path, &s);
}

arne_base_choice arne_report_base(const arne_report_run *r)
{
    const char *base = r->about.base ? r->about.base : "";
    return !strcmp(base, "free") ? ARNE_BASE_FREE : !strcmp(base, "fixed") ? ARNE_BASE_FIXED : ARNE_BASE_FILE;
}

arne_mimic_choice arne_report_mimic(const arne_report_run *r)
{
    return r->about.mimic && !strcmp(r->about.mimic, "independent") ? ARNE_MIMIC_INDEPENDENT : ARNE_MIMIC_FOLLOW;
}

const char *arne_report_robot(const arne_report_run *r) { return r->about.robot; }

arne_status arne_report_locate(const arne_report_run *r, char **name, arne_error *error)
{
    const char *slash = strrchr(r->path, '/'), *called = r->about.robot, *found = NULL;
    *name = NULL;
    if (!called) return ARNE_OK;
    const size_t folder = slash ? (size_t)(slash - r->path) + 1 : 0, room = folder + strlen(called) + 1;
    char *beside = malloc(room);
    if (!beside) return report_no_memory(error);
    snprintf(beside, room, "%.*s%s", (int)folder, r->path, called);
    if (!strchr(called, '/') && !strrchr(called, '.')) {
        arne_robot_place *list;
        size_t count;
        if (!arne_robots(&list, &count, NULL)) {
            for (size_t i = 0; i < count; i++)
                if (!strcmp(list[i].name, called)) found = called;
            arne_robots_free(list, count);
        }
    } else if (is_there(called)) {
        found = called;
    } else if (called[0] != '/' && is_there(beside)) {
        found = beside;
    }
    if (found) *name = strdup(found);
    const arne_status status = found && !*name ? report_no_memory(error) : ARNE_OK;
    free(beside);
    return status;
}

/* How many joints: the JSON file and the robot say it, or the columns do. */
static arne_status count_joints(arne_report_run *r, const char *path, arne_error *error)
{
    int dof = r->about.dof;
    if (r->robot) {
        const int moving = arne_model_dof(r->robot);
        if (dof && dof != moving)
            return arne_fail(error, ARNE_BAD_VALUE, r->path, 0,
                             "the run has %d joints, the robot %s has %d; give the right one by --robot", dof, path, moving);
        dof = moving;
    }
    static const char *const groups[] = {"q", "tau", "r", "theta"};
    for (size_t g = 0; g < sizeof groups / sizeof *groups && !dof; g++)
        while (dof < MOST_JOINTS && arne__report_column(r, groups[g], dof, NULL)) dof++;
    if (!dof)
        return arne_fail(error, ARNE_BAD_VALUE, r->path, 1,
                         "there are no columns q1, q2, ..., tau1, ... or r1, ...; what should be drawn?");
    for (int k = 0; k < r->table.columns; k++) r->drawn[k] = false;
    r->dof = dof;
    return ARNE_OK;
}

/* Names and limits; those that the JSON file does not give come from the robot. */
static arne_status take_joints(arne_report_run *r, arne_error *error)
{
    const size_t n = (size_t)r->dof;
    const arne_about *a = &r->about;
    double **const lists[] = {&r->effort, &r->velocity, &r->lower, &r->upper, &r->threshold};
    const double *const told[] = {a->effort, a->velocity, a->lower, a->upper, a->thresholds};
    enum { LISTS = sizeof lists / sizeof *lists };
    char **joints = calloc(n, sizeof *joints);
    double *x = malloc(LISTS * n * sizeof *x);
    for (size_t k = 0; k < LISTS; k++) *lists[k] = x ? x + k * n : NULL;
    bool ok = joints && x;
    for (size_t i = 0; i < n && ok; i++) {
        const arne_limits *l = r->robot ? arne_joint_limits(r->robot, arne_velocity_joint(r->robot, (int)i)) : NULL;
        const double known[LISTS] = {l ? l->effort : NAN, l ? l->velocity : NAN, l ? l->lower : NAN, l ? l->upper : NAN, NAN};
        for (int k = 0; k < LISTS; k++) {
            double *to = &(*lists[k])[i];
            *to = told[k] ? told[k][i] : NAN;
            if (isnan(*to) && isfinite(known[k]) && (k > 1 || known[k] > 0)) *to = known[k];
        }
        char name[32];
        snprintf(name, sizeof name, "joint %d", (int)i + 1);
        joints[i] = strdup(a->joints ? a->joints[i] : r->robot ? arne_velocity_name(r->robot, (int)i) : name);
        ok = joints[i] != NULL;
    }
    r->joints = joints;
    return ok ? ARNE_OK : report_no_memory(error);
}

static int by_time(const void *a, const void *b)
{
    const double x = ((const arne_about_event *)a)->t, y = ((const arne_about_event *)b)->t;
    return (x > y) - (x < y);
}

/* Where no event tells of contacts, the column does: every stretch of ones is an event. */
static arne_status take_events(arne_report_run *r, arne_error *error)
{
    const int k = arne_csv_find(&r->table, "contact");
    const double *x = k < 0 ? NULL : r->values + (size_t)k * r->rows;
    size_t count = (size_t)r->about.nevent, stretches = 0;
    r->events = r->about.events;
    r->nevent = r->about.nevent;
    for (size_t i = 0; i < count && x; i++)
        if (!strcmp(r->events[i].kind, "contact")) x = NULL;
    for (size_t i = 0; i < r->rows && x; i++) stretches += x[i] > 0.5 && (!i || !(x[i - 1] > 0.5));
    if (!stretches) return ARNE_OK;
    if (!(r->contacts = malloc((count + stretches) * sizeof *r->contacts))) return report_no_memory(error);
    if (count) memcpy(r->contacts, r->events, count * sizeof *r->contacts);
    for (size_t i = 0; i < r->rows; i++) {
        if (!(x[i] > 0.5)) continue;
        size_t end = i;
        while (end + 1 < r->rows && x[end + 1] > 0.5) end++;
        r->contacts[count++] = (arne_about_event){r->t[i], r->t[end], "contact", "contact found"};
        i = end;
    }
    qsort(r->contacts, count, sizeof *r->contacts, by_time);
    r->events = r->contacts;
    r->nevent = (int)count;
    return ARNE_OK;
}

bool arne__report_turns(const arne_report_run *r, int joint) { return !r->robot || arne_velocity_turns(r->robot, joint); }

arne_status arne_report_complete(arne_report_run *r, const arne_description *d, const arne_model *m, const char *path,
                                 arne_error *error)
{
    r->description = d;
    r->robot = m;
    arne_status status = count_joints(r, path, error);
    if (!status) status = take_joints(r, error);
    if (!status) status = take_events(r, error);
    return status;
}
