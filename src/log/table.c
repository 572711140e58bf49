/* SPDX-License-Identifier: MIT
 *
 * table.c - arrays of numpy, read and written by hand, and datasets of HDF5 by its module. */
#include "arne/table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/whole.h"
#include "module/module.h"

static bool ends(const char *path, const char *with)
{
    const size_t n = strlen(path), k = strlen(with);
    return n > k && !strcmp(path + n - k, with);
}

bool arne_table_is(const char *path) { return path && (ends(path, ".npy") || ends(path, ".h5")); }

static arne_status hdf5(const hdf5_module **h, arne_error *error)
{
    const void *table = NULL;
    const arne_status status = arne__module("hdf5", &table, error);
    *h = table;
    return status;
}

/* ---- to read ---- */

struct arne_table {
    char *path;
    long rows;
    int columns;
    FILE *file; /* .npy; NULL: .h5 */
    long begin; /* of its numbers */
    const hdf5_module *h;
    void *set;
};

#define BAD_FILE(t, code, ...) arne_fail(error, code, (t)->path, 0, __VA_ARGS__)

/* What follows a key of the header, "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }"; NULL: there is no such key. */
static const char *value_of(const char *header, const char *key)
{
    const char *at = strstr(header, key);
    if (!at) return NULL;
    at += strlen(key);
    return at + strspn(at, "' :");
}

static arne_status parse_header(arne_table *t, const char *header, arne_error *error)
{
    const char *type = value_of(header, "'descr'"), *order = value_of(header, "'fortran_order'"),
               *shape = value_of(header, "'shape'");
    long columns = 1;
    if (!type || !order || !shape) return BAD_FILE(t, ARNE_BAD_SYNTAX, "is no array of numpy");
    if (strncmp(type, "<f8", 3))
        return BAD_FILE(t, ARNE_BAD_VALUE, "has numbers of type %.*s, float64 is needed: a.astype('<f8')",
                        (int)strcspn(type, "',"), type);
    if (strncmp(order, "False", 5))
        return BAD_FILE(t, ARNE_BAD_VALUE, "is stored column after column: numpy.ascontiguousarray makes rows of it");
    const int got = sscanf(shape, "(%ld, %ld", &t->rows, &columns);
    const char *close = strchr(shape, ')');
    int commas = 0;
    for (const char *s = shape; close && s < close; s++) commas += *s == ',' && s[1] != ')';
    if (got < 1 || commas > 1 || t->rows < 0 || columns < 1 || columns > 1000000)
        return BAD_FILE(t, ARNE_BAD_VALUE, "has the shape %.*s, rows x columns are needed", close ? (int)(close + 1 - shape) : 20,
                        shape);
    t->columns = (int)columns;
    return ARNE_OK;
}

static arne_status open_npy(arne_table *t, arne_error *error)
{
    unsigned char head[12];
    struct stat about;
    if (!(t->file = fopen(t->path, "rb"))) return BAD_FILE(t, ARNE_NO_FILE, "cannot open: %s", strerror(errno));
    if (fread(head, 1, 10, t->file) != 10 || memcmp(head, "\x93NUMPY", 6))
        return BAD_FILE(t, ARNE_BAD_SYNTAX, "is no array of numpy");
    size_t size = head[8] + 256u * head[9];
    t->begin = 10;
    if (head[6] > 1) { /* version 2: four bytes */
        if (fread(head + 10, 1, 2, t->file) != 2) return BAD_FILE(t, ARNE_BAD_SYNTAX, "it was cut off");
        size += 65536u * head[10] + 16777216u * head[11];
        t->begin = 12;
    }
    if (size > 1000000) return BAD_FILE(t, ARNE_BAD_SYNTAX, "is no array of numpy");
    t->begin += (long)size;
    char *header = calloc(size + 1, 1);
    if (!header) return NO_MEMORY(error);
    arne_status status =
        fread(header, 1, size, t->file) == size ? parse_header(t, header, error) : BAD_FILE(t, ARNE_BAD_SYNTAX, "it was cut off");
    free(header);
    const double wanted = 8.0 * (double)t->rows * t->columns + (double)t->begin;
    if (!status && (fstat(fileno(t->file), &about) || (double)about.st_size < wanted))
        status = BAD_FILE(t, ARNE_BAD_SYNTAX, "it was cut off: %lld bytes of %.0f", (long long)about.st_size, wanted);
    return status;
}

arne_status arne_table_open(const char *path, const char *name, arne_table **out, arne_error *error)
{
    if (out) *out = NULL;
    if (!arne_table_is(path) || !out || (ends(path, ".h5") && !name))
        return BAD_ARGUMENT(error, "a table needs a file that ends in .npy or .h5, and a place");
    arne_table *t = calloc(1, sizeof *t);
    if (t) t->path = strdup(path);
    arne_status status = t && t->path ? ARNE_OK : NO_MEMORY(error);
    if (!status && ends(path, ".npy"))
        status = open_npy(t, error);
    else if (!status) {
        int64_t rows = 0;
        status = hdf5(&t->h, error);
        if (!status) status = t->h->open(path, name, &t->set, &rows, &t->columns, error);
        t->rows = (long)rows;
    }
    if (status)
        arne_table_close(t);
    else
        *out = t;
    return status;
}

