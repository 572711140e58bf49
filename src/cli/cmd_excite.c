/* SPDX-License-Identifier: MIT
 *
 * cmd_excite.c - the motion that identifies a robot best inside its limits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arne/excite.h"
#include "base/clock.h"
#include "cli/feasible.h"

static const char *const criteria[] = {"condition", "volume"};

typedef struct {
    const robot *robot;
    arne_data *data;
    arne_excite_options options;
    double *around, *noise, box[6], dt;
    int periods;
    arne_excitation *found;
    double seconds;
    arne_csv_writer *out; /* NULL: none */
} excitation;

/* ---- options ---- */

static int take_count(const arguments *a, const char *name, int low, int high, int *count)
{
    double x = *count;
    char what[80];
    snprintf(what, sizeof what, "a whole number, %d to %d", low, high);
    const int status = option_number(a, name, low, true, high, what, &x);
    if (status) return status;
    if (x != floor(x)) return misuse("--%s %s: it takes %s", name, option_value(a, name), what);
    *count = (int)x;
    return CLI_OK;
}

static int take_list(const arguments *a, const char *name, int count, const char *what, double *to, const double **set)
{
    const char *text = option_value(a, name);
    if (!text) return CLI_OK;
    if (parse_numbers(text, strlen(text), to, count) != count) return misuse("--%s %s: it takes %s", name, text, what);
    *set = to;
    return CLI_OK;
}

static int take_options(const arguments *a, excitation *e)
{
    arne_excite_options *o = &e->options;
    const int n = arne_model_nv(e->robot->model);
    const char *link = option_value(a, "link");
    char what[80];
    int seed = 0;
    e->around = calloc((size_t)n + 1, sizeof *e->around);
    e->noise = calloc((size_t)n + 1, sizeof *e->noise);
    if (!e->around || !e->noise) return no_memory();
    *o = (arne_excite_options){.size = sizeof *o,
                               .criterion = (arne_excite_criterion)option_word(a, "criterion", 0),
                               .no_rotors = option_given(a, "no-rotors"),
                               .no_friction = option_given(a, "no-friction")};
    int status = option_number(a, "time", 0, false, 1e4, "a time in s above 0, up to 10000", &o->period);
    if (!status) status = option_number(a, "scale", 0, false, 1, "a part of the limits above 0, up to 1", &o->scale);
    if (!status) status = option_number(a, "velocity", 0, false, 1e6, "a speed above 0, rad/s or m/s", &o->velocity);
    if (!status) status = option_number(a, "acceleration", 0, false, 1e6, "an acceleration above 0", &o->acceleration);
    if (!status) status = option_number(a, "amplitude", 0, false, 1e6, "an angle in rad, or m, above 0", &o->amplitude);
    if (!status) status = option_number(a, "dt", 0, false, 1, "an interval in s above 0", &e->dt);
    if (!status) status = take_count(a, "harmonics", 3, 64, &o->harmonics);
    if (!status) status = take_count(a, "starts", 1, 64, &o->starts);
    if (!status) status = take_count(a, "random", 1, 1000000, &o->randoms);
    if (!status) status = take_count(a, "steps", 1, 1000000, &o->steps);
    if (!status) status = take_count(a, "seed", 0, 2147483647, &seed);
    if (!status) status = take_count(a, "periods", 1, 10000, &e->periods);
    if (!status && link) status = robot_link(e->robot, link, &o->link);
    if (!status)
        status = take_list(a, "box", 6, "six numbers in m: x,y,z of the lower corner, then of the upper one", e->box, &o->box);
    snprintf(what, sizeof what, "%d numbers above 0, one a joint", n);
    if (!status) status = take_list(a, "noise", n, what, e->noise, &o->noise);
    if (status) return status;
    o->seed = (unsigned)seed;
    if (link && !o->box) return misuse("--link is about the box: give --box too");
    if (option_given(a, "from") && !option_given(a, "amplitude")) return misuse("--from needs --amplitude: how far from there");
    if (!option_given(a, "amplitude")) return CLI_OK;
    o->around = e->around;
    return take_start(a, e->robot, e->around);
}

static bool tell_progress(void *context, int done, int of, double best)
{
    (void)context;
    fprintf(stderr, "\r  start %d of %d, best %.4g    ", done, of, best);
    return true;
}

/* ---- the result ---- */

