/* SPDX-License-Identifier: MIT
 *
 * hdf5.c - the module arne_hdf5. Tables are contiguous and have their room from the beginning, so a file is whole as soon as it
 * is made, and rows are later written into it without HDF5: a process that is killed at any moment leaves a file that can be
 * read. */
#include <hdf5.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "module/module.h"

/* HDF5 would print a stack of errors by itself, and at the end of the program write once more what a full disk has refused, which
 * crashes. */
static void be_quiet(void)
{
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

static bool write_note(hid_t at, const char *name, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, strlen(text) + 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    /* a dataset where it is long: an attribute has at most 64 kB */
    const bool is_short = strlen(text) < 1000;
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(how, false); /* the same runs, the same bytes */
    const hid_t note = is_short ? H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT)
                                : H5Dcreate2(at, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    const bool fine =
        note >= 0 && (is_short ? H5Awrite(note, type, text) : H5Dwrite(note, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text)) >= 0;
    if (note >= 0) is_short ? H5Aclose(note) : H5Dclose(note);
    H5Pclose(how);
    H5Sclose(space);
    H5Tclose(type);
    return fine;
}

static hid_t type_of(const hdf5_table *t)
{
    if (t->kind == 'd' || t->kind == 'n') return H5Tcopy(H5T_IEEE_F64LE);
    if (t->kind == 'b') return H5Tcopy(H5T_STD_U8LE);
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, (size_t)t->columns);
    return type;
}

/* Its dimensions. */
static int rank_of(const hdf5_table *t) { return t->deep > 1 ? 3 : t->kind != 's' && t->columns > 1 ? 2 : 1; }

/* The groups of its name are made where they are not there. */
static hid_t make_set(hid_t file, const hdf5_table *t, hid_t space, hid_t how)
{
    const hid_t type = type_of(t), link = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(link, 1);
    const hid_t set = H5Dcreate2(file, t->name, type, space, link, how, H5P_DEFAULT);
    H5Pclose(link);
    H5Tclose(type);
    return set;
}

static bool write_table(hid_t file, int64_t rows, hdf5_table *t)
{
    const hsize_t shape[] = {(hsize_t)rows, (hsize_t)t->columns, (hsize_t)t->deep};
    const hid_t space = H5Screate_simple(rank_of(t), shape, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    const double none = (double)NAN;
    H5Pset_obj_track_times(how, false);
    H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
    if (t->kind == 'd') H5Pset_fill_value(how, H5T_NATIVE_DOUBLE, &none);
    if (t->kind == 'n') H5Pset_fill_time(how, H5D_FILL_TIME_NEVER);
    const hid_t set = make_set(file, t, space, how);
    bool fine = set >= 0;
    if (fine) {
        const haddr_t place = H5Dget_offset(set);
        t->place = (int64_t)place;
        fine = place != HADDR_UNDEF && (!t->about || write_note(set, "about", t->about));
        H5Dclose(set);
    }
    H5Pclose(how);
    H5Sclose(space);
    return fine;
}

static arne_status no_table(const char *path, const char *name, const char *why, arne_error *error)
{
    return arne_fail(error, ARNE_BAD_VALUE, path, 0, "dataset /%s: %s", name, why);
}

static arne_status disk_full(const char *path, arne_error *error)
{
    return arne_fail(error, ARNE_CANNOT_WRITE, path, 0, "cannot be written; is the disk full?");
}

/* Is there one of this name, "did/dq"? HDF5 wants to be asked for the group first. */
static bool is_there(hid_t file, const char *name)
{
    char group[100];
    snprintf(group, sizeof group, "%.*s", (int)strcspn(name, "/"), name);
    return H5Lexists(file, group, H5P_DEFAULT) > 0 && H5Lexists(file, name, H5P_DEFAULT) > 0;
}

static arne_status create(const char *path, bool beside, int64_t rows, hdf5_table *tables, int count, const hdf5_note *notes,
                          int nnote, arne_error *error)
{
    be_quiet();
    const hid_t file =
        beside ? H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT) : H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (file < 0) return arne_fail(error, ARNE_CANNOT_WRITE, path, 0, "cannot be written as HDF5");
    arne_status status = ARNE_OK;
    int made = 0;
    for (int i = 0; i < count && !status; i++)
        if (is_there(file, tables[i].name))
            status = no_table(path, tables[i].name, "is there already; give another --out", error);
    for (int i = 0; i < nnote && !status; i++)
        if (!write_note(file, notes[i].name, notes[i].text)) status = disk_full(path, error);
    for (; made < count && !status; made++)
        if (!write_table(file, rows, &tables[made])) status = disk_full(path, error);
    for (int i = 0; i < made && status; i++) H5Ldelete(file, tables[i].name, H5P_DEFAULT);
    if (H5Fclose(file) < 0 && !status) status = disk_full(path, error);
    return status;
}

