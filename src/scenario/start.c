/* SPDX-License-Identifier: MIT
 *
 * start.c - where the robot of a scenario stands at first: a state that its file names, numbers of its joints, and place, turn
 * and velocity of those of several freedoms by their names. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "scenario/parts.h"

/* Turns about x, then y, then z of the frame before the joint (roll, pitch, yaw). */
static void quaternion_rpy(const double rpy[3], double e[4])
{
    double s[3], c[3];
    for (int k = 0; k < 3; k++) s[k] = sin(rpy[k] / 2), c[k] = cos(rpy[k] / 2);
    e[0] = s[0] * c[1] * c[2] - c[0] * s[1] * s[2];
    e[1] = c[0] * s[1] * c[2] + s[0] * c[1] * s[2];
    e[2] = c[0] * c[1] * s[2] - s[0] * s[1] * c[2];
    e[3] = c[0] * c[1] * c[2] + s[0] * s[1] * s[2];
}

/* {xyz, rpy or quaternion, v, w} of a joint of several freedoms; a spherical one has no place */
static arne_status place_joint(scenario_reader *x, const yaml_node_t *node, int joint)
{
    typedef struct {
        const yaml_node_t *rpy, *quaternion, *w, *xyz, *v;
    } text;
    static const yaml_field table[] = {NODE(rpy), NODE(quaternion), NODE(w), NODE(xyz), NODE(v)};
    const arne_model *m = x->p->model;
    yaml_reader *r = &x->yaml;
    const bool moves = arne_joint_kind(m, joint) == ARNE_FREE;
    double *turn = x->p->q + arne_joint_turn(m, joint), *velocity = x->p->qd + arne_joint_v(m, joint), rpy[3];
    text t = {0};
    arne_status status = arne__yaml_mapping(r, node, table, SCENARIO_COUNT(table) - (moves ? 0 : 2), &t);
    if (!status && t.rpy && t.quaternion)
        status = arne__yaml_fail(r, t.rpy, "give the turn by rpy or by quaternion (x, y, z, w), not by both");
    if (!status && t.xyz) status = arne__yaml_vector(r, t.xyz, 3, x->p->q + arne_joint_q(m, joint));
    if (!status && t.v) status = arne__yaml_vector(r, t.v, 3, velocity);
    if (!status && t.w) status = arne__yaml_vector(r, t.w, 3, velocity + (moves ? 3 : 0));
    if (!status && t.rpy && !(status = arne__yaml_vector(r, t.rpy, 3, rpy))) quaternion_rpy(rpy, turn);
    if (!status && t.quaternion && !(status = arne__yaml_vector(r, t.quaternion, 4, turn))) {
        const double length = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
        if (!(fabs(length - 1) <= 1e-3))
            status = arne__yaml_fail(r, t.quaternion, "a quaternion x, y, z, w has unit length, this one %g", length);
    }
    return status;
}

/* a state that the robot file names; what stands beside it changes it */
static arne_status take_state(scenario_reader *x, const yaml_node_t *node)
{
    struct scenario_parts *p = x->p;
    const char *name;
    if (!node) return ARNE_OK;
    x->yaml.key = "state";
    arne_status status = arne__yaml_string(&x->yaml, node, &name);
    nearest near = {.word = status ? "" : name};
    for (size_t i = 0; i < p->description->nstate && !status; i++) arne__nearest_offer(&near, p->description->states[i].name);
    if (!status && arne_named_state(p->model, p->description, name, p->q, p->qd)) {
        char hint[192];
        status = arne__yaml_fail(&x->yaml, node, "%.60s has no state '%.60s'%s (arne info lists them)", x->robot, name,
                                 arne__nearest_hint(&near, hint, sizeof hint));
    }
    x->yaml.key = NULL;
    x->placed = true;
    return status;
}

/* what is said of the joints of one freedom */
static arne_status place_joints(scenario_reader *x, const yaml_node_t *q, const yaml_node_t *qd)
{
    struct scenario_parts *p = x->p;
    double *given;
    arne_status status = ARNE_OK;
    if (q) {
        x->yaml.key = "q";
        x->placed = true;
        status = arne__scenario_vector(x, q, &given);
        for (int i = 0; i < x->n && !status; i++)
            if (arne_velocity_position(p->model, i) >= 0) p->q[arne_velocity_position(p->model, i)] = given[i];
    }
    if (!status && qd) {
        x->yaml.key = "qd";
        status = arne__scenario_vector(x, qd, &given);
        for (int i = 0; i < x->n && !status; i++)
            if (arne_velocity_position(p->model, i) >= 0) p->qd[i] = given[i];
    }
    x->yaml.key = NULL;
    return status;
}

arne_status arne__scenario_start(scenario_reader *x)
{
    struct scenario_parts *p = x->p;
    const arne_model *m = p->model;
    const int joints = arne_model_joints(m);
    enum { Q, QD, STATE, OTHERS };
    const size_t most = OTHERS + (size_t)joints;
    const yaml_node_t **nodes = arne__arena_take(p->memory, most, sizeof *nodes);
    yaml_field *table = arne__arena_take(p->memory, most, sizeof *table);
    int *of = arne__arena_take(p->memory, most, sizeof *of);
    size_t count = 0;
    p->q = arne__arena_take(p->memory, (size_t)arne_model_nq(m), sizeof *p->q);
    p->qd = arne__arena_take(p->memory, (size_t)x->n, sizeof *p->qd);
    if (!p->q || !p->qd || !nodes || !table || !of) return arne__yaml_no_memory(&x->yaml);
    arne_neutral(m, p->q);
    table[count++] = (yaml_field){"q", arne__yaml_node, 0};
    table[count++] = (yaml_field){"qd", arne__yaml_node, QD * sizeof *nodes};
    table[count++] = (yaml_field){"state", arne__yaml_node, STATE * sizeof *nodes};
    for (int j = 0; j < joints; j++) {
        if (arne_joint_turn(m, j) < 0) continue;
        of[count] = j;
        table[count] = (yaml_field){arne_joint_name(m, j), arne__yaml_node, count * sizeof *nodes};
        count++;
    }
    strcpy(x->yaml.where, "start");
    arne_status status = x->start ? arne__yaml_mapping(&x->yaml, x->start, table, count, nodes) : ARNE_OK;
    if (!status) status = take_state(x, nodes[STATE]);
    if (!status) status = place_joints(x, nodes[Q], nodes[QD]);
    for (size_t k = OTHERS; k < count && !status; k++) {
        if (!nodes[k]) continue;
        snprintf(x->yaml.where, sizeof x->yaml.where, "start: %s", arne_joint_name(m, of[k]));
        status = place_joint(x, nodes[k], of[k]);
    }
    x->yaml.where[0] = '\0';
    return status;
}
