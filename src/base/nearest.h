/* SPDX-License-Identifier: MIT
 *
 * nearest.h - which of the known names did the user mean? */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>
#include <string.h>

/* The place of a name in a table of `count` rows that begin with theirs; -1: it is not there. */
#define NAME_FIND(table, count, name) name_find(table, sizeof *(table), count, name)
static inline int name_find(const void *table, size_t size, int count, const char *name)
{
    for (int i = 0; name && i < count; i++)
        if (!strcmp(*(const char *const *)(const void *)((const char *)table + (size_t)i * size), name)) return i;
    return -1;
}

#pragma GCC visibility push(default) /* used by more than one library */

/* The candidate most like a word. Start with {.word = ...}, offer all, then look at best. */
typedef struct {
    const char *word;
    char best[128]; /* empty: nothing is near */
    int distance;
} nearest;

void arne__nearest_offer(nearest *n, const char *candidate);
const char *arne__nearest_hint(const nearest *n, char *buffer, size_t size); /* "; did you mean \"x\"?" or "" */

#pragma GCC visibility pop
#endif
