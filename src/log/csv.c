/* SPDX-License-Identifier: MIT
 *
 * csv.c - CSV as programs write it: commas, a header, quotes allowed, LF or CRLF, a byte order mark, empty lines at the end.
 * Everything else is an error that names the line and the column. A number has a point. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arne/log.h"
#include "base/text.h"
#include "log/states.h"

static arne_status no_memory(arne_error *error) { return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory"); }

static arne_status cannot_read(const arne_csv *c, arne_error *error)
{
    return arne_fail(error, ARNE_NO_FILE, c->name, 0, "cannot read: %s", strerror(errno));
}

#define BAD(c, ...) arne_fail(error, ARNE_BAD_SYNTAX, (c)->name, (c)->line, __VA_ARGS__)

/* Reads a line without its end; *more is false at the end of the file. */
static arne_status read_line(arne_csv *c, bool *more, arne_error *error)
{
    errno = 0;
    ssize_t n = getline(&c->text, &c->room, c->file);
    *more = n >= 0;
    if (n < 0) {
        if (ferror(c->file)) return cannot_read(c, error);
        return feof(c->file) ? ARNE_OK : no_memory(error);
    }
    c->at += n;
    if (c->line == INT_MAX) return BAD(c, "the file has too many lines");
    c->line++;
    if (memchr(c->text, 0, (size_t)n)) return BAD(c, "a zero byte: this is not a text file");
    while (n > 0 && strchr("\r\n", c->text[n - 1])) c->text[--n] = 0;
    return ARNE_OK;
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

static arne_status read_header(arne_csv *c, arne_error *error)
{
    bool more;
    arne_status status = read_line(c, &more, error);
    if (status) return status;
    if (!more) return arne_fail(error, ARNE_BAD_SYNTAX, c->name, 0, "the file is empty; its first line should name the columns");
    char *rest = c->text;
    if (!strncmp(rest, "\xEF\xBB\xBF", 3)) rest += 3;
    if (!strchr(rest, ',') && strpbrk(rest, ";\t")) return BAD(c, "columns are separated by commas, not by semicolons or tabs");

    size_t most = 1;
    for (const char *s = rest; *s; s++) most += *s == ',';
    c->names = calloc(most, sizeof *c->names);
    c->skip = calloc(most, sizeof *c->skip);
    if (!c->names || !c->skip) return no_memory(error);
    while (rest) {
        char *field;
        if (!cut(&rest, &field)) return BAD(c, "a quote in the wrong place in column %d", c->columns + 1);
        if (!*field) return BAD(c, "column %d has no name", c->columns + 1);
        if (looks_like_number(field))
            return BAD(c, "column %d is named \"%.40s\"; the first line should name the columns: q1,q2,...", c->columns + 1,
                       field);
        if (!(c->names[c->columns] = strdup(field))) return no_memory(error);
        c->columns++;
    }
    c->from = c->at;
    return ARNE_OK;
}

arne_status arne_csv_open(arne_csv *c, const char *path, arne_error *error)
{
    bool standard = !strcmp(path, "-");
    *c = (arne_csv){.name = standard ? "<stdin>" : path};
    c->file = standard ? stdin : fopen(path, "r");
    if (!c->file) return arne_fail(error, ARNE_NO_FILE, path, 0, "cannot open: %s", strerror(errno));
    return read_header(c, error);
}

/* strtod without hexadecimal numbers, infinities and nan. */
static arne_status to_number(const arne_csv *c, int column, const char *field, double *out, arne_error *error)
{
    char *rest;
    *out = strtod(field, &rest);
    if (rest != field && !*rest && isfinite(*out) && !strpbrk(field, "xX")) return ARNE_OK;
    if (c->holes && !*rest && !isfinite(*field ? *out : NAN)) {
        *out = NAN;
        return ARNE_OK;
    }
    const char *name = c->names[column];
    if (!*field) return arne_fail(error, ARNE_BAD_VALUE, c->name, c->line, "column %s is empty; it needs a number", name);
    const bool infinite = rest != field && !*rest && !strpbrk(field, "xX");
    return arne_fail(error, ARNE_BAD_VALUE, c->name, c->line, "column %s: \"%.40s\" is not a %snumber", name, field,
                     infinite ? "finite " : "");
}

/* Skips empty lines, which may stand at the end only; where holes are allowed they are rows. A row is of the block in which it
 * begins. */
static arne_status read_row(arne_csv *c, bool *more, arne_error *error)
{
    int empty = 0;
    *more = false;
    for (;;) {
        if (c->until && c->at >= c->until && !empty) return ARNE_OK;
        arne_status status = read_line(c, more, error);
        if (status || !*more) return status;
        if (c->holes || *skip_blanks(c->text)) break;
        if (!empty) empty = c->line;
    }
    return empty ? arne_fail(error, ARNE_BAD_SYNTAX, c->name, empty, "an empty line between the rows; remove it") : ARNE_OK;
}

/* Plain numbers with commas between them, from the first column on; how many there are before something else comes, which begins
 * at *rest (NULL: nothing does). */
static int read_plain(const arne_csv *c, double *row, char **rest)
{
    for (int n = 0; n < c->columns; n++) {
        const char *s = c->skip[n] ? NULL : skip_blanks(*rest), *end = s ? arne__number_read(s, &row[n]) : NULL;
        if (!end || (*end && *end != ',')) return n;
        *rest = *end ? *rest + (end + 1 - *rest) : NULL;
        if (!*end) return n + 1;
    }
    return c->columns;
}

arne_status arne_csv_next(arne_csv *c, double *row, bool *more, arne_error *error)
{
    if (c->tables) return arne__csv_tables_next(c, row, more, error);
    arne_status status = read_row(c, more, error);
    if (status || !*more) return status;
    char *rest = c->text;
    int n = read_plain(c, row, &rest);
    for (; rest; n++) {
        char *field;
        if (n == c->columns) return BAD(c, "the row has more than the %d fields of the header", c->columns);
        if (!cut(&rest, &field)) return BAD(c, "column %s: a quote in the wrong place", c->names[n]);
        row[n] = NAN;
        if (!c->skip[n]) status = to_number(c, n, field, &row[n], error);
        if (status) return status;
    }
    if (n < c->columns && !c->holes)
        return BAD(c, "the row has %d of %d fields; column %s is missing", n, c->columns, c->names[n]);
    while (n < c->columns) row[n++] = NAN;
    return ARNE_OK;
}

/* ---- blocks: so many bytes of the text ---- */

long arne__csv_blocks(arne_csv *c, long rows)
{
    struct stat about;
    if (c->tables) return arne__csv_tables_blocks(c->tables, rows);
    if (fstat(fileno(c->file), &about) || !S_ISREG(about.st_mode)) return -1;
    c->step = 16 * rows * c->columns;
    return ((long)about.st_size - c->from + c->step - 1) / c->step;
}

arne_status arne__csv_seek(arne_csv *c, long block, long first, arne_error *error)
{
    if (c->tables) return arne__csv_tables_seek(c, block);
    const long begin = block > 0 ? c->from + block * c->step : c->from;
    c->at = block > 0 ? begin - 1 : begin;
    c->line = (int)first + 1;
    c->until = block < 0 ? 0 : begin + c->step;
    if (fseeko(c->file, (off_t)c->at, SEEK_SET)) return cannot_read(c, error);
    const ssize_t n = block > 0 ? getline(&c->text, &c->room, c->file) : 0; /* the end of a line that began before */
    if (n < 0 && ferror(c->file)) return cannot_read(c, error);
    c->at += n > 0 ? n : 0;
    return ARNE_OK;
}

static bool blank(const char *s, const char *end)
{
    while (s < end && strchr(" \t\r\n", *s) && *s) s++;
    return s == end;
}

/* Rows that begin before c->until, without a look at what is in them: whoever reads one that is none says it. */
static long count_rows(arne_csv *c)
{
    char text[1 << 16];
    bool begun = false, any = false; /* the line so far: it has a byte; it is a row */
    long rows = 0;
    for (size_t n = 1; n > 0 && c->at < c->until; c->at += (long)n) {
        const long left = c->until - c->at;
        n = fread(text, 1, left < (long)sizeof text ? (size_t)left : sizeof text, c->file);
        for (const char *line = text, *stop; line < text + n; line = stop + 1) {
            stop = memchr(line, '\n', (size_t)(text + n - line));
            any = any || c->holes || !blank(line, stop ? stop : text + n);
            begun = !stop;
            if (!stop) break;
            rows += any;
            any = false;
        }
    }
    const ssize_t rest = begun && !any ? getline(&c->text, &c->room, c->file) : 0;
    return rows + (any || (rest > 0 && !blank(c->text, c->text + rest)));
}

arne_status arne__csv_count(arne_csv *c, long block, long *rows, arne_error *error)
{
    *rows = 0;
    if (c->tables) {
        *rows = arne__csv_tables_rows(c->tables, block);
        return ARNE_OK;
    }
    const arne_status status = arne__csv_seek(c, block, 0, error);
    if (status) return status;
    *rows = count_rows(c);
    return ferror(c->file) ? cannot_read(c, error) : ARNE_OK;
}

int arne_csv_find(const arne_csv *c, const char *name)
{
    for (int k = 0; k < c->columns; k++)
        if (!strcmp(c->names[k], name)) return k;
    return -1;
}

void arne_csv_close(arne_csv *c)
{
    if (c->file && c->file != stdin) fclose(c->file);
    arne__csv_tables_close(c->tables);
    for (int i = 0; i < c->columns; i++) free(c->names[i]);
    free(c->names);
    free(c->skip);
    free(c->text);
    *c = (arne_csv){0};
}
