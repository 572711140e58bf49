/* SPDX-License-Identifier: MIT
 *
 * print_observe.c - what `observe` found, for people, for programs and as a table of residuals. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "cli/observe.h"

static const char *joint_name(const observation *o, int i) { return arne_velocity_name(o->robot->model, i); }
static const char *link_name(const observation *o, int link) { return arne_link_name(o->robot->model, link); }
static const char *unit(const observation *o, int i) { return arne_velocity_turns(o->robot->model, i) ? "Nm" : "N"; }
static const char *method(const observation *o) { return o->numeric ? "numeric" : "exact"; }

static arne_residual_summary summarize(const observation *o, int i)
{
    return arne_residual_summarize(o->log->count, o->n, o->residual, i);
}

/* ---- rows at which the residual is held ---- */

int held_rows(const bool *held, int count)
{
    int rows = 0;
    for (int k = 0; k < count; k++) rows += held[k];
    return rows;
}

int held_after(const bool *held, int count, int row)
{
    while (row < count && !held[row]) row++;
    return row;
}

const char *held_why(const arne_log *log, int row)
{
    const bool gap = row > 0 && log->t[row] - log->t[row - 1] > ARNE_RECORDING_GAP * log->period;
    return gap ? "rows are missing before it" : "a number is missing or not finite";
}

/* ---- for people ---- */

/* part of the largest torque */
static const double DEAF = 0.5;

/* A threshold from the log itself that is large beside the torques hides what lasts for most of the log. */
static void say_deaf(const observation *o, out *to)
{
    int deaf = 0;
    for (int i = 0; i < o->n && !strcmp(o->threshold_source, "log"); i++) {
        double most = 0;
        if (arne_velocity_position(o->robot->model, i) < 0) continue; /* it has no torques to be beside */
        for (int k = 0; k < o->log->count; k++) most = fmax(most, fabs(arne_log_row(o->log->tau, o->n, k)[i]));
        const bool usual = fabs(summarize(o, i).largest) > o->threshold[i] / 10; /* the threshold comes from its residual */
        if (usual && o->threshold[i] > DEAF * most)
            out_format(to, "%s %s", deaf++ ? "," : "large residuals are usual at joint", joint_name(o, i));
    }
    if (deaf) out_text(to, " and hide what lasts;\n  give --threshold, or --learn with a run in which nothing happened\n");
}

static void say_held(const observation *o, out *to)
{
    enum { MOST = 8 };
    const arne_log *log = o->log;
    const int rows = held_rows(o->held, log->count);
    if (rows) out_format(to, "the residual is held at %d row%s\n", rows, rows == 1 ? "" : "s");
    int said = 0;
    for (int k = held_after(o->held, log->count, 0); k < log->count && said < MOST; k = held_after(o->held, log->count, k + 1)) {
        out_format(to, "  line %d, t = %.6g s: %s\n", arne_log_line(k), log->t[k], held_why(log, k));
        said++;
    }
    if (said < rows) out_format(to, "  and %d more: column held of --out\n", rows - said);
}

/* A force that leaves so much of the residual was not that force. */
static const double ELSEWHERE = 0.2;

/* What acted, world axes; the directions of which nothing can be said. */
static void say_force(const observation *o, const arne_contact *c, out *to)
{
    const double *f = c->force.wrench;
    out_format(to, "    a force on %s at %s, world axes: ", link_name(o, c->wrench_link),
               o->point_text ? o->point_text : "its origin");
    if (c->force.seen == 0) {
        out_text(to, "no joint feels one; try --point x,y,z\n");
        return;
    }
    out_format(to, "%.4g %.4g %.4g N, leaves %.2g %% of the residual\n", f[0], f[1], f[2], 100 * c->force.unexplained);
    if (c->force.unexplained > ELSEWHERE) out_text(to, "      so it acted elsewhere (--point x,y,z), or was no force alone\n");
    for (int k = 0; k < 3 - c->force.seen; k++) {
        out_text(to, "      not seen: forces along");
        for (int i = 0; i < 3; i++) out_format(to, " %.2g", fabs(c->force.blind[k][i]) < 0.005 ? 0 : c->force.blind[k][i]);
        out_text(to, "\n");
    }
}

