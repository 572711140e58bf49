/* SPDX-License-Identifier: MIT
 *
 * arena.h - memory that is taken piece by piece and given back all at once. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

typedef struct arena arena;

arena *arena_new(void);
void arena_free(arena *a);

/* Zeroed memory for count items, never NULL for count 0; NULL when memory is short. */
void *arena_take(arena *a, size_t count, size_t size);
char *arena_text(arena *a, const char *text);

#endif
