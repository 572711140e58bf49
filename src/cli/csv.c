/* SPDX-License-Identifier: MIT
 *
 * csv.c - CSV as programs write it: commas, a header, quotes allowed, LF or CRLF, a byte order mark, empty lines at the end.
 * Everything else is an error that names the line and the column. The program never sets a locale, so a number has a point. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "cli/csv.h"

/* Reads a line without its end; *more is false at the end of the file. */
static int read_line(csv *c, bool *more)
{
    errno = 0;
    ssize_t n = getline(&c->text, &c->room, c->file);
    *more = n >= 0;
    if (n < 0) {
        if (ferror(c->file)) return complain_at(c->name, 0, "cannot read: %s", strerror(errno));
        return feof(c->file) ? CLI_OK : no_memory();
    }
    if (c->line == INT_MAX) return complain_at(c->name, c->line, "the file has too many lines");
    c->line++;
    if (memchr(c->text, 0, (size_t)n)) return complain_at(c->name, c->line, "a zero byte: this is not a text file");
    while (n > 0 && strchr("\r\n", c->text[n - 1])) c->text[--n] = 0;
    return CLI_OK;
}

static char *skip_blanks(char *s) { return s + strspn(s, " \t"); }

/* Takes the quotes off a quoted field that starts at s; the character after the closing one, NULL if there is none. */
static char *unquote(char *s)
{
    char *to = s;
    for (char *from = s + 1; *from; from++) {
        if (*from == '"' && *++from != '"') {
            *to = 0;
            return from;
        }
        *to++ = *from;
    }
    return NULL;
}

/* Cuts the next field off *rest, without blanks and quotes around it; *rest is NULL after the last one. False: a misplaced quote.
 */
static bool cut(char **rest, char **field)
{
    char *s = skip_blanks(*rest), *end;
    *field = s;
    if (*s == '"') {
        end = unquote(s);
        if (!end) return false;
        end = skip_blanks(end);
        if (*end && *end != ',') return false;
        *rest = *end ? end + 1 : NULL;
        return true;
    }
    end = strchr(s, ',');
    *rest = end ? end + 1 : NULL;
    if (!end) end = s + strlen(s);
    while (end > s && (end[-1] == ' ' || end[-1] == '\t')) end--;
    *end = 0;
    return true;
}

static bool looks_like_number(const char *s)
{
    char *rest;
    strtod(s, &rest);
    return rest != s && !*rest;
}

static int read_header(csv *c)
{
    bool more;
    int status = read_line(c, &more);
    if (status) return status;
    if (!more) return complain_at(c->name, 0, "the file is empty; its first line should name the columns");
    char *rest = c->text;
    if (!strncmp(rest, "\xEF\xBB\xBF", 3)) rest += 3;
    if (!strchr(rest, ',') && strpbrk(rest, ";\t"))
        return complain_at(c->name, c->line, "columns are separated by commas, not by semicolons or tabs");

    size_t most = 1;
    for (const char *s = rest; *s; s++) most += *s == ',';
    c->names = calloc(most, sizeof *c->names);
    if (!c->names) return no_memory();
    while (rest) {
        char *field;
        if (!cut(&rest, &field)) return complain_at(c->name, c->line, "a quote in the wrong place in column %d", c->columns + 1);
        if (!*field) return complain_at(c->name, c->line, "column %d has no name", c->columns + 1);
        if (looks_like_number(field))
            return complain_at(c->name, c->line,
                               "column %d is named \"%.40s\"; the first line should name the columns: q1,q2,...", c->columns + 1,
                               field);
        if (!(c->names[c->columns] = strdup(field))) return no_memory();
        c->columns++;
    }
    return CLI_OK;
}

int csv_open(csv *c, const char *path)
{
    bool standard = !strcmp(path, "-");
    *c = (csv){.name = standard ? "<stdin>" : path};
    c->file = standard ? stdin : fopen(path, "r");
    if (!c->file) return complain_at(path, 0, "cannot open: %s", strerror(errno));
    return read_header(c);
}

/* strtod without hexadecimal numbers, infinities and nan. */
static int to_number(const csv *c, int column, const char *field, double *out)
{
    char *rest;
    *out = strtod(field, &rest);
    if (rest != field && !*rest && isfinite(*out) && !strpbrk(field, "xX")) return CLI_OK;
    if (c->holes && !*rest && !isfinite(*field ? *out : NAN)) {
        *out = NAN;
        return CLI_OK;
    }
    const char *name = c->names[column];
    if (!*field) return complain_at(c->name, c->line, "column %s is empty; it needs a number", name);
    if (rest != field && !*rest && !strpbrk(field, "xX"))
        return complain_at(c->name, c->line, "column %s: \"%.40s\" is not a finite number", name, field);
    return complain_at(c->name, c->line, "column %s: \"%.40s\" is not a number", name, field);
}

/* Skips empty lines, which may stand at the end only. */
static int read_row(csv *c, bool *more)
{
    int empty = 0;
    for (;;) {
        int status = read_line(c, more);
        if (status || !*more) return status;
        if (*skip_blanks(c->text)) break;
        if (!empty) empty = c->line;
    }
    return empty ? complain_at(c->name, empty, "an empty line between the rows; remove it") : CLI_OK;
}

int csv_next(csv *c, double *row, bool *more)
{
    int status = read_row(c, more), n = 0;
    if (status || !*more) return status;
    for (char *rest = c->text; rest; n++) {
        char *field;
        if (n == c->columns)
            return complain_at(c->name, c->line, "the row has more than the %d fields of the header", c->columns);
        if (!cut(&rest, &field)) return complain_at(c->name, c->line, "column %s: a quote in the wrong place", c->names[n]);
        status = to_number(c, n, field, &row[n]);
        if (status) return status;
    }
    if (n < c->columns)
        return complain_at(c->name, c->line, "the row has %d of %d fields; column %s is missing", n, c->columns, c->names[n]);
    return CLI_OK;
}

void csv_close(csv *c)
{
    if (c->file && c->file != stdin) fclose(c->file);
    for (int i = 0; i < c->columns; i++) free(c->names[i]);
    free(c->names);
    free(c->text);
    *c = (csv){0};
}
