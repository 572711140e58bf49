/* SPDX-License-Identifier: MIT
 *
 * run_file.h - a simulated run as a file: rows in run.csv, what they mean and what happened in run.json beside it. */
#ifndef CLI_RUN_FILE_H
#define CLI_RUN_FILE_H

#include "arne/scenario.h"
#include "cli/out.h"
#include "base/whole.h"

typedef struct {
    const arne_scenario *s;
    whole_file csv; /* file NULL: nothing is written */
    char *json;     /* path */
    long rows;
    char *line; /* of the row being written */
    int why;    /* errno of a row that could not be written */
} run_file;

/* path NULL: no file. Returns an exit status, after a message. */
int run_file_open(run_file *f, const arne_scenario *s, const char *path);
/* 0, or 1 when the file cannot be written */
int run_file_row(run_file *f, const arne_row *row);
/* Puts both files into place (status 0), or leaves nothing behind. */
int run_file_close(run_file *f, const arne_result *r, double wall, int status);
/* What run.json holds. */
void run_json(const arne_scenario *s, const arne_result *r, double wall, out *o);

#endif
