/* SPDX-License-Identifier: MIT
 *
 * out.c - the output buffer, JSON strings and numbers. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/out.h"

static bool make_room(out *o, size_t more)
{
    if (o->failed) return false;
    if (o->length + more < o->room) return true;
    size_t room = 2 * (o->room + more) + 256;
    char *text = realloc(o->text, room);
    if (!text) {
        o->failed = true;
        return false;
    }
    o->text = text;
    o->room = room;
    return true;
}

static void out_bytes(out *o, const char *text, size_t n)
{
    if (!make_room(o, n)) return;
    memcpy(o->text + o->length, text, n);
    o->length += n;
}

void out_text(out *o, const char *text) { out_bytes(o, text, strlen(text)); }

void out_format(out *o, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (n < 0 || !make_room(o, (size_t)n + 1)) return;
    va_start(list, format);
    vsnprintf(o->text + o->length, (size_t)n + 1, format, list);
    va_end(list);
    o->length += (size_t)n;
}

void out_number(out *o, double x)
{
    char digits[32];
    int n;
    if (fabs(x) < 1e6 && x == (double)(long)x && !(x == 0 && signbit(x))) {
        n = snprintf(digits, sizeof digits, "%ld", (long)x);
    } else {
        n = snprintf(digits, sizeof digits, "%.15g", x);
        if (strtod(digits, NULL) != x) n = snprintf(digits, sizeof digits, "%.17g", x);
    }
    out_bytes(o, digits, (size_t)n);
}

void out_number_or_null(out *o, double x)
{
    if (isfinite(x))
        out_number(o, x);
    else
        out_text(o, "null");
}

void out_string(out *o, const char *text)
{
    if (!text) {
        out_text(o, "null");
        return;
    }
    out_text(o, "\"");
    for (const char *c = text; *c;) {
        size_t n = utf8_length(c);
        if (*c == '"' || *c == '\\')
            out_format(o, "\\%c", *c);
        else if (n == 0)
            out_text(o, "\\ufffd");
        else if ((unsigned char)*c < ' ')
            out_format(o, "\\u%04x", (unsigned)*c);
        else
            out_bytes(o, c, n);
        c += n ? n : 1;
    }
    out_text(o, "\"");
}

void out_csv_name(out *o, const char *text)
{
    if (!strpbrk(text, ",\" \r\n")) {
        out_text(o, text);
        return;
    }
    out_text(o, "\"");
    for (; *text; text++) {
        if (*text == '"') out_text(o, "\"");
        out_bytes(o, text, 1);
    }
    out_text(o, "\"");
}

int out_write(out *o, bool now)
{
    if (o->failed) return no_memory();
    errno = 0;
    size_t written = o->length ? fwrite(o->text, 1, o->length, stdout) : 0;
    bool whole = written == o->length && (!now || !fflush(stdout));
    int reason = errno;
    o->length = 0;
    if (whole) return CLI_OK;
    /* Nobody reads any more: that is their right. */
    return reason == EPIPE ? CLI_FAILED : complain("cannot write the output: %s", strerror(reason));
}

void out_free(out *o)
{
    free(o->text);
    *o = (out){0};
}

int out_finish(out *o, bool now)
{
    const int status = out_write(o, now);
    out_free(o);
    return status;
}
