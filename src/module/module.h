/* SPDX-License-Identifier: MIT
 *
 * module.h - libraries that are loaded when they are needed, so that nobody else waits for them: HDF5, MPI. Each module is one
 * shared object with one function, which gives a table of functions. */
#ifndef MODULE_MODULE_H
#define MODULE_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "arne/table.h"

#pragma GCC visibility push(default) /* used by more than one library */

/* The table of the module arne_NAME; ARNE_UNSUPPORTED: it was not built, or a library that it needs is missing. It stays loaded.
 */
arne_status arne__module(const char *name, const void **table, arne_error *error);

/* ---- arne_hdf5 ---- */

/* Numbers or text in a file, `columns` a row, at a place that never moves: who has the file open may write there directly. */
typedef struct {
    const char *name;
    char kind; /* 'd': double, 'n': double that is not filled at first, 'b': byte, 's': text of `columns` bytes, one a row */
    int columns, deep; /* deep above 1: a row is a matrix, columns x deep */
    const char *about; /* what it is, NULL: nothing is said */
    int64_t place;     /* of its first byte */
} hdf5_table;

typedef struct {
    const char *name, *text;
} hdf5_note;

typedef struct {
    /* A new file, all of it filled with NAN and zeros; beside: more tables for a file that is there and has none of these. */
    arne_status (*create)(const char *path, bool beside, int64_t rows, hdf5_table *tables, int count, const hdf5_note *notes,
                          int nnote, arne_error *error);
    /* Takes tables out of a file. */
    arne_status (*drop)(const char *path, const hdf5_table *tables, int count, arne_error *error);
    /* The places of the tables of a file, and its rows; fails where one is missing or has another shape (columns 0: any). */
    arne_status (*find)(const char *path, int64_t *rows, hdf5_table *tables, int count, arne_error *error);
    /* A note, from malloc; NULL: there is none. */
    arne_status (*note)(const char *path, const char *name, char **text, arne_error *error);

    /* Any dataset of numbers in rows, as doubles. From `open` to the first `read` the file is not held: others may add to it. */
    bool (*has)(const char *path, const char *name);
    arne_status (*open)(const char *path, const char *name, void **set, int64_t *rows, int *columns, arne_error *error);
    arne_status (*read)(void *set, int64_t from, int64_t count, double *to, arne_error *error);
    void (*close)(void *set);

    /* Datasets that grow, of a new file. */
    arne_status (*begin)(const char *path, const hdf5_table *tables, int count, void **sets, arne_error *error);
    arne_status (*append)(void *sets, int64_t count, const double *const *x, arne_error *error);
    arne_status (*end)(void *sets, arne_error *error);
} hdf5_module;
const hdf5_module *arne_hdf5_module(void);

/* ---- arne_mpi ---- */

typedef struct {
    arne_status (*begin)(int *rank, int *ranks, arne_error *error);
    void (*end)(void); /* waits for the others */
    void (*send)(int to, const void *bytes, int count);
    /* Of rank *from, of anybody where that is below 0: then it becomes who sent it. Waits, or, with wait false, answers false
     * where nothing has come. */
    bool (*receive)(int *from, void *bytes, int count, bool wait);
} mpi_module;
const mpi_module *arne_mpi_module(void);

/* Finds the others that somebody like mpirun started. *mpi NULL: nobody did, rank 0 of 1. */
arne_status arne__ranks_begin(const mpi_module **mpi, int *rank, int *ranks, arne_error *error);

#pragma GCC visibility pop

#endif
