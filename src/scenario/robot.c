/* SPDX-License-Identifier: MIT
 *
 * robot.c - the robot of a scenario, what it carries, where it starts. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "arne/file.h"
#include "arne/regressor.h"
#include "file/yaml_joint.h"
#include "scenario/parts.h"

/* ---- file ---- */

/* The path of a robot that is called by its name; NULL: there is none. */
static arne_status named(scenario_reader *x, const arne_robot_place *places, size_t count, nearest *near, const char **path)
{
    *path = NULL;
    for (size_t i = 0; i < count && !*path; i++) {
        arne__nearest_offer(near, places[i].name);
        if (strcmp(places[i].name, x->robot)) continue;
        *path = arne__arena_text(x->p->memory, places[i].path);
        x->s->robot = arne__arena_text(x->p->memory, x->robot);
        if (!*path || !x->s->robot) return arne__yaml_no_memory(&x->yaml);
    }
    return ARNE_OK;
}

/* A shipped name, or a path from the folder of the scenario file. */
static arne_status find(scenario_reader *x, const yaml_node_t *node, const char **path)
{
    const arne_scenario_options *o = x->options;
    nearest near = {.word = x->robot};
    struct stat there;
    if (strchr(x->robot, '/') || strchr(x->robot, '.')) {
        *path = x->s->robot = arne__scenario_path(x, x->robot);
        if (!*path) return arne__yaml_no_memory(&x->yaml);
        return stat(*path, &there) ? arne__yaml_fail(&x->yaml, node, "'%.200s': %s", *path, strerror(errno)) : ARNE_OK;
    }
    arne_robot_place *shipped = NULL;
    size_t count = 0;
    arne_status status = o && o->places ? ARNE_OK : arne_robots(&shipped, &count, x->yaml.error);
    if (!status) status = named(x, shipped ? shipped : o ? o->places : NULL, shipped ? count : o ? o->nplace : 0, &near, path);
    arne_robots_free(shipped, count);
    if (status || *path) return status;
    if (near.best[0])
        return arne__yaml_fail(&x->yaml, node, "there is no robot '%.60s'; did you mean '%.60s'?", x->robot, near.best);
    return arne__yaml_fail(&x->yaml, node, "there is no robot '%.60s' (a shipped one by its name, a file by its path)", x->robot);
}

/* ---- payloads ---- */

arne_status arne__scenario_body(scenario_reader *x, const yaml_node_t *node, const yaml_node_t *link, const yaml_node_t *body,
                                int *at, arne_body *load)
{
    if (!link || !body) return arne__yaml_fail(&x->yaml, node, "needs link: and body: {mass: ..., com: ...}");
    arne_status status = arne__scenario_link(x, link, at);
    if (!status) status = arne__yaml_body(&x->yaml, body, load);
    const char *fault = status ? NULL : arne_body_fault(load);
    return fault ? arne__yaml_fail(&x->yaml, body, "%s", fault) : status;
}

arne_status arne__scenario_payloads(scenario_reader *x, const yaml_node_t *list, carried *to, int *count)
{
    typedef struct {
        const yaml_node_t *link, *body;
    } text;
    static const yaml_field table[] = {NODE(link), NODE(body)};
    const bool many = list->type == YAML_SEQUENCE_NODE;
    size_t given = 1;
    arne_status status = many ? arne__yaml_list(&x->yaml, list, &given) : ARNE_OK;
    if (!status && given > MOST_PAYLOADS) status = arne__yaml_fail(&x->yaml, list, "more than %d payloads", MOST_PAYLOADS);
    for (size_t i = 0; i < given && !status; i++) {
        const yaml_node_t *node = many ? arne__yaml_item(&x->yaml, list, i) : list;
        text t = {0};
        status = SCENARIO_MAP(x, node, table, &t);
        if (!status) status = arne__scenario_body(x, node, t.link, t.body, &to[i].link, &to[i].body);
    }
    *count = status ? 0 : (int)given;
    return status;
}

static arne_status tell_payloads(scenario_reader *x)
{
    arne_about_payload *p = arne__arena_take(x->p->memory, (size_t)x->npayload, sizeof *p);
    if (!p) return NO_MEMORY(x->yaml.error);
    for (int i = 0; i < x->npayload; i++) {
        const arne_body *b = &x->payload[i].body;
        p[i] = (arne_about_payload){arne_link_name(x->p->model, x->payload[i].link), b->mass, {b->com[0], b->com[1], b->com[2]}};
    }
    x->s->npayload = x->npayload;
    x->s->payloads = p;
    return ARNE_OK;
}

/* ---- robot ---- */

static arne_status options(scenario_reader *x)
{
    typedef struct {
        bool rigid, elastic;
        double friction;
        const yaml_node_t *gravity, *payload, *stiffness, *tool, *base, *mimic, *mass;
    } text;
    static const yaml_field table[] = {TRUTH(rigid), TRUTH(elastic), NODE(gravity), NODE(payload), NODE(stiffness),
                                       NODE(tool),   NODE(base),     NODE(mimic),   NODE(mass),    POSITIVE(friction)};
    text t = {0};
    memcpy(x->gravity, arne_model_gravity(x->p->model), sizeof x->gravity);
    if (!x->robot_options) return ARNE_OK;
    arne_status status = SCENARIO_MAP(x, x->robot_options, table, &t);
    x->rigid = t.rigid;
    x->elastic = t.elastic;
    if (!status && t.rigid && t.elastic)
        status = arne__yaml_fail(&x->yaml, x->robot_options, "rigid and elastic exclude each other");
    if (!status && t.gravity) status = arne__yaml_vector(&x->yaml, t.gravity, 3, x->gravity);
    if (!status && t.payload) status = arne__scenario_payloads(x, t.payload, x->payload, &x->npayload);
    if (!status && x->npayload) status = tell_payloads(x);
    if (!status && t.stiffness && !t.elastic)
        status = arne__yaml_fail(&x->yaml, t.stiffness, "joints are rigid here; say elastic: true beside it");
    if (!status && t.stiffness) status = arne__scenario_positive(x, t.stiffness, &x->stiffness);
    x->rub = t.friction;
    if (!status && t.mass) {
        x->yaml.key = "mass";
        status = arne__scenario_each_positive(x, t.mass, arne_model_joints(x->p->model), "joints", &x->mass);
        x->yaml.key = NULL;
    }
    memcpy(x->known, x->payload, sizeof x->known);
    x->nknown = x->npayload;
    return status;
}

