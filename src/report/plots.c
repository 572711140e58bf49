/* SPDX-License-Identifier: MIT
 *
 * plots.c - pictures of what elastic joints do, as Figs. 1-5 of 002, of residuals with the contacts in them, and of the largest
 * accelerations of a hand along a path. */
#include <math.h>

#include "report/chart.h"

/* Each point of a picture stands for a stretch of rows. */
enum { ELASTIC_POINTS = 1200, PANELS = 5, RESIDUAL_POINTS = 3000 };

static arne_status draw(text_buffer *script, text_buffer *data, int width, int height, const char *path, arne_error *error)
{
    const arne_picture p = {script->s, data->s, width, height};
    const arne_status status = script->failed || data->failed ? report_no_memory(error) : arne_picture_file(&p, path, error);
    arne__text_free(script);
    arne__text_free(data);
    return status;
}

/* After the colours are used up the next joints are dashed. */
static void curve(text_buffer *script, const arne_model *m, int column, int i, const char *before)
{
    char name[300];
    add(script, "%sdata using 1:%d with lines linewidth 1.5 dashtype %d linecolor rgb '%s' title '%s'", before, column,
        1 + i / COLOURS, arne__colour(i % COLOURS), arne_picture_quoted(arne_velocity_name(m, i), name, sizeof name));
}

static void headline(text_buffer *script, const arne_model *m, const char *words)
{
    char name[300];
    add(script, "set title '%s: %s' noenhanced textcolor rgb '%s'\nset key outside right noenhanced\n",
        arne_picture_quoted(arne_model_name(m), name, sizeof name), words, arne__colour(INK));
}

/* ---- elastic joints ---- */

/* Positions and velocities in degrees or m, deflections in degrees or mm. */
static void elastic_row(const arne_model *m, const arne_elastic_plot *e, size_t k, text_buffer *o)
{
    const int n = arne_model_dof(m);
    const size_t at = k * (size_t)n;
    const double *x = e->x + 5 * at, *theta = e->theta + at, *tau = e->tau + at, *rigid = e->rigid + at;
    add(o, "%.9g", e->t[k]);
    for (int panel = 0; panel < PANELS; panel++)
        for (int i = 0; i < n; i++) {
            const bool slides = arne_joint_kind(m, i) == ARNE_PRISMATIC;
            const double degrees = slides ? 1 : 180 / acos(-1);
            const double shown[PANELS] = {degrees * x[i], degrees * x[n + i], (slides ? 1000 : degrees) * (theta[i] - x[i]),
                                          tau[i], tau[i] - rigid[i]};
            add(o, ",%.9g", shown[panel]);
        }
    put(o, "\n");
}

arne_status arne_plot_elastic(const arne_model *m, const arne_elastic_plot *e, const char *path, arne_error *error)
{
    static const char *const title[PANELS] = {"joint positions", "joint velocities", "deflections of the springs",
                                              "motor torques", "motor torques, elastic minus rigid"};
    static const char *const unit[3][PANELS] = {{"deg", "deg/s", "deg", "Nm", "Nm"},
                                                {"m", "m/s", "mm", "N", "N"},
                                                {"deg or m", "deg/s or m/s", "deg or mm", "Nm or N", "Nm or N"}};
    const int n = arne_model_dof(m), part = (e->count + ELASTIC_POINTS - 1) / ELASTIC_POINTS;
    int sliding = 0;
    for (int i = 0; i < n; i++) sliding += arne_joint_kind(m, i) == ARNE_PRISMATIC;
    text_buffer script = {0}, data = {0};
    arne__style_axes(&script, "");
    add(&script, "set xrange [%.9g:%.9g]\n", e->t[0], e->t[e->count - 1]);
    put(&script, "set multiplot layout 5,1\n");
    for (int p = 0; p < PANELS; p++) {
        headline(&script, m, title[p]);
        add(&script, "set label 1 '%s'\nplot ", unit[!sliding ? 0 : sliding == n ? 1 : 2][p]);
        for (int i = 0; i < n; i++) curve(&script, m, 2 + p * n + i, i, i ? ", " : "");
        put(&script, "\n");
    }
    put(&script, "unset multiplot\n");
    for (int k = 0; k < e->count; k += part) elastic_row(m, e, (size_t)k, &data);
    return draw(&script, &data, 900, 1500, path, error);
}

/* ---- residuals ---- */

