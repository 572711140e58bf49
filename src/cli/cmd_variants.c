/* SPDX-License-Identifier: MIT
 *
 * cmd_variants.c - the 16 variants of NE* on one robot: which of them factor the Coriolis terms with Mdot = C + C'? */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "cli/out.h"

enum { VARIANTS = 16, STATES = 20 };

/* A law that holds is off by rounding only, one that does not by percents. */
static const double VALID = 1e-9;

typedef struct {
    const robot *robot;
    arne_data *data;
    arne_variants *variants;
    arne_jets *jets;
    int n;
    random_source random;
    double *memory, *q, *qd, *unit, *zero, *column, *c; /* n */
    double *C, *rate;                                   /* n x n */
    double skew[VARIANTS], product[VARIANTS];           /* largest violations of Mdot = C + C' and C qd = c */
    double size, vector;                                /* largest |Mdot|, or |M||qd| where that is nothing; largest |c| */
} study;

/* Mdot column by column; its size, and that of M qd */
static void mass_rate(study *s, double *rate, double *momentum)
{
    const int n = s->n;
    arne_mass(s->data, s->q, s->C);
    for (int k = 0; k < n; k++) {
        s->unit[k] = 1;
        arne_mass_rate_product(s->jets, s->data, s->q, s->qd, s->unit, s->column);
        s->unit[k] = 0;
        for (int i = 0; i < n; i++) {
            s->rate[i * n + k] = s->column[i];
            *rate = fmax(*rate, fabs(s->column[i]));
            *momentum = fmax(*momentum, fabs(s->C[i * n + k] * s->qd[k]));
        }
    }
}

static void try_variant(study *s, int variant)
{
    const int n = s->n;
    for (int k = 0; k < n; k++) {
        /* [000 eq. 24], gravity switched off [ERRATA part one 1.1] */
        s->unit[k] = 1;
        arne_star_variant(s->variants, s->data, variant, s->q, s->qd, s->unit, s->zero, s->column);
        s->unit[k] = 0;
        for (int i = 0; i < n; i++) s->C[i * n + k] = s->column[i];
    }
    for (int i = 0; i < n; i++) {
        double Cqd = 0;
        for (int k = 0; k < n; k++) {
            Cqd += s->C[i * n + k] * s->qd[k];
            /* [000 eq. 22] for every pair */
            s->skew[variant] = fmax(s->skew[variant], fabs(s->rate[i * n + k] - s->C[i * n + k] - s->C[k * n + i]));
        }
        s->product[variant] = fmax(s->product[variant], fabs(Cqd - s->c[i]));
    }
}

static void run_study(study *s)
{
    const double none[3] = {0};
    double rate = 0, momentum = 0, speed = 0;
    arne_set_gravity(s->data, none);
    for (int state = 0; state < STATES; state++) {
        for (int i = 0; i < s->n; i++) {
            s->q[i] = 3 * arne__random_signed(&s->random);
            s->qd[i] = 2 * arne__random_signed(&s->random);
            speed = fmax(speed, fabs(s->qd[i]));
        }
        arne_coriolis_vector(s->data, s->q, s->qd, s->c);
        for (int i = 0; i < s->n; i++) s->vector = fmax(s->vector, fabs(s->c[i]));
        mass_rate(s, &rate, &momentum);
        for (int variant = 0; variant < VARIANTS; variant++) try_variant(s, variant);
    }
    /* where the inertia matrix is constant there is nothing to be relative to but its own size */
    s->size = rate > VALID * momentum ? rate : momentum;
    s->vector = s->vector > VALID * momentum * speed ? s->vector : momentum * speed;
    for (int variant = 0; variant < VARIANTS; variant++) {
        if (s->size > 0) s->skew[variant] /= s->size;
        if (s->vector > 0) s->product[variant] /= s->vector;
    }
}

static bool is_valid(const study *s, int variant) { return s->skew[variant] <= VALID && s->product[variant] <= VALID; }

static const char *digits(int variant, char text[8])
{
    snprintf(text, 8, "%d%d%d%d", variant >> 3 & 1, variant >> 2 & 1, variant >> 1 & 1, variant & 1);
    return text;
}

