/* SPDX-License-Identifier: MIT
 *
 * cmd_plan.c - the fastest motion along a path of way-points that the robot can do with its load. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arne/hand.h"
#include "arne/plan.h"
#include "arne/report.h"
#include "base/clock.h"
#include "cli/feasible.h"

typedef struct {
    const robot *robot;
    arne_log points;
    arne_wrench *wrenches;
    int nwrench;
    arne_data *data;
    arne_curve *curve;
    arne_plan *plan; /* NULL: no timing was asked for */
    double dt, uniform;
    int poses;  /* of a link, 0: the path is one of the joints */
    double off; /* m that the link leaves its lines */
    arne_plan_records records;
    int places; /* of the map, 0: none */
    arne_map_row *map;
    arne_csv_writer *out; /* the motion, not yet in its place; NULL: none */
} planning;

/* ---- the path ---- */

/* Way-points of the joints from poses of a link. */
static int solve_poses(const arguments *a, planning *p, const char *path)
{
    const arne_model *m = p->robot->model;
    const char *link = option_value(a, "link");
    arne_pose *poses;
    arne_error error = {0};
    bool places;
    double step = 0.01;
    int of = arne_model_tip(m);
    int status = link ? robot_link(p->robot, link, &of) : CLI_OK;
    if (!status) status = option_number(a, "step", 0, false, 1e6, "a length in m above 0", &step);
    if (!status) status = checked(arne_log_poses(path, option_given(a, "degrees"), &poses, &p->poses, &places, &error), &error);
    if (status) return status;
    double *q0 = calloc((size_t)p->points.n + 1, sizeof *q0);
    if (!q0 || arne_data_prepare(p->data, ARNE_HANDS, NULL)) status = no_memory();
    if (!status) status = take_start(a, p->robot, q0);
    const arne_hand_options o = {.size = sizeof o, .position_only = places};
    if (!status && arne_hand_points(p->data, of, p->poses, poses, &o, q0, step, &p->points.q, &p->points.count, &error))
        status = complain_at(p->points.name, 0, "%s", error.message);
    free(q0);
    free(poses);
    return status;
}

/* How far the link is from the line between two points of the path, in the middle of every piece. */
static void measure_lines(const arguments *a, planning *p)
{
    const char *link = option_value(a, "link");
    int of = arne_model_tip(p->robot->model);
    if (link) robot_link(p->robot, link, &of);
    double *q = calloc((size_t)p->points.n + 1, sizeof *q), s = 0;
    for (int k = 0; q && k + 1 < p->points.count; k++) {
        const double *from = arne_log_row(p->points.q, p->points.n, k), *to = from + p->points.n;
        arne_pose ends[2], middle;
        double chord = 0, along = 0, length = 0, off = 0;
        for (int i = 0; i < p->points.n; i++) chord = hypot(chord, to[i] - from[i]);
        arne_curve_at(p->curve, s + chord / 2, q, NULL, NULL);
        s += chord;
        arne_link_pose(p->data, from, of, &ends[0]);
        arne_link_pose(p->data, to, of, &ends[1]);
        arne_link_pose(p->data, q, of, &middle);
        for (int i = 0; i < 3; i++) {
            const double e = ends[1].p[i] - ends[0].p[i], w = middle.p[i] - ends[0].p[i];
            along += e * w, length += e * e, off += w * w;
        }
        if (length > 0) off -= along * along / length;
        p->off = fmax(p->off, sqrt(fmax(off, 0)));
    }
    free(q);
}

static int read_path(const arguments *a, planning *p)
{
    const char *joints = option_value(a, "path"), *hand = option_value(a, "poses"), *path = joints ? joints : hand;
    arne_error error = {0};
    if (!path || (joints && hand)) return misuse("plan needs a path: --path FILE of the joints, or --poses FILE of a link");
    if (joints) {
        if (arne_log_path(path, p->robot->model, &p->points, &error)) return say_error(&error);
        take_log(a, p->robot, &p->points);
    } else {
        p->points = (arne_log){.name = strcmp(path, "-") ? path : "<stdin>", .n = arne_model_dof(p->robot->model)};
        const int status = solve_poses(a, p, path);
        if (status) return status;
    }
    const int status = take_wrenches(a, p->robot, &p->wrenches, &p->nwrench);
    if (status) return status;
    if (arne_curve_new(p->points.q, p->points.count, p->points.n, &p->curve, &error))
        return complain_at(path, 0, "%s", error.message);
    if (p->poses) measure_lines(a, p);
    const int merged = arne_curve_merged(p->curve);
    if (merged && !option_given(a, "quiet"))
        say_note("note: ", "%s: points that repeat the one before are left out: %d", p->points.name, merged);
    return CLI_OK;
}

