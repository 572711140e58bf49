/* SPDX-License-Identifier: MIT
 *
 * identified_charts.c - pictures of an identification: torques and what the model leaves of them, its spectrum, parameters with
 * their deviations, the choice of the low pass. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/identified.h"

enum { BUCKETS = 400, BARS = 14, TONES = 120, WINDOW = 1024 };

static const double PI = 3.14159265358979323846;

const char *arne__identified_unit(const arne_model *m, const arne_identified_joint *j)
{
    return arne_velocity_turns(m, j->velocity) ? "Nm" : "N";
}

/* ---- torques ---- */

typedef struct {
    const double *x, *y; /* count x joints; y: taken off, NULL: nothing */
    int joint, joints, count;
} curve;

static double value_of(const curve *c, int k)
{
    const size_t at = (size_t)k * (size_t)c->joints + (size_t)c->joint;
    return c->x[at] - (c->y ? c->y[at] : 0);
}

/* Of every stretch that shares a point of the picture the smallest and the largest; a gap in time is a gap in the curve. */
static void write_curve(const arne_identified_series *s, const curve *c, text_buffer *o)
{
    const int buckets = c->count > 2 * BUCKETS ? BUCKETS : c->count;
    const double stretch = 3 * s->period * (1 + c->count / buckets);
    double last = s->t[0];
    for (int b = 0; b < buckets; b++) {
        const int from = (int)((long)b * c->count / buckets), to = (int)((long)(b + 1) * c->count / buckets);
        int low = from, high = from;
        for (int k = from + 1; k < to; k++) {
            if (value_of(c, k) < value_of(c, low)) low = k;
            if (value_of(c, k) > value_of(c, high)) high = k;
        }
        const int ends[2] = {low < high ? low : high, low < high ? high : low};
        for (int e = 0; e < (low == high ? 1 : 2); e++) {
            const double at = s->t[ends[e]];
            if (at < last || at - last > stretch) put(o, "\n");
            add(o, "%.9g,%.7g\n", at, value_of(c, ends[e]));
            last = at;
        }
    }
    put(o, "\n\n");
}

static void begin(const char *unit, const char *horizontal, text_buffer *script)
{
    arne__style_axes(script, unit);
    add(script, "unset key\nset rmargin 1.5\nset tmargin 2\nset bmargin 3\nset xlabel '%s' offset 0,0.4\n", horizontal);
}

arne_status arne__identified_torques(const arne_identified *r, const arne_model *m, text_buffer *o, arne_error *error)
{
    static const char *const names[] = {"measured", "model", "what is left"};
    const arne_identified_series *s = &r->series;
    arne_status status = ARNE_OK;
    for (int j = 0; j < r->njoint && s->count > 1 && !status; j++) {
        const arne_identified_joint *joint = &r->joints[j];
        const curve curves[] = {{s->measured, NULL, j, r->njoint, s->count},
                                {s->predicted, NULL, j, r->njoint, s->count},
                                {s->measured, s->predicted, j, r->njoint, s->count}};
        text_buffer script = {0}, data = {0};
        char title[300];
        snprintf(title, sizeof title, "%.200s: error %.3g %%", joint->name, 100 * joint->error);
        for (int k = 0; k < 3; k++) write_curve(s, &curves[k], &data);
        begin(arne__identified_unit(m, joint), "t, s", &script);
        add(&script,
            "set xrange [*:*] noextend\nplot data index 0 using 1:2 with lines lw 1.8 lc rgb '%s', "
            "data index 1 using 1:2 with lines lw 1.3 dt 2 lc rgb '%s', data index 2 using 1:2 with lines lw 1 lc rgb '%s'\n",
            arne__colour(0), arne__colour(1), arne__colour(2));
        status = arne__figure(&(figure_words){title, NULL, 3, names}, &script, &data, o, error);
    }
    return status;
}

/* ---- spectrum ---- */