/* Is number k of the wrench the same in all that fit? */
static bool is_certain(const arne_wrench_estimate *w, int k)
{
    double most = 0;
    for (int i = 0; i < 6 - w->seen; i++) most = fmax(most, fabs(w->blind[i][k]));
    return most < 1e-6;
}

static void say_wrench(const arne_contact *c, out *to)
{
    static const char *const names[] = {"fx", "fy", "fz", "mx", "my", "mz"};
    const double *w = c->wrench.wrench;
    out_format(to, "    %s wrench there: force %.3g %.3g %.3g N, moment %.3g %.3g %.3g Nm, leaves %.2g %%\n",
               c->wrench.seen == 6 ? "the" : "the smallest", w[0], w[1], w[2], w[3], w[4], w[5], 100 * c->wrench.unexplained);
    if (c->wrench.seen == 6) return;
    out_format(to, "      one of many that do the same: joints feel %d of its 6 directions;", c->wrench.seen);
    int certain = 0;
    for (int k = 0; k < 6; k++)
        if (is_certain(&c->wrench, k)) out_format(to, "%s %s", certain++ ? "" : " certain", names[k]);
    out_text(to, certain ? "\n" : " no number is certain\n");
}

static void say_contact(const observation *o, const arne_contact *c, out *to)
{
    const double *t = o->log->t;
    if (c->end < 0)
        out_format(to, "  from t = %.6g s to the end of the log", t[c->begin]);
    else
        out_format(to, "  t = %.6g ... %.6g s", t[c->begin], t[c->end]);
    out_format(to, ": link %s; largest at joint %s, %.4g %s at t = %.6g s\n", link_name(o, c->link), joint_name(o, c->joint),
               c->residual, unit(o, c->joint), t[c->peak]);
    say_force(o, c, to);
    say_wrench(c, to);
}

static void say_fault(const observation *o, const arne_fault_event *f, out *to)
{
    out_format(to, "  t = %.6g s: the actuator of joint %s %s", o->log->t[f->row], joint_name(o, f->fault.joint),
               arne_fault_words(f->fault.kind));
    if (f->fault.kind == ARNE_FAULT_OFFSET || f->fault.kind == ARNE_FAULT_FROZEN)
        out_format(to, ": %.4g %s", f->fault.offset, unit(o, f->fault.joint));
    if (f->fault.kind == ARNE_FAULT_WEAK) out_format(to, ": %.3g %% of it are lost", 100 * f->fault.loss);
    out_text(to, f->fault.told ? "\n" : "; its command hardly changes, so other faults look the same\n");
}

void print_observe_text(const observation *o, out *to)
{
    static const char *const sources[][2] = {
        {"given", "as given"}, {"learned", "learned"}, {"log", "from this log itself: its usual residual, its torques"}};
    const arne_log *log = o->log;
    out_format(to, "%s: %d samples, %.6g s at intervals of %.6g s, method %s%s\n", arne_model_name(o->robot->model), log->count,
               log->t[log->count - 1] - log->t[0], log->period, method(o), o->links ? ", link side" : "");
    for (size_t k = 0; k < sizeof sources / sizeof *sources; k++)
        if (!strcmp(o->threshold_source, sources[k][0])) out_format(to, "thresholds %s\n", sources[k][1]);
    table t = {.columns = 7, .align = "lrrrrrl"};
    table_cells(&t, "joint", "gain", "threshold", "largest", "at t", "rms", "", "", "1/s");
    for (int k = 0; k < 4; k++)
        if (k == 2)
            table_cell(&t, "s");
        else
            table_unit(&t, o->robot->model, "Nm", "N");
    table_cell(&t, "");
    for (int i = 0; i < o->n; i++) {
        const arne_residual_summary s = summarize(o, i);
        table_cell(&t, joint_name(o, i));
        table_number(&t, o->gain[i], o->threshold[i], s.largest, log->t[s.at], s.rms);
        table_cell(&t, fabs(s.largest) > o->threshold[i] ? "over" : "");
    }
    table_print(&t, "  ", to);
    say_deaf(o, to);
    say_held(o, to);
    if (o->events.ncontact == 0)
        out_verdict(to, '+', "no contact\n");
    else {
        char text[64];
        snprintf(text, sizeof text, "%d contact%s\n", o->events.ncontact, o->events.ncontact == 1 ? "" : "s");
        out_verdict(to, '-', text);
    }
    for (int k = 0; k < o->events.ncontact; k++) say_contact(o, &o->events.contacts[k], to);
    if (o->events.nfault) out_text(to, "only one joint speaks, which an actuator does too:\n");
    for (int k = 0; k < o->events.nfault; k++) say_fault(o, &o->events.faults[k], to);
    out_fold(to, 0);
}

