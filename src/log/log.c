/* SPDX-License-Identifier: MIT
 *
 * log.c - reads whole files of states and refuses what cannot be worked with: missing columns, a changing rate. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arne/log.h"
#include "arne/observe.h"
#include "arne/positions.h"
#include "base/order.h"

/* Times are printed with few digits and clocks tremble: an interval may be off by this part of the usual one. */
static const double IRREGULAR_LOG = 0.02, IRREGULAR_MOTION = 1e-3;
enum { FEW = 10 }; /* one gap in so many rows, and one more: else it is another rate */

int arne_log_line(int row) { return row + 2; }
const double *arne_log_row(const double *values, int n, int k) { return values + (size_t)k * (size_t)n; }

static arne_status no_memory(arne_error *error) { return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory"); }

#define BAD_ROW(l, row, ...) arne_fail(error, ARNE_BAD_VALUE, (l)->name, arne_log_line(row), __VA_ARGS__)
#define BAD_HEADER(s, ...) arne_fail(error, ARNE_BAD_SYNTAX, (s)->file.name, (s)->file.line, __VA_ARGS__)

/* ---- all rows ---- */

/* The columns that are kept, and where. */
enum { KEPT = ARNE_COLUMN_THETAD + 1 };
static void kept_in(arne_log *l, double **to[KEPT])
{
    double **const all[KEPT] = {&l->q, &l->qd, &l->qdd, &l->qddd, &l->qdddd, &l->tau, &l->theta, &l->thetad};
    memcpy(to, all, sizeof all);
}

static int width_of(const arne_log *l, int group) { return group == ARNE_COLUMN_Q ? l->nq : l->n; }

/* Room for one row more: arrays double whenever count is a power of two. */
static bool grow(double **x, int count, int width)
{
    if (count & (count - 1)) return true;
    double *more = realloc(*x, ((size_t)(count ? 2 * count : 1) * (size_t)width + 1) * sizeof *more);
    if (more) *x = more;
    return more != NULL;
}

static arne_status read_rows(arne_states *s, const char *what, arne_log *l, arne_error *error)
{
    double **to[KEPT];
    kept_in(l, to);
    for (;;) {
        bool more;
        const arne_status status = arne_states_next(s, &more, error);
        if (status || !more) return status;
        if (l->count >= INT_MAX / 2) return arne_fail(error, ARNE_BAD_VALUE, l->name, s->file.line, "the %s is too long", what);
        const double *t = arne_states_time(s);
        if (t && !grow(&l->t, l->count, 1)) return no_memory(error);
        if (t) l->t[l->count] = *t;
        for (int g = 0; g < KEPT; g++) {
            if (!arne_states_has(s, (arne_column)g)) continue;
            const size_t width = (size_t)width_of(l, g);
            if (!grow(to[g], l->count, (int)width)) return no_memory(error);
            memcpy(*to[g] + (size_t)l->count * width, arne_states_of(s, (arne_column)g), width * sizeof **to[g]);
        }
        l->count++;
    }
}

void arne_log_free(arne_log *l)
{
    double **to[KEPT];
    kept_in(l, to);
    for (int g = 0; g < KEPT; g++) free(*to[g]);
    free(l->t);
    *l = (arne_log){0};
}

void arne_log_radians(arne_log *l, const arne_model *m)
{
    double **of[KEPT];
    kept_in(l, of);
    for (int g = 0; g < KEPT; g++)
        for (int i = 0; *of[g] && g != ARNE_COLUMN_TAU && i < l->n; i++) {
            const int at = g == ARNE_COLUMN_Q ? arne_velocity_position(m, i) : i;
            if (at < 0 || !arne_velocity_turns(m, i)) continue;
            for (int k = 0; k < l->count; k++) (*of[g])[(size_t)k * (size_t)width_of(l, g) + (size_t)at] *= acos(-1) / 180;
        }
}

/* ---- a recorded run ---- */

static arne_status needs(const arne_states *s, arne_column group, const char *name, arne_error *error)
{
    if (arne_states_has(s, group)) return ARNE_OK;
    return BAD_HEADER(s, "column %s1 (or %s.%s) is missing; a log has t, q, qd and tau of every joint", name, name,
                      arne_model_nv(s->model) ? arne_velocity_name(s->model, 0) : "JOINT");
}

static arne_status check_log(const arne_states *s, arne_error *error)
{
    if (!arne_states_time(s)) return BAD_HEADER(s, "column t is missing; a log has t, q, qd and tau of every joint");
    arne_status status = needs(s, ARNE_COLUMN_Q, "q", error);
    if (!status) status = needs(s, ARNE_COLUMN_QD, "qd", error);
    return status ? status : needs(s, ARNE_COLUMN_TAU, "tau", error);
}

static arne_status not_after(const arne_log *l, int k, arne_error *error)
{
    return BAD_ROW(l, k, "t = %g does not come after t = %g", l->t[k], l->t[k - 1]);
}

/* A line without any number that is looked at. */
static bool is_empty(arne_log *l, int k)
{
    double **of[KEPT];
    kept_in(l, of);
    bool empty = !isfinite(l->t[k]);
    for (int g = 0; g < KEPT; g++)
        for (int i = 0; i < width_of(l, g) && *of[g]; i++) empty = empty && !isfinite(arne_log_row(*of[g], width_of(l, g), k)[i]);
    return empty;
}

/* The median of the intervals of rows that have their times. */
static arne_status usual_interval(const arne_log *l, double *usual, arne_error *error)
{
    int steps = 0, none = 0;
    double *step = calloc((size_t)l->count, sizeof *step);
    if (!step) return no_memory(error);
    for (int k = 1; k < l->count; k++)
        if (isfinite(l->t[k] - l->t[k - 1])) step[steps++] = l->t[k] - l->t[k - 1];
    arne__sort_numbers(step, steps);
    *usual = steps ? step[steps / 2] : 0;
    free(step);
    while (none < l->count && isfinite(l->t[none])) none++;
    return steps ? ARNE_OK : BAD_ROW(l, none, "column t: a row needs its time");
}

/* A row without its time has one in a line with those of its neighbours, and no position: whoever ticks with it holds. */
static void complete_times(arne_log *l, double usual)
{
    int next = 0;
    for (int k = 0; k < l->count; k++) {
        while (next < l->count && (next < k || !isfinite(l->t[next]))) next++;
        if (next == k) continue;
        if (k == 0)
            l->t[k] = l->t[next] - next * usual;
        else
            l->t[k] = l->t[k - 1] + (next < l->count ? (l->t[next] - l->t[k - 1]) / (next - k + 1) : usual);
        for (int i = 0; i < l->nq; i++) l->q[(size_t)k * (size_t)l->nq + (size_t)i] = NAN;
    }
}

/* The interval of the rows: the mean of those near the usual one. Longer ones are gaps, if there are few. */
static arne_status take_period(arne_log *l, arne_error *error)
{
    double usual = 0, sum = 0;
    while (l->count > 0 && is_empty(l, l->count - 1)) l->count--;
    if (l->count < 3)
        return arne_fail(error, ARNE_BAD_VALUE, l->name, 0, "the log has %d row%s; it needs at least three", l->count,
                         l->count == 1 ? "" : "s");
    const arne_status status = usual_interval(l, &usual, error);
    if (status) return status;
    complete_times(l, usual);
    int gaps = 0;
    for (int k = 1; k < l->count; k++) {
        const double now = l->t[k], before = l->t[k - 1];
        if (!(now > before)) return not_after(l, k, error);
        const bool gap = now - before > ARNE_RECORDING_GAP * usual;
        if (!gap) sum += now - before;
        if (!gap && now - before < (1 - IRREGULAR_LOG) * usual &&
            isnan(l->q[(size_t)k * (size_t)l->nq] + l->q[(size_t)(k - 1) * (size_t)l->nq]))
            return BAD_ROW(l, k, "an empty line, or a row without time, where no row is missing; remove it");
        if ((gap && ++gaps > 1 + l->count / FEW) || (!gap && fabs(now - before - usual) > IRREGULAR_LOG * usual))
            return BAD_ROW(l, k, "the rate changes: t = %g comes %g s after the row before, the others %g s; resample the log",
                           now, now - before, usual);
    }
    l->period = sum / (l->count - 1 - gaps);
    return ARNE_OK;
}

arne_status arne_log_read(const char *path, const arne_model *m, arne_log *out, arne_error *error)
{
    arne_states s;
    arne_status status = arne_states_open(&s, path, m, true, error);
    *out = (arne_log){.name = s.file.name, .n = arne_model_nv(m), .nq = arne_model_nq(m)};
    s.file.holes = true;
    if (!status) status = check_log(&s, error);
    if (!status) status = read_rows(&s, "log", out, error);
    arne_states_close(&s);
    return status ? status : take_period(out, error);
}

/* ---- motions and paths ---- */

/* Columns that a file of this kind has not. */
static arne_status check_motion(const arne_states *s, const char *what, bool others, arne_error *error)
{
    if (!arne_states_has(s, ARNE_COLUMN_Q)) return BAD_HEADER(s, "a %s needs columns q1, q2, ...", what);
    for (int link = 0; link < arne_model_links(s->model) && !others; link++)
        if (arne_states_wrench(s, link))
            return BAD_HEADER(s, "columns w.LINK.fx ... are not for %ss; a constant wrench is given by --wrench", what);
    return ARNE_OK;
}

arne_status arne_log_motion(const char *path, const arne_model *m, double dt, bool others, arne_log *out, arne_error *error)
{
    arne_states s;
    arne_status status = arne_states_open(&s, path, m, others, error);
    *out = (arne_log){.name = s.file.name, .n = arne_model_nv(m), .nq = arne_model_nq(m)};
    if (!status) status = check_motion(&s, "motion", others, error);
    if (!status && !(dt > 0) && !arne_states_time(&s))
        status = BAD_HEADER(&s, "there is no column t; give the interval by --dt SECONDS");
    snprintf(out->passed, sizeof out->passed, "%s", s.passed);
    if (!status) status = read_rows(&s, "motion", out, error);
    arne_states_close(&s);
    if (!status && !out->count) status = BAD_ROW(out, -1, "there are no rows after the header");
    for (int k = 1; k < out->count && out->t && !status; k++)
        if (!(out->t[k] > out->t[k - 1])) status = not_after(out, k, error);
    if (status || out->t) return status;
    if (!(out->t = calloc((size_t)out->count + 1, sizeof *out->t))) return no_memory(error);
    for (int k = 0; k < out->count; k++) out->t[k] = k * dt;
    return ARNE_OK;
}

arne_status arne_log_path(const char *path, const arne_model *m, arne_log *out, arne_error *error)
{
    arne_states s;
    arne_status status = arne_states_open(&s, path, m, false, error);
    *out = (arne_log){.name = s.file.name, .n = arne_model_nv(m), .nq = arne_model_nq(m)};
    for (int g = ARNE_COLUMN_QD; g < ARNE_COLUMN_COUNT && !status; g++)
        if (arne_states_has(&s, (arne_column)g))
            status = BAD_HEADER(&s, "a path has positions only: columns q1, q2, ... or q.JOINT, ...");
    if (!status && arne_states_time(&s)) status = BAD_HEADER(&s, "a path has no column t; only q1, q2, ... or q.JOINT, ...");
    if (!status) status = check_motion(&s, "path", false, error);
    if (!status) status = read_rows(&s, "path", out, error);
    arne_states_close(&s);
    if (!status && out->count < 2)
        status = BAD_ROW(out, out->count - 1, "a path has at least two points, and here is %s", out->count ? "one" : "none");
    return status;
}

/* The first sample is where the robot stands. */
static arne_status check_start(const arne_log *l, const arne_model *m, arne_error *error)
{
    for (int i = 0; i < l->n; i++) {
        const arne_limits *limits = arne_joint_limits(m, arne_velocity_joint(m, i));
        const double q = arne_velocity_position(m, i) < 0 ? 0 : l->q[arne_velocity_position(m, i)];
        if (q > limits->upper || q < limits->lower)
            return BAD_ROW(l, 0, "the motion starts outside the limits: joint %s at %g, limits %g ... %g",
                           arne_velocity_name(m, i), q, limits->lower, limits->upper);
        if (l->qd && limits->velocity > 0 && fabs(l->qd[i]) > limits->velocity)
            return BAD_ROW(l, 0, "the motion starts outside the limits: joint %s moves at %g, its limit is %g",
                           arne_velocity_name(m, i), l->qd[i], limits->velocity);
    }
    return ARNE_OK;
}

arne_status arne_log_regular(const arne_log *l, const arne_model *m, double dt, arne_motion *out, arne_error *error)
{
    const arne_status status = check_start(l, m, error);
    if (status) return status;
    if (l->count < 2) return BAD_ROW(l, l->count - 1, "a motion has at least two rows");
    const double usual = dt > 0 ? dt : l->t[1] - l->t[0];
    for (int k = 1; k < l->count; k++) {
        const double step = l->t[k] - l->t[k - 1];
        if (!(fabs(step - usual) <= IRREGULAR_MOTION * usual))
            return BAD_ROW(l, k, "column t is irregular: t = %g comes %g s after the row before, not %g s; resample the motion",
                           l->t[k], step, usual);
    }
    /* the mean says it better than the first two rows */
    *out = (arne_motion){l->count, dt > 0 ? dt : (l->t[l->count - 1] - l->t[0]) / (l->count - 1), l->q, l->qd};
    return ARNE_OK;
}
