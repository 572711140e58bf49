/* SPDX-License-Identifier: MIT
 *
 * file.c - the file of a sweep: made whole at once, then filled row by row; read as tables. The state of a run is written last,
 * so a row is there with all its numbers or it is not there. */
#include "sweep/file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arne/arne.h"
#include "base/fail.h"
#include "base/text.h"

row_shape arne__row_shape(int d, int n)
{
#define SWEEP_WIDTH(name, width, what) width,
    row_shape s = {.drawn = d, .joints = n, .width = {ARNE_SWEEP_TABLES(SWEEP_WIDTH)}};
#undef SWEEP_WIDTH
    for (int i = 0; i < NUMBERS; i++) {
        s.at[i] = s.all;
        s.all += s.width[i];
    }
    return s;
}

static void tables_of(const row_shape *s, hdf5_table *t)
{
#define SWEEP_TABLE(name, width, what) {#name, 'd', 0, 1, what, 0},
    const hdf5_table all[TABLES] = {
        ARNE_SWEEP_TABLES(SWEEP_TABLE){"state", 'b', 1, 1, "0: not run yet, 1: finished, 2: failed", 0},
        {"message", 's', MESSAGE_SIZE, 1, "why it failed", 0}};
#undef SWEEP_TABLE
    memcpy(t, all, sizeof all);
    for (int i = 0; i < NUMBERS && s; i++) t[i].columns = s->width[i];
}

static arne_status hdf5(const hdf5_module **h, arne_error *error)
{
    const void *table;
    const arne_status status = arne__module("hdf5", &table, error);
    *h = table;
    return status;
}

/* ---- to write ---- */

static void put_names(text_buffer *t, const char *name) { arne__text_add(t, "%s%s", t->length ? "\n" : "", name); }

/* What stands in the file beside the tables. */
enum { NOTES = 10 };
typedef struct {
    hdf5_note note[NOTES];
    text_buffer drawn, joints;
    char *settings;
    char seed[32], print[32];
} sweep_notes;

static bool make_notes(sweep_notes *k, const sweep_name *name)
{
    *k = (sweep_notes){0};
    for (int i = 0; i < arne_variation_count(name->v); i++) put_names(&k->drawn, arne_variation_name(name->v, i));
    for (int i = 0; i < arne_model_nv(name->first->model); i++) put_names(&k->joints, arne_velocity_name(name->first->model, i));
    k->settings = arne_variation_settings(name->v);
    snprintf(k->seed, sizeof k->seed, "%llu", (unsigned long long)name->seed);
    snprintf(k->print, sizeof k->print, "%016llx", (unsigned long long)arne_model_fingerprint(name->first->model));
    const hdf5_note all[NOTES] = {{"kind", "arne sweep"},
                                  {"scenario", arne_variation_text(name->v)},
                                  {"path", name->path},
                                  {"title", name->first->title ? name->first->title : ""},
                                  {"robot", arne_model_name(name->first->model)},
                                  {"drawn", arne__text_string(&k->drawn)},
                                  {"joints", arne__text_string(&k->joints)},
                                  {"settings", k->settings},
                                  {"seed", k->seed},
                                  {"fingerprint", k->print}};
    memcpy(k->note, all, sizeof all);
    return k->settings && !k->drawn.failed && !k->joints.failed;
}

static void free_notes(sweep_notes *k)
{
    arne__text_free(&k->drawn);
    arne__text_free(&k->joints);
    free(k->settings);
}

/* Under another name first, so that it is never seen half made. */
static arne_status make(const hdf5_module *h, sweep_file *f, const sweep_notes *k, arne_error *error)
{
    text_buffer part = {0};
    arne__text_add(&part, "%s.part", f->path);
    arne_status status = part.failed ? NO_MEMORY(error) : ARNE_OK;
    const int room = status ? -1 : open(part.s, O_WRONLY | O_CREAT | O_TRUNC, 0666); /* it tells better than HDF5 why not */
    if (!status && room < 0) status = arne_fail(error, ARNE_CANNOT_WRITE, f->path, 0, "%s", strerror(errno));
    if (room >= 0) close(room);
    if (!status) status = h->create(part.s, false, f->runs, f->tables, TABLES, k->note, NOTES, error);
    if (!status && rename(part.s, f->path)) status = arne_fail(error, ARNE_CANNOT_WRITE, f->path, 0, "%s", strerror(errno));
    if (status && part.s) remove(part.s);
    arne__text_free(&part);
    return status;
}