/* ---- for programs ---- */

static void json_estimate(const observation *o, const char *name, const arne_contact *c, const arne_wrench_estimate *w, int size,
                          out *to)
{
    json_open(to, name, '{');
    json_string(to, "link", link_name(o, c->wrench_link));
    json_numbers(to, "point", o->point, 3);
    json_numbers(to, "force", w->wrench, 3);
    if (size == 6) json_numbers(to, "moment", w->wrench + 3, 3);
    json_members(to, NUMBER("unexplained", w->unexplained), NUMBER("seen", w->seen));
    json_open(to, "blind", '[');
    for (int k = 0; k < size - w->seen; k++) json_numbers(to, NULL, w->blind[k], size);
    json_close(to, ']');
    json_close(to, '}');
}

static void json_contact(const observation *o, const arne_contact *c, out *to)
{
    const double *t = o->log->t;
    json_open(to, NULL, '{');
    json_members(to, TEXT("kind", "contact"), NUMBER("t", t[c->begin]), NUMBER("end", c->end < 0 ? NAN : t[c->end]),
                 TEXT("link", link_name(o, c->link)), TEXT("joint", joint_name(o, c->joint)), NUMBER("peak", c->residual),
                 NUMBER("peak_t", t[c->peak]));
    json_estimate(o, "force", c, &c->force, 3, to);
    json_estimate(o, "wrench", c, &c->wrench, 6, to);
    out_text(to, "}");
}

static void json_fault(const observation *o, const arne_fault_event *f, out *to)
{
    json_object(to, NULL, TEXT("kind", arne_fault_name(f->fault.kind)), NUMBER("t", o->log->t[f->row]),
                TEXT("joint", joint_name(o, f->fault.joint)), NUMBER("loss", f->fault.loss), NUMBER("offset", f->fault.offset),
                TRUTH("told", f->fault.told));
}

void print_observe_json(const observation *o, out *to)
{
    const arne_log *log = o->log;
    json_open(to, NULL, '{');
    json_members(to, TEXT("robot", arne_model_name(o->robot->model)), NUMBER("samples", log->count), NUMBER("start", log->t[0]),
                 NUMBER("period", log->period), TEXT("method", method(o)), TRUTH("link_side", o->links),
                 NUMBER("held", held_rows(o->held, log->count)));
    json_open(to, "held_rows", '[');
    for (int k = held_after(o->held, log->count, 0); k < log->count; k = held_after(o->held, log->count, k + 1))
        json_object(to, NULL, NUMBER("line", arne_log_line(k)), NUMBER("t", log->t[k]), TEXT("why", held_why(log, k)));
    json_close(to, ']');
    json_numbers(to, "gain", o->gain, o->n);
    json_numbers(to, "thresholds", o->threshold, o->n);
    json_string(to, "thresholds_from", o->threshold_source);
    json_open(to, "joints", '[');
    for (int i = 0; i < o->n; i++) {
        const arne_residual_summary s = summarize(o, i);
        json_object(to, NULL, TEXT("name", joint_name(o, i)), NUMBER("largest", s.largest), NUMBER("t", log->t[s.at]),
                    NUMBER("rms", s.rms));
    }
    json_close(to, ']');
    json_truth(to, "contact", o->events.ncontact);
    json_open(to, "events", '[');
    for (int k = 0; k < o->events.ncontact; k++) json_contact(o, &o->events.contacts[k], to);
    json_close(to, ']');
    json_open(to, "faults", '[');
    for (int k = 0; k < o->events.nfault; k++) json_fault(o, &o->events.faults[k], to);
    out_text(to, "]}\n");
}

