/* SPDX-License-Identifier: MIT
 *
 * sensors.c - noise, quantization, velocity from positions, delay; in this order. */
#include "simulate/loop.h"

#include <math.h>
#include <string.h>

#include "arne/positions.h"
#include "base/random.h"

struct sensors {
    arne_sensors o;
    const arne_model *m; /* NULL: positions are plain numbers */
    int count, places;
    double period, keep; /* keep: part of the filtered velocity that stays from tick to tick */
    random_source noise;
    bool begun;
    int at;                          /* place in the line where the next measurement goes */
    double *line;                    /* (delay + 1) x (places + count) */
    double *before, *filtered, *way; /* places; count; count */
};

bool arne__sensors_ideal(const arne_sensors *o)
{
    return o->position_noise == 0 && o->velocity_noise == 0 && o->quantum == 0 && o->delay == 0 && !o->difference;
}

sensors *arne__sensors_new(arena *a, const arne_sensors *options, const arne_model *m, int count, double period)
{
    sensors *s = arne__arena_take(a, 1, sizeof *s);
    const size_t n = (size_t)count, places = m ? (size_t)arne_model_nq(m) : n, rows = (size_t)options->delay + 1;
    double *line = arne__arena_take(a, (places + n) * (rows + 1) + n, sizeof *line);
    if (!s || !line) return NULL;
    *s = (sensors){.o = *options,
                   .m = m && places != n ? m : NULL,
                   .count = count,
                   .places = (int)places,
                   .period = period,
                   .noise = {.state = options->seed},
                   .line = line};
    s->keep = options->cutoff > 0 ? exp(-options->cutoff * period) : 0;
    s->before = s->line + (places + n) * rows;
    s->filtered = s->before + places;
    s->way = s->filtered + n;
    return s;
}

/* Positions moved by `way`: along the tangent where they are no plain numbers. */
static void moved(const sensors *s, const double *x, double *out)
{
    if (s->m) {
        arne_integrate(s->m, x, s->way, out);
        return;
    }
    for (int i = 0; i < s->count; i++) out[i] = x[i] + s->way[i];
}

/* Steps of an encoder; the turn of a joint of several freedoms has none. */
static void quantize(const sensors *s, double *x)
{
    for (int i = 0; i < s->count; i++) {
        const int at = s->m ? arne_velocity_position(s->m, i) : i;
        if (at >= 0) x[at] = s->o.quantum * rint(x[at] / s->o.quantum);
    }
}

/* `way` becomes the velocity that leads from the positions before to these. */
static void divide(sensors *s, const double *x)
{
    if (s->m) arne_difference(s->m, s->before, x, s->way);
    for (int i = 0; i < s->count; i++) s->way[i] = (s->m ? s->way[i] : x[i] - s->before[i]) / s->period;
}

void arne__sensors_tick(sensors *s, const double *x, const double *v, double *told_x, double *told_v)
{
    const size_t n = (size_t)s->count, places = (size_t)s->places, rows = (size_t)s->o.delay + 1, row = places + n;
    double *now = s->line + row * (size_t)s->at, *speed = now + places;
    for (size_t i = 0; i < n; i++) {
        s->way[i] = s->o.position_noise > 0 ? s->o.position_noise * arne__random_normal(&s->noise) : 0;
        speed[i] = v[i];
        if (!s->o.difference && s->o.velocity_noise > 0) speed[i] += s->o.velocity_noise * arne__random_normal(&s->noise);
    }
    memcpy(now, x, places * sizeof *now);
    if (s->o.position_noise > 0) moved(s, x, now);
    if (s->o.quantum > 0) quantize(s, now);
    if (s->o.difference) {
        if (s->begun) divide(s, now);
        for (size_t i = 0; i < n; i++)
            speed[i] = s->filtered[i] = s->begun ? s->keep * s->filtered[i] + (1 - s->keep) * s->way[i] : v[i];
        memcpy(s->before, now, places * sizeof *now);
    }
    if (!s->begun) /* before the first measurement the robot stood as it does now */
        for (size_t k = 0; k < rows; k++) memmove(s->line + row * k, now, row * sizeof *now);
    s->begun = true;
    s->at = (int)(((size_t)s->at + 1) % rows);
    const double *old = s->line + row * (size_t)s->at;
    memcpy(told_x, old, places * sizeof *old);
    memcpy(told_v, old + places, n * sizeof *old);
}
