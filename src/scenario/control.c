/* SPDX-License-Identifier: MIT
 *
 * control.c - controller and observer of a scenario. */
#include <string.h>

#include "arne/identify.h"
#include "scenario/parts.h"

static const double DEFAULT_PERIOD = 1e-3, DEFAULT_BRAKE = 0.25;

typedef struct {
    const yaml_node_t *kind, *kp, *kd, *lambda, *poles, *link, *stiffness, *damping, *posture, *model;
    double period, adaptation, singular_damping;
    bool friction, inertia_weighted, position_only, torque_sensors;
} control_text;

static arne_status gains(scenario_reader *x, const yaml_node_t *node, const char *key, const double **out)
{
    double *v = NULL;
    if (!node) return ARNE_OK;
    x->yaml.key = key;
    const arne_status status = arne__scenario_positive(x, node, &v);
    x->yaml.key = NULL;
    *out = v;
    return status;
}

/* What the controller thinks the robot is. */
static arne_status read_model(scenario_reader *x, const yaml_node_t *node, bool motors)
{
    typedef struct {
        const yaml_node_t *payload, *wrong, *stiffness;
    } text;
    static const yaml_field table[] = {NODE(payload), NODE(wrong), NODE(stiffness)};
    text t = {0};
    arne_status status = SCENARIO_MAP(x, node, table, &t);
    if (!status && t.payload) {
        const char *none = t.payload->type == YAML_SCALAR_NODE ? (const char *)t.payload->data.scalar.value : "";
        x->nknown = 0;
        if (strcmp(none, "none") != 0) status = arne__scenario_payloads(x, t.payload, x->known, &x->nknown);
    }
    if (!status && t.wrong)
        status = arne__scenario_each_positive(x, t.wrong, arne_model_joints(x->p->model), "joints", &x->wrong);
    if (!status && t.stiffness && !motors)
        status = arne__yaml_fail(&x->yaml, t.stiffness, "model: stiffness: only motor-pd and elastic know springs");
    return status ? status : gains(x, t.stiffness, "stiffness", &x->springs);
}

/* Six numbers of a hand controller: a list, or one for forces and one for moments. */
static arne_status six(scenario_reader *x, const yaml_node_t *node, const char *key, double *out)
{
    size_t count;
    double pair[2];
    if (!node) return ARNE_OK;
    x->yaml.key = key;
    arne_status status = arne__yaml_list(&x->yaml, node, &count);
    if (!status && count == 6) status = arne__yaml_vector(&x->yaml, node, 6, out);
    if (!status && count != 6) {
        status = arne__yaml_vector(&x->yaml, node, 2, pair);
        for (int i = 0; i < 6 && !status; i++) out[i] = pair[i / 3];
    }
    x->yaml.key = NULL;
    return status;
}

/* The columns of the regressor that can be told apart, and their values as the controller knows them. */
static arne_status base_columns(scenario_reader *x, const arne_settings *known, arne_control_options *o)
{
    arne_base *base;
    arne_error e = {0};
    const arne_base_options options = {.size = sizeof options, .no_rotors = x->rigid, .gravity = x->gravity};
    if (arne_base_find(x->p->model, &options, &base, &e)) return arne__scenario_blame(x, x->controller, &e);
    int *columns = arne__arena_take(x->p->memory, (size_t)base->count, sizeof *columns);
    double *values = arne__arena_take(x->p->memory, (size_t)base->count, sizeof *values);
    double *K = arne__arena_take(x->p->memory, (size_t)(ARNE_LINK_PARAMETERS * arne_model_bodies(x->p->model)), sizeof *K);
    if (columns && values && K) {
        arne_parameters(known, K);
        arne_base_values(base, K, values);
        for (int i = 0; i < base->count; i++) columns[i] = base->parameters[i].parameter;
        o->ncolumn = base->count;
        o->columns = columns;
        o->values = values;
    }
    arne_base_free(base);
    return columns && values && K ? ARNE_OK : arne__yaml_no_memory(&x->yaml);
}

static arne_status kind_of(scenario_reader *x, const yaml_node_t *node, arne_control_kind *kind)
{
    const char *names[ARNE_CONTROL_COUNT + 1] = {0};
    int which = 0;
    for (int i = 0; i < (int)ARNE_CONTROL_COUNT; i++) names[i] = arne_control_name((arne_control_kind)i);
    const arne_status status = arne__scenario_choice(x, node, names, &which);
    *kind = (arne_control_kind)which;
    return status;
}

static bool has_motors(arne_control_kind kind) { return kind == ARNE_CONTROL_MOTOR_PD || kind == ARNE_CONTROL_ELASTIC; }

