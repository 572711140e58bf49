/* SPDX-License-Identifier: MIT
 *
 * robot.c - opens the robot that a command line names, with the options that change it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arne/identify.h"
#include "cli/cli.h"

#define ABOUT_READING                                                                                                            \
    {"base", "file|fixed|free", false, "as the file says (default), held still, or free to move with six freedoms more"},        \
        {"mimic", "follow|independent", false, "joints that mimic others follow them (default), or move by themselves"},         \
        {"gravity", "x,y,z|off", false, "acceleration of gravity in base axes, m/s^2, instead of the file's"},                   \
        {"set", "NAME=VALUE", true, "gives a number to a symbol of the robot file (repeatable)"},                                \
        {"tool", "[LINK=]x,y,z", false,                                                                                          \
         "a link called tool at a point of LINK, or of the deepest one; then the default of every --link"},                      \
    {                                                                                                                            \
        "strict", NULL, false, "a body that cannot exist is an error, not a warning"                                             \
    }

const option file_options[] = {ABOUT_READING, {0}};
const option robot_options[] = {
    ABOUT_READING,
    {"rigid", NULL, false, "no friction, no rotor inertia"},
    {"payload", "LINK=m,x,y,z[,ixx,ixy,ixz,iyy,iyz,izz]", true,
     "a body carried by a link: mass, centre of mass in link axes, inertia about it (repeatable)"},
    {0},
};

/* Where NAME ends in NAME=VALUE: the last '=', as a name may hold one and a value does not. NULL after a message. */
static const char *equals(const char *name, const char *text, const char *form)
{
    const char *e = strrchr(text, '=');
    if (!e || e == text) {
        misuse("--%s %s: it should read --%s %s", name, text, name, form);
        return NULL;
    }
    return e;
}

static const robot_way AS_IT_IS = {ARNE_BASE_FILE, ARNE_MIMIC_FOLLOW};

static int read_file(const arguments *a, int set, robot_way way, robot *r)
{
    size_t room = (size_t)a->noption + 1, n = 0;
    arne_symbol *symbols = calloc(room, sizeof *symbols);
    if (!symbols) return no_memory();
    int status = CLI_OK;
    for (int i = 0; i < a->noption && !status; i++) {
        if (strcmp(a->options[i].name, "set")) continue;
        const char *text = a->options[i].value, *e = equals("set", text, "NAME=VALUE");
        double value;
        if (!e) {
            status = CLI_MISUSED;
        } else if (parse_numbers(e + 1, strlen(e + 1), &value, 1) != 1) {
            status = misuse("--set %s: \"%s\" is not a number", text, e + 1);
        } else {
            char *name = strndup(text, (size_t)(e - text));
            if (!name) status = no_memory();
            symbols[n++] = (arne_symbol){name, value};
        }
    }
    arne_error error = {0};
    arne_read_options options = {.size = sizeof options,
                                 symbols,
                                 n,
                                 set,
                                 (arne_base_choice)option_word(a, "base", (int)way.base),
                                 (arne_mimic_choice)option_word(a, "mimic", (int)way.mimic)};
    if (!status && arne_read(r->path, &options, &r->description, &error)) status = say_error(&error);
    for (size_t i = 0; i < n; i++) free((char *)symbols[i].name);
    free(symbols);
    return status;
}

/* --tool [LINK=]x,y,z */
static int take_tool(const arguments *a, robot *r)
{
    const char *text = option_value(a, "tool"), *e = text ? strrchr(text, '=') : NULL, *place = e ? e + 1 : text;
    double xyz[3];
    if (!text) return CLI_OK;
    if (e == text || parse_numbers(place, strlen(place), xyz, 3) != 3)
        return misuse("--tool %s: it takes a point x,y,z of the deepest link, or LINK=x,y,z", text);
    char *link = e ? strndup(text, (size_t)(e - text)) : NULL;
    if (e && !link) return no_memory();
    arne_error error = {0};
    const int status = checked(arne_description_tool(r->description, link, xyz, &error), &error);
    free(link);
    return status;
}

static int set_gravity(const arguments *a, double g[3])
{
    const char *text = option_value(a, "gravity");
    if (!text) return CLI_OK;
    double given[3] = {0};
    if (strcmp(text, "off") && parse_numbers(text, strlen(text), given, 3) != 3)
        return misuse("--gravity %s: it takes three numbers x,y,z or the word off", text);
    memcpy(g, given, sizeof given);
    return CLI_OK;
}

