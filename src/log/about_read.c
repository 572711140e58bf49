/* SPDX-License-Identifier: MIT
 *
 * about_read.c - reads the file that tells what is in another. It may lack anything, but what is there must be of the right type.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "arne/log.h"
#include "base/arena.h"
#include "base/text.h"

enum { LARGEST = 64 << 20, MOST_JOINTS = 10000 };

/* The whole file; *there is false where there is none. */
static arne_status read_text(const char *path, text_buffer *t, bool *there, arne_error *error)
{
    FILE *f = fopen(path, "r");
    *there = f;
    if (!f && errno == ENOENT) return ARNE_OK;
    if (!f) return arne_fail(error, ARNE_NO_FILE, path, 0, "cannot open: %s", strerror(errno));
    char piece[4096];
    for (size_t n; (n = fread(piece, 1, sizeof piece, f)) > 0 && !t->failed && t->length <= LARGEST;)
        arne__text_bytes(t, piece, n);
    const int trouble = ferror(f) ? errno : 0;
    fclose(f);
    if (trouble) return arne_fail(error, ARNE_NO_FILE, path, 0, "cannot read: %s", strerror(trouble));
    if (t->failed) return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    if (t->length > LARGEST)
        return arne_fail(error, ARNE_BAD_SYNTAX, path, 0, "the file is too large for the description of a run");
    return ARNE_OK;
}

typedef struct {
    const char *file;
    arena *memory;
    arne_status status; /* of the first fault */
    arne_error *error;
} reader;

static void fault(reader *d, const char *key, const char *what)
{
    if (!d->status) d->status = arne_fail(d->error, ARNE_BAD_VALUE, d->file, 0, "\"%.60s\" should be %s", key, what);
}

static void *take(reader *d, size_t count, size_t size)
{
    void *memory = d->status ? NULL : arne__arena_take(d->memory, count, size);
    if (!memory && !d->status) d->status = arne_fail(d->error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    return memory;
}

static const cJSON *item(const cJSON *from, const char *key)
{
    const cJSON *x = cJSON_GetObjectItemCaseSensitive(from, key);
    return x && !cJSON_IsNull(x) ? x : NULL;
}

static const char *copy(reader *d, const char *text)
{
    char *to = take(d, strlen(text) + 1, 1);
    return to ? strcpy(to, text) : NULL;
}

/* An empty text counts as absent. */
static const char *text_of(reader *d, const cJSON *from, const char *key)
{
    const cJSON *x = item(from, key);
    if (x && !cJSON_IsString(x)) fault(d, key, "a text");
    return x && cJSON_IsString(x) && x->valuestring[0] ? copy(d, x->valuestring) : NULL;
}

static double number_of(reader *d, const cJSON *from, const char *key)
{
    const cJSON *x = item(from, key);
    if (x && cJSON_IsNumber(x) && isfinite(x->valuedouble)) return x->valuedouble;
    if (x) fault(d, key, "a number");
    return (double)NAN;
}

/* A list of dof numbers, null for none. */
static const double *numbers_of(reader *d, const cJSON *from, const char *key, int dof)
{
    const cJSON *list = item(from, key);
    if (!list || !dof) return NULL;
    if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) != dof) fault(d, key, "a list with a number for every joint");
    double *x = take(d, (size_t)dof, sizeof *x);
    int i = 0;
    for (const cJSON *e = list->child; e && x; e = e->next) {
        if (!cJSON_IsNumber(e) && !cJSON_IsNull(e)) fault(d, key, "a list of numbers");
        x[i++] = cJSON_IsNumber(e) && isfinite(e->valuedouble) ? e->valuedouble : (double)NAN;
    }
    return x;
}

static void take_joints(reader *d, const cJSON *top, arne_about *a)
{
    const cJSON *list = item(top, "joints");
    const double dof = number_of(d, top, "dof");
    if (isnan(dof) && !list) return;
    if (!(dof >= 1 && dof <= MOST_JOINTS) || dof != floor(dof)) {
        fault(d, "dof", "the number of joints");
        return;
    }
    a->dof = (int)dof;
    if (!list) return;
    if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) != a->dof) fault(d, "joints", "a list with the names of all joints");
    const char **names = a->joints = take(d, (size_t)a->dof, sizeof *names);
    for (const cJSON *e = list->child; e && names && !d->status; e = e->next) {
        if (!cJSON_IsString(e)) fault(d, "joints", "a list of names");
        *names++ = copy(d, cJSON_IsString(e) ? e->valuestring : "");
    }
}

static int by_time(const void *a, const void *b)
{
    const double x = ((const arne_about_event *)a)->t, y = ((const arne_about_event *)b)->t;
    return (x > y) - (x < y);
}