/* Of a joint without some limit: what was assumed. */
static void say_assumed(const excitation *e, bool (*lacks)(const arne_excite_joint *), const char *what, const char *words,
                        out *o)
{
    const arne_excitation *x = e->found;
    int count = 0;
    for (int i = 0; i < x->dof; i++) count += lacks(&x->joints[i]);
    if (!count) return;
    out_format(o, "no limit of %s: ", what);
    if (count == x->dof) out_text(o, "all joints");
    for (int i = 0, said = 0; i < x->dof && count < x->dof; i++)
        if (lacks(&x->joints[i])) out_format(o, "%s%s", said++ ? ", " : "", arne_joint_name(e->robot->model, i));
    out_format(o, "; %s\n", words);
}

static bool no_range(const arne_excite_joint *j) { return j->no_range; }
static bool no_velocity(const arne_excite_joint *j) { return j->no_velocity; }
static bool no_acceleration(const arne_excite_joint *j) { return j->no_acceleration; }
static bool no_torque(const arne_excite_joint *j) { return j->no_torque; }

static double better(const excitation *e, bool condition)
{
    const arne_excitation *x = e->found;
    return condition ? x->random_condition / x->condition : x->random_volume / x->volume;
}

static void say_better(const excitation *e, bool condition, out *o)
{
    const arne_excitation *x = e->found;
    const double ratio = better(e, condition);
    out_format(o, "%s: %.4g; the best of %d random motions has %.4g, %.2f times as much\n",
               condition ? "condition number of the weighted base regressor" : "geometric mean of the deviations by one sample",
               condition ? x->condition : x->volume, x->randoms, condition ? x->random_condition : x->random_volume, ratio);
}

static void print_text(const excitation *e, out *o)
{
    const arne_model *m = e->robot->model;
    const arne_excitation *x = e->found;
    const bool volume = e->options.criterion == ARNE_EXCITE_VOLUME;
    out_format(o, "%s: a motion of %.6g s, %d harmonics of %.4g Hz, from rest to rest; %d base parameters", arne_model_name(m),
               x->period, x->harmonics, 1 / x->period, x->inertial);
    if (x->friction) out_format(o, ", %d of friction beside them", x->friction);
    out_text(o, "\n");
    say_better(e, !volume, o);
    say_better(e, volume, o);
    out_format(o, "%d starts, %.1f s\n\n", x->starts, e->seconds);
    table t = {.columns = 9};
    table_cells(&t, "joint", "from", "to", "lower", "upper", "speed %", "acceleration %", "torque", "%", "");
    for (int k = 0; k < 4; k++) table_unit(&t, m, "rad", "m");
    table_cells(&t, "", "");
    table_unit(&t, m, "Nm", "N");
    table_cell(&t, "");
    for (int i = 0; i < x->dof; i++) {
        const arne_excite_joint *j = &x->joints[i];
        table_cell(&t, arne_joint_name(m, i));
        const double places[] = {j->from, j->to, j->lower, j->upper};
        for (int k = 0; k < 4; k++) table_format(&t, "%.3f", places[k]);
        table_format(&t, "%.0f", 100 * j->speed / j->velocity);
        table_format(&t, "%.0f", 100 * j->most / j->acceleration);
        table_format(&t, "%.4g", j->torque);
        if (j->no_torque)
            table_cell(&t, "-");
        else
            table_format(&t, "%.0f", 100 * j->torque_part);
    }
    table_print(&t, "  ", o);
    out_format(o, "limits: %.4g of those of the robot; %% of that\n", e->options.scale > 0 ? e->options.scale : 0.9);
    say_assumed(e, no_range, "position", "half a turn (0.5 m) to both sides is assumed", o);
    say_assumed(e, no_velocity, "speed", "1 rad/s (0.25 m/s) is assumed; --velocity sets it", o);
    say_assumed(e, no_acceleration, "acceleration", "three times the speed limit a second is assumed; --acceleration sets it", o);
    say_assumed(e, no_torque, "torque", "nothing bounds it", o);
    if (e->options.box)
        out_format(o, "%s stays between (%.3f %.3f %.3f) and (%.3f %.3f %.3f) m\n",
                   arne_link_name(m, e->options.link ? e->options.link : arne_model_tip(m)), x->hand[0], x->hand[1], x->hand[2],
                   x->hand[3], x->hand[4], x->hand[5]);
    else
        out_text(o, "no box: look for collisions before a robot runs it (--box, --amplitude)\n");
}

