/* SPDX-License-Identifier: MIT
 *
 * cmd_plan.c - the fastest motion along a path of way-points that the robot can do with its load. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cli/feasible.h"
#include "cli/plan.h"

/* ---- the path ---- */

static int read_path(const arguments *a, planning *p)
{
    const char *path = option_value(a, "path");
    arne_error error = {0};
    if (!path) return misuse("plan needs a path: --path FILE");
    if (arne_log_path(path, p->robot->model, &p->points, &error)) return say_error(&error);
    const int status = take_wrenches(a, p->robot, &p->wrenches, &p->nwrench);
    if (status) return status;
    if (arne_curve_new(p->points.q, p->points.count, p->points.n, &p->curve, &error))
        return complain_at(path, 0, "%s", error.message);
    return CLI_OK;
}

/* ---- the timing ---- */

/* A number of an option within low < x <= high (x = low too where `from`); absent: 0. */
static int take_number(const arguments *a, const char *name, bool from, double high, const char *what, double *x)
{
    const char *text = option_value(a, name);
    *x = 0;
    if (!text || (parse_numbers(text, strlen(text), x, 1) == 1 && (from ? *x >= 0 : *x > 0) && *x <= high)) return CLI_OK;
    return misuse("--%s %s: it takes %s", name, text, what);
}

static int find_timing(const arguments *a, planning *p)
{
    arne_plan_options o = {0};
    double grid;
    int status = take_number(a, "grid", false, 1e6, "a number of intervals from 1 to 1000000", &grid);
    if (!status && grid != floor(grid)) status = misuse("--grid %g: it takes a whole number", grid);
    if (!status) status = take_number(a, "dt", false, 1e6, "a number of seconds above 0", &o.dt);
    if (!status)
        status =
            take_number(a, "velocity-scale", false, 1, "a part of the velocity limits, above 0 and at most 1", &o.velocity_scale);
    if (!status) status = take_number(a, "start-speed", true, 1e9, "a speed along the path that is not negative", &o.start_speed);
    if (!status) status = take_number(a, "end-speed", true, 1e9, "a speed along the path that is not negative", &o.end_speed);
    if (status) return status;
    o.grid = (int)grid;
    p->dt = o.dt > 0 ? o.dt : 0.001;
    arne_error error = {0};
    const double start = arne__clock_now();
    if (arne_plan_find(p->curve, p->data, &o, &p->plan, &error)) return complain_at(p->points.name, 0, "%s", error.message);
    tell(a, "the timing was found in %.3g ms", 1e3 * (arne__clock_now() - start));
    p->uniform = NAN;
    if (o.start_speed > 0 || o.end_speed > 0) return CLI_OK;
    if (arne_plan_uniform(p->plan, p->data, &p->uniform, &error)) return complain_at(p->points.name, 0, "%s", error.message);
    return CLI_OK;
}

static int time_it(const arguments *a, planning *p)
{
    const char *path = option_value(a, "out");
    int status = find_timing(a, p);
    if (status) return status;
    arne_csv_writer *w = NULL;
    arne_error error = {0};
    if (path && arne_csv_create(path, 0, &w, &error)) return say_error(&error);
    motion_rows to = {w, arne_model_dof(p->robot->model), false, false};
    if (path) motion_rows_begin(&to), p->records.row = motion_rows_add, p->records.context = &to;
    status = checked(arne_csv_finish(w, arne_plan_follow(p->plan, p->data, &p->records, &error), &error), &error);
    if (!status && path)
        status =
            tell_about("plan", "fastest motion along a path", a->words[0], p->robot->model, arne_plan_duration(p->plan), path);
    return status;
}

/* ---- the map ---- */

static int take_map_options(const arguments *a, planning *p, arne_hand_direction *hand)
{
    static const char *const choices[] = {"zero", "free", "steady", NULL};
    const char *link = option_value(a, "link"), *point = option_value(a, "point"), *places = option_value(a, "places");
    const int others = option_choice(a, "others", choices, 0);
    double number = 101;
    if (others < 0) return CLI_MISUSED;
    *hand =
        (arne_hand_direction){.link = arne_model_links(p->robot->model) - 1, .rows = others == 2 ? 6 : 3, .pure = others != 1};
    if (point && parse_numbers(point, strlen(point), hand->point, 3) != 3)
        return misuse("--point %s: it takes three numbers x,y,z", point);
    if (places &&
        (parse_numbers(places, strlen(places), &number, 1) != 1 || number != floor(number) || number < 2 || number > 1e6))
        return misuse("--places %s: it takes a whole number from 2 to 1000000", places);
    p->places = (int)number;
    return link ? robot_link(p->robot, link, &hand->link) : CLI_OK;
}

