/* SPDX-License-Identifier: MIT
 *
 * file.h - the HDF5 file of a sweep, and a run as a row of it. */
#ifndef SWEEP_FILE_H
#define SWEEP_FILE_H

#include "arne/sweep.h"
#include "module/module.h"

/* tables of numbers; then the states and messages */
enum {
#define SWEEP_PLACE(name, width, what) AT_##name,
    ARNE_SWEEP_TABLES(SWEEP_PLACE)
#undef SWEEP_PLACE
        NUMBERS,
    STATE = NUMBERS,
    MESSAGE,
    TABLES
};
enum { MESSAGE_SIZE = 120 };

/* How wide the tables are. */
typedef struct {
    int drawn, joints;
    int width[NUMBERS], at[NUMBERS]; /* numbers a run, and where they begin in a row */
    int all;
} row_shape;
row_shape arne__row_shape(int drawn, int joints);

/* A run that has ended. It may be sent as it is: row_bytes of it. */
typedef struct {
    int64_t run;
    char state; /* arne_sweep_state */
    char message[MESSAGE_SIZE];
    double number[]; /* shape.all */
} sweep_row;
static inline size_t row_bytes(const row_shape *s) { return sizeof(sweep_row) + (size_t)s->all * sizeof(double); }

typedef struct {
    const char *path;
    int handle; /* -1: closed */
    row_shape shape;
    int64_t runs;
    hdf5_table tables[TABLES];
} sweep_file;

/* What a sweep is called in its file; another sweep's file is not continued. */
typedef struct {
    const arne_variation *v;
    const arne_scenario *first; /* any of its runs */
    const char *path;           /* of the scenario */
    uint64_t seed;
} sweep_name;

/* Opens the file of this sweep, or makes it. state: of the runs, from malloc. */
arne_status arne__sweep_open(sweep_file *f, const char *path, const sweep_name *name, int64_t runs, unsigned char **state,
                             arne_error *error);
/* Safe for several threads at once, of different runs. */
arne_status arne__sweep_write(const sweep_file *f, const sweep_row *row, arne_error *error);
void arne__sweep_close(sweep_file *f);

#endif
