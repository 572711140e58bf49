/* SPDX-License-Identifier: MIT
 *
 * mjcf_more.c - what stands beside the tree of an MJCF file: actuators, equalities, tendons, keyframes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file/mjcf.h"

/* ---- what is named ---- */

arne_status arne__mjcf_acts(mjcf *m, const xmlNode *node, unsigned kind, const char *what)
{
    if (m->named & kind) return ARNE_OK;
    m->named |= kind;
    return arne__xml_unmodelled(m->r, node, what);
}

void arne__mjcf_total_mass(const mjcf *m)
{
    arne_description *d = m->r->d;
    double mass = 0;
    for (size_t i = 0; i < d->nlink; i++) mass += d->links[i].body.mass;
    if (!(m->total_mass > 0) || !(mass > 0)) return;
    for (size_t i = 0; i < d->nlink; i++) {
        d->links[i].body.mass *= m->total_mass / mass;
        for (int k = 0; k < 6; k++) d->links[i].body.inertia[k] *= m->total_mass / mass;
    }
}

/* The joint that an attribute names; NULL where there is no such attribute. */
static arne_status named_joint(const mjcf *m, const xmlNode *node, const char *attribute, arne_joint_description **out)
{
    char name[128];
    bool found;
    *out = NULL;
    TRY(arne__xml_attribute(m->r, node, attribute, &found, name, sizeof name));
    if (!found) return ARNE_OK;
    const size_t place = (size_t)xmlHashLookup(m->joints, (const xmlChar *)name);
    if (place && place <= m->r->d->njoint && m->r->d->joints[place - 1].type != ARNE_FIXED) *out = &m->r->d->joints[place - 1];
    return *out ? ARNE_OK : XML_FAIL(m->r, node, "there is no joint '%s' for this <%s>", name, (const char *)node->name);
}

/* ---- actuators: how much they can push ---- */

/* Force of a control, by size; infinite where the force does not follow the control alone. */
static arne_status gain_of(const mjcf *m, const xmlNode *node, double *gain)
{
    static const char *const gains[] = {"fixed", "affine", "muscle", "user", NULL};
    static const char *const biases[] = {"none", "affine", "muscle", "user", NULL};
    int kind = 0, bias = 0;
    size_t n;
    double values[10] = {1};
    *gain = arne__xml_is(node, "motor") ? 1 : INFINITY;
    if (!arne__xml_is(node, "general")) return ARNE_OK;
    TRY(arne__mjcf_word(m, node, "gaintype", gains, &kind));
    TRY(arne__mjcf_word(m, node, "biastype", biases, &bias));
    TRY(arne__mjcf_list(m, node, "gainprm", 1, 10, false, &n, values));
    if (!kind && !bias) *gain = fabs(values[0]);
    return ARNE_OK;
}

static arne_status effort_of(const mjcf *m, const xmlNode *node, double *effort)
{
    double gear[6] = {1}, gain, force[2], control[2];
    bool limited, controlled;
    size_t n;
    TRY(arne__mjcf_list(m, node, "gear", 1, 6, false, &n, gear));
    TRY(gain_of(m, node, &gain));
    TRY(arne__mjcf_range(m, node, "forcelimited", "forcerange", &limited, force));
    TRY(arne__mjcf_range(m, node, "ctrllimited", "ctrlrange", &controlled, control));
    double most = limited ? fmax(fabs(force[0]), fabs(force[1])) : INFINITY;
    if (controlled && isfinite(gain)) most = fmin(most, gain * fmax(fabs(control[0]), fabs(control[1])));
    *effort = isfinite(most) ? most * fabs(gear[0]) : INFINITY;
    return ARNE_OK;
}

/* Several actuators of one joint push together. */
arne_status arne__mjcf_actuators(mjcf *m)
{
    arne_description *d = m->r->d;
    double *sum = malloc((d->njoint + 1) * sizeof *sum);
    if (!sum) return arne__xml_no_memory(m->r);
    for (size_t i = 0; i < d->njoint; i++) sum[i] = -1; /* nobody pushes it */
    arne_status status = ARNE_OK;
    for (const xmlNode *node = NULL; !status && (node = arne__mjcf_in(m->root, "actuator", node));) {
        arne_joint_description *j;
        double effort = 0;
        snprintf(m->r->where, sizeof m->r->where, "an actuator");
        status = named_joint(m, node, "joint", &j);
        if (!status && !j) status = named_joint(m, node, "jointinparent", &j);
        if (status || !j) continue;
        snprintf(m->r->where, sizeof m->r->where, "the actuator of joint '%.100s'", j->name);
        status = effort_of(m, node, &effort);
        sum[j - d->joints] = fmax(0, sum[j - d->joints]) + effort;
    }
    for (size_t i = 0; i < d->njoint && !status; i++)
        if (sum[i] >= 0 && d->joints[i].type <= ARNE_PRISMATIC)
            d->joints[i].limits.effort = fmin(d->joints[i].limits.effort, sum[i]);
    free(sum);
    return status;
}

/* ---- equalities ---- */

/* q1 - ref1 = c0 + c1 (q2 - ref2), by MuJoCo's polynomial */
static arne_status follow(mjcf *m, const xmlNode *node)
{
    arne_joint_description *j, *master;
    double c[5] = {0, 1, 0, 0, 0};
    size_t n;
    TRY(named_joint(m, node, "joint1", &j));
    TRY(named_joint(m, node, "joint2", &master));
    if (!j) return XML_FAIL(m->r, node, "an equality of joints needs joint1");
    snprintf(m->r->where, sizeof m->r->where, "joint '%s'", j->name);
    TRY(arne__mjcf_list(m, node, "polycoef", 1, 5, false, &n, c));
    if (!master || c[2] != 0 || c[3] != 0 || c[4] != 0 || j->type > ARNE_PRISMATIC || master->type > ARNE_PRISMATIC ||
        j->master) {
        return arne__mjcf_acts(m, node, MJCF_EQUALITY, "an equality other than one joint that follows another one on a line");
    }
    const double ref = m->ref[j - m->r->d->joints], master_ref = m->ref[master - m->r->d->joints];
    return arne_description_follow(j, master->name, c[1], c[0] + ref - c[1] * master_ref) ? arne__xml_no_memory(m->r) : ARNE_OK;
}