bool arne_table_has(const char *path, const char *name)
{
    const hdf5_module *h;
    return path && name && ends(path, ".h5") && !hdf5(&h, NULL) && h->has(path, name);
}

long arne_table_rows(const arne_table *t) { return t ? t->rows : 0; }
int arne_table_columns(const arne_table *t) { return t ? t->columns : 0; }

arne_status arne_table_read(arne_table *t, long from, long count, double *to, arne_error *error)
{
    if (!t || !to || from < 0 || count < 0 || from + count > t->rows) return BAD_ARGUMENT(error, "there are no such rows");
    if (t->h) return t->h->read(t->set, from, count, to, error);
    const size_t wanted = (size_t)count * (size_t)t->columns;
    if (fseek(t->file, t->begin + 8 * from * t->columns, SEEK_SET) || fread(to, sizeof *to, wanted, t->file) != wanted)
        return BAD_FILE(t, ARNE_BAD_SYNTAX, "cannot be read: %s", ferror(t->file) ? strerror(errno) : "it was cut off");
    return ARNE_OK;
}

void arne_table_close(arne_table *t)
{
    if (!t) return;
    if (t->file) fclose(t->file);
    if (t->set) t->h->close(t->set);
    free(t->path);
    free(t);
}

/* ---- to write ---- */

struct arne_table_writer {
    whole_file file; /* .npy; of .h5 its name while it is written */
    const hdf5_module *h;
    char *path;
    hdf5_table *tables; /* the parts; of .npy the first has the place of them all */
    int count, columns; /* of all parts */
    long rows;
    bool beside;   /* it has these parts because of us */
    void *sets;    /* .h5 that grows */
    int handle;    /* where rows are put, -1: they are appended */
    double *mixed; /* rows of .npy in which several parts lie side by side */
    size_t room;
};

static int numbers(const hdf5_table *t) { return t->columns * t->deep; }

/* As wide for any number of rows: it is written again at the end. */
enum { HEADER = 128 };
static bool write_header(arne_table_writer *w)
{
    char head[HEADER], dict[HEADER];
    const int n =
        snprintf(dict, sizeof dict, "{'descr': '<f8', 'fortran_order': False, 'shape': (%ld, %d), }", w->rows, w->columns);
    memset(head, ' ', sizeof head);
    memcpy(head, "\x93NUMPY\x01\0\x76\0", 10); /* 118 bytes follow */
    memcpy(head + 10, dict, (size_t)n);
    head[sizeof head - 1] = '\n';
    return !fseek(w->file.file, 0, SEEK_SET) && fwrite(head, sizeof head, 1, w->file.file) == 1 && !fflush(w->file.file);
}

static arne_status cannot(const arne_table_writer *w, arne_error *error)
{
    return arne_fail(error, ARNE_CANNOT_WRITE, w->path, 0, "%s", strerror(errno));
}

static arne_status new_writer(const char *path, const arne_table_part *parts, int count, char kind, arne_table_writer **out,
                              arne_error *error)
{
    arne_table_writer *w = *out = calloc(1, sizeof *w);
    if (!w) return NO_MEMORY(error);
    w->handle = -1;
    w->path = strdup(path);
    w->tables = calloc((size_t)count, sizeof *w->tables);
    bool fine = w->path && w->tables;
    for (int i = 0; i < count && fine; i++, w->count++) {
        hdf5_table *t = &w->tables[i];
        *t = (hdf5_table){strdup(parts[i].name), kind, parts[i].rows, parts[i].columns, NULL, HEADER};
        fine = t->name;
        w->columns += numbers(t);
    }
    if (!fine) return NO_MEMORY(error);
    return ends(path, ".npy") ? ARNE_OK : hdf5(&w->h, error);
}

const char *arne_table_working(const arne_table_writer *w) { return w->file.part ? w->file.part : w->path; }

/* A fault of the module's, by the name of the file that was asked for: it knows the one that is being written. */
static arne_status named(const arne_table_writer *w, arne_status status, arne_error *error)
{
    if (status && error && *error->file) snprintf(error->file, sizeof error->file, "%s", w->path);
    return status;
}

/* The file with all its rows, still without numbers. */
static arne_status lay_out(arne_table_writer *w, bool beside, arne_error *error)
{
    const char *at = arne_table_working(w);
    if (!w->h && !write_header(w)) return cannot(w, error);
    const arne_status status =
        w->h ? named(w, w->h->create(at, beside, w->rows, w->tables, w->count, NULL, 0, error), error) : ARNE_OK;
    w->beside = beside && !status;
    if (!status && (w->handle = open(at, O_WRONLY)) < 0) return cannot(w, error);
    return status;
}

