/* SPDX-License-Identifier: MIT
 *
 * gnuplot.h - pictures: gnuplot turns a script and its data into SVG.
 *
 * The script says what to plot and nothing about terminals and outputs. It finds the data in a file whose name is the gnuplot
 * variable `data`: "plot data using 1:2 with lines title 'q1'". Columns are separated by commas; what is not a number (the first
 * line, for example) is skipped by gnuplot. */
#ifndef CLI_GNUPLOT_H
#define CLI_GNUPLOT_H

#include "cli/out.h"

typedef struct {
    const char *script;
    const char *data;  /* CSV text, NULL: none */
    int width, height; /* px */
} picture;

/* The picture as text, *svg from malloc. Says in one line when gnuplot is missing or does not like the script. */
int gnuplot_text(const picture *p, char **svg);
/* The same into a file, which appears whole or not at all. */
int gnuplot_file(const picture *p, const char *path);
/* The same from texts that were composed; frees them. */
int gnuplot_draw(out *script, out *data, int width, int height, const char *path);
/* Text for a gnuplot string in single quotes, enhanced mode switched off where it matters: quotes doubled, line ends to blanks.
 * Returns `to`. */
const char *gnuplot_quoted(const char *text, char *to, size_t size);

#endif
