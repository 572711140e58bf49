/* SPDX-License-Identifier: MIT
 *
 * csv_write.c - a table of numbers as a file. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arne/log.h"
#include "base/text.h"
#include "base/whole.h"

struct arne_csv_writer {
    whole_file file;
    text_buffer row;
    int digits;
    int why; /* errno of a row that could not be written */
};

arne_status arne_csv_create(const char *path, int digits, arne_csv_writer **out, arne_error *error)
{
    arne_csv_writer *w = *out = calloc(1, sizeof *w);
    if (!w) return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    w->digits = digits;
    const arne_status status = arne__whole_open(&w->file, path, error);
    if (!status) return ARNE_OK;
    free(w);
    *out = NULL;
    return status;
}

static void comma(arne_csv_writer *w)
{
    if (w->row.length) arne__text_put(&w->row, ",");
}

void arne_csv_name(arne_csv_writer *w, const char *name)
{
    comma(w);
    arne__text_csv(&w->row, name);
}

void arne_csv_names(arne_csv_writer *w, const char *group, int count)
{
    for (int i = 1; i <= count; i++) {
        comma(w);
        arne__text_add(&w->row, "%s%d", group, i);
    }
}

void arne_csv_numbers(arne_csv_writer *w, const double *x, int count)
{
    char text[NUMBER_TEXT];
    for (int i = 0; i < count; i++) {
        comma(w);
        if (isnan(x[i])) continue;
        if (w->digits)
            arne__text_bytes(&w->row, text, (size_t)(arne__digits_text(x[i], w->digits, text) - text));
        else
            arne__text_number(&w->row, x[i]);
    }
}

bool arne_csv_end_row(arne_csv_writer *w)
{
    arne__text_put(&w->row, "\n");
    if (w->why) return false;
    if (w->row.failed)
        w->why = ENOMEM;
    else if (fwrite(w->row.s, 1, w->row.length, w->file.file) != w->row.length)
        w->why = errno ? errno : EIO;
    arne__text_clear(&w->row);
    return !w->why;
}

arne_status arne_csv_finish(arne_csv_writer *w, arne_status status, arne_error *error)
{
    if (!w) return status;
    if (w->why == ENOMEM && !status) status = arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    if (w->why && !status) status = arne_fail(error, ARNE_CANNOT_WRITE, w->file.path, 0, "cannot write: %s", strerror(w->why));
    status = arne__whole_close(&w->file, status, error);
    arne__text_free(&w->row);
    free(w);
    return status;
}
