/* SPDX-License-Identifier: MIT
 *
 * sensors.c - noise, quantization, velocity from positions, delay; in this order. */
#include "simulate/loop.h"

#include <math.h>
#include <string.h>

#include "base/random.h"

struct sensors {
    arne_sensors o;
    int count;
    double period, keep; /* keep: part of the filtered velocity that stays from tick to tick */
    random_source noise;
    bool begun;
    int at;       /* place in the line where the next measurement goes */
    double *line; /* (delay + 1) x 2 count */
    double *before, *filtered;
};

bool arne__sensors_ideal(const arne_sensors *o)
{
    return o->position_noise == 0 && o->velocity_noise == 0 && o->quantum == 0 && o->delay == 0 && !o->difference;
}

sensors *arne__sensors_new(arena *a, const arne_sensors *options, int count, double period)
{
    sensors *s = arne__arena_take(a, 1, sizeof *s);
    const size_t n = (size_t)count, rows = (size_t)options->delay + 1;
    double *line = arne__arena_take(a, 2 * n * (rows + 1), sizeof *line);
    if (!s || !line) return NULL;
    *s = (sensors){.o = *options, .count = count, .period = period, .noise = {.state = options->seed}, .line = line};
    s->keep = options->cutoff > 0 ? exp(-options->cutoff * period) : 0;
    s->before = s->line + 2 * n * rows;
    s->filtered = s->before + n;
    return s;
}

void arne__sensors_tick(sensors *s, const double *x, const double *v, double *told_x, double *told_v)
{
    const size_t n = (size_t)s->count, rows = (size_t)s->o.delay + 1;
    double *now = s->line + 2 * n * (size_t)s->at;
    for (size_t i = 0; i < n; i++) {
        double p = x[i], w = v[i];
        if (s->o.position_noise > 0) p += s->o.position_noise * arne__random_normal(&s->noise);
        if (s->o.quantum > 0) p = s->o.quantum * rint(p / s->o.quantum);
        if (s->o.difference) {
            w = s->begun ? (p - s->before[i]) / s->period : v[i];
            w = s->filtered[i] = s->begun ? s->keep * s->filtered[i] + (1 - s->keep) * w : w;
            s->before[i] = p;
        } else if (s->o.velocity_noise > 0) {
            w += s->o.velocity_noise * arne__random_normal(&s->noise);
        }
        now[i] = p;
        now[n + i] = w;
    }
    if (!s->begun) /* before the first measurement the robot stood as it does now */
        for (size_t k = 0; k < rows; k++) memmove(s->line + 2 * n * k, now, 2 * n * sizeof *now);
    s->begun = true;
    s->at = (int)(((size_t)s->at + 1) % rows);
    const double *old = s->line + 2 * n * (size_t)s->at;
    memcpy(told_x, old, n * sizeof *old);
    memcpy(told_v, old + n, n * sizeof *old);
}
