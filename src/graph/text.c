/* SPDX-License-Identifier: MIT */
#include "graph/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(text *t, size_t more)
{
    if (t->length + more + 1 <= t->room) return true;
    const size_t room = 2 * (t->length + more + 1);
    char *s = realloc(t->s, room);
    if (!s) return false;
    t->s = s;
    t->room = room;
    return true;
}

void arne__text_add(text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (n < 0 || !make_room(t, (size_t)n)) t->failed = true;
    if (t->failed) return;
    va_start(list, format);
    vsnprintf(t->s + t->length, (size_t)n + 1, format, list);
    va_end(list);
    t->length += (size_t)n;
}

void arne__text_number(text *t, double x)
{
    char s[40];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(s, sizeof s, "%.*g", digits, x);
        if (strtod(s, NULL) == x) break;
    }
    char *comma = strchr(s, ','); /* a program may have set a locale with decimal commas */
    if (comma) *comma = '.';
    arne__text_add(t, "%s", s);
}

const char *arne__text_string(const text *t) { return t->length ? t->s : ""; }

void arne__text_clear(text *t)
{
    t->length = 0;
    if (t->s) t->s[0] = '\0';
}

void arne__text_free(text *t)
{
    free(t->s);
    *t = (text){0};
}
