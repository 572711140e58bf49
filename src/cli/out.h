/* SPDX-License-Identifier: MIT
 *
 * out.h - what goes to standard output: composed in memory, then written whole, so that a result is printed complete or not
 * at all. JSON pieces and aligned tables for people. */
#ifndef CLI_OUT_H
#define CLI_OUT_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/cli.h"

/* Start with {0}. */
typedef struct {
    char *text;
    size_t length, room;
    bool failed; /* memory was short */
} out;

void out_text(out *o, const char *text);
void out_format(out *o, const char *format, ...) CLI_PRINTF(2, 3);
void out_number(out *o, double x);           /* the fewest digits, of 15 or 17, that read back as the same number */
void out_number_or_null(out *o, double x);   /* null when infinite or not a number */
void out_string(out *o, const char *text);   /* a JSON string, NULL: null */
void out_csv_name(out *o, const char *text); /* quoted where CSV needs it */
int out_write(out *o, bool now); /* to standard output, at once or when the buffer is full; clears; returns an exit status */
void out_free(out *o);
int out_finish(out *o, bool now); /* out_write, then out_free */

/* A table for people, filled row by row. Start with {.columns = n}. align: one letter a column, l or r; NULL: the first l, the
 * others r. */
typedef struct {
    int columns;
    const char *align;
    char **cells;
    size_t count, room;
    bool failed;
} table;

void table_cell(table *t, const char *text);
void table_number(table *t, double x);                  /* six digits; infinite: "-" */
void table_print(table *t, const char *indent, out *o); /* and empties it */

#endif
