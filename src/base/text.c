/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(text_buffer *t, size_t more)
{
    if (t->failed) return false;
    if (t->length + more < t->room) return true;
    const size_t room = 2 * (t->length + more) + 256;
    char *s = realloc(t->s, room);
    if (!s) {
        t->failed = true;
        return false;
    }
    t->s = s;
    t->room = room;
    return true;
}

void arne__text_bytes(text_buffer *t, const char *s, size_t n)
{
    if (!make_room(t, n)) return;
    memcpy(t->s + t->length, s, n);
    t->length += n;
    t->s[t->length] = '\0';
}

void arne__text_put(text_buffer *t, const char *s) { arne__text_bytes(t, s, strlen(s)); }

void arne__text_add(text_buffer *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (n < 0) t->failed = true;
    if (n < 0 || !make_room(t, (size_t)n)) return;
    va_start(list, format);
    vsnprintf(t->s + t->length, (size_t)n + 1, format, list);
    va_end(list);
    t->length += (size_t)n;
}

void arne__text_number(text_buffer *t, double x)
{
    char s[NUMBER_TEXT];
    arne__text_put(t, arne__number_text(x, s));
}

void arne__text_csv(text_buffer *t, const char *field)
{
    if (!strpbrk(field, ",\" \r\n")) {
        arne__text_put(t, field);
        return;
    }
    arne__text_put(t, "\"");
    for (; *field; field++) arne__text_bytes(t, *field == '"' ? "\"\"" : field, *field == '"' ? 2 : 1);
    arne__text_put(t, "\"");
}

const char *arne__text_string(const text_buffer *t) { return t->length ? t->s : ""; }

void arne__text_clear(text_buffer *t)
{
    t->length = 0;
    if (t->s) t->s[0] = '\0';
}

void arne__text_free(text_buffer *t)
{
    free(t->s);
    *t = (text_buffer){0};
}

char *arne__digits_text(double x, int digits, char to[NUMBER_TEXT])
{
    const double size = fabs(x);
    if (!(size >= 1e-4 && size < 1e6)) return to + snprintf(to, NUMBER_TEXT, "%.*g", digits, x);
    int first = 0; /* power of ten of the first digit */
    for (double p = 10; size >= p; p *= 10) first++;
    for (double p = 1; size < p; p /= 10) first--;
    long double scale = 1;
    for (int k = first + 1; k < digits; k++) scale *= 10;
    const long double scaled = size * scale;
    unsigned long long all = (unsigned long long)scaled;
    const double part = (double)(scaled - (long double)all);
    if (fabs(part - 0.5) < 0.01) return to + snprintf(to, NUMBER_TEXT, "%.*g", digits, x); /* up or down? */
    all += part > 0.5;
    char reversed[24];
    int n = 0, zeros = 0;
    for (; all; all /= 10) reversed[n++] = (char)('0' + all % 10);
    first += n - digits; /* 9.99 may have become 10.0 */
    while (reversed[zeros] == '0') zeros++;
    if (x < 0) *to++ = '-';
    for (int place = first > 0 ? first : 0; place >= 0 || n > zeros; place--) {
        if (place == -1) *to++ = '.';
        *to++ = place > first ? '0' : reversed[--n];
    }
    *to = '\0';
    return to;
}

const char *arne__number_text(double x, char to[NUMBER_TEXT])
{
    if (x == 0) return strcpy(to, signbit(x) ? "-0" : "0");
    /* 15 digits are the fewest wherever they are enough: zeros at the end are not printed */
    for (int digits = 15; digits <= 17; digits++) {
        arne__digits_text(x, digits, to);
        if (strtod(to, NULL) == x) return to;
    }
    for (int digits = 15; digits <= 17; digits++) { /* the quick digits were not quite right, or not those of the locale */
        snprintf(to, NUMBER_TEXT, "%.*g", digits, x);
        if (strtod(to, NULL) == x) break;
    }
    char *comma = strchr(to, ',');
    if (comma) *comma = '.';
    return to;
}

size_t arne__utf8_length(const char *s)
{
    static const unsigned long smallest[] = {0, 0, 0x80, 0x800, 0x10000}; /* that needs so many bytes */
    const unsigned char *c = (const unsigned char *)s;
    if (c[0] < 0x80) return 1;
    const size_t n = c[0] < 0xC2 ? 0 : c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : c[0] < 0xF5 ? 4 : 0;
    unsigned long code = c[0] & (0xFFu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((c[i] & 0xC0) != 0x80) return 0;
        code = code << 6 | (c[i] & 0x3Fu);
    }
    return code < smallest[n] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF) ? 0 : n;
}
