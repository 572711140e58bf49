/* SPDX-License-Identifier: MIT
 *
 * cmd_bench.c - how long the library's functions take on this machine, in nanoseconds a state.
 *
 * One measurement calls a function on STATES random states over and over for the given time; its number is the time divided by
 * the calls. The table shows the median and the least of REPEATS measurements. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arne/elastic.h"
#include "cli/clock.h"
#include "base/random.h"
#include "cli/out.h"

enum { STATES = 64, REPEATS = 15 };

typedef struct {
    robot robot;
    arne_data *data;
    arne_jets *jets;
    arne_batch *batch;
    arne_flex *flex;            /* NULL: its joints have no springs */
    int n;                      /* dof */
    double *q, *qd, *qdd, *tau; /* STATES x dof */
    double *motion;             /* STATES x 5 x dof: q ... qdddd */
    double *result;             /* room for every function */
} bench;

/* One pass over all states; false: the function does not apply (singular inertia matrix). */
typedef bool (*pass)(const bench *b);

#define STATE(group) (b->group + i * b->n)
#define EACH_STATE for (int i = 0; i < STATES; i++)

static bool id(const bench *b)
{
    EACH_STATE arne_id(b->data, STATE(q), STATE(qd), STATE(qdd), b->result);
    return true;
}

static bool bias(const bench *b)
{
    EACH_STATE arne_bias(b->data, STATE(q), STATE(qd), b->result);
    return true;
}

static bool gravity(const bench *b)
{
    EACH_STATE arne_gravity(b->data, STATE(q), b->result);
    return true;
}

static bool mass(const bench *b)
{
    EACH_STATE arne_mass(b->data, STATE(q), b->result);
    return true;
}

static bool momentum(const bench *b)
{
    EACH_STATE arne_momentum(b->data, STATE(q), STATE(qd), b->result);
    return true;
}

static bool star(const bench *b)
{
    EACH_STATE arne_star(b->data, ARNE_STAR0001, STATE(q), STATE(qd), STATE(tau), STATE(qdd), b->result);
    return true;
}

static bool coriolis(const bench *b)
{
    EACH_STATE arne_coriolis(b->data, ARNE_CHRISTOFFEL_FACTOR, STATE(q), STATE(qd), b->result);
    return true;
}

static bool momentum_terms(const bench *b)
{
    const int n = arne_model_dof(b->robot.model);
    EACH_STATE arne_momentum_terms(b->data, STATE(q), STATE(qd), b->result, b->result + n, b->result + 2 * n);
    return true;
}

static bool fd_aba(const bench *b)
{
    bool good = true;
    EACH_STATE good &= arne_fd(b->data, STATE(q), STATE(qd), STATE(tau), b->result) < 0;
    return good;
}

static bool fd_crba(const bench *b)
{
    bool good = true;
    EACH_STATE good &= arne_fd_crba(b->data, STATE(q), STATE(qd), STATE(tau), b->result) < 0;
    return good;
}

static bool did(const bench *b)
{
    int n2 = b->n * b->n;
    EACH_STATE arne_id_derivatives(b->jets, b->data, STATE(q), STATE(qd), STATE(qdd), b->result, b->result + n2,
                                   b->result + 2 * n2);
    return true;
}

static bool batch_id(const bench *b)
{
    arne_batch_id(b->batch, b->data, STATES, b->q, b->qd, b->qdd, b->result);
    return true;
}

static bool batch_mass(const bench *b)
{
    arne_batch_mass(b->batch, b->data, STATES, b->q, b->result);
    return true;
}

static bool batch_fd(const bench *b) { return arne_batch_fd(b->batch, b->data, STATES, b->q, b->qd, b->tau, b->result) == 0; }

/* ---- elastic joints ---- */

#define MOTION(k) (b->motion + (5 * i + (k)) * b->n)

static bool has_springs(const bench *b) { return b->flex != NULL; }

static bool elastic_id(const bench *b)
{
    const arne_flex_torques to = {.tau = b->result};
    EACH_STATE arne_flex_id(b->flex, MOTION(0), &to);
    return true;
}

static bool elastic_taylor(const bench *b)
{
    const arne_flex_torques to = {.tau = b->result};
    EACH_STATE arne_flex_id_taylor(b->flex, MOTION(0), &to);
    return true;
}

static bool elastic_fd(const bench *b)
{
    EACH_STATE arne_flex_fd(b->flex, STATE(q), STATE(qd), MOTION(0), MOTION(1), STATE(tau), b->result, b->result + b->n);
    return true;
}

