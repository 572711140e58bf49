/* SPDX-License-Identifier: MIT
 *
 * happen.c - disturbances of a scenario. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "file/yaml_joint.h"
#include "scenario/parts.h"

enum { MOST_DISTURBANCES = 1000 };
/* Nm or N: what holds a jammed joint where the file does not say. */
static const double JAM = 1e4;

static arne_status push(scenario_reader *x, const yaml_node_t *node, arne_disturbance *d)
{
    typedef struct {
        const yaml_node_t *link, *frame;
        double force[3], moment[3], point[3], from, to;
    } text;
    static const yaml_field table[] = {
        {"link", arne__yaml_node, offsetof(text, link)},        {"force", arne__yaml_vector3, offsetof(text, force)},
        {"moment", arne__yaml_vector3, offsetof(text, moment)}, {"point", arne__yaml_vector3, offsetof(text, point)},
        {"frame", arne__yaml_node, offsetof(text, frame)},      {"from", arne__yaml_not_negative, offsetof(text, from)},
        {"to", arne__yaml_positive, offsetof(text, to)},
    };
    static const char *const frames[] = {"local", "world", "aligned", NULL};
    text t = {.to = INFINITY};
    int frame = ARNE_ALIGNED;
    arne_status status = SCENARIO_MAP(x, node, table, &t);
    if (!status && !t.link) status = arne__yaml_fail(&x->yaml, node, "needs `link:`");
    if (!status) status = arne__scenario_link(x, t.link, &d->wrench.link);
    if (!status && t.frame) status = arne__scenario_choice(x, t.frame, frames, &frame);
    d->kind = ARNE_PUSH;
    d->wrench.frame = (arne_frame)frame;
    memcpy(d->wrench.force, t.force, sizeof t.force);
    memcpy(d->wrench.moment, t.moment, sizeof t.moment);
    memcpy(d->wrench.point, t.point, sizeof t.point);
    d->from = t.from;
    d->to = t.to;
    return status;
}

static arne_status load(scenario_reader *x, const yaml_node_t *node, arne_disturbance *d)
{
    typedef struct {
        const yaml_node_t *link, *body;
        double from, to;
    } text;
    static const yaml_field table[] = {
        {"link", arne__yaml_node, offsetof(text, link)},
        {"body", arne__yaml_node, offsetof(text, body)},
        {"from", arne__yaml_not_negative, offsetof(text, from)},
        {"to", arne__yaml_positive, offsetof(text, to)},
    };
    text t = {.to = INFINITY};
    arne_status status = SCENARIO_MAP(x, node, table, &t);
    if (!status && (!t.link || !t.body)) status = arne__yaml_fail(&x->yaml, node, "needs link: and body: {mass: ..., com: ...}");
    if (!status) status = arne__scenario_link(x, t.link, &d->link);
    if (!status) status = arne__yaml_body(&x->yaml, t.body, &d->load);
    const char *fault = status ? NULL : arne_body_fault(&d->load);
    if (fault) status = arne__yaml_fail(&x->yaml, t.body, "%s", fault);
    d->kind = ARNE_LOAD;
    d->from = t.from;
    d->to = t.to;
    return status;
}

static arne_status defect(scenario_reader *x, const yaml_node_t *node, arne_disturbance *d)
{
    typedef struct {
        const yaml_node_t *joint, *kind, *value;
        double from, to;
    } text;
    static const yaml_field table[] = {
        {"joint", arne__yaml_node, offsetof(text, joint)}, {"kind", arne__yaml_node, offsetof(text, kind)},
        {"value", arne__yaml_node, offsetof(text, value)}, {"from", arne__yaml_not_negative, offsetof(text, from)},
        {"to", arne__yaml_positive, offsetof(text, to)},
    };
    static const char *const kinds[] = {"lost", "frozen", "offset", "scale", "stuck", NULL};
    text t = {.to = INFINITY};
    int kind = 0;
    arne_status status = SCENARIO_MAP(x, node, table, &t);
    if (!status && (!t.joint || !t.kind)) status = arne__yaml_fail(&x->yaml, node, "needs `joint:` and `kind:`");
    if (!status) status = arne__scenario_joint(x, t.joint, &d->joint);
    if (!status) status = arne__scenario_choice(x, t.kind, kinds, &kind);
    d->kind = ARNE_DEFECT;
    d->defect = (arne_defect)kind;
    d->value = JAM;
    const bool valued = d->defect == ARNE_DRIVE_OFFSET || d->defect == ARNE_DRIVE_SCALE;
    if (!status && valued && !t.value) status = arne__yaml_fail(&x->yaml, node, "'%s' needs `value:`", kinds[kind]);
    if (!status && t.value) status = arne__yaml_number(&x->yaml, t.value, &d->value);
    if (!status && d->defect == ARNE_DRIVE_STUCK && !(d->value > 0))
        status = arne__yaml_fail(&x->yaml, t.value, "what jams the joint must be above 0");
    d->from = t.from;
    d->to = t.to;
    return status;
}

