/* SPDX-License-Identifier: MIT
 *
 * text.h - a string that grows, numbers as text, and the characters of UTF-8. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(default) /* used by more than one library */

/* Start with {0}; the string is from malloc and ends with a 0. After a failure it stays as it was. */
typedef struct {
    char *s;
    size_t length, room;
    bool failed; /* memory was short */
} text_buffer;

void arne__text_bytes(text_buffer *t, const char *s, size_t n);
void arne__text_put(text_buffer *t, const char *s);
void arne__text_add(text_buffer *t, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
void arne__text_number(text_buffer *t, double x);       /* the fewest digits that read back as x */
void arne__text_csv(text_buffer *t, const char *field); /* quoted where CSV needs it */
/* The next item of a list that starts at `start` of t, in lines of at most `width` bytes where items allow it: behind `between`,
 * or on a line of its own behind `begin`. The item is empty then. */
void arne__text_item(text_buffer *t, size_t start, size_t width, const char *begin, const char *between, text_buffer *item);
const char *arne__text_string(const text_buffer *t);
void arne__text_clear(text_buffer *t);
void arne__text_free(text_buffer *t);

/* The fewest digits that read back as exactly x, with a point in every locale. Returns `to`. */
enum { NUMBER_TEXT = 48 };
const char *arne__number_text(double x, char to[NUMBER_TEXT]);
/* As printf("%.*g"), several times as fast for numbers of the usual sizes; 1 to 17 digits. Returns its end. */
char *arne__digits_text(double x, int digits, char to[NUMBER_TEXT]);

/* The number that s begins with: exactly strtod's, with a point in every locale, several times as fast; where it ends. NULL: it
 * is none, or one that only strtod can tell (more than 19 digits, very large or small, nearly between two). */
const char *arne__number_read(const char *s, double *x);

/* Bytes of the UTF-8 character that s starts with, 0: it is none. A surrogate or a code of too many bytes is none. */
size_t arne__utf8_length(const char *s);

#pragma GCC visibility pop
#endif
