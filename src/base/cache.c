/* SPDX-License-Identifier: MIT
 *
 * cache.c - compiled code that is kept for the next program. */
#include "base/cache.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arne/arne.h"
#include "base/whole.h"

enum { LONGEST_FOLDER = 4000 };

#define CANNOT(error, ...) arne_fail(error, ARNE_CANNOT_WRITE, NULL, 0, __VA_ARGS__)

/* ---- hashes ---- */

static const cache_hash NOTHING = {0xcbf29ce484222325u, 0x9e3779b97f4a7c15u};

/* FNV-1a, and a second one beside it */
cache_hash arne__cache_add(cache_hash h, const void *bytes, size_t count)
{
    const unsigned char *s = bytes;
    for (size_t i = 0; i < count; i++) {
        h.a = (h.a ^ s[i]) * 0x100000001b3u;
        h.b = (h.b ^ s[i]) * 0xff51afd7ed558ccdu;
        h.b ^= h.b >> 29;
    }
    return h;
}

cache_hash arne__cache_word(cache_hash h, const char *s) { return arne__cache_add(h, s, strlen(s) + 1); }

cache_hash arne__cache_start(void) { return arne__cache_word(NOTHING, ARNE_VERSION); }

/* ---- the folder ---- */

static arne_status find_folder(char to[LONGEST_FOLDER], arne_error *error)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const bool given = cache && *cache == '/';
    struct stat s;
    if (!given && !(home && *home == '/')) return CANNOT(error, "neither XDG_CACHE_HOME nor HOME names a folder to keep code in");
    if (strlen(given ? cache : home) > LONGEST_FOLDER / 2)
        return CANNOT(error, "the name of the folder to keep code in is too long");
    snprintf(to, LONGEST_FOLDER, given ? "%s" : "%s/.cache", given ? cache : home);
    mkdir(to, 0700);
    strcat(to, "/arne");
    if (mkdir(to, 0700) && errno != EEXIST)
        return CANNOT(error, "the folder %s, to keep code in, cannot be made: %s", to, strerror(errno));
    if (stat(to, &s) || !S_ISDIR(s.st_mode) || s.st_uid != geteuid() || s.st_mode & (S_IWGRP | S_IWOTH))
        return CANNOT(error, "%s, to keep code in, is no folder that you alone may write to", to);
    return ARNE_OK;
}

arne_status arne__cache_path(const char *name, cache_hash h, const char *ending, char path[CACHE_LONGEST], arne_error *error)
{
    char folder[LONGEST_FOLDER];
    const arne_status status = find_folder(folder, error);
    if (!status) snprintf(path, CACHE_LONGEST, "%s/%.60s-%016" PRIx64 "%016" PRIx64 ".%.20s", folder, name, h.a, h.b, ending);
    return status;
}

/* ---- files ---- */

/* all bytes of a file, from malloc */
static char *read_all(FILE *f, size_t *size)
{
    const long all = f && !fseek(f, 0, SEEK_END) ? ftell(f) : -1;
    char *bytes = all > 0 && !fseek(f, 0, SEEK_SET) ? malloc((size_t)all) : NULL;
    *size = (size_t)all;
    if (bytes && fread(bytes, 1, *size, f) == *size) return bytes;
    free(bytes);
    return NULL;
}

char *arne__cache_read(const char *path, size_t *size)
{
    struct stat s;
    size_t all = 0;
    FILE *f = fopen(path, "rb");
    char *bytes = f && !fstat(fileno(f), &s) && s.st_uid == geteuid() ? read_all(f, &all) : NULL;
    if (f) fclose(f);
    *size = all - sizeof(cache_hash);
    if (bytes && all > sizeof(cache_hash)) {
        const cache_hash h = arne__cache_add(NOTHING, bytes, *size);
        if (!memcmp(&h, bytes + *size, sizeof h)) return bytes;
    }
    free(bytes);
    return NULL;
}

arne_status arne__cache_write(const char *path, const void *bytes, size_t size, arne_error *error)
{
    whole_file w;
    const cache_hash h = arne__cache_add(NOTHING, bytes, size);
    const arne_status status = arne__whole_open(&w, path, error);
    if (status) return status;
    fwrite(bytes, 1, size, w.file);
    fwrite(&h, sizeof h, 1, w.file);
    return arne__whole_close(&w, ARNE_OK, error);
}

bool arne__cache_seal(const char *path)
{
    size_t size;
    FILE *f = fopen(path, "r+b");
    char *bytes = read_all(f, &size);
    const cache_hash h = bytes ? arne__cache_add(NOTHING, bytes, size) : NOTHING;
    bool ok = bytes && !fseek(f, 0, SEEK_END) && fwrite(&h, sizeof h, 1, f) == 1;
    if (f && fclose(f)) ok = false;
    free(bytes);
    return ok;
}
