/* SPDX-License-Identifier: MIT
 *
 * tempfile.h - a folder of its own for the input files of a test. */
#ifndef SUPPORT_TEMPFILE_H
#define SUPPORT_TEMPFILE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEMP_FILES = 4 };

typedef struct {
    char path[128];
    char files[TEMP_FILES][192];
    int nfile;
} temp_folder;

static inline temp_folder temp_open(void)
{
    temp_folder t = {.path = "/tmp/arne_test_XXXXXX"};
    if (!mkdtemp(t.path)) abort();
    return t;
}

/* The path of a new file with this text in it, valid as long as the folder. */
static inline const char *temp_write_bytes(temp_folder *t, const char *name, const char *text, size_t size)
{
    if (t->nfile == TEMP_FILES) abort();
    char *path = t->files[t->nfile++];
    size_t folder = strlen(t->path), length = strlen(name);
    if (folder + 1 + length >= sizeof t->files[0]) abort();
    memcpy(path, t->path, folder);
    path[folder] = '/';
    memcpy(path + folder + 1, name, length + 1);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(text, 1, size, f) != size || fclose(f) != 0) abort();
    return path;
}

static inline const char *temp_write(temp_folder *t, const char *name, const char *text)
{
    return temp_write_bytes(t, name, text, strlen(text));
}

static inline void temp_close(temp_folder *t)
{
    for (int i = 0; i < t->nfile; i++) unlink(t->files[i]);
    rmdir(t->path);
}

#endif