/* one tick of feedback linearization: accelerations and jerks of the state, then the torque */
static bool elastic_linearize(const bench *b)
{
    double *const qdd_of = b->result, *const qddd_of = b->result + b->n;
    EACH_STATE
    {
        arne_flex_state(b->flex, STATE(q), STATE(qd), MOTION(0), MOTION(1), qdd_of, qddd_of);
        arne_flex_linearize(b->flex, STATE(q), STATE(qd), qdd_of, qddd_of, MOTION(4), b->result + 2 * b->n);
    }
    return true;
}

static const struct {
    const char *name;
    pass pass, guard; /* guard: the pass that must be good first */
} passes[] = {
    {"id", id, NULL},
    {"bias", bias, NULL},
    {"gravity", gravity, NULL},
    {"mass", mass, NULL},
    {"momentum", momentum, NULL},
    {"fd_aba", fd_aba, fd_aba},
    {"fd_crba", fd_crba, fd_crba},
    {"star", star, NULL},
    {"coriolis", coriolis, NULL},
    {"p_ctqd_g", momentum_terms, NULL},
    {"did", did, NULL},
    {"batch_id", batch_id, NULL},
    {"batch_mass", batch_mass, NULL},
    {"batch_fd", batch_fd, batch_fd},
    {"elastic_id", elastic_id, has_springs},
    {"elastic_taylor", elastic_taylor, has_springs},
    {"elastic_fd", elastic_fd, has_springs},
    {"elastic_linearize", elastic_linearize, has_springs},
};
enum { PASSES = sizeof passes / sizeof *passes };

typedef struct {
    const bench *bench;
    pass pass;
} timed;

static void run_timed(const void *of, long k)
{
    const timed *t = of;
    (void)k;
    t->pass(t->bench);
}

/* Nanoseconds a state: median and least. */
static void measure(pass run, const bench *b, double seconds, double *median, double *least)
{
    double times[REPEATS];
    clock_measure(run_timed, &(timed){b, run}, seconds, REPEATS, times);
    *median = 1e9 * times[REPEATS / 2] / STATES;
    *least = 1e9 * times[0] / STATES;
}

static int prepare(bench *b)
{
    b->n = arne_model_dof(b->robot.model);
    size_t vectors = (size_t)STATES * (size_t)b->n, most = (vectors + 4) * (size_t)(b->n + 1);
    double *memory = calloc(9 * vectors + most, sizeof *memory);
    b->q = memory;
    b->data = robot_data(&b->robot);
    if (!b->data) return CLI_FAILED;
    b->jets = arne_jets_new(b->robot.model);
    b->batch = arne_batch_new(b->robot.model);
    if (!memory || !b->jets || !b->batch) return no_memory();
    b->qd = b->q + vectors;
    b->qdd = b->qd + vectors;
    b->tau = b->qdd + vectors;
    b->motion = b->tau + vectors;
    b->result = b->motion + 5 * vectors;
    if (arne_flex_new(b->robot.model, &b->flex, NULL) == ARNE_NO_MEMORY) return no_memory();
    random_source random = {.state = 1};
    for (size_t i = 0; i < 9 * vectors; i++) memory[i] = 3 * arne__random_signed(&random);
    return CLI_OK;
}

static void finish(bench *b)
{
    arne_flex_free(b->flex);
    arne_batch_free(b->batch);
    arne_jets_free(b->jets);
    arne_data_free(b->data);
    free(b->q);
    robot_close(&b->robot);
}

static void print_json_bench(const bench *b, const double (*times)[2], out *o)
{
    json_open(o, NULL, '{');
    json_string(o, "robot", arne_model_name(b->robot.model));
    json_number(o, "dof", b->n);
    json_number(o, "lanes", arne_batch_lanes(b->batch));
    json_open(o, "ns", '{');
    for (int k = 0; k < PASSES; k++) {
        if (isnan(times[k][0])) {
            json_string(o, passes[k].name, NULL);
            continue;
        }
        json_open(o, passes[k].name, '{');
        json_number(o, "median", rint(10 * times[k][0]) / 10);
        json_number(o, "min", rint(10 * times[k][1]) / 10);
        json_close(o, '}');
    }
    out_text(o, "}}\n");
}

static void print_text_bench(const bench *b, const double (*times)[2], out *o)
{
    out_format(o, "%s: %d joints, ns a state; batch: %d lanes\n", arne_model_name(b->robot.model), b->n,
               arne_batch_lanes(b->batch));
    table t = {.columns = 4};
    table_cell(&t, "function");
    table_cell(&t, "median");
    table_cell(&t, "least");
    table_cell(&t, "least of id");
    for (int k = 0; k < PASSES; k++) {
        if (passes[k].guard == has_springs && !b->flex) continue;
        table_cell(&t, passes[k].name);
        for (int i = 0; i < 2; i++) {
            char text[32] = "-";
            if (!isnan(times[k][i])) snprintf(text, sizeof text, "%.1f", times[k][i]);
            table_cell(&t, text);
        }
        char ratio[32] = "-";
        if (!isnan(times[k][0])) snprintf(ratio, sizeof ratio, "%.2f", times[k][1] / times[0][1]);
        table_cell(&t, ratio);
    }
    table_print(&t, "  ", o);
}