/* LINK=m,x,y,z[,ixx,ixy,ixz,iyy,iyz,izz] */
static int take_payload(const arguments *a, const char *text, robot *r)
{
    const char *e = equals("payload", text, "LINK=m,x,y,z");
    if (!e) return CLI_MISUSED;
    double v[10] = {0};
    int n = parse_numbers(e + 1, strlen(e + 1), v, 10);
    if (n != 4 && n != 10)
        return misuse("--payload %s: after the = come 4 numbers m,x,y,z or 10 with ixx,ixy,ixz,iyy,iyz,izz", text);
    char *link = strndup(text, (size_t)(e - text));
    if (!link) return no_memory();
    payload *p = &r->payloads[r->npayload];
    int status = robot_link(r, link, &p->link);
    for (int i = 0; i < r->npayload && !status; i++)
        if (r->payloads[i].link == p->link) status = misuse("--payload: link %s is given two payloads; add them up in one", link);
    p->body = (arne_body){v[0], {v[1], v[2], v[3]}, {v[4], v[5], v[6], v[7], v[8], v[9]}};
    if (!status) r->loads[r->npayload] = (arne_about_payload){arne_link_name(r->model, p->link), v[0], {v[1], v[2], v[3]}};
    const char *fault = status ? NULL : arne_body_fault(&p->body);
    if (fault && option_given(a, "strict"))
        status = complain("--payload %s: %s", text, fault);
    else if (fault && !option_given(a, "quiet"))
        warn("--payload %s: %s", text, fault);
    free(link);
    r->npayload++;
    return status;
}

static int take_payloads(const arguments *a, robot *r)
{
    r->payloads = calloc((size_t)a->noption + 1, sizeof *r->payloads);
    r->loads = calloc((size_t)a->noption + 1, sizeof *r->loads);
    int status = r->payloads && r->loads ? CLI_OK : no_memory();
    for (int i = 0; i < a->noption && !status; i++)
        if (!strcmp(a->options[i].name, "payload")) status = take_payload(a, a->options[i].value, r);
    return status;
}

/* what a command takes: joints of one freedom each, with payloads or where --payload is another thing; joints that move; anything
 */
typedef enum { NARROW, UNLOADED, MOVING, BODY } robot_needs;

static int build(const arguments *a, robot_needs needs, robot *r)
{
    int status = set_gravity(a, r->description->gravity);
    if (!status) status = take_tool(a, r);
    if (status) return status;
    arne_error error = {0};
    arne_model_options options = {.size = sizeof options, .strict = option_given(a, "strict"), .body = needs == BODY};
    if (arne_model_build(r->description, &options, &r->model, &error)) return say_error(&error);
    warn_of(a, r->description, 0);
    for (int i = 0; i < arne_model_joints(r->model) && needs <= UNLOADED; i++)
        if (arne_joint_kind(r->model, i) == ARNE_SPHERICAL || arne_joint_kind(r->model, i) == ARNE_FREE)
            return complain_at(r->path, robot_joint_line(r, i),
                               "joint %s has several freedoms: this command is for joints of one freedom each%s",
                               arne_joint_name(r->model, i),
                               arne_model_floats(r->model) ? "; --base fixed holds a free base still" : "");
    return needs == UNLOADED ? CLI_OK : take_payloads(a, r);
}

static int open_as(const arguments *a, const char *name, int set, robot_way way, robot_needs needs, robot *out)
{
    *out = (robot){.arguments = a, .rigid = option_given(a, "rigid")};
    arne_error error = {0};
    int status = checked(arne_robot_find(name, &out->path, &error), &error);
    if (!status) status = read_file(a, set, way, out);
    if (!status) status = build(a, needs, out);
    if (!status)
        tell(a, "%s: %s, %d moving joints, %d links, %.6g kg", out->path, arne_model_name(out->model),
             arne_model_joints(out->model), arne_model_links(out->model), arne_model_mass(out->model));
    if (status) robot_close(out);
    return status;
}

