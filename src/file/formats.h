/* SPDX-License-Identifier: MIT
 *
 * formats.h - one reader and one writer per file format; arne_read and arne_write choose among them. */
#ifndef FILE_FORMATS_H
#define FILE_FORMATS_H

#include <stddef.h>
#include <stdio.h>

#include "arne/file.h"

/* options may be NULL. On failure *out is NULL. */
arne_status arne__xml_read(const char *path, const arne_read_options *options, arne_description **out, arne_error *error);
arne_status arne__yaml_read(const char *path, const arne_read_options *options, arne_description **out, arne_error *error);
arne_status arne__par_read(const char *path, const arne_read_options *options, arne_description **out, arne_error *error);

arne_status arne__urdf_write(arne_description *d, FILE *f, arne_error *error);
arne_status arne__yaml_write(arne_description *d, FILE *f, arne_error *error);
arne_status arne__par_write(arne_description *d, FILE *f, arne_error *error);

/* The whole of a file, at most 64 MB, with a 0 behind it; free() it. A missing or empty file and a directory are errors. */
arne_status arne__file_text(const char *path, char **text, size_t *size, arne_error *error);

/* "dir/ur5.urdf" -> "ur5", cut to fit: the name of a robot whose file gives none. */
void arne__file_stem(const char *path, char *stem, size_t size);

#endif
