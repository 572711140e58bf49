/* SPDX-License-Identifier: MIT
 *
 * about.c - what is in a file of numbers: the robot, its joints and their limits. */
#include "cli/about.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void limit_list(const arne_model *m, const char *key, size_t offset, out *o)
{
    out_format(o, "\"%s\":[", key);
    for (int i = 0; i < arne_model_dof(m); i++) {
        if (i) out_text(o, ",");
        double x;
        memcpy(&x, (const char *)arne_joint_limits(m, i) + offset, sizeof x);
        out_number_or_null(o, x);
    }
    out_text(o, "]");
}

void about_begin(const about *b, out *o)
{
    out_format(o, "{\"arne\":\"%s\",\"version\":1,\"title\":", b->kind);
    out_string(o, b->title);
    out_text(o, ",\"robot\":");
    out_string(o, b->robot);
    out_text(o, ",\"model\":");
    out_string(o, arne_model_name(b->model));
    out_format(o, ",\"dof\":%d,\"joints\":[", arne_model_dof(b->model));
    for (int i = 0; i < arne_model_dof(b->model); i++) {
        if (i) out_text(o, ",");
        out_string(o, arne_joint_name(b->model, i));
    }
    out_text(o, "],\"duration\":");
    out_number_or_null(o, b->duration);
    out_text(o, ",\"status\":\"finished\",\"message\":\"\",\"limits\":{");
    limit_list(b->model, "effort", offsetof(arne_limits, effort), o);
    out_text(o, ",");
    limit_list(b->model, "velocity", offsetof(arne_limits, velocity), o);
    out_text(o, ",");
    limit_list(b->model, "lower", offsetof(arne_limits, lower), o);
    out_text(o, ",");
    limit_list(b->model, "upper", offsetof(arne_limits, upper), o);
    out_text(o, "},\"link\":null,\"thresholds\":");
    for (int i = 0; b->thresholds && i < arne_model_dof(b->model); i++) {
        out_text(o, i ? "," : "[");
        out_number_or_null(o, b->thresholds[i]);
    }
    out_text(o, b->thresholds ? "]" : "null");
}

int about_beside(out *o, const char *path)
{
    struct stat kind;
    int status = CLI_OK;
    if (!stat(path, &kind) && S_ISREG(kind.st_mode)) { /* beside a device or a pipe is no place */
        char *name = json_beside(path);
        if (!name || o->failed)
            status = no_memory();
        else if (strcmp(name, path))
            status = out_file(o, name);
        free(name);
    }
    out_free(o);
    return status;
}

int about_write(const about *b, const char *path)
{
    out o = {0};
    about_begin(b, &o);
    out_text(&o, ",\"events\":[]}\n");
    return about_beside(&o, path);
}

char *json_beside(const char *path)
{
    const char *slash = strrchr(path, '/'), *point = strrchr(path, '.');
    const size_t stem = point && point > (slash ? slash + 1 : path) ? (size_t)(point - path) : strlen(path);
    char *name = malloc(stem + sizeof ".json");
    if (!name) return NULL;
    memcpy(name, path, stem);
    memcpy(name + stem, ".json", sizeof ".json");
    return name;
}