static arne_status check_kind(scenario_reader *x, const control_text *t, arne_control_kind kind, bool *hand)
{
    *hand = kind == ARNE_CONTROL_HAND_ACCELERATION || kind == ARNE_CONTROL_HAND_IMPEDANCE;
    if (has_motors(kind) && !x->elastic)
        return arne__yaml_fail(&x->yaml, t->kind, "'%s' is for elastic joints; say options: {elastic: true}",
                               arne_control_name(kind));
    if (t->torque_sensors && kind != ARNE_CONTROL_ELASTIC)
        return arne__yaml_fail(&x->yaml, t->kind, "torque_sensors: only the controller 'elastic' listens to them");
    if (*hand && !t->link) return arne__yaml_fail(&x->yaml, t->kind, "'%s' needs `link:`", arne_control_name(kind));
    if (kind != ARNE_CONTROL_NONE && !x->p->motion && !x->placed)
        return arne__yaml_fail(&x->yaml, t->kind,
                               "there is no motion to follow and no start to stay at; give `motion:` or `start:`");
    return ARNE_OK;
}

static arne_status read_hand(scenario_reader *x, const control_text *t, arne_control_options *o)
{
    arne_loop *l = &x->s->loop;
    double *posture = NULL;
    arne_status status = arne__scenario_link(x, t->link, &o->link);
    if (!status) status = six(x, t->stiffness, "stiffness", o->stiffness);
    if (!status) status = six(x, t->damping, "damping", o->damping);
    if (!status && t->posture) status = arne__scenario_vector(x, t->posture, &posture);
    if (status) return status;
    o->posture = posture;
    o->position_only = t->position_only;
    o->inertia_weighted = t->inertia_weighted;
    o->singular_damping = t->singular_damping;
    if (l->link < 0) {
        l->link = o->link;
        x->s->link = arne_link_name(x->p->model, o->link);
    }
    return ARNE_OK;
}

/* One place for all poles, four poles for all joints, or a row of four for each. */
static arne_status read_poles(scenario_reader *x, const yaml_node_t *node, const double **out)
{
    const int n = x->n, all = 4 * n, given = node->type == YAML_SCALAR_NODE ? 1 : 4;
    size_t count = 1;
    int rows;
    double *poles = NULL;
    x->yaml.key = "poles";
    arne_status status = given == 1 ? ARNE_OK : arne__yaml_list(&x->yaml, node, &count);
    if (!status && given == 4 && count > 0 && arne__yaml_item(&x->yaml, node, 0)->type == YAML_SEQUENCE_NODE) {
        status = arne__scenario_rows(x, node, 4, &rows, &poles);
        if (!status && rows != n) status = arne__yaml_fail(&x->yaml, node, "needs four poles for each of the %d joints", n);
    } else if (!status && !(poles = arne__arena_take(x->p->memory, (size_t)all, sizeof *poles))) {
        status = arne__yaml_no_memory(&x->yaml);
    } else if (!status) {
        status = given == 1 ? arne__yaml_number(&x->yaml, node, poles) : arne__yaml_vector(&x->yaml, node, 4, poles);
        for (int i = given; i < all; i++) poles[i] = poles[i % given];
    }
    x->yaml.key = NULL;
    *out = poles;
    return status;
}

static arne_status make_controller(scenario_reader *x, const control_text *t, arne_control_options *o)
{
    bool hand;
    arne_status status = check_kind(x, t, o->kind, &hand);
    if (!status) status = gains(x, t->kp, "kp", &o->kp);
    if (!status) status = gains(x, t->kd, "kd", &o->kd);
    if (!status) status = gains(x, t->lambda, "lambda", &o->lambda);
    if (!status && t->poles) status = read_poles(x, t->poles, &o->poles);
    if (!status && hand) status = read_hand(x, t, o);
    if (status) return status;
    arne_settings *known = arne__scenario_settings(x, false);
    if (!known) return arne__yaml_no_memory(&x->yaml);
    if (o->kind == ARNE_CONTROL_ADAPTIVE) status = base_columns(x, known, o);
    arne_error e = {0};
    if (!status && arne_controller_new(known, o, &x->p->controller, &e)) status = arne__scenario_blame(x, x->controller, &e);
    arne_settings_free(known);
    x->s->loop.controller = x->p->controller;
    return status;
}

arne_status arne__scenario_control(scenario_reader *x)
{
    typedef control_text text;
    /* clang-format off */
    static const yaml_field table[] = {
        NODE(kind), POSITIVE(period), NODE(kp), NODE(kd), NODE(lambda), NODE(poles), POSITIVE(adaptation), NODE(link),
        NODE(stiffness), NODE(damping), NODE(posture), POSITIVE(singular_damping), TRUTH(position_only), TRUTH(inertia_weighted),
        TRUTH(friction), TRUTH(torque_sensors), NODE(model)};
    /* clang-format on */
    control_text t = {0};
    arne_control_options o = {.size = sizeof o, .kind = ARNE_CONTROL_NONE};
    arne_status status = ARNE_OK;
    x->s->controller = arne_control_name(ARNE_CONTROL_NONE);
    x->s->loop.period = x->s->loop.interval;
    if (!x->controller) return ARNE_OK;
    strcpy(x->yaml.where, "controller");
    status = SCENARIO_MAP(x, x->controller, table, &t);
    if (!status && !t.kind) status = arne__yaml_fail(&x->yaml, x->controller, "needs `kind:`");
    if (!status) status = kind_of(x, t.kind, &o.kind);
    if (!status && t.model) status = read_model(x, t.model, has_motors(o.kind));
    if (!status) {
        x->s->controller = arne_control_name(o.kind);
        o.period = t.period > 0 ? t.period : o.kind == ARNE_CONTROL_NONE ? x->s->loop.interval : DEFAULT_PERIOD;
        o.adaptation = t.adaptation;
        o.friction = t.friction;
        o.springs = x->springs;
        x->s->loop.torque_sensors = t.torque_sensors;
        x->s->loop.period = o.period;
        if (o.kind != ARNE_CONTROL_NONE) status = make_controller(x, &t, &o);
    }
    x->yaml.where[0] = '\0';
    return status;
}

