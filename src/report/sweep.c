/* SPDX-License-Identifier: MIT
 *
 * sweep.c - a page about many runs: how good they are, how their numbers are spread, what matters, which are worst. */
#include "arne/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/chart.h"

enum { MOST_BARS = 40, WORST = 8 };

/* ---- quantiles and ranks ---- */

typedef struct {
    double value;
    long run;
} placed;

static int ascending(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    return x->value != y->value ? (x->value > y->value) - (x->value < y->value) : (x->run > y->run) - (x->run < y->run);
}

/* Those that are numbers, in order; from malloc, NULL: no memory. */
static placed *in_order(const double *values, long count, int stride, long *found)
{
    placed *list = malloc(((size_t)count + 1) * sizeof *list);
    *found = 0;
    for (long k = 0; k < count && list; k++)
        if (!isnan(values[k * stride])) list[(*found)++] = (placed){values[k * stride], k};
    if (list) qsort(list, (size_t)*found, sizeof *list, ascending);
    return list;
}

arne_status arne_sweep_quantiles(const double *values, long count, int stride, int n, const double *share, double *quantile,
                                 long *numbers, long *largest)
{
    long found;
    if (!values || count < 0 || stride < 1 || (n && (!share || !quantile))) return ARNE_BAD_ARGUMENT;
    placed *list = in_order(values, count, stride, &found);
    if (!list) return ARNE_NO_MEMORY;
    for (int i = 0; i < n; i++) { /* between two of them: on a straight line */
        const double at = share[i] * (double)(found - 1);
        const long low = (long)fmax(0, floor(at)), high = low + 1 < found ? low + 1 : low;
        quantile[i] = found ? list[low].value + (at - (double)low) * (list[high].value - list[low].value) : (double)NAN;
    }
    if (numbers) *numbers = found;
    if (largest) {
        long first = found - 1; /* of equal ones the first */
        while (first > 0 && list[first - 1].value == list[found - 1].value) first--;
        *largest = found ? list[first].run : -1;
    }
    free(list);
    return ARNE_OK;
}

/* Ranks of those that are numbers, mean ranks where they are equal; NAN for others. */
static bool ranks(const double *values, long count, int stride, double *rank)
{
    long found;
    placed *list = in_order(values, count, stride, &found);
    for (long k = 0; k < count; k++) rank[k] = (double)NAN;
    for (long a = 0, b; a < found && list; a = b) {
        for (b = a + 1; b < found && list[b].value == list[a].value;) b++;
        for (long k = a; k < b; k++) rank[list[k].run] = 0.5 * (double)(a + b - 1);
    }
    free(list);
    return list;
}

/* Spearman's: -1 ... 1; NAN where one of them does not vary. */
static double correlation(const double *x, const double *y, long count)
{
    double n = 0, sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
    for (long k = 0; k < count; k++) {
        if (isnan(x[k]) || isnan(y[k])) continue;
        n++, sx += x[k], sy += y[k];
    }
    for (long k = 0; k < count; k++) {
        if (isnan(x[k]) || isnan(y[k])) continue;
        const double dx = x[k] - sx / n, dy = y[k] - sy / n;
        sxx += dx * dx, syy += dy * dy, sxy += dx * dy;
    }
    return sxx > 0 && syy > 0 ? sxy / sqrt(sxx * syy) : (double)NAN;
}

/* ---- what is looked at ---- */

/* One number a run. */
typedef struct {
    const char *words, *unit;
    double *values; /* NAN: none */
    long found, worst;
    double low, median, high, least, most; /* 5 %, 50 %, 95 %, 0, 100 % */
} view;
enum { ERROR, TORQUE, DELAY, ALARMS, VIEWS };

