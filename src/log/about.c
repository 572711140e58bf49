/* SPDX-License-Identifier: MIT
 *
 * about.c - tells what is in a file of numbers: the robot, its joints and their limits, what happened. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cjson/cJSON.h>

#include "arne/log.h"
#include "base/text.h"
#include "base/whole.h"

/* ---- JSON: every item through one door, so that a lack of memory is seen ---- */

static void put(cJSON *to, const char *key, cJSON *item, bool *failed)
{
    if (item && (key ? cJSON_AddItemToObject(to, key, item) : cJSON_AddItemToArray(to, item))) return;
    cJSON_Delete(item);
    *failed = true;
}

/* NULL: null. What is no UTF-8 becomes U+FFFD. */
static cJSON *string(const char *text)
{
    if (!text) return cJSON_CreateNull();
    text_buffer clean = {0};
    for (size_t n; *text; text += n ? n : 1) {
        n = arne__utf8_length(text);
        arne__text_bytes(&clean, n ? text : "\xEF\xBF\xBD", n ? n : 3);
    }
    cJSON *item = clean.failed ? NULL : cJSON_CreateString(arne__text_string(&clean));
    arne__text_free(&clean);
    return item;
}

/* count 0: one number; NULL: null. What is not finite becomes null. */
static cJSON *numbers(const double *x, int count)
{
    if (!x) return cJSON_CreateNull();
    return count ? cJSON_CreateDoubleArray(x, count) : cJSON_CreateNumber(*x);
}

/* The list that every other member of a struct arne_limits makes. */
static cJSON *limits_of(const arne_model *m, bool *failed)
{
    static const char *const keys[] = {"effort", "velocity", "lower", "upper"};
    cJSON *all = cJSON_CreateObject();
    for (int k = 0; k < 4; k++) {
        cJSON *list = cJSON_CreateArray();
        for (int i = 0; i < arne_model_dof(m); i++) {
            const arne_limits *l = arne_joint_limits(m, i);
            const double v[] = {l->effort > 0 ? l->effort : INFINITY, l->velocity > 0 ? l->velocity : INFINITY, l->lower,
                                l->upper};
            put(list, NULL, cJSON_CreateNumber(v[k]), failed);
        }
        put(all, keys[k], list, failed);
    }
    return all;
}

static cJSON *events_of(const arne_about *a, bool *failed)
{
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < a->nevent; i++) {
        const arne_about_event *e = &a->events[i];
        cJSON *event = cJSON_CreateObject();
        put(event, "t", cJSON_CreateNumber(e->t), failed);
        put(event, "end", cJSON_CreateNumber(e->end), failed);
        put(event, "kind", string(e->kind), failed);
        put(event, "text", string(e->text), failed);
        put(list, NULL, event, failed);
    }
    return list;
}

static cJSON *summary_of(const arne_about *a, bool *failed)
{
    cJSON *all = cJSON_CreateObject();
    if (isfinite(a->wall)) put(all, "wall_s", cJSON_CreateNumber(a->wall), failed);
    for (int i = 0; i < a->nsummary; i++)
        put(all, a->summary[i].name, numbers(a->summary[i].values, a->summary[i].count), failed);
    return all;
}

arne_status arne_about_text(const arne_about *a, char **text, arne_error *error)
{
    const arne_model *m = a->of;
    const int n = arne_model_dof(m);
    cJSON *top = cJSON_CreateObject(), *joints = cJSON_CreateArray();
    bool failed = false;
    put(top, "arne", string(a->kind), &failed);
    put(top, "version", cJSON_CreateNumber(1), &failed);
    put(top, "title", string(a->title ? a->title : ""), &failed);
    put(top, "robot", string(a->robot), &failed);
    put(top, "model", string(arne_model_name(m)), &failed);
    put(top, "dof", cJSON_CreateNumber(n), &failed);
    for (int i = 0; i < n; i++) put(joints, NULL, string(arne_joint_name(m, i)), &failed);
    put(top, "joints", joints, &failed);
    if (a->controller) put(top, "controller", string(a->controller), &failed);
    if (a->integrator) put(top, "integrator", string(a->integrator), &failed);
    if (isfinite(a->period)) put(top, "period", cJSON_CreateNumber(a->period), &failed);
    put(top, "duration", cJSON_CreateNumber(a->duration), &failed);
    put(top, "status", string(a->status ? a->status : "finished"), &failed);
    put(top, "message", string(a->message ? a->message : ""), &failed);
    put(top, "limits", limits_of(m, &failed), &failed);
    put(top, "thresholds", numbers(a->thresholds, n), &failed);
    put(top, "link", string(a->link), &failed);
    put(top, "events", events_of(a, &failed), &failed);
    put(top, "summary", summary_of(a, &failed), &failed);
    *text = failed ? NULL : cJSON_PrintUnformatted(top);
    cJSON_Delete(top);
    return *text ? ARNE_OK : arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
}

/* ---- files ---- */

char *arne_about_path(const char *path)
{
    const char *slash = strrchr(path, '/'), *point = strrchr(path, '.');
    const size_t stem = point && point > (slash ? slash + 1 : path) ? (size_t)(point - path) : strlen(path);
    char *name = malloc(stem + sizeof ".json");
    if (!name) return NULL;
    memcpy(name, path, stem);
    memcpy(name + stem, ".json", sizeof ".json");
    return name;
}

arne_status arne_about_write(const arne_about *a, const char *path, arne_error *error)
{
    struct stat kind;
    if (stat(path, &kind) || !S_ISREG(kind.st_mode)) return ARNE_OK; /* beside a device or a pipe is no place */
    char *name = arne_about_path(path), *text = NULL;
    arne_status status = name ? ARNE_OK : arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    if (!status && strcmp(name, path)) {
        status = arne_about_text(a, &text, error);
        if (!status) status = arne__whole_write(name, text, strlen(text), error);
    }
    free(text);
    free(name);
    return status;
}