int robot_open(const arguments *a, const char *name, robot *out) { return open_as(a, name, 0, AS_IT_IS, NARROW, out); }
int robot_open_unloaded(const arguments *a, const char *name, robot *out) { return open_as(a, name, 0, AS_IT_IS, UNLOADED, out); }
int robot_open_moving(const arguments *a, const char *name, robot *out) { return open_as(a, name, 0, AS_IT_IS, MOVING, out); }
int robot_open_any(const arguments *a, const char *name, robot *out) { return open_as(a, name, 0, AS_IT_IS, BODY, out); }
int robot_open_on(const arguments *a, const char *name, robot_way way, robot *out) { return open_as(a, name, 0, way, BODY, out); }
int robot_open_symbolic(const arguments *a, const char *name, int set, robot *out)
{
    return open_as(a, name, set, AS_IT_IS, MOVING, out);
}

void tell_base_time(const robot *r, const char *way_out)
{
    const int n = arne_model_joints(r->model);
    const double seconds = 1.1e-5 * n * n * n; /* on a machine of 2024; more than a guess is not needed */
    if (seconds > 3 && n <= ARNE_BASE_MOST_JOINTS && !option_given(r->arguments, "quiet"))
        say_note("note: ", "base parameters of %d joints take about %.0f s%s", n, seconds, way_out);
}

void robot_close(robot *r)
{
    arne_model_free(r->model);
    arne_description_free(r->description);
    free(r->payloads);
    free(r->loads);
    free(r->path);
    *r = (robot){0};
}

arne_data *robot_data(const robot *r)
{
    arne_data *d = NULL;
    if (arne_data_new(r->model, &d, NULL)) {
        no_memory();
        return NULL;
    }
    arne_set_rigid(arne_data_settings(d), r->rigid);
    for (int i = 0; i < r->npayload; i++) arne_set_payload(arne_data_settings(d), r->payloads[i].link, &r->payloads[i].body);
    return d;
}

static int with(const arguments *a, const char *name, robot_needs needs, robot_work *work, void *context)
{
    robot r;
    int status = open_as(a, name, 0, AS_IT_IS, needs, &r);
    if (status) return status;
    arne_data *d = robot_data(&r);
    status = d ? work(&r, d, context) : CLI_FAILED;
    arne_data_free(d);
    robot_close(&r);
    return status;
}

int with_robot(const arguments *a, const char *name, robot_work *work, void *context)
{
    return with(a, name, NARROW, work, context);
}

int with_any_robot(const arguments *a, const char *name, robot_work *work, void *context)
{
    return with(a, name, MOVING, work, context);
}

int take_start(const arguments *a, const robot *r, double *q)
{
    const char *text = option_value(a, "from");
    const arne_model *m = r->model;
    const int nq = arne_model_nq(m), count = text ? parse_numbers(text, strlen(text), q, nq) : nq;
    if (count != nq)
        return misuse("--from %s: it takes %d numbers, %s, with commas between them", text, nq,
                      nq == arne_model_nv(m) ? "one a joint" : "all of a position");
    if (!text) arne_neutral(m, q);
    for (int i = 0; i < arne_model_nv(m); i++) {
        const int joint = arne_velocity_joint(m, i), at = arne_velocity_position(m, i);
        const arne_limits *l = arne_joint_limits(m, joint);
        if (at < 0) continue;
        if (!text) q[at] = isinf(l->lower) || isinf(l->upper) ? fmin(fmax(0, l->lower), l->upper) : (l->lower + l->upper) / 2;
        if (text && option_given(a, "degrees") && arne_joint_kind(m, joint) == ARNE_REVOLUTE) q[at] *= acos(-1) / 180;
    }
    return CLI_OK;
}

int robot_link(const robot *r, const char *name, int *link)
{
    *link = arne_link_find(r->model, name);
    if (*link >= 0) return CLI_OK;
    nearest near = {.word = name};
    for (int i = 0; i < arne_model_links(r->model); i++) arne__nearest_offer(&near, arne_link_name(r->model, i));
    char hint[192];
    return complain_at(r->path, 0, "the robot has no link \"%s\"%s", name, arne__nearest_hint(&near, hint, sizeof hint));
}

int robot_joint_line(const robot *r, int joint)
{
    for (size_t k = 0; k < r->description->njoint; k++)
        if (!strcmp(r->description->joints[k].name, arne_joint_name(r->model, joint))) return r->description->joints[k].line;
    return 0;
}