static bool make_view(const arne_sweep *s, view *v)
{
    static const double share[] = {0.05, 0.5, 0.95, 0, 1};
    double q[5];
    if (arne_sweep_quantiles(v->values, s->runs, 1, 5, share, q, &v->found, &v->worst)) return false;
    v->low = q[0], v->median = q[1], v->high = q[2], v->least = q[3], v->most = q[4];
    return true;
}

/* Errors: the largest of the joints; torques: the largest as a share of that joint's median. */
static bool make_views(const arne_sweep *s, view *v, double *memory)
{
    static const double half = 0.5;
    const size_t n = (size_t)s->njoint, runs = (size_t)s->runs;
    const view all[VIEWS] = {[ERROR] = {.words = "Largest error of any joint", .unit = "rad or m"},
                             [TORQUE] = {.words = "Peak torque, over the median of its joint", .unit = ""},
                             [DELAY] = {.words = "Delay of the detection", .unit = "s"},
                             [ALARMS] = {.words = "False alarms", .unit = ""}};
    memcpy(v, all, sizeof all);
    for (int i = 0; i < VIEWS; i++) v[i].values = memory + (size_t)i * runs;
    for (size_t k = 0; k < runs; k++) {
        v[ERROR].values[k] = v[TORQUE].values[k] = (double)NAN;
        v[DELAY].values[k] = s->delay[k];
        v[ALARMS].values[k] = s->false_alarms[k];
        for (size_t j = 0; j < n; j++) v[ERROR].values[k] = fmax(v[ERROR].values[k], s->error[k * n + j]);
    }
    for (size_t j = 0; j < n; j++) {
        double median;
        if (arne_sweep_quantiles(s->torque + j, s->runs, s->njoint, 1, &half, &median, NULL, NULL)) return false;
        for (size_t k = 0; k < runs && median > 0; k++)
            v[TORQUE].values[k] = fmax(v[TORQUE].values[k], s->torque[k * n + j] / median);
    }
    for (int i = 0; i < VIEWS; i++)
        if (!make_view(s, &v[i])) return false;
    return true;
}

/* ---- pictures ---- */

/* How many runs have which value; the median and the range of nine in ten are marked. What lies far out is in the last bar. */
static arne_status histogram(const arne_sweep *s, const view *v, text_buffer *o, arne_error *error)
{
    long in_bar[MOST_BARS] = {0}, highest = 0;
    const int bars = (int)fmin(MOST_BARS, ceil(2 * cbrt((double)v->found))); /* so that a bar holds several runs */
    const double top = fmin(v->most, v->high + (v->high - v->low)), width = (top - v->least) / bars;
    if (v->found < 2 || !(width > 0)) return ARNE_OK;
    for (long k = 0; k < s->runs; k++) {
        if (isnan(v->values[k])) continue;
        const double at = (v->values[k] - v->least) / width;
        const long now = ++in_bar[at < bars ? (int)at : bars - 1];
        highest = now > highest ? now : highest;
    }
    text_buffer script = {0}, data = {0};
    const double room = (top - v->least) / 3, unit = pow(10, floor(log10(room))),
                 step = room >= 5 * unit   ? 5 * unit
                        : room >= 2 * unit ? 2 * unit
                                           : unit;
    arne__style_axes(&script, "runs");
    add(&script, "set tmargin 2\nset xtics %.3g\n%s", step, highest < 5 ? "set ytics 1\n" : "");
    add(&script,
        "set xlabel '%s'\nset yrange [0:*]\nset xrange [%.9g:%.9g]\nset boxwidth %.9g\nset style fill solid 0.7 noborder\n",
        v->unit, v->least, top, 0.92 * width);
    const double marks[] = {v->low, v->median, v->high};
    for (int i = 0; i < 3; i++)
        add(&script, "set arrow from %.9g, graph 0 to %.9g, graph 1 nohead dashtype %d linecolor rgb '%s'\n", marks[i], marks[i],
            i == 1 ? 1 : 2, arne__colour(INK));
    add(&script, "plot data using 1:2 with boxes linecolor rgb '%s' notitle\n", arne__colour(0));
    for (int i = 0; i < bars; i++) add(&data, "%.9g,%ld\n", v->least + (i + 0.5) * width, in_bar[i]);
    char title[200];
    snprintf(title, sizeof title, "%s%s", v->words, top < v->most ? "; the last bar holds all beyond" : "");
    return arne__figure(&(figure_words){.title = title}, &script, &data, o, error);
}