/* ---- the timing ---- */

typedef struct {
    double begin;
    bool told;
} progress;

static void tell_progress(void *context, int intervals, double time)
{
    progress *k = context;
    if (arne__clock_now() - k->begin < 1) return;
    fprintf(stderr, "\r  a grid of %d intervals: %.6g s    ", intervals, time);
    k->told = true;
}

static int find_timing(const arguments *a, planning *p)
{
    arne_plan_options o = {.size = sizeof o};
    double grid = 0;
    const char *const speed = "a speed along the path that is not negative";
    const char *const part = "a part of the velocity limits, above 0 and at most 1";
    int status = option_number(a, "grid", 0, false, 1e6, "a number of intervals from 1 to 1000000", &grid);
    if (!status && grid != floor(grid)) status = misuse("--grid %g: it takes a whole number", grid);
    if (!status) status = option_number(a, "dt", 0, false, 1e6, "a number of seconds above 0", &o.dt);
    if (!status) status = option_number(a, "velocity-scale", 0, false, 1, part, &o.velocity_scale);
    if (!status) status = option_number(a, "jerk", 0, false, 1e12, "a limit in rad/s^3 or m/s^3 above 0", &o.jerk);
    if (!status) status = option_number(a, "torque-rate", 0, false, 1e12, "a limit in Nm/s or N/s above 0", &o.effort_rate);
    if (!status) status = option_number(a, "start-speed", 0, true, 1e9, speed, &o.start_speed);
    if (!status) status = option_number(a, "end-speed", 0, true, 1e9, speed, &o.end_speed);
    if (status) return status;
    o.grid = (int)grid;
    p->dt = o.dt > 0 ? o.dt : 0.001;
    arne_error error = {0};
    progress watch = {.begin = arne__clock_now()};
    if (isatty(fileno(stderr)) && !option_given(a, "quiet")) o.progress = tell_progress, o.context = &watch;
    const arne_status found = arne_plan_find(p->curve, p->data, &o, &p->plan, &error);
    if (watch.told) fprintf(stderr, "\r%60s\r", "");
    if (found) return complain_at(p->points.name, 0, "%s", error.message);
    tell(a, "the timing was found in %.3g ms", 1e3 * (arne__clock_now() - watch.begin));
    p->uniform = NAN;
    if (o.start_speed > 0 || o.end_speed > 0 || arne_plan_smooth(p->plan)) return CLI_OK;
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
    const arne_status made = arne_plan_follow(p->plan, p->data, &p->records, &error);
    if (!made) p->out = w;
    return made ? checked(arne_csv_finish(w, made, &error), &error) : CLI_OK;
}

/* ---- the map ---- */

static int take_map_options(const arguments *a, planning *p, arne_hand_direction *hand)
{
    const char *link = option_value(a, "link"), *point = option_value(a, "point"), *places = option_value(a, "places");
    const int others = option_word(a, "others", 0);
    double number = 101;
    *hand = (arne_hand_direction){.size = sizeof(arne_hand_direction),
                                  .link = arne_model_tip(p->robot->model),
                                  .rows = others == 2 ? 6 : 3,
                                  .pure = others != 1};
    if (point && parse_numbers(point, strlen(point), hand->point, 3) != 3)
        return misuse("--point %s: it takes three numbers x,y,z", point);
    if (places &&
        (parse_numbers(places, strlen(places), &number, 1) != 1 || number != floor(number) || number < 2 || number > 1e6))
        return misuse("--places %s: it takes a whole number from 2 to 1000000", places);
    p->places = (int)number;
    return link ? robot_link(p->robot, link, &hand->link) : CLI_OK;
}

