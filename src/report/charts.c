/* SPDX-License-Identifier: MIT
 *
 * arne__report_charts.c - the charts of a run, drawn by gnuplot. Long runs are thinned: of every stretch of rows that shares a
 * point of the picture the smallest and the largest value are kept, so that no peak is lost. Names never reach gnuplot: legends
 * are HTML.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

enum {
    COLOURS = 8,
    WIDTH = 400,
    HEIGHT = 250,
    BUCKETS = WIDTH,
    MOST_SERIES = 2 * COLOURS,
    MOST_JOINTS = 4 * COLOURS,
    MOST_BANDS = 60
};

static const char *const colours[COLOURS] = {"#1f5fbf", "#c8501e", "#2a8a3e", "#8a3fb0",
                                             "#b8860b", "#0f8a8a", "#b02a5b", "#555555"};

typedef enum { PLAIN, DIFFERENCE, NORM, SHARE } how; /* x; x - y; |(x, y, z)|; 100 x / limit */

typedef struct {
    const double *x[3];
    double limit;
    int colour;
    bool dashed;
} series;

/* A chart of one quantity of all joints. */
typedef struct {
    const char *title, *unit, *slide_unit; /* slide_unit NULL: the same */
    how how;
    const char *group, *other; /* columns; other: the reference (PLAIN) or what is taken off */
    const char *parts[3];      /* NORM: r1.fx ... */
    const char *note;
} definition;

static const definition definitions[] = {
    {"Positions", "rad", "m", PLAIN, "q", "qr", {0}, "dashed: reference"},
    {"Tracking error: reference minus position", "rad", "m", DIFFERENCE, "qr", "q", {0}, NULL},
    {"Speeds", "rad/s", "m/s", PLAIN, "qd", "qdr", {0}, "dashed: reference"},
    {"Accelerations", "rad/s^2", "m/s^2", PLAIN, "qdd", NULL, {0}, NULL},
    {"Torques", "Nm", "N", PLAIN, "tau", NULL, {0}, NULL},
    {"Torques against their limits", "% of the limit", NULL, SHARE, "tau", NULL, {0}, "grey: the limits"},
    {"Motor torques", "Nm", NULL, PLAIN, "motor", NULL, {0}, NULL},
    {"Residuals of the observer", "Nm", "N", PLAIN, "r", NULL, {0}, "dashed: thresholds"},
    {"Deflections of the springs: motor minus link", "rad", "m", DIFFERENCE, "theta", "q", {0}, NULL},
    {"Speeds of the motors behind their gears", "rad/s", "m/s", PLAIN, "thetad", NULL, {0}, NULL},
    {"Torques of the springs", "Nm", "N", PLAIN, "tau_e", NULL, {0}, NULL},
    {"Torques without springs, for comparison", "Nm", "N", PLAIN, "rigid", NULL, {0}, NULL},
    {"Loads of the joints: force", "N", NULL, NORM, "r", NULL, {"fx", "fy", "fz"}, NULL},
    {"Loads of the joints: moment", "Nm", NULL, NORM, "r", NULL, {"mx", "my", "mz"}, NULL},
};

typedef struct {
    const char *title, *unit, *note;
    how how;
    int count;
    series list[MOST_SERIES];
    int nthreshold;
    double threshold[COLOURS];
    int threshold_colour[COLOURS]; /* -1: of all joints */
} chart;

static double value(const chart *c, const series *s, size_t k)
{
    switch (c->how) {
    case DIFFERENCE: return s->x[0][k] - s->x[1][k];
    case NORM: return sqrt(s->x[0][k] * s->x[0][k] + s->x[1][k] * s->x[1][k] + s->x[2][k] * s->x[2][k]);
    case SHARE: return 100 * s->x[0][k] / s->limit;
    default: return s->x[0][k];
    }
}

/* The rows, or two of each bucket: the extremes of every series, in the order in which they come. */
static void write_data(const arne_report_run *r, const chart *c, text_buffer *o)
{
    const bool thin = r->rows > 2 * BUCKETS;
    const size_t count = thin ? BUCKETS : r->rows;
    for (size_t b = 0; b < count; b++) {
        const size_t from = thin ? b * r->rows / BUCKETS : b, to = thin ? (b + 1) * r->rows / BUCKETS : b + 1;
        double first[MOST_SERIES], second[MOST_SERIES];
        for (int i = 0; i < c->count; i++) {
            size_t low = from, high = from;
            for (size_t k = from + 1; k < to; k++) {
                if (value(c, &c->list[i], k) < value(c, &c->list[i], low)) low = k;
                if (value(c, &c->list[i], k) > value(c, &c->list[i], high)) high = k;
            }
            first[i] = value(c, &c->list[i], low < high ? low : high);
            second[i] = value(c, &c->list[i], low < high ? high : low);
        }
        for (int half = 0; half < (thin ? 2 : 1); half++) {
            add(o, "%.9g", r->t[half ? (from + to) / 2 : from]);
            for (int i = 0; i < c->count; i++) add(o, ",%.7g", half ? second[i] : first[i]);
            put(o, "\n");
        }
    }
}

