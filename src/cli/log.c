/* SPDX-License-Identifier: MIT
 *
 * log.c - reads a recorded run and refuses what an observer cannot work with: missing columns, a gap, a changing rate. */
#include "cli/log.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"

/* Times are printed with few digits and clocks tremble: an interval may be off by this part of the usual one. */
static const double IRREGULAR = 0.02;
static const double GAP = 1.5;

typedef struct {
    const char *name;
    bool needed;
    double **values;
    int *column; /* n: where its numbers stand in a row of the file */
} group;

enum { GROUPS = 5 };

int log_line(int row) { return row + 2; }
const double *log_row(const double *values, int n, int k) { return values + (size_t)k * (size_t)n; }

static int find_column(const csv *c, const char *name)
{
    for (int k = 0; k < c->columns; k++)
        if (!strcmp(c->names[k], name)) return k;
    return -1;
}

/* q1 ... or q.JOINT ...: all of a group or none. */
static int find_group(const csv *c, const robot *r, group *g)
{
    const int n = arne_model_dof(r->model);
    int found = 0, missing = -1;
    g->column = calloc((size_t)n + 1, sizeof *g->column);
    if (!g->column) return no_memory();
    for (int i = 0; i < n; i++) {
        char name[300];
        snprintf(name, sizeof name, "%s%d", g->name, i + 1);
        int at = find_column(c, name);
        snprintf(name, sizeof name, "%s.%s", g->name, arne_joint_name(r->model, i));
        if (at < 0) at = find_column(c, name);
        g->column[i] = at;
        found += at >= 0;
        if (at < 0 && missing < 0) missing = i;
    }
    if (missing < 0) return CLI_OK;
    if (found || g->needed)
        return complain_at(c->name, c->line, "column %s%d (or %s.%s) is missing; a log has t, q, qd and tau of every joint",
                           g->name, missing + 1, g->name, arne_joint_name(r->model, missing));
    free(g->column);
    g->column = NULL;
    return CLI_OK;
}

/* Room for one row more: arrays double whenever count is a power of two. */
static bool grow(double **x, int count, int width)
{
    if (count & (count - 1)) return true;
    double *more = realloc(*x, ((size_t)(count ? 2 * count : 1) * (size_t)width + 1) * sizeof *more);
    if (more) *x = more;
    return more != NULL;
}

static int take_row(const csv *c, log_file *f, const group *groups, const double *row, int time)
{
    if (f->count >= INT_MAX / 2) return complain_at(c->name, c->line, "the log is too long");
    if (!isfinite(row[time])) return complain_at(c->name, c->line, "column t: a row needs its time");
    if (!grow(&f->t, f->count, 1)) return no_memory();
    f->t[f->count] = row[time];
    for (int g = 0; g < GROUPS; g++) {
        if (!groups[g].column) continue;
        if (!grow(groups[g].values, f->count, f->n)) return no_memory();
        double *to = *groups[g].values + (size_t)f->count * (size_t)f->n;
        for (int i = 0; i < f->n; i++) to[i] = row[groups[g].column[i]];
    }
    f->count++;
    return CLI_OK;
}

static int read_rows(csv *c, log_file *f, const group *groups, int time)
{
    double *row = calloc((size_t)c->columns + 1, sizeof *row);
    if (!row) return no_memory();
    bool more = true;
    int status = CLI_OK;
    c->holes = true;
    while (!status) {
        status = csv_next(c, row, &more);
        if (status || !more) break;
        status = take_row(c, f, groups, row, time);
    }
    free(row);
    return status;
}

/* The usual interval (median), and no row that comes at another one. */
static int take_period(log_file *f)
{
    if (f->count < 3) return complain_at(f->name, 0, "the log has %d rows; it needs at least three", f->count);
    const int steps = f->count - 1;
    double *step = calloc((size_t)steps, sizeof *step);
    if (!step) return no_memory();
    for (int k = 0; k < steps; k++) step[k] = f->t[k + 1] - f->t[k];
    arne__sort_numbers(step, steps);
    const double usual = step[steps / 2];
    free(step);
    for (int k = 1; k < f->count; k++) {
        const double now = f->t[k], before = f->t[k - 1];
        if (!(now > before)) return complain_at(f->name, log_line(k), "t = %g does not come after t = %g", now, before);
        if (now - before > GAP * usual)
            return complain_at(f->name, log_line(k),
                               "a gap: nothing between t = %g and t = %g, rows come every %g s; cut the log there, or fill the "
                               "gap with rows of nan, over which the residual is held",
                               before, now, usual);
        if (fabs(now - before - usual) > IRREGULAR * usual)
            return complain_at(f->name, log_line(k),
                               "the rate changes: t = %g comes %g s after the row before, the others %g s; resample the log", now,
                               now - before, usual);
    }
    f->period = (f->t[f->count - 1] - f->t[0]) / (f->count - 1);
    return CLI_OK;
}

static int read_log(csv *c, const robot *r, log_file *f)
{
    group groups[GROUPS] = {{"q", true, &f->q, NULL},
                            {"qd", true, &f->qd, NULL},
                            {"tau", true, &f->tau, NULL},
                            {"theta", false, &f->theta, NULL},
                            {"thetad", false, &f->thetad, NULL}};
    const int time = find_column(c, "t");
    int status = time < 0 ? complain_at(c->name, c->line, "column t is missing; a log has t, q, qd and tau of every joint") : 0;
    for (int g = 0; g < GROUPS && !status; g++) status = find_group(c, r, &groups[g]);
    if (!status) status = read_rows(c, f, groups, time);
    for (int g = 0; g < GROUPS; g++) free(groups[g].column);
    return status ? status : take_period(f);
}

int log_open(const char *path, const robot *r, log_file *out)
{
    *out = (log_file){.n = arne_model_dof(r->model)};
    csv c;
    int status = csv_open(&c, path);
    out->name = c.name;
    if (!status) status = read_log(&c, r, out);
    csv_close(&c);
    return status;
}

void log_close(log_file *f)
{
    free(f->t);
    free(f->q);
    free(f->qd);
    free(f->tau);
    free(f->theta);
    free(f->thetad);
    *f = (log_file){0};
}