static void json_rows(const char *key, const double *rows, int count, int n, out *o)
{
    json_open(o, key, '[');
    for (int k = 0; k < count; k++) json_numbers(o, NULL, rows + k * n, n);
    json_close(o, ']');
}

static void print_json(const excitation *e, out *o)
{
    const arne_model *m = e->robot->model;
    const arne_excitation *x = e->found;
    const bool volume = e->options.criterion == ARNE_EXCITE_VOLUME;
    json_open(o, NULL, '{');
    json_members(o, TEXT("robot", arne_model_name(m)), TEXT("criterion", criteria[e->options.criterion]),
                 NUMBER("time", x->period), NUMBER("harmonics", x->harmonics), NUMBER("base_parameters", x->inertial),
                 NUMBER("friction_parameters", x->friction), NUMBER("condition", x->condition), NUMBER("volume", x->volume));
    json_object(o, "random", NUMBER("count", x->randoms), NUMBER("condition", x->random_condition),
                NUMBER("volume", x->random_volume));
    json_members(o, NUMBER("better", better(e, !volume)), NUMBER("starts", x->starts));
    json_open(o, "joints", '[');
    for (int i = 0; i < x->dof; i++) {
        const arne_excite_joint *j = &x->joints[i];
        json_object(o, NULL, TEXT("name", arne_joint_name(m, i)), NUMBER("lower", j->lower), NUMBER("upper", j->upper),
                    NUMBER("velocity", j->velocity), NUMBER("acceleration", j->acceleration), NUMBER("from", j->from),
                    NUMBER("to", j->to), NUMBER("peak_speed", j->speed), NUMBER("peak_acceleration", j->most),
                    NUMBER("peak_torque", j->torque), NUMBER("torque_part", j->no_torque ? NAN : j->torque_part),
                    NUMBER("noise", j->noise), TRUTH("assumed_range", j->no_range), TRUTH("assumed_velocity", j->no_velocity),
                    TRUTH("assumed_acceleration", j->no_acceleration));
    }
    json_close(o, ']');
    json_numbers(o, "hand", e->options.box ? x->hand : NULL, 6);
    json_open(o, "fourier", '{');
    json_number(o, "frequency", 1 / x->period);
    json_numbers(o, "mean", x->mean, x->dof);
    json_rows("sine", x->sine, x->harmonics, x->dof, o);
    json_rows("cosine", x->cosine, x->harmonics, x->dof, o);
    json_close(o, '}');
    json_number(o, "seconds", e->seconds);
    out_text(o, "}\n");
}

/* t, q, qd, qdd, tau of the robot as it is thought to be */
static int write_motion(excitation *e, const char *path)
{
    const int n = e->found->dof;
    arne_trajectory *s = NULL;
    arne_error error = {0};
    double *x = calloc(4 * (size_t)n, sizeof *x);
    int status = x ? CLI_OK : no_memory();
    if (!status) status = checked(arne_excitation_trajectory(e->found, e->periods, &s, &error), &error);
    if (!status) status = checked(arne_csv_create(path, 15, &e->out, &error), &error);
    motion_rows to = {e->out, n, false, false};
    if (!status) motion_rows_begin(&to);
    const double end = e->periods * e->found->period;
    for (long k = 0; !status && (double)k * e->dt <= end * (1 + 1e-12); k++) {
        const double t = (double)k * e->dt;
        arne_trajectory_at(s, t, 2, x);
        arne_id(e->data, x, x + n, x + 2 * n, x + 3 * n);
        const arne_motion_row row = {.t = t, .q = x, .qd = x + n, .qdd = x + 2 * n, .tau = x + 3 * n};
        motion_rows_add(&to, &row);
    }
    arne_trajectory_free(s);
    free(x);
    return status;
}

static int put_motion(excitation *e, const out *said)
{
    char why[160];
    snprintf(why, sizeof why, "within all limits; condition number %.4g, %.2f times better than the best of %d random motions",
             e->found->condition, better(e, true), e->found->randoms);
    return finish_told(e->out, e->robot,
                       (arne_about){.kind = "excite",
                                    .title = "excitation",
                                    .duration = e->periods * e->found->period,
                                    .purpose = "excitation",
                                    .verdict = "feasible",
                                    .why = why},
                       said);
}

