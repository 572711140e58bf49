/* SPDX-License-Identifier: MIT
 *
 * view.c - the robot along the motion: a stick figure through the origins of its frames, true to scale, from the side and
 * from above. Up is against gravity; the side is the one from which the motion looks largest. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arne/dynamics.h"
#include "report/chart.h"

enum { INSTANTS = 8, PATH = 240, SIZE = 460, MARGIN = 34 };

/* A stick: from the parent's origin over the joint to the child's origin; body: its end is the centre of mass of a last link. */
typedef struct {
    int parent, child;
    const arne_joint_description *joint;
    bool last;
} stick;

typedef struct {
    const arne_report_run *run;
    arne_data *data;
    stick *sticks;
    int count, hand;        /* hand: the link whose path is drawn */
    bool body;              /* of its centre of mass: nothing else is known of what lies beyond its joint */
    double (*points)[4][3]; /* instants x count: parent, joint, child, centre of mass */
    int instants;           /* that differ */
    double path[PATH][3];
    double *q;
    const double **columns; /* nq */
    double low[3], high[3]; /* of all points */
} scene;

static void apply(const arne_pose *a, const double p[3], double to[3])
{
    for (int k = 0; k < 3; k++) to[k] = a->R[3 * k] * p[0] + a->R[3 * k + 1] * p[1] + a->R[3 * k + 2] * p[2] + a->p[k];
}

static void state_at(scene *s, size_t row)
{
    for (int i = 0; i < arne_model_nq(s->run->robot); i++) s->q[i] = s->columns[i][row];
}

static void include(scene *s, const double p[3])
{
    for (int k = 0; k < 3; k++) {
        s->low[k] = fmin(s->low[k], p[k]);
        s->high[k] = fmax(s->high[k], p[k]);
    }
}

/* ---- the points ---- */

static void find_sticks(scene *s)
{
    const arne_description *d = s->run->description;
    const arne_model *m = s->run->robot;
    for (size_t k = 0; k < d->njoint; k++) {
        const arne_joint_description *j = &d->joints[k];
        bool last = true;
        if (j->type == ARNE_FREE) continue; /* nothing is between its link and the world */
        for (size_t i = 0; i < d->njoint; i++) last &= strcmp(d->joints[i].parent, j->child) != 0;
        s->sticks[s->count++] = (stick){arne_link_find(m, j->parent), arne_link_find(m, j->child), j, last};
        const double *out = j->after.p;
        if (s->sticks[s->count - 1].child == s->hand && last && j->type != ARNE_FIXED)
            s->body = fabs(out[0]) + fabs(out[1]) + fabs(out[2]) < 1e-9;
    }
}

/* Has the robot moved so far since the last instant that is drawn that it can be seen? */
static bool moved(const scene *s, const double (*last)[4][3], const double (*now)[4][3])
{
    double most = 0, extent = 0;
    for (int k = 0; k < 3; k++) extent = fmax(extent, s->high[k] - s->low[k]);
    for (int i = 0; i < 12 * s->count; i++) most = fmax(most, fabs((&last[0][0][0])[i] - (&now[0][0][0])[i]));
    return most > 0.004 * extent;
}

/* Instants at which nothing new is to be seen are not drawn. */
static void keep_instants(scene *s)
{
    s->instants = 1;
    for (int n = 1; n < INSTANTS; n++) {
        double(*last)[4][3] = &s->points[(s->instants - 1) * s->count], (*now)[4][3] = &s->points[n * s->count];
        if (moved(s, (const double(*)[4][3])last, (const double(*)[4][3])now))
            memmove(s->points[s->instants++ * s->count], now, (size_t)s->count * sizeof *now);
    }
}

static void find_points(scene *s)
{
    const arne_report_run *r = s->run;
    for (int n = 0; n < INSTANTS; n++) {
        state_at(s, (size_t)n * (r->rows - 1) / (INSTANTS - 1));
        for (int k = 0; k < s->count; k++) {
            const stick *t = &s->sticks[k];
            double(*p)[3] = s->points[n * s->count + k];
            arne_pose parent, child;
            arne_link_pose(s->data, s->q, t->parent, &parent);
            arne_link_pose(s->data, s->q, t->child, &child);
            memcpy(p[0], parent.p, sizeof p[0]);
            apply(&parent, t->joint->before.p, p[1]);
            memcpy(p[2], child.p, sizeof p[2]);
            apply(&child, arne_link_body(r->robot, t->child)->com, p[3]);
            for (int i = 0; i < (t->last ? 4 : 3); i++) include(s, p[i]);
        }
    }
    for (int n = 0; n < PATH; n++) {
        arne_pose hand;
        state_at(s, (size_t)n * (r->rows - 1) / (PATH - 1));
        arne_link_pose(s->data, s->q, s->hand, &hand);
        apply(&hand, s->body ? arne_link_body(r->robot, s->hand)->com : (const double[3]){0}, s->path[n]);
        include(s, s->path[n]);
    }
    keep_instants(s);
}

/* ---- the picture ---- */