static arne_status drop(const char *path, const hdf5_table *tables, int count, arne_error *error)
{
    be_quiet();
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    bool fine = file >= 0;
    for (int i = 0; i < count && fine; i++) fine = H5Ldelete(file, tables[i].name, H5P_DEFAULT) >= 0;
    if (file >= 0) fine &= H5Fclose(file) >= 0;
    return fine ? ARNE_OK : arne_fail(error, ARNE_CANNOT_WRITE, path, 0, "what was added to it cannot be taken out again");
}

static arne_status find_table(const char *path, hid_t file, int64_t *rows, hdf5_table *t, arne_error *error)
{
    const hid_t set = H5Dopen2(file, t->name, H5P_DEFAULT);
    if (set < 0) return no_table(path, t->name, "is not there", error);
    hsize_t shape[3] = {0, 1, 1};
    const hid_t space = H5Dget_space(set), type = H5Dget_type(set), wanted = type_of(t);
    const int rank = H5Sget_simple_extent_ndims(space);
    const bool shaped = rank >= 1 && rank <= 3 && H5Sget_simple_extent_dims(space, shape, NULL) >= 0;
    const bool typed = t->kind == 's' ? H5Tget_class(type) == H5T_STRING : H5Tequal(type, wanted) > 0;
    const haddr_t place = H5Dget_offset(set);
    if (t->kind == 's') shape[1] = (hsize_t)H5Tget_size(type);
    H5Tclose(wanted);
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(set);
    if (!shaped || !typed || place == HADDR_UNDEF) return no_table(path, t->name, "is none that arne made", error);
    if ((*rows >= 0 && (int64_t)shape[0] != *rows) || (t->columns && (hsize_t)t->columns != shape[1]) ||
        (hsize_t)(t->deep > 1 ? t->deep : 1) != shape[2])
        return no_table(path, t->name, "has another shape", error);
    *rows = (int64_t)shape[0];
    t->columns = (int)shape[1];
    t->place = (int64_t)place;
    return ARNE_OK;
}

static hid_t open_file(const char *path, arne_error *error)
{
    be_quiet();
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) arne_fail(error, ARNE_BAD_SYNTAX, path, 0, "is no HDF5 file, or it was cut off");
    return file;
}

static arne_status find(const char *path, int64_t *rows, hdf5_table *tables, int count, arne_error *error)
{
    const hid_t file = open_file(path, error);
    if (file < 0) return ARNE_BAD_SYNTAX;
    arne_status status = ARNE_OK;
    *rows = -1;
    for (int i = 0; i < count && !status; i++) status = find_table(path, file, rows, &tables[i], error);
    H5Fclose(file);
    return status;
}

