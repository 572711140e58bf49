/* SPDX-License-Identifier: MIT
 *
 * recording.c - runs the observer, the detector and the fault monitor over a recorded run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "observe/observer.h"

arne_status arne_recording_springs(const arne_recording *log, const arne_settings *s, double *tau_e, arne_error *error)
{
    if (!log || !s || !tau_e) return BAD_ARGUMENT(error, "a recording, settings and a place are needed");
    if (!log->theta || !log->thetad)
        return BAD_VALUE(error, "the motors were not recorded: their positions and velocities are missing");
    arne_flex *f;
    const arne_status status = arne_flex_new(s, &f, error);
    const size_t n = (size_t)arne_model_nv(arne_settings_model(s));
    const size_t nq = (size_t)arne_model_nq(arne_settings_model(s));
    for (size_t at = 0, q = 0; at < (size_t)log->count * n && !status; at += n, q += nq)
        arne_flex_spring(f, log->q + q, log->qd + at, log->theta + at, log->thetad + at, tau_e + at);
    if (!status) arne_flex_free(f);
    return status;
}

/* Are rows missing before row k? */
static bool gap_before(const arne_recording *log, int k)
{
    return log->t && k > 0 && log->t[k] - log->t[k - 1] > ARNE_RECORDING_GAP * log->period;
}

arne_status arne_recording_residuals(const arne_recording *log, const arne_settings *known, const arne_observer_options *options,
                                     double *residual, bool *held, arne_error *error)
{
    if (!log || !known || !residual) return BAD_ARGUMENT(error, "a recording, settings and a place for the answer are needed");
    const arne_model *m = arne_settings_model(known);
    const size_t n = (size_t)arne_model_nv(m), nq = (size_t)arne_model_nq(m);
    arne_observer *x;
    const arne_status status = arne_observer_new(known, options, &x, error);
    if (status) return status;
    bool any = false;
    for (int k = 0; k < log->count; k++) {
        const size_t at = (size_t)k * n;
        const bool gap = gap_before(log, k);
        if (gap) arne_observer_pause(x);
        const bool good = !arne_observer_tick(x, log->q + (size_t)k * nq, log->qd + at, log->tau + at);
        memcpy(residual + at, arne_observer_residual(x), n * sizeof *residual);
        if (held) held[k] = gap || !good;
        any |= good;
    }
    arne_observer_free(x);
    if (!any) return BAD_VALUE(error, "no row has all its numbers");
    for (size_t k = 0; k < (size_t)log->count * n; k++)
        if (!isfinite(residual[k]))
            return arne_fail(
                error, ARNE_BAD_VALUE, NULL, (int)(k / n) + 1,
                "the residual of joint %s grows without bound; the numeric method is unstable for gains above 2/period",
                arne_velocity_name(m, (int)(k % n)));
    return ARNE_OK;
}

arne_residual_summary arne_residual_summarize(int count, int dof, const double *residual, int joint)
{
    arne_residual_summary s = {0};
    double sum = 0;
    for (int k = 0; k < count; k++) {
        const double r = residual[(size_t)k * (size_t)dof + (size_t)joint];
        sum += r * r;
        if (fabs(r) > fabs(s.largest)) s.largest = r, s.at = k;
    }
    s.rms = count > 0 ? sqrt(sum / count) : 0;
    return s;
}

/* ---- events ---- */

typedef struct {
    const arne_recording *log;
    const arne_watch_options *o;
    arne_data *d;
    const arne_model *m;
    size_t n;
    const double *residual;
    arne_events *out;
} watch;

/* Room for one more: lists double whenever count is a power of two. */
static bool grow(void **list, int count, size_t size)
{
    if (count & (count - 1)) return true;
    void *more = realloc(*list, (size_t)(count ? 2 * count : 1) * size);
    if (more) *list = more;
    return more != NULL;
}

static arne_contact *new_contact(arne_events *e, int row)
{
    void *list = e->contacts;
    if (!grow(&list, e->ncontact, sizeof *e->contacts)) return NULL;
    e->contacts = list;
    arne_contact *c = &e->contacts[e->ncontact++];
    *c = (arne_contact){.begin = row, .end = -1, .peak = row, .joint = -1};
    return c;
}

/* A verdict that was not told yet, whose numbers have become better, or of a joint that moves after all, gives way to the one of
 * now; *going: it is about the same fault. */