/* Power of what is left of joint j at f by segments of `length` rows under Hann windows, half over each other [Welch 1967]. */
static double power(const arne_identified *r, int j, int length, double f)
{
    const arne_identified_series *s = &r->series;
    const curve c = {s->measured, s->predicted, j, r->njoint, s->count};
    const double turn = 2 * PI * f * s->period;
    double sum = 0, weight = 0;
    int segments = 0;
    for (int k = 0; k < length; k++) weight += pow(sin(PI * (k + 0.5) / length), 4);
    for (int from = 0; from + length <= s->count; from += (length + 1) / 2, segments++) {
        double re = 0, im = 0, co = 1, si = 0;
        for (int k = 0; k < length; k++) {
            const double hann = pow(sin(PI * (k + 0.5) / length), 2), x = hann * value_of(&c, from + k), was = co;
            re += x * co, im += x * si;
            co = was * cos(turn) - si * sin(turn), si = was * sin(turn) + si * cos(turn);
        }
        sum += re * re + im * im;
    }
    return segments ? 2 * s->period * sum / (segments * weight) : 0;
}

arne_status arne__identified_spectrum(const arne_identified *r, text_buffer *o, arne_error *error)
{
    const arne_identified_series *s = &r->series;
    const int length = s->count < WINDOW ? s->count : WINDOW;
    if (length < 32 || !(s->period > 0)) return ARNE_OK;
    const double low = 2 / (length * s->period), nyquist = 0.5 / s->period,
                 high = isfinite(r->cutoff) && r->cutoff > 0 ? fmin(nyquist, 4 * r->cutoff) : nyquist;
    arne_status status = ARNE_OK;
    for (int from = 0; from < r->njoint && !status && high > low; from += COLOURS) {
        const int count = r->njoint - from < COLOURS ? r->njoint - from : COLOURS;
        const char *names[COLOURS];
        char note[80] = "";
        text_buffer script = {0}, data = {0};
        for (int j = 0; j < count; j++) {
            names[j] = r->joints[from + j].name;
            for (int k = 0; k < TONES; k++) {
                const double f = low * pow(high / low, (double)k / (TONES - 1));
                add(&data, "%.6g,%.6g\n", f, sqrt(power(r, from + j, length, f)));
            }
            put(&data, "\n\n");
        }
        begin("Nm/√Hz", "Hz", &script);
        add(&script, "set logscale xy\nset offsets\nset xrange [%.6g:%.6g]\nset format y '10^{%%L}'\n", low, high);
        if (isfinite(r->cutoff) && r->cutoff > low) {
            add(&script, "set arrow from %.6g, graph 0 to %.6g, graph 1 nohead dt 2 lc rgb '%s'\n", r->cutoff, r->cutoff,
                arne__colour(INK));
            snprintf(note, sizeof note, "dashed: the low pass, %.3g Hz", r->cutoff);
        }
        put(&script, "plot ");
        for (int j = 0; j < count; j++)
            add(&script, "%sdata index %d using 1:2 with lines lw 1.3 lc rgb '%s'", j ? ", " : "", j, arne__colour(j));
        put(&script, "\n");
        status = arne__figure(&(figure_words){"What is left, over frequency", *note ? note : NULL, count, names}, &script, &data,
                              o, error);
    }
    return status;
}

/* ---- parameters ---- */

const char *arne__identified_name(const arne_identified_parameter *p, char to[32])
{
    const size_t letters = strcspn(p->name, "0123456789");
    snprintf(to, 32, "%.*s%s%.20s", (int)letters, p->name, p->grouped ? "R" : "", p->name + letters);
    return to;
}

enum { INERTIA, MOMENT, MASS, VISCOUS, TORQUE, KINDS };
static const struct {
    const char *title, *unit;
} kinds[KINDS] = {{"Inertias", "kg m²"},
                  {"First moments", "kg m"},
                  {"Masses", "kg"},
                  {"Viscous friction", "Nm s/rad, N s/m"},
                  {"Coulomb friction and offsets", "Nm, N"}};

