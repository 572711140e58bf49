/* SPDX-License-Identifier: MIT
 *
 * states.h - what the readers of tables share. */
#ifndef LOG_STATES_H
#define LOG_STATES_H

#include "arne/log.h"

/* The number of a position or a velocity that the rest of a column's name means, "2" or ".elbow" or ".base.qx"; -1: none. */
int arne__column_number(const arne_model *m, bool position, const char *rest);
/* The same of columns that have one number a joint. */
int arne__column_joint(const arne_model *m, const char *rest);
/* A command of arne writes this column and none reads it: how many letters its family's name has; 0: it is another one. */
size_t arne__column_written(const arne_model *m, const char *name);

arne_status arne__states_row(arne_states *s, bool *more, arne_error *error); /* the next one of the file */
/* The next one whose derivatives are made. */
arne_status arne__differences_next(arne_states *s, bool *more, arne_error *error);
void arne__differences_free(arne_differences *d);

#endif