static arne_status note(const char *path, const char *name, char **text, arne_error *error)
{
    *text = NULL;
    const hid_t file = open_file(path, error);
    if (file < 0) return ARNE_BAD_SYNTAX;
    const bool is_short = H5Aexists(file, name) > 0;
    const hid_t at = is_short ? H5Aopen(file, name, H5P_DEFAULT) : H5Dopen2(file, name, H5P_DEFAULT);
    if (at >= 0) {
        const hid_t type = is_short ? H5Aget_type(at) : H5Dget_type(at);
        const size_t size = H5Tget_class(type) == H5T_STRING && !H5Tis_variable_str(type) ? H5Tget_size(type) : 0;
        if (size && (*text = calloc(size + 1, 1))) {
            const herr_t read = is_short ? H5Aread(at, type, *text) : H5Dread(at, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *text);
            if (read < 0) (*text)[0] = '\0';
        }
        H5Tclose(type);
        is_short ? H5Aclose(at) : H5Dclose(at);
    }
    H5Fclose(file);
    return ARNE_OK;
}

/* ---- datasets of any file ---- */

typedef struct {
    hid_t file, set;
    int rank;
    hsize_t shape[2];
    char *path, *name;
} dataset;

static bool has(const char *path, const char *name)
{
    const hid_t file = open_file(path, NULL);
    if (file < 0) return false;
    const bool there = H5Lexists(file, name, H5P_DEFAULT) > 0;
    H5Fclose(file);
    return there;
}

static void let_go(dataset *d)
{
    if (d->set >= 0) H5Dclose(d->set);
    if (d->file >= 0) H5Fclose(d->file);
    d->file = d->set = -1;
}

static void close_set(void *set)
{
    dataset *d = set;
    let_go(d);
    free(d->path);
    free(d->name);
    free(d);
}

static arne_status hold(dataset *d, arne_error *error)
{
    d->file = open_file(d->path, error);
    if (d->file < 0) return ARNE_BAD_SYNTAX;
    d->set = H5Dopen2(d->file, d->name, H5P_DEFAULT);
    return d->set < 0 ? no_table(d->path, d->name, "is not there", error) : ARNE_OK;
}

static arne_status look_at(dataset *d, arne_error *error)
{
    const arne_status status = hold(d, error);
    if (status) return status;
    const hid_t space = H5Dget_space(d->set), type = H5Dget_type(d->set);
    const H5T_class_t class = H5Tget_class(type);
    d->rank = H5Sget_simple_extent_ndims(space);
    d->shape[1] = 1;
    const bool shaped = d->rank >= 1 && d->rank <= 2 && H5Sget_simple_extent_dims(space, d->shape, NULL) >= 0;
    H5Tclose(type);
    H5Sclose(space);
    if (!shaped) return no_table(d->path, d->name, "rows x columns are needed", error);
    if (class != H5T_FLOAT && class != H5T_INTEGER) return no_table(d->path, d->name, "numbers are needed", error);
    let_go(d);
    return ARNE_OK;
}

static arne_status open_set(const char *path, const char *name, void **set, int64_t *rows, int *columns, arne_error *error)
{
    *set = NULL;
    dataset *d = calloc(1, sizeof *d);
    if (!d) return NO_MEMORY(error);
    d->file = d->set = -1;
    d->path = strdup(path);
    d->name = strdup(name);
    const arne_status status = d->path && d->name ? look_at(d, error) : NO_MEMORY(error);
    if (status) {
        close_set(d);
        return status;
    }
    *rows = (int64_t)d->shape[0];
    *columns = (int)d->shape[1];
    *set = d;
    return ARNE_OK;
}

/* The rows from..from + count of a dataset of this rank. */
static hid_t rows_of(hid_t set, int rank, const hsize_t *shape, int64_t from, int64_t count)
{
    const hid_t space = H5Dget_space(set);
    const hsize_t start[3] = {(hsize_t)from, 0, 0}, size[3] = {(hsize_t)count, rank > 1 ? shape[1] : 1, rank > 2 ? shape[2] : 1};
    if (space >= 0) H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL);
    return space;
}

