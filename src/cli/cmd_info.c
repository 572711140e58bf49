/* SPDX-License-Identifier: MIT
 *
 * cmd_info.c - what a robot consists of. */
#include <math.h>
#include <stdio.h>

#include "cli/out.h"

static const char *type_name(const arne_model *m, int i)
{
    return arne_joint_kind(m, i) == ARNE_PRISMATIC ? "prismatic" : "revolute";
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
    json_open(o, NULL, '{');
    json_string(o, "name", arne_joint_name(m, i));
    json_string(o, "type", type_name(m, i));
    json_string(o, "parent", parent_name(m, i));
    json_number(o, "lower", l->lower);
    json_number(o, "upper", l->upper);
    json_number(o, "velocity", l->velocity);
    json_number(o, "effort", l->effort);
    json_close(o, '}');
}

static void print_json_info(const robot *r, out *o)
{
    const arne_model *m = r->model;
    json_open(o, NULL, '{');
    json_string(o, "name", arne_model_name(m));
    json_number(o, "dof", arne_model_dof(m));
    json_open(o, "joints", '[');
    for (int i = 0; i < arne_model_dof(m); i++) json_joint(m, i, o);
    json_close(o, ']');
    json_number(o, "mass", total_mass(r));
    json_open(o, "warnings", '[');
    for (size_t i = 0; i < r->description->nwarning; i++) json_string(o, NULL, r->description->warnings[i]);
    out_text(o, "]}\n");
}

/* Columns of the table of joints: always, or only where some joint has something to say. */
typedef struct {
    const char *title;
    double (*value)(const arne_model *m, int i);
    double usual;      /* a column whose joints all have this value is left out */
    bool always, soft; /* soft: not with --rigid */
} column;

static double lower(const arne_model *m, int i) { return arne_joint_limits(m, i)->lower; }
static double upper(const arne_model *m, int i) { return arne_joint_limits(m, i)->upper; }
static double speed(const arne_model *m, int i) { return arne_joint_limits(m, i)->velocity; }
static double acceleration(const arne_model *m, int i) { return arne_joint_limits(m, i)->acceleration; }
static double effort(const arne_model *m, int i) { return arne_joint_limits(m, i)->effort; }
static double rotor(const arne_model *m, int i) { return arne_joint_motor(m, i)->inertia; }
static double gear(const arne_model *m, int i) { return arne_joint_motor(m, i)->gear; }
static double motor_viscous(const arne_model *m, int i) { return arne_joint_motor(m, i)->viscous; }
static double motor_coulomb(const arne_model *m, int i) { return arne_joint_motor(m, i)->coulomb; }
static double motor_effort(const arne_model *m, int i) { return arne_joint_motor(m, i)->effort; }
static double motor_speed(const arne_model *m, int i) { return arne_joint_motor(m, i)->speed; }
static double viscous(const arne_model *m, int i) { return arne_joint_friction(m, i)->viscous; }
static double coulomb(const arne_model *m, int i) { return arne_joint_friction(m, i)->coulomb; }
static double breakaway(const arne_model *m, int i) { return arne_joint_friction(m, i)->static_; }
static double points(const arne_model *m, int i) { return arne_joint_friction(m, i)->npoint; }
static double stiffness(const arne_model *m, int i) { return arne_joint_elastic(m, i)->stiffness; }
static double cubic(const arne_model *m, int i) { return arne_joint_elastic(m, i)->cubic; }
static double quintic(const arne_model *m, int i) { return arne_joint_elastic(m, i)->quintic; }
static double damping(const arne_model *m, int i) { return arne_joint_elastic(m, i)->damping; }

