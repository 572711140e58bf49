/* SPDX-License-Identifier: MIT
 *
 * run_file.c - a simulated run as a file. */
#include "cli/run_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/about.h"

/* 12 digits: more than any sensor has, and quickly printed. */
#define NUMBER "%.12g"
enum { LONGEST_NUMBER = 24 };

/* ---- rows ---- */

/* The groups of dof columns, in their order. */
static const char *const groups[] = {"q", "qd", "tau", "theta", "thetad", "qr", "qdr", "real_q", "real_qd", "real_tau", "r"};
enum { GROUPS = sizeof groups / sizeof *groups };

static void group_values(const arne_scenario *s, const arne_row *row, const double *values[GROUPS])
{
    const double *const all[GROUPS] = {row->q,
                                       row->qd,
                                       row->tau,
                                       row->theta,
                                       row->thetad,
                                       s->reference ? row->qr : NULL,
                                       s->reference ? row->qdr : NULL,
                                       row->real_q,
                                       row->real_qd,
                                       row->real_tau,
                                       row->residual};
    memcpy(values, all, sizeof all);
}

static void header(run_file *f, const double *const values[GROUPS], const arne_row *row)
{
    out names = {0};
    out_text(&names, "t");
    for (int g = 0; g < GROUPS; g++)
        for (int i = 0; values[g] && i < arne_model_dof(f->s->model); i++) out_format(&names, ",%s%d", groups[g], i + 1);
    if (row->residual) out_text(&names, ",contact");
    if (f->s->energy) out_text(&names, ",kinetic,potential");
    if (row->hand) out_text(&names, ",hand.x,hand.y,hand.z");
    out_text(&names, "\n");
    fwrite(names.s, 1, names.length, f->csv.file);
    out_free(&names);
}

/* As NUMBER, but for the last digit where the 13th is near 5; most of a run's numbers are of such a size, and printf is slow. */
static char *number(char *at, double x)
{
    const double size = fabs(x);
    *at++ = ',';
    if (x == 0) {
        *at++ = '0';
        return at;
    }
    if (!(size >= 1e-4 && size < 1e6)) return at + snprintf(at, LONGEST_NUMBER, NUMBER, x);
    int places = 11; /* behind the point */
    for (double p = 10; size >= p; p *= 10) places--;
    for (double p = 1; size < p; p /= 10) places++;
    long long power = 1;
    for (int k = 0; k < places; k++) power *= 10;
    const long long digits = (long long)(size * (double)power + 0.5), whole = digits / power;
    long long part = digits % power;
    if (x < 0) *at++ = '-';
    char reversed[24], *r = reversed;
    for (long long w = whole; w > 0 || r == reversed; w /= 10) *r++ = (char)('0' + w % 10);
    while (r > reversed) *at++ = *--r;
    if (part == 0) return at;
    *at++ = '.';
    while (part % 10 == 0) part /= 10, places--;
    for (int k = places; k-- > 0; part /= 10) at[k] = (char)('0' + part % 10);
    return at + places;
}

int run_file_row(run_file *f, const arne_row *row)
{
    const double *values[GROUPS];
    const int n = arne_model_dof(f->s->model);
    if (!f->csv.file) return 0;
    group_values(f->s, row, values);
    if (f->rows++ == 0) header(f, values, row);
    char *at = f->line + snprintf(f->line, LONGEST_NUMBER, NUMBER, row->t);
    for (int g = 0; g < GROUPS; g++)
        for (int i = 0; values[g] && i < n; i++) at = number(at, values[g][i]);
    if (row->residual) at = number(at, row->contact);
    if (f->s->energy) at = number(number(at, row->kinetic), row->potential);
    for (int i = 0; row->hand && i < 3; i++) at = number(at, row->hand[i]);
    *at++ = '\n';
    fwrite(f->line, 1, (size_t)(at - f->line), f->csv.file);
    if (!ferror(f->csv.file)) return 0;
    f->why = errno;
    return 1;
}

/* ---- what happened ---- */

static void numbers(out *o, const char *key, const double *v, int n)
{
    out_format(o, "\"%s\":", key);
    if (!v) {
        out_text(o, "null");
        return;
    }
    for (int i = 0; i < n; i++) {
        out_text(o, i ? "," : "[");
        out_number_or_null(o, v[i]);
    }
    out_text(o, "]");
}

