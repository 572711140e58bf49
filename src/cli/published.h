/* SPDX-License-Identifier: MIT
 *
 * published.h - the operation counts of [004 section 8] beside ours, on the arm they speak of. */
#ifndef CLI_PUBLISHED_H
#define CLI_PUBLISHED_H

#include "arne/compare.h"
#include "cli/out.h"

typedef struct {
    int first, last; /* number of links */
    bool all;        /* the arrays C for long arms too */
    bool json;
} published_options;

enum { PUBLISHED_LONGEST = 16 };

/* Prints the comparison; an exit status. */
int published_print(const published_options *o);

#endif
