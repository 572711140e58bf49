/* SPDX-License-Identifier: MIT
 *
 * identify_test.c - random robots learn themselves: exact logs give exact parameters, noisy ones parameters within the deviations
 * that are told; two priors end in the same model. ARNE_IDENTIFY_ROBOTS=100 in the environment takes so many robots. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arne/estimate.h"
#include "arne/file.h"
#include "estimate/table.h"
#include "support/subject.h"

enum { WAVES = 5 };

typedef struct {
    int n;
    double size[MOST_DOF][WAVES], speed[MOST_DOF][WAVES], phase[MOST_DOF][WAVES];
} fourier;

static fourier random_motion(random_stream *r, int n)
{
    fourier f = {.n = n};
    for (int i = 0; i < n; i++)
        for (int k = 0; k < WAVES; k++) {
            f.size[i][k] = random_between(r, 0.1, 0.6);
            f.speed[i][k] = 6.28 * random_between(r, 0.1, 1.2);
            f.phase[i][k] = random_between(r, 0, 6.28);
        }
    return f;
}

static void motion_at(const fourier *f, double t, motion *x)
{
    for (int i = 0; i < f->n; i++) {
        x->q[i] = x->qd[i] = x->qdd[i] = 0;
        for (int k = 0; k < WAVES; k++) {
            const double a = f->size[i][k], w = f->speed[i][k], p = w * t + f->phase[i][k];
            x->q[i] += a * sin(p);
            x->qd[i] += a * w * cos(p);
            x->qdd[i] -= a * w * w * sin(p);
        }
    }
}

typedef struct {
    int rows;
    double step, noise, jitter; /* noise: part of the mean torque; jitter: rad of the positions */
    bool qd, qdd;
    double late; /* s, of the first torque */
    bool motors; /* torques at their shafts */
} recorded;

/* a log of the subject into the identifier */
static void record(subject *s, arne_identifier *i, arne_log_role role, recorded how)
{
    const fourier f = random_motion(&s->r, s->n);
    const arne_identify_log log = {.size = sizeof log, .name = s->name, .role = role, .has_qd = how.qd, .has_qdd = how.qdd};
    double tau[MOST_DOF], mean[MOST_DOF] = {0};
    arne_error error;
    motion x;
    if (arne_identifier_log(i, &log, &error)) fail_msg("%s: %s", s->name, error.message);
    for (int k = 0; k < 50; k++) {
        motion_at(&f, 0.37 * k, &x);
        arne_id(s->data, x.q, x.qd, x.qdd, tau);
        for (int v = 0; v < s->n; v++) mean[v] += fabs(tau[v]) / 50;
    }
    for (int k = 0; k < how.rows; k++) {
        motion_at(&f, k * how.step, &x);
        arne_id(s->data, x.q, x.qd, x.qdd, tau);
        if (how.late > 0) {
            double then[MOST_DOF];
            motion y;
            motion_at(&f, k * how.step - how.late, &y);
            arne_id(s->data, y.q, y.qd, y.qdd, then);
            tau[0] = then[0];
        }
        if (how.motors) {
            double shafts[MOST_DOF];
            arne_motor_torques(s->data, tau, shafts);
            memcpy(tau, shafts, sizeof tau);
        }
        for (int v = 0; v < s->n; v++) {
            if (how.noise > 0) tau[v] += how.noise * mean[v] * normal(&s->r);
            if (how.jitter > 0) x.q[v] += how.jitter * normal(&s->r);
        }
        if (arne_identifier_row(i, k * how.step, x.q, x.qd, x.qdd, tau, &error)) fail_msg("%s: %s", s->name, error.message);
    }
}

static arne_identified *learned(subject *s, arne_identify_options o, recorded how)
{
    arne_identifier *i;
    arne_identified *r;
    arne_error error;
    o.size = sizeof o;
    if (arne_identifier_new(s->m, &o, &i, &error)) fail_msg("%s: %s", s->name, error.message);
    record(s, i, ARNE_LOG_LEARN, how);
    if (arne_identify(i, &r, &error)) fail_msg("%s: %s", s->name, error.message);
    arne_identifier_free(i);
    return r;
}

