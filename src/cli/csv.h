/* SPDX-License-Identifier: MIT
 *
 * csv.h - reads a table of numbers with a header, one row after the other, in constant memory. */
#ifndef CLI_CSV_H
#define CLI_CSV_H

#include <stdio.h>

#include "cli/cli.h"

typedef struct {
    FILE *file;
    const char *name; /* for messages */
    int line;         /* of the row read last */
    char *text;       /* the line itself */
    size_t room;
    int columns;
    char **names;
    bool holes; /* a field that is empty, nan or inf is NAN, not an error; set it after csv_open */
} csv;

/* Opens the file ("-": standard input) and reads its header. csv_close is due after a failure too. */
int csv_open(csv *c, const char *path);
/* Reads the next row (columns numbers); *more is false when there is none. */
int csv_next(csv *c, double *row, bool *more);
void csv_close(csv *c);

#endif
