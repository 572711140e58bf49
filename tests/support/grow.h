/* SPDX-License-Identifier: MIT
 *
 * grow.h - structs that begin with their size, as callers of other versions of the library hand them over. */
#ifndef SUPPORT_GROW_H
#define SUPPORT_GROW_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arne/status.h"

/* hands the struct to a function of the library */
typedef arne_status grow_use(void *context, const void *given);

/* Without its size the struct is refused; one that ends after `older` bytes, and one that goes on behind the end, are taken. What
 * is not there to be read is not: the memory ends with the struct. */
static inline void expect_grows(const void *given, size_t size, size_t older, grow_use *use, void *context)
{
    enum { MORE = 72 };
    const size_t sizes[] = {0, older, size, size + MORE};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const size_t room = k ? sizes[k] : size;
        char *copy = malloc(room);
        assert_non_null(copy);
        memset(copy, 0x5a, room);
        memcpy(copy, given, room < size ? room : size);
        memcpy(copy, &sizes[k], sizeof sizes[k]);
        assert_int_equal(use(context, copy), k ? ARNE_OK : ARNE_BAD_ARGUMENT);
        free(copy);
    }
}

#endif