static int robots(int usual)
{
    const char *text = getenv("ARNE_IDENTIFY_ROBOTS");
    return text ? atoi(text) : FEWER(usual);
}

static void exact_logs_give_exact_parameters(void **state)
{
    (void)state;
    for (int k = 0; k < robots(6); k++) {
        subject s =
            subject_number(shipped_robots() + k, RANDOM_MOTORS | RANDOM_FRICTION | (k % 3 == 2 ? RANDOM_TRANSMISSION : 0));
        arne_identified *r = learned(&s, (arne_identify_options){.cutoff = INFINITY}, (recorded){300, 0.02, 0, 0, true, true});
        if (!r->consistent) fail_msg("%s: not consistent", s.name);
        /* axes that are nearly parallel: columns that hardly differ are left out, or lose digits */
        const double bar = k % RANDOM_FAMILIES == FAMILY_NEARLY_PARALLEL ? 1e-9 : 1e-12;
        for (int j = 0; j < r->njoint; j++)
            if (!(r->joints[j].error_least_squares < bar) || !(r->joints[j].error < 10 * bar))
                fail_msg("%s: joint %d is wrong by %g, plain %g", s.name, j, r->joints[j].error,
                         r->joints[j].error_least_squares);
        const arne_identified_series *drawn = &r->series;
        double most = 0, off = 0;
        assert_true(drawn->count > 100);
        for (int i = 0; i < drawn->count * r->njoint; i++) {
            most = fmax(most, fabs(drawn->measured[i]));
            off = fmax(off,
                       fmax(fabs(drawn->predicted[i] - drawn->measured[i]), fabs(drawn->least_squares[i] - drawn->measured[i])));
        }
        if (!(off < 1e-8 * most)) fail_msg("%s: what is drawn is off by %g of %g", s.name, off, most);
        for (int p = 0; p < r->nparameter; p++) {
            const arne_identified_parameter *x = &r->parameters[p];
            if (x->seen && !(fabs(x->value - x->before) < 1e-6 * (1 + fabs(x->before)) * r->condition))
                fail_msg("%s: %s is %g, should be %g", s.name, x->name, x->value, x->before);
        }
        arne_identified_free(r);
        subject_close(&s);
    }
}

/* The model one begins with is the true one, so `before` is what should be found. */
static void deviations_are_honest(void **state)
{
    (void)state;
    int all = 0, within = 0;
    for (int k = 0; k < robots(6); k++) {
        subject s = subject_number(shipped_robots() + k, RANDOM_MOTORS | RANDOM_FRICTION);
        const double cutoffs[] = {5, 8, INFINITY};
        const bool filtered = k % 3 < 2;
        arne_identified *r = learned(
            &s, (arne_identify_options){.cutoff = cutoffs[k % 3]},
            (recorded){filtered ? 2000 : 600, filtered ? 0.01 : 0.02, 0.05, filtered && k % 2 ? 1e-4 : 0, true, !filtered});
        for (int p = 0; p < r->nparameter; p++) {
            const arne_identified_parameter *x = &r->parameters[p];
            if (!x->seen) continue;
            all++;
            within += fabs(x->value - x->before) <= 2 * x->deviation;
        }
        arne_identified_free(r);
        subject_close(&s);
    }
    print_message("%d of %d parameters within two deviations, %.1f %%\n", within, all, 100.0 * within / all);
    assert_true(within >= 0.9 * all);
}

