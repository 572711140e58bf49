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
    static const yaml_field table[] = {TRUTH(torque), TRUTH(stops), TRUTH(friction), NOT_NEGATIVE(restitution)};
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
    const arne_model *m = x->p->model;
    for (int i = 0; i < x->n && x->stops; i++) {
        if (arne_velocity_position(m, i) < 0) continue;
        const arne_limits *l = arne_joint_limits(m, arne_velocity_joint(m, i));
        const double q = x->p->q[arne_velocity_position(m, i)];
        if (q > l->upper || q < l->lower)
            return arne__yaml_fail(&x->yaml, at,
                                   "the robot starts outside its limits: joint %.60s at %g, limits %g ... %g "
                                   "(limits: {stops: false} takes them away)",
                                   arne_velocity_name(m, i), q, l->lower, l->upper);
    }
    return ARNE_OK;
}

static arne_status make_plant(scenario_reader *x, const arne_plant_options *o)
{
    struct scenario_parts *p = x->p;
    const yaml_node_t *at = x->robot_options ? x->robot_options : arne__yaml_root(&x->yaml);
    arne_settings *real = arne__scenario_settings(x, true);
    arne_flex *springs = NULL; /* are there any? the robot is to blame, not the integrator */
    arne_error e = {0};
    if (!real) return arne__yaml_no_memory(&x->yaml);
    arne_status status = x->elastic ? arne_flex_new(real, &springs, &e) : ARNE_OK;
    arne_flex_free(springs);
    if (!status && x->integrator) at = x->integrator;
    if (!status) status = arne_plant_new(real, o, &p->plant, &e);
    arne_settings_free(real);
    if (status) return arne__scenario_blame(x, at, &e);
    if (x->stiffness) arne_flex_set_stiffness(arne_plant_flex(p->plant), x->stiffness, NULL, NULL);
    x->s->loop.plant = p->plant;
    return ARNE_OK;
}

arne_status arne__scenario_plant(scenario_reader *x)
{
    typedef struct {
        const yaml_node_t *method;
        double step, rtol, atol;
    } text;
    static const yaml_field table[] = {NODE(method), POSITIVE(step), POSITIVE(rtol), POSITIVE(atol)};
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
    const arne_plant_options o = {.size = sizeof o,
                                  .method = (arne_integrator)method,
                                  .step = t.step,
                                  .rtol = t.rtol,
                                  .atol = t.atol,
                                  .friction = x->friction,
                                  .stops = x->stops,
                                  .restitution = x->restitution,
                                  .elastic = x->elastic,
                                  .rub = x->rub};
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
        NOT_NEGATIVE(noise), NOT_NEGATIVE(velocity_noise), NOT_NEGATIVE(quantum), COUNT(delay), NODE(velocity), POSITIVE(cutoff),
        NOT_NEGATIVE(seed)};
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
    if (!status && t.seed != floor(t.seed)) status = arne__yaml_fail(&x->yaml, x->sensors, "seed: %g is no whole number", t.seed);
    if (!status && t.delay > 100000) status = arne__yaml_fail(&x->yaml, x->sensors, "delay: at most 100000 ticks");
    x->s->loop.sensors = &x->p->sensors;
    x->p->sensors = (arne_sensors){.size = sizeof x->p->sensors,
                                   .position_noise = t.noise,
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
    static const yaml_field table[] = {POSITIVE(rate), TRUTH(energy), TRUTH(reference), NODE(link)};
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