/* Is the file that is there of the same sweep? */
static arne_status compare(const hdf5_module *h, sweep_file *f, const sweep_notes *k, arne_error *error)
{
    static const struct {
        const char *name, *words;
    } same[] = {{"scenario", "the scenario has changed since"},
                {"settings", "other values were set"},
                {"seed", "it has another seed"},
                {"joints", "its robot is another"},
                {"fingerprint", "the robot has changed since"}};
    int64_t rows;
    arne_status status = h->find(f->path, &rows, f->tables, TABLES, error);
    for (size_t i = 0; i < sizeof same / sizeof *same && !status; i++) {
        char *text = NULL;
        const hdf5_note *own = k->note;
        while (strcmp(own->name, same[i].name)) own++;
        status = h->note(f->path, own->name, &text, error);
        if (!status && (!text || strcmp(text, own->text)))
            status = arne_fail(error, ARNE_BAD_VALUE, f->path, 0,
                               "is of another sweep: %s; give another --out, or remove it to begin anew", same[i].words);
        free(text);
    }
    if (!status && rows != f->runs)
        status = arne_fail(error, ARNE_BAD_VALUE, f->path, 0, "has %lld runs, not %lld; give --runs %lld, or another --out",
                           (long long)rows, (long long)f->runs, (long long)rows);
    return status;
}

static arne_status read_all(int handle, const char *path, int64_t place, void *to, size_t size, arne_error *error)
{
    for (size_t had = 0; had < size;) {
        const ssize_t n = pread(handle, (char *)to + had, size - had, (off_t)place + (off_t)had);
        if (n <= 0) return arne_fail(error, ARNE_BAD_SYNTAX, path, 0, "%s", n ? strerror(errno) : "it was cut off");
        had += (size_t)n;
    }
    return ARNE_OK;
}

arne_status arne__sweep_open(sweep_file *f, const char *path, const sweep_name *name, int64_t runs, unsigned char **state,
                             arne_error *error)
{
    const hdf5_module *h;
    sweep_notes notes;
    *state = NULL;
    *f = (sweep_file){.path = path,
                      .handle = -1,
                      .runs = runs,
                      .shape = arne__row_shape(arne_variation_count(name->v), arne_model_nv(name->first->model))};
    tables_of(&f->shape, f->tables);
    arne_status status = hdf5(&h, error);
    if (status) return status;
    if (!make_notes(&notes, name))
        status = NO_MEMORY(error);
    else
        status = access(path, F_OK) ? make(h, f, &notes, error) : compare(h, f, &notes, error);
    free_notes(&notes);
    if (status) return status;
    f->handle = open(path, O_RDWR);
    if (f->handle < 0) return arne_fail(error, ARNE_CANNOT_WRITE, path, 0, "%s", strerror(errno));
    *state = malloc((size_t)runs + 1);
    return *state ? read_all(f->handle, path, f->tables[STATE].place, *state, (size_t)runs, error) : NO_MEMORY(error);
}

static bool write_at(int handle, int64_t place, const void *from, size_t size)
{
    return pwrite(handle, from, size, (off_t)place) == (ssize_t)size;
}

arne_status arne__sweep_write(const sweep_file *f, const sweep_row *row, arne_error *error)
{
    bool fine = true;
    for (int i = 0; i < NUMBERS && fine; i++) {
        const size_t size = (size_t)f->shape.width[i] * sizeof(double);
        fine = write_at(f->handle, f->tables[i].place + row->run * (int64_t)size, row->number + f->shape.at[i], size);
    }
    fine = fine && write_at(f->handle, f->tables[MESSAGE].place + row->run * MESSAGE_SIZE, row->message, MESSAGE_SIZE);
    fine = fine && write_at(f->handle, f->tables[STATE].place + row->run, &row->state, 1);
    return fine ? ARNE_OK : arne_fail(error, ARNE_CANNOT_WRITE, f->path, 0, "%s", strerror(errno));
}

void arne__sweep_close(sweep_file *f)
{
    if (f->handle >= 0) close(f->handle);
    f->handle = -1;
}

/* ---- to read ---- */

