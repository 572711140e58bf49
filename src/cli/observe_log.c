/* SPDX-License-Identifier: MIT
 *
 * observe_log.c - runs the observer, the detector and the fault monitor over a log. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arne/elastic.h"
#include "base/order.h"
#include "cli/observe.h"

/* Spring torques of the rows in place of the motors', from positions and velocities on both sides. */
static int spring_torques(const observation *o, const arne_log *log, double **tau)
{
    if (!log->theta || !log->thetad)
        return complain_at(log->name, 1, "--links needs the motors: columns theta1 ..., thetad1 ... are missing");
    arne_flex *f;
    arne_error error = {0};
    if (arne_flex_new(o->robot->model, &f, &error))
        return complain_at(o->robot->path, error.line, "%s", error.message[0] ? error.message : "out of memory");
    *tau = calloc((size_t)log->count * (size_t)o->n + 1, sizeof **tau);
    for (int k = 0; k < log->count && *tau; k++) {
        const size_t at = (size_t)k * (size_t)o->n;
        arne_flex_spring(f, log->q + at, log->qd + at, log->theta + at, log->thetad + at, *tau + at);
    }
    arne_flex_free(f);
    return *tau ? CLI_OK : no_memory();
}

int observe_residuals(observation *o, const arne_log *log, double *residual)
{
    const arne_observer_options options = {.period = log->period, .gain = o->gain, .link_side = o->links, .numeric = o->numeric};
    arne_observer *x;
    arne_error error = {0};
    double *springs = NULL;
    int held = 0, first = 0;
    if (o->links) {
        const int status = spring_torques(o, log, &springs);
        if (status) return status;
    }
    if (arne_observer_new(o->data, &options, &x, &error)) {
        free(springs);
        return say_error(&error);
    }
    const double *tau = springs ? springs : log->tau;
    for (int k = 0; k < log->count; k++) {
        const bool good =
            arne_observer_tick(x, arne_log_row(log->q, o->n, k), arne_log_row(log->qd, o->n, k), arne_log_row(tau, o->n, k));
        memcpy(residual + (size_t)k * (size_t)o->n, arne_observer_residual(x), (size_t)o->n * sizeof *residual);
        if (good) continue;
        if (held++ == 0) first = k;
    }
    arne_observer_free(x);
    free(springs);
    if (held == log->count) return complain_at(log->name, 0, "no row has all its numbers");
    if (held && !o->quiet)
        warn("%s:%d: a number is missing or not finite (%d such row%s); the residual is held there", log->name,
             arne_log_line(first), held, held == 1 ? "" : "s");
    if (log == o->log) o->held = held;
    for (size_t k = 0; k < (size_t)log->count * (size_t)o->n; k++)
        if (!isfinite(residual[k]))
            return complain_at(
                log->name, arne_log_line((int)(k / (size_t)o->n)),
                "the residual of joint %s grows without bound; the numeric method is unstable for gains above 2/period",
                arne_joint_name(o->robot->model, (int)(k % (size_t)o->n)));
    return CLI_OK;
}

int observe_learn(observation *o, const char *path, double rate)
{
    arne_log log;
    arne_error error = {0};
    int status = checked(arne_log_read(path, o->robot->model, &log, &error), &error);
    double *residual = NULL;
    if (!status && fabs(log.period - o->log->period) > 0.02 * o->log->period)
        status =
            complain_at(log.name, 0, "the rows to learn from come every %g s, those of %s every %g s; record both at one rate",
                        log.period, o->log->name, o->log->period);
    if (!status && !(residual = calloc((size_t)log.count * (size_t)o->n + 1, sizeof *residual))) status = no_memory();
    if (!status) status = observe_residuals(o, &log, residual);
    if (!status && arne_detector_learn(o->robot->model, log.count, residual, log.period, rate, o->threshold, &error))
        status = complain_at(log.name, 0, "%s", error.message);
    o->threshold_source = "learned";
    free(residual);
    arne_log_free(&log);
    return status;
}

/* Six times the usual size of the residual (its median is 0.67 of a standard deviation), and not less than models are good for:
 * 2 % of the largest torque of the joint, 0.2 % of that of any joint. */
