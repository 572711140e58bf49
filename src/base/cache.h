/* SPDX-License-Identifier: MIT
 *
 * cache.h - compiled code that is kept for the next program: in $XDG_CACHE_HOME/arne, or ~/.cache/arne, where the user alone may
 * write. The name of a file ends with a hash of all that makes it, so what differs in anything has another name. Behind its bytes
 * stands a hash of them: one that is cut or damaged is none. Files appear whole (whole.h), so several programs may do it at once.
 */
#ifndef BASE_CACHE_H
#define BASE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arne/status.h"

#pragma GCC visibility push(default) /* used by more than one library */

enum { CACHE_LONGEST = 4200 }; /* of a path */

/* Start with arne__cache_start, which has the version of arne in it; add all that makes the code. */
typedef struct {
    uint64_t a, b;
} cache_hash;

cache_hash arne__cache_start(void);
cache_hash arne__cache_add(cache_hash h, const void *bytes, size_t count);
cache_hash arne__cache_word(cache_hash h, const char *s);

/* The path of NAME-hash.ending in the folder, which is made where it is not there. ARNE_CANNOT_WRITE: there is none to be used.
 */
arne_status arne__cache_path(const char *name, cache_hash h, const char *ending, char path[CACHE_LONGEST], arne_error *error);
/* The bytes of a file, from malloc. NULL: it is not there, not the user's own, or not whole. */
char *arne__cache_read(const char *path, size_t *size);
arne_status arne__cache_write(const char *path, const void *bytes, size_t size, arne_error *error);
/* The same for a file that another program has just written: their hash comes behind its bytes. false: errno says why. */
bool arne__cache_seal(const char *path);

#pragma GCC visibility pop
#endif
