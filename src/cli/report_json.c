/* SPDX-License-Identifier: MIT
 *
 * report_json.c - the JSON file beside a run: what the numbers of the table are about. It may lack anything, but what is there
 * must be of the right type. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "cli/report.h"
#include "cli/about.h"

enum { LARGEST = 64 << 20, MOST_JOINTS = 10000 };

/* *text from malloc, NULL: there is no such file. */
static int read_text(const char *path, char **text)
{
    *text = NULL;
    FILE *f = fopen(path, "r");
    if (!f && errno == ENOENT) return CLI_OK;
    if (!f) return complain_at(path, 0, "cannot open: %s", strerror(errno));
    size_t length = 0, room = 0;
    int status = CLI_OK;
    for (;;) {
        if (length + 4096 > room) {
            room = 2 * room + 8192;
            char *more = realloc(*text, room);
            if (!more || length > LARGEST) {
                if (more) *text = more;
                status = more ? complain_at(path, 0, "the file is too large for the description of a run") : no_memory();
                break;
            }
            *text = more;
        }
        const size_t n = fread(*text + length, 1, room - length - 1, f);
        length += n;
        if (!n) break;
    }
    if (!status && ferror(f)) status = complain_at(path, 0, "cannot read: %s", strerror(errno));
    fclose(f);
    if (status) {
        free(*text);
        *text = NULL;
        return status;
    }
    (*text)[length] = 0;
    return CLI_OK;
}

typedef struct {
    const char *file;
    int status; /* of the first fault */
} reader;

static void fault(reader *d, const char *key, const char *what)
{
    if (!d->status) d->status = complain_at(d->file, 0, "\"%.60s\" should be %s", key, what);
}

static const cJSON *item(const cJSON *from, const char *key)
{
    const cJSON *x = cJSON_GetObjectItemCaseSensitive(from, key);
    return x && !cJSON_IsNull(x) ? x : NULL;
}

static char *text_of(reader *d, const cJSON *from, const char *key)
{
    const cJSON *x = item(from, key);
    if (!x) return NULL;
    if (!cJSON_IsString(x)) {
        fault(d, key, "a text");
        return NULL;
    }
    if (!x->valuestring[0]) return NULL;
    char *copy = strdup(x->valuestring);
    if (!copy && !d->status) d->status = no_memory();
    return copy;
}

static double number_of(reader *d, const cJSON *from, const char *key)
{
    const cJSON *x = item(from, key);
    if (!x) return (double)NAN;
    if (cJSON_IsNumber(x) && isfinite(x->valuedouble)) return x->valuedouble;
    fault(d, key, "a number");
    return (double)NAN;
}

/* A list of dof numbers, null for none. */
static double *numbers_of(reader *d, const cJSON *from, const char *key, int dof)
{
    const cJSON *list = item(from, key);
    if (!list || !dof) return NULL;
    double *x = malloc((size_t)dof * sizeof *x);
    if (!x) {
        if (!d->status) d->status = no_memory();
        return NULL;
    }
    if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) != dof) fault(d, key, "a list with a number for every joint");
    int i = 0;
    for (const cJSON *e = cJSON_IsArray(list) ? list->child : NULL; e && i < dof; e = e->next, i++) {
        x[i] = cJSON_IsNumber(e) && isfinite(e->valuedouble) ? e->valuedouble : (double)NAN;
        if (!cJSON_IsNumber(e) && !cJSON_IsNull(e)) fault(d, key, "a list of numbers");
    }
    while (i < dof) x[i++] = (double)NAN;
    return x;
}

static void take_joints(reader *d, const cJSON *top, report_run *r)
{
    const cJSON *list = item(top, "joints");
    const double dof = number_of(d, top, "dof");
    if (dof != dof && !list) return;
    if (!(dof >= 1 && dof <= MOST_JOINTS) || dof != floor(dof)) {
        fault(d, "dof", "the number of joints");
        return;
    }
    r->dof = (int)dof;
    if (!list) return;
    if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) != r->dof) {
        fault(d, "joints", "a list with the names of all joints");
        return;
    }
    if (!(r->joints = calloc((size_t)r->dof, sizeof *r->joints))) {
        d->status = no_memory();
        return;
    }
    int i = 0;
    for (const cJSON *e = list->child; e; e = e->next, i++) {
        if (!cJSON_IsString(e)) fault(d, "joints", "a list of names");
        if (!(r->joints[i] = strdup(cJSON_IsString(e) ? e->valuestring : "")) && !d->status) d->status = no_memory();
    }
}

static int by_time(const void *a, const void *b)
{
    const double x = ((const report_event *)a)->t, y = ((const report_event *)b)->t;
    return (x > y) - (x < y);
}

static void take_events(reader *d, const cJSON *top, report_run *r)
{
    const cJSON *list = item(top, "events");
    if (!list) return;
    if (!cJSON_IsArray(list)) {
        fault(d, "events", "a list");
        return;
    }
    r->events = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *r->events);
    if (!r->events) {
        d->status = no_memory();
        return;
    }
    for (const cJSON *e = list->child; e && !d->status; e = e->next) {
        report_event *v = &r->events[r->nevent++];
        *v = (report_event){number_of(d, e, "t"), number_of(d, e, "end"), text_of(d, e, "kind"), text_of(d, e, "text")};
        if (isnan(v->t) || !v->kind) fault(d, "events", "a list of {\"t\", \"end\", \"kind\", \"text\"}");
    }
    if (r->nevent) qsort(r->events, (size_t)r->nevent, sizeof *r->events, by_time);
}

static void take(reader *d, const cJSON *top, report_run *r)
{
    if (!cJSON_IsObject(top)) {
        d->status = complain_at(d->file, 0, "this is not the description of a run: it should be a JSON object");
        return;
    }
    r->kind = text_of(d, top, "arne");
    if (!r->kind && !d->status)
        d->status = complain_at(d->file, 0, "this is not the description of a run: it has no \"arne\": \"run\"; rename the file");
    r->title = text_of(d, top, "title");
    r->robot_name = text_of(d, top, "robot");
    r->model = text_of(d, top, "model");
    r->controller = text_of(d, top, "controller");
    r->integrator = text_of(d, top, "integrator");
    r->status = text_of(d, top, "status");
    r->message = text_of(d, top, "message");
    r->link = text_of(d, top, "link");
    r->period = number_of(d, top, "period");
    take_joints(d, top, r);
    const cJSON *limits = item(top, "limits"), *summary = item(top, "summary");
    r->effort = numbers_of(d, limits, "effort", r->dof);
    r->velocity = numbers_of(d, limits, "velocity", r->dof);
    r->lower = numbers_of(d, limits, "lower", r->dof);
    r->upper = numbers_of(d, limits, "upper", r->dof);
    r->threshold = numbers_of(d, top, "thresholds", r->dof);
    r->wall = number_of(d, summary, "wall_s");
    take_events(d, top, r);
}

int report_take_json(report_run *r)
{
    char *path = json_beside(r->path), *text = NULL;
    if (!path) return no_memory();
    int status = strcmp(path, r->path) ? read_text(path, &text) : CLI_OK;
    if (!status && text) {
        const char *end = text;
        cJSON *top = cJSON_ParseWithOpts(text, &end, true);
        reader d = {path, CLI_OK};
        if (top) {
            take(&d, top, r);
            status = d.status;
        } else {
            int line = 1;
            for (const char *c = text; end && c < end; c++) line += *c == '\n';
            status = complain_at(path, line, "this is not JSON");
        }
        cJSON_Delete(top);
    }
    free(text);
    free(path);
    return status;
}
