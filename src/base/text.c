/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
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

void arne__text_item(text_buffer *t, size_t start, size_t width, const char *begin, const char *between, text_buffer *item)
{
    size_t line = t->length;
    while (line > start && t->s[line - 1] != '\n') line--;
    const bool first = t->length == start, wide = t->length - line + strlen(between) + item->length > width;
    if (!first && wide) arne__text_put(t, "\n");
    arne__text_put(t, first || wide ? begin : between);
    arne__text_put(t, arne__text_string(item));
    if (item->failed) t->failed = true;
    arne__text_clear(item);
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
    /* 9.99 may have become 10.0, and 999.9 a number of three digits that is written 1e+03 */
    first += n - digits;
    if (first >= digits) return to + snprintf(to, NUMBER_TEXT, "%.*g", digits, x);
    while (reversed[zeros] == '0') zeros++;
    if (x < 0) *to++ = '-';
    for (int place = first > 0 ? first : 0; place >= 0 || n > zeros; place--) {
        if (place == -1) *to++ = '.';
        *to++ = place > first ? '0' : reversed[--n];
    }
    *to = '\0';
    return to;
}

/* Digits as one whole number, times a power of ten that 64 bits hold exactly: one rounding to 64 bits, one to 53. The second is
 * right unless what it drops looks like a half. */
#if LDBL_MANT_DIG == 64
enum { MOST_DIGITS = 19, MOST_POWER = 27 };

const char *arne__number_read(const char *s, double *x)
{
    static const long double tens[MOST_POWER + 1] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,
                                                     1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L,
                                                     1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
    const bool negative = *s == '-';
    uint64_t all = 0;
    int digits = 0, power = 0, seen = 0;
    if (*s == '-' || *s == '+') s++;
    for (bool point = false; (*s >= '0' && *s <= '9') || (*s == '.' && !point); s++) {
        if (*s == '.') {
            point = true;
            continue;
        }
        all = 10 * all + (uint64_t)(*s - '0');
        digits += all != 0;
        power -= point;
        seen++;
    }
    if (!seen || digits > MOST_DIGITS) return NULL;
    if (*s == 'e' || *s == 'E') {
        const char *t = s + 1;
        const bool down = *t == '-';
        int e = 0;
        if (*t == '-' || *t == '+') t++;
        if (*t < '0' || *t > '9') return NULL;
        for (; *t >= '0' && *t <= '9' && e < 1000; t++) e = 10 * e + (*t - '0');
        power += down ? -e : e;
        s = t;
    }
    if (*s == 'x' || *s == 'X' || *s == '.' || (*s >= '0' && *s <= '9')) return NULL;
    if (power < -MOST_POWER || power > MOST_POWER) return NULL;
    const long double value = power < 0 ? (long double)all / tens[-power] : (long double)all * tens[power];
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits); /* the mantissa */
    const uint64_t dropped = bits & 0x7FF;
    if (dropped - 0x3FF <= 2) return NULL; /* 0x3FF, 0x400, 0x401 */
    *x = negative ? -(double)value : (double)value;
    return s;
}
#else
const char *arne__number_read(const char *s, double *x)
{
    (void)s, (void)x;
    return NULL;
}
#endif

/* Reads back what was written. */
static bool reads_as(const char *text, double x)
{
    double y;
    return (arne__number_read(text, &y) ? y : strtod(text, NULL)) == x;
}

const char *arne__number_text(double x, char to[NUMBER_TEXT])
{
    if (x == 0) return strcpy(to, signbit(x) ? "-0" : "0");
    /* 15 digits are the fewest wherever they are enough: zeros at the end are not printed */
    for (int digits = 15; digits <= 17; digits++) {
        arne__digits_text(x, digits, to);
        if (reads_as(to, x)) return to;
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
