/* SPDX-License-Identifier: MIT
 *
 * input.c - states and motions from a file, with the wrenches of the options. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/input.h"

arne_frame option_frame(const arguments *a, const char *name)
{
    static const arne_frame frames[] = {ARNE_LOCAL, ARNE_WORLD, ARNE_ALIGNED};
    return frames[option_word(a, name, 2)];
}

/* LINK=fx,fy,fz,mx,my,mz[@x,y,z] */
static int take_wrench(const robot *r, arne_frame frame, const char *text, arne_wrench *w)
{
    const char *numbers = strrchr(text, '=');
    if (!numbers || numbers == text) return misuse("--wrench %s: it should read LINK=fx,fy,fz,mx,my,mz[@x,y,z]", text);
    numbers++;
    const char *at = strchr(numbers, '@');
    double v[6], p[3] = {0};
    if (parse_numbers(numbers, at ? (size_t)(at - numbers) : strlen(numbers), v, 6) != 6)
        return misuse("--wrench %s: after the = come six numbers fx,fy,fz,mx,my,mz", text);
    if (at && parse_numbers(at + 1, strlen(at + 1), p, 3) != 3)
        return misuse("--wrench %s: after the @ come three numbers x,y,z", text);
    if (at && frame == ARNE_WORLD)
        return misuse("--wrench %s: in the frame world the moment is about the world's origin; leave out @x,y,z", text);
    char *name = strndup(text, (size_t)(numbers - 1 - text));
    if (!name) return no_memory();
    *w = (arne_wrench){.frame = frame, .force = {v[0], v[1], v[2]}, .moment = {v[3], v[4], v[5]}, .point = {p[0], p[1], p[2]}};
    const int status = robot_link(r, name, &w->link);
    free(name);
    return status;
}

int take_wrenches(const arguments *a, const robot *r, arne_wrench **list, int *count)
{
    *count = 0;
    *list = calloc((size_t)(a->noption + arne_model_links(r->model)), sizeof **list);
    int status = *list ? CLI_OK : no_memory();
    for (int i = 0; i < a->noption && !status; i++)
        if (!strcmp(a->options[i].name, "wrench"))
            status = take_wrench(r, option_frame(a, "wrench-frame"), a->options[i].value, &(*list)[(*count)++]);
    return status;
}

int take_interval(const arguments *a, double *dt)
{
    return option_number(a, "dt", 0, false, INFINITY, "a number of seconds above 0", dt);
}

/* ---- states ---- */

int input_open(const arguments *a, const robot *r, input *out)
{
    *out = (input){.robot = r};
    arne_error error = {0};
    if (arne_states_open(&out->states, option_value(a, "in"), r->model, false, &error)) return say_error(&error);
    const int status = take_wrenches(a, r, &out->wrenches, &out->nwrench);
    if (status) return status;
    out->noption_wrench = out->nwrench;
    for (int link = 0; link < arne_model_links(r->model); link++)
        if (arne_states_wrench(&out->states, link))
            out->wrenches[out->nwrench++] = (arne_wrench){.link = link, .frame = option_frame(a, "wrench-frame")};
    return CLI_OK;
}

int input_next(input *in, bool *more)
{
    arne_error error = {0};
    if (arne_states_next(&in->states, more, &error)) return say_error(&error);
    for (int i = in->noption_wrench; i < in->nwrench; i++) {
        arne_wrench *w = &in->wrenches[i];
        const double *v = arne_states_wrench(&in->states, w->link);
        memcpy(w->force, v, sizeof w->force);
        memcpy(w->moment, v + 3, sizeof w->moment);
    }
    return CLI_OK;
}

void input_close(input *in)
{
    arne_states_close(&in->states);
    free(in->wrenches);
}

int input_complain(const input *in, const char *format, ...)
{
    const arne_states *s = &in->states;
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return complain_at(s->has_file ? s->file.name : in->robot->path, s->has_file ? s->file.line : 0, "%s", text);
}

/* ---- motions ---- */

int motion_open(const arguments *a, const robot *r, const char *whose, motion_file *out)
{
    *out = (motion_file){0};
    const char *path = option_value(a, "in");
    arne_error error = {0};
    if (!path) return misuse("%s needs a motion: --in FILE", whose);
    int status = take_interval(a, &out->dt);
    if (!status) status = checked(arne_log_motion(path, r->model, out->dt, false, &out->log, &error), &error);
    return status ? status : take_wrenches(a, r, &out->wrenches, &out->nwrench);
}

void motion_close(motion_file *f)
{
    arne_log_free(&f->log);
    free(f->wrenches);
}
