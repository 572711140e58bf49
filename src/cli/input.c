/* SPDX-License-Identifier: MIT
 *
 * input.c - sorts the columns of an input file: t, groups of one number a joint, wrenches on links.
 * Every column has a place ("slot") in one array of values, so a row is read by one loop. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/input.h"

#define GROUP_NAME(id, name) name,
static const char *const group_names[] = {INPUT_GROUPS(GROUP_NAME)};
#undef GROUP_NAME
static const char *const wrench_names[] = {"fx", "fy", "fz", "mx", "my", "mz"};

static int dof(const input *in) { return arne_model_dof(in->robot->model); }
static int group_slot(const input *in, int group, int joint) { return 1 + group * dof(in) + joint; }
static int wrench_slot(const input *in, int link, int k) { return 1 + INPUT_GROUP_COUNT * dof(in) + 6 * link + k; }

/* The name of a slot's column; `by_name`: q.JOINT instead of q1. */
static void slot_name(const input *in, int slot, bool by_name, char *text, size_t size)
{
    const arne_model *m = in->robot->model;
    int k = slot - 1, wrench = slot - wrench_slot(in, 0, 0);
    if (slot == 0)
        snprintf(text, size, "t");
    else if (wrench >= 0)
        snprintf(text, size, "w.%s.%s", arne_link_name(m, wrench / 6), wrench_names[wrench % 6]);
    else if (by_name)
        snprintf(text, size, "%s.%s", group_names[k / dof(in)], arne_joint_name(m, k % dof(in)));
    else
        snprintf(text, size, "%s%d", group_names[k / dof(in)], k % dof(in) + 1);
}

static int find_group(const char *name, size_t length)
{
    for (int g = 0; g < INPUT_GROUP_COUNT; g++)
        if (strlen(group_names[g]) == length && !memcmp(group_names[g], name, length)) return g;
    return -1;
}

/* w.LINK.fx: the link's name may hold points, the component does not. */
static int find_wrench(const input *in, const char *name)
{
    const char *last = strrchr(name + 2, '.');
    if (!last) return -1;
    char *link_name = strndup(name + 2, (size_t)(last - name - 2));
    int link = link_name ? arne_link_find(in->robot->model, link_name) : -1;
    free(link_name);
    for (int k = 0; k < 6 && link >= 0; k++)
        if (!strcmp(last + 1, wrench_names[k])) return wrench_slot(in, link, k);
    return -1;
}

/* The slot of a column's name, -1: no such column. */
static int find_slot(const input *in, const char *name)
{
    if (!strcmp(name, "t")) return 0;
    if (!strncmp(name, "w.", 2)) return find_wrench(in, name);
    size_t letters = strcspn(name, ".0123456789");
    int group = find_group(name, letters);
    if (group < 0) return -1;
    int joint = -1;
    if (name[letters] == '.') {
        joint = arne_joint_find(in->robot->model, name + letters + 1);
    } else if (name[letters] != '0') {
        char *rest;
        long number = strtol(name + letters, &rest, 10);
        if (!*rest && number >= 1 && number <= dof(in)) joint = (int)number - 1;
    }
    return joint < 0 ? -1 : group_slot(in, group, joint);
}

static int unknown_column(const input *in, const char *name)
{
    nearest near = {.word = name};
    char text[128], hint[192];
    for (int slot = 0; slot < in->nvalue; slot++) {
        slot_name(in, slot, false, text, sizeof text);
        arne__nearest_offer(&near, text);
        slot_name(in, slot, true, text, sizeof text);
        arne__nearest_offer(&near, text);
    }
    arne__nearest_hint(&near, hint, sizeof hint);
    return complain_at(in->file.name, in->file.line, "unknown column \"%.60s\"%s (the robot has %d moving joint%s)", name, hint,
                       dof(in), dof(in) == 1 ? "" : "s");
}

/* In each run of `length` slots from `first` on, all or none must be given. */
static int check_complete(const input *in, int first, int last, int length)
{
    for (int start = first; start < last; start += length) {
        int missing = -1, found = 0;
        for (int slot = start; slot < start + length; slot++) {
            found += in->given[slot];
            if (!in->given[slot] && missing < 0) missing = slot;
        }
        if (!found || missing < 0) continue;
        char number[128], name[128];
        slot_name(in, missing, false, number, sizeof number);
        slot_name(in, missing, true, name, sizeof name);
        if (!strcmp(number, name)) return complain_at(in->file.name, in->file.line, "column %s is missing", name);
        return complain_at(in->file.name, in->file.line, "column %s (or %s) is missing", number, name);
    }
    return CLI_OK;
}