static arne_status rub(scenario_reader *x, const yaml_node_t *node, arne_disturbance *d)
{
    typedef struct {
        const yaml_node_t *joint;
        double scale, from, to;
    } text;
    static const yaml_field table[] = {
        {"joint", arne__yaml_node, offsetof(text, joint)},
        {"scale", arne__yaml_not_negative, offsetof(text, scale)},
        {"from", arne__yaml_not_negative, offsetof(text, from)},
        {"to", arne__yaml_positive, offsetof(text, to)},
    };
    text t = {.scale = 1, .to = INFINITY};
    d->joint = -1;
    arne_status status = SCENARIO_MAP(x, node, table, &t);
    if (!status && t.joint) status = arne__scenario_joint(x, t.joint, &d->joint);
    if (!status && !x->friction) status = arne__yaml_fail(&x->yaml, node, "friction is switched off in this scenario");
    d->kind = ARNE_RUB;
    d->value = t.scale;
    d->from = t.from;
    d->to = t.to;
    return status;
}

static arne_status one(scenario_reader *x, const yaml_node_t *node, arne_disturbance *d)
{
    static const struct {
        const char *key;
        arne_status (*read)(scenario_reader *, const yaml_node_t *, arne_disturbance *);
    } kinds[] = {{"wrench", push}, {"payload", load}, {"fault", defect}, {"friction", rub}};
    static const yaml_field table[] = {{"wrench", NULL, 0}, {"payload", NULL, 0}, {"fault", NULL, 0}, {"friction", NULL, 0}};
    strcpy(x->yaml.where, "disturbances");
    arne_status status = SCENARIO_MAP(x, node, table, NULL);
    if (!status && node->data.mapping.pairs.top - node->data.mapping.pairs.start != 1)
        status = arne__yaml_fail(&x->yaml, node, "needs exactly one of wrench, payload, fault, friction; several are a list");
    for (size_t i = 0; i < SCENARIO_COUNT(kinds) && !status; i++) {
        const yaml_node_t *value = arne__yaml_find(&x->yaml, node, kinds[i].key);
        if (!value) continue;
        snprintf(x->yaml.where, sizeof x->yaml.where, "disturbances: %s", kinds[i].key);
        status = kinds[i].read(x, value, d);
        if (!status && !(d->to > d->from))
            status = arne__yaml_fail(&x->yaml, value, "ends (to: %g) before it begins (from: %g)", d->to, d->from);
    }
    return status;
}

arne_status arne__scenario_disturbances(scenario_reader *x)
{
    arne_loop *l = &x->s->loop;
    size_t count;
    if (!x->disturbances) return ARNE_OK;
    x->yaml.key = "disturbances";
    arne_status status = arne__yaml_list(&x->yaml, x->disturbances, &count);
    if (!status && count > MOST_DISTURBANCES)
        status = arne__yaml_fail(&x->yaml, x->disturbances, "more than %d", MOST_DISTURBANCES);
    x->yaml.key = NULL;
    if (status) return status;
    l->disturbances = arne__arena_take(x->p->memory, count, sizeof *l->disturbances);
    if (!l->disturbances) return arne__yaml_no_memory(&x->yaml);
    for (size_t i = 0; i < count && !status; i++)
        status = one(x, arne__yaml_item(&x->yaml, x->disturbances, i), &l->disturbances[i]);
    l->ndisturbance = (int)count;
    x->yaml.where[0] = '\0';
    return status;
}
