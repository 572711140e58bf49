/* SPDX-License-Identifier: MIT
 *
 * record.c - a run as a file: rows in run.csv, what they mean and what happened in run.json beside it. */
#include <stdlib.h>
#include <string.h>

#include "arne/log.h"
#include "arne/positions.h"
#include "arne/scenario.h"
#include "base/fail.h"

/* 12 digits: more than any sensor has, and quickly printed; all of a quaternion, whose length is to stay 1. */
enum { DIGITS = 12, ALL_DIGITS = 17 };

struct arne_record {
    const arne_scenario *s;
    arne_csv_writer *csv;
    char *path;
    long rows;
};

static bool has_several(const arne_model *m) { return arne_model_nq(m) != arne_model_nv(m); }

arne_status arne_record_open(const arne_scenario *s, const char *path, arne_record **out, arne_error *error)
{
    arne_record *r = *out = calloc(1, sizeof *r);
    char *name = arne_about_path(path);
    arne_status status = ARNE_OK;
    if (!r || !name || !(r->path = strdup(path)))
        status = NO_MEMORY(error);
    else if (!strcmp(name, path))
        status =
            arne_fail(error, ARNE_BAD_VALUE, path, 0, "the name ending in .json is for what is said about the run; give run.csv");
    else
        status = arne_csv_create(r->path, has_several(s->model) ? ALL_DIGITS : DIGITS, &r->csv, error);
    free(name);
    if (!status) {
        r->s = s;
        return ARNE_OK;
    }
    if (r) free(r->path);
    free(r);
    *out = NULL;
    return status;
}

/* The groups of columns, in their order; those of joints of one freedom alone are references and motors. */
/* clang-format off */
#define GROUPS(X) \
    X("q", row->q, POSITIONS) X("qd", row->qd, VELOCITIES) X("tau", row->tau, VELOCITIES) X("theta", row->theta, DRIVEN) \
    X("thetad", row->thetad, DRIVEN) X("qr", s->reference ? row->qr : NULL, DRIVEN) \
    X("qdr", s->reference ? row->qdr : NULL, DRIVEN) X("real_q", row->real_q, POSITIONS) \
    X("real_qd", row->real_qd, VELOCITIES) X("real_tau", row->real_tau, VELOCITIES) X("r", row->residual, VELOCITIES)
/* clang-format on */
#define GROUP_NAME(name, values, of)                                                                                             \
    if (values) put_names(w, s->model, name, of);
#define GROUP_VALUES(name, values, of)                                                                                           \
    if (values) put_values(w, s->model, values, of);

enum { POSITIONS, VELOCITIES, DRIVEN };

/* q1, q2, ...; where joints have several freedoms by name: q.base.x */
static void put_names(arne_csv_writer *w, const arne_model *m, const char *group, int of)
{
    const int count = of == POSITIONS ? arne_model_nq(m) : arne_model_nv(m);
    if (!has_several(m)) {
        arne_csv_names(w, group, count);
        return;
    }
    for (int i = 0; i < count; i++) {
        char name[256];
        if (of == DRIVEN && arne_velocity_position(m, i) < 0) continue;
        snprintf(name, sizeof name, "%s.%s", group, of == POSITIONS ? arne_position_name(m, i) : arne_velocity_name(m, i));
        arne_csv_name(w, name);
    }
}

static void put_values(arne_csv_writer *w, const arne_model *m, const double *values, int of)
{
    const int count = of == POSITIONS ? arne_model_nq(m) : arne_model_nv(m);
    if (of != DRIVEN || !has_several(m)) {
        arne_csv_numbers(w, values, count);
        return;
    }
    for (int i = 0; i < count; i++)
        if (arne_velocity_position(m, i) >= 0) arne_csv_numbers(w, values + i, 1);
}

/* of the whole robot: linear, angular about its centre of mass, in the world */
static const char *const momentum[] = {"linear.x", "linear.y", "linear.z", "angular.x", "angular.y", "angular.z"};

static void header(arne_csv_writer *w, const arne_scenario *s, const arne_row *row)
{
    arne_csv_name(w, "t");
    GROUPS(GROUP_NAME)
    if (row->residual) arne_csv_name(w, "contact");
    if (s->energy) arne_csv_name(w, "kinetic"), arne_csv_name(w, "potential");
    for (int i = 0; row->hand && i < 3; i++) arne_csv_name(w, (const char *const[]){"hand.x", "hand.y", "hand.z"}[i]);
    for (int i = 0; row->momentum && s->energy && i < 6; i++) arne_csv_name(w, momentum[i]);
    arne_csv_end_row(w);
}

