/* SPDX-License-Identifier: MIT
 *
 * eval_out.c - the results of `eval`: printed, or written into a file of text or numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/eval_block.h"

/* ---- text ---- */

static void print_row(block *b, long k)
{
    eval_job *j = b->job;
    double *results[MOST_WANTED];
    const double *t = b->t ? &b->t[k] : NULL;
    for (int i = 0; i < j->count; i++) results[i] = b->result[i] + k * b->size[i];
    if (j->format == FORMAT_CSV && b->before + k == 0) print_csv_header(&j->e, j->wanted, j->count, t, &b->out);
    if (j->format == FORMAT_JSON)
        print_json(&j->e, j->wanted, results, j->count, t, &b->out);
    else if (j->format == FORMAT_CSV)
        print_csv(&j->e, j->wanted, results, j->count, t, &b->out);
    else
        print_text(&j->e, j->wanted, results, j->count, b->before + k + 1, t, &b->out);
}

int eval_flush(block *b, bool now)
{
    arne_error error = {0};
    if (b->out.failed) return no_memory();
    if (!b->file.file) return out_write(&b->out, now);
    const bool fine = fwrite(arne__text_string(&b->out), 1, b->out.length, b->file.file) == b->out.length;
    arne__text_clear(&b->out);
    return fine ? CLI_OK : checked(arne__whole_check(&b->file, &error), &error);
}

int eval_print(block *b, bool keep)
{
    int status = CLI_OK;
    for (long k = 0; k < b->rows && !status; k++) {
        print_row(b, k);
        if (!keep && (b->out.length > 1 << 16 || k + 1 == b->rows)) status = eval_flush(b, b->room == 1);
    }
    return status;
}

/* ---- numbers ---- */

/* The numbers of a quantity lie side by side in a row; a piece has its own together. */
int eval_put(block *b)
{
    const double *x[MOST_PIECES];
    double *to = b->apart;
    arne_error error = {0};
    for (int i = 0, n = 0; i < b->job->count; i++) {
        int at = 0;
        if (b->job->wanted[i].nparts == 1) {
            x[n++] = b->result[i];
            continue;
        }
        for (int p = 0; p < b->job->wanted[i].nparts; p++, n++) {
            const int size = b->piece[n].rows * b->piece[n].columns;
            x[n] = to;
            for (long k = 0; k < b->rows; k++, to += size)
                memcpy(to, b->result[i] + k * b->size[i] + at, (size_t)size * sizeof *to);
            at += size;
        }
    }
    const arne_status status =
        b->sized ? arne_table_put(b->writer, b->before, b->rows, x, &error) : arne_table_append(b->writer, b->rows, x, &error);
    return checked(status, &error);
}

/* ---- the file ---- */

static int make_pieces(block *b)
{
    const eval_job *j = b->job;
    size_t all = 0;
    for (int i = 0; i < j->count; i++)
        for (int p = 0; p < j->wanted[i].nparts; p++) {
            const part *x = &j->wanted[i].parts[p];
            const int n = b->npiece++;
            snprintf(b->names[n], sizeof b->names[n], "%s%s%s", j->wanted[i].name, x->name ? "/" : "", x->name ? x->name : "");
            b->piece[n] = (arne_table_part){b->names[n], axis_size(x->rows, &j->e), axis_size(x->columns, &j->e)};
            if (j->wanted[i].nparts > 1) all += (size_t)b->room * (size_t)(b->piece[n].rows * b->piece[n].columns);
        }
    return (b->apart = calloc(all + 1, sizeof *b->apart)) ? CLI_OK : no_memory();
}

/* The first rank makes the file and tells the others its name, empty: it could not be made. */
static int make_table(block *b)
{
    const eval_job *j = b->job;
    const ranks *r = j->ranks;
    const char *from = j->in.states.has_file ? j->in.states.file.name : "";
    char working[4096] = "";
    arne_error error = {0};
    arne_status status;
    b->sized = b->first;
    if (r->rank) {
        eval_tell_name(r, working, sizeof working);
        if (!working[0]) return CLI_FAILED;
        status = arne_table_join(j->path, working, b->piece, b->npiece, &b->writer, &error);
    } else {
        status = arne_table_create(j->path, b->piece, b->npiece, b->first ? b->first[b->blocks] : -1, !strcmp(from, j->path),
                                   &b->writer, &error);
        if (!status) snprintf(working, sizeof working, "%s", arne_table_working(b->writer));
        eval_tell_name(r, working, sizeof working);
    }
    return checked(status, &error);
}

static int open_text(block *b)
{
    const eval_job *j = b->job;
    arne_error error = {0};
    const int status = j->ranks->rank ? CLI_OK : checked(arne__whole_open(&b->file, j->path, &error), &error);
    if (j->ranks->count > 1) eval_join(b);
    return status;
}

int eval_open_out(block *b)
{
    const eval_job *j = b->job;
    if (!j->path) return CLI_OK;
    if (!arne_table_is(j->path)) return open_text(b);
    const int status = make_pieces(b);
    return status ? status : make_table(b);
}

void eval_progress(block *b)
{
    const double now = arne__clock_now();
    b->done += b->rows;
    b->rows = 0;
    if (!b->job->path || !isatty(fileno(stderr)) || now - b->begin < 1 || now - b->told < 0.2) return;
    b->told = now;
    fprintf(stderr, "\r  %ld rows, %.3g a second    ", b->done, (double)b->done / (now - b->begin));
}

int eval_close_out(block *b, int status)
{
    arne_error error = {0};
    const arne_status told = status ? ARNE_BAD_VALUE : ARNE_OK;
    arne_status done = told;
    if (b->writer) done = arne_table_finish(b->writer, told, &error);
    if (b->file.file) done = arne__whole_close(&b->file, told, &error);
    if (b->told > 0) fprintf(stderr, "\r%60s\r", "");
    return status ? status : checked(done, &error);
}
