/* SPDX-License-Identifier: MIT
 *
 * advance.c - a plant through time, from one end of a mode to the next. */
#include <math.h>
#include <string.h>

#include "simulate/plant.h"
#include "simulate/rk4.h"

/* Modes that may end within one call: beyond, something chatters. */
enum { MOST_CHANGES = 20000 };

static int slope(void *context, double t, const double *x, double *dx)
{
    (void)t;
    return arne__plant_derivative(context, x, dx);
}

static double least(const arne_plant *p)
{
    double g = INFINITY;
    for (int k = 0; k < 2 * p->rubs; k++) g = p->guard[k] < g ? p->guard[k] : g;
    return g;
}

/* One step of length h from `saved` into x, and the smallest guard there. */
static int try_step(arne_plant *p, double h, double *g)
{
    memcpy(p->x, p->saved, plant_size(p) * sizeof *p->x);
    int status = arne__rk4_step(slope, p, (int)plant_size(p), p->t, h, p->x, p->scratch);
    if (!status) status = arne__plant_guards(p, p->x, p->guard);
    *g = least(p);
    return status;
}

/* A Runge-Kutta step of at most h that ends where a guard has just fallen below 0: the length of the step is the unknown, by
 * regula falsi that halves the value of an end kept twice. *h: what was done. */
static int step_to_root(arne_plant *p, double *h, double *g)
{
    double low = 0, high = *h, at_low, at_high = *g;
    int status = arne__plant_guards(p, p->saved, p->guard), kept = 0;
    at_low = fmax(least(p), 0);
    for (int k = 0; k < 80 && high - low > 1e-15 * fmax(p->t, *h) && !status; k++) {
        /* not closer to low than this: a guard that has just left 0 there is not one that falls */
        const double part = at_low > at_high ? fmax(at_low / (at_low - at_high), 1e-3) : 0.5;
        double h_new = low + (high - low) * part;
        if (!(h_new > low && h_new < high) || k % 8 == 7) h_new = 0.5 * (low + high);
        if (!(h_new > low && h_new < high)) break;
        status = try_step(p, h_new, g);
        if (*g >= 0) { /* 0: on the way up, or about to fall */
            low = h_new;
            at_low = *g;
            if (kept == 1) at_high /= 2;
            kept = 1;
        } else {
            high = h_new;
            at_high = *g;
            if (kept == -1) at_low /= 2;
            kept = -1;
        }
    }
    *h = high;
    return status ? status : try_step(p, high, g);
}

/* 0: at t; 1: a mode has ended; 2: failed */
static int run_rk4(arne_plant *p, double t, int *fired, const char **why)
{
    const long count = lround(ceil((t - p->t) / p->o.step - 1e-6));
    const double from = p->t, length = (t - from) / (double)(count > 0 ? count : 1);
    for (long k = 1; k <= (count > 0 ? count : 1); k++) {
        double h = from + (double)k * length - p->t, g;
        memcpy(p->saved, p->x, plant_size(p) * sizeof *p->x);
        int status = try_step(p, h, &g);
        p->steps++;
        if (!status && g < 0) {
            status = step_to_root(p, &h, &g);
            if (!status) {
                plant_unit(p, p->x);
                p->t += h;
                for (int i = 0; i < 2 * p->rubs; i++) fired[i] = p->guard[i] < 0;
                return 1;
            }
        }
        if (status) {
            *why = status == 1 ? "the inertia matrix became singular" : "a number grew beyond all bounds";
            return 2;
        }
        plant_unit(p, p->x);
        p->t = from + (double)k * length;
    }
    return 0;
}

static arne_status failed(const arne_plant *p, const char *why, arne_error *error)
{
    int joint = 0;
    const double *v = p->x + p->places;
    for (int i = 0; i < p->axes; i++)
        if (!(fabs(v[i]) <= fabs(v[joint]))) joint = i;
    return BAD_VALUE(error, "at t = %g, where joint %s moves at %g: %s", p->t, arne_joint_name(p->m, rub_joint(p, joint)),
                     v[joint], why);
}

arne_status arne_plant_advance(arne_plant *p, double t, const double *tau, arne_error *error)
{
    static const char *const words[] = {"", "the inertia matrix became singular", "a number grew beyond all bounds",
                                        "no state of friction fits"};
    if (!p || !tau || !isfinite(t)) return BAD_ARGUMENT(error, "a plant needs torques and a time");
    arne_set_friction(p->settings, false); /* its own, with sticking */
    if (p->fresh || memcmp(tau, p->tau, (size_t)p->n * sizeof *tau)) {
        memcpy(p->tau, tau, (size_t)p->n * sizeof *tau);
        p->fresh = true;
        const int status = arne__modes_settle(p);
        if (status) return failed(p, words[status], error);
    }
    int status = 1;
    const char *why = "";
    for (int k = 0; k < MOST_CHANGES && status == 1 && time_later(t, p->t); k++) {
        status = p->solver ? arne__solver_run(p->solver, t, p->roots, &why) : run_rk4(p, t, p->roots, &why);
        if (status != 1) continue;
        const int bad = arne__modes_change(p, p->roots);
        if (bad) {
            why = words[bad];
            status = 2;
        }
        p->fresh = true;
    }
    if (status == 2) return failed(p, why, error);
    if (status == 3) return NO_MEMORY(error);
    if (time_later(t, p->t)) return failed(p, "joints stick and slip without end; rk4 with a small step may help", error);
    p->t = fmax(p->t, t);
    return ARNE_OK;
}
