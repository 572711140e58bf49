/* SPDX-License-Identifier: MIT
 *
 * chart.c - one chart, drawn by gnuplot. Long runs are thinned: of every stretch of rows that shares a point of the picture the
 * smallest and the largest value are kept, so that no peak is lost. Names never reach gnuplot: legends are HTML. */
#include "report/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 400, HEIGHT = 250, BUCKETS = WIDTH, MOST_BANDS = 60 };

double arne__chart_value(const chart_series *s, size_t k)
{
    switch (s->how) {
    case DIFFERENCE: return s->x[0][k] - s->x[1][k];
    case NORM: return sqrt(s->x[0][k] * s->x[0][k] + s->x[1][k] * s->x[1][k] + s->x[2][k] * s->x[2][k]);
    case SHARE: return 100 * s->x[0][k] / s->limit;
    default: return s->x[0][k];
    }
}

/* The rows, or two of each bucket: its extremes, in the order in which they come. A block for each curve. */
static void write_data(const chart_series *s, text_buffer *o)
{
    const size_t rows = s->run->rows;
    const bool thin = rows > 2 * BUCKETS;
    const size_t count = thin ? BUCKETS : rows;
    for (size_t b = 0; b < count; b++) {
        const size_t from = thin ? b * rows / BUCKETS : b, to = thin ? (b + 1) * rows / BUCKETS : b + 1;
        size_t low = from, high = from;
        for (size_t k = from + 1; k < to; k++) {
            if (arne__chart_value(s, k) < arne__chart_value(s, low)) low = k;
            if (arne__chart_value(s, k) > arne__chart_value(s, high)) high = k;
        }
        const size_t first = low < high ? low : high, second = low < high ? high : low;
        add(o, "%.9g,%.7g\n", s->run->t[first], arne__chart_value(s, first));
        if (second > first) add(o, "%.9g,%.7g\n", s->run->t[second], arne__chart_value(s, second));
    }
    put(o, "\n\n");
}

/* ---- what happened ---- */

const event_look *arne__event_look(const char *kind)
{
    static const event_look done = {DONE, "1", "done to the robot"}, found = {FOUND, "1", "a contact was found"},
                            stop = {STOP, "3", "the robot began to stop"}, other = {AXIS, "1", "what else happened"};
    static const struct {
        const char *kind;
        const event_look *look;
    } looks[] = {{"contact", &found}, {"stop", &stop},     {"wrench", &done},   {"payload", &done},
                 {"fault", &done},    {"friction", &done}, {"saturation", NULL}};
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
        if (!strcmp(kind, looks[i].kind)) return looks[i].look;
    return &other;
}

/* Bands and lines; a contact and a stop have a beginning only. */
static void write_events(const arne_report_run *r, text_buffer *o)
{
    for (int i = 0, n = 0; i < r->nevent && n < MOST_BANDS; i++) {
        const arne_about_event *e = &r->events[i];
        const event_look *look = arne__event_look(e->kind);
        if (!look) continue;
        n++;
        if (strcmp(e->kind, "stop") && strcmp(e->kind, "contact") && e->end > e->t)
            add(o, "set object rect from %.9g, graph 0 to %.9g, graph 1 fc rgb '%s' fs transparent solid 0.25 noborder behind\n",
                e->t, e->end, arne__colour(look->colour));
        add(o, "set arrow from %.9g, graph 0 to %.9g, graph 1 nohead lw 1.2 dt %s lc rgb '%s'\n", e->t, e->t, look->dash,
            arne__colour(look->colour));
    }
}

/* ---- the picture ---- */

static void write_range(const chart *c, text_buffer *o)
{
    double from = INFINITY, to = -INFINITY, most = 105;
    bool share = false;
    for (int i = 0; i < c->count; i++) {
        const chart_series *s = &c->list[i];
        from = fmin(from, s->run->t[0]);
        to = fmax(to, s->run->t[s->run->rows - 1]);
        share |= s->how == SHARE;
        for (size_t k = 0; k < s->run->rows && s->how == SHARE; k++) most = fmax(most, 1.05 * fabs(arne__chart_value(s, k)));
    }
    add(o, "set xrange [%.9g:%.9g]\n", from, to);
    if (c->positive) put(o, "set offsets graph 0, graph 0, graph 0.05, 0\nset yrange [0:*]\n");
    if (share) add(o, "set offsets\nset yrange [%.6g:%.6g]\n", -most, most);
}

static void write_script(const chart *c, text_buffer *o)
{
    arne__style_axes(o, c->unit);
    put(o, "unset key\nset rmargin 1.5\nset tmargin 2\nset bmargin 3\n");
    write_range(c, o);
    if (c->events) write_events(c->events, o);
    put(o, "plot ");
    for (int i = 0; i < c->count; i++) {
        const chart_series *s = &c->list[i];
        add(o, "%sdata index %d using 1:2 with lines lw %.3g dt %d lc rgb '%s'", i ? ", \\\n " : "", i,
            s->width > 0 ? s->width
            : s->dashed  ? 1.1
                         : 1.6,
            s->dashed ? 2 : 1, arne__colour(s->colour));
    }
    for (int i = 0; i < c->nthreshold; i++)
        for (int sign = -1; sign < 2; sign += 2)
            add(o, ", \\\n %.9g with lines lw 1 dt 2 lc rgb '%s'", sign * c->threshold[i],
                arne__colour(c->threshold_colour[i] < 0 ? STOP : c->threshold_colour[i]));
    if (c->list[0].how == SHARE) put(o, ", \\\n 100 with lines lw 1.4 lc rgb '#888888', -100 with lines lw 1.4 lc rgb '#888888'");
    put(o, "\n");
}

arne_status arne__figure(const figure_words *w, text_buffer *script, text_buffer *data, text_buffer *o, arne_error *error)
{
    char *svg = NULL;
    const arne_picture p = {script->s, data->s, WIDTH, HEIGHT};
    const arne_status status = data->failed || script->failed ? report_no_memory(error) : arne_picture_svg(&p, &svg, error);
    if (!status) {
        html_in(o, "<figure class=\"chart\"><figcaption>", w->title, "<span class=\"legend\">");
        for (int i = 0; i < w->nname; i++) {
            add(o, "<span><i style=\"background:var(--c%d)\"></i>", i + 1);
            html_in(o, "", w->names[i], "</span> ");
        }
        if (w->note) add(o, "<em>%s</em>", w->note);
        put(o, "</span></figcaption>\n");
        put(o, svg);
        put(o, "</figure>\n");
    }
    free(svg);
    arne__text_free(data);
    arne__text_free(script);
    return status;
}

arne_status arne__chart_draw(const chart *c, text_buffer *o, arne_error *error)
{
    text_buffer data = {0}, script = {0};
    for (int i = 0; i < c->count; i++) write_data(&c->list[i], &data);
    write_script(c, &script);
    return arne__figure(&(figure_words){c->title, c->note, c->nname, c->names}, &script, &data, o, error);
}
