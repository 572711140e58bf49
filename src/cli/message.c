/* SPDX-License-Identifier: MIT
 *
 * message.c - what the program says on standard error: one line each. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/cli.h"

enum { LONGEST = 2048 };

static const char RED[] = "\033[31m", YELLOW[] = "\033[33m", DIM[] = "\033[2m";

bool colourful(FILE *to)
{
    const char *off = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return !(off && *off) && terminal && strcmp(terminal, "dumb") && isatty(fileno(to));
}

/* before: where or of what kind the message is, after "arne: ". */
static void say(const char *colour, const char *before, const char *format, va_list list)
{
    char text[LONGEST];
    size_t n = (size_t)snprintf(text, sizeof text, "%s", before);
    if (n < sizeof text) vsnprintf(text + n, sizeof text - n, format, list);
    /* Names come from files and may hold anything; a message stays one line of text. */
    for (char *c = text; *c;) {
        size_t length = arne__utf8_length(c);
        if (length == 0 || (unsigned char)*c < ' ' || *c == 127) *c = '?';
        c += length ? length : 1;
    }
    fflush(stdout);
    const bool coloured = colourful(stderr);
    fprintf(stderr, "%sarne:%s %s\n", coloured ? colour : "", coloured ? "\033[0m" : "", text);
}

int say_failure(int status, const char *file, int line, const char *format, ...)
{
    char where[512] = "", number[16] = "";
    if (line > 0) snprintf(number, sizeof number, ":%d", line);
    if (file) snprintf(where, sizeof where, "%.480s%s: ", file, number);
    va_list list;
    va_start(list, format);
    say(RED, where, format, list);
    va_end(list);
    return status;
}

void say_note(const char *kind, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(*kind == 'w' ? YELLOW : DIM, kind, format, list);
    va_end(list);
}

int no_memory(void) { return complain("out of memory"); }

void warn_of(const arguments *a, const arne_description *d, size_t from)
{
    for (size_t i = from; i < d->nwarning && !option_given(a, "quiet"); i++) warn("%s", d->warnings[i]);
}

int say_error(const arne_error *e)
{
    const char *what = e->message[0] ? e->message : arne_status_words(e->status);
    return e->file[0] ? complain_at(e->file, e->line, "%s", what) : complain("%s", what);
}

int checked(arne_status status, const arne_error *e) { return status ? say_error(e) : CLI_OK; }