static int write_map(const planning *p, const char *path)
{
    arne_error error = {0};
    arne_csv_writer *w;
    static const char *const place[] = {"point", "x", "y", "z"};
    if (arne_csv_create(path, 9, &w, &error)) return say_error(&error);
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

static int find_map(const arguments *a, planning *p)
{
    arne_hand_direction hand;
    int status = take_map_options(a, p, &hand);
    if (!status && !(p->map = malloc((size_t)p->places * sizeof *p->map))) status = no_memory();
    if (status) return status;
    arne_error error = {0};
    if (arne_plan_map(p->curve, p->plan, p->data, &hand, p->places, p->map, &error))
        return complain_at(p->robot->path, 0, "%s", error.message);
    return CLI_OK;
}

static int put_map(const arguments *a, const planning *p)
{
    arne_error error = {0};
    const char *csv = option_value(a, "map"), *plot = option_value(a, "plot");
    int status = csv ? write_map(p, csv) : CLI_OK;
    if (!status && plot) status = checked(arne_plot_map(p->robot->model, p->map, p->places, plot, &error), &error);
    return status;
}

/* ---- the report ---- */

static void say_limits(const planning *p, out *o)
{
    const arne_model *m = p->robot->model;
    const int n = arne_model_dof(m);
    table t = {.columns = 3, .align = "llr"};
    int rows = 0;
    table_cells(&t, "limit", "joint", "% of the time");
    for (int kind = 0; kind < ARNE_LIMIT_COUNT; kind++)
        for (int i = 0; i < n; i++) {
            if (p->records.share[kind * n + i] == 0) continue;
            table_cells(&t, arne_limit_words((arne_limit_kind)kind), arne_joint_name(m, i));
            table_format(&t, "%.1f", 100 * p->records.share[kind * n + i]);
            rows++;
        }
    out_format(o, "some limit is reached, to 1 %%, %.1f %% of the time%s\n", 100 * p->records.active, rows ? ":" : "");
    out nothing = {0};
    table_print(&t, "  ", rows ? o : &nothing);
    out_free(&nothing);
}

static void say_timing(const planning *p, out *o)
{
    const arne_model *m = p->robot->model;
    const double T = arne_plan_duration(p->plan);
    out_format(o, "%sfastest motion: %.6g s, %d samples at intervals of %.6g s\n",
               arne_plan_smooth(p->plan) ? "within limits of jerk and torque rate the " : "", T, arne_plan_samples(p->plan),
               p->dt);
    if (isfinite(p->uniform))
        out_format(o, "one smooth time law for the whole path takes %.6g s, %.3g times as long\n", p->uniform, p->uniform / T);
    if (isinf(p->uniform)) out_text(o, "one smooth time law for the whole path: at no speed\n");
    say_limits(p, o);
    out_text(o, "largest values:\n");
    table t = {.columns = 4};
    table_cells(&t, "joint", "torque", "motor", "speed", "");
    table_unit(&t, m, "Nm", "N");
    table_cell(&t, "Nm");
    table_unit(&t, m, "rad/s", "m/s");
    for (int i = 0; i < arne_model_dof(m); i++) {
        table_cell(&t, arne_joint_name(m, i));
        table_number(&t, p->records.joints[i].torque, p->records.joints[i].motor, p->records.joints[i].speed);
    }
    table_print(&t, "  ", o);
}

static void print_text(const planning *p, out *o)
{
    out_format(o, "%s: %d points, a path of length %.6g\n", arne_model_name(p->robot->model), p->points.count,
               arne_curve_length(p->curve));
    if (p->poses) out_format(o, "along %d poses; in between the link leaves its lines by at most %.2g m\n", p->poses, p->off);
    if (p->plan) say_timing(p, o);
    if (!p->places) return;
    out_format(o, "largest accelerations of the link, the least of them along the path (%s; -: there is none):\n",
               p->plan ? "moving" : "at rest");
    table t = {.columns = 3, .align = "lrr"};
    table_cells(&t, "direction", "m/s^2", "at point");
    for (int k = 0; k < ARNE_WAY_COUNT; k++) {
        const int least = arne_map_least(p->map, p->places, (arne_way)k);
        table_cell(&t, arne_way_name((arne_way)k));
        table_number(&t, least < 0 ? INFINITY : p->map[least].largest[k], least < 0 ? INFINITY : p->map[least].point);
    }
    table_print(&t, "  ", o);
}

static void json_timing(const planning *p, out *o)
{
    const arne_model *m = p->robot->model;
    const int n = arne_model_dof(m);
    json_members(o, TEXT("purpose", "time-optimal"), TRUTH("smooth", arne_plan_smooth(p->plan)),
                 NUMBER("duration", arne_plan_duration(p->plan)), NUMBER("samples", arne_plan_samples(p->plan)),
                 NUMBER("dt", p->dt), NUMBER("uniform", p->uniform), NUMBER("active", p->records.active));
    json_open(o, "limits", '[');
    for (int kind = 0; kind < ARNE_LIMIT_COUNT; kind++)
        for (int i = 0; i < n; i++) {
            const double share = p->records.share[kind * n + i];
            if (share == 0) continue;
            json_object(o, NULL, TEXT("kind", arne_limit_words((arne_limit_kind)kind)), TEXT("joint", arne_joint_name(m, i)),
                        NUMBER("share", share));
        }
    json_close(o, ']');
    json_open(o, "joints", '[');
    for (int i = 0; i < n; i++) {
        const arne_joint_record *j = &p->records.joints[i];
        json_object(o, NULL, TEXT("name", arne_joint_name(m, i)), NUMBER("peak_torque", j->torque),
                    NUMBER("peak_motor", j->motor), NUMBER("peak_speed", j->speed));
    }
    json_close(o, ']');
}

static void print_json(const planning *p, out *o)
{
    json_open(o, NULL, '{');
    json_members(o, TEXT("robot", arne_model_name(p->robot->model)), NUMBER("points", p->points.count),
                 NUMBER("merged", arne_curve_merged(p->curve)), NUMBER("length", arne_curve_length(p->curve)));
    if (p->poses) json_members(o, NUMBER("poses", p->poses), NUMBER("off_line", p->off));
    if (p->plan) json_timing(p, o);
    if (p->places) {
        json_open(o, "map", '{');
        for (int k = 0; k < ARNE_WAY_COUNT; k++) {
            const int least = arne_map_least(p->map, p->places, (arne_way)k);
            json_object(o, arne_way_name((arne_way)k), NUMBER("least", least < 0 ? NAN : p->map[least].largest[k]),
                        NUMBER("point", least < 0 ? NAN : p->map[least].point));
        }
        json_close(o, '}');
    }
    out_text(o, "}\n");
}

/* ---- */

static int put_plan(planning *p, const out *said)
{
    if (!p->out) return CLI_OK;
    return finish_told(p->out, p->robot,
                       (arne_about){.kind = "plan",
                                    .title = "fastest motion along a path",
                                    .duration = arne_plan_duration(p->plan),
                                    .purpose = "time-optimal",
                                    .verdict = "feasible",
                                    .why = "no limit is exceeded"},
                       said);
}

static int work(const arguments *a, planning *p)
{
    const size_t n = (size_t)arne_model_dof(p->robot->model);
    arne_plan_records *r = &p->records;
    r->share = calloc(n * ARNE_LIMIT_COUNT + 1, sizeof *r->share);
    r->joints = calloc(n + 1, sizeof *r->joints);
    if (!r->share || !r->joints) return no_memory();
    int status = read_path(a, p);
    if (status) return status;
    arne_set_wrenches(arne_data_settings(p->data), p->wrenches, p->nwrench);
    const bool map = option_given(a, "map") || option_given(a, "plot"), planned = option_given(a, "planned");
    if (!map && ((option_given(a, "link") && !option_given(a, "poses")) || option_given(a, "point") || planned))
        return misuse("--link, --point and --planned are about the map: give --map FILE or --plot FILE too");
    if (!map || planned || option_given(a, "out")) status = time_it(a, p);
    if (!status && map) status = find_map(a, p);
    out o = {0};
    if (!status) (option_json(a) ? print_json : print_text)(p, &o);
    if (!status && o.failed) status = no_memory();
    if (!status && map) status = put_map(a, p);
    if (status)
        arne_csv_finish(p->out, ARNE_BAD_VALUE, NULL);
    else
        status = put_plan(p, &o);
    if (!status) status = out_write(&o, false);
    out_free(&o);
    return status;
}

static int plan(const robot *r, arne_data *d, void *unused)
{
    (void)unused;
    planning p = {.robot = r, .data = d};
    int status = check_torque_limits(r);
    if (!status) status = work(r->arguments, &p);
    arne_plan_free(p.plan);
    arne_curve_free(p.curve);
    arne_log_free(&p.points);
    free(p.wrenches);
    free(p.records.share);
    free(p.records.joints);
    free(p.map);
    return status;
}

static int run(const arguments *a) { return with_robot(a, a->words[0], plan, NULL); }

static const option options[] = {
    {"path", "FILE", false, "way-points, CSV with a header: q1 ... qn or q.JOINT; - is standard input"},
    INPUT_DEGREES_OPTION,
    {"poses", "FILE", false,
     "instead: a link through poses, along straight lines; CSV: x, y, z and perhaps roll, pitch, yaw of --link (m, rad, world)"},
    {"from", "q1,...", false, "where to look for the first pose from; the middle of the joint ranges unless given"},
    {"step", "METRES", false, "poses are solved so far apart, and at a tenth of a radian a centimetre; default 0.01"},
    {"out", "FILE", false,
     "the motion, CSV: t, q, qd, qdd, tau at intervals of --dt, which `feasible` calls feasible; and a .json beside it for "
     "`report`"},
    {"dt", "SECONDS", false, "interval of the samples; default 0.001"},
    {"grid", "N", false, "intervals of the path; default: more and more until the time settles, to about 0.3 %"},
    {"velocity-scale", "PART", false, "use only this part of all velocity limits, 0 ... 1"},
    {"jerk", "LIMIT", false, "no joint has more jerk, rad/s^3 or m/s^3; the file may say less: limits: {jerk: ...}"},
    {"torque-rate", "LIMIT", false,
     "no motor's torque, behind its gear and without friction, changes faster, Nm/s or N/s; the file may say less: limits: "
     "{effort_rate: ...}"},
    {"start-speed", "SPEED", false, "length of the path per second at its start; default 0, at rest"},
    {"end-speed", "SPEED", false, "the same at its end"},
    {"map", "FILE", false, "largest accelerations of a link along the path, CSV: forward, backward, left, right, up, down"},
    {"plot", "FILE", false, "a picture of the map, SVG (needs gnuplot)"},
    {"link", "LINK", false, "the link of --poses and of the map; default: the deepest beyond the last moving joint, or --tool"},
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
    .synopsis = "ROBOT --path FILE|--poses FILE [--out FILE] [--map FILE] [--plot FILE]",
    .brief = "The fastest motion along a path with this load; largest accelerations of the hand",
    .text = "The path is the natural cubic spline through the points, a straight line for two. Limits are those of the robot\n"
            "file: position, velocity and acceleration of the joints, torque of joints and motors, a motor's torque over\n"
            "speed. Every joint needs a torque limit. Where no timing exists the message says where and which joint.\n"
            "With a limit of jerk or torque rate accelerations are continuous, and the motion starts and ends at rest.\n"
            "\n"
            "Of a link (--poses) the path is straight lines; the joints are solved along them, each point from the one\n"
            "before. It is said how far the link leaves its lines in between.\n"
            "\n"
            "The map needs no timing. Forward is where the link goes along the path, up is against gravity, left is across\n"
            "both. An empty field: no torques give such an acceleration, or there is no such direction.\n",
    .options = options,
    ONE_ROBOT,
    .example = "  printf 'q1,q2\\n-1,0.5\\n0,1\\n1,0.2\\n' | @ plan planar2r --path -\n"
               "  printf 'x,y,z\\n0.4,0.2,0.3\\n0.4,-0.2,0.3\\n' | @ plan ur5e --poses - --jerk 500\n",
    .run = run,
};
