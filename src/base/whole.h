/* SPDX-License-Identifier: MIT
 *
 * whole.h - output files that appear whole or not at all: written under another name beside their place, then renamed.
 * Behind a symbolic link the file changes, not the link. What is no regular file (a device, a pipe) is written directly. */
#ifndef BASE_WHOLE_H
#define BASE_WHOLE_H

#include <stdbool.h>
#include <stdint.h>
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
arne_status arne__whole_check(whole_file *w, arne_error *error); /* is everything on the disk? */
/* status ARNE_OK: puts the file into its place; otherwise nothing is left behind. Returns status, or that of a failure to write.
 * Does nothing to a file that is not open. */
arne_status arne__whole_close(whole_file *w, arne_status status, arne_error *error);
/* The same for several files: all of them or none, the last one first into its place. */
arne_status arne__whole_close_all(whole_file *w, int count, arne_status status, arne_error *error);
/* What another process writes, under the name it has until it is whole; closed, it stays as it is. */
arne_status arne__whole_join(whole_file *w, const char *path, const char *part, arne_error *error);
/* Bytes to their place, past all buffers; false: errno says why. */
bool arne__whole_put(int handle, int64_t place, const void *bytes, size_t count);
/* A text at once. */
arne_status arne__whole_write(const char *path, const char *text, size_t length, arne_error *error);
/* A folder for such files, made where it is not there; it goes again where they failed. path must live until it is done. */
arne_status arne__whole_folder(const char *path, bool *made, arne_error *error);
void arne__whole_folder_done(const char *path, bool made, arne_status status);
/* Removes what this program is writing now. For its signal handler, after which it ends: the names of those files are the one
 * thing that is not a thread's own here. */
void arne__whole_abandon(void);

#pragma GCC visibility pop
#endif
