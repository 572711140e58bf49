/* SPDX-License-Identifier: MIT
 *
 * status.c - words and messages of failures. */
#include "arne/status.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

const char *arne_status_words(arne_status status)
{
#define WORDS(code, words) words,
    static const char *const table[] = {ARNE_STATUS_LIST(WORDS)};
#undef WORDS
    if ((int)status < 0 || (int)status >= ARNE_STATUS_COUNT) return "unknown status";
    return table[status];
}

arne_status arne_fail(arne_error *error, arne_status status, const char *file, int line, const char *format, ...)
{
    if (!error) return status;
    /* Built aside: the arguments may be strings of *error itself. */
    arne_error e = {.status = status, .line = line};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(e.message, sizeof e.message, format, arguments);
    va_end(arguments);
    if (file) snprintf(e.file, sizeof e.file, "%s", file);
    /* A message is one line, whatever the file put into its names. */
    for (char *c = e.message; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127) *c = ' ';
    memcpy(error, &e, sizeof e);
    return status;
}
