/* SPDX-License-Identifier: MIT
 *
 * report.h - the inside of a report: a run as its files tell it, and the parts of the page. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "arne/report.h"
#include "base/text.h"

/* Strings that are absent are NULL, numbers NAN. */
struct arne_report_run {
    char *path;
    arne_csv table; /* its columns */
    size_t rows;
    bool *drawn;    /* columns that some chart shows */
    double *values; /* column after column */
    const double *t;

    arne_about about;                                      /* what stands beside it; kind NULL: nothing */
    int dof;                                               /* velocities: one a joint, or several */
    char **joints;                                         /* dof names */
    double *effort, *velocity, *lower, *upper, *threshold; /* dof each in one block, NAN: none */
    int nevent;
    const arne_about_event *events; /* by time: of the file, or `contacts` */
    arne_about_event *contacts;     /* the same and those of the column contact */

    const arne_description *description; /* of the robot, NULL: unknown */
    const arne_model *robot;
};

static inline arne_status report_no_memory(arne_error *error)
{
    return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
}

/* run.c: the column `group` of a joint: q3, q.elbow or, with a part, r3.fx. NULL: there is none. It counts as drawn. */
const double *arne__report_column(const arne_report_run *r, const char *group, int joint, const char *part);
const double *arne__report_named(const arne_report_run *r, const char *name);
bool arne__report_turns(const arne_report_run *r, int joint); /* revolute, or nothing is known about it */

/* Several runs and what tells each from the others. */
typedef struct {
    int count;
    const arne_report_run *const *runs;
    char **labels;
} arne_report_set;

/* words.c: returns "good", "fair" or "bad"; writes the words of it */
const char *arne__report_words(const arne_report_run *r, const arne_report_facts *f, text_buffer *o);
void arne__report_summary(const arne_report_run *r, const arne_report_facts *f, text_buffer *o); /* a list in plain words */
void arne__report_comparison(const arne_report_set *set, const arne_report_facts *facts, text_buffer *o);

/* charts.c, view.c: pictures by gnuplot; several runs over each other; the robot along the motion, where it is known */
arne_status arne__report_charts(const arne_report_run *r, text_buffer *o, arne_error *error);
arne_status arne__report_overlay(const arne_report_set *set, text_buffer *o, arne_error *error);
arne_status arne__report_side_view(const arne_report_run *r, text_buffer *o, arne_error *error);
/* page.c: all of a page but what it is about */
void arne__page_begin(text_buffer *o, const char *title);
void arne__page_end(text_buffer *o);
/* a text between others, with the characters of HTML escaped; what is not text becomes U+FFFD */
void arne__text_html(text_buffer *o, const char *before, const char *text, const char *after);

/* words.c: the text of some HTML, from malloc; NULL: memory is short */
char *arne__text_plain(const text_buffer *html);

/* short names in the texts of this folder */
#define put arne__text_put
#define add arne__text_add
#define html_in arne__text_html

#endif