/* ---- the table of residuals, and what it is, in the form of a run ---- */

static int finish(const observation *o, arne_csv_writer *w, const out *said)
{
    const arne_log *log = o->log;
    const int count = o->events.ncontact + o->events.nfault;
    const double held = held_rows(o->held, log->count);
    double most = 0;
    for (int i = 0; i < o->n; i++) most = fmax(most, fabs(summarize(o, i).largest));
    const arne_about_numbers told[] = {{"held", 0, &held}, {"max_residual", 0, &most}};
    arne_about_event *events = calloc((size_t)count + 1, sizeof *events);
    char(*text)[512] = calloc((size_t)count + 1, sizeof *text);
    for (int k = 0; k < count && events && text; k++) {
        const bool touch = k < o->events.ncontact;
        const arne_contact *c = touch ? &o->events.contacts[k] : NULL;
        const arne_fault_event *f = touch ? NULL : &o->events.faults[k - o->events.ncontact];
        if (touch)
            snprintf(text[k], sizeof *text, "contact on link %.200s, largest at joint %.200s", link_name(o, c->link),
                     joint_name(o, c->joint));
        else
            snprintf(text[k], sizeof *text, "actuator of joint %.200s %s", joint_name(o, f->fault.joint),
                     arne_fault_words(f->fault.kind));
        events[k] = (arne_about_event){log->t[touch ? c->begin : f->row], touch && c->end >= 0 ? log->t[c->end] : (double)NAN,
                                       touch ? "contact" : "fault", text[k]};
    }
    const char *base = option_value(o->robot->arguments, "base");
    const arne_about a = {.kind = "observe",
                          .title = "residuals",
                          .robot = o->robot->path,
                          .base = base && strcmp(base, "file") ? base : NULL,
                          .of = o->robot->model,
                          .period = log->period,
                          .duration = log->t[log->count - 1] - log->t[0],
                          .wall = NAN,
                          .thresholds = o->threshold,
                          .nevent = count,
                          .events = events,
                          .nsummary = 2,
                          .summary = told};
    arne_error error = {0};
    const bool made = events && text && !said->failed;
    const int status = checked(arne_csv_finish_told(w, made ? &a : NULL, made ? ARNE_OK : NO_MEMORY(&error), &error), &error);
    free(events);
    free(text);
    return status;
}

int write_observe_csv(const observation *o, const char *path, const out *said)
{
    arne_csv_writer *w;
    arne_error error = {0};
    if (arne_csv_create(path, 0, &w, &error)) return say_error(&error);
    arne_csv_name(w, "t");
    for (int i = 0; i < o->n; i++) {
        char name[256];
        const char *joint = o->log->nq == o->n ? "" : joint_name(o, i);
        snprintf(name, sizeof name, *joint ? "r.%.240s" : "r%.0s%d", joint, i + 1);
        arne_csv_name(w, name);
    }
    arne_csv_name(w, "contact");
    arne_csv_name(w, "held");
    for (int k = 0; k < o->log->count && arne_csv_end_row(w); k++) {
        const double flags[2] = {o->events.touched[k], o->held[k]};
        arne_csv_numbers(w, &o->log->t[k], 1);
        arne_csv_numbers(w, arne_log_row(o->residual, o->n, k), o->n);
        arne_csv_numbers(w, flags, 2);
    }
    arne_csv_end_row(w);
    return finish(o, w, said);
}