static void limits(out *o, const arne_model *m)
{
    static const char *const keys[] = {"effort", "velocity", "lower", "upper"};
    out_text(o, "\"limits\":{");
    for (int k = 0; k < 4; k++) {
        out_format(o, "%s\"%s\":[", k ? "," : "", keys[k]);
        for (int i = 0; i < arne_model_dof(m); i++) {
            const arne_limits *l = arne_joint_limits(m, i);
            const double v[] = {l->effort > 0 ? l->effort : INFINITY, l->velocity > 0 ? l->velocity : INFINITY, l->lower,
                                l->upper};
            if (i) out_text(o, ",");
            out_number_or_null(o, v[k]);
        }
        out_text(o, "]");
    }
    out_text(o, "}");
}

static void events(out *o, const arne_result *r)
{
    out_text(o, "\"events\":[");
    for (int i = 0; i < r->nevent; i++) {
        const arne_event *e = &r->events[i];
        out_format(o, "%s{\"t\":", i ? "," : "");
        out_number(o, e->t);
        out_text(o, ",\"end\":");
        out_number_or_null(o, e->end);
        out_text(o, ",\"kind\":");
        out_string(o, e->kind);
        out_text(o, ",\"text\":");
        out_string(o, e->text);
        out_text(o, "}");
    }
    out_text(o, "]");
}

void run_json(const arne_scenario *s, const arne_result *r, double wall, out *o)
{
    static const char *const ends[] = {"finished", "stopped", "failed"};
    const int n = arne_model_dof(s->model);
    out_text(o, "{\"arne\":\"run\",\"version\":1,\"title\":");
    out_string(o, s->title ? s->title : "");
    out_text(o, ",\"robot\":");
    out_string(o, s->robot);
    out_text(o, ",\"model\":");
    out_string(o, arne_model_name(s->model));
    out_format(o, ",\"dof\":%d,\"joints\":[", n);
    for (int i = 0; i < n; i++) {
        if (i) out_text(o, ",");
        out_string(o, arne_joint_name(s->model, i));
    }
    out_format(o, "],\"controller\":\"%s\",\"integrator\":\"%s\",\"period\":", s->controller, s->integrator);
    out_number(o, s->loop.period);
    out_text(o, ",\"duration\":");
    out_number(o, r->end == ARNE_RUN_FINISHED ? s->loop.duration : r->t);
    out_format(o, ",\"status\":\"%s\",\"message\":", ends[r->end]);
    out_string(o, r->message);
    out_text(o, ",");
    limits(o, s->model);
    out_text(o, ",");
    numbers(o, "thresholds", s->thresholds, n);
    out_text(o, ",\"link\":");
    out_string(o, s->link);
    out_text(o, ",");
    events(o, r);
    out_text(o, ",\"summary\":{");
    numbers(o, "max_error", r->max_error, n);
    out_text(o, ",\"wall_s\":");
    out_number(o, wall);
    out_format(o, ",\"ticks\":%ld,\"steps\":%ld}}\n", r->ticks, r->steps);
}

/* ---- files ---- */

int run_file_open(run_file *f, const arne_scenario *s, const char *path)
{
    *f = (run_file){.s = s};
    if (!path) return CLI_OK;
    const size_t n = (size_t)arne_model_dof(s->model);
    f->line = malloc((GROUPS * n + 8) * (LONGEST_NUMBER + 1));
    f->json = json_beside(path);
    if (f->line && f->json && !strcmp(f->json, path)) {
        free(f->line);
        free(f->json);
        return misuse("--out %s: the name ending in .json is for what is said about the run; give run.csv", path);
    }
    arne_error error = {0};
    const int status = f->line && f->json ? checked(arne__whole_open(&f->csv, path, &error), &error) : no_memory();
    if (status) {
        free(f->line);
        free(f->json);
    }
    return status;
}

int run_file_close(run_file *f, const arne_result *r, double wall, int status)
{
    const bool written = f->csv.file, device = written && !f->csv.part;
    if (f->why && !status) status = complain_at(f->csv.path, 0, "cannot write: %s", strerror(f->why));
    arne_error error = {0};
    if (arne__whole_close(&f->csv, (arne_status)status, &error) && !status) status = say_error(&error);
    if (written && !status && !device) {
        out o = {0};
        run_json(f->s, r, wall, &o);
        status = out_file(&o, f->json);
    }
    free(f->line);
    free(f->json);
    return status;
}
