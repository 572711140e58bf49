/* SPDX-License-Identifier: MIT
 *
 * cmd_reach.c - joint positions that put a link where it is wanted. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arne/hand.h"
#include "cli/out.h"

typedef struct {
    const robot *robot;
    arne_data *data;
    int link;
    double *q;
    arne_pose target;
    bool position_only;
    double angle; /* of the options, rad */
} reach;

/* --pose x,y,z[,roll,pitch,yaw] */
static int take_pose(const arguments *a, reach *r)
{
    const char *text = option_value(a, "pose");
    double v[6] = {0};
    if (!text) return misuse("reach needs --pose x,y,z or --pose x,y,z,roll,pitch,yaw (m, rad, world axes)");
    const int count = parse_numbers(text, strlen(text), v, 6);
    if (count != 3 && count != 6)
        return misuse("--pose %s: it takes 3 numbers (x,y,z) or 6 (x,y,z,roll,pitch,yaw) with commas between them", text);
    r->position_only = count == 3;
    for (int k = 3; k < 6; k++) v[k] *= r->angle;
    r->target = arne_pose_rpy(v, v + 3);
    return CLI_OK;
}

/* --link LINK; the tip of the robot where it is not given */
static int take_link(const arguments *a, reach *r)
{
    const char *name = option_value(a, "link");
    r->link = arne_model_tip(r->robot->model);
    if (name) {
        const int status = robot_link(r->robot, name, &r->link);
        if (status) return status;
    }
    const arne_model *m = r->robot->model;
    int joint = arne_link_joint(m, r->link); /* of those that are moved here: a free base stays */
    while (joint >= 0 && arne_joint_turn(m, joint) >= 0) joint = arne_joint_parent(m, joint);
    if (joint < 0)
        return complain_at(r->robot->path, 0, "link %s is part of the base; no joint moves it",
                           arne_link_name(r->robot->model, r->link));
    return arne_data_prepare(r->data, ARNE_HANDS, NULL) ? no_memory() : CLI_OK;
}

static void print_json(const reach *r, const double error[2], out *o)
{
    json_open(o, NULL, '{');
    json_numbers(o, "q", r->q, arne_model_nq(r->robot->model));
    json_members(o, TEXT("link", arne_link_name(r->robot->model, r->link)), NUMBER("position_error", error[0]),
                 NUMBER("rotation_error", r->position_only ? NAN : error[1]));
    out_text(o, "}\n");
}

static void print_text(const reach *r, const double error[2], out *o)
{
    table t = {.columns = 4};
    table_cells(&t, "joint", "position", "lower", "upper", "");
    for (int k = 0; k < 3; k++) table_unit(&t, r->robot->model, "rad", "m");
    const arne_model *m = r->robot->model;
    for (int i = 0; i < arne_model_nv(m); i++) {
        const int at = arne_velocity_position(m, i);
        const arne_limits *l = arne_joint_limits(m, arne_velocity_joint(m, i));
        if (at < 0) continue; /* it stays where it was */
        table_cell(&t, arne_velocity_name(m, i));
        table_number(&t, r->q[at], l->lower, l->upper);
    }
    table_print(&t, "  ", o);
    out_format(o, "link %s: %.2g m", arne_link_name(r->robot->model, r->link), error[0]);
    if (!r->position_only) out_format(o, " and %.2g rad", error[1]);
    out_text(o, " from the target\n");
}

static int solve(reach *r, bool json)
{
    const arne_hand_options o = {.size = sizeof o, .position_only = r->position_only};
    arne_error e;
    if (arne_hand_solve(r->data, r->link, &r->target, &o, r->q, &e)) return complain_at(r->robot->path, 0, "%s", e.message);
    arne_pose pose;
    double off[6];
    arne_link_pose(r->data, r->q, r->link, &pose);
    arne_hand_error(&pose, &r->target, off);
    const double error[2] = {hypot(hypot(off[0], off[1]), off[2]), hypot(hypot(off[3], off[4]), off[5])};
    out page = {0};
    (json ? print_json : print_text)(r, error, &page);
    return out_finish(&page, true);
}

static int work(const robot *of, arne_data *d, void *context)
{
    reach *r = context;
    r->robot = of;
    r->data = d;
    r->q = calloc((size_t)arne_model_nq(of->model) + 1, sizeof *r->q);
    int status = r->q ? take_link(of->arguments, r) : no_memory();
    if (!status) status = take_start(of->arguments, of, r->q);
    if (!status) status = solve(r, option_json(of->arguments));
    free(r->q);
    return status;
}

static int run(const arguments *a)
{
    reach r = {.angle = option_given(a, "degrees") ? acos(-1) / 180 : 1};
    const int status = take_pose(a, &r);
    return status ? status : with_any_robot(a, a->words[0], work, &r);
}

static const option options[] = {
    {"link", "LINK", false, "the link to move; default: the deepest beyond the last moving joint, or --tool"},
    {"pose", "x,y,z[,roll,pitch,yaw]", false,
     "where its origin shall be, and its axes: Rz(yaw) Ry(pitch) Rx(roll); m, rad, world"},
    {"from", "q1,...", false,
     "where to start from; the middle of the joint ranges unless given. A free base stays where this has it"},
    {"degrees", NULL, false, "angles of --pose and --from are in degrees; results stay in radians"},
    {"format", "text|json", false, "a table, or one JSON object"},
    {0},
};

const command command_reach = {
    .name = "reach",
    .synopsis = "ROBOT --pose x,y,z[,roll,pitch,yaw] [--link LINK] [--from q1,...] [--format text|json]",
    .brief = "Finds joint positions that put a link where it is wanted",
    .text = "Inverse kinematics within the joint limits, from the start given, then from all over the range; of\n"
            "many answers the one it comes to first. With three numbers the axes of the link are free. Where none\n"
            "is found the message says how near the link came and which joints are at their limits there; that the\n"
            "target cannot be reached it says only of one that is farther away than the arm is long. Free bases and\n"
            "spherical joints are not moved: they stay where --from has them, at zero unless given.\n"
            "JSON: {\"q\",\"link\",\"position_error\",\"rotation_error\"}.\n",
    .options = options,
    ONE_ROBOT,
    .example = "  @ reach ur5e --pose 0.4,0.2,0.3,3.14159,0,0\n  @ reach kuka-lwr --link j7 --pose 0.3,0.3,0.4 --format json\n",
    .run = run,
};
