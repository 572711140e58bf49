/* SPDX-License-Identifier: MIT
 *
 * whole.h - output files that appear whole or not at all: written under another name beside their place, then renamed.
 * Behind a symbolic link the file changes, not the link. What is no regular file (a device, a pipe) is written directly. */
#ifndef BASE_WHOLE_H
#define BASE_WHOLE_H

#include <stdio.h>

#include "arne/status.h"

#pragma GCC visibility push(default) /* used by more than one library */

/* Start with {0}. */
typedef struct {
    const char *path; /* the caller's, for messages */
    char *place;      /* the file itself */
    char *part;       /* its name while it is written, NULL: it is written directly */
    FILE *file;       /* NULL: not open */
} whole_file;

/* All fill *error (which may be NULL) and return its status. */
arne_status arne__whole_open(whole_file *w, const char *path, arne_error *error);
/* Is everything on the disk? For those who write several files, all or none. */
arne_status arne__whole_check(whole_file *w, arne_error *error);
/* status ARNE_OK: puts the file into its place; otherwise nothing is left behind. Returns status, or that of a failure to write.
 * Does nothing to a file that is not open. */
arne_status arne__whole_close(whole_file *w, arne_status status, arne_error *error);
/* A text at once. */
arne_status arne__whole_write(const char *path, const char *text, size_t length, arne_error *error);

#pragma GCC visibility pop
#endif
