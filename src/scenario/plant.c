/* SPDX-License-Identifier: MIT
 *
 * plant.c - limits, integrator, sensors and output of a scenario. */
#include <math.h>
#include <string.h>

#include "scenario/parts.h"

static const double DEFAULT_RATE = 100, DEFAULT_STEP = 1e-3;

arne_status arne__scenario_limits(scenario_reader *x)
{
    typedef struct {
        bool torque, stops, friction;
        double restitution;
    } text;
    static const yaml_field table[] = {
        {"torque", arne__scenario_truth, offsetof(text, torque)},
        {"stops", arne__scenario_truth, offsetof(text, stops)},
        {"friction", arne__scenario_truth, offsetof(text, friction)},
        {"restitution", arne__yaml_not_negative, offsetof(text, restitution)},
    };
    text t = {.torque = true, .stops = true, .friction = !x->rigid};
    strcpy(x->yaml.where, "limits");
    arne_status status = x->limits ? SCENARIO_MAP(x, x->limits, table, &t) : ARNE_OK;
    if (!status && t.restitution > 1) status = arne__yaml_fail(&x->yaml, x->limits, "restitution must not be above 1");
    x->torque = x->s->loop.saturate = t.torque;
    x->stops = t.stops;
    x->friction = t.friction && !x->rigid;
    x->restitution = t.restitution;
    x->yaml.where[0] = '\0';
    return status;
}

/* Nobody stands beyond his own stops. */
static arne_status check_start(scenario_reader *x)
{
    const yaml_node_t *at = x->start ? x->start : x->motion ? x->motion : arne__yaml_root(&x->yaml);
    for (int i = 0; i < x->n && x->stops; i++) {
        const arne_limits *l = arne_joint_limits(x->p->model, i);
        if (x->p->q[i] > l->upper || x->p->q[i] < l->lower)
            return arne__yaml_fail(&x->yaml, at,
                                   "the robot starts outside its limits: joint %.60s at %g, limits %g ... %g "
                                   "(limits: {stops: false} takes them away)",
                                   arne_joint_name(x->p->model, i), x->p->q[i], l->lower, l->upper);
    }
    return ARNE_OK;
}

static arne_status make_plant(scenario_reader *x, const arne_plant_options *o)
{
    struct scenario_parts *p = x->p;
    const yaml_node_t *at = x->robot_options ? x->robot_options : arne__yaml_root(&x->yaml);
    arne_data *d = NULL;
    arne_error e = {0};
    if (x->elastic) {
        if (arne_flex_new(p->model, &p->flex, &e)) return arne__scenario_blame(x, at, &e);
        arne_data *links = arne_flex_links(p->flex);
        arne_set_gravity(links, x->gravity);
        for (int i = 0; i < x->npayload; i++) arne_set_payload(links, x->payload[i].link, &x->payload[i].body);
        if (x->stiffness) arne_flex_set_stiffness(p->flex, x->stiffness, NULL, NULL);
    } else if (!(d = arne__scenario_data(x, true))) {
        return arne__yaml_no_memory(&x->yaml);
    }
    if (arne_plant_new(d, p->flex, o, &p->plant, &e)) return arne__scenario_blame(x, x->integrator ? x->integrator : at, &e);
    x->s->loop.plant = p->plant;
    return ARNE_OK;
}

