/* SPDX-License-Identifier: MIT
 *
 * drawn.h - pages as gnuplot is told to draw them: a program of its name stands in its place and hands back script and data. */
#ifndef TESTS_REPORT_DRAWN_H
#define TESTS_REPORT_DRAWN_H

#include "arne/file.h"
#include "arne/report.h"
#include "arne/sweep.h"
#include "support/tempfile.h"

static const double PI = 3.14159265358979323846;

static temp_folder place;
static char *programs; /* PATH as it was */

static inline int enter(void **state)
{
    (void)state;
    place = temp_open();
    const char *fake = temp_write(&place, "gnuplot", "#!/bin/sh\necho '<svg>'\n/bin/cat\n/bin/cat <&3\necho '</svg>'\n");
    programs = strdup(getenv("PATH"));
    return chmod(fake, 0755) || setenv("PATH", place.path, 1);
}

static inline int leave(void **state)
{
    (void)state;
    setenv("PATH", programs, 1);
    free(programs);
    temp_close(&place);
    return 0;
}

/* The figure of this title, from malloc. */
static inline char *figure(const char *page, const char *title)
{
    char head[300];
    snprintf(head, sizeof head, "<figcaption>%s<span", title);
    const char *from = strstr(page, head), *to = from ? strstr(from, "</figure>") : NULL;
    if (!from || !to) fail_msg("there is no figure: %s", title);
    return strndup(from, (size_t)(to - from));
}

static inline void has(const char *text, const char *words)
{
    if (!strstr(text, words)) fail_msg("\"%s\" is not in: %s", words, text);
}

static inline void figure_has(const char *page, const char *title, const char *words)
{
    char *text = figure(page, title);
    has(text, words);
    free(text);
}

static inline int count(const char *text, const char *word)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, word)); at++) n++;
    return n;
}

/* The page of runs whose tables and words beside them are given. */
static inline char *page_of(int runs, const char *const *tables, const char *const *about, const arne_description *d,
                            const arne_model *m)
{
    arne_report_run *r[9] = {0};
    arne_error e = {0};
    char *page;
    for (int i = 0; i < runs; i++) {
        temp_folder t = temp_open();
        const char *path = temp_write(&t, "run.csv", tables[i]);
        if (about) temp_write(&t, "run.json", about[i]);
        if (arne_report_read(path, &r[i], &e) || arne_report_complete(r[i], d, m, "robot", &e)) fail_msg("%s", e.message);
        temp_close(&t);
    }
    if (arne_report_page((const arne_report_run *const *)r, runs, NULL, &page, &e)) fail_msg("%s", e.message);
    for (int i = 0; i < runs; i++) arne_report_free(r[i]);
    return page;
}

#endif