typedef struct {
    int across, up; /* axes of the world */
    double sign;    /* of up: -1 where the axis points down in the picture */
    bool above;     /* no ground to be seen */
    double scale, left, top;
} view;

static double x_of(const view *v, const double p[3]) { return MARGIN + (p[v->across] - v->left) * v->scale; }
static double y_of(const view *v, const double p[3]) { return MARGIN + (v->top - v->sign * p[v->up]) * v->scale; }

/* The length of the scale bar: 1, 2 or 5 times a power of ten, about a quarter of the picture. */
static double bar_length(double extent)
{
    const double power = pow(10, floor(log10(extent / 4))), x = extent / 4 / power;
    return power * (x >= 5 ? 5 : x >= 2 ? 2 : 1);
}

static void draw_instant(const scene *s, const view *v, int n, text_buffer *o)
{
    /* from pale to full: the later, the darker */
    const bool last = n == s->instants - 1;
    const double share = last ? 1 : (double)n / (s->instants - 1);
    add(o,
        "<g stroke=\"#1f5fbf\" stroke-opacity=\"%.2f\" fill=\"none\" stroke-width=\"%s\" stroke-linejoin=\"round\" "
        "stroke-linecap=\"round\">",
        0.2 + 0.8 * share, last ? "4" : "2.5");
    for (int k = 0; k < s->count; k++) {
        double(*p)[3] = s->points[n * s->count + k];
        add(o, "<polyline points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\"/>", x_of(v, p[0]), y_of(v, p[0]), x_of(v, p[1]), y_of(v, p[1]),
            x_of(v, p[2]), y_of(v, p[2]));
        if (s->sticks[k].last)
            add(o, "<polyline stroke-dasharray=\"3 4\" points=\"%.1f,%.1f %.1f,%.1f\"/>", x_of(v, p[2]), y_of(v, p[2]),
                x_of(v, p[3]), y_of(v, p[3]));
    }
    put(o, "</g>");
    if (!last) return;
    put(o, "<g fill=\"#ffffff\" stroke=\"#1f5fbf\" stroke-width=\"1.5\">");
    for (int k = 0; k < s->count; k++) {
        double(*p)[3] = s->points[n * s->count + k];
        if (s->sticks[k].joint->type == ARNE_REVOLUTE)
            add(o, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>", x_of(v, p[1]), y_of(v, p[1]));
        else if (s->sticks[k].joint->type == ARNE_PRISMATIC)
            add(o, "<rect x=\"%.1f\" y=\"%.1f\" width=\"7\" height=\"7\"/>", x_of(v, p[1]) - 3.5, y_of(v, p[1]) - 3.5);
    }
    put(o, "</g>");
}

/* Where on the path the first contact was found, -1: none was. */
static int contact_place(const scene *s)
{
    const arne_report_run *r = s->run;
    for (int i = 0; i < r->nevent; i++) {
        if (strcmp(r->events[i].kind, "contact")) continue;
        size_t row = 0;
        while (row + 1 < r->rows && r->t[row] < r->events[i].t) row++;
        return (int)(row * (PATH - 1) / (r->rows - 1));
    }
    return -1;
}

static void draw_path(const scene *s, const view *v, text_buffer *o)
{
    const int n = contact_place(s);
    put(o, "<polyline fill=\"none\" stroke=\"#c8501e\" stroke-width=\"1.8\" points=\"");
    for (int k = 0; k < PATH; k++) add(o, "%.1f,%.1f ", x_of(v, s->path[k]), y_of(v, s->path[k]));
    put(o, "\"/>");
    if (n >= 0) add(o, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"#c62828\"/>", x_of(v, s->path[n]), y_of(v, s->path[n]));
}

/* Names only what is drawn. */
static void write_legend(const scene *s, bool all, text_buffer *o)
{
    bool ends = false, turns = false, slides = false;
    for (int k = 0; k < s->count; k++) {
        ends |= s->sticks[k].last;
        turns |= s->sticks[k].joint->type == ARNE_REVOLUTE;
        slides |= s->sticks[k].joint->type == ARNE_PRISMATIC;
    }
    put(o, "<span class=\"legend\"><span><i style=\"background:var(--c1)\"></i>");
    add(o, s->instants > 1 ? "%d instants, pale to dark" : "it does not move", s->instants);
    add(o, "</span> <span><i style=\"background:var(--c2)\"></i>path of %s", s->body ? "the centre of mass of " : "");
    html_in(o, "", arne_link_name(s->run->robot, s->hand), "</span>");
    if (contact_place(s) >= 0) put(o, " <span><i style=\"background:var(--found)\"></i>contact found</span>");
    const char *const marks[] = {turns ? "circles: joints that turn" : "", slides ? "squares: joints that slide" : "",
                                 ends ? "dashed: to the centre of mass" : ""};
    for (int k = 0; k < 3 && all; k++)
        if (*marks[k]) add(o, " <span><em>%s</em></span>", marks[k]);
    put(o, "</span>");
}

static void draw_view(const scene *s, const char *title, view v, text_buffer *o)
{
    const double low = v.sign > 0 ? s->low[v.up] : -s->high[v.up], high = v.sign > 0 ? s->high[v.up] : -s->low[v.up];
    const double wide = s->high[v.across] - s->low[v.across], tall = high - low, extent = fmax(fmax(wide, tall), 1e-6);
    v.scale = (SIZE - 2 * MARGIN) / extent;
    v.left = s->low[v.across] - (extent - wide) / 2; /* in the middle of a picture of constant width */
    v.top = high;
    const int height = (int)(tall * v.scale) + 2 * MARGIN + 26;
    const double bar = bar_length(extent), base[3] = {0};
    add(o, "<figure class=\"chart\"><figcaption>%s", title);
    write_legend(s, !v.above, o);
    put(o, "</figcaption>\n");
    add(o, "<svg viewBox=\"0 0 %d %d\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\">", (int)SIZE, height);
    const double bx = x_of(&v, base), by = y_of(&v, base);
    if (!v.above && !arne_model_floats(s->run->robot))
        add(o, "<path d=\"M%.1f %.1fh28m-24 0l-5 7m11 -7l-5 7m11 -7l-5 7m11 -7l-5 7\" stroke=\"#888888\" fill=\"none\"/>",
            bx - 14, by + 5);
    for (int n = 0; n < s->instants; n++) draw_instant(s, &v, n, o);
    draw_path(s, &v, o);
    add(o,
        "<path d=\"M%d %dv-6m0 3h%.1fm0 -3v6\" stroke=\"#222222\" fill=\"none\"/><text x=\"%.1f\" y=\"%d\" "
        "font-family=\"sans-serif\" font-size=\"13\" fill=\"#222222\">%g m</text></svg></figure>\n",
        (int)MARGIN, height - 10, bar * v.scale, MARGIN + bar * v.scale + 8, height - 9, bar);
}

/* The axis nearest to gravity is up; the side view has the wider of the other two across, the view from above both. */
static void draw_views(const scene *s, text_buffer *o)
{
    const double *g = arne_model_gravity(s->run->robot);
    int up = 2;
    for (int k = 0; k < 3; k++)
        if (fabs(g[k]) > fabs(g[up])) up = k;
    const int a = (up + 1) % 3, b = (up + 2) % 3;
    const double wide_a = s->high[a] - s->low[a], wide_b = s->high[b] - s->low[b];
    const int across = wide_b > 1.01 * wide_a ? b : a, depth = across == a ? b : a;
    static const char *const names[] = {"x", "y", "z"};
    char title[64];
    put(o, "<div class=\"charts views\">\n");
    snprintf(title, sizeof title, "The robot along the motion, side view (%s, %s)", names[across], names[up]);
    draw_view(s, title, (view){.across = across, .up = up, .sign = g[up] > 0 ? -1 : 1}, o);
    if (s->high[depth] - s->low[depth] > 0.02 * (s->high[across] - s->low[across])) {
        snprintf(title, sizeof title, "View from above (%s, %s)", names[across], names[depth]);
        /* with the second axis to the right the first points down */
        draw_view(s, title, (view){.across = across, .up = depth, .sign = across == a ? 1 : -1, .above = true}, o);
    }
    put(o, "</div>\n");
}

/* Number i of the positions, by its number or its name. */
static const double *position(const arne_report_run *r, const char *group, int i)
{
    char name[256];
    snprintf(name, sizeof name, "%s%d", group, i + 1);
    const double *x = arne__report_named(r, name);
    if (x) return x;
    snprintf(name, sizeof name, "%s.%.200s", group, arne_position_name(r->robot, i));
    return arne__report_named(r, name);
}

arne_status arne__report_side_view(const arne_report_run *r, text_buffer *o, arne_error *error)
{
    if (!r->robot) return ARNE_OK;
    scene s = {.run = r, .low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
    const size_t joints = r->description->njoint;
    s.hand = r->about.link ? arne_link_find(r->robot, r->about.link) : -1;
    if (s.hand < 0) s.hand = arne_model_tip(r->robot);
    s.sticks = calloc(joints + 1, sizeof *s.sticks);
    s.points = calloc(INSTANTS * joints + 1, sizeof *s.points);
    const int nq = arne_model_nq(r->robot);
    s.q = calloc((size_t)nq, sizeof *s.q);
    s.columns = calloc((size_t)nq, sizeof *s.columns);
    arne_status status = s.sticks && s.points && s.q && s.columns ? ARNE_OK : report_no_memory(error);
    bool complete = true;
    for (int i = 0; i < nq && !status; i++) {
        s.columns[i] = position(r, "real_q", i);
        if (!s.columns[i]) s.columns[i] = position(r, "q", i);
        if (!s.columns[i] && complete) add(o, "<p class=\"small\">The robot is not drawn: there is no column q%d.</p>\n", i + 1);
        complete &= s.columns[i] != NULL;
    }
    if (!status && complete) status = arne_data_new(r->robot, &s.data, error);
    if (!status && complete) find_sticks(&s);
    if (!status && complete && s.count) {
        find_points(&s);
        draw_views(&s, o);
    }
    arne_data_free(s.data);
    free(s.sticks);
    free(s.points);
    free(s.q);
    free(s.columns);
    return status;
}