static int search(const arguments *a, excitation *e)
{
    const bool progress = isatty(fileno(stderr)) && !option_given(a, "quiet");
    arne_error error = {0};
    int status = take_options(a, e);
    if (status) return status;
    if (progress) e->options.progress = tell_progress;
    const double begin = arne__clock_now();
    const arne_status made = arne_excite(arne_data_settings_used(e->data), &e->options, &e->found, &error);
    e->seconds = arne__clock_now() - begin;
    if (progress) fprintf(stderr, "\r%60s\r", "");
    return made ? complain_at(e->robot->path, 0, "%s", error.message) : CLI_OK;
}

static int excite(const robot *r, arne_data *d, void *unused)
{
    (void)unused;
    const arguments *a = r->arguments;
    const char *path = option_value(a, "out");
    excitation e = {.robot = r, .data = d, .dt = 0.01, .periods = 1};
    int status = path && is_json_name(path)
                     ? misuse("--out %s: the name ending in .json is for what is said about the motion; give motion.csv", path)
                     : search(a, &e);
    out o = {0};
    if (!status && path) status = write_motion(&e, path);
    if (!status) (option_json(a) ? print_json : print_text)(&e, &o);
    if (!status && o.failed) status = no_memory();
    if (status)
        arne_csv_finish(e.out, ARNE_BAD_VALUE, NULL);
    else if (e.out)
        status = put_motion(&e, &o);
    if (!status) status = out_write(&o, false);
    out_free(&o);
    arne_excitation_free(e.found);
    free(e.around);
    free(e.noise);
    return status;
}

static int run(const arguments *a) { return with_robot(a, a->words[0], excite, NULL); }

static const option options[] = {
    {"time", "SECONDS", false, "of the motion, which is one period; default 10"},
    {"out", "FILE", false,
     "the motion, CSV: t, q, qd, qdd, tau (of the robot as its file tells it); and a .json beside it for `report`"},
    {"periods", "N", false, "so many periods one after the other in FILE; default 1"},
    {"dt", "SECONDS", false, "interval of the rows; default 0.01"},
    {"criterion", "condition|volume", false,
     "what is made small: the condition number of the weighted base regressor (default), or the volume of the uncertainty of the "
     "base parameters, friction unknown"},
    {"harmonics", "N", false, "of the series, 3 to 64; default: up to 0.6 Hz, 3 to 12"},
    {"box", "x,y,z,x,y,z", false, "the origin of --link stays between these two corners, world axes, m"},
    {"link", "LINK", false, "of the box; default: the deepest beyond the last moving joint, or --tool"},
    {"amplitude", "A", false, "no joint leaves --from by more than this, rad or m"},
    {"from", "q1,...", false, "the posture of --amplitude; the middle of the joint ranges unless given"},
    {"degrees", NULL, false, "--from is in degrees"},
    {"scale", "PART", false, "of all limits that is used, 0 ... 1; default 0.9"},
    {"velocity", "V", false, "no joint is faster, rad/s or m/s, whatever the file says"},
    {"acceleration", "A", false, "the same, rad/s^2 or m/s^2"},
    {"noise", "t1,...", false,
     "deviations of the measured torques, Nm or N, which weight the rows; default: a hundredth of the limits"},
    {"no-rotors", NULL, false, "rotor inertias are not identified"},
    {"no-friction", NULL, false, "friction is not identified (of --criterion volume)"},
    {"starts", "N", false, "random motions that the search goes on from, the best ones; default 3"},
    {"random", "N", false, "random motions that it is compared with; default 1000"},
    {"steps", "N", false, "of the search from each start; default 600"},
    {"seed", "N", false, "of the random motions; the same seed gives the same motion"},
    {"format", "text|json", false, "for people or for programs"},
    {0},
};

const command command_excite = {
    .name = "excite",
    .synopsis = "ROBOT [--time S] [--out motion.csv]",
    .brief = "The motion inside the limits that identifies the robot best",
    .text = "A Fourier series a joint, at rest and without acceleration at its beginning and end, so that a robot can start,\n"
            "stop and repeat it. It is within the limits of position, speed, acceleration and torque (of the robot as its file\n"
            "tells it, with --payload) at every time, not only at the rows of FILE. Limits that the file does not have are\n"
            "assumed, and it is said which.\n"
            "\n"
            "Collisions are not looked for: give a box for the hand, and an amplitude around a posture. doc/excite.md.\n",
    .options = options,
    ONE_ROBOT,
    .example = "  @ excite planar2r --time 5 --random 100 --out motion.csv\n"
               "  @ feasible planar2r --in motion.csv\n",
    .run = run,
};
