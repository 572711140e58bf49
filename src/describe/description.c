/* SPDX-License-Identifier: MIT
 *
 * description.c - a description's memory: links, joints and warnings are appended one by one, every string is a copy. */
#include "arne/description.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe/pose.h"

/* Room for one item more: the array doubles whenever count is a power of two. Returns false when memory is short. */
static bool grow(void **items, size_t count, size_t item_size)
{
    if ((count & (count - 1)) != 0) return true;
    size_t room = count ? 2 * count : 1;
    if (room > (size_t)-1 / item_size) return false;
    void *bigger = realloc(*items, room * item_size);
    if (bigger) *items = bigger;
    return bigger != NULL;
}

arne_description *arne_description_new(const char *name)
{
    arne_description *d = calloc(1, sizeof *d);
    if (!d) return NULL;
    d->name = strdup(name);
    d->gravity[2] = -9.81;
    if (d->name) return d;
    free(d);
    return NULL;
}

void arne_description_free(arne_description *d)
{
    if (!d) return;
    for (size_t i = 0; i < d->nlink; i++) free(d->links[i].name);
    for (size_t i = 0; i < d->njoint; i++) {
        free(d->joints[i].name);
        free(d->joints[i].parent);
        free(d->joints[i].child);
        free(d->joints[i].master);
        free(d->joints[i].friction.points);
        free(d->joints[i].motor.curve);
    }
    for (size_t i = 0; i < d->nstate; i++) {
        free(d->states[i].name);
        free(d->states[i].q);
        free(d->states[i].qd);
    }
    free(d->states);
    free(d->unmodelled);
    for (size_t i = 0; i < d->nwarning; i++) free(d->warnings[i]);
    for (size_t i = 0; i < d->nopen; i++) free(d->open[i]);
    free(d->open);
    free(d->links);
    free(d->joints);
    free(d->warnings);
    free(d->transmission);
    free(d->name);
    free(d->source);
    free(d->tip);
    free(d->file);
    free(d);
}

arne_link_description *arne_description_link(arne_description *d, const char *name, int line)
{
    void *links = d->links;
    if (!grow(&links, d->nlink, sizeof *d->links)) return NULL;
    d->links = links;
    arne_link_description *l = &d->links[d->nlink];
    *l = (arne_link_description){.name = strdup(name), .line = line};
    if (!l->name) return NULL;
    d->nlink++;
    return l;
}

arne_joint_description *arne_description_joint(arne_description *d, const char *name, int line, arne_joint_type type,
                                               const char *parent, const char *child)
{
    void *joints = d->joints;
    if (!grow(&joints, d->njoint, sizeof *d->joints)) return NULL;
    d->joints = joints;
    arne_joint_description *j = &d->joints[d->njoint];
    *j = (arne_joint_description){
        .name = strdup(name),
        .line = line,
        .type = type,
        .parent = strdup(parent),
        .child = strdup(child),
        .before = arne__pose_identity(),
        .axis = {0, 0, 1},
        .after = arne__pose_identity(),
        .limits = {-INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY},
        .motor = {.gear = 1, .effort = INFINITY, .speed = INFINITY},
        .friction = {.stribeck_velocity = 0.1, .stribeck_exponent = 2},
    };
    if (!j->name || !j->parent || !j->child) {
        free(j->name);
        free(j->parent);
        free(j->child);
        return NULL;
    }
    d->njoint++;
    return j;
}

arne_status arne_description_follow(arne_joint_description *joint, const char *master, double ratio, double offset)
{
    char *copy = strdup(master);
    if (!copy) return ARNE_NO_MEMORY;
    free(joint->master);
    joint->master = copy;
    joint->ratio = ratio;
    joint->offset = offset;
    return ARNE_OK;
}

arne_state_description *arne_description_state(arne_description *d, const char *name, int line)
{
    void *states = d->states;
    if (!grow(&states, d->nstate, sizeof *d->states)) return NULL;
    d->states = states;
    arne_state_description *s = &d->states[d->nstate];
    *s = (arne_state_description){.name = strdup(name),
                                  .line = line,
                                  .njoint = d->njoint,
                                  .q = calloc(d->njoint + 1, sizeof *s->q),
                                  .qd = calloc(d->njoint + 1, sizeof *s->qd)};
    if (!s->name || !s->q || !s->qd) {
        free(s->name);
        free(s->q);
        free(s->qd);
        return NULL;
    }
    for (size_t i = 0; i < d->njoint; i++) {
        if (d->joints[i].type == ARNE_SPHERICAL) s->q[i][3] = 1;
        if (d->joints[i].type == ARNE_FREE) s->q[i][6] = 1;
    }
    d->nstate++;
    return s;
}

arne_status arne_description_open(arne_description *d, const char *symbol)
{
    for (size_t i = 0; i < d->nopen; i++)
        if (!strcmp(d->open[i], symbol)) return ARNE_OK;
    void *open = d->open;
    if (!grow(&open, d->nopen, sizeof *d->open)) return ARNE_NO_MEMORY;
    d->open = open;
    d->open[d->nopen] = strdup(symbol);
    if (!d->open[d->nopen]) return ARNE_NO_MEMORY;
    d->nopen++;
    return ARNE_OK;
}

/* A warning for which there is no memory is lost: the robot is still right. */
void arne_description_warn(arne_description *d, int line, const char *format, ...)
{
    void *warnings = d->warnings;
    if (!grow(&warnings, d->nwarning, sizeof *d->warnings)) return;
    d->warnings = warnings;

    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const char *file = d->file ? d->file : d->name;
    char place[16] = "";
    if (line > 0) snprintf(place, sizeof place, ":%d", line);
    const int head = snprintf(NULL, 0, "%s%s: ", file, place), body = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = head >= 0 && body >= 0 ? malloc((size_t)head + (size_t)body + 1) : NULL;
    if (text) {
        snprintf(text, (size_t)head + 1, "%s%s: ", file, place);
        vsnprintf(text + head, (size_t)body + 1, format, again);
        d->warnings[d->nwarning++] = text;
    }
    va_end(again);
}
