/* SPDX-License-Identifier: MIT
 *
 * csv_write.c - a table of numbers as a file. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arne/log.h"
#include "base/text.h"
#include "log/about.h"

enum { CHUNK = 1 << 16 };

struct arne_csv_writer {
    whole_file file;
    text_buffer rows; /* that are not in the file yet */
    bool begun;       /* a row has its first field */
    int digits;
    int why;      /* errno of a row that could not be written */
    off_t length; /* of the file */
    double last;  /* the first number of its last row, NAN: no row yet */
};

arne_status arne_csv_create(const char *path, int digits, arne_csv_writer **out, arne_error *error)
{
    arne_csv_writer *w = *out = calloc(1, sizeof *w);
    if (!w) return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    w->digits = digits;
    w->last = NAN;
    const arne_status status = arne__whole_open(&w->file, path, error);
    if (!status) return ARNE_OK;
    free(w);
    *out = NULL;
    return status;
}

static void comma(arne_csv_writer *w)
{
    if (w->begun) arne__text_put(&w->rows, ",");
    w->begun = true;
}

void arne_csv_name(arne_csv_writer *w, const char *name)
{
    comma(w);
    arne__text_csv(&w->rows, name);
}

void arne_csv_names(arne_csv_writer *w, const char *group, int count)
{
    for (int i = 1; i <= count; i++) {
        comma(w);
        arne__text_add(&w->rows, "%s%d", group, i);
    }
}

void arne_csv_numbers(arne_csv_writer *w, const double *x, int count)
{
    char text[NUMBER_TEXT];
    for (int i = 0; i < count; i++) {
        comma(w);
        if (isnan(x[i])) continue;
        if (w->digits)
            arne__text_bytes(&w->rows, text, (size_t)(arne__digits_text(x[i], w->digits, text) - text));
        else
            arne__text_number(&w->rows, x[i]);
    }
}

/* Whole lines go into the file: as many as it takes. */
static void flush(arne_csv_writer *w)
{
    const int fd = fileno(w->file.file);
    const char *s = w->rows.s;
    size_t n = 0;
    if (w->rows.failed && !w->why) w->why = ENOMEM;
    while (!w->why && n < w->rows.length) {
        errno = 0;
        const ssize_t k = write(fd, s + n, w->rows.length - n);
        if (k > 0)
            n += (size_t)k;
        else if (errno != EINTR)
            w->why = errno ? errno : EIO;
    }
    while (n > 0 && s[n - 1] != '\n') n--;
    if (w->why && w->file.part) (void)!ftruncate(fd, w->length + (off_t)n);
    w->length += (off_t)n;
    if (n > 0) {
        const char *line = s + n - 1;
        while (line > s && line[-1] != '\n') line--;
        char *end;
        const double number = strtod(line, &end);
        if (end > line) w->last = number;
    }
    arne__text_clear(&w->rows);
}

bool arne_csv_end_row(arne_csv_writer *w)
{
    arne__text_put(&w->rows, "\n");
    w->begun = false;
    if (w->rows.length >= CHUNK || w->rows.failed || w->why) flush(w);
    return !w->why;
}

bool arne_csv_keep(arne_csv_writer *w, double *last, arne_error *error)
{
    flush(w);
    *last = w->last;
    if (!w->why || !w->file.part || isnan(w->last)) return false;
    arne_fail(error, ARNE_CANNOT_WRITE, w->file.path, 0, "cannot write: %s", strerror(w->why));
    w->why = 0;
    return true;
}

arne_status arne_csv_finish_told(arne_csv_writer *w, const arne_about *a, arne_status status, arne_error *error)
{
    if (!w) return status;
    if (!status) flush(w);
    if (w->why == ENOMEM && !status) status = arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    if (w->why && !status) status = arne_fail(error, ARNE_CANNOT_WRITE, w->file.path, 0, "cannot write: %s", strerror(w->why));
    whole_file both[2] = {w->file};
    char *name = NULL;
    if (!status && a && w->file.part) status = arne__about_open(a, w->file.path, &both[1], &name, error);
    status = arne__whole_close_all(both, 2, status, error);
    free(name);
    arne__text_free(&w->rows);
    free(w);
    return status;
}

arne_status arne_csv_finish(arne_csv_writer *w, arne_status status, arne_error *error)
{
    return arne_csv_finish_told(w, NULL, status, error);
}
