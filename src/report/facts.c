/* SPDX-License-Identifier: MIT
 *
 * facts.c - what can be said about a run from its numbers: errors, limits, pushes and contacts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arne/positions.h"
#include "report/report.h"

static const double AT_LIMIT = 0.999; /* of a torque limit: the actuator saturates */
static const double AFTER = 0.5;      /* s: a contact found so long after a disturbance ended is still due to it */

/* What a joint went through so far. */
typedef struct {
    double low, high; /* positions */
    double saturated; /* s */
} joint_tally;
static const joint_tally JOINT_TALLY = {INFINITY, -INFINITY, 0};

static void offer(arne_report_peak *p, int joint, double value, double t)
{
    if (p->joint >= 0 && !(value > p->value)) return;
    *p = (arne_report_peak){joint, value, t};
}

/* What the robot did, not what noisy sensors saw of it. */
static const double *real(const arne_report_run *r, const char *group, int joint)
{
    char name[16];
    snprintf(name, sizeof name, "real_%s", group);
    const double *x = arne__report_column(r, name, joint, NULL);
    return x ? x : arne__report_column(r, group, joint, NULL);
}

/* Off its reference by more than this, and twenty times as far as it went: it should have moved, and did not. rad or m */
static const double STILL = 1e-3;

/* One row of joint i; what is not known of it is NAN. */
static void sample(const arne_report_run *r, int i, double t, double step, double q, double qd, double tau, joint_tally *j,
                   arne_report_facts *f)
{
    const double share = r->effort[i] > 0 ? fabs(tau) / r->effort[i] : (double)NAN;
    const double speed = r->velocity[i] > 0 ? fabs(qd) / r->velocity[i] : (double)NAN;
    if (share >= 0) offer(&f->torque, i, share, t);
    if (share >= AT_LIMIT) j->saturated += step;
    if (speed >= 0) offer(&f->speed, i, speed, t);
    const double over = fmax(q - r->upper[i], r->lower[i] - q); /* fmax passes over a limit that is not there */
    if (over > 1e-9) offer(&f->outside, i, over, t);
    j->low = fmin(j->low, q), j->high = fmax(j->high, q);
}

/* All rows of joint i are known, and how far from its reference it was at most (joint -1: nobody knows). */
static void settle(int i, const joint_tally *j, const arne_report_peak *error, arne_report_facts *f)
{
    if (j->saturated > f->saturated_s) f->saturated_s = j->saturated, f->saturated = i;
    if (error->joint >= 0 && error->value > STILL && j->high >= j->low && j->high - j->low < error->value / 20)
        offer(&f->still, i, error->value, error->t);
}

/* Once the robot has stopped it does not follow its reference any more. Where the table has no reference, what stands beside it
 * may tell how far it was. */
static arne_report_peak error_of(const arne_report_run *r, const arne_report_facts *f, int i, const double *q)
{
    const double *to = q ? arne__report_column(r, "qr", i, NULL) : NULL, end = f->stop ? f->stop->t : (double)INFINITY;
    arne_report_peak e = {.joint = -1};
    for (size_t k = 0; k < r->rows && r->t[k] <= end && to; k++) offer(&e, i, fabs(to[k] - q[k]), r->t[k]);
    if (!to && r->about.errors && isfinite(r->about.errors[i])) e = (arne_report_peak){i, r->about.errors[i], (double)NAN};
    return e;
}

/* The largest error of the joints that turn, else of those that slide. */
static void take_error(const arne_report_run *r, const arne_report_peak *e, arne_report_facts *f)
{
    if (e->joint < 0) return;
    const bool turns = arne__report_turns(r, e->joint), best = f->error.joint >= 0 && arne__report_turns(r, f->error.joint);
    if (turns && !best) f->error.joint = -1;
    if (turns || !best) offer(&f->error, e->joint, e->value, e->t);
}

static void find_peaks(const arne_report_run *r, arne_report_facts *f)
{
    for (int i = 0; i < r->dof; i++) {
        const double *q = real(r, "q", i), *qd = real(r, "qd", i), *tau = arne__report_column(r, "tau", i, NULL);
        joint_tally j = JOINT_TALLY;
        for (size_t k = 0; k < r->rows; k++)
            sample(r, i, r->t[k], k ? r->t[k] - r->t[k - 1] : 0, q ? q[k] : (double)NAN, qd ? qd[k] : (double)NAN,
                   tau ? tau[k] : (double)NAN, &j, f);
        const arne_report_peak e = error_of(r, f, i, q);
        settle(i, &j, &e, f);
        take_error(r, &e, f);
    }
}

static bool is(const arne_about_event *e, const char *kind) { return !strcmp(e->kind, kind); }

static bool disturbs(const arne_about_event *e)
{
    return is(e, "wrench") || is(e, "payload") || is(e, "fault") || is(e, "friction");
}

