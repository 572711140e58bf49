/* SPDX-License-Identifier: MIT
 *
 * table.h - tables of numbers that need not fit into memory, a row a state: arrays of numpy (.npy) and datasets of HDF5 (.h5,
 * where arne was built with it). Library arne_log. */
#ifndef ARNE_TABLE_H
#define ARNE_TABLE_H

#include <stdbool.h>

#include "arne/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

bool arne_table_is(const char *path); /* does its name end in .npy or .h5? */

/* ---- to read ---- */

typedef struct arne_table arne_table;

/* name: of the dataset of an .h5 file; an .npy file has one table, two-dimensional float64 in rows. ARNE_NO_FILE: it cannot be
 * opened; ARNE_BAD_SYNTAX: it is no such file, or it was cut off; ARNE_BAD_VALUE: another type or shape, or no such dataset. */
arne_status arne_table_open(const char *path, const char *name, arne_table **out, arne_error *error);
bool arne_table_has(const char *path, const char *name); /* an .h5 file: is there such a dataset? */
long arne_table_rows(const arne_table *t);
int arne_table_columns(const arne_table *t);
arne_status arne_table_read(arne_table *t, long from, long count, double *to, arne_error *error);
void arne_table_close(arne_table *t);

/* ---- to write ---- */

/* rows x columns numbers a state; columns 1: a vector. */
typedef struct {
    const char *name; /* "id", "did/dq" */
    int rows, columns;
} arne_table_part;

typedef struct arne_table_writer arne_table_writer;

/* An .npy file has the numbers of all parts side by side, an .h5 file a dataset for each. rows: how many there will be, for
 * arne_table_put; -1: nobody knows, arne_table_append. beside: into an .h5 file that is there, which must not have them yet; rows
 * are known. The file appears whole or not at all; one that was there loses what was added where it fails. */
arne_status arne_table_create(const char *path, const arne_table_part *parts, int count, long rows, bool beside,
                              arne_table_writer **out, arne_error *error);
/* The next `count` states; x[i] are those of part i, state after state. */
arne_status arne_table_append(arne_table_writer *w, long count, const double *const *x, arne_error *error);
/* `count` states from this row on, in any order; every row has to be put once. They go to their places in the file without HDF5
 * in between. */
arne_status arne_table_put(arne_table_writer *w, long from, long count, const double *const *x, arne_error *error);
/* Another process puts rows into the same table: working is arne_table_working of the one that has made it, and that one finishes
 * when the others have. */
const char *arne_table_working(const arne_table_writer *w);
arne_status arne_table_join(const char *path, const char *working, const arne_table_part *parts, int count,
                            arne_table_writer **out, arne_error *error);
arne_status arne_table_finish(arne_table_writer *w, arne_status status, arne_error *error);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
