/* SPDX-License-Identifier: MIT
 *
 * model.c - what a user asks of a model. */
#include "model/model.h"

#include <string.h>

void arne_model_free(arne_model *m)
{
    if (m) arne__arena_free(m->memory); /* the model itself lies in it */
}

const char *arne_model_name(const arne_model *m) { return m->name; }
int arne_model_dof(const arne_model *m) { return m->n; }
const char *arne_joint_name(const arne_model *m, int i) { return m->joint[i].name; }
arne_joint_type arne_joint_kind(const arne_model *m, int i)
{
    return m->link[i].joint == REVOLUTE ? ARNE_REVOLUTE : ARNE_PRISMATIC;
}
int arne_joint_parent(const arne_model *m, int i) { return m->link[i].parent; }
int arne_joint_link(const arne_model *m, int i) { return m->joint[i].link; }
const arne_limits *arne_joint_limits(const arne_model *m, int i) { return &m->joint[i].limits; }
const arne_motor *arne_joint_motor(const arne_model *m, int i) { return &m->joint[i].motor; }
const arne_friction *arne_joint_friction(const arne_model *m, int i) { return &m->joint[i].friction; }
const arne_elastic *arne_joint_elastic(const arne_model *m, int i) { return &m->joint[i].elastic; }

int arne_joint_find(const arne_model *m, const char *name)
{
    for (int i = 0; i < m->n; i++)
        if (!strcmp(m->joint[i].name, name)) return i;
    return -1;
}

int arne_model_links(const arne_model *m) { return m->nlink; }
const char *arne_link_name(const arne_model *m, int k) { return m->named[k].name; }
int arne_link_joint(const arne_model *m, int k) { return m->frame[k].body; }
const arne_body *arne_link_body(const arne_model *m, int k) { return &m->named[k].body; }

int arne_link_find(const arne_model *m, const char *name)
{
    for (int i = 0; i < m->nlink; i++)
        if (!strcmp(m->named[i].name, name)) return i;
    return -1;
}

double arne_model_mass(const arne_model *m) { return m->mass; }
const double *arne_model_gravity(const arne_model *m) { return m->gravity; }

void arne__link_inertia(link *l, const origin_inertia *j)
{
    l->M = j->m;
    for (int k = 0; k < 3; k++) l->MS[k] = j->h[k];
    for (int k = 0; k < 6; k++) l->J[k] = j->I[k];
    l->JD[0] = j->I[5] - j->I[3];
    l->JD[1] = j->I[0] - j->I[5];
    l->JD[2] = j->I[3] - j->I[0];
    l->MC = j->m > 0 ? (j->h[0] * j->h[0] + j->h[1] * j->h[1] + j->h[2] * j->h[2]) / j->m : 0;
}

void arne__base_gravity(base_frame *b, int count, const double g[3])
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) b[i].a0[k] = -(b[i].R[k] * g[0] + b[i].R[3 + k] * g[1] + b[i].R[6 + k] * g[2]);
}
