/* SPDX-License-Identifier: MIT
 *
 * tighten.c - the samples of a timing against the limits, and room taken away where they ask for too much.
 *
 * The passes keep limits at grid points. Between them, and with the accelerations that arne_judge sees, (qd_(k+1) - qd_k)/dt, a
 * sample may be over a limit by a little. The intervals around it get less of the room between the load at rest and the limit. */
#include <math.h>
#include <string.h>

#include "plan/search.h"

/* a sample is within its limits up to this part of them: less than arne_judge allows */
static const double WITHIN = 5e-10;

void arne__search_stretch(timing *t, double slower)
{
    const double time = t->time[t->intervals], cycles = ceil(slower * time / t->dt - 1e-9);
    t->stretch = fmax(cycles, 1) * t->dt / time;
}

/* The part of the room between load and limit that a torque over its limit asks for; of the limit where there is no room. */
static double of_room(double t, double load, double low, double top)
{
    const double limit = t > top ? top : low;
    if (t > top ? load < top : load > low) return (t - load) / (limit - load);
    return limit != 0 ? t / limit : 2;
}

/* The largest demand of a state: of a velocity, of an acceleration, or of the room that its load leaves a motor. */
static double demand(search *j, const double *q, const double *qd, const double *qdd)
{
    const arne_model *m = j->t->m;
    double most = 0;
    bool loaded = false;
    arne_id(j->d, q, qd, qdd, j->tau);
    arne__limits_torques_to_motors(m, j->tau, j->friction);
    arne__limits_to_motors(m, qd, j->speed);
    for (int i = 0; i < m->n; i++) {
        const arne_limits *l = &m->joint[i].limits;
        most = fmax(most, fabs(qd[i]) / given_limit(l->velocity));
        most = fmax(most, fabs(qdd[i]) / given_limit(l->acceleration));
        most = fmax(most, fabs(j->speed[i]) / arne__limits_speed(m, i));
        double low, top;
        arne__limits_torque(m, i, j->speed[i], &low, &top);
        if (j->friction[i] <= top * (1 + WITHIN) && j->friction[i] >= low * (1 + WITHIN)) continue;
        if (!loaded) { /* gravity, wrenches and friction */
            memset(j->low, 0, (size_t)m->n * sizeof *j->low);
            arne_bias(j->d, q, j->low, j->tau);
            arne_friction_torque(j->d, j->low, j->top); /* offsets are part of friction */
            arne_friction_torque(j->d, qd, j->low);
            for (int k = 0; k < m->n; k++) j->tau[k] += j->low[k] - j->top[k];
            arne__limits_torques_to_motors(m, j->tau, j->top);
            loaded = true;
        }
        most = fmax(most, of_room(j->friction[i], j->top[i], low, top));
    }
    return most;
}

void arne__search_note(search *j, int first, int last, double over)
{
    for (int i = first; i <= last; i++) j->over[i] = fmax(j->over[i], over);
}

/* The samples from the time `late` on; returns the largest demand. */
static double measure_samples(search *j, double late)
{
    const timing *t = j->t;
    const size_t size = (size_t)t->m->n * sizeof *j->q;
    const long cycles = lround(arne__timing_duration(t) / t->dt);
    double most = 0;
    arne__timing_at(t, late, j->q, j->qd, j->qdd);
    int i = arne__timing_interval(t, late / t->stretch);
    for (long k = 0; k <= cycles; k++) {
        double over = demand(j, j->q, j->qd, j->qdd);
        most = fmax(most, over);
        arne__search_note(j, i, i, over);
        if (k == cycles) break;
        const double next = late + (double)(k + 1) * t->dt;
        arne__timing_at(t, next, j->next_q, j->next_qd, j->next_qdd);
        const int to = arne__timing_interval(t, next / t->stretch);
        for (int a = 0; a < t->m->n; a++) j->qdd[a] = (j->next_qd[a] - j->qd[a]) / t->dt;
        over = demand(j, j->q, j->qd, j->qdd);
        most = fmax(most, over);
        arne__search_note(j, i, to, over);
        memcpy(j->q, j->next_q, size);
        memcpy(j->qd, j->next_qd, size);
        memcpy(j->qdd, j->next_qdd, size);
        i = to;
    }
    return most;
}

double arne__search_measure(search *j, int phases)
{
    const timing *t = j->t;
    double most = 0;
    for (int i = 0; i < t->intervals; i++) {
        j->over[i] = 0;
        for (int part = 1; part < 10; part += 2) {
            arne__timing_at(t, (t->time[i] + (t->time[i + 1] - t->time[i]) * part / 10) * t->stretch, j->q, j->qd, j->qdd);
            arne__search_note(j, i, i, demand(j, j->q, j->qd, j->qdd));
        }
        most = fmax(most, j->over[i]);
    }
    most = fmax(most, measure_samples(j, 0));
    for (int k = 1; k < phases && most > 1 + ROUNDING; k++) measure_samples(j, k * t->dt / phases);
    return most;
}

/* More than was asked for, and from the second try on a little from everybody, as samples fall elsewhere then. */
void arne__search_tighten(search *j, int attempt)
{
    const int last = j->t->intervals;
    const double here = 1 - fmin(0.02, ldexp(2e-4, attempt)), everywhere = attempt > 0 ? 1 - fmin(2e-3, ldexp(5e-5, attempt)) : 1;
    const double most =
        1 + fmin(9, ldexp(0.02, attempt)); /* room that is nearly nothing says little about how much is too much */
    for (int i = 0; i < last; i++) {
        const double over = fmax(j->over[i], fmax(j->over[i > 0 ? i - 1 : i], j->over[i + 1 < last ? i + 1 : i]));
        j->margin[i] *= over > 1 + ROUNDING ? here / fmin(over, most) : everywhere;
    }
}
