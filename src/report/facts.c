/* SPDX-License-Identifier: MIT
 *
 * arne_report_facts.c - what can be said about a run from its numbers: errors, limits, pushes and contacts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/report.h"

static const double AT_LIMIT = 0.999; /* of a torque limit: the actuator saturates */
static const double AFTER = 0.5;      /* s: a contact found so long after a disturbance ended is still due to it */

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

/* Once the robot has stopped it does not follow its reference any more. Where the table has no reference, what stands beside it
 * may tell how far it was. */
static void find_error(const arne_report_run *r, arne_report_facts *f)
{
    const double end = f->stop ? f->stop->t : (double)INFINITY;
    for (int slides = 0; slides < 2 && f->error.joint < 0; slides++)
        for (int i = 0; i < r->dof; i++) {
            const double *q = real(r, "q", i), *to = arne__report_column(r, "qr", i, NULL);
            if (!q || arne__report_turns(r, i) == slides) continue;
            arne_report_peak e = {.joint = -1};
            double low = q[0], high = q[0];
            for (size_t k = 0; k < r->rows && r->t[k] <= end; k++) {
                low = fmin(low, q[k]), high = fmax(high, q[k]);
                if (to) offer(&e, i, fabs(to[k] - q[k]), r->t[k]);
            }
            if (!to && r->about.errors && isfinite(r->about.errors[i]))
                e = (arne_report_peak){i, r->about.errors[i], (double)NAN};
            if (e.joint < 0) continue;
            offer(&f->error, i, e.value, e.t);
            if (e.value > STILL && high - low < e.value / 20) offer(&f->still, i, e.value, e.t);
        }
}

static void find_torques(const arne_report_run *r, arne_report_facts *f)
{
    for (int i = 0; i < r->dof; i++) {
        const double *tau = real(r, "tau", i), *qd = real(r, "qd", i);
        double longest = 0;
        for (size_t k = 0; k < r->rows && tau && r->effort[i] > 0; k++) {
            const double share = fabs(tau[k]) / r->effort[i];
            offer(&f->torque, i, share, r->t[k]);
            if (share >= AT_LIMIT && k) longest += r->t[k] - r->t[k - 1];
        }
        if (longest > f->saturated_s) {
            f->saturated_s = longest;
            f->saturated = i;
        }
        for (size_t k = 0; k < r->rows && qd && r->velocity[i] > 0; k++)
            offer(&f->speed, i, fabs(qd[k]) / r->velocity[i], r->t[k]);
    }
}

/* The joint that leaves its position limits farthest. */
static void find_outside(const arne_report_run *r, arne_report_facts *f)
{
    for (int i = 0; i < r->dof; i++) {
        const double *q = real(r, "q", i);
        for (size_t k = 0; k < r->rows && q; k++) {
            const double over = fmax(q[k] - r->upper[i], r->lower[i] - q[k]); /* fmax passes over a limit that is not there */
            if (over > 1e-9) offer(&f->outside, i, over, r->t[k]);
        }
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
    f->watched = arne__report_column(r, "r", 0, NULL) || arne__report_named(r, "contact");
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

void arne_report_find(const arne_report_run *r, arne_report_facts *f)
{
    *f = (arne_report_facts){.error = {.joint = -1},
                             .torque = {.joint = -1},
                             .speed = {.joint = -1},
                             .outside = {.joint = -1},
                             .still = {.joint = -1},
                             .saturated = -1,
                             .delay = (double)NAN};
    find_contacts(r, f);
    find_error(r, f);
    find_torques(r, f);
    find_outside(r, f);
}