static int kind_of(const char *name)
{
    if (name[0] == 'F') return name[1] == 'V' ? VISCOUS : TORQUE;
    if (name[0] == 'M') return name[1] == 'X' || name[1] == 'Y' || name[1] == 'Z' ? MOMENT : MASS;
    return INERTIA;
}

static arne_status draw_bars(const arne_identified_parameter *const *list, int count, int kind, text_buffer *o, arne_error *error)
{
    static const char *const names[] = {"found", "the model one began with"};
    text_buffer script = {0}, data = {0};
    begin(kinds[kind].unit, "", &script);
    add(&script,
        "set bmargin 4\nset xtics rotate by -60 offset 0,0\nset boxwidth 0.7\nset style fill solid 0.7 noborder\n"
        "set xrange [-0.6:%.1f]\nset grid noxtics\nset yrange [*<0:0<*]\nset xzeroaxis lc rgb '%s'\n",
        count - 0.4, arne__colour(AXIS));
    put(&script, "set xtics (");
    for (int k = 0; k < count; k++) {
        const arne_identified_parameter *p = list[k];
        char name[32];
        add(&script, "%s'%s' %d", k ? ", " : "", arne__identified_name(p, name), k);
        add(&data, "%d,%.7g,%.7g,%.7g\n", k, p->value, 2 * p->deviation, p->before);
    }
    add(&script,
        ")\nplot data using 1:2 with boxes lc rgb '%s', data using ($1 - 0.35):4:(0.7):(0) with vectors nohead lw 2 lc rgb '%s', "
        "data using 1:2:3 with yerrorbars pt 0 lw 1.2 lc rgb '%s'\n",
        arne__colour(0), arne__colour(1), arne__colour(INK));
    return arne__figure(&(figure_words){kinds[kind].title, "lines: twice the deviation", 2, names}, &script, &data, o, error);
}

arne_status arne__identified_bars(const arne_identified *r, text_buffer *o, arne_error *error)
{
    arne_status status = ARNE_OK;
    for (int kind = 0; kind < KINDS && !status; kind++) {
        const arne_identified_parameter *list[BARS];
        int count = 0;
        for (int k = 0; k <= r->nparameter && !status; k++) {
            const bool end = k == r->nparameter;
            if (!end && (kind_of(r->parameters[k].name) != kind || !r->parameters[k].seen)) continue;
            if (!end) list[count++] = &r->parameters[k];
            if (count && (end || count == BARS)) {
                status = draw_bars(list, count, kind, o, error);
                count = 0;
            }
        }
    }
    return status;
}

/* ---- the low pass ---- */

arne_status arne__identified_cutoffs(const arne_identified *r, text_buffer *o, arne_error *error)
{
    text_buffer script = {0}, data = {0};
    char note[80] = "";
    if (r->ncutoff < 2) return ARNE_OK;
    for (int k = 0; k < r->ncutoff; k++) add(&data, "%.7g,%.7g\n", r->cutoffs[k].hz, 100 * r->cutoffs[k].error);
    begin("error held out, mean of the joints, %", "cut-off of the low pass, Hz", &script);
    put(&script, "set label 1 left\nset logscale x\nset yrange [0:*]\n");
    if (isfinite(r->cutoff) && r->cutoff > 0) {
        add(&script, "set arrow from %.6g, graph 0 to %.6g, graph 1 nohead dt 2 lc rgb '%s'\n", r->cutoff, r->cutoff,
            arne__colour(INK));
        snprintf(note, sizeof note, "dashed: the one that was chosen, %.3g Hz", r->cutoff);
    }
    add(&script, "plot data using 1:2 with lines lw 1.6 lc rgb '%s'\n", arne__colour(0));
    return arne__figure(&(figure_words){"Choice of the low pass", *note ? note : NULL, 0, NULL}, &script, &data, o, error);
}
