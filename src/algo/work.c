/* SPDX-License-Identifier: MIT
 *
 * work.c - work memory of a thread, laid out in one block. */
#include <stddef.h>
#include <string.h>

#include "algo/texts.h"

enum { WORK_ALIGN = 64 };

/* the next `bytes` of the block, aligned; with memory NULL it only counts */
static void *EXPORT(work_next)(char *memory, size_t *used, size_t bytes)
{
    void *at = memory ? memory + *used : NULL;
    *used += (bytes + WORK_ALIGN - 1) / WORK_ALIGN * WORK_ALIGN;
    return at;
}

size_t EXPORT(work)(int joints, void *memory, work *k)
{
    const size_t n = (size_t)joints, padded = (n + TURNS_PAD - 1) / TURNS_PAD * TURNS_PAD;
    size_t used = 0;
    k->s = EXPORT(work_next)(memory, &used, padded * sizeof(num));
    k->c = EXPORT(work_next)(memory, &used, padded * sizeof(num));
    k->link = EXPORT(work_next)(memory, &used, n * sizeof(link_state));
    k->force = EXPORT(work_next)(memory, &used, n * sizeof(vec3));
    k->moment = EXPORT(work_next)(memory, &used, n * sizeof(vec3));
    k->row = EXPORT(work_next)(memory, &used, n * sizeof(num));
    k->column = EXPORT(work_next)(memory, &used, n * sizeof(num));
    k->matrix = EXPORT(work_next)(memory, &used, n * n * sizeof(num));
    if (memory) memset(memory, 0, used);
    return used;
}
