/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef union piece {
    union piece *before;
    max_align_t align;
} piece;

struct arena {
    piece *last;
};

arena *arne__arena_new(void) { return calloc(1, sizeof(arena)); }

void arne__arena_free(arena *a)
{
    if (!a) return;
    while (a->last) {
        piece *p = a->last;
        a->last = p->before;
        free(p);
    }
    free(a);
}

void *arne__arena_take(arena *a, size_t count, size_t size)
{
    if (!a || (size && count > (SIZE_MAX - sizeof(piece)) / size)) return NULL;
    piece *p = calloc(1, sizeof(piece) + count * size);
    if (!p) return NULL;
    p->before = a->last;
    a->last = p;
    return p + 1;
}

char *arne__arena_text(arena *a, const char *text)
{
    const size_t n = strlen(text) + 1;
    char *copy = arne__arena_take(a, n, 1);
    return copy ? memcpy(copy, text, n) : NULL;
}