static arne_status read_set(void *set, int64_t from, int64_t count, double *to, arne_error *error)
{
    dataset *d = set;
    const arne_status status = d->set < 0 ? hold(d, error) : ARNE_OK;
    if (status) return status;
    const hsize_t all = (hsize_t)count * d->shape[1];
    const hid_t space = rows_of(d->set, d->rank, d->shape, from, count), memory = H5Screate_simple(1, &all, NULL);
    const herr_t read = H5Dread(d->set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, to);
    H5Sclose(memory);
    H5Sclose(space);
    return read < 0 ? no_table(d->path, d->name, "cannot be read; the file was cut off", error) : ARNE_OK;
}

/* ---- datasets that grow ---- */

typedef struct {
    hid_t file;
    char *path;
    int64_t rows;
    int count;
    struct grown {
        hid_t set;
        int rank;
        hsize_t shape[3];
    } * list;
} growing;

static bool grow_one(hid_t file, const hdf5_table *t, struct grown *x)
{
    const hsize_t columns = (hsize_t)t->columns, deep = t->deep > 1 ? (hsize_t)t->deep : 1;
    const hsize_t most[] = {H5S_UNLIMITED, columns, deep}, row = 8 * columns * deep;
    const hsize_t chunk[] = {row < 524288 ? 1048576 / row : 1, columns, deep};
    *x = (struct grown){-1, rank_of(t), {0, columns, deep}};
    const hid_t space = H5Screate_simple(x->rank, x->shape, most), how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(how, false);
    H5Pset_chunk(how, x->rank, chunk);
    x->set = make_set(file, t, space, how);
    H5Pclose(how);
    H5Sclose(space);
    return x->set >= 0;
}

static arne_status end(void *sets, arne_error *error)
{
    growing *g = sets;
    bool fine = true;
    for (int i = 0; i < g->count; i++) fine &= H5Dclose(g->list[i].set) >= 0;
    if (g->file >= 0) fine &= H5Fclose(g->file) >= 0;
    const arne_status status = fine ? ARNE_OK : disk_full(g->path, error);
    free(g->list);
    free(g->path);
    free(g);
    return status;
}

static arne_status begin(const char *path, const hdf5_table *tables, int count, void **sets, arne_error *error)
{
    be_quiet();
    *sets = NULL;
    growing *g = calloc(1, sizeof *g);
    if (g) g->list = calloc((size_t)count, sizeof *g->list), g->path = strdup(path);
    if (!g || !g->list || !g->path) {
        if (g) free(g->list), free(g->path);
        free(g);
        return NO_MEMORY(error);
    }
    g->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    arne_status status = g->file >= 0 ? ARNE_OK : arne_fail(error, ARNE_CANNOT_WRITE, path, 0, "cannot be written as HDF5");
    for (; g->count < count && !status; g->count += !status)
        if (!grow_one(g->file, &tables[g->count], &g->list[g->count]))
            status = no_table(path, tables[g->count].name, "cannot be made", error);
    if (status)
        end(g, NULL);
    else
        *sets = g;
    return status;
}

static arne_status append(void *sets, int64_t count, const double *const *x, arne_error *error)
{
    growing *g = sets;
    bool fine = true;
    for (int i = 0; i < g->count && fine; i++) {
        struct grown *d = &g->list[i];
        d->shape[0] = (hsize_t)(g->rows + count);
        const hsize_t all = (hsize_t)count * d->shape[1] * d->shape[2];
        fine = H5Dset_extent(d->set, d->shape) >= 0;
        const hid_t space = rows_of(d->set, d->rank, d->shape, g->rows, count), memory = H5Screate_simple(1, &all, NULL);
        fine = fine && H5Dwrite(d->set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, x[i]) >= 0;
        H5Sclose(memory);
        H5Sclose(space);
    }
    g->rows += count;
    return fine ? ARNE_OK : disk_full(g->path, error);
}

__attribute__((visibility("default"))) const hdf5_module *arne_hdf5_module(void)
{
    static const hdf5_module table = {create, drop, find, note, has, open_set, read_set, close_set, begin, append, end};
    return &table;
}