/* ---- words ---- */

static long count(const arne_sweep *s, arne_sweep_state state, double verdict)
{
    long n = 0;
    for (long k = 0; k < s->runs; k++) n += s->state[k] == (unsigned char)state && (isnan(verdict) || s->verdict[k] == verdict);
    return n;
}

static void write_verdict(const arne_sweep *s, text_buffer *o)
{
    const long good = count(s, ARNE_SWEEP_FINISHED, 2), fair = count(s, ARNE_SWEEP_FINISHED, 1),
               bad = count(s, ARNE_SWEEP_FINISHED, 0), failed = count(s, ARNE_SWEEP_FAILED, (double)NAN),
               all = good + fair + bad + failed;
    const double share = all ? 100 * (double)good / (double)all : 0;
    add(o, "<p class=\"verdict %s\">%.4g %% of %ld runs are good: %ld good, %ld fair, %ld bad, %ld failed.",
        share >= 99.9 ? "good"
        : share >= 90 ? "fair"
                      : "bad",
        share, all, good, fair, bad, failed);
    if (all < s->runs) add(o, " %ld have not been run yet; the same command goes on with them.", s->runs - all);
    put(o, "</p>\n");
}

static void write_views(const view *v, text_buffer *o)
{
    put(o,
        "<div class=\"wide\"><table>\n<tr><th></th><th>runs</th><th>5 %</th><th>median</th><th>95 %</th><th>largest</th><th></th>"
        "<th>in run</th></tr>\n");
    for (int i = 0; i < VIEWS; i++) {
        if (!v[i].found) continue;
        add(o, "<tr><td>%s</td><td>%ld</td><td>%.4g</td><td>%.4g</td><td>%.4g</td><td>%.4g</td><td>%s</td><td>%ld</td></tr>\n",
            v[i].words, v[i].found, v[i].low, v[i].median, v[i].high, v[i].most, v[i].unit, v[i].worst);
    }
    put(o, "</table></div>\n");
}

/* Which of what was drawn goes with which number. */
static bool write_causes(const arne_sweep *s, const view *v, text_buffer *o)
{
    double *x = malloc(2 * ((size_t)s->runs + 1) * sizeof *x), *y = x + s->runs + 1;
    if (!x) return false;
    put(o,
        "<h2>What matters</h2>\n<p>Rank correlation of what was drawn with what came of it: 1 and -1 mean that one follows the "
        "other, 0 that it does not; below 0.2 it is hardly more than chance in a hundred runs.</p>\n"
        "<div class=\"wide\"><table>\n<tr><th></th>");
    for (int i = 0; i < ALARMS; i++) html_in(o, "<th>", v[i].words, "</th>");
    put(o, "</tr>\n");
    bool fine = true;
    for (int d = 0; d < s->ndrawn && fine; d++) {
        html_in(o, "<tr><td>", s->drawn[d], "</td>");
        fine = ranks(s->draw + d, s->runs, s->ndrawn, x);
        for (int i = 0; i < ALARMS && fine; i++) {
            fine = ranks(v[i].values, s->runs, 1, y);
            const double r = correlation(x, y, s->runs);
            if (isnan(r))
                put(o, "<td></td>");
            else
                add(o, fabs(r) >= 0.5 ? "<td><b>%.2f</b></td>" : "<td>%.2f</td>", r);
        }
        put(o, "</tr>\n");
    }
    put(o, "</table></div>\n");
    free(x);
    return fine;
}

