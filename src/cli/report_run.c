/* SPDX-License-Identifier: MIT
 *
 * report_run.c - reads a run: the table of numbers, and the robot it is about. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arne/log.h"
#include "cli/report.h"

enum { MOST_JOINTS = 10000 };

/* ---- the table ---- */

static int grow(double **rows, size_t *room, size_t needed)
{
    if (needed <= *room) return CLI_OK;
    const size_t more = 2 * needed;
    double *new = realloc(*rows, more * sizeof *new);
    if (!new) return no_memory();
    *rows = new;
    *room = more;
    return CLI_OK;
}

static int find_name(const report_run *r, const char *name)
{
    for (int k = 0; k < r->columns; k++)
        if (!strcmp(r->names[k], name)) return k;
    return -1;
}

/* Rows as they stand in the file, then turned into columns. */
static int read_rows(arne_csv *c, report_run *r)
{
    const size_t columns = (size_t)r->columns;
    double *rows = NULL;
    size_t room = 0;
    bool more = true;
    arne_error error = {0};
    const int t = find_name(r, "t");
    int status =
        t < 0 ? complain_at(c->name, 1, "there is no column t; a report needs the time of every row, in seconds") : CLI_OK;
    while (!status) {
        status = grow(&rows, &room, (r->rows + 1) * columns);
        if (!status) status = checked(arne_csv_next(c, rows + r->rows * columns, &more, &error), &error);
        if (status || !more) break;
        const double *row = rows + r->rows * columns;
        if (r->rows && !(row[t] > row[t - (int)columns]))
            status = complain_at(c->name, c->line, "t = %g does not come after t = %g; sort the rows by time", row[t],
                                 row[t - (int)columns]);
        r->rows++;
    }
    if (!status && r->rows < 2) status = complain_at(c->name, c->line, "a report needs at least two rows");
    if (!status && !(r->values = malloc(r->rows * columns * sizeof *r->values))) status = no_memory();
    for (size_t i = 0; i < r->rows && !status; i++)
        for (size_t k = 0; k < columns; k++) r->values[k * r->rows + i] = rows[i * columns + k];
    free(rows);
    if (!status) r->t = r->values + (size_t)t * r->rows;
    return status;
}

static int read_table(report_run *r)
{
    arne_csv c;
    arne_error error = {0};
    int status = checked(arne_csv_open(&c, r->path, &error), &error);
    if (!status) {
        r->names = c.names;
        r->columns = c.columns;
        c.names = NULL;
        for (int i = 0; i < r->columns && !status; i++)
            if (find_name(r, r->names[i]) < i) status = complain_at(r->path, 1, "column %s is there twice", r->names[i]);
        r->drawn = calloc((size_t)c.columns + 1, sizeof *r->drawn);
        if (!status && !r->drawn) status = no_memory();
        c.names = r->names; /* arne_csv_next names them in its messages */
        if (!status) status = read_rows(&c, r);
        c.names = NULL;
        c.columns = 0;
    }
    arne_csv_close(&c);
    return status;
}

const double *report_named(const report_run *r, const char *name)
{
    const int k = find_name(r, name);
    if (k < 0) return NULL;
    r->drawn[k] = true;
    return r->values + (size_t)k * r->rows;
}

const double *report_column(const report_run *r, const char *group, int joint, const char *part)
{
    char name[256];
    const char *point = part ? "." : "";
    snprintf(name, sizeof name, "%s%d%s%s", group, joint + 1, point, part ? part : "");
    const double *x = report_named(r, name);
    if (x || !r->joints || part) return x;
    snprintf(name, sizeof name, "%s.%.200s", group, r->joints[joint]);
    return report_named(r, name);
}

/* ---- what stands beside it ---- */

static char *copied(const char *text, bool *failed)
{
    char *copy = text ? strdup(text) : NULL;
    if (text && !copy) *failed = true;
    return copy;
}

static double *copied_numbers(const double *x, int n, bool *failed)
{
    double *copy = x ? malloc((size_t)n * sizeof *x) : NULL;
    if (copy) memcpy(copy, x, (size_t)n * sizeof *x);
    if (x && !copy) *failed = true;
    return copy;
}