static int bench_robot(const arguments *a, const char *name, double seconds, bool json, out *o)
{
    bench b = {0};
    int status = robot_open(a, name, &b.robot);
    if (status) return status;
    status = prepare(&b);
    if (!status) {
        double times[PASSES][2];
        for (int k = 0; k < PASSES; k++) {
            times[k][0] = times[k][1] = NAN;
            if (!passes[k].guard || passes[k].guard(&b)) measure(passes[k].pass, &b, seconds, &times[k][0], &times[k][1]);
        }
        (json ? print_json_bench : print_text_bench)(&b, times, o);
        status = out_write(o, true);
    }
    finish(&b);
    return status;
}

/* Becomes the program that times arne, KDL and MuJoCo side by side; `make bench` puts it beside the folder of this one. */
static int run_peers(const arguments *a, bool json)
{
    char program[2048], path[2112];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    char *slash = length > 0 ? (program[length] = 0, strrchr(program, '/')) : NULL;
    if (!slash) return complain("cannot tell where this program is");
    *slash = 0;
    snprintf(path, sizeof path, "%s/arne_peers", program);
    if (access(path, X_OK)) snprintf(path, sizeof path, "%s-bench/arne_peers", program);
    if (access(path, X_OK)) return complain("the benchmark with KDL and MuJoCo is not built: make bench builds and runs it");
    char **words = calloc((size_t)a->nword + 4, sizeof *words);
    if (!words) return no_memory();
    int n = 0, status = CLI_OK;
    words[n++] = path;
    words[n++] = "--format";
    words[n++] = json ? "json" : "text";
    arne_error error = {0};
    for (int i = 0; i < a->nword && !status; i++) status = checked(arne_robot_find(a->words[i], &words[n++], &error), &error);
    if (!status) {
        execv(path, words);
        status = complain("cannot run %s", path);
    }
    for (int i = 3; i < n; i++) free(words[i]);
    free(words);
    return status;
}

static int run(const arguments *a)
{
    int json = option_json(a);
    if (json < 0) return CLI_MISUSED;
    if (option_given(a, "peers")) return run_peers(a, json == 1);
    double ms = 20;
    const char *text = option_value(a, "ms");
    if (text && (parse_numbers(text, strlen(text), &ms, 1) != 1 || ms <= 0 || ms > 10000))
        return misuse("--ms %s: it takes a number of milliseconds between 0 and 10000", text);

    arne_robot_place *list = NULL;
    size_t count = 0;
    arne_error error = {0};
    int status = a->nword ? CLI_OK : checked(arne_robots(&list, &count, &error), &error);
    if (!status && !a->nword && !count) status = complain("there are no shipped robots; name one: arne bench ROBOT");
    out o = {0};
    for (int i = 0; i < a->nword && !status; i++) status = bench_robot(a, a->words[i], 1e-3 * ms, json, &o);
    for (size_t i = 0; i < count && !status; i++) status = bench_robot(a, list[i].name, 1e-3 * ms, json, &o);
    arne_robots_free(list, count);
    if (!status && !json) {
        out_text(&o, "make bench, then arne bench --peers, compares these with KDL and MuJoCo.\n");
        status = out_write(&o, true);
    }
    out_free(&o);
    return status;
}

static const option options[] = {
    {"format", "text|json", false, "tables, or JSON, one object a robot"},
    {"peers", NULL, false, "arne, Orocos KDL and MuJoCo on the same arms in one run; make bench builds what this needs"},
    {"ms", "NUMBER", false, "length of one of the 15 measurements in milliseconds; default: 20"},
    {0},
};

const command command_bench = {
    .name = "bench",
    .synopsis = "[ROBOT...] [--format text|json]",
    .brief = "Times the library's functions, nanoseconds a state",
    .text =
        "Without ROBOT all shipped robots are timed. --peers, or make bench, compares with KDL and MuJoCo. Lines elastic_...\n"
        "are for robots with a spring and a rotor in every joint; elastic_linearize is one tick of feedback linearization.\n",
    .options = options,
    .more_options = robot_options,
    .max_words = -1,
    .word = "ROBOT",
    .example = "  @ bench puma560 --ms 2\n",
    .run = run,
};