static void write_run(const arne_sweep *s, long k, const char *why, text_buffer *o)
{
    add(o, "<tr><td>%ld</td><td>", k);
    html_in(o, "", why, "</td>");
    for (int d = 0; d < s->ndrawn; d++) add(o, "<td>%.4g</td>", s->draw[k * s->ndrawn + d]);
    put(o, "</tr>\n");
}

static bool write_worst(const arne_sweep *s, const view *v, text_buffer *o)
{
    int shown = 0;
    add(o, "<h2>The worst runs</h2>\n<p>Each can be run again: <code>arne simulate ");
    html_in(o, "", s->path, " --run K");
    if (s->seed != 1) add(o, " --seed %llu", (unsigned long long)s->seed);
    put(o, " --out run.csv</code></p>\n<div class=\"wide\"><table>\n<tr><th>run</th><th>why</th>");
    for (int d = 0; d < s->ndrawn; d++) html_in(o, "<th>", s->drawn[d], "</th>");
    put(o, "</tr>\n");
    for (long k = 0; k < s->runs && shown < WORST; k++) {
        if (s->state[k] != ARNE_SWEEP_FAILED) continue;
        write_run(s, k, s->message[k], o);
        shown++;
    }
    for (int i = 0; i < VIEWS; i++) {
        long found;
        placed *list = in_order(v[i].values, s->runs, 1, &found);
        if (!list) return false;
        for (long k = found - 1; k >= 0 && k >= found - 3 && list[k].value > 0 && v[i].most > v[i].least; k--) {
            char why[160];
            snprintf(why, sizeof why, "%s: %.4g %s", v[i].words, list[k].value, v[i].unit);
            write_run(s, list[k].run, why, o);
        }
        free(list);
    }
    put(o, "</table></div>\n");
    return true;
}

static arne_status write_page(const arne_sweep *s, const view *v, const char *path, const char *title, text_buffer *o,
                              arne_error *error)
{
    arne__page_begin(o, title ? title : s->title[0] ? s->title : "Many runs");
    write_verdict(s, o);
    html_in(o, "<p>Robot ", s->robot, "; what varied: ");
    for (int d = 0; d < s->ndrawn; d++) html_in(o, d ? ", " : "", s->drawn[d], "");
    put(o, ".</p>\n<h2>How the runs are spread</h2>\n");
    write_views(v, o);
    put(o, "<p>The dashed lines are the 5 % quantile, the median and the 95 % quantile: nine runs in ten lie between the outer "
           "ones.</p>\n");
    arne_status status = ARNE_OK;
    put(o, "<div class=\"charts\">\n");
    for (int i = 0; i < ALARMS && !status; i++) status = histogram(s, &v[i], o, error);
    put(o, "</div>\n");
    if (!status && (!write_causes(s, v, o) || !write_worst(s, v, o))) status = report_no_memory(error);
    put(o, "<details><summary>The scenario</summary><pre>");
    html_in(o, "", s->scenario, "</pre></details>\n");
    html_in(o, "<p class=\"small\">Source: ", path, ".</p>\n");
    arne__page_end(o);
    return !status && o->failed ? report_no_memory(error) : status;
}

arne_status arne_sweep_page(const arne_sweep *s, const char *path, const char *title, char **page, arne_error *error)
{
    if (page) *page = NULL;
    if (!s || !path || !page) return arne_fail(error, ARNE_BAD_ARGUMENT, NULL, 0, "a page needs a sweep, its path and a place");
    view v[VIEWS];
    text_buffer text = {0};
    double *memory = malloc((size_t)VIEWS * ((size_t)s->runs + 1) * sizeof *memory);
    arne_status status = memory && make_views(s, v, memory) ? ARNE_OK : report_no_memory(error);
    if (!status) status = write_page(s, v, path, title, &text, error);
    free(memory);
    if (status)
        arne__text_free(&text);
    else
        *page = text.s;
    return status;
}