/* Two priors, one of twice the masses of the other: what is held out is told as well. */
static void the_prior_does_not_matter(void **state)
{
    (void)state;
    for (int k = 0; k < robots(3); k++) {
        subject s = subject_number(shipped_robots() + k, RANDOM_FRICTION);
        double error[2][MOST_DOF];
        for (int heavy = 0; heavy < 2; heavy++) {
            arne_description *d = robot_number(shipped_robots() + k, RANDOM_FRICTION);
            arne_model *prior;
            for (size_t l = 0; l < d->nlink; l++) {
                d->links[l].body.mass *= heavy ? 1.4 : 0.7;
                for (int c = 0; c < 6; c++) d->links[l].body.inertia[c] *= heavy ? 1.4 : 0.7;
            }
            assert_int_equal(arne_model_build(d, NULL, &prior, NULL), ARNE_OK);
            const random_stream same = s.r;
            arne_identified *r =
                learned(&s, (arne_identify_options){.cutoff = 6, .prior = prior}, (recorded){1500, 0.01, 0.05, 0, true, false});
            s.r = same;
            for (int j = 0; j < r->njoint; j++) {
                error[heavy][j] = r->joints[j].error;
                if (!(r->joints[j].error <
                      fmax(1.1 * r->joints[j].error_least_squares, r->joints[j].error_least_squares + 0.005)))
                    fail_msg("%s: joint %d: %g, plain %g", s.name, j, r->joints[j].error, r->joints[j].error_least_squares);
            }
            arne_identified_free(r);
            arne_model_free(prior);
            arne_description_free(d);
        }
        for (int j = 0; j < s.n; j++)
            if (!(fabs(error[0][j] - error[1][j]) < 0.003))
                fail_msg("%s: joint %d: %g and %g", s.name, j, error[0][j], error[1][j]);
        subject_close(&s);
    }
}

/* Two slides that do not feel each other: the force of the heavy one comes late. */
static void each_joint_has_a_delay_of_its_own(void **state)
{
    (void)state;
    arne_description *d = arne_description_new("table");
    assert_true(d && arne_description_link(d, "base", 0));
    arne_description_link(d, "heavy", 0)->body = (arne_body){10, {0, 0, 0}, {1, 0, 0, 1, 0, 1}};
    arne_description_link(d, "light", 0)->body = (arne_body){0.1, {0, 0, 0}, {0.01, 0, 0, 0.01, 0, 0.01}};
    assert_non_null(arne_description_joint(d, "x", 0, ARNE_PRISMATIC, "base", "heavy"));
    arne_description_joint(d, "y", 0, ARNE_PRISMATIC, "heavy", "light")->before = arne_pose_dh(0, 1.5707963267948966, 0, 0);
    subject s = subject_of(d);
    static const double late[2] = {0.0225, 0.002}; /* between two steps of the search, and within its first */
    for (int k = 0; k < 2; k++) {
        const recorded how = {2000, 0.01, 0.002, 0, true, true, late[k]};
        arne_identified *r = learned(&s, (arne_identify_options){.cutoff = 8, .delays = true}, how);
        if (!(fabs(r->joints[0].delay - late[k]) < 0.0002 && r->joints[1].delay == 0))
            fail_msg("%g and %g s, should be %g and 0", r->joints[0].delay, r->joints[1].delay, late[k]);
        arne_identified_free(r);
    }
    subject_close(&s);
}

/* A coupled wrist, torques at the shafts of its motors: the same as at its joints. */
static void coupled_motors_tell_the_same(void **state)
{
    (void)state;
    arne_description *d;
    assert_int_equal(arne_read(ARNE_ROBOTS "/coupled-wrist.yaml", NULL, &d, NULL), ARNE_OK);
    subject s = subject_of(d);
    arne_identified *r = learned(&s, (arne_identify_options){.cutoff = INFINITY, .motor_torques = true},
                                 (recorded){.rows = 300, .step = 0.02, .qd = true, .qdd = true, .motors = true});
    for (int j = 0; j < r->njoint; j++) assert_true(r->joints[j].error_least_squares < 1e-11 && r->joints[j].error < 1e-9);
    arne_identified_free(r);
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_logs_give_exact_parameters), cmocka_unit_test(deviations_are_honest),
        cmocka_unit_test(the_prior_does_not_matter),        cmocka_unit_test(each_joint_has_a_delay_of_its_own),
        cmocka_unit_test(coupled_motors_tell_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
