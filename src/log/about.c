/* SPDX-License-Identifier: MIT
 *
 * about.c - tells what is in a file of numbers: the robot, its joints and their limits, what happened. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arne/positions.h"
#include "base/json.h"
#include "log/about.h"

static void tell_limits(const arne_model *m, text_buffer *t)
{
    static const char *const keys[] = {"effort", "velocity", "lower", "upper"};
    arne__json_open(t, "limits", '{');
    for (int k = 0; k < 4; k++) {
        arne__json_open(t, keys[k], '[');
        for (int i = 0; i < arne_model_nv(m); i++) {
            const arne_limits *l = arne_joint_limits(m, arne_velocity_joint(m, i));
            const double v[] = {l->effort > 0 ? l->effort : INFINITY, l->velocity > 0 ? l->velocity : INFINITY, l->lower,
                                l->upper};
            arne__json_number(t, NULL, v[k]);
        }
        arne__json_close(t, ']');
    }
    arne__json_close(t, '}');
}

static void tell_events(const arne_about *a, text_buffer *t)
{
    arne__json_open(t, "events", '[');
    for (int i = 0; i < a->nevent; i++) {
        const arne_about_event *e = &a->events[i];
        json_object(t, NULL, NUMBER("t", e->t), NUMBER("end", e->end), TEXT("kind", e->kind), TEXT("text", e->text));
    }
    arne__json_close(t, ']');
}

/* The largest distance: of the joints that turn, else of those that slide. */
static void tell_tracking(const arne_about *a, text_buffer *t)
{
    int worst = -1;
    for (int slides = 0; slides < 2 && worst < 0 && a->errors; slides++)
        for (int i = 0; i < arne_model_nv(a->of); i++)
            if (arne_velocity_turns(a->of, i) == !slides && arne_velocity_position(a->of, i) >= 0 &&
                (worst < 0 || a->errors[i] > a->errors[worst]))
                worst = i;
    if (worst < 0) {
        arne__json_string(t, "tracking", NULL);
        return;
    }
    arne__json_open(t, "tracking", '{');
    json_members(t, TEXT("joint", arne_velocity_name(a->of, worst)), NUMBER("error", a->errors[worst]));
    arne__json_numbers(t, "errors", a->errors, arne_model_dof(a->of));
    arne__json_close(t, '}');
}

static void tell_judged(const arne_about *a, text_buffer *t)
{
    if (a->purpose) arne__json_string(t, "purpose", a->purpose);
    if (a->verdict) json_members(t, TEXT("verdict", a->verdict), TEXT("why", a->why ? a->why : ""));
    arne__json_open(t, "payload", '[');
    for (int i = 0; i < a->npayload; i++) {
        const arne_about_payload *p = &a->payloads[i];
        arne__json_open(t, NULL, '{');
        json_members(t, TEXT("link", p->link), NUMBER("mass", p->mass));
        arne__json_numbers(t, "com", p->com, 3);
        arne__json_close(t, '}');
    }
    arne__json_close(t, ']');
    tell_tracking(a, t);
}

static void tell_summary(const arne_about *a, text_buffer *t)
{
    arne__json_open(t, "summary", '{');
    if (isfinite(a->wall)) arne__json_number(t, "wall_s", a->wall);
    for (int i = 0; i < a->nsummary; i++) {
        const arne_about_numbers *x = &a->summary[i];
        if (x->count)
            arne__json_numbers(t, x->name, x->values, x->count);
        else
            arne__json_number(t, x->name, *x->values);
    }
    arne__json_close(t, '}');
}

static arne_status hand_over(text_buffer *t, char **text, arne_error *error)
{
    *text = t->s;
    if (!t->failed) return ARNE_OK;
    arne__text_free(t);
    *text = NULL;
    return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
}

arne_status arne_about_judged(const arne_about *a, char **text, arne_error *error)
{
    text_buffer t = {0};
    tell_judged(a, &t);
    return hand_over(&t, text, error);
}

arne_status arne_about_text(const arne_about *a, char **text, arne_error *error)
{
    const arne_model *m = a->of;
    text_buffer t = {0};
    arne__json_open(&t, NULL, '{');
    json_members(&t, TEXT("arne", a->kind), NUMBER("version", 1), TEXT("title", a->title ? a->title : ""),
                 TEXT("robot", a->robot), TEXT("model", arne_model_name(m)), NUMBER("dof", arne_model_dof(m)));
    arne__json_open(&t, "joints", '[');
    for (int i = 0; i < arne_model_nv(m); i++) arne__json_string(&t, NULL, arne_velocity_name(m, i));
    arne__json_close(&t, ']');
    if (a->base) arne__json_string(&t, "base", a->base);
    if (a->mimic) arne__json_string(&t, "mimic", a->mimic);
    if (a->controller) arne__json_string(&t, "controller", a->controller);
    if (a->integrator) arne__json_string(&t, "integrator", a->integrator);
    if (isfinite(a->period)) arne__json_number(&t, "period", a->period);
    json_members(&t, NUMBER("duration", a->duration), TEXT("status", a->status ? a->status : "finished"),
                 TEXT("message", a->message ? a->message : ""));
    tell_judged(a, &t);
    tell_limits(m, &t);
    arne__json_numbers(&t, "thresholds", a->thresholds, arne_model_dof(m));
    arne__json_string(&t, "link", a->link);
    tell_events(a, &t);
    tell_summary(a, &t);
    arne__json_close(&t, '}');
    arne__text_put(&t, "\n");
    return hand_over(&t, text, error);
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

arne_status arne__about_open(const arne_about *a, const char *path, whole_file *w, char **name, arne_error *error)
{
    char *text = NULL;
    if (!(*name = arne_about_path(path))) return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    if (!strcmp(*name, path)) return ARNE_OK;
    arne_status status = arne_about_text(a, &text, error);
    if (!status) status = arne__whole_open(w, *name, error);
    if (!status) fputs(text, w->file);
    free(text);
    return status;
}

arne_status arne_about_write(const arne_about *a, const char *path, arne_error *error)
{
    struct stat kind;
    if (stat(path, &kind) || !S_ISREG(kind.st_mode)) return ARNE_OK; /* beside a device or a pipe is no place */
    whole_file w = {0};
    char *name;
    const arne_status status = arne__whole_close(&w, arne__about_open(a, path, &w, &name, error), error);
    free(name);
    return status;
}