arne_status arne_table_create(const char *path, const arne_table_part *parts, int count, long rows, bool beside,
                              arne_table_writer **out, arne_error *error)
{
    if (out) *out = NULL;
    if (!arne_table_is(path) || !parts || count < 1 || !out || (beside && (rows < 0 || !ends(path, ".h5"))))
        return BAD_ARGUMENT(error, "a table needs a file that ends in .npy or .h5, its parts, and a place");
    arne_table_writer *w;
    arne_status status = new_writer(path, parts, count, beside ? 'd' : 'n', &w, error);
    if (!status && !beside) status = arne__whole_open(&w->file, w->path, error);
    if (!status && rows >= 0) {
        w->rows = rows;
        status = lay_out(w, beside, error);
    } else if (!status && w->h)
        status = named(w, w->h->begin(arne_table_working(w), w->tables, count, &w->sets, error), error);
    else if (!status && !write_header(w))
        status = cannot(w, error);
    if (status)
        arne_table_finish(w, status, NULL);
    else
        *out = w;
    return status;
}

arne_status arne_table_join(const char *path, const char *working, const arne_table_part *parts, int count,
                            arne_table_writer **out, arne_error *error)
{
    if (out) *out = NULL;
    if (!arne_table_is(path) || !working || !parts || count < 1 || !out)
        return BAD_ARGUMENT(error, "a table needs a file that ends in .npy or .h5, its parts, and a place");
    arne_table_writer *w;
    int64_t rows;
    arne_status status = new_writer(path, parts, count, 'n', &w, error);
    if (!status && w->h) status = w->h->find(working, &rows, w->tables, count, error);
    if (!status && (w->handle = open(working, O_WRONLY)) < 0)
        status = arne_fail(error, ARNE_CANNOT_WRITE, working, 0, "%s", strerror(errno));
    if (status)
        arne_table_finish(w, status, NULL);
    else
        *out = w;
    return status;
}

static arne_status write_at(const arne_table_writer *w, int64_t place, const double *x, size_t count, arne_error *error)
{
    return arne__whole_put(w->handle, place, x, count * sizeof *x) ? ARNE_OK : cannot(w, error);
}

/* The parts of a row side by side; NULL: memory is short. */
static const double *mix(arne_table_writer *w, size_t count, const double *const *x)
{
    if (w->count == 1) return x[0];
    const size_t all = count * (size_t)w->columns;
    double *grown = all > w->room ? realloc(w->mixed, all * sizeof *grown) : w->mixed;
    if (!grown) return NULL;
    w->mixed = grown;
    if (all > w->room) w->room = all;
    for (int i = 0, at = 0; i < w->count; at += numbers(&w->tables[i++]))
        for (size_t k = 0, n = (size_t)numbers(&w->tables[i]); k < count; k++)
            memcpy(grown + k * (size_t)w->columns + at, x[i] + k * n, n * sizeof *grown);
    return grown;
}

arne_status arne_table_put(arne_table_writer *w, long from, long count, const double *const *x, arne_error *error)
{
    if (!w || !x || count < 0 || from < 0 || w->handle < 0) return BAD_ARGUMENT(error, "there are no such rows, or no table");
    const int64_t row = 8 * (int64_t)w->columns;
    arne_status status = ARNE_OK;
    if (!w->h) {
        const double *all = mix(w, (size_t)count, x);
        return all ? write_at(w, HEADER + from * row, all, (size_t)count * (size_t)w->columns, error) : NO_MEMORY(error);
    }
    for (int i = 0; i < w->count && !status; i++) {
        const int n = numbers(&w->tables[i]);
        status = write_at(w, w->tables[i].place + 8 * (int64_t)n * from, x[i], (size_t)count * (size_t)n, error);
    }
    return status;
}

arne_status arne_table_append(arne_table_writer *w, long count, const double *const *x, arne_error *error)
{
    if (!w || !x || count < 0 || w->handle >= 0) return BAD_ARGUMENT(error, "there are no rows, or no table that grows");
    w->rows += count;
    if (w->sets) return named(w, w->h->append(w->sets, count, x, error), error);
    const double *all = mix(w, (size_t)count, x);
    const size_t n = (size_t)count * (size_t)w->columns;
    if (!all) return NO_MEMORY(error);
    return fwrite(all, sizeof *all, n, w->file.file) == n ? ARNE_OK : cannot(w, error);
}

arne_status arne_table_finish(arne_table_writer *w, arne_status status, arne_error *error)
{
    if (!w) return status;
    if (!status && w->file.file && !w->h && w->handle < 0 && !write_header(w)) status = cannot(w, error);
    if (w->handle >= 0 && close(w->handle) && !status) status = cannot(w, error);
    if (w->sets) {
        const arne_status ended = named(w, w->h->end(w->sets, status ? NULL : error), status ? NULL : error);
        if (!status) status = ended;
    }
    if (status && w->beside) w->h->drop(w->path, w->tables, w->count, NULL);
    status = arne__whole_close(&w->file, status, error);
    for (int i = 0; w->tables && i < w->count; i++) free((char *)w->tables[i].name);
    free(w->tables);
    free(w->mixed);
    free(w->path);
    free(w);
    return status;
}
