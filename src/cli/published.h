/* SPDX-License-Identifier: MIT
 *
 * published.h - the operation counts of [004 section 8] as data, and their comparison with ours on the arm they speak of. */
#ifndef CLI_PUBLISHED_H
#define CLI_PUBLISHED_H

#include "cli/out.h"

/* (c3 n^3 + c2 n^2 + c1 n + c0) / 6: every coefficient of the tables is a whole number of sixths */
typedef struct {
    int c3, c2, c1, c0;
} sixths;

long sixths_at(const sixths *p, int n);
const char *sixths_text(const sixths *p, char *buffer, size_t size); /* "40/3 n^3 + 181/2 n^2 + 79/6 n" */

typedef struct {
    const char *title;
    const char *count; /* the name that arne_count knows it by */
    bool diagonal;     /* principal axes of every link parallel to its frame: K is diagonal */
    bool cubic;        /* n^3 results: left out for long arms */
    const char *table; /* where it is printed, NULL: not printed for this case */
    sixths printed_mul, printed_add;
    sixths recount_mul, recount_add; /* [ERRATA part two 5.5] */
} published_row;

extern const published_row published_rows[]; /* ends with title == NULL */

typedef struct {
    int first, last; /* number of links */
    bool all;        /* the arrays C for long arms too */
    bool json;
} published_options;

enum { PUBLISHED_LONGEST = 16 };

/* Prints the comparison; an exit status. */
int published_print(const published_options *o);

#endif