/* The largest residuals of a part of the log over their thresholds, so that 1 is the line. */
static void residual_row(const arne_residual_plot *r, int n, int from, int to, text_buffer *o)
{
    add(o, "%.9g", r->t[from]);
    for (int i = 0; i < n; i++) {
        double most = 0;
        for (int k = from; k < to && k < r->count; k++) {
            const double x = r->residual[(size_t)k * (size_t)n + (size_t)i];
            if (fabs(x) > fabs(most)) most = x;
        }
        add(o, ",%.6g", most / r->threshold[i]);
    }
    put(o, "\n");
}

arne_status arne_plot_residuals(const arne_model *m, const arne_residual_plot *r, const char *path, arne_error *error)
{
    const int n = arne_model_dof(m), part = (r->count + RESIDUAL_POINTS - 1) / RESIDUAL_POINTS;
    const double last = r->t[r->count - 1];
    text_buffer script = {0}, data = {0};
    char name[300];
    arne__style_axes(&script, "r / threshold");
    headline(&script, m, "residuals over their thresholds");
    add(&script, "set xrange [%.9g:%.9g]\n", r->t[0], last);
    for (int k = 0; k < r->events->ncontact; k++) {
        const arne_contact *c = &r->events->contacts[k];
        add(&script,
            "set object %d rectangle from first %.9g, graph 0 to first %.9g, graph 1 behind fillcolor rgb '#c62828' "
            "fillstyle transparent solid 0.15 noborder\n"
            "set label %d '%s' at first %.9g, graph 0.96 offset character 0.5,0 noenhanced textcolor rgb '#222222'\n",
            k + 1, r->t[c->begin], c->end < 0 ? last : r->t[c->end], k + 2,
            arne_picture_quoted(arne_link_name(m, c->link), name, sizeof name), r->t[c->begin]);
    }
    put(&script,
        "plot 1 with lines dashtype 2 linecolor rgb '#444444' notitle, -1 with lines dashtype 2 linecolor rgb '#444444' notitle");
    for (int i = 0; i < n; i++) curve(&script, m, i + 2, i, ", ");
    put(&script, "\n");
    for (int k = 0; k < r->count; k += part) residual_row(r, n, k, k + part, &data);
    return draw(&script, &data, 960, 420, path, error);
}

/* ---- the map of a hand ---- */

/* Is there anything to see in a direction: not nothing, and not everything? */
static bool map_shows(const arne_map_row *rows, int places, int way)
{
    for (int k = 0; k < places; k++)
        if (isfinite(rows[k].largest[way]) && fabs(rows[k].largest[way]) > 1e-6) return true;
    return false;
}

/* Pairs of directions have a colour; what goes back, right or down is dashed. A direction with nothing to see is left out. */
arne_status arne_plot_map(const arne_model *m, const arne_map_row *rows, int places, const char *path, arne_error *error)
{
    text_buffer script = {0}, data = {0};
    if (!m || !rows || places < 1 || !path)
        return arne_fail(error, ARNE_BAD_ARGUMENT, NULL, 0, "a picture of a map needs its rows and a file");
    arne__style_axes(&script, "m/s\302\262");
    headline(&script, m, "largest accelerations of the link along the path");
    put(&script, "set xlabel 'point of the path'\nset xtics 1\nset yrange [0:*]\nset datafile missing 'nan'\n");
    if (rows[places - 1].point - rows[0].point > 20) put(&script, "set xtics auto\n");
    add(&script, "set xrange [%.9g:%.9g]\nplot ", rows[0].point, rows[places - 1].point);
    int curves = 0;
    for (int way = 0; way < ARNE_WAY_COUNT; way++) {
        if (!map_shows(rows, places, way)) continue;
        add(&script, "%sdata using 1:%d with lines linewidth 2 dashtype %d linecolor rgb '%s' title '%s'", curves++ ? ", " : "",
            2 + way, 1 + way % 2, arne__colour(way / 2), arne_way_name((arne_way)way));
    }
    if (!curves) put(&script, "NaN notitle"); /* nothing bounds it anywhere */
    put(&script, "\n");
    for (int k = 0; k < places; k++) {
        add(&data, "%.9g", rows[k].point);
        for (int way = 0; way < ARNE_WAY_COUNT; way++)
            isfinite(rows[k].largest[way]) ? add(&data, ",%.9g", rows[k].largest[way]) : put(&data, ",nan");
        put(&data, "\n");
    }
    return draw(&script, &data, 960, 420, path, error);
}