/* Lines of a text, each from malloc. */
static arne_status lines(const char *text, char ***out, int *count, arne_error *error)
{
    *count = 0;
    for (const char *s = text; s && *s; (*count)++) s = strchr(s, '\n') ? strchr(s, '\n') + 1 : NULL;
    *out = calloc((size_t)*count + 1, sizeof **out);
    for (int i = 0; *out && i < *count; i++) {
        const size_t n = strcspn(text, "\n");
        if (!((*out)[i] = strndup(text, n))) return NO_MEMORY(error);
        text += n + (text[n] != '\0');
    }
    return *out ? ARNE_OK : NO_MEMORY(error);
}

static arne_status read_notes(const hdf5_module *h, const char *path, arne_sweep *s, arne_error *error)
{
    char *kind = NULL, *drawn = NULL, *joints = NULL, *seed = NULL;
    const struct {
        const char *name;
        char **to;
    } notes[] = {{"kind", &kind},    {"scenario", &s->scenario}, {"title", &s->title}, {"robot", &s->robot},
                 {"path", &s->path}, {"drawn", &drawn},          {"joints", &joints},  {"seed", &seed}};
    arne_status status = ARNE_OK;
    for (size_t i = 0; i < sizeof notes / sizeof *notes && !status; i++) {
        status = h->note(path, notes[i].name, notes[i].to, error);
        if (!status && !*notes[i].to) status = arne_fail(error, ARNE_BAD_VALUE, path, 0, "is no file of arne sweep");
    }
    if (!status) status = lines(drawn, &s->drawn, &s->ndrawn, error);
    if (!status) status = lines(joints, &s->joints, &s->njoint, error);
    if (!status) s->seed = strtoull(seed, NULL, 10);
    free(kind);
    free(drawn);
    free(joints);
    free(seed);
    return status;
}

arne_status arne_sweep_read(const char *path, arne_sweep **out, arne_error *error)
{
    const hdf5_module *h;
    int64_t rows = 0;
    if (out) *out = NULL;
    if (!path || !out) return BAD_ARGUMENT(error, "a sweep needs a path and a place");
    if (access(path, R_OK)) return arne_fail(error, ARNE_NO_FILE, path, 0, "%s", strerror(errno));
    arne_sweep *s = calloc(1, sizeof *s);
    if (!s) return NO_MEMORY(error);
    arne_status status = hdf5(&h, error);
    if (!status) status = read_notes(h, path, s, error);
    const row_shape shape = arne__row_shape(s->ndrawn, s->njoint);
    hdf5_table tables[TABLES];
    tables_of(&shape, tables);
    if (!status) status = h->find(path, &rows, tables, TABLES, error);
    const int handle = status ? -1 : open(path, O_RDONLY);
    if (!status && handle < 0) status = arne_fail(error, ARNE_NO_FILE, path, 0, "%s", strerror(errno));
    s->runs = (long)rows;
#define SWEEP_FIELD(name, width, what) (void **)&s->name,
    void **const fields[TABLES] = {ARNE_SWEEP_TABLES(SWEEP_FIELD)(void **) & s->state, (void **)&s->message};
#undef SWEEP_FIELD
    for (int i = 0; i < TABLES && !status; i++) {
        const size_t size = (size_t)rows * (size_t)tables[i].columns * (tables[i].kind == 'd' ? sizeof(double) : 1);
        *fields[i] = malloc(size + 1);
        status = *fields[i] ? read_all(handle, path, tables[i].place, *fields[i], size, error) : NO_MEMORY(error);
    }
    if (handle >= 0) close(handle);
    if (status)
        arne_sweep_free(s);
    else
        *out = s;
    return status;
}

void arne_sweep_free(arne_sweep *s)
{
    if (!s) return;
    for (int i = 0; s->drawn && i < s->ndrawn; i++) free(s->drawn[i]);
    for (int i = 0; s->joints && i < s->njoint; i++) free(s->joints[i]);
    free(s->drawn);
    free(s->joints);
    free(s->scenario);
    free(s->title);
    free(s->robot);
    free(s->path);
    free(s->state);
    free(s->message);
#define SWEEP_FREE(name, width, what) free(s->name);
    ARNE_SWEEP_TABLES(SWEEP_FREE)
#undef SWEEP_FREE
    free(s);
}
