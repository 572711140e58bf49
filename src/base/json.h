/* SPDX-License-Identifier: MIT
 *
 * json.h - JSON, item by item into a growing string. Commas come by themselves; numbers read back as they were. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/text.h"

#pragma GCC visibility push(default) /* used by more than one library */

/* Every item has a key in an object, and NULL in a list or alone. */
void arne__json_open(text_buffer *t, const char *key, char bracket);       /* '{' or '[' */
void arne__json_close(text_buffer *t, char bracket);                       /* '}' or ']' */
void arne__json_string(text_buffer *t, const char *key, const char *text); /* NULL: null; what is no UTF-8 becomes U+FFFD */
void arne__json_number(text_buffer *t, const char *key, double x);         /* null where it is not finite */
void arne__json_numbers(text_buffer *t, const char *key, const double *x, int count); /* a list, NULL: null */
void arne__json_truth(text_buffer *t, const char *key, bool truth);

/* Members of an object in one call: json_object(t, NULL, TEXT("name", name), NUMBER("mass", m), TRUTH("rigid", rigid)). */
typedef struct {
    const char *key, *text;
    double number;
    enum { JSON_TEXT, JSON_NUMBER, JSON_TRUTH } kind;
} json_member;
#define TEXT(key, x)                                                                                                             \
    {                                                                                                                            \
        key, x, 0, JSON_TEXT                                                                                                     \
    }
#define NUMBER(key, x)                                                                                                           \
    {                                                                                                                            \
        key, NULL, (double)(x), JSON_NUMBER                                                                                      \
    }
#define TRUTH(key, x)                                                                                                            \
    {                                                                                                                            \
        key, NULL, x, JSON_TRUTH                                                                                                 \
    }
#define json_members(t, ...) arne__json_members(t, (const json_member[]){__VA_ARGS__, {0}})
#define json_object(t, key, ...) arne__json_object(t, key, (const json_member[]){__VA_ARGS__, {0}})
void arne__json_members(text_buffer *t, const json_member *list); /* without brackets; up to key NULL */
void arne__json_object(text_buffer *t, const char *key, const json_member *list);

#pragma GCC visibility pop
#endif
