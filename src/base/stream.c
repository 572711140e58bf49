/* SPDX-License-Identifier: MIT
 *
 * stream.c - a stream of stdio whose text stays in memory. That of open_memstream loses text without a word where memory is
 * short while it grows. */
#define _GNU_SOURCE /* fopencookie */
#include "base/stream.h"

#include <sys/types.h>

static ssize_t append(void *cookie, const char *s, size_t n)
{
    text_buffer *t = cookie;
    arne__text_bytes(t, s, n);
    return t->failed ? 0 : (ssize_t)n;
}

FILE *arne__text_stream(text_buffer *t) { return fopencookie(t, "w", (cookie_io_functions_t){.write = append}); }

bool arne__text_stream_close(FILE *f, text_buffer *t)
{
    arne__text_put(t, ""); /* no text is one too */
    return !fclose(f) && !t->failed;
}
