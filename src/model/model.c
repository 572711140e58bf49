/* SPDX-License-Identifier: MIT
 *
 * model.c - what a user asks of a model. */
#include "model/model.h"

#include <string.h>

#include "base/nearest.h"

void arne_model_free(arne_model *m)
{
    if (m) arne__arena_free(m->memory); /* the model itself lies in it */
}

const char *arne_model_name(const arne_model *m) { return m->name; }
int arne_model_dof(const arne_model *m) { return m->nv; }
int arne_model_nq(const arne_model *m) { return m->nq; }
int arne_model_nv(const arne_model *m) { return m->nv; }
const char *arne_position_name(const arne_model *m, int i) { return m->position_name[i]; }
const char *arne_velocity_name(const arne_model *m, int v) { return m->velocity_name[v]; }
static const robot_link *link_of(const arne_model *m, int joint) { return &m->robot->link[m->body[joint]]; }
int arne_velocity_joint(const arne_model *m, int v)
{
    int i = m->n - 1;
    while (i > 0 && arne_joint_v(m, i) > v) i--;
    return i;
}
int arne_model_joints(const arne_model *m) { return m->n; }
bool arne_model_floats(const arne_model *m)
{
    for (int i = 0; i < m->robot->n; i++)
        if (m->robot->link[i].parent < 0 && m->robot->link[i].joint == FREE) return true;
    return false;
}
static const robot_follower *law_of(const arne_model *m, int joint) { return robot_q(m->robot, link_of(m, joint)->iq); }
int arne_model_followers(const arne_model *m) { return m->robot->nfollow; }
int arne_joint_master(const arne_model *m, int i) { return i < m->n ? -1 : arne_velocity_joint(m, arne_joint_v(m, i)); }
double arne_joint_ratio(const arne_model *m, int i) { return i < m->n ? 1 : law_of(m, i)->ratio; }
double arne_joint_offset(const arne_model *m, int i) { return i < m->n ? 0 : law_of(m, i)->offset; }
int arne_joint_q(const arne_model *m, int i) { return robot_own_q(m->robot, link_of(m, i)); }
int arne_joint_v(const arne_model *m, int i) { return robot_own_v(m->robot, link_of(m, i)); }
int arne_model_bodies(const arne_model *m) { return m->robot->n; }
int arne_body_joint(const arne_model *m, int body) { return m->joint_of[body]; }
const char *arne_joint_name(const arne_model *m, int i) { return m->joint[i].name; }
arne_joint_type arne_joint_kind(const arne_model *m, int i)
{
    static const arne_joint_type kinds[] = {
        [REVOLUTE] = ARNE_REVOLUTE, [PRISMATIC] = ARNE_PRISMATIC, [SPHERICAL] = ARNE_SPHERICAL, [FREE] = ARNE_FREE};
    return kinds[link_of(m, i)->joint];
}
int arne_joint_parent(const arne_model *m, int i)
{
    const int up = link_of(m, i)->parent;
    return up < 0 ? -1 : m->joint_of[up];
}
int arne_joint_link(const arne_model *m, int i) { return m->joint[i].link; }
const arne_limits *arne_joint_limits(const arne_model *m, int i) { return &m->joint[i].limits; }
const arne_motor *arne_joint_motor(const arne_model *m, int i) { return &m->joint[i].motor; }
const arne_friction *arne_joint_friction(const arne_model *m, int i) { return &m->joint[i].friction; }
const arne_elastic *arne_joint_elastic(const arne_model *m, int i) { return &m->joint[i].elastic; }
int arne_joint_find(const arne_model *m, const char *name) { return NAME_FIND(m->joint, m->n, name); }
int arne_follower_find(const arne_model *m, const char *name)
{
    const int f = NAME_FIND(m->joint + m->n, m->robot->nfollow, name);
    return f < 0 ? -1 : m->n + f;
}

int arne_model_tip(const arne_model *m) { return m->tip; }
arne_status arne__one_freedom_each(const arne_model *m, const char *what, arne_error *error)
{
    for (int i = 0; i < m->n; i++)
        if (link_of(m, i)->nv > 1)
            return UNSUPPORTED(error, "%s: for robots whose joints have one freedom each, '%s' has %d", what, m->joint[i].name,
                               link_of(m, i)->nv);
    return ARNE_OK;
}

arne_status arne__no_followers(const arne_model *m, const char *what, arne_error *error)
{
    return m->robot->nfollow ? UNSUPPORTED(error, "%s: not where joints follow others, as '%s' does; it can be made independent",
                                           what, m->joint[m->n].name)
                             : ARNE_OK;
}

int arne_model_links(const arne_model *m) { return m->nlink; }
const char *arne_link_name(const arne_model *m, int k) { return m->named[k].name; }
int arne_link_joint(const arne_model *m, int k)
{
    const int body = robot_frame(m->robot, k)->body;
    return body < 0 ? -1 : m->joint_of[body];
}
const arne_body *arne_link_body(const arne_model *m, int k) { return &m->named[k].body; }
int arne_link_find(const arne_model *m, const char *name) { return NAME_FIND(m->named, m->nlink, name); }

const char *arne_model_unmodelled(const arne_model *m) { return m->unmodelled; }
double arne_model_mass(const arne_model *m) { return m->mass; }
const double *arne_model_gravity(const arne_model *m) { return m->gravity; }

void arne__link_inertia(robot_link *l, const origin_inertia *j)
{
    l->M = j->m;
    for (int k = 0; k < 3; k++) l->MS[k] = j->h[k];
    for (int k = 0; k < 6; k++) l->J[k] = j->I[k];
    l->JD[0] = j->I[5] - j->I[3];
    l->JD[1] = j->I[0] - j->I[5];
    l->JD[2] = j->I[3] - j->I[0];
    l->MC = j->m > 0 ? (j->h[0] * j->h[0] + j->h[1] * j->h[1] + j->h[2] * j->h[2]) / j->m : 0;
}

void arne__robot_gravity(robot *r, const double g[3])
{
    memcpy(r->g, g, sizeof r->g);
    for (int i = 0; i < r->at.nbase; i++) {
        base_frame *b = (base_frame *)robot_base(r, i);
        for (int k = 0; k < 3; k++) b->a0[k] = -(b->R[k] * g[0] + b->R[3 + k] * g[1] + b->R[6 + k] * g[2]);
    }
}
