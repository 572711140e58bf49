/* SPDX-License-Identifier: MIT
 *
 * happen.c - disturbances of a scenario. */
#include <stdio.h>
#include <string.h>

#include "scenario/parts.h"
#include "simulate/plant.h"

enum { MOST_DISTURBANCES = 1000 };
/* Nm or N: what holds a jammed joint where the file does not say. */
static const double JAM = 1e4;

/* What a disturbance is told by; each kind reads some of it. */
typedef struct {
    const yaml_node_t *link, *frame, *body, *joint, *kind, *value;
    double force[3], moment[3], point[3], scale, from, to;
} text;

static arne_status push(scenario_reader *x, const yaml_node_t *node, text *t, arne_disturbance *d)
{
    static const yaml_field table[] = {NODE(link),
                                       FIELD(force, yaml_vector3),
                                       FIELD(moment, yaml_vector3),
                                       NOT_NEGATIVE(scale),
                                       FIELD(point, yaml_vector3),
                                       NODE(frame),
                                       NOT_NEGATIVE(from),
                                       POSITIVE(to)};
    static const char *const frames[] = {"local", "world", "aligned", NULL};
    int frame = ARNE_ALIGNED;
    arne_status status = SCENARIO_MAP(x, node, table, t);
    if (!status && !t->link) status = arne__yaml_fail(&x->yaml, node, "needs `link:`");
    if (!status) status = arne__scenario_link(x, t->link, &d->wrench.link);
    if (!status && t->frame) status = arne__scenario_choice(x, t->frame, frames, &frame);
    d->wrench.frame = (arne_frame)frame;
    for (int i = 0; i < 3; i++) {
        d->wrench.force[i] = t->scale * t->force[i];
        d->wrench.moment[i] = t->scale * t->moment[i];
    }
    memcpy(d->wrench.point, t->point, sizeof t->point);
    return status;
}

static arne_status load(scenario_reader *x, const yaml_node_t *node, text *t, arne_disturbance *d)
{
    static const yaml_field table[] = {NODE(link), NODE(body), NOT_NEGATIVE(from), POSITIVE(to)};
    const arne_status status = SCENARIO_MAP(x, node, table, t);
    if (!status && x->mass)
        return arne__yaml_fail(&x->yaml, node, "a load that comes later and options: {mass: ...} exclude each other");
    return status ? status : arne__scenario_body(x, node, t->link, t->body, &d->link, &d->load);
}

static arne_status driven_joint(scenario_reader *x, const yaml_node_t *node, const char *what, int *joint)
{
    const arne_status status = arne__scenario_joint(x, node, joint);
    if (status || *joint < 0 || arne_joint_turn(x->p->model, *joint) < 0) return status;
    return arne__yaml_fail(&x->yaml, node, "%.60s has several freedoms and no %s; a wrench can push its link",
                           arne_joint_name(x->p->model, *joint), what);
}

static arne_status defect(scenario_reader *x, const yaml_node_t *node, text *t, arne_disturbance *d)
{
    static const yaml_field table[] = {NODE(joint), NODE(kind), NODE(value), NOT_NEGATIVE(from), POSITIVE(to)};
    static const char *const kinds[] = {"lost", "frozen", "offset", "scale", "stuck", NULL};
    int kind = 0;
    arne_status status = SCENARIO_MAP(x, node, table, t);
    if (!status && (!t->joint || !t->kind)) status = arne__yaml_fail(&x->yaml, node, "needs `joint:` and `kind:`");
    if (!status) status = driven_joint(x, t->joint, "drive", &d->joint);
    if (!status) status = arne__scenario_choice(x, t->kind, kinds, &kind);
    d->defect = (arne_defect)kind;
    d->value = JAM;
    const bool valued = d->defect == ARNE_DRIVE_OFFSET || d->defect == ARNE_DRIVE_SCALE;
    if (!status && valued && !t->value) status = arne__yaml_fail(&x->yaml, node, "'%s' needs `value:`", kinds[kind]);
    if (!status && t->value) status = arne__yaml_number(&x->yaml, t->value, &d->value);
    if (!status && d->defect == ARNE_DRIVE_STUCK && !(d->value > 0))
        status = arne__yaml_fail(&x->yaml, t->value, "what jams the joint must be above 0");
    return status;
}

static arne_status rub(scenario_reader *x, const yaml_node_t *node, text *t, arne_disturbance *d)
{
    static const yaml_field table[] = {NODE(joint), NOT_NEGATIVE(scale), NOT_NEGATIVE(from), POSITIVE(to)};
    d->joint = -1;
    arne_status status = SCENARIO_MAP(x, node, table, t);
    if (!status && t->joint) status = driven_joint(x, t->joint, "friction", &d->joint);
    if (!status && !x->friction) status = arne__yaml_fail(&x->yaml, node, "friction is switched off in this scenario");
    d->value = t->scale;
    return status;
}

static arne_status one(scenario_reader *x, const yaml_node_t *node, arne_disturbance *d)
{
    static const struct {
        const char *key;
        arne_disturbance_kind kind;
        arne_status (*read)(scenario_reader *, const yaml_node_t *, text *, arne_disturbance *);
    } kinds[] = {
        {"wrench", ARNE_PUSH, push}, {"payload", ARNE_LOAD, load}, {"fault", ARNE_DEFECT, defect}, {"friction", ARNE_RUB, rub}};
    static const yaml_field table[] = {{"wrench", NULL, 0}, {"payload", NULL, 0}, {"fault", NULL, 0}, {"friction", NULL, 0}};
    strcpy(x->yaml.where, "disturbances");
    arne_status status = SCENARIO_MAP(x, node, table, NULL);
    if (!status && node->data.mapping.pairs.top - node->data.mapping.pairs.start != 1)
        status = arne__yaml_fail(&x->yaml, node, "needs exactly one of wrench, payload, fault, friction; several are a list");
    for (size_t i = 0; i < SCENARIO_COUNT(kinds) && !status; i++) {
        const yaml_node_t *value = arne__yaml_find(&x->yaml, node, kinds[i].key);
        if (!value) continue;
        snprintf(x->yaml.where, sizeof x->yaml.where, "disturbances: %s", kinds[i].key);
        text t = {.scale = 1, .to = INFINITY};
        status = kinds[i].read(x, value, &t, d);
        d->kind = kinds[i].kind;
        d->from = t.from;
        d->to = t.to;
        if (!status && !time_later(d->to, d->from))
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
    arne_disturbance *list = arne__arena_take(x->p->memory, count, sizeof *list);
    if (!list) return arne__yaml_no_memory(&x->yaml);
    for (size_t i = 0; i < count && !status; i++) status = one(x, arne__yaml_item(&x->yaml, x->disturbances, i), &list[i]);
    l->disturbances = list;
    l->ndisturbance = (int)count;
    x->yaml.where[0] = '\0';
    return status;
}