static void print_text(const study *s, out *to)
{
    static const char *const heads[] = {"variant", "Mdot - C - C'", "C qd - c", ""};
    char text[32];
    int valid = 0;
    out_format(to, "%s: the 16 variants of NE*, %d random states; largest violations, relative\n",
               arne_model_name(s->robot->model), STATES);
    table t = {.columns = 4, .align = "lrrl"};
    for (int k = 0; k < 4; k++) table_cell(&t, heads[k]);
    for (int variant = 0; variant < VARIANTS; variant++) {
        table_cell(&t, digits(variant, text));
        snprintf(text, sizeof text, "%.1e", s->skew[variant]);
        table_cell(&t, text);
        snprintf(text, sizeof text, "%.1e", s->product[variant]);
        table_cell(&t, text);
        table_cell(&t, is_valid(s, variant) ? "valid" : "");
        valid += is_valid(s, variant);
    }
    table_print(&t, "  ", to);
    out_format(to, "%d of 16 factor the Coriolis terms with Mdot = C + C'%s\n", valid,
               valid == 2          ? ", as for robots in general"
               : valid == VARIANTS ? ": this robot is too simple to tell them apart"
                                   : "");
}

static void print_json(const study *s, out *to)
{
    char text[8];
    json_open(to, NULL, '{');
    json_string(to, "robot", arne_model_name(s->robot->model));
    json_number(to, "dof", s->n);
    json_number(to, "states", STATES);
    json_open(to, "variants", '[');
    for (int variant = 0; variant < VARIANTS; variant++) {
        json_open(to, NULL, '{');
        json_string(to, "variant", digits(variant, text));
        json_number(to, "skew", s->skew[variant]);
        json_number(to, "product", s->product[variant]);
        json_truth(to, "valid", is_valid(s, variant));
        json_close(to, '}');
    }
    json_close(to, ']');
    json_open(to, "valid", '[');
    for (int variant = 0; variant < VARIANTS; variant++)
        if (is_valid(s, variant)) json_string(to, NULL, digits(variant, text));
    out_text(to, "]}\n");
}

static int prepare(study *s)
{
    const size_t n = (size_t)s->n;
    double *v = s->memory = calloc(6 * n + 2 * n * n + 1, sizeof *v);
    s->variants = arne_variants_new(s->robot->model);
    s->jets = arne_jets_new(s->robot->model);
    if (!v || !s->variants || !s->jets) return no_memory();
    double **const vectors[] = {&s->q, &s->qd, &s->unit, &s->zero, &s->column, &s->c};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++, v += n) *vectors[k] = v;
    s->C = v;
    s->rate = v + n * n;
    s->data = robot_data(s->robot);
    return s->data ? CLI_OK : CLI_FAILED;
}

static int run(const arguments *a)
{
    enum { MOST = 60 };
    const int format = option_json(a);
    if (format < 0) return CLI_MISUSED;
    robot r;
    int status = robot_open(a, a->words[0], &r);
    if (status) return status;
    study s = {.robot = &r, .n = arne_model_dof(r.model), .random = {.state = 1}};
    if (s.n > MOST) status = complain_at(r.path, 0, "the robot has %d joints; variants compares robots of up to %d", s.n, MOST);
    if (!status) status = prepare(&s);
    if (!status) {
        out to = {0};
        run_study(&s);
        (format ? print_json : print_text)(&s, &to);
        status = out_finish(&to, false);
    }
    arne_data_free(s.data);
    arne_jets_free(s.jets);
    arne_variants_free(s.variants);
    free(s.memory);
    robot_close(&r);
    return status;
}

static const option options[] = {
    {"format", "text|json", false, "for people or for programs"},
    {0},
};

const command command_variants = {
    .name = "variants",
    .synopsis = "ROBOT [--format text|json]",
    .brief = "Which variants of the modified Newton-Euler method factor the Coriolis terms",
    .text = "NE*(q, qd, qa, qdd) = M qdd + C(q,qd) qa + g computes with two velocities; in four places (angular acceleration,\n"
            "acceleration of the frame, of the mass centre, moment) either may be the inner one: 16 variants, four digits.\n"
            "All give the Coriolis vector, C qd = c. A controller or observer also needs Mdot = C + C', which two of them have\n"
            "for every robot, 0001 and 1110, the others for special ones: planar arms, point masses, arms that only slide.\n",
    .options = options,
    .more_options = robot_options,
    .min_words = 1,
    .max_words = 1,
    .word = "ROBOT",
    .example = "  @ variants dlr-lwr3\n",
    .run = run,
};
