/* SPDX-License-Identifier: MIT
 *
 * cmd_formulations.c - one robot, every way to compute its dynamics: operations, time and agreement side by side.
 *
 * Agreement is the largest difference from arne_id over the states, as a part of the largest torque: of the torques themselves;
 * of M qdd and id(qdd) - id(0); of the sums over C_ijk and the Coriolis vector; of id(fd(tau)) and tau. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arne/count.h"
#include "arne/formulations.h"
#include "cli/clock.h"
#include "base/random.h"
#include "cli/published.h"

enum { STATES = 8, REPEATS = 9 };

/* joints up to which the methods answer in seconds; the memory of all is n x n */
enum { LINEAR = 500, SQUARE = 60, CUBIC = 30 };

typedef struct {
    robot robot;
    arne_data *data;
    arne_forms *forms;
    int n;
    double *memory, *q, *qd, *qdd, *tau; /* STATES x n; tau: arne_id */
    double *first, *second;              /* n */
    double *result;                      /* n, n x n or n x n x n */
} subject;

typedef struct method method;
struct method {
    const char *computes, *name;
    const char *count; /* NULL: not counted */
    int order;         /* of the cost in n */
    int most;          /* joints */
    /* runs state i; false: the inertia matrix is singular */
    bool (*run)(const subject *s, const method *m, int i);
    /* what state i differs by after run */
    double (*check)(const subject *s, int i);
    arne_formulation by;
};

#define STATE(group) (s->group + i * s->n)

static bool run_id(const subject *s, const method *m, int i)
{
    arne_forms_id(s->forms, s->data, m->by, STATE(q), STATE(qd), STATE(qdd), s->result);
    return true;
}

static bool run_mass(const subject *s, const method *m, int i)
{
    (void)m;
    arne_mass(s->data, STATE(q), s->result);
    return true;
}

static bool run_strobe_mass(const subject *s, const method *m, int i)
{
    (void)m;
    arne_forms_strobe_mass(s->forms, s->data, STATE(q), s->result);
    return true;
}

static bool run_strobe_coriolis(const subject *s, const method *m, int i)
{
    (void)m;
    arne_forms_strobe_coriolis(s->forms, s->data, STATE(q), s->result);
    return true;
}

static bool run_aba(const subject *s, const method *m, int i)
{
    (void)m;
    return arne_fd(s->data, STATE(q), STATE(qd), STATE(tau), s->result) < 0;
}

static bool run_crba(const subject *s, const method *m, int i)
{
    (void)m;
    return arne_fd_crba(s->data, STATE(q), STATE(qd), STATE(tau), s->result) < 0;
}

static bool run_fd(const subject *s, const method *m, int i)
{
    return arne_forms_fd(s->forms, s->data, m->by, STATE(q), STATE(qd), STATE(tau), s->result) < 0;
}

/* ---- agreement ---- */

/* largest |x - y|; not a number stays one */
static double apart(int n, const double *x, const double *y)
{
    double most = 0;
    for (int k = 0; k < n; k++)
        if (!(fabs(x[k] - y[k]) <= most)) most = fabs(x[k] - y[k]);
    return most;
}

static double check_id(const subject *s, int i) { return apart(s->n, s->result, STATE(tau)); }

static double check_mass(const subject *s, int i)
{
    const int n = s->n;
    for (int k = 0; k < n; k++) s->second[k] = 0;
    arne_id(s->data, STATE(q), STATE(qd), s->second, s->first);
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < n; j++) s->second[k] += s->result[k * n + j] * STATE(qdd)[j];
        s->second[k] += s->first[k];
    }
    return apart(n, s->second, STATE(tau));
}

static double check_coriolis(const subject *s, int i)
{
    const int n = s->n;
    arne_coriolis_vector(s->data, STATE(q), STATE(qd), s->first);
    for (int k = 0; k < n; k++) {
        s->second[k] = 0;
        for (int j = 0; j < n * n; j++) s->second[k] += s->result[k * n * n + j] * STATE(qd)[j / n] * STATE(qd)[j % n];
    }
    return apart(n, s->second, s->first);
}

static double check_fd(const subject *s, int i)
{
    arne_id(s->data, STATE(q), STATE(qd), s->result, s->first);
    return apart(s->n, s->first, STATE(tau));
}