static bool take_about(report_run *r, const arne_about *a)
{
    bool failed = false;
    const char *const texts[] = {a->kind,       a->title,  a->robot,   a->model, a->controller,
                                 a->integrator, a->status, a->message, a->link};
    char **const to[] = {&r->kind,       &r->title,  &r->robot_name, &r->model, &r->controller,
                         &r->integrator, &r->status, &r->message,    &r->link};
    for (size_t k = 0; k < sizeof to / sizeof *to; k++) *to[k] = copied(texts[k], &failed);
    const double *const lists[] = {a->effort, a->velocity, a->lower, a->upper, a->thresholds};
    double **const numbers[] = {&r->effort, &r->velocity, &r->lower, &r->upper, &r->threshold};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) *numbers[k] = copied_numbers(lists[k], a->dof, &failed);
    r->period = a->period;
    r->wall = a->wall;
    r->dof = a->dof;
    if (a->joints && !(r->joints = calloc((size_t)a->dof, sizeof *r->joints))) return false;
    for (int i = 0; i < a->dof && a->joints; i++) r->joints[i] = copied(a->joints[i], &failed);
    if (!(r->events = calloc((size_t)a->nevent + 1, sizeof *r->events))) return false;
    for (int i = 0; i < a->nevent; i++) {
        const arne_about_event *e = &a->events[i];
        r->events[r->nevent++] = (report_event){e->t, e->end, copied(e->kind, &failed), copied(e->text, &failed)};
    }
    return !failed;
}

static int read_about(report_run *r)
{
    arne_about a;
    arne_error error = {0};
    int status = checked(arne_about_read(r->path, &a, &error), &error);
    if (!status && !take_about(r, &a)) status = no_memory();
    arne_about_free(&a);
    return status;
}

/* ---- the robot ---- */

static bool is_there(const char *path)
{
    struct stat s;
    return !stat(path, &s);
}

/* Where the robot of the run is: as it is called, or beside the run. *name from malloc, NULL: nowhere. */
static int locate(const report_run *r, char **name)
{
    *name = NULL;
    const char *slash = strrchr(r->path, '/'), *called = r->robot_name;
    const size_t folder = slash ? (size_t)(slash - r->path) + 1 : 0, room = folder + strlen(called) + 1;
    char *beside = malloc(room);
    if (!beside) return no_memory();
    snprintf(beside, room, "%.*s%s", (int)folder, r->path, called);
    if (!strchr(called, '/') && !strrchr(called, '.')) {
        arne_robot_place *list;
        size_t count;
        if (!arne_robots(&list, &count, NULL)) {
            for (size_t i = 0; i < count; i++)
                if (!strcmp(list[i].name, called)) *name = strdup(called);
            arne_robots_free(list, count);
        }
    } else if (is_there(called)) {
        *name = strdup(called);
    } else if (called[0] != '/' && is_there(beside)) {
        *name = strdup(beside);
    }
    free(beside);
    return CLI_OK;
}

static int open_robot(const arguments *a, report_run *r)
{
    const char *given = option_value(a, "robot");
    char *name = NULL;
    int status = CLI_OK;
    if (given) {
        status = robot_open(a, given, &r->robot);
        r->has_robot = !status;
    } else if (r->robot_name) {
        status = locate(r, &name);
        if (!status && name) {
            status = robot_open(a, name, &r->robot);
            r->has_robot = !status;
        } else if (!status && !option_given(a, "quiet")) {
            warn("%s: its robot \"%s\" is not here, so it is not drawn; say where it is: --robot ROBOT", r->path, r->robot_name);
        }
    }
    free(name);
    return status;
}

/* How many joints: the JSON file and the robot say it, or the columns do. Fills in what only the robot knows. */
static int count_joints(report_run *r)
{
    if (r->has_robot) {
        const int dof = arne_model_dof(r->robot.model);
        if (r->dof && r->dof != dof)
            return complain_at(r->path, 0, "the run has %d joints, the robot %s has %d; give the right one by --robot", r->dof,
                               r->robot.path, dof);
        r->dof = dof;
    }
    static const char *const groups[] = {"q", "tau", "r", "theta"};
    for (size_t g = 0; g < sizeof groups / sizeof *groups && !r->dof; g++)
        while (r->dof < MOST_JOINTS && report_column(r, groups[g], r->dof, NULL)) r->dof++;
    if (!r->dof) return complain_at(r->path, 1, "there are no columns q1, q2, ..., tau1, ... or r1, ...; what should be drawn?");
    for (int k = 0; k < r->columns; k++) r->drawn[k] = false;
    return CLI_OK;
}

