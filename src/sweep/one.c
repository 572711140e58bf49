/* SPDX-License-Identifier: MIT
 *
 * one.c - one run of a sweep, as a row of its file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arne/report.h"
#include "sweep/run.h"

typedef struct {
    arne_report_watch *watch;
    double *torque, *speed;
    int n;
} watcher;

static int row(void *context, const arne_row *r)
{
    watcher *w = context;
    const double *qd = r->real_qd ? r->real_qd : r->qd;
    for (int i = 0; i < w->n; i++) {
        w->torque[i] = fmax(w->torque[i], fabs(r->tau[i]));
        w->speed[i] = fmax(w->speed[i], fabs(qd[i]));
    }
    arne_report_watch_row(w->watch, r->t, r->real_q ? r->real_q : r->q, qd, r->tau);
    return 0;
}

static arne_status judge(const arne_scenario *s, const arne_result *result, const watcher *w, double *number[], arne_error *error)
{
    arne_about about;
    arne_about_event *events = NULL;
    arne_report_facts f;
    const char *verdict;
    char *words = NULL;
    const arne_record_end end = {0};
    arne_status status = arne_record_about(s, result, &end, &about, &events, error);
    if (!status) status = arne_report_watch_end(w->watch, &about, &verdict, &words, error);
    if (!status) status = arne_report_watch_find(w->watch, &about, &f);
    if (!status) {
        *number[AT_delay] = f.delay;
        *number[AT_contacts] = f.contacts;
        *number[AT_false_alarms] = f.false_alarms;
        *number[AT_verdict] = !strcmp(verdict, "good") ? 2 : !strcmp(verdict, "fair");
    }
    free(words);
    free(events);
    return status;
}

static arne_status run(arne_scenario *s, const volatile sig_atomic_t *stop, double *number[], bool *stopped, sweep_row *out,
                       arne_error *error)
{
    watcher w = {.torque = number[AT_torque], .speed = number[AT_speed], .n = arne_model_nv(s->model)};
    arne_result result = {0};
    for (int i = 0; i < w.n; i++) w.torque[i] = w.speed[i] = 0;
    arne_status status = arne_report_watch_new(s->model, &w.watch, error);
    s->loop.row = row;
    s->loop.context = &w;
    s->loop.stop = stop;
    s->loop.link = -1; /* nobody asks where it was */
    if (!status) status = arne_scenario_learn(s, error);
    if (!status) status = arne_loop_run(&s->loop, &result, error);
    if (!status) status = judge(s, &result, &w, number, error);
    if (!status) {
        *number[AT_t] = result.t;
        for (int i = 0; i < w.n && result.max_error; i++) number[AT_error][i] = result.max_error[i];
        *stopped = result.end == ARNE_RUN_STOPPED;
        out->state = result.end == ARNE_RUN_FINISHED ? ARNE_SWEEP_FINISHED : ARNE_SWEEP_FAILED;
        snprintf(out->message, sizeof out->message, "%.119s", result.message);
    }
    arne_result_free(&result);
    arne_report_watch_free(w.watch);
    return status;
}

arne_status arne__sweep_one(const arne_variation *v, const row_shape *shape, long k, const volatile sig_atomic_t *stop,
                            bool *stopped, sweep_row *out, arne_error *error)
{
    arne_scenario *s = NULL;
    double *number[NUMBERS];
    memset(out, 0, row_bytes(shape));
    *stopped = false;
    out->run = k;
    for (int i = 0; i < shape->all; i++) out->number[i] = (double)NAN;
    for (int i = 0; i < NUMBERS; i++) number[i] = out->number + shape->at[i];
    arne_variation_draw(v, k, number[AT_draw]);
    arne_error own = {0};
    arne_status status = arne_variation_scenario(v, k, &s, &own);
    if (!status) status = run(s, stop, number, stopped, out, &own);
    arne_scenario_free(s);
    if (status == ARNE_NO_MEMORY) return NO_MEMORY(error);
    if (status) { /* what was drawn makes no scenario: a run that failed */
        out->state = ARNE_SWEEP_FAILED;
        snprintf(out->message, sizeof out->message, "%.119s", own.message);
    }
    return ARNE_OK;
}
