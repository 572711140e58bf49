/* SPDX-License-Identifier: MIT
 *
 * fault.c - what happened to an actuator, from its residual and its commanded torque over a window (rules: doc/observe.md).
 *
 * An actuator that gives tau + u instead of tau shows in the residual of its own joint alone. With tau through the observer's
 * filter, T, a straight line r = offset - loss T is fitted over the window: its two numbers name the fault. */
#include <math.h>

#include "arne/observe.h"
#include "base/arena.h"
#include "base/fail.h"
#include "base/options.h"

/* sums over a window */
typedef struct {
    double r, t, rr, rt, tt;
    double fastest; /* |qd| */
    int count;
} sums;

typedef struct {
    int spoken; /* ticks since the residual went over its threshold, until it has settled; 0: silent */
    int quiet;  /* ticks in a row in which it was silent again */
    sums window;
    arne_fault fault;
} watch;

struct arne_fault_monitor {
    int n, length; /* ticks of a window */
    double still;
    arena *memory;
    double *threshold, *keep, *torque; /* n; torque: commanded, filtered as the residual is */
    int *settle;                       /* n: ticks until the filter has forgotten how the fault began */
    watch *joint;                      /* n */
};

static const double WINDOW = 0.2, STILL = 1e-2;
static const double FORGOTTEN = 5;   /* time constants of the filter: 0.7 % are left */
static const double TOLERANCE = 0.2; /* of the slope */
static const double RELEASE = 0.7;   /* as in detector.c */
enum { QUIET = 4 };                  /* silent for this part of a window: the fault is over */

#define FAULT_NAME(id, name, words) {name, words},
static const struct {
    const char *name, *words;
} faults[] = {ARNE_FAULTS(FAULT_NAME)};
#undef FAULT_NAME

static bool is_kind(arne_fault_kind kind) { return (int)kind >= 0 && kind < ARNE_FAULT_COUNT; }
const char *arne_fault_name(arne_fault_kind kind) { return is_kind(kind) ? faults[kind].name : NULL; }
const char *arne_fault_words(arne_fault_kind kind) { return is_kind(kind) ? faults[kind].words : NULL; }

static arne_status check(const arne_model *m, const arne_fault_options *o, arne_error *error)
{
    if (!(o->period > 0) || !isfinite(o->period)) return BAD_VALUE(error, "the period is %g s; it must be above 0", o->period);
    if (!(o->window >= 0 && o->still >= 0) || !(o->window / o->period < 1e9))
        return BAD_VALUE(error, "the window of the fault monitor is %g s, its standstill %g; they must not be negative",
                         o->window, o->still);
    for (int i = 0; i < arne_model_dof(m); i++) {
        if (!(o->threshold[i] > 0) || !isfinite(o->threshold[i]))
            return BAD_VALUE(error, "the threshold of joint %s is %g; it must be above 0", arne_joint_name(m, i),
                             o->threshold[i]);
        if (o->gain && (!(o->gain[i] > 0) || !isfinite(o->gain[i])))
            return BAD_VALUE(error, "the observer's gain of joint %s is %g 1/s; it must be above 0", arne_joint_name(m, i),
                             o->gain[i]);
    }
    return ARNE_OK;
}

arne_status arne_fault_new(const arne_model *m, const arne_fault_options *options, arne_fault_monitor **out, arne_error *error)
{
    arne_fault_options o;
    if (out) *out = NULL;
    if (!m || !options || !out || options_take(&o, sizeof o, options) || !o.threshold)
        return BAD_ARGUMENT(error, "a fault monitor needs a model, options with thresholds that tell their size, and a place");
    const int n = arne_model_dof(m);
    const arne_status status = check(m, &o, error);
    if (status) return status;
    arena *memory = arne__arena_new();
    arne_fault_monitor *x = arne__arena_take(memory, 1, sizeof *x);
    double *v = arne__arena_take(memory, 3 * (size_t)n, sizeof *v);
    int *settle = arne__arena_take(memory, (size_t)n, sizeof *settle);
    watch *joint = arne__arena_take(memory, (size_t)n, sizeof *joint);
    if (!x || !v || !settle || !joint) {
        arne__arena_free(memory);
        return NO_MEMORY(error);
    }
    *x = (arne_fault_monitor){
        .memory = memory, .n = n, .threshold = v, .keep = v + n, .torque = v + 2 * n, .settle = settle, .joint = joint};
    x->length = (int)ceil((o.window > 0 ? o.window : WINDOW) / o.period);
    if (x->length < 4) x->length = 4;
    x->still = o.still > 0 ? o.still : STILL;
    for (int i = 0; i < n; i++) {
        const double gain = o.gain ? o.gain[i] : ARNE_OBSERVER_GAIN;
        x->threshold[i] = o.threshold[i];
        x->keep[i] = exp(-gain * o.period);
        x->settle[i] = (int)fmin(1e9, ceil(FORGOTTEN / (gain * o.period)));
    }
    *out = x;
    return ARNE_OK;
}