int observe_usual(observation *o)
{
    const int count = o->log->count, n = o->n;
    double *size = calloc((size_t)count, sizeof *size), largest = 0;
    if (!size) return no_memory();
    for (int i = 0; i < n; i++) {
        double torque = 0;
        for (int k = 0; k < count; k++) {
            const double tau = fabs(arne_log_row(o->log->tau, n, k)[i]);
            if (isfinite(tau)) torque = fmax(torque, tau);
            size[k] = fabs(arne_log_row(o->residual, n, k)[i]);
        }
        arne__sort_numbers(size, count);
        o->threshold[i] = fmax(6 * size[count / 2] / 0.6745, 0.02 * torque);
        largest = fmax(largest, torque);
    }
    for (int i = 0; i < n; i++) o->threshold[i] = fmax(fmax(o->threshold[i], 0.002 * largest), 1e-6);
    o->threshold_source = "log";
    free(size);
    return CLI_OK;
}

static contact *new_contact(observation *o, int row)
{
    if (!(o->ncontact & (o->ncontact - 1))) {
        contact *more = realloc(o->contacts, (size_t)(o->ncontact ? 2 * o->ncontact : 1) * sizeof *more);
        if (!more) return NULL;
        o->contacts = more;
    }
    contact *c = &o->contacts[o->ncontact++];
    *c = (contact){.begin = row, .end = -1, .peak = row, .joint = -1};
    return c;
}

static bool note_fault(observation *o, int row, const arne_fault *f)
{
    const arne_fault *last = o->nfault ? &o->faults[o->nfault - 1].fault : NULL;
    if (f->kind == ARNE_FAULT_NONE || f->kind == ARNE_FAULT_OUTSIDE) return true;
    if (last && last->kind == f->kind && last->joint == f->joint) return true;
    if (!(o->nfault & (o->nfault - 1))) {
        fault_event *more = realloc(o->faults, (size_t)(o->nfault ? 2 * o->nfault : 1) * sizeof *more);
        if (!more) return false;
        o->faults = more;
    }
    o->faults[o->nfault++] = (fault_event){row, *f};
    return true;
}

/* The wrench at the peak, on the link that was hit or the one that was asked for. */
static void explain(observation *o, contact *c)
{
    const double *r = arne_log_row(o->residual, o->n, c->peak), *q = arne_log_row(o->log->q, o->n, c->peak);
    c->wrench_link = o->wrench_link >= 0 ? o->wrench_link : c->link;
    for (int i = 0; i < o->n; i++)
        if (!isfinite(q[i])) return; /* a held row: there is no position */
    c->unexplained = arne_residual_wrench(o->data, q, c->wrench_link, r, c->wrench);
}

static bool watch(observation *o, arne_detector *x, arne_fault_monitor *m)
{
    contact *c = NULL;
    double most = 0;
    for (int k = 0; k < o->log->count; k++) {
        const double *r = arne_log_row(o->residual, o->n, k), *qd = arne_log_row(o->log->qd, o->n, k),
                     *tau = arne_log_row(o->log->tau, o->n, k);
        arne_detection d;
        arne_detector_tick(x, r, &d);
        o->touched[k] = d.contact;
        if (d.began && !(c = new_contact(o, k))) return false;
        if (d.began) most = 0;
        if (c && d.link_joint >= 0) c->link = arne_joint_link(o->robot->model, d.link_joint);
        if (c && d.joint >= 0 && fabs(r[d.joint]) / o->threshold[d.joint] > most) {
            most = fabs(r[d.joint]) / o->threshold[d.joint];
            c->joint = d.joint;
            c->peak = k;
            c->residual = r[d.joint];
        }
        if (d.ended && c) c->end = k, c = NULL;
        bool good = !o->links; /* behind the springs nothing is seen of an actuator but its spring */
        for (int i = 0; i < o->n; i++) good &= isfinite(qd[i]) && isfinite(tau[i]);
        arne_fault f;
        if (!good) continue;
        arne_fault_tick(m, qd, tau, r, &f);
        if (!note_fault(o, k, &f)) return false;
    }
    for (int k = 0; k < o->ncontact; k++) explain(o, &o->contacts[k]);
    return true;
}

int observe_events(observation *o)
{
    const arne_fault_options options = {.period = o->log->period, .gain = o->gain, .threshold = o->threshold};
    arne_detector *x = NULL;
    arne_fault_monitor *m = NULL;
    arne_error error = {0};
    int status = CLI_OK;
    if (arne_detector_new(o->robot->model, o->threshold, &x, &error) || arne_fault_new(o->robot->model, &options, &m, &error))
        status = say_error(&error);
    else if (!watch(o, x, m))
        status = no_memory();
    arne_detector_free(x);
    arne_fault_free(m);
    return status;
}
