/* SPDX-License-Identifier: MIT
 *
 * fault.c - what happened to an actuator, from its residual and its commanded torque over windows (rules: doc/observe.md).
 *
 * An actuator that gives tau + u instead of tau shows in the residual of its own joint alone. With tau through the observer's
 * filter, T, every fault is a line r = offset - loss T of its own kind. Windows that a verdict explains are evidence for it and
 * make its numbers better; only one that contradicts it, and knows another, overturns it. */
#include <math.h>

#include "arne/observe.h"
#include "arne/positions.h"
#include "base/arena.h"
#include "base/fail.h"
#include "base/options.h"
#include "model/model.h"

/* sums over ticks */
typedef struct {
    double r, t, rr, rt, tt;
    double fastest; /* |qd| */
    int count;
} sums;

typedef struct {
    int spoken;    /* ticks since the residual went over its threshold, until it has settled; 0: silent */
    int quiet;     /* ticks in a row in which it was silent against all expectation */
    sums window;   /* of now */
    sums evidence; /* of the windows that the verdict explains */
    arne_fault fault;
} watch;

struct arne_fault_monitor {
    int n, length; /* ticks of a window */
    double still;
    arena *memory;
    double *threshold, *keep, *torque; /* n; torque: commanded, filtered as the residual is */
    int *settle;                       /* n: ticks until the filter has forgotten how the fault began */
    watch *joint;                      /* n */
    bool *driven;                      /* n: it has an actuator */
};