void arne_fault_free(arne_fault_monitor *x)
{
    if (x) arne__arena_free(x->memory);
}

/* The verdict on a full window. `noise`: what the residual may be off by, its threshold. */
static arne_fault judge(const sums *s, double noise, double still)
{
    const double r = s->r / s->count, t = s->t / s->count;
    const double rr = fmax(0, s->rr / s->count - r * r), tt = fmax(0, s->tt / s->count - t * t), rt = s->rt / s->count - r * t;
    const bool stands = s->fastest <= still, told = sqrt(tt) > noise;
    if (!told) { /* a torque that does not change tells no slope */
        if (sqrt(rr) > noise) return (arne_fault){.kind = ARNE_FAULT_UNKNOWN, .offset = r};
        if (fabs(r + t) <= noise) return (arne_fault){.kind = ARNE_FAULT_LOST_POWER, .loss = 1};
        return (arne_fault){.kind = stands ? ARNE_FAULT_UNKNOWN : ARNE_FAULT_OFFSET, .offset = r};
    }
    /* least squares of r = offset - loss t */
    const double loss = -rt / tt, offset = r + loss * t, rest = sqrt(fmax(0, rr - loss * loss * tt));
    arne_fault f = {.kind = ARNE_FAULT_UNKNOWN, .loss = loss, .offset = offset};
    const bool no_offset = fabs(offset) <= noise + TOLERANCE * fabs(t);
    if (stands && loss > 0.5)
        f.kind = ARNE_FAULT_STUCK;
    else if (rest > noise)
        f.kind = ARNE_FAULT_UNKNOWN;
    else if (fabs(loss) <= TOLERANCE)
        f.kind = ARNE_FAULT_OFFSET;
    else if (fabs(loss - 1) <= TOLERANCE && no_offset)
        f.kind = ARNE_FAULT_LOST_POWER;
    else if (loss > 0 && loss < 1 && no_offset)
        f.kind = ARNE_FAULT_WEAK;
    return f;
}

static void watch_joint(arne_fault_monitor *x, int i, double qd, double r)
{
    watch *w = &x->joint[i];
    const double part = fabs(r) / x->threshold[i];
    if (part > 1 && !w->spoken) *w = (watch){.spoken = 1};
    if (!w->spoken) return;
    /* a fault stays; its residual may pass through zero */
    w->quiet = part < RELEASE ? w->quiet + 1 : 0;
    if (w->quiet > x->length / QUIET) {
        *w = (watch){0};
        return;
    }
    if (w->spoken < x->settle[i]) {
        w->spoken++;
        return;
    }
    sums *s = &w->window;
    const double t = x->torque[i];
    s->r += r, s->t += t;
    s->rr += r * r, s->rt += r * t, s->tt += t * t;
    s->fastest = fmax(s->fastest, fabs(qd));
    if (++s->count < x->length) return;
    w->fault = judge(s, x->threshold[i], x->still);
    w->window = (sums){0};
}

arne_status arne_fault_tick(arne_fault_monitor *x, const double *qd, const double *tau, const double *residual, arne_fault *out)
{
    if (!x || !qd || !tau || !residual || !out) return ARNE_BAD_ARGUMENT;
    int speaking = 0, joint = -1;
    for (int i = 0; i < x->n; i++) {
        x->torque[i] = tau[i] + x->keep[i] * (x->torque[i] - tau[i]);
        watch_joint(x, i, qd[i], residual[i]);
        if (!x->joint[i].spoken) continue;
        speaking++;
        joint = i;
    }
    *out = (arne_fault){.joint = -1};
    if (speaking == 1) {
        *out = x->joint[joint].fault;
        out->joint = out->kind ? joint : -1;
    } else if (speaking > 1) {
        /* what was seen while others spoke too tells nothing about an actuator */
        out->kind = ARNE_FAULT_OUTSIDE;
        for (int i = 0; i < x->n; i++) {
            x->joint[i].window = (sums){0};
            x->joint[i].fault = (arne_fault){0};
        }
    }
    return ARNE_OK;
}

void arne_fault_reset(arne_fault_monitor *x)
{
    for (int i = 0; x && i < x->n; i++) {
        x->joint[i] = (watch){0};
        x->torque[i] = 0;
    }
}
