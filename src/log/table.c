/* SPDX-License-Identifier: MIT
 *
 * table.c - arrays of numpy, read and written by hand, and datasets of HDF5 by its module. */
#include "arne/table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
    void *sets;
    char *path;
    int count, *sizes; /* of the parts: numbers a state */
    long rows;
    int columns;
};

/* As wide for any number of rows: it is written again at the end. */
static bool write_header(arne_table_writer *w)
{
    char head[128], dict[128];
    const int n =
        snprintf(dict, sizeof dict, "{'descr': '<f8', 'fortran_order': False, 'shape': (%ld, %d), }", w->rows, w->columns);
    memset(head, ' ', sizeof head);
    memcpy(head, "\x93NUMPY\x01\0\x76\0", 10); /* 118 bytes follow */
    memcpy(head + 10, dict, (size_t)n);
    head[sizeof head - 1] = '\n';
    return !fseek(w->file.file, 0, SEEK_SET) && fwrite(head, sizeof head, 1, w->file.file) == 1;
}

static arne_status cannot(const arne_table_writer *w, arne_error *error)
{
    return arne_fail(error, ARNE_CANNOT_WRITE, w->path, 0, "%s", strerror(errno));
}

arne_status arne_table_create(const char *path, const arne_table_part *parts, int count, bool beside, arne_table_writer **out,
                              arne_error *error)
{
    if (out) *out = NULL;
    if (!arne_table_is(path) || !parts || count < 1 || !out || (beside && !ends(path, ".h5")))
        return BAD_ARGUMENT(error, "a table needs a file that ends in .npy or .h5, its parts, and a place");
    arne_table_writer *w = calloc(1, sizeof *w);
    if (w) w->path = strdup(path), w->sizes = calloc((size_t)count, sizeof *w->sizes);
    arne_status status = w && w->path && w->sizes ? ARNE_OK : NO_MEMORY(error);
    for (int i = 0; i < count && !status; i++) w->columns += w->sizes[w->count++] = parts[i].rows * parts[i].columns;
    const bool numpy = ends(path, ".npy");
    if (!status && !numpy) status = hdf5(&w->h, error);
    if (!status && !beside) status = arne__whole_open(&w->file, w->path, error);
    if (!status && !numpy)
        status = w->h->begin(beside ? w->path : w->file.part ? w->file.part : w->path, beside, parts, count, &w->sets, error);
    if (!status && numpy && !write_header(w)) status = cannot(w, error);
    if (status)
        arne_table_finish(w, status, NULL);
    else
        *out = w;
    return status;
}

arne_status arne_table_append(arne_table_writer *w, long count, const double *const *x, arne_error *error)
{
    if (!w || !x || count < 0) return BAD_ARGUMENT(error, "there are no rows, or no table");
    w->rows += count;
    if (w->sets) return w->h->append(w->sets, count, x, error);
    const size_t together = w->count == 1 ? (size_t)count : 1; /* rows that lie side by side already */
    for (size_t k = 0; k < (size_t)count; k += together)
        for (int i = 0; i < w->count; i++) {
            const size_t n = (size_t)w->sizes[i];
            if (fwrite(x[i] + k * n, sizeof(double), n * together, w->file.file) != n * together) return cannot(w, error);
        }
    return ARNE_OK;
}

arne_status arne_table_finish(arne_table_writer *w, arne_status status, arne_error *error)
{
    if (!w) return status;
    if (!status && !w->h && !write_header(w)) status = cannot(w, error);
    if (w->sets) {
        const arne_status ended = w->h->end(w->sets, status, status ? NULL : error);
        if (!status) status = ended;
    }
    status = arne__whole_close(&w->file, status, error);
    free(w->path);
    free(w->sizes);
    free(w);
    return status;
}
