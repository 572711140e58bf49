/* SPDX-License-Identifier: MIT
 *
 * text.h - a string that grows. */
#ifndef GRAPH_TEXT_H
#define GRAPH_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Start with {0}; the string is from malloc. After a failure it stays as it was. */
typedef struct {
    char *s;
    size_t length, room;
    bool failed; /* memory was short */
} text;

void arne__text_add(text *t, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
void arne__text_number(text *t, double x); /* the fewest digits that read back as x */
const char *arne__text_string(const text *t);
void arne__text_clear(text *t);
void arne__text_free(text *t);

#endif