static const column columns[] = {
    {"lower", lower, 0, true, false},
    {"upper", upper, 0, true, false},
    {"velocity", speed, 0, true, false},
    {"acceleration", acceleration, INFINITY, false, false},
    {"effort", effort, 0, true, false},
    {"rotor inertia", rotor, 0, false, true},
    {"gear", gear, 1, false, false},
    {"motor viscous", motor_viscous, 0, false, true},
    {"motor coulomb", motor_coulomb, 0, false, true},
    {"motor effort", motor_effort, INFINITY, false, false},
    {"motor speed", motor_speed, INFINITY, false, false},
    {"viscous", viscous, 0, false, true},
    {"coulomb", coulomb, 0, false, true},
    {"static", breakaway, 0, false, true},
    {"friction points", points, 0, false, true},
    {"stiffness", stiffness, 0, false, false},
    {"stiffness k3", cubic, 0, false, false},
    {"stiffness k5", quintic, 0, false, false},
    {"damping", damping, 0, false, false},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static bool shown(const column *c, const robot *r)
{
    if (c->always) return true;
    for (int i = 0; i < arne_model_dof(r->model) && !(c->soft && r->rigid); i++)
        if (c->value(r->model, i) != c->usual) return true;
    return false;
}

static void print_joints(const robot *r, out *o)
{
    const arne_model *m = r->model;
    char align[COLUMNS + 4] = "lll";
    table t = {.columns = 3, .align = align};
    for (int k = 0; k < COLUMNS; k++)
        if (shown(&columns[k], r)) align[t.columns++] = 'r';
    table_cell(&t, "joint");
    table_cell(&t, "type");
    table_cell(&t, "parent");
    for (int k = 0; k < COLUMNS; k++)
        if (shown(&columns[k], r)) table_cell(&t, columns[k].title);
    for (int i = 0; i < arne_model_dof(m); i++) {
        const char *parent = parent_name(m, i);
        table_cell(&t, arne_joint_name(m, i));
        table_cell(&t, type_name(m, i));
        table_cell(&t, parent ? parent : "-");
        for (int k = 0; k < COLUMNS; k++)
            if (shown(&columns[k], r)) table_number(&t, columns[k].value(m, i));
    }
    table_print(&t, "  ", o);
}

static void print_links(const arne_model *m, out *o)
{
    static const char *const titles[] = {"link", "joint", "mass", "com x", "com y", "com z"};
    table t = {.columns = 6, .align = "llrrrr"};
    for (int k = 0; k < 6; k++) table_cell(&t, titles[k]);
    for (int i = 0; i < arne_model_links(m); i++) {
        const arne_body *b = arne_link_body(m, i);
        int joint = arne_link_joint(m, i);
        table_cell(&t, arne_link_name(m, i));
        table_cell(&t, joint < 0 ? "-" : arne_joint_name(m, joint));
        table_number(&t, b->mass);
        for (int k = 0; k < 3; k++) table_number(&t, b->com[k]);
    }
    table_print(&t, "  ", o);
}

static void print_text_info(const robot *r, out *o)
{
    const arne_model *m = r->model;
    const arne_description *d = r->description;
    const double *g = arne_model_gravity(m);
    out_format(o, "%s: %d moving joint%s, %.6g kg\n", arne_model_name(m), arne_model_dof(m), arne_model_dof(m) == 1 ? "" : "s",
               total_mass(r));
    if (d->source) out_format(o, "source: %s\n", d->source);
    out_format(o, "gravity: %.6g %.6g %.6g m/s^2\n\n", g[0], g[1], g[2]);
    print_joints(r, o);
    out_text(o, "\n");
    print_links(m, o);
    for (int i = 0; i < r->npayload; i++)
        out_format(o, "%spayload on %s: %.6g kg\n", i ? "" : "\n", arne_link_name(m, r->payloads[i].link),
                   r->payloads[i].body.mass);
    for (size_t i = 0; i < d->nwarning; i++) out_format(o, "%swarning: %s\n", i ? "" : "\n", d->warnings[i]);
}

static int run(const arguments *a)
{
    int json = option_json(a);
    if (json < 0) return CLI_MISUSED;
    robot r;
    int status = robot_open(a, a->words[0], &r);
    if (status) return status;
    out o = {0};
    (json ? print_json_info : print_text_info)(&r, &o);
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
            "carries a joint. Units: rad or m, kg, Nm or N; a limit that the file does not give is a dash (JSON: null).\n",
    .options = options,
    .more_options = robot_options,
    .min_words = 1,
    .max_words = 1,
    .word = "ROBOT",
    .example = "  @ info puma560\n",
    .run = run,
};
