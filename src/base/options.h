/* SPDX-License-Identifier: MIT
 *
 * options.h - option structs that may grow: each begins with the size that its caller knows it by. */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include <string.h>

#include "arne/status.h"

/* Fills *own (`room` bytes) from the caller's struct; what an older caller does not know, and all where given is NULL, is zero.
 * ARNE_BAD_ARGUMENT: its size is not set. */
static inline arne_status options_take(void *own, size_t room, const void *given)
{
    size_t size = 0;
    memset(own, 0, room);
    if (!given) return ARNE_OK;
    memcpy(&size, given, sizeof size);
    if (size < sizeof size || size > 65536) return ARNE_BAD_ARGUMENT;
    memcpy(own, given, size < room ? size : room);
    return ARNE_OK;
}

#endif