bool arne_record_row(arne_record *r, const arne_row *row)
{
    const arne_scenario *s = r->s;
    arne_csv_writer *w = r->csv;
    const double contact = row->contact, energy[] = {row->kinetic, row->potential};
    if (r->rows++ == 0) header(w, s, row);
    arne_csv_numbers(w, &row->t, 1);
    GROUPS(GROUP_VALUES)
    if (row->residual) arne_csv_numbers(w, &contact, 1);
    if (s->energy) arne_csv_numbers(w, energy, 2);
    if (row->hand) arne_csv_numbers(w, row->hand, 3);
    if (row->momentum && s->energy) arne_csv_numbers(w, row->momentum, 6);
    return arne_csv_end_row(w);
}

arne_status arne_record_about(const arne_scenario *s, const arne_result *r, const arne_record_end *end, arne_about *about,
                              arne_about_event **events, arne_error *error)
{
    static const char *const ends[] = {"finished", "stopped", "failed"};
    arne_about_event *e = *events = calloc((size_t)r->nevent + 1, sizeof *e);
    if (!e) return NO_MEMORY(error);
    for (int i = 0; i < r->nevent; i++)
        e[i] = (arne_about_event){r->events[i].t, r->events[i].end, r->events[i].kind, r->events[i].text};
    *about = (arne_about){.kind = "run",
                          .title = s->title,
                          .robot = s->robot,
                          .base = s->base,
                          .mimic = s->mimic,
                          .of = s->model,
                          .controller = s->controller,
                          .integrator = s->integrator,
                          .period = s->loop.period,
                          .duration = r->end == ARNE_RUN_FINISHED ? s->loop.duration : r->t,
                          .wall = end->wall,
                          .status = ends[r->end],
                          .message = r->message,
                          .link = s->link,
                          .verdict = end->verdict,
                          .why = end->why,
                          .thresholds = s->thresholds,
                          .errors = r->max_error,
                          .npayload = s->npayload,
                          .payloads = s->payloads,
                          .nevent = r->nevent,
                          .events = e};
    return ARNE_OK;
}

/* What is said about a run: into *text, or beside the rows where text is NULL. */
static arne_status tell(const arne_scenario *s, const arne_result *r, const arne_record_end *end, arne_csv_writer *rows,
                        char **text, arne_error *error)
{
    const double ticks = (double)r->ticks, steps = (double)r->steps;
    const arne_about_numbers summary[] = {
        {"max_error", arne_model_dof(s->model), r->max_error}, {"ticks", 0, &ticks}, {"steps", 0, &steps}};
    arne_about a;
    arne_about_event *events;
    arne_status status = arne_record_about(s, r, end, &a, &events, error);
    if (status) return arne_csv_finish(rows, status, error);
    a.nsummary = 3;
    a.summary = summary;
    status = text ? arne_about_text(&a, text, error) : arne_csv_finish_told(rows, &a, ARNE_OK, error);
    free(events);
    return status;
}

arne_status arne_record_text(const arne_scenario *s, const arne_result *r, const arne_record_end *end, char **text,
                             arne_error *error)
{
    return tell(s, r, end, NULL, text, error);
}

arne_status arne_record_close(arne_record *r, const arne_result *result, const arne_record_end *end, arne_status status,
                              arne_error *error)
{
    if (!r) return status;
    arne_result kept = *result;
    arne_error full = {0};
    const bool cut = !status && arne_csv_keep(r->csv, &kept.t, &full);
    if (cut) {
        kept.end = ARNE_RUN_STOPPED;
        snprintf(kept.message, sizeof kept.message, "%.255s", full.message);
    }
    status = status ? arne_csv_finish(r->csv, status, error) : tell(r->s, cut ? &kept : result, end, r->csv, NULL, error);
    if (cut && !status)
        status = arne_fail(error, ARNE_CANNOT_WRITE, r->path, 0, "%s; it holds t = 0 ... %g", full.message, kept.t);
    free(r->path);
    free(r);
    return status;
}
