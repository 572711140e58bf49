/* SPDX-License-Identifier: MIT
 *
 * whole.h - output files that appear whole or not at all: written under another name beside their place, then renamed.
 * A path that is no regular file (a device, a pipe) is written directly. */
#ifndef CLI_WHOLE_H
#define CLI_WHOLE_H

#include <stdio.h>

#include "cli/cli.h"

typedef struct {
    const char *path; /* the caller's, for messages too */
    char *part;       /* its name while it is written, NULL: the path itself */
    FILE *file;       /* NULL: not open */
} whole_file;

/* Returns an exit status, after a message. */
int whole_open(whole_file *w, const char *path);
/* status 0: puts the file into its place; otherwise nothing is left behind. Returns status, or that of a failure to write. Does
 * nothing to a file that is not open. */
int whole_close(whole_file *w, int status);
/* A text at once. */
int whole_write(const char *path, const char *text, size_t length);
/* The file that tells what is in another: run.json for run.csv. From malloc; NULL: memory is short. */
char *json_beside(const char *path);

#endif
