/* SPDX-License-Identifier: MIT
 *
 * about.h - the file beside a motion or a run that tells what is in it, for `arne report`: run.json for run.csv. */
#ifndef CLI_ABOUT_H
#define CLI_ABOUT_H

#include "cli/out.h"

typedef struct {
    const char *kind;  /* the command that wrote it */
    const char *title; /* one line for people */
    const char *robot; /* as the user calls it */
    const arne_model *model;
    double duration;
    const double *thresholds; /* of residuals, per joint; NULL: none */
} about;

/* The object without its closing brace; "events" and what the command has to add may follow. */
void about_begin(const about *b, out *o);
/* Writes a complete text beside `path`, and frees it. Does nothing where `path` is no regular file, or ends in .json itself. */
int about_beside(out *o, const char *path);
/* Both, with nothing to add. */
int about_write(const about *b, const char *path);
/* The file that tells what is in another: run.json for run.csv. From malloc; NULL: memory is short. */
char *json_beside(const char *path);

#endif