static int sort_columns(input *in)
{
    in->slots = calloc((size_t)in->file.columns, sizeof *in->slots);
    in->row = calloc((size_t)in->file.columns, sizeof *in->row);
    if (!in->slots || !in->row) return no_memory();
    for (int i = 0; i < in->file.columns; i++) {
        const char *name = in->file.names[i];
        int slot = find_slot(in, name);
        if (slot < 0) return unknown_column(in, name);
        if (in->given[slot]) return complain_at(in->file.name, in->file.line, "column %s is there twice", name);
        in->given[slot] = true;
        in->slots[i] = slot;
    }
    int wrenches = wrench_slot(in, 0, 0);
    int status = dof(in) ? check_complete(in, 1, wrenches, dof(in)) : CLI_OK;
    return status ? status : check_complete(in, wrenches, in->nvalue, 6);
}

/* LINK=fx,fy,fz,mx,my,mz[@x,y,z] */
static int take_wrench(input *in, arne_frame frame, const char *text)
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
    arne_wrench *w = &in->wrenches[in->nwrench++];
    *w = (arne_wrench){.frame = frame, .force = {v[0], v[1], v[2]}, .moment = {v[3], v[4], v[5]}, .point = {p[0], p[1], p[2]}};
    int status = robot_link(in->robot, name, &w->link);
    free(name);
    return status;
}

/* Those of the options first, then one for each link that has columns. */
static int take_wrenches(const arguments *a, input *in)
{
    static const char *const frames[] = {"local", "world", "aligned", NULL};
    static const arne_frame values[] = {ARNE_LOCAL, ARNE_WORLD, ARNE_ALIGNED};
    int frame = option_choice(a, "wrench-frame", frames, 2);
    if (frame < 0) return CLI_MISUSED;
    int links = arne_model_links(in->robot->model);
    in->wrenches = calloc((size_t)(a->noption + links), sizeof *in->wrenches);
    if (!in->wrenches) return no_memory();
    for (int i = 0; i < a->noption; i++) {
        if (strcmp(a->options[i].name, "wrench")) continue;
        int status = take_wrench(in, values[frame], a->options[i].value);
        if (status) return status;
    }
    in->noption_wrench = in->nwrench;
    for (int link = 0; link < links; link++)
        if (in->given[wrench_slot(in, link, 0)])
            in->wrenches[in->nwrench++] = (arne_wrench){.link = link, .frame = values[frame]};
    return CLI_OK;
}

int input_open(const arguments *a, const robot *r, input *out) { return input_open_file(a, option_value(a, "in"), r, out); }

int input_open_file(const arguments *a, const char *path, const robot *r, input *out)
{
    *out = (input){.robot = r};
    out->nvalue = wrench_slot(out, arne_model_links(r->model), 0);
    out->values = calloc((size_t)out->nvalue, sizeof *out->values);
    out->given = calloc((size_t)out->nvalue, sizeof *out->given);
    if (!out->values || !out->given) return no_memory();
    if (path) {
        out->has_file = true;
        int status = csv_open(&out->file, path);
        if (!status) status = sort_columns(out);
        if (status) return status;
    }
    return take_wrenches(a, out);
}

int input_next(input *in, bool *more)
{
    if (!in->has_file) {
        *more = !in->done;
        in->done = true;
        return CLI_OK;
    }
    int status = csv_next(&in->file, in->row, more);
    if (status || !*more) return status;
    for (int i = 0; i < in->file.columns; i++) in->values[in->slots[i]] = in->row[i];
    for (int i = in->noption_wrench; i < in->nwrench; i++) {
        arne_wrench *w = &in->wrenches[i];
        const double *v = &in->values[wrench_slot(in, w->link, 0)];
        memcpy(w->force, v, sizeof w->force);
        memcpy(w->moment, v + 3, sizeof w->moment);
    }
    return CLI_OK;
}

void input_close(input *in)
{
    csv_close(&in->file);
    free(in->slots);
    free(in->row);
    free(in->values);
    free(in->given);
    free(in->wrenches);
}

const double *input_of(const input *in, input_group group) { return &in->values[group_slot(in, (int)group, 0)]; }

bool input_has(const input *in, input_group group) { return dof(in) > 0 && in->given[group_slot(in, (int)group, 0)]; }

bool input_has_time(const input *in) { return in->given[0]; }

double input_time(const input *in) { return in->values[0]; }

int input_complain(const input *in, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return complain_at(in->has_file ? in->file.name : in->robot->path, in->has_file ? in->file.line : 0, "%s", text);
}
