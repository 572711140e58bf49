/* SPDX-License-Identifier: MIT
 *
 * chart.h - one chart over time: curves of one unit, what they are called, what happened meanwhile; and the look of all pictures.
 */
#ifndef REPORT_CHART_H
#define REPORT_CHART_H

#include "report/report.h"

enum { COLOURS = 8, MOST_SERIES = 2 * COLOURS };

/* x; x - y; |(x, y, z)|; 100 x / limit */
typedef enum { PLAIN, DIFFERENCE, NORM, SHARE } chart_how;

typedef struct {
    const arne_report_run *run; /* whose rows they are */
    chart_how how;
    const double *x[3];
    double limit;
    int colour;
    bool dashed;
    double width; /* px, 0: as usual */
} chart_series;

typedef struct {
    const char *title, *unit, *note;
    const arne_report_run *events; /* what happened is drawn, NULL: not */
    bool positive;                 /* nothing below zero */
    int count, nname;
    chart_series list[MOST_SERIES];
    const char *names[COLOURS]; /* one for each colour in use, in their order */
    int nthreshold;
    double threshold[COLOURS];
    int threshold_colour[COLOURS]; /* -1: of all joints */
} chart;

double arne__chart_value(const chart_series *s, size_t row);
/* The chart as a <figure> */
arne_status arne__chart_draw(const chart *c, text_buffer *o, arne_error *error);

/* A picture by gnuplot as a <figure>, with names for the first colours in its legend; takes script and data. */
typedef struct {
    const char *title, *note; /* note: HTML, NULL: none */
    int nname;
    const char *const *names;
} figure_words;
arne_status arne__figure(const figure_words *w, text_buffer *script, text_buffer *data, text_buffer *o, arne_error *error);

/* How events of a kind look in charts and what a legend says of them; NULL: they are not drawn. */
typedef struct {
    int colour;
    const char *dash, *words;
} event_look;
const event_look *arne__event_look(const char *kind);

/* style.c: colours by their places in the table, the first eight for curves: #1f5fbf, and their variable in CSS; the CSS that
 * makes them follow light, dark and paper */
enum { INK = COLOURS, AXIS, GRID, CARD, FOUND, DONE, STOP };
const char *arne__colour(int k);
const char *arne__colour_name(int k);
void arne__style_colours(text_buffer *o);
void arne__style_page(text_buffer *o);
/* what all pictures of gnuplot begin with: axes, grid, the unit above its axis */
void arne__style_axes(text_buffer *o, const char *unit);

#endif