static bool note_fault(arne_events *e, int row, const arne_fault *f, bool *going)
{
    arne_fault_event *last = e->nfault ? &e->faults[e->nfault - 1] : NULL;
    const bool went = *going;
    *going = f->kind != ARNE_FAULT_NONE && f->kind != ARNE_FAULT_OUTSIDE;
    if (!*going) return true;
    const bool same = last && last->fault.joint == f->joint, kind = same && last->fault.kind == f->kind;
    if (kind || (same && went && (!last->fault.told || last->fault.kind == ARNE_FAULT_STUCK))) {
        *last = (arne_fault_event){kind ? last->row : row, *f};
        return true;
    }
    void *list = e->faults;
    if (!grow(&list, e->nfault, sizeof *e->faults)) return false;
    e->faults = list;
    e->faults[e->nfault++] = (arne_fault_event){row, *f};
    return true;
}

/* Force and wrench at the peak, on the link that was hit or the one that was asked for. */
static void explain(const watch *w, arne_contact *c)
{
    const int nq = arne_model_nq(w->m);
    const double *q = w->log->q + (size_t)c->peak * (size_t)nq;
    c->wrench_link = w->o->wrench_link >= 0 ? w->o->wrench_link : c->link;
    if (!dense_finite(nq, q)) return; /* a held row: there is no position */
    const double *p = w->o->point, *r = w->residual + (size_t)c->peak * w->n;
    arne_residual_wrench(w->d, q, &(arne_touch){c->wrench_link, {p[0], p[1], p[2]}, true}, r, &c->force);
    arne_residual_wrench(w->d, q, &(arne_touch){c->wrench_link, {p[0], p[1], p[2]}, false}, r, &c->wrench);
}

static bool go_through(const watch *w, arne_detector *x, arne_fault_monitor *monitor)
{
    arne_events *e = w->out;
    arne_contact *c = NULL;
    double most = 0;
    bool going = false;
    for (int k = 0; k < w->log->count; k++) {
        const size_t at = (size_t)k * w->n;
        const double *r = w->residual + at, *qd = w->log->qd + at, *tau = w->log->tau + at;
        arne_detection d;
        arne_detector_tick(x, r, &d);
        e->touched[k] = d.contact;
        if (d.began && !(c = new_contact(e, k))) return false;
        if (d.began) most = 0;
        if (c && d.link_joint >= 0) c->link = arne_joint_link(w->m, d.link_joint);
        const double over = d.joint >= 0 ? fabs(r[d.joint]) / w->o->threshold[d.joint] : 0;
        if (c && over > most) {
            most = over;
            c->joint = d.joint;
            c->peak = k;
            c->residual = r[d.joint];
        }
        if (d.ended && c) c->end = k, c = NULL;
        /* behind the springs nothing is seen of an actuator but its spring */
        if (w->o->link_side || !dense_finite((int)w->n, qd) || !dense_finite((int)w->n, tau)) continue;
        arne_fault f;
        arne_fault_tick(monitor, qd, tau, r, &f);
        if (!note_fault(e, k, &f, &going)) return false;
    }
    for (int k = 0; k < e->ncontact; k++) explain(w, &e->contacts[k]);
    return true;
}

arne_status arne_recording_events(const arne_recording *log, arne_data *d, const arne_watch_options *given,
                                  const double *residual, arne_events *out, arne_error *error)
{
    arne_watch_options own;
    if (!log || !d || !given || !residual || !out || options_take(&own, sizeof own, given))
        return BAD_ARGUMENT(error, "a recording, data, options with their size and a place are needed");
    const arne_watch_options *o = &own;
    const watch w = {log, o, d, arne_data_model(d), (size_t)arne_model_dof(arne_data_model(d)), residual, out};
    const arne_fault_options options = {
        .size = sizeof options, .period = log->period, .gain = o->gain, .threshold = o->threshold};
    arne_detector *x = NULL;
    arne_fault_monitor *m = NULL;
    *out = (arne_events){.touched = calloc((size_t)log->count + 1, sizeof *out->touched)};
    arne_status status = out->touched ? arne_detector_new(w.m, o->threshold, &x, error) : NO_MEMORY(error);
    if (!status) status = arne_fault_new(w.m, &options, &m, error);
    if (!status && !go_through(&w, x, m)) status = NO_MEMORY(error);
    arne_detector_free(x);
    arne_fault_free(m);
    if (status) arne_events_free(out);
    return status;
}

void arne_events_free(arne_events *e)
{
    free(e->touched);
    free(e->contacts);
    free(e->faults);
    *e = (arne_events){0};
}
