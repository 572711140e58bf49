/* SPDX-License-Identifier: MIT
 *
 * states.h - what the readers of tables share. */
#ifndef LOG_STATES_H
#define LOG_STATES_H

#include "arne/log.h"
#include "arne/table.h"

/* The number of a position or a velocity that the rest of a column's name means, "2" or ".elbow" or ".base.qx"; -1: none. */
int arne__column_number(const arne_model *m, bool position, const char *rest);
/* The same of columns that have one number a joint. */
int arne__column_joint(const arne_model *m, const char *rest);
/* A command of arne writes this column and none reads it: how many letters its family's name has; 0: it is another one. */
size_t arne__column_written(const arne_model *m, const char *name);

/* A table of an .npy file (array, taken over) or .h5 file (NULL) read as if it were a CSV file, with columns q1, q2, ... */
enum { TABLE_GROUPS = ARNE_COLUMN_COUNT + 1 };
typedef struct {
    const char *name;
    int width;
} table_group;
arne_status arne__csv_tables(arne_csv *c, const char *path, arne_table *array, const table_group *groups, int count,
                             arne_error *error);
arne_status arne__csv_tables_next(arne_csv *c, double *row, bool *more, arne_error *error);
void arne__csv_tables_close(struct csv_tables *t);
long arne__csv_tables_blocks(struct csv_tables *t, long room);
long arne__csv_tables_rows(const struct csv_tables *t, long block);
arne_status arne__csv_tables_seek(arne_csv *c, long block);

/* As arne_states_blocks and the others. */
long arne__csv_blocks(arne_csv *c, long rows);
arne_status arne__csv_count(arne_csv *c, long block, long *rows, arne_error *error);
arne_status arne__csv_seek(arne_csv *c, long block, long first, arne_error *error);

arne_status arne__states_row(arne_states *s, bool *more, arne_error *error); /* the next one of the file */
/* The next one whose derivatives are made. */
arne_status arne__differences_next(arne_states *s, bool *more, arne_error *error);
void arne__differences_free(arne_differences *d);

#endif