static void take_events(reader *d, const cJSON *top, arne_about *a)
{
    const cJSON *list = item(top, "events");
    if (!list) return;
    if (!cJSON_IsArray(list)) fault(d, "events", "a list");
    arne_about_event *events = take(d, (size_t)cJSON_GetArraySize(list), sizeof *events);
    for (const cJSON *e = list->child; e && !d->status; e = e->next) {
        arne_about_event *v = &events[a->nevent++];
        *v = (arne_about_event){number_of(d, e, "t"), number_of(d, e, "end"), text_of(d, e, "kind"), text_of(d, e, "text")};
        if (isnan(v->t) || !v->kind) fault(d, "events", "a list of {\"t\", \"end\", \"kind\", \"text\"}");
    }
    if (a->nevent) qsort(events, (size_t)a->nevent, sizeof *events, by_time);
    a->events = events;
}

static void take_payload(reader *d, const cJSON *top, arne_about *a)
{
    static const char right[] = "a list of {\"link\", \"mass\", \"com\": [x, y, z]}";
    const cJSON *list = item(top, "payload");
    if (!list) return;
    if (!cJSON_IsArray(list)) fault(d, "payload", right);
    arne_about_payload *p = take(d, (size_t)cJSON_GetArraySize(list), sizeof *p);
    a->payloads = p;
    for (const cJSON *e = list->child; e && !d->status; e = e->next, p++) {
        const double *com = numbers_of(d, e, "com", 3);
        *p = (arne_about_payload){text_of(d, e, "link"), number_of(d, e, "mass"), {0}};
        if (!p->link || isnan(p->mass)) fault(d, "payload", right);
        if (com) memcpy(p->com, com, sizeof p->com);
        a->npayload++;
    }
}

static void take_all(reader *d, const cJSON *top, arne_about *a)
{
    a->kind = text_of(d, top, "arne");
    if (!a->kind && !d->status)
        d->status = arne_fail(d->error, ARNE_BAD_VALUE, d->file, 0, "this is not the description of a run: it %s",
                              cJSON_IsObject(top) ? "has no \"arne\": \"run\"; rename the file" : "should be a JSON object");
    a->title = text_of(d, top, "title");
    a->robot = text_of(d, top, "robot");
    a->base = text_of(d, top, "base");
    a->mimic = text_of(d, top, "mimic");
    a->model = text_of(d, top, "model");
    a->controller = text_of(d, top, "controller");
    a->integrator = text_of(d, top, "integrator");
    a->status = text_of(d, top, "status");
    a->message = text_of(d, top, "message");
    a->link = text_of(d, top, "link");
    a->purpose = text_of(d, top, "purpose");
    a->verdict = text_of(d, top, "verdict");
    a->why = text_of(d, top, "why");
    a->period = number_of(d, top, "period");
    a->duration = number_of(d, top, "duration");
    take_joints(d, top, a);
    const cJSON *limits = item(top, "limits"), *summary = item(top, "summary");
    a->effort = numbers_of(d, limits, "effort", a->dof);
    a->velocity = numbers_of(d, limits, "velocity", a->dof);
    a->lower = numbers_of(d, limits, "lower", a->dof);
    a->upper = numbers_of(d, limits, "upper", a->dof);
    a->thresholds = numbers_of(d, top, "thresholds", a->dof);
    a->wall = number_of(d, summary, "wall_s");
    a->errors = numbers_of(d, item(top, "tracking"), "errors", a->dof);
    take_payload(d, top, a);
    take_events(d, top, a);
}

static arne_status parse(const char *name, const text_buffer *t, arne_about *a, arne_error *error)
{
    const char *text = arne__text_string(t), *end = text;
    reader d = {.file = name, .error = error, .memory = a->memory = arne__arena_new()};
    if (!d.memory) return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    errno = 0;
    cJSON *top = cJSON_ParseWithOpts(text, &end, true);
    if (!top && errno == ENOMEM) return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory"); /* cJSON does not tell */
    if (!top) {
        int line = 1;
        for (const char *c = text; end && c < end; c++) line += *c == '\n';
        return arne_fail(error, ARNE_BAD_SYNTAX, name, line, "this is not JSON");
    }
    take_all(&d, top, a);
    cJSON_Delete(top);
    return d.status;
}

arne_status arne_about_read(const char *path, arne_about *out, arne_error *error)
{
    *out = (arne_about){.period = NAN, .duration = NAN, .wall = NAN};
    char *name = arne_about_path(path);
    if (!name) return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    text_buffer t = {0};
    bool there = false;
    arne_status status = strcmp(name, path) ? read_text(name, &t, &there, error) : ARNE_OK;
    if (!status && there) status = parse(name, &t, out, error);
    arne__text_free(&t);
    free(name);
    return status;
}

void arne_about_free(arne_about *a)
{
    arne__arena_free(a->memory);
    *a = (arne_about){0};
}