static int draw_map(const arguments *a, planning *p)
{
    arne_hand_direction hand;
    int status = take_map_options(a, p, &hand);
    if (!status && !(p->map = malloc((size_t)p->places * sizeof *p->map))) status = no_memory();
    if (status) return status;
    arne_error error = {0};
    if (arne_plan_map(p->curve, p->plan, p->data, &hand, p->places, p->map, &error))
        return complain_at(p->robot->path, 0, "%s", error.message);
    arne_csv_writer *w;
    static const char *const place[] = {"point", "x", "y", "z"};
    if (arne_csv_create(option_value(a, "map"), 9, &w, &error)) return say_error(&error);
    for (int k = 0; k < 4; k++) arne_csv_name(w, place[k]);
    for (int k = 0; k < ARNE_WAY_COUNT; k++) arne_csv_name(w, arne_way_name((arne_way)k));
    for (const arne_map_row *r = p->map; r < p->map + p->places && arne_csv_end_row(w); r++) {
        arne_csv_numbers(w, &r->point, 1);
        arne_csv_numbers(w, r->at, 3);
        for (int k = 0; k < ARNE_WAY_COUNT; k++)
            arne_csv_numbers(w, isfinite(r->largest[k]) ? &r->largest[k] : &(double){NAN}, 1);
    }
    arne_csv_end_row(w);
    return checked(arne_csv_finish(w, ARNE_OK, &error), &error);
}

/* ---- */

static int work(const arguments *a, planning *p, bool json)
{
    const size_t n = (size_t)arne_model_dof(p->robot->model);
    arne_plan_records *r = &p->records;
    r->share = calloc(n * ARNE_LIMIT_COUNT + 1, sizeof *r->share);
    r->joints = calloc(n + 1, sizeof *r->joints);
    if (!r->share || !r->joints) return no_memory();
    if (!(p->data = robot_data(p->robot))) return CLI_FAILED;
    int status = read_path(a, p);
    if (status) return status;
    arne_set_wrenches(p->data, p->wrenches, p->nwrench);
    const bool map = option_given(a, "map"), planned = option_given(a, "planned");
    if (!map && (option_given(a, "link") || option_given(a, "point") || planned))
        return misuse("--link, --point and --planned are about the map: give --map FILE too");
    if (!map || planned || option_given(a, "out")) status = time_it(a, p);
    if (!status && map) status = draw_map(a, p);
    if (status) return status;
    out o = {0};
    (json ? print_plan_json : print_plan_text)(p, &o);
    return out_finish(&o, false);
}

static int run(const arguments *a)
{
    const int format = option_json(a);
    if (format < 0) return CLI_MISUSED;
    robot r;
    int status = robot_open(a, a->words[0], &r);
    if (status) return status;
    planning p = {.robot = &r};
    status = check_torque_limits(&r);
    if (!status) status = work(a, &p, format == 1);
    arne_plan_free(p.plan);
    arne_curve_free(p.curve);
    arne_data_free(p.data);
    arne_log_free(&p.points);
    free(p.wrenches);
    free(p.records.share);
    free(p.records.joints);
    free(p.map);
    robot_close(&r);
    return status;
}

static const option options[] = {
    {"path", "FILE", false, "way-points, CSV with a header: q1 ... qn or q.JOINT; - is standard input"},
    {"out", "FILE", false,
     "the motion, CSV: t, q, qd, qdd, tau at intervals of --dt, which `feasible` calls feasible; and a .json beside it for "
     "`report`"},
    {"dt", "SECONDS", false, "interval of the samples; default 0.001"},
    {"grid", "N", false, "intervals of the path; default 1000"},
    {"velocity-scale", "PART", false, "use only this part of all velocity limits, 0 ... 1"},
    {"start-speed", "SPEED", false, "length of the path per second at its start; default 0, at rest"},
    {"end-speed", "SPEED", false, "the same at its end"},
    {"map", "FILE", false, "largest accelerations of a link along the path, CSV: forward, backward, left, right, up, down"},
    {"link", "LINK", false, "the link of the map; default: the last one"},
    {"point", "x,y,z", false, "the point of that link, in its axes; default: its origin"},
    {"others", "zero|free|steady", false,
     "what the other components of the acceleration are: zero (default), what they will, or zero without any angular "
     "acceleration"},
    {"places", "N", false, "rows of the map; default 101"},
    {"planned", NULL, false, "the map is at the speeds of the fastest motion, not at rest"},
    INPUT_WRENCH_OPTIONS,
    {"format", "text|json", false, "for people or for programs"},
    {0},
};

const command command_plan = {
    .name = "plan",
    .synopsis = "ROBOT --path FILE [--out FILE] [--map FILE]",
    .brief = "The fastest motion along a path with this load; largest accelerations of the hand",
    .text = "The path is the natural cubic spline through the points, a straight line for two. Limits are those of the robot\n"
            "file: position, velocity and acceleration of the joints, torque of joints and motors, a motor's torque over\n"
            "speed. Every joint needs a torque limit. Where no timing exists the message says where and which joint.\n"
            "\n"
            "The map needs no timing. Forward is where the link goes along the path, up is against gravity, left is across\n"
            "both. An empty field: no torques give such an acceleration, or there is no such direction.\n",
    .options = options,
    .more_options = robot_options,
    .min_words = 1,
    .max_words = 1,
    .word = "ROBOT",
    .example = "  printf 'q1,q2\\n-1,0.5\\n0,1\\n1,0.2\\n' | @ plan planar2r --path -\n",
    .run = run,
};
