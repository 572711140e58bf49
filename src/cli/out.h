/* SPDX-License-Identifier: MIT
 *
 * out.h - what goes to standard output: composed in memory, then written whole, so that a result is printed complete or not
 * at all. JSON pieces and aligned tables for people. */
#ifndef CLI_OUT_H
#define CLI_OUT_H

#include "arne/count.h"
#include "arne/log.h"
#include "base/json.h"
#include "cli/cli.h"

/* The growing string and the JSON of src/base under shorter names. Start with {0}. */
typedef text_buffer out;
#define out_text arne__text_put
#define out_format arne__text_add
#define out_number arne__text_number
#define out_csv_name arne__text_csv
#define out_free arne__text_free

#define json_open arne__json_open
#define json_close arne__json_close
#define json_string arne__json_string
#define json_number arne__json_number
#define json_numbers arne__json_numbers
#define json_truth arne__json_truth

int out_write(out *o, bool now);  /* to standard output, at once or when the buffer is full; clears; returns an exit status */
int out_finish(out *o, bool now); /* out_write, then out_free */

/* Pages for people are this wide; tables and words that are wider go on below. */
enum { PAGE = 100 };
int text_width(const char *text, size_t length); /* in columns of a terminal */
/* One line, onto as many as it needs; what goes on below begins at that column, -1: below its last column of words. */
void out_line(out *o, const char *line, size_t length, int below);
void out_fold(out *o, size_t from);                    /* all lines from this byte on */
void out_verdict(out *o, char mark, const char *text); /* coloured on terminals: + good, ? doubtful, - bad */

bool is_json_name(const char *path); /* run.json, the name of what stands beside run.csv */
/* What can be told of any file about a robot: completes *a by it and its payloads. */
void about_robot(const robot *r, arne_about *a);
/* Puts a file of numbers into its place, and what is in it, for `report`, beside it; not where memory was short for what is to be
 * said of it. */
int finish_told(arne_csv_writer *w, const robot *r, arne_about a, const out *said);

void json_operations(out *o, const arne_operations *c); /* cmd_count.c: mul, add, ... as items; NULL: null */

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
void table_format(table *t, const char *format, ...) CLI_PRINTF(2, 3);
void table_texts(table *t, const char *const *list);           /* up to NULL */
void table_values(table *t, const double *list, size_t count); /* six digits; infinite: "-" */
#define table_cells(t, ...) table_texts(t, (const char *const[]){__VA_ARGS__, NULL})
#define table_number(t, ...) table_values(t, (const double[]){__VA_ARGS__}, sizeof(double[]){__VA_ARGS__} / sizeof(double))
void table_unit(table *t, const arne_model *m, const char *turning,
                const char *sliding);                   /* "rad", "m" or "rad|m", by its joints */
void table_print(table *t, const char *indent, out *o); /* and empties it */

#endif
