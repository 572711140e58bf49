/* SPDX-License-Identifier: MIT
 *
 * layout.h - arrays one after the other in one block of memory, each aligned. */
#ifndef BASE_LAYOUT_H
#define BASE_LAYOUT_H

#include <stddef.h>

enum { LAYOUT_ALIGN = 64 };

static inline size_t layout_aligned(size_t bytes) { return (bytes + LAYOUT_ALIGN - 1) / LAYOUT_ALIGN * LAYOUT_ALIGN; }

/* The next array of the block, and *used beyond it; memory NULL: counts only. */
static inline void *layout_next(void *memory, size_t *used, size_t count, size_t size)
{
    void *at = memory ? (char *)memory + *used : NULL;
    *used += layout_aligned(count * size);
    return at;
}

#endif
