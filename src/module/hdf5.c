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

/* HDF5 would print a stack of errors by itself. */
static void be_quiet(void) { H5Eset_auto2(H5E_DEFAULT, NULL, NULL); }

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
    if (t->kind == 'd') return H5Tcopy(H5T_IEEE_F64LE);
    if (t->kind == 'b') return H5Tcopy(H5T_STD_U8LE);
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, (size_t)t->columns);
    return type;
}

static bool write_table(hid_t file, int64_t rows, hdf5_table *t)
{
    const hsize_t shape[] = {(hsize_t)rows, (hsize_t)t->columns};
    const hid_t type = type_of(t), space = H5Screate_simple(t->kind == 's' || t->columns == 1 ? 1 : 2, shape, NULL);
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    const double none = (double)NAN;
    H5Pset_obj_track_times(how, false);
    H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
    if (t->kind == 'd') H5Pset_fill_value(how, H5T_NATIVE_DOUBLE, &none);
    const hid_t set = H5Dcreate2(file, t->name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    bool fine = set >= 0;
    if (fine) {
        const haddr_t place = H5Dget_offset(set);
        t->place = (int64_t)place;
        fine = place != HADDR_UNDEF && (!t->about || write_note(set, "about", t->about));
        H5Dclose(set);
    }
    H5Pclose(how);
    H5Sclose(space);
    H5Tclose(type);
    return fine;
}

static arne_status create(const char *path, int64_t rows, hdf5_table *tables, int count, const hdf5_note *notes, int nnote,
                          arne_error *error)
{
    be_quiet();
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (file < 0) return arne_fail(error, ARNE_CANNOT_WRITE, path, 0, "cannot be made");
    bool fine = true;
    for (int i = 0; i < nnote && fine; i++) fine = write_note(file, notes[i].name, notes[i].text);
    for (int i = 0; i < count && fine; i++) fine = write_table(file, rows, &tables[i]);
    fine &= H5Fclose(file) >= 0;
    return fine ? ARNE_OK : arne_fail(error, ARNE_CANNOT_WRITE, path, 0, "cannot be written; is the disk full?");
}

static arne_status no_table(const char *path, const char *name, const char *why, arne_error *error)
{
    return arne_fail(error, ARNE_BAD_VALUE, path, 0, "dataset /%s: %s", name, why);
}

static arne_status find_table(const char *path, hid_t file, int64_t *rows, hdf5_table *t, arne_error *error)
{
    const hid_t set = H5Dopen2(file, t->name, H5P_DEFAULT);
    if (set < 0) return no_table(path, t->name, "is not there", error);
    hsize_t shape[2] = {0, 1};
    const hid_t space = H5Dget_space(set), type = H5Dget_type(set), wanted = type_of(t);
    const int rank = H5Sget_simple_extent_ndims(space);
    const bool shaped = rank >= 1 && rank <= 2 && H5Sget_simple_extent_dims(space, shape, NULL) >= 0;
    const bool typed = t->kind == 's' ? H5Tget_class(type) == H5T_STRING : H5Tequal(type, wanted) > 0;
    const haddr_t place = H5Dget_offset(set);
    if (t->kind == 's') shape[1] = (hsize_t)H5Tget_size(type);
    H5Tclose(wanted);
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(set);
    if (!shaped || !typed || place == HADDR_UNDEF) return no_table(path, t->name, "is none of a sweep", error);
    if ((*rows >= 0 && (int64_t)shape[0] != *rows) || (t->columns && (hsize_t)t->columns != shape[1]))
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

__attribute__((visibility("default"))) const hdf5_module *arne_hdf5_module(void)
{
    static const hdf5_module table = {create, find, note};
    return &table;
}