/* over all states, or infinite: singular */
static double agreement(const subject *s, const method *m)
{
    double most = 0;
    for (int i = 0; i < STATES; i++) {
        double largest = 0;
        for (int k = 0; k < s->n; k++)
            if (fabs(STATE(tau)[k]) > largest) largest = fabs(STATE(tau)[k]);
        if (!m->run(s, m, i)) return INFINITY;
        const double x = m->check(s, i), part = largest > 0 ? x / largest : x;
        if (!(part <= most)) most = part;
    }
    return most;
}

static const method methods[] = {
    {"id", "ne", "id", 1, LINEAR, run_id, check_id, ARNE_NE},
    {"id", "turney", "turney", 1, LINEAR, run_id, check_id, ARNE_TURNEY},
    {"id", "newton-euler", "newton-euler", 1, LINEAR, run_id, check_id, ARNE_NEWTON_EULER},
    {"id", "recursive-lagrange", "recursive-lagrange", 1, LINEAR, run_id, check_id, ARNE_RECURSIVE_LAGRANGE},
    {"id", "lagrange", "lagrange", 3, CUBIC, run_id, check_id, ARNE_LAGRANGE},
    {"id", "gibbs-appell", "gibbs-appell", 2, SQUARE, run_id, check_id, ARNE_GIBBS_APPELL},
    {"id", "christoffel", "christoffel", 3, CUBIC, run_id, check_id, ARNE_CHRISTOFFEL},
    {"id", "mrnea", "mrnea", 2, SQUARE, run_id, check_id, ARNE_MRNEA},
    {"id", "mrnea-literal", "mrnea-literal", 3, CUBIC, run_id, check_id, ARNE_MRNEA_LITERAL},
    {"mass", "composite", "mass", 2, SQUARE, run_mass, check_mass, 0},
    {"mass", "strobe-mass", "strobe-mass", 2, SQUARE, run_strobe_mass, check_mass, 0},
    {"coriolis arrays", "strobe-coriolis", "strobe-coriolis", 3, CUBIC, run_strobe_coriolis, check_coriolis, 0},
    {"fd", "aba", "aba", 1, LINEAR, run_aba, check_fd, 0},
    {"fd", "crba", "fd", 3, SQUARE, run_crba, check_fd, 0},
    {"fd", "wo1", NULL, 3, SQUARE, run_fd, check_fd, ARNE_NE},
    {"fd", "mrnea", NULL, 3, SQUARE, run_fd, check_fd, ARNE_MRNEA},
};
enum { METHODS = sizeof methods / sizeof *methods };

typedef struct {
    bool left_out, counted, singular;
    arne_operations cost;
    double ns, agreement;
} outcome;

/* ---- time ---- */

typedef struct {
    const subject *subject;
    const method *method;
} timed;

static void run_timed(const void *of, long k)
{
    const timed *t = of;
    t->method->run(t->subject, t->method, (int)(k % STATES));
}

/* nanoseconds a call, median */
static double measure(const subject *s, const method *m, double seconds)
{
    double times[REPEATS];
    clock_measure(run_timed, &(timed){s, m}, seconds, REPEATS, times);
    return 1e9 * times[REPEATS / 2];
}

/* ---- the robot ---- */

static int prepare(subject *s)
{
    s->n = arne_model_dof(s->robot.model);
    if (s->n > LINEAR)
        return complain_at(s->robot.path, 0, "the robot has %d joints; formulations compares robots of up to %d", s->n, LINEAR);
    const size_t n = (size_t)s->n, vectors = STATES * n, room = s->n <= CUBIC ? n * n * n : n * n;
    s->memory = calloc(4 * vectors + 2 * n + room + 1, sizeof *s->memory);
    s->forms = arne_forms_new(s->robot.model);
    if (!s->memory || !s->forms) return no_memory();
    s->data = robot_data(&s->robot);
    if (!s->data) return CLI_FAILED;
    s->q = s->memory;
    s->qd = s->q + vectors;
    s->qdd = s->qd + vectors;
    s->tau = s->qdd + vectors;
    s->first = s->tau + vectors;
    s->second = s->first + n;
    s->result = s->second + n;
    random_source random = {.state = 1};
    for (size_t k = 0; k < 3 * vectors; k++) s->memory[k] = 2 * arne__random_signed(&random);
    for (int i = 0; i < STATES; i++) arne_id(s->data, STATE(q), STATE(qd), STATE(qdd), STATE(tau));
    return CLI_OK;
}