/* The disturbance that a contact found at t is about: the last one that has begun and is not long over. */
static const arne_about_event *cause(const arne_report_run *r, double t)
{
    const arne_about_event *last = NULL;
    for (int i = 0; i < r->nevent; i++) {
        const arne_about_event *e = &r->events[i];
        if (disturbs(e) && e->t <= t && t <= (isnan(e->end) ? e->t : e->end) + AFTER) last = e;
    }
    return last;
}

static void find_contacts(const arne_report_run *r, arne_report_facts *f)
{
    /* only a simulated run tells all that was done to the robot */
    const bool told = r->about.kind && !strcmp(r->about.kind, "run");
    f->watched = arne__report_column(r, "r", 0, NULL) || arne__report_named(r, "contact") || (told && r->about.thresholds);
    for (int i = 0; i < r->nevent; i++) {
        const arne_about_event *e = &r->events[i];
        if (is(e, "stop") && !f->stop) f->stop = e;
        if (disturbs(e) && !f->push) f->push = e;
        if (!is(e, "contact")) continue;
        f->watched = true;
        const arne_about_event *why = cause(r, e->t);
        f->contacts++;
        if (!why && told) {
            if (!f->unexplained) f->unexplained = e;
            f->false_alarms++;
        } else if (!f->contact) {
            f->contact = e;
            if (!why) continue;
            f->push = why;
            f->delay = e->t - why->t;
        }
    }
}

static const arne_report_facts NOTHING = {.error = {.joint = -1},
                                          .torque = {.joint = -1},
                                          .speed = {.joint = -1},
                                          .outside = {.joint = -1},
                                          .still = {.joint = -1},
                                          .saturated = -1,
                                          .delay = (double)NAN};

void arne_report_find(const arne_report_run *r, arne_report_facts *f)
{
    *f = NOTHING;
    find_contacts(r, f);
    find_peaks(r, f);
}

/* ---- the same while the rows pass by ---- */

struct arne_report_watch {
    arne_report_run *run; /* without a table */
    arne_report_facts facts;
    joint_tally *joints;
    double t;
};

arne_status arne_report_watch_new(const arne_model *m, arne_report_watch **out, arne_error *error)
{
    if (!m || !out) return arne_fail(error, ARNE_BAD_ARGUMENT, NULL, 0, "a verdict needs a robot, and a place for itself");
    arne_report_watch *w = *out = calloc(1, sizeof *w);
    const size_t n = (size_t)arne_model_dof(m);
    if (w) w->run = calloc(1, sizeof *w->run), w->joints = calloc(n + 1, sizeof *w->joints);
    arne_status status = w && w->run && w->joints ? ARNE_OK : report_no_memory(error);
    if (!status) status = arne_report_complete(w->run, NULL, m, arne_model_name(m), error);
    if (status) {
        arne_report_watch_free(w);
        *out = NULL;
        return status;
    }
    for (size_t i = 0; i < n; i++) w->joints[i] = JOINT_TALLY;
    w->facts = NOTHING;
    w->run->t = &w->t;
    return ARNE_OK;
}

void arne_report_watch_row(arne_report_watch *w, double t, const double *q, const double *qd, const double *tau)
{
    for (int i = 0; i < w->run->dof; i++) {
        const int at = arne_velocity_position(w->run->robot, i);
        sample(w->run, i, t, w->run->rows ? t - w->t : 0, at < 0 ? (double)NAN : q[at], qd[i], tau[i], &w->joints[i], &w->facts);
    }
    w->t = t;
    w->run->rows = 1; /* the last one */
}

static void conclude(const arne_report_watch *w, const arne_about *a, arne_report_run *r, arne_report_facts *f)
{
    *r = *w->run;
    *f = w->facts;
    r->about = *a;
    r->events = a->events;
    r->nevent = a->nevent;
    if (!r->rows) r->rows = 1;
    find_contacts(r, f);
    for (int i = 0; i < r->dof; i++) {
        const arne_report_peak e = error_of(r, f, i, NULL);
        settle(i, &w->joints[i], &e, f);
    }
}

arne_status arne_report_watch_find(const arne_report_watch *w, const arne_about *a, arne_report_facts *f)
{
    arne_report_run r;
    if (!w || !a || !f) return ARNE_BAD_ARGUMENT;
    conclude(w, a, &r, f);
    return ARNE_OK;
}

arne_status arne_report_watch_end(const arne_report_watch *w, const arne_about *a, const char **verdict, char **words,
                                  arne_error *error)
{
    if (!w || !a || !verdict || !words)
        return arne_fail(error, ARNE_BAD_ARGUMENT, NULL, 0, "a verdict needs a run, and a place for itself");
    arne_report_run r;
    arne_report_facts f;
    conclude(w, a, &r, &f);
    text_buffer html = {0};
    *verdict = arne__report_words(&r, &f, &html);
    *words = arne__text_plain(&html);
    arne__text_free(&html);
    return *words ? ARNE_OK : report_no_memory(error);
}

void arne_report_watch_free(arne_report_watch *w)
{
    if (!w) return;
    arne_report_free(w->run);
    free(w->joints);
    free(w);
}
