/* SPDX-License-Identifier: MIT
 *
 * cmd_info.c - what a robot consists of. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/out.h"

static const char *type_name(const arne_model *m, int i)
{
    static const char *const names[] = {
        [ARNE_REVOLUTE] = "revolute", [ARNE_PRISMATIC] = "prismatic", [ARNE_SPHERICAL] = "spherical", [ARNE_FREE] = "free"};
    return names[arne_joint_kind(m, i)];
}

/* The joint that carries this one, NULL: none. */
static const char *parent_name(const arne_model *m, int i)
{
    int parent = arne_joint_parent(m, i);
    return parent < 0 ? NULL : arne_joint_name(m, parent);
}

static double total_mass(const robot *r)
{
    double mass = arne_model_mass(r->model);
    for (int i = 0; i < r->npayload; i++) mass += r->payloads[i].body.mass;
    return mass;
}

static void json_joint(const arne_model *m, int i, out *o)
{
    const arne_limits *l = arne_joint_limits(m, i);
    json_object(o, NULL, TEXT("name", arne_joint_name(m, i)), TEXT("type", type_name(m, i)), TEXT("parent", parent_name(m, i)),
                NUMBER("lower", l->lower), NUMBER("upper", l->upper), NUMBER("velocity", l->velocity),
                NUMBER("effort", l->effort));
}

static void print_json_info(const robot *r, out *o)
{
    const arne_model *m = r->model;
    json_open(o, NULL, '{');
    json_members(o, TEXT("name", arne_model_name(m)), NUMBER("dof", arne_model_dof(m)), NUMBER("nq", arne_model_nq(m)),
                 NUMBER("nv", arne_model_nv(m)), TEXT("base", arne_model_floats(m) ? "free" : "fixed"));
    json_open(o, "joints", '[');
    for (int i = 0; i < arne_model_joints(m); i++) json_joint(m, i, o);
    json_close(o, ']');
    if (arne_model_followers(m)) json_open(o, "followers", '[');
    for (int i = arne_model_joints(m); i < arne_model_bodies(m); i++)
        json_object(o, NULL, TEXT("name", arne_joint_name(m, i)), TEXT("master", arne_joint_name(m, arne_joint_master(m, i))),
                    NUMBER("ratio", arne_joint_ratio(m, i)), NUMBER("offset", arne_joint_offset(m, i)));
    if (arne_model_followers(m)) json_close(o, ']');
    json_number(o, "mass", total_mass(r));
    const arne_description *d = r->description;
    if (d->nstate) json_open(o, "states", '[');
    for (size_t i = 0; i < d->nstate; i++) json_string(o, NULL, d->states[i].name);
    if (d->nstate) json_close(o, ']');
    json_open(o, "warnings", '[');
    for (size_t i = 0; i < r->description->nwarning; i++) json_string(o, NULL, r->description->warnings[i]);
    out_text(o, "]}\n");
}

/* Columns of the table of joints, always or only where some joint has something to say: title, units (of joints that turn, that
 * slide), where it stands, the value of which a column says nothing, always, soft (not with --rigid). */
#define COLUMN_LIST(X)                                                                                                           \
    X("lower", "rad", "m", limits, lower, 0, true, false)                                                                        \
    X("upper", "rad", "m", limits, upper, 0, true, false)                                                                        \
    X("velocity", "rad/s", "m/s", limits, velocity, 0, true, false)                                                              \
    X("acceleration", "rad/s^2", "m/s^2", limits, acceleration, INFINITY, false, false)                                          \
    X("effort", "Nm", "N", limits, effort, 0, true, false)                                                                       \
    X("jerk", "rad/s^3", "m/s^3", limits, jerk, INFINITY, false, false)                                                          \
    X("torque rate", "Nm/s", "N/s", limits, effort_rate, INFINITY, false, false)                                                 \
    X("rotor inertia", "kg m^2", "kg m^2", motor, inertia, 0, false, true)                                                       \
    X("gear", "", "rad/m", motor, gear, 1, false, false)                                                                         \
    X("motor viscous", "Nm s", "Nm s", motor, viscous, 0, false, true)                                                           \
    X("motor coulomb", "Nm", "Nm", motor, coulomb, 0, false, true)                                                               \
    X("motor effort", "Nm", "Nm", motor, effort, INFINITY, false, false)                                                         \
    X("motor speed", "rad/s", "rad/s", motor, speed, INFINITY, false, false)                                                     \
    X("viscous", "Nm s", "N s/m", friction, viscous, 0, false, true)                                                             \
    X("coulomb", "Nm", "N", friction, coulomb, 0, false, true)                                                                   \
    X("coulomb backwards", "Nm", "N", friction, coulomb_negative, 0, false, true)                                                \
    X("offset", "Nm", "N", friction, offset, 0, false, true)                                                                     \
    X("static", "Nm", "N", friction, static_, 0, false, true)                                                                    \
    X("friction points", "", "", friction, npoint, 0, false, true)                                                               \
    X("stiffness", "Nm/rad", "N/m", elastic, stiffness, 0, false, false)                                                         \
    X("stiffness k3", "Nm/rad^3", "N/m^3", elastic, cubic, 0, false, false)                                                      \
    X("stiffness k5", "Nm/rad^5", "N/m^5", elastic, quintic, 0, false, false)                                                    \
    X("damping", "Nm s", "N s/m", elastic, damping, 0, false, false)

typedef struct {
    const char *title, *turning, *sliding;
    double (*value)(const arne_model *m, int i);
    double usual;
    bool always, soft;
} column;

#define VALUE(title, turning, sliding, part, field, ...)                                                                         \
    static double part##_##field(const arne_model *m, int i) { return arne_joint_##part(m, i)->field; }
