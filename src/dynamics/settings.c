/* SPDX-License-Identifier: MIT
 *
 * settings.c - what may change about a robot at run time: a copy of the model's robot block, its payloads beside it. */
#include "arne/settings.h"
#include "arne/regressor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "dynamics/data.h"

size_t arne__settings_bytes(const arne_model *m)
{
    return layout_aligned(sizeof(arne_settings)) + layout_aligned((size_t)m->nlink * sizeof(arne_body)) + m->robot->at.bytes;
}

arne_settings *arne__settings_init(const arne_model *m, void *memory)
{
    char *at = memory;
    arne_settings *s = memory;
    s->model = m;
    s->link_side = false;
    s->version = 1;
    at += layout_aligned(sizeof *s);
    s->payload = memset(at, 0, (size_t)m->nlink * sizeof(arne_body));
    at += layout_aligned((size_t)m->nlink * sizeof(arne_body));
    s->robot = memcpy(at, m->robot, m->robot->at.bytes);
    return s;
}

arne_status arne_settings_new(const arne_model *m, arne_settings **out, arne_error *error)
{
    if (out) *out = NULL;
    if (!m || !out) return BAD_ARGUMENT(error, "settings need a model and a place");
    void *memory = aligned_alloc(LAYOUT_ALIGN, arne__settings_bytes(m));
    *out = memory ? arne__settings_init(m, memory) : NULL;
    return memory ? ARNE_OK : NO_MEMORY(error);
}

void arne_settings_free(arne_settings *s) { free(s); }
const arne_model *arne_settings_model(const arne_settings *s) { return s ? s->model : NULL; }

/* what others made of the settings is out of date */
static arne_status changed(arne_settings *s)
{
    s->version++;
    return ARNE_OK;
}

arne_status arne_settings_copy(arne_settings *to, const arne_settings *from)
{
    if (!to || !from || to->model != from->model) return ARNE_BAD_ARGUMENT;
    memcpy(to->payload, from->payload, (size_t)from->model->nlink * sizeof *to->payload);
    memcpy(to->robot, from->robot, from->robot->at.bytes);
    if (from->link_side) to->link_side = true;
    return to->link_side ? arne_set_link_side(to) : changed(to);
}

arne_status arne_set_gravity(arne_settings *s, const double g[3])
{
    if (!s || !g || !dense_finite(3, g)) return ARNE_BAD_ARGUMENT;
    arne__robot_gravity(s->robot, g);
    return changed(s);
}

arne_status arne_set_friction(arne_settings *s, bool friction)
{
    if (!s) return ARNE_BAD_ARGUMENT;
    s->robot->friction = friction;
    return changed(s);
}

arne_status arne_set_rotors(arne_settings *s, bool rotors)
{
    if (!s) return ARNE_BAD_ARGUMENT;
    s->robot->rotors = rotors && !s->link_side;
    return changed(s);
}

arne_status arne_set_rigid(arne_settings *s, bool rigid)
{
    const arne_status status = arne_set_friction(s, !rigid);
    return status ? status : arne_set_rotors(s, !rigid);
}

arne_status arne_set_link_side(arne_settings *s)
{
    if (!s) return ARNE_BAD_ARGUMENT;
    robot *r = s->robot;
    s->link_side = true;
    r->rotors = 0;
    for (int i = 0; i < r->n; i++) arne__link_law(&r->link[i], &s->model->joint[s->model->joint_of[i]].friction, NULL);
#define MOTORS(field, squares, role, name) r->at.field##_at = 0;
#include "model/robot.def"
    return changed(s);
}

/* the load of a named link, added to what its body carries */
static void carry(const arne_settings *s, int k, origin_inertia *sum)
{
    const named_frame *f = robot_frame(s->robot, k);
    arne_pose pose;
    arne_body b;
    memcpy(pose.R, f->R, sizeof pose.R);
    memcpy(pose.p, f->p, sizeof pose.p);
    arne__body_transform(&pose, &s->payload[k], &b);
    const origin_inertia j = arne__body_about_origin(&b);
    sum->m += j.m;
    for (int c = 0; c < 3; c++) sum->h[c] += j.h[c];
    for (int c = 0; c < 6; c++) sum->I[c] += j.I[c];
}

arne_status arne_set_payload(arne_settings *s, int at, const arne_body *load)
{
    if (!s || at < 0 || at >= s->model->nlink) return ARNE_BAD_ARGUMENT;
    if (load && !(isfinite(load->mass) && dense_finite(3, load->com) && dense_finite(6, load->inertia))) return ARNE_BAD_ARGUMENT;
    const arne_model *m = s->model;
    const int body = robot_frame(m->robot, at)->body;
    s->payload[at] = load ? *load : (arne_body){0};
    if (body < 0) return changed(s);
    /* from the file's inertia again, so that loads come and go without a trace */
    const robot_link *own = &m->robot->link[body];
    origin_inertia sum = {.m = own->M};
    memcpy(sum.h, own->MS, sizeof sum.h);
    memcpy(sum.I, own->J, sizeof sum.I);
    for (int k = 0; k < m->nlink; k++)
        if (robot_frame(m->robot, k)->body == body && s->payload[k].mass != 0) carry(s, k, &sum);
    arne__link_inertia(&s->robot->link[body], &sum);
    return changed(s);
}

/* K in the order of regressor.h: XX XY XZ YY YZ ZZ MX MY MZ M IA */
arne_status arne_set_parameters(arne_settings *s, const double *K)
{
    if (!s || !K || !dense_finite(ARNE_LINK_PARAMETERS * s->robot->n, K)) return ARNE_BAD_ARGUMENT;
    for (int i = 0; i < s->robot->n; i++, K += ARNE_LINK_PARAMETERS) {
        const origin_inertia j = {K[9], {K[6], K[7], K[8]}, {K[0], K[1], K[2], K[3], K[4], K[5]}};
        arne__link_inertia(&s->robot->link[i], &j);
        if (!robot_drive(s->robot)) s->robot->link[i].Ia = K[10];
    }
    return changed(s);
}

int arne_most_wrenches(const arne_model *m) { return m ? m->robot->at.most_wrenches : 0; }

arne_status arne_set_wrenches(arne_settings *s, const arne_wrench *w, int count)
{
    if (!s || count < 0 || (count && !w) || count > s->robot->at.most_wrenches) return ARNE_BAD_ARGUMENT;
    for (int e = 0; e < count; e++)
        if (w[e].link < 0 || w[e].link >= s->model->nlink || (unsigned)w[e].frame > ARNE_ALIGNED ||
            !dense_finite(3, w[e].force) || !dense_finite(3, w[e].moment) || !dense_finite(3, w[e].point))
            return ARNE_BAD_ARGUMENT;
    if (count) memcpy((arne_wrench *)robot_wrench(s->robot, 0), w, (size_t)count * sizeof *w);
    s->robot->nwrench = count;
    return changed(s);
}

const double *arne_settings_gravity(const arne_settings *s) { return s ? s->robot->g : NULL; }
bool arne_settings_friction(const arne_settings *s) { return s && s->robot->friction; }
bool arne_settings_rotors(const arne_settings *s) { return s && s->robot->rotors; }
const arne_wrench *arne_settings_wrenches(const arne_settings *s, int *count)
{
    const int acting = s ? s->robot->nwrench : 0;
    if (count) *count = acting;
    return acting ? robot_wrench(s->robot, 0) : NULL;
}