static void finish(subject *s)
{
    arne_data_free(s->data);
    arne_forms_free(s->forms);
    free(s->memory);
    robot_close(&s->robot);
}

static int compare(const subject *s, const arne_count_options *o, double seconds, outcome *results)
{
    for (int k = 0; k < METHODS; k++) {
        const method *m = &methods[k];
        outcome *x = &results[k];
        *x = (outcome){.left_out = s->n > m->most, .counted = m->count != NULL};
        if (x->left_out) continue;
        if (x->counted && arne_count(s->data, m->count, o, &x->cost)) return no_memory();
        x->agreement = agreement(s, m);
        x->singular = isinf(x->agreement);
        if (!x->singular) x->ns = measure(s, m, seconds);
    }
    return CLI_OK;
}

/* ---- printing ---- */

static void print_text(const subject *s, const arne_count_options *o, const outcome *results, out *to)
{
    static const char *const heads[] = {"computes", "method",  "order", "mul", "add",
                                        "div",      "sin/cos", "depth", "ns",  "agreement"};
    out_format(to, "%s: %d joint%s; operations a call%s, %s inertial parameters\n", arne_model_name(s->robot.model), s->n,
               s->n == 1 ? "" : "s", o->as_written ? " as written" : "", o->general ? "arbitrary" : "the file's");
    table t = {.columns = 10, .align = "lllrrrrrrr"};
    for (int k = 0; k < 10; k++) table_cell(&t, heads[k]);
    bool left_out = false;
    for (int k = 0; k < METHODS; k++) {
        static const char *const orders[] = {"", "n", "n^2", "n^3"};
        const method *m = &methods[k];
        const outcome *x = &results[k];
        if (x->left_out) {
            left_out = true;
            continue;
        }
        const long cost[] = {x->cost.mul, x->cost.add, x->cost.div, x->cost.trig, x->cost.depth};
        char text[32];
        table_cell(&t, m->computes), table_cell(&t, m->name), table_cell(&t, orders[m->order]);
        for (int c = 0; c < 5; c++) {
            snprintf(text, sizeof text, "%ld", cost[c]);
            table_cell(&t, x->counted ? text : "-");
        }
        snprintf(text, sizeof text, "%.1f", x->ns);
        table_cell(&t, x->singular ? "-" : text);
        snprintf(text, sizeof text, "%.1e", x->agreement);
        table_cell(&t, x->singular ? "singular" : text);
    }
    table_print(&t, "  ", to);
    if (left_out) {
        const char *between = s->n > SQUARE ? "only the methods of order n; left out: " : "left out: ";
        out_format(to, "More than %d joints: ", s->n > SQUARE ? SQUARE : CUBIC);
        for (int k = 0; k < METHODS; k++) {
            if (!results[k].left_out) continue;
            out_format(to, "%s%s (%s)", between, methods[k].name, methods[k].computes);
            between = ", ";
        }
        out_text(to, ".\n");
    }
    out_text(to, "agreement: largest difference from arne_id as a part of the largest torque, random states.\n");
}

static void print_json(const subject *s, const arne_count_options *o, const outcome *results, out *to)
{
    json_open(to, NULL, '{');
    json_string(to, "robot", arne_model_name(s->robot.model));
    json_number(to, "dof", s->n);
    json_string(to, "inertia", o->general ? "general" : "file");
    json_truth(to, "as_written", o->as_written);
    json_open(to, "methods", '[');
    for (int k = 0; k < METHODS; k++) {
        const outcome *x = &results[k];
        if (x->left_out) continue;
        json_open(to, NULL, '{');
        json_string(to, "computes", methods[k].computes);
        json_string(to, "method", methods[k].name);
        json_number(to, "order", methods[k].order);
        json_operations(to, x->counted ? &x->cost : NULL);
        json_number(to, "ns", x->singular ? NAN : x->ns);
        json_number(to, "agreement", x->agreement);
        json_close(to, '}');
    }
    json_close(to, ']');
    json_open(to, "left_out", '[');
    for (int k = 0; k < METHODS; k++)
        if (results[k].left_out) json_string(to, NULL, methods[k].name);
    out_text(to, "]}\n");
}

