/* SPDX-License-Identifier: MIT
 *
 * arena.h - memory that is taken piece by piece and given back all at once. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

#pragma GCC visibility push(default) /* used by more than one library */

typedef struct arena arena;

arena *arne__arena_new(void);
void arne__arena_free(arena *a);

/* Zeroed memory for count items, never NULL for count 0; NULL when memory is short, or where there is no arena. */
void *arne__arena_take(arena *a, size_t count, size_t size);
char *arne__arena_text(arena *a, const char *text);

#pragma GCC visibility pop
#endif
