/* SPDX-License-Identifier: MIT
 *
 * out.c - what goes to standard output and into files. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "cli/out.h"

int out_write(out *o, bool now)
{
    if (o->failed) return no_memory();
    errno = 0;
    const size_t written = o->length ? fwrite(o->s, 1, o->length, stdout) : 0;
    const bool whole = written == o->length && (!now || !fflush(stdout));
    const int reason = errno;
    arne__text_clear(o);
    if (whole) return CLI_OK;
    /* Nobody reads any more: that is their right. */
    return reason == EPIPE ? CLI_FAILED : complain("cannot write the output: %s", strerror(reason));
}

int out_finish(out *o, bool now)
{
    const int status = out_write(o, now);
    out_free(o);
    return status;
}

/* ---- lines of a page ---- */

int text_width(const char *text, size_t length)
{
    int n = 0;
    bool escape = false; /* colours take no room */
    for (size_t k = 0; k < length; k++) {
        escape = escape || text[k] == '\033';
        n += !escape && ((unsigned char)text[k] & 0xC0) != 0x80; /* characters, not bytes */
        escape = escape && text[k] != 'm';
    }
    return n;
}

/* The column at which a line goes on below: that of the words after the last gap between columns, or a step to the right. */
static int hang(const char *line, size_t length)
{
    size_t at = strspn(line, " ");
    int column = (int)at + 4;
    for (; at + 2 < length && at < PAGE / 2; at++)
        if (line[at] == ' ' && line[at + 1] == ' ' && line[at + 2] != ' ') column = text_width(line, at + 2);
    return column;
}

void out_line(out *o, const char *line, size_t length, int below)
{
    int column = 0;
    if (below < 0) below = hang(line, length);
    for (size_t k = 0, blanks, word; k < length; k += word) {
        for (blanks = 0; k + blanks < length && line[k + blanks] == ' ';) blanks++;
        k += blanks;
        for (word = 0; k + word < length && line[k + word] != ' ';) word++;
        const int wide = text_width(line + k, word);
        const bool folds = column > below && column + (int)blanks + wide > PAGE;
        if (folds) out_text(o, "\n");
        column = folds ? below : column + (int)blanks;
        out_format(o, "%*s%.*s", folds ? below : (int)blanks, "", (int)word, line + k);
        column += wide;
    }
    out_text(o, "\n");
}

void out_fold(out *o, size_t from)
{
    char *text = o->failed ? NULL : strdup(o->s ? o->s + from : "");
    if (!text) {
        o->failed = true;
        return;
    }
    o->length = from;
    for (const char *line = text; *line;) {
        const size_t n = strcspn(line, "\n");
        out_line(o, line, n, -1);
        line += n + (line[n] == '\n');
    }
    free(text);
}

void out_verdict(out *o, char mark, const char *text)
{
    const bool coloured = colourful(stdout);
    out_format(o, "%s%s%s",
               !coloured     ? ""
               : mark == '+' ? "\033[32m"
               : mark == '?' ? "\033[33m"
                             : "\033[31m",
               text, coloured ? "\033[0m" : "");
}

bool is_json_name(const char *path)
{
    const size_t n = strlen(path);
    return n > 5 && path[n - 6] != '/' && !strcmp(path + n - 5, ".json");
}

void about_robot(const robot *r, arne_about *a)
{
    a->robot = r->arguments->words[0];
    a->of = r->model;
    a->period = a->wall = NAN;
    a->npayload = r->npayload;
    a->payloads = r->loads;
}

int finish_told(arne_csv_writer *w, const robot *r, arne_about a, const out *said)
{
    arne_error error = {0};
    about_robot(r, &a);
    return checked(arne_csv_finish_told(w, &a, said->failed ? NO_MEMORY(&error) : ARNE_OK, &error), &error);
}