static int compare_robot(const arguments *a, const arne_count_options *o, double seconds, bool json)
{
    subject s = {0};
    outcome results[METHODS];
    int status = robot_open(a, a->words[0], &s.robot);
    if (status) return status;
    status = prepare(&s);
    if (!status) status = compare(&s, o, seconds, results);
    if (!status) {
        out to = {0};
        (json ? print_json : print_text)(&s, o, results, &to);
        status = out_finish(&to, true);
    }
    finish(&s);
    return status;
}

/* ---- the command ---- */

/* "6" or "1..12" */
static int take_links(const char *text, int *first, int *last)
{
    const char *dots = strstr(text, "..");
    double from, to;
    const size_t length = dots ? (size_t)(dots - text) : strlen(text);
    bool ok = parse_numbers(text, length, &from, 1) == 1;
    to = from;
    if (ok && dots) ok = parse_numbers(dots + 2, strlen(dots + 2), &to, 1) == 1;
    if (!ok || !(from >= 1 && from <= to && to <= PUBLISHED_LONGEST) || from != floor(from) || to != floor(to))
        return misuse("--n %s: it is a number of links, 6, or two, 1..12, between 1 and %d", text, PUBLISHED_LONGEST);
    *first = (int)from;
    *last = (int)to;
    return CLI_OK;
}

static int run(const arguments *a)
{
    static const char *const inertias[] = {"general", "file", NULL};
    const int json = option_json(a), inertia = option_choice(a, "inertia", inertias, 0);
    if (json < 0 || inertia < 0) return CLI_MISUSED;
    const bool published = option_given(a, "published");
    if (published && a->nword) return misuse("--published is about a general arm and takes no ROBOT, not \"%s\"", a->words[0]);
    if (!published && !a->nword) return misuse("formulations needs a ROBOT, or --published for the general arm");
    for (int k = 0; k < a->noption; k++) {
        const char *name = a->options[k].name;
        const bool arm = !strcmp(name, "n") || !strcmp(name, "all");
        if (arm && !published) return misuse("--%s belongs to --published", name);
        if (published && !arm && strcmp(name, "published") && strcmp(name, "format"))
            return misuse("--%s does not belong to --published", name);
    }
    if (published) {
        published_options p = {.first = 1, .last = 12, .all = option_given(a, "all"), .json = json};
        const char *links = option_value(a, "n");
        const int status = links ? take_links(links, &p.first, &p.last) : CLI_OK;
        return status ? status : published_print(&p);
    }
    double ms = 2;
    const char *text = option_value(a, "ms");
    if (text && (parse_numbers(text, strlen(text), &ms, 1) != 1 || ms <= 0 || ms > 1000))
        return misuse("--ms %s: it takes a number of milliseconds between 0 and 1000", text);
    const arne_count_options o = {.general = inertia == 0, .as_written = option_given(a, "as-written")};
    return compare_robot(a, &o, 1e-3 * ms, json);
}

static const option options[] = {
    {"published", NULL, false, "the general arm instead of a robot: printed, recounted and our operations"},
    {"n", "N|A..B", false, "--published: numbers of links; default: 1..12"},
    {"all", NULL, false, "--published: the arrays C for more than 8 links too"},
    {"as-written", NULL, false, "count the texts as they stand: no common factors taken out, no sums balanced"},
    {"inertia", "general|file", false,
     "general (default): every inertial parameter is arbitrary; file: what is zero in the file stays zero"},
    {"ms", "NUMBER", false, "length of one of the 9 measurements in milliseconds; default: 2"},
    {"format", "text|json", false, "for people or for programs"},
    {0},
};

const command command_formulations = {
    .name = "formulations",
    .synopsis = "ROBOT | --published [--n 1..12]",
    .brief = "Compares all formulations: operations, depth, time, agreement",
    .text =
        "Inverse dynamics in eight ways, the inertia matrix in two, the Coriolis arrays, forward dynamics in four. Operations\n"
        "are those of `arne count`; a dash: not counted. With --published the tables of seed 004, section 8, beside an\n"
        "independent recount and ours, for an arm with given rotation matrices. doc/formulations.md explains every\n"
        "difference.\n",
    .options = options,
    .more_options = robot_options,
    .max_words = 1,
    .word = "ROBOT",
    .example = "  @ formulations rx90\n  @ formulations --published --n 6\n",
    .run = run,
};