/* tool: [x, y, z], a point of the deepest link to speak of, called tool */
static arne_status add_tool(scenario_reader *x)
{
    const yaml_node_t *tool = x->robot_options ? arne__yaml_find(&x->yaml, x->robot_options, "tool") : NULL;
    double at[3];
    arne_status status = tool ? arne__yaml_vector(&x->yaml, tool, 3, at) : ARNE_OK;
    return tool && !status ? arne_description_tool(x->p->description, NULL, at, x->yaml.error) : status;
}

/* base: and mimic: of the options; the robot is read with them */
static arne_status how_to_read(scenario_reader *x, arne_read_options *how)
{
    static const char *const bases[] = {[ARNE_BASE_FILE] = "file", [ARNE_BASE_FIXED] = "fixed", [ARNE_BASE_FREE] = "free", NULL};
    static const char *const mimics[] = {[ARNE_MIMIC_FOLLOW] = "follow", [ARNE_MIMIC_INDEPENDENT] = "independent", NULL};
    const yaml_node_t *base = x->robot_options ? arne__yaml_find(&x->yaml, x->robot_options, "base") : NULL;
    const yaml_node_t *mimic = x->robot_options ? arne__yaml_find(&x->yaml, x->robot_options, "mimic") : NULL;
    int which = ARNE_BASE_FILE, following = ARNE_MIMIC_FOLLOW;
    strcpy(x->yaml.where, "options");
    x->yaml.key = "base";
    arne_status status = base ? arne__scenario_choice(x, base, bases, &which) : ARNE_OK;
    x->yaml.key = "mimic";
    if (!status && mimic) status = arne__scenario_choice(x, mimic, mimics, &following);
    x->yaml.key = NULL;
    x->yaml.where[0] = '\0';
    how->base = (arne_base_choice)which;
    how->mimic = (arne_mimic_choice)following;
    if (following != ARNE_MIMIC_FOLLOW) x->s->mimic = mimics[following];
    if (which != ARNE_BASE_FILE) x->s->base = bases[which];
    return status;
}

arne_status arne__scenario_robot(scenario_reader *x)
{
    struct scenario_parts *p = x->p;
    yaml_reader *r = &x->yaml;
    const yaml_node_t *node = arne__yaml_find(r, arne__yaml_root(r), "robot");
    const char *path = NULL;
    if (!node) return arne__yaml_fail(r, arne__yaml_root(r), "the file has no robot: give `robot: NAME`");
    r->key = "robot";
    arne_status status = find(x, node, &path);
    r->key = NULL;
    arne_read_options how = {.size = sizeof how};
    if (!status) status = how_to_read(x, &how);
    if (!status) status = arne_read(path, &how, &p->description, r->error);
    if (!status) status = add_tool(x);
    if (!status) status = arne_model_build(p->description, NULL, &p->model, r->error);
    if (status) return status;
    x->n = arne_model_nv(p->model);
    if (x->n == 0) return arne__yaml_fail(r, node, "no joint of %.60s moves", x->robot);
    for (int i = 0; i < x->n; i++) x->driven += arne_velocity_position(p->model, i) >= 0;
    x->s->description = p->description;
    x->s->model = p->model;
    strcpy(r->where, "options");
    status = options(x);
    r->where[0] = '\0';
    if (!status && p->description->unmodelled && !x->rigid)
        return arne__yaml_fail(r, node, "%.300s, so the motion would be wrong; options: {rigid: true} moves the bodies alone",
                               p->description->unmodelled);
    return status;
}

arne_settings *arne__scenario_settings(scenario_reader *x, bool real)
{
    arne_settings *s;
    const int all = ARNE_LINK_PARAMETERS * arne_model_bodies(x->p->model);
    double *K = arne__arena_take(x->p->memory, 2 * (size_t)all, sizeof *K), *own = K + all;
    if (!K || arne_settings_new(x->p->model, &s, NULL)) return NULL;
    arne_set_gravity(s, x->gravity);
    arne_set_rigid(s, x->rigid);
    if (!x->friction) arne_set_friction(s, false);
    const carried *load = real ? x->payload : x->known;
    if (real && x->mass) arne_parameters(s, own); /* of the links, not of what they carry */
    for (int i = 0; i < (real ? x->npayload : x->nknown); i++) arne_set_payload(s, load[i].link, &load[i].body);
    if (!(real ? x->mass : x->wrong)) return s;
    arne_parameters(s, K);
    for (int i = 0; i < all; i++) {
        const int joint = arne_body_joint(x->p->model, i / ARNE_LINK_PARAMETERS), master = arne_joint_master(x->p->model, joint);
        const int of = master < 0 ? joint : master;
        if (!real)
            K[i] *= x->wrong[of];
        else if (i % ARNE_LINK_PARAMETERS != ARNE_LINK_PARAMETERS - 1) /* not its rotor */
            K[i] += (x->mass[of] - 1) * own[i];
    }
    arne_set_parameters(s, K);
    return s;
}