arne_status arne__mjcf_equalities(mjcf *m)
{
    for (const xmlNode *node = NULL; (node = arne__mjcf_in(m->root, "equality", node));) {
        int active = MJCF_YES;
        snprintf(m->r->where, sizeof m->r->where, "<%s>", (const char *)node->name);
        TRY(arne__mjcf_switch(m, node, "active", &active));
        if (!active) continue;
        if (arne__xml_is(node, "joint"))
            TRY(follow(m, node));
        else if (arne__xml_is(node, "connect") || arne__xml_is(node, "weld"))
            TRY(arne__mjcf_acts(m, node, MJCF_LOOP, "a closed loop"));
        else
            TRY(arne__mjcf_acts(m, node, MJCF_EQUALITY, "an equality other than one joint that follows another one on a line"));
    }
    return ARNE_OK;
}

arne_status arne__mjcf_tendons(mjcf *m)
{
    static const char *const forces[] = {"stiffness", "damping", "frictionloss", "armature"};
    for (const xmlNode *node = NULL; (node = arne__mjcf_in(m->root, "tendon", node));)
        for (size_t i = 0; i < sizeof forces / sizeof *forces; i++) {
            double value = 0;
            size_t n;
            snprintf(m->r->where, sizeof m->r->where, "<%s>", (const char *)node->name);
            TRY(arne__mjcf_list(m, node, forces[i], 1, 1, false, &n, &value));
            if (value > 0) TRY(arne__mjcf_acts(m, node, MJCF_TENDON, "a tendon with stiffness, damping, friction or inertia"));
        }
    return ARNE_OK;
}

/* ---- keyframes ---- */

static int width(const arne_joint_description *j, bool positions)
{
    static const int nq[] = {0, 1, 1, 4, 7}, nv[] = {0, 1, 1, 3, 6};
    return positions ? nq[j->type] : nv[j->type];
}

/* One joint's numbers from MuJoCo's order to ours: the quaternion's first number becomes its last, a free body's velocity is told
 * in its own axes. */
static void take(const mjcf *m, arne_state_description *s, size_t i, const double *q, const double *v)
{
    const arne_joint_type type = m->r->d->joints[i].type;
    const int places = type == ARNE_FREE ? 3 : 0;
    if (q) memcpy(s->q[i], q, (size_t)width(&m->r->d->joints[i], true) * sizeof *q);
    if (v) memcpy(s->qd[i], v, (size_t)width(&m->r->d->joints[i], false) * sizeof *v);
    if (type < ARNE_SPHERICAL) return;
    double turned[4] = {s->q[i][places + 3], s->q[i][places], s->q[i][places + 1], s->q[i][places + 2]};
    if (q) {
        memcpy(turned, q + places, sizeof turned);
        if (arne__mjcf_normalize(turned, 4) == 0) turned[0] = 1; /* as MuJoCo */
        const double ours[4] = {turned[1], turned[2], turned[3], turned[0]};
        memcpy(s->q[i] + places, ours, sizeof ours);
    }
    if (!v || type != ARNE_FREE) return;
    double R[9];
    arne__mjcf_from_quaternion(turned, R);
    for (int k = 0; k < 3; k++) s->qd[i][k] = R[k] * v[0] + R[3 + k] * v[1] + R[6 + k] * v[2];
}

static arne_status read_key(const mjcf *m, const xmlNode *node, const char *name, double *q, double *v)
{
    const arne_description *d = m->r->d;
    size_t nq = 0, nv = 0, has_q, has_v;
    for (size_t i = 0; i < d->njoint; i++) {
        nq += (size_t)width(&d->joints[i], true);
        nv += (size_t)width(&d->joints[i], false);
    }
    TRY(arne__xml_list(m->r, node, "qpos", nq, nq, false, &has_q, q));
    TRY(arne__xml_list(m->r, node, "qvel", nv, nv, false, &has_v, v));
    arne_state_description *s = arne_description_state(m->r->d, name, arne__xml_line(node));
    if (!s) return arne__xml_no_memory(m->r);
    for (size_t i = 0; i < d->njoint; i++) {
        take(m, s, i, has_q ? q : NULL, has_v ? v : NULL);
        q += width(&d->joints[i], true);
        v += width(&d->joints[i], false);
    }
    return ARNE_OK;
}

arne_status arne__mjcf_keyframes(mjcf *m)
{
    double *numbers = malloc((13 * m->r->d->njoint + 1) * sizeof *numbers);
    if (!numbers) return arne__xml_no_memory(m->r);
    arne_status status = ARNE_OK;
    int count = 0;
    for (const xmlNode *node = NULL; !status && (node = arne__mjcf_in(m->root, "keyframe", node)); count++) {
        char name[128];
        bool found;
        snprintf(name, sizeof name, "key%d", count);
        snprintf(m->r->where, sizeof m->r->where, "keyframe '%s'", name);
        status = arne__xml_attribute(m->r, node, "name", &found, name, sizeof name);
        snprintf(m->r->where, sizeof m->r->where, "keyframe '%s'", name);
        if (!status) status = read_key(m, node, name, numbers, numbers + 7 * m->r->d->njoint);
    }
    free(numbers);
    return status;
}