/* ---- observer ---- */

typedef struct {
    const yaml_node_t *gain, *threshold, *reaction, *side;
    double learn, brake;
} observer_text;

/* The controller that takes over: it stands where the braking motion ends. */
static arne_status make_brake(scenario_reader *x, const observer_text *t)
{
    arne_loop *l = &x->s->loop;
    const arne_control_options o = {.size = sizeof o,
                                    .kind = x->elastic ? ARNE_CONTROL_MOTOR_PD : ARNE_CONTROL_PD_GRAVITY,
                                    .period = l->period,
                                    .springs = x->springs};
    arne_settings *known = arne__scenario_settings(x, false);
    arne_error e = {0};
    if (!known) return arne__yaml_no_memory(&x->yaml);
    const arne_status status = arne_controller_new(known, &o, &x->p->brake, &e);
    arne_settings_free(known);
    if (status) return arne__scenario_blame(x, t->reaction, &e);
    l->brake = x->p->brake;
    l->brake_time = t->brake;
    return ARNE_OK;
}

/* An observer speaks of every velocity, those of a free base too. */
static const char *velocities(const scenario_reader *x) { return x->driven == x->n ? "joints" : "velocities"; }

static arne_status make_observer(scenario_reader *x, const observer_text *t, bool link_side)
{
    struct scenario_parts *p = x->p;
    arne_loop *l = &x->s->loop;
    arne_observer_options o = {.size = sizeof o, .period = l->period, .link_side = link_side};
    arne_settings *known = arne__scenario_settings(x, false);
    arne_error e = {0};
    if (!known) return arne__yaml_no_memory(&x->yaml);
    double *gain = NULL;
    x->yaml.key = "gain";
    arne_status status = t->gain ? arne__scenario_each_positive(x, t->gain, x->n, velocities(x), &gain) : ARNE_OK;
    x->yaml.key = NULL;
    o.gain = gain;
    if (!status && arne_observer_new(known, &o, &p->observer, &e)) status = arne__scenario_blame(x, x->observer, &e);
    arne_settings_free(known);
    if (!status && t->threshold) {
        x->yaml.key = "threshold";
        status = arne__scenario_each_positive(x, t->threshold, x->n, velocities(x), &p->thresholds);
        x->yaml.key = NULL;
        if (!status && arne_detector_new(p->model, p->thresholds, &p->detector, &e))
            status = arne__scenario_blame(x, t->threshold, &e);
    }
    l->observer = p->observer;
    l->detector = p->detector;
    x->s->thresholds = p->thresholds;
    x->s->learn = t->learn;
    return status;
}

arne_status arne__scenario_observer(scenario_reader *x)
{
    static const char *const reactions[] = {"none", "stop", NULL}, *const sides[] = {"links", "motors", NULL};
    typedef observer_text text;
    static const yaml_field table[] = {NODE(gain), NODE(threshold), POSITIVE(learn), NODE(reaction), POSITIVE(brake), NODE(side)};
    observer_text t = {.brake = DEFAULT_BRAKE};
    int reaction = 0, side = 0;
    if (!x->observer) return ARNE_OK;
    strcpy(x->yaml.where, "observer");
    arne_status status = SCENARIO_MAP(x, x->observer, table, &t);
    if (!status && t.threshold && t.learn > 0)
        status = arne__yaml_fail(&x->yaml, t.threshold, "thresholds are given or learned, not both");
    if (!status && t.reaction) status = arne__scenario_choice(x, t.reaction, reactions, &reaction);
    if (!status && t.side) status = arne__scenario_choice(x, t.side, sides, &side);
    if (!status && t.side && !x->elastic) status = arne__yaml_fail(&x->yaml, t.side, "only elastic joints have sides");
    if (!status && reaction && !t.threshold && t.learn == 0)
        status = arne__yaml_fail(&x->yaml, t.reaction, "to react it needs `threshold:` or `learn:`");
    if (!status) status = make_observer(x, &t, x->elastic && side == 0);
    if (!status && reaction) status = make_brake(x, &t);
    x->yaml.where[0] = '\0';
    return status;
}