/* Bands and lines where something happened. */
static void write_events(const arne_report_run *r, text_buffer *o)
{
    for (int i = 0, n = 0; i < r->nevent && n < MOST_BANDS; i++) {
        const arne_about_event *e = &r->events[i];
        const bool contact = !strcmp(e->kind, "contact"), stop = !strcmp(e->kind, "stop");
        if (!strcmp(e->kind, "saturation")) continue;
        const char *colour = contact ? "#c62828" : stop ? "#444444" : "#f2a900";
        n++;
        if (!stop && !contact && e->end > e->t)
            add(o, "set object rect from %.9g, graph 0 to %.9g, graph 1 fc rgb '%s' fs transparent solid 0.25 noborder behind\n",
                e->t, e->end, colour);
        add(o, "set arrow from %.9g, graph 0 to %.9g, graph 1 nohead lw 1.2 dt %s lc rgb '%s'\n", e->t, e->t, stop ? "3" : "1",
            colour);
    }
}

static void write_script(const arne_report_run *r, const chart *c, text_buffer *o)
{
    add(o,
        "unset key\nset border 3 lc rgb '#888888'\nset tics nomirror out textcolor rgb '#222222'\nset xtics autofreq\n"
        "set grid lc rgb '#e2e2e2' lt 1\nset samples 2\nset xrange [%.9g:%.9g]\nset xlabel 't, s' offset 0,0.4\n"
        "set ylabel '%s'\nset lmargin 8.5\nset rmargin 1.5\nset tmargin 0.8\nset bmargin 3\n",
        r->t[0], r->t[r->rows - 1], c->unit);
    write_events(r, o);
    if (c->how == SHARE) {
        double most = 105;
        for (int i = 0; i < c->count; i++)
            for (size_t k = 0; k < r->rows; k++) most = fmax(most, 1.05 * fabs(value(c, &c->list[i], k)));
        add(o, "set yrange [%.6g:%.6g]\n", -most, most);
    } else {
        put(o, "set offsets graph 0, graph 0, graph 0.05, graph 0.05\n");
    }
    put(o, "plot ");
    for (int i = 0; i < c->count; i++)
        add(o, "%sdata using 1:%d with lines lw %s dt %s lc rgb '%s'", i ? ", \\\n " : "", i + 2,
            c->list[i].dashed ? "1.1" : "1.6", c->list[i].dashed ? "2" : "1", colours[c->list[i].colour]);
    for (int i = 0; i < c->nthreshold; i++)
        for (int sign = -1; sign < 2; sign += 2)
            add(o, ", \\\n %.9g with lines lw 1 dt 2 lc rgb '%s'", sign * c->threshold[i],
                c->threshold_colour[i] < 0 ? "#444444" : colours[c->threshold_colour[i]]);
    if (c->how == SHARE) put(o, ", \\\n 100 with lines lw 1.4 lc rgb '#888888', -100 with lines lw 1.4 lc rgb '#888888'");
    put(o, "\n");
}

/* The picture itself: without the XML head, gnuplot's name, shapes that no line needs, and names that would come twice. */
static void copy_svg(const char *svg, text_buffer *o)
{
    const char *s = strstr(svg, "<svg");
    while (s && *s) {
        const char *skip = !strncmp(s, "<title>", 7)  ? strstr(s, "</title>")
                           : !strncmp(s, "<desc>", 6) ? strstr(s, "</desc>")
                           : !strncmp(s, "<defs>", 6) ? strstr(s, "</defs>")
                           : !strncmp(s, " id=\"", 5) ? strchr(s + 5, '"')
                                                      : NULL;
        if (skip) {
            s = *skip == '"' ? skip + 1 : strchr(skip, '>') + 1;
            continue;
        }
        const char one[2] = {*s++, 0};
        put(o, one);
    }
}

/* names: one for each colour that the chart uses, in their order */
static arne_status draw(const arne_report_run *r, const chart *c, const char *const *names, int nname, text_buffer *o,
                        arne_error *error)
{
    text_buffer data = {0}, script = {0};
    write_data(r, c, &data);
    write_script(r, c, &script);
    char *svg = NULL;
    const arne_picture p = {script.s, data.s, WIDTH, HEIGHT};
    const arne_status status = data.failed || script.failed ? report_no_memory(error) : arne_picture_svg(&p, &svg, error);
    if (!status) {
        add(o, "<figure class=\"chart\"><figcaption>%s<span class=\"legend\">", c->title);
        for (int i = 0; i < nname; i++) {
            add(o, "<span><i style=\"background:%s\"></i>", colours[i]);
            html_in(o, "", names[i], "</span> ");
        }
        if (c->note) add(o, "<em>%s</em>", c->note);
        put(o, "</span></figcaption>\n");
        copy_svg(svg, o);
        put(o, "</figure>\n");
    }
    free(svg);
    arne__text_free(&data);
    arne__text_free(&script);
    return status;
}

/* ---- joints ---- */