static const double WINDOW = 0.2, STILL = 1e-2;
static const double FORGOTTEN = 5; /* time constants of the filter: 0.7 % are left */
static const double OPPOSED = 0.5; /* the slope from which on the residual of a joint that stands opposes its command */
static const double RELEASE = 0.7; /* as in detector.c */
enum { QUIET = 4 };                /* silent for this part of a window: the fault is over */

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
    for (int i = 0; i < arne_model_nv(m); i++) {
        if (!(o->threshold[i] > 0) || !isfinite(o->threshold[i]))
            return BAD_VALUE(error, "the threshold of joint %s is %g; it must be above 0", arne_velocity_name(m, i),
                             o->threshold[i]);
        if (o->gain && (!(o->gain[i] > 0) || !isfinite(o->gain[i])))
            return BAD_VALUE(error, "the observer's gain of joint %s is %g 1/s; it must be above 0", arne_velocity_name(m, i),
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
    const int n = arne_model_nv(m);
    const arne_status status = check(m, &o, error);
    if (status) return status;
    arena *memory = arne__arena_new();
    arne_fault_monitor *x = arne__arena_take(memory, 1, sizeof *x);
    double *v = arne__arena_take(memory, 3 * (size_t)n, sizeof *v);
    int *settle = arne__arena_take(memory, (size_t)n, sizeof *settle);
    watch *joint = arne__arena_take(memory, (size_t)n, sizeof *joint);
    bool *driven = arne__arena_take(memory, (size_t)n, sizeof *driven);
    if (!x || !v || !settle || !joint || !driven) {
        arne__arena_free(memory);
        return NO_MEMORY(error);
    }
    *x = (arne_fault_monitor){.memory = memory,
                              .n = n,
                              .threshold = v,
                              .keep = v + n,
                              .torque = v + 2 * n,
                              .settle = settle,
                              .joint = joint,
                              .driven = driven};
    x->length = (int)ceil((o.window > 0 ? o.window : WINDOW) / o.period);
    if (x->length < 4) x->length = 4;
    x->still = o.still > 0 ? o.still : STILL;
    for (int i = 0; i < n; i++) {
        const double gain = o.gain ? o.gain[i] : ARNE_OBSERVER_GAIN;
        x->threshold[i] = o.threshold[i];
        x->driven[i] = arne_velocity_position(m, i) >= 0;
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

/* mean square of r - (offset - loss T) */
static double off_line(const sums *s, double loss, double offset)
{
    const double square = s->rr + loss * loss * s->tt + 2 * loss * s->rt - 2 * offset * (s->r + loss * s->t);
    return fmax(0, square / s->count + offset * offset);
}

/* The line of a kind that fits best; false: there is none, or it is off by more than `noise`, what the residual may be off by. */
static bool fits(arne_fault_kind kind, const sums *s, double noise, arne_fault *out)
{
    const double r = s->r / s->count, t = s->t / s->count;
    *out = (arne_fault){.kind = kind};
    switch (kind) {
    case ARNE_FAULT_LOST_POWER: out->loss = 1; break;
    case ARNE_FAULT_WEAK: out->loss = s->tt > 0 ? -s->rt / s->tt : 0; break;
    case ARNE_FAULT_OFFSET: out->offset = r; break;
    case ARNE_FAULT_FROZEN: out->loss = 1, out->offset = r + t; break;
    default: return false;
    }
    if (kind == ARNE_FAULT_WEAK && !(out->loss > 0 && out->loss < 1)) return false;
    return off_line(s, out->loss, out->offset) <= noise * noise;
}

/* A joint that stands tells that, if its command changes; not what its actuator does, as what holds it is unknown. */
static arne_fault judge_standing(const sums *s, double noise)
{
    const double n = s->count, r = s->r / n, t = s->t / n, tt = s->tt / n - t * t, loss = tt > 0 ? -(s->rt / n - r * t) / tt : 0;
    if (!(tt > noise * noise && loss > OPPOSED)) return (arne_fault){.kind = ARNE_FAULT_UNKNOWN, .offset = r};
    return (arne_fault){.kind = ARNE_FAULT_STUCK, .loss = loss, .offset = r + loss * t, .told = true};
}

/* The kind whose line fits; of several the one that says least, and not told. */
static arne_fault judge(const sums *s, double noise)
{
    arne_fault lost, offset, weak, frozen;
    const bool is_lost = fits(ARNE_FAULT_LOST_POWER, s, noise, &lost), is_offset = fits(ARNE_FAULT_OFFSET, s, noise, &offset);
    const bool is_weak = fits(ARNE_FAULT_WEAK, s, noise, &weak), is_frozen = fits(ARNE_FAULT_FROZEN, s, noise, &frozen);
    offset.told = !is_lost && !is_weak && !is_frozen;
    lost.told = true; /* weak by all of it, frozen at zero: the same */
    weak.told = !is_frozen;
    frozen.told = true;
    return is_offset   ? offset
           : is_lost   ? lost
           : is_weak   ? weak
           : is_frozen ? frozen
                       : (arne_fault){.kind = ARNE_FAULT_UNKNOWN, .offset = s->r / s->count};
}

static void take(watch *w, arne_fault f, sums evidence)
{
    w->fault = f;
    w->evidence = f.kind == ARNE_FAULT_UNKNOWN || f.kind == ARNE_FAULT_STUCK ? (sums){0} : evidence;
}

static sums both(const sums *a, const sums *b)
{
    return (sums){a->r + b->r,        a->t + b->t, a->rr + b->rr, a->rt + b->rt, a->tt + b->tt, fmax(a->fastest, b->fastest),
                  a->count + b->count};
}

/* A window is full. What was told is kept where the window fits it, or fits nothing better that it can tell. */
static void weigh(watch *w, double noise, double still)
{
    const sums all = both(&w->evidence, &w->window);
    arne_fault same;
    const bool fitting = fits(w->fault.kind, &all, noise, &same) && off_line(&w->window, same.loss, same.offset) <= noise * noise;
    same.told = w->fault.told;
    const arne_fault now = w->window.fastest <= still ? judge_standing(&w->window, noise) : judge(&w->window, noise);
    const arne_fault more = w->window.fastest <= still ? now : judge(&all, noise);
    if (!w->fault.kind)
        take(w, now, w->window);
    else if (!w->fault.told && more.told)
        take(w, more, all);
    else if (fitting)
        take(w, same, all);
    else if (now.told || !w->fault.told)
        take(w, now, w->window);
}

static void watch_joint(arne_fault_monitor *x, int i, double qd, double r)
{
    watch *w = &x->joint[i];
    const double part = fabs(r) / x->threshold[i], t = x->torque[i];
    if (part > 1 && !w->spoken) *w = (watch){.spoken = 1};
    if (!w->spoken) return;
    /* a fault stays; its residual may pass through zero, for as long as the command does if it is known to follow that */
    const bool expected = w->fault.told && fabs(w->fault.offset - w->fault.loss * t) <= x->threshold[i];
    w->quiet = part < RELEASE && !expected ? w->quiet + 1 : 0;
    if (w->quiet > x->length / QUIET) {
        *w = (watch){0};
        return;
    }
    if (w->spoken < x->settle[i]) {
        w->spoken++;
        return;
    }
    sums *s = &w->window;
    s->r += r, s->t += t;
    s->rr += r * r, s->rt += r * t, s->tt += t * t;
    s->fastest = fmax(s->fastest, fabs(qd));
    if (++s->count < x->length) return;
    weigh(w, x->threshold[i], x->still);
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
    if (speaking == 1 && x->driven[joint]) {
        *out = x->joint[joint].fault;
        out->joint = out->kind ? joint : -1;
    } else if (speaking > 0) {
        /* what was seen while others spoke too, or a base without an actuator, tells nothing about one */
        out->kind = ARNE_FAULT_OUTSIDE;
        for (int i = 0; i < x->n; i++) {
            x->joint[i].window = (sums){0};
            if (!x->joint[i].fault.told) take(&x->joint[i], (arne_fault){0}, (sums){0});
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