arne_status arne__scenario_plant(scenario_reader *x)
{
    typedef struct {
        const yaml_node_t *method;
        double step, rtol, atol;
    } text;
    static const yaml_field table[] = {
        {"method", arne__yaml_node, offsetof(text, method)},
        {"step", arne__yaml_positive, offsetof(text, step)},
        {"rtol", arne__yaml_positive, offsetof(text, rtol)},
        {"atol", arne__yaml_positive, offsetof(text, atol)},
    };
    const char *names[ARNE_INTEGRATOR_COUNT + 1] = {0};
    for (int i = 0; i < (int)ARNE_INTEGRATOR_COUNT; i++) names[i] = arne_integrator_name((arne_integrator)i);
    text t = {0};
    int method = x->elastic ? ARNE_CVODE : ARNE_RK4;
    strcpy(x->yaml.where, "integrator");
    arne_status status = x->integrator ? SCENARIO_MAP(x, x->integrator, table, &t) : ARNE_OK;
    if (!status && t.method) status = arne__scenario_choice(x, t.method, names, &method);
    x->yaml.where[0] = '\0';
    if (!status) status = check_start(x);
    if (status) return status;
    x->s->integrator = names[method];
    if (method == ARNE_RK4 && t.step == 0) t.step = fmin(x->s->loop.period, DEFAULT_STEP);
    const arne_plant_options o = {.method = (arne_integrator)method,
                                  .step = t.step,
                                  .rtol = t.rtol,
                                  .atol = t.atol,
                                  .friction = x->friction,
                                  .stops = x->stops,
                                  .restitution = x->restitution};
    return make_plant(x, &o);
}

arne_status arne__scenario_sensors(scenario_reader *x)
{
    typedef struct {
        double noise, velocity_noise, quantum, cutoff, seed;
        int delay;
        const yaml_node_t *velocity;
    } text;
    static const yaml_field table[] = {
        {"noise", arne__yaml_not_negative, offsetof(text, noise)},
        {"velocity_noise", arne__yaml_not_negative, offsetof(text, velocity_noise)},
        {"quantum", arne__yaml_not_negative, offsetof(text, quantum)},
        {"delay", arne__scenario_count, offsetof(text, delay)},
        {"velocity", arne__yaml_node, offsetof(text, velocity)},
        {"cutoff", arne__yaml_positive, offsetof(text, cutoff)},
        {"seed", arne__yaml_not_negative, offsetof(text, seed)},
    };
    static const char *const ways[] = {"sensor", "difference", NULL};
    text t = {.seed = 1};
    int way = 0;
    if (!x->sensors) return ARNE_OK;
    strcpy(x->yaml.where, "sensors");
    arne_status status = SCENARIO_MAP(x, x->sensors, table, &t);
    if (!status && t.velocity) status = arne__scenario_choice(x, t.velocity, ways, &way);
    if (!status && t.cutoff > 0 && way == 0)
        status =
            arne__yaml_fail(&x->yaml, x->sensors, "cutoff: filters a velocity that is a difference; say velocity: difference");
    if (!status && t.seed > 9e15) status = arne__yaml_fail(&x->yaml, x->sensors, "seed: %g has too many digits", t.seed);
    if (!status && t.delay > 100000) status = arne__yaml_fail(&x->yaml, x->sensors, "delay: at most 100000 ticks");
    x->s->loop.sensors = (arne_sensors){.position_noise = t.noise,
                                        .velocity_noise = t.velocity_noise,
                                        .quantum = t.quantum,
                                        .delay = t.delay,
                                        .difference = way == 1,
                                        .cutoff = t.cutoff,
                                        .seed = status ? 0 : (uint64_t)t.seed};
    x->yaml.where[0] = '\0';
    return status;
}

arne_status arne__scenario_output(scenario_reader *x)
{
    typedef struct {
        double rate;
        bool energy, reference;
        const yaml_node_t *link;
    } text;
    static const yaml_field table[] = {
        {"rate", arne__yaml_positive, offsetof(text, rate)},
        {"energy", arne__scenario_truth, offsetof(text, energy)},
        {"reference", arne__scenario_truth, offsetof(text, reference)},
        {"link", arne__yaml_node, offsetof(text, link)},
    };
    text t = {.rate = DEFAULT_RATE, .energy = true, .reference = true};
    arne_loop *l = &x->s->loop;
    l->link = -1;
    strcpy(x->yaml.where, "output");
    arne_status status = x->output ? SCENARIO_MAP(x, x->output, table, &t) : ARNE_OK;
    if (!status && t.link) status = arne__scenario_link(x, t.link, &l->link);
    x->yaml.where[0] = '\0';
    l->interval = 1 / t.rate;
    x->s->energy = t.energy;
    x->s->reference = t.reference;
    if (!status && t.link) x->s->link = arne_link_name(x->p->model, l->link);
    return status;
}