static int make_room(report_run *r)
{
    const size_t n = (size_t)r->dof;
    double **const lists[] = {&r->effort, &r->velocity, &r->lower, &r->upper, &r->threshold};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        if (*lists[k]) continue;
        if (!(*lists[k] = malloc(n * sizeof **lists[k]))) return no_memory();
        for (int i = 0; i < r->dof; i++) (*lists[k])[i] = (double)NAN;
    }
    if (r->joints) return CLI_OK;
    if (!(r->joints = calloc(n, sizeof *r->joints))) return no_memory();
    for (int i = 0; i < r->dof; i++) {
        char name[32];
        snprintf(name, sizeof name, "joint %d", i + 1);
        r->joints[i] = strdup(r->has_robot ? arne_joint_name(r->robot.model, i) : name);
        if (!r->joints[i]) return no_memory();
    }
    return CLI_OK;
}

/* Limits that the JSON file does not give come from the robot. */
static void take_limits(report_run *r)
{
    for (int i = 0; i < r->dof && r->has_robot; i++) {
        const arne_limits *l = arne_joint_limits(r->robot.model, i);
        const double known[] = {l->effort, l->velocity, l->lower, l->upper};
        double *const lists[] = {r->effort, r->velocity, r->lower, r->upper};
        for (int k = 0; k < 4; k++)
            if (isnan(lists[k][i]) && isfinite(known[k]) && (k > 1 || known[k] > 0)) lists[k][i] = known[k];
    }
}

static int by_time(const void *a, const void *b)
{
    const double x = ((const report_event *)a)->t, y = ((const report_event *)b)->t;
    return (x > y) - (x < y);
}

static bool says_contact(const report_run *r)
{
    for (int i = 0; i < r->nevent; i++)
        if (!strcmp(r->events[i].kind, "contact")) return true;
    return false;
}

/* Where no event tells of contacts, the column does: every stretch of ones is an event. */
static int take_contacts(report_run *r)
{
    const int k = find_name(r, "contact");
    if (k < 0 || says_contact(r)) return CLI_OK;
    const double *x = r->values + (size_t)k * r->rows;
    for (size_t i = 0; i < r->rows;) {
        size_t end = i + 1;
        if (x[i] > 0.5) {
            while (end < r->rows && x[end] > 0.5) end++;
            report_event *more = realloc(r->events, ((size_t)r->nevent + 1) * sizeof *more);
            if (!more) return no_memory();
            r->events = more;
            report_event *e = &more[r->nevent++];
            *e = (report_event){r->t[i], r->t[end - 1], strdup("contact"), strdup("contact found")};
            if (!e->kind || !e->text) return no_memory();
        }
        i = end;
    }
    if (r->nevent) qsort(r->events, (size_t)r->nevent, sizeof *r->events, by_time);
    return CLI_OK;
}

bool report_turns(const report_run *r, int joint)
{
    return !r->has_robot || arne_joint_kind(r->robot.model, joint) == ARNE_REVOLUTE;
}

int report_open(const arguments *a, const char *path, report_run *r)
{
    *r = (report_run){.path = path, .period = (double)NAN, .wall = (double)NAN};
    int status = read_table(r);
    if (!status) status = read_about(r);
    if (!status) status = open_robot(a, r);
    if (!status) status = count_joints(r);
    if (!status) status = make_room(r);
    if (!status) take_limits(r);
    if (!status) status = take_contacts(r);
    if (!status) tell(a, "%s: %zu rows, %d columns, %d joints", path, r->rows, r->columns, r->dof);
    return status;
}

void report_close(report_run *r)
{
    for (int k = 0; k < r->columns; k++) free(r->names[k]);
    for (int i = 0; i < r->dof && r->joints; i++) free(r->joints[i]);
    for (int i = 0; i < r->nevent; i++) {
        free(r->events[i].kind);
        free(r->events[i].text);
    }
    void *const blocks[] = {r->names,      r->drawn,      r->values, r->kind,      r->title, r->robot_name, r->model,
                            r->controller, r->integrator, r->status, r->message,   r->link,  r->joints,     r->effort,
                            r->velocity,   r->lower,      r->upper,  r->threshold, r->events};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) free(blocks[k]);
    if (r->has_robot) robot_close(&r->robot);
    *r = (report_run){0};
}