/* Adds the curves of a joint; false: the file has none. */
static bool add_joint(const arne_report_run *r, const definition *d, int joint, int colour, chart *c)
{
    series s = {.limit = r->effort[joint], .colour = colour};
    for (int k = 0; k < 3; k++)
        if (d->parts[k] && !(s.x[k] = arne__report_column(r, d->group, joint, d->parts[k]))) return false;
    if (!d->parts[0] && !(s.x[0] = arne__report_column(r, d->group, joint, NULL))) return false;
    if (d->how == SHARE && !(s.limit > 0)) return false;
    const double *other = NULL;
    if (d->how == DIFFERENCE && !strcmp(d->other, "q")) other = arne__report_column(r, "real_q", joint, NULL);
    if (!other && d->other) other = arne__report_column(r, d->other, joint, NULL);
    if (d->how == DIFFERENCE && !other) return false;
    if (d->how == DIFFERENCE) s.x[1] = other;
    c->list[c->count++] = s;
    if (d->how == PLAIN && other) {
        c->list[c->count++] = (series){.x = {other}, .colour = colour, .dashed = true};
        c->note = d->note;
    }
    if (d->how == SHARE) c->note = d->note;
    if (d->how == PLAIN && !strcmp(d->group, "r") && r->threshold[joint] > 0) {
        const int n = c->nthreshold;
        c->note = d->note;
        if (n && c->threshold[0] == r->threshold[joint]) {
            c->threshold_colour[0] = -1;
        } else {
            c->threshold[n] = r->threshold[joint];
            c->threshold_colour[n] = colour;
            c->nthreshold++;
        }
    }
    return true;
}

/* All joints of one unit, a few in each picture. */
static arne_status draw_joints(const arne_report_run *r, const definition *d, bool turns, bool any, text_buffer *o,
                               arne_error *error)
{
    const char *unit = turns || !d->slide_unit ? d->unit : d->slide_unit;
    arne_status status = ARNE_OK;
    int shown = 0;
    for (int i = 0; i < r->dof && shown < MOST_JOINTS && !status;) {
        chart c = {.title = d->title, .unit = unit, .how = d->how};
        const char *names[COLOURS];
        int n = 0;
        for (; i < r->dof && n < COLOURS; i++)
            if ((any || arne__report_turns(r, i) == turns) && add_joint(r, d, i, n, &c)) names[n++] = r->joints[i];
        shown += n;
        if (n) status = draw(r, &c, names, n, o, error);
    }
    return status;
}

/* ---- what is not of a joint ---- */

static arne_status draw_named(const arne_report_run *r, const char *title, const char *unit, const char *const *columns,
                              const char *const *words, int count, text_buffer *o, arne_error *error)
{
    chart c = {.title = title, .unit = unit};
    const char *names[COLOURS];
    for (int k = 0; k < count; k++) {
        const double *x = arne__report_named(r, columns[k]);
        if (!x) continue;
        names[c.count] = words[k];
        c.list[c.count] = (series){.x = {x}, .colour = c.count};
        c.count++;
    }
    return c.count ? draw(r, &c, names, c.count, o, error) : ARNE_OK;
}

static void say_undrawn(const arne_report_run *r, text_buffer *o)
{
    bool any = false;
    for (int k = 0; k < r->table.columns; k++) {
        const char *name = r->table.names[k];
        /* the true state behind noisy sensors is drawn where it matters, in the errors */
        if (r->drawn[k] || !strcmp(name, "t") || !strcmp(name, "contact") || !strncmp(name, "real_", 5)) continue;
        html_in(o, any ? ", " : "<p class=\"small\">Columns that are not drawn: ", name, "");
        any = true;
    }
    if (any) put(o, ".</p>\n");
}

arne_status arne__report_charts(const arne_report_run *r, text_buffer *o, arne_error *error)
{
    static const char *const energy[] = {"kinetic", "potential"}, *const hand[] = {"hand.x", "hand.y", "hand.z"},
                             *const xyz[] = {"x", "y", "z"};
    arne_status status = ARNE_OK;
    bool turns = false, slides = false;
    for (int i = 0; i < r->dof; i++) *(arne__report_turns(r, i) ? &turns : &slides) = true;
    put(o, "<div class=\"charts\">\n");
    for (size_t k = 0; k < sizeof definitions / sizeof *definitions && !status; k++) {
        const definition *d = &definitions[k];
        if (!d->slide_unit) {
            status = draw_joints(r, d, true, true, o, error);
            continue;
        }
        if (turns) status = draw_joints(r, d, true, false, o, error);
        if (slides && !status) status = draw_joints(r, d, false, false, o, error);
    }
    if (!status) status = draw_named(r, "Energies", "J", energy, energy, 2, o, error);
    if (!status) status = draw_named(r, "Position of the hand", "m", hand, xyz, 3, o, error);
    put(o, "</div>\n");
    if (r->dof > MOST_JOINTS) add(o, "<p class=\"small\">The first %d of %d joints are drawn.</p>\n", (int)MOST_JOINTS, r->dof);
    say_undrawn(r, o);
    return status;
}