#define COLUMN(title, turning, sliding, part, field, ...) {title, turning, sliding, part##_##field, __VA_ARGS__},
COLUMN_LIST(VALUE)
static const column columns[] = {COLUMN_LIST(COLUMN)};
enum { COLUMNS = sizeof columns / sizeof *columns };

static bool shown(const column *c, const robot *r)
{
    if (c->always) return true;
    for (int i = 0; i < arne_model_joints(r->model) && !(c->soft && r->rigid); i++)
        if (c->value(r->model, i) != c->usual) return true;
    return false;
}

static void print_joints(const robot *r, out *o)
{
    const arne_model *m = r->model;
    char align[COLUMNS + 4] = "lll";
    table t = {.columns = 3, .align = align};
    const column *all[COLUMNS];
    int count = 0;
    for (int k = 0; k < COLUMNS; k++)
        if (shown(&columns[k], r)) all[count++] = &columns[k];
    memset(align + t.columns, 'r', (size_t)count);
    t.columns += count;
    table_cells(&t, "joint", "type", "parent");
    for (int k = 0; k < count; k++) table_cell(&t, all[k]->title);
    table_cells(&t, "", "", "");
    bool slides = false; /* free joints have none of these */
    for (int i = 0; i < arne_model_joints(m); i++) slides = slides || arne_joint_kind(m, i) == ARNE_PRISMATIC;
    for (int k = 0; k < count; k++) table_unit(&t, m, all[k]->turning, slides ? all[k]->sliding : all[k]->turning);
    for (int i = 0; i < arne_model_joints(m); i++) {
        const char *parent = parent_name(m, i);
        table_cells(&t, arne_joint_name(m, i), type_name(m, i), parent ? parent : "-");
        for (int k = 0; k < count; k++) table_number(&t, all[k]->value(m, i));
    }
    table_print(&t, "  ", o);
}

static void print_followers(const arne_model *m, out *o)
{
    table t = {.columns = 4, .align = "llrr"};
    table_cells(&t, "joint that follows", "master", "ratio", "offset");
    for (int i = arne_model_joints(m); i < arne_model_bodies(m); i++) {
        table_cells(&t, arne_joint_name(m, i), arne_joint_name(m, arne_joint_master(m, i)));
        table_number(&t, arne_joint_ratio(m, i), arne_joint_offset(m, i));
    }
    table_print(&t, "  ", o);
    out_text(o, "\n");
}

static void print_links(const arne_model *m, out *o)
{
    table t = {.columns = 6, .align = "llrrrr"};
    table_cells(&t, "link", "joint", "mass", "com x", "com y", "com z");
    table_cells(&t, "", "", "kg", "m", "m", "m");
    for (int i = 0; i < arne_model_links(m); i++) {
        const arne_body *b = arne_link_body(m, i);
        int joint = arne_link_joint(m, i);
        table_cells(&t, arne_link_name(m, i), joint < 0 ? "-" : arne_joint_name(m, joint));
        table_number(&t, b->mass, b->com[0], b->com[1], b->com[2]);
    }
    table_print(&t, "  ", o);
}

static void print_text_info(const robot *r, out *o)
{
    const arne_model *m = r->model;
    const arne_description *d = r->description;
    const double *g = arne_model_gravity(m);
    const int joints = arne_model_joints(m);
    out_format(o, "%s: %d moving joint%s, %.6g kg\n", arne_model_name(m), joints, joints == 1 ? "" : "s", total_mass(r));
    if (arne_model_nq(m) != arne_model_nv(m))
        out_format(o, "positions have %d numbers, velocities %d\n", arne_model_nq(m), arne_model_nv(m));
    if (d->source) out_format(o, "source: %s\n", d->source);
    out_format(o, "gravity: %.6g %.6g %.6g m/s^2\n\n", g[0], g[1], g[2]);
    if (arne_model_dof(m)) {
        print_joints(r, o);
        out_text(o, "\n");
    }
    if (arne_model_followers(m)) print_followers(m, o);
    print_links(m, o);
    for (int i = 0; i < r->npayload; i++)
        out_format(o, "%spayload on %s: %.6g kg\n", i ? "" : "\n", arne_link_name(m, r->payloads[i].link),
                   r->payloads[i].body.mass);
    for (size_t i = 0; i < d->nstate; i++)
        out_format(o, "%s%s%s", i ? ", " : "\nstates: ", d->states[i].name, i + 1 < d->nstate ? "" : "\n");
    for (size_t i = 0; i < d->nwarning; i++) out_format(o, "%swarning: %s\n", i ? "" : "\n", d->warnings[i]);
    out_fold(o, 0);
}

static int run(const arguments *a)
{
    robot r;
    int status = robot_open_any(a, a->words[0], &r);
    if (status) return status;
    out o = {0};
    (option_json(a) ? print_json_info : print_text_info)(&r, &o);
    status = out_finish(&o, true);
    robot_close(&r);
    return status;
}

static const option options[] = {{"format", "text|json", false, "tables, or one JSON object"}, {0}};

const command command_info = {
    .name = "info",
    .synopsis = "ROBOT [--format text|json]",
    .brief = "Shows the joints, limits, masses and warnings of a robot",
    .text = "The joints are those that move, in the order of all inputs and outputs; parent is the joint that\n"
            "carries a joint; rad|m: radians where it turns, metres where it slides. A limit that the file does not give is a "
            "dash (JSON: null).\n"
            "States are those that the file has by a name (keyframes of MJCF): eval --state NAME.\n",
    .options = options,
    ONE_ROBOT,
    .example = "  @ info puma560\n",
    .run = run,
};
