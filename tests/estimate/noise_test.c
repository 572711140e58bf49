/* SPDX-License-Identifier: MIT
 *
 * noise_test.c - friction, noise, rest, delays and the cut-off, on a small robot whose numbers are known by hand. */
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

/* The slide rubs with 2 forwards and 1.4 backwards beside 0.4 that always pull: 2.4 one way, 1 the other. Of the arm what pulls
 * is more than all that rubs: the rest of it pulls at rest too. */
static void friction_that_differs_by_direction(void **state)
{
    (void)state;
    arne_description *d = table();
    arne_identified *r;
    arne_error error;
    int told = 0;
    d->joints[0].friction.coulomb_negative = 1.4;
    d->joints[1].friction.offset = -1;
    if (learn_table(d, (arne_identify_options){.cutoff = INFINITY, .uneven = true}, &RUN, 800, NULL, &r, &error))
        fail_msg("%s", error.message);
    static const struct {
        const char *name;
        double value;
    } should[] = {{"FD1", 0.3 + 0.4}, {"FS1", 1.7}, {"FD2", -1}, {"FS2", 0.3}};
    for (int p = 0; p < r->nparameter; p++)
        for (int k = 0; k < 4; k++) {
            const arne_identified_parameter *x = &r->parameters[p];
            if (strcmp(x->name, should[k].name)) continue;
            told++;
            assert_true(fabs(x->value - should[k].value) < 1e-9 && fabs(x->before - should[k].value) < 1e-12);
        }
    assert_int_equal(told, 4);
    const arne_identified_joint *x = &r->joints[0], *turn = &r->joints[1];
    assert_true(fabs(x->coulomb - 2.4) < 1e-3 && fabs(x->coulomb_negative - 1) < 1e-3 && fabs(x->offset) < 1e-3);
    assert_true(fabs(turn->coulomb - 0.001 * 0.3) < 1e-4 && fabs(turn->coulomb_negative - 1.999 * 0.3) < 1e-3 &&
                fabs(turn->offset + 1 - 0.999 * 0.3) < 1e-3);
    assert_true(isinf(x->deviation[2]) && x->deviation[1] < 1e-3);
    arne_identified_free(r);
}

static random_stream noise_stream;
static const double SIGMA = 0.5;
static bool noisy(int k, sample *s, bool before)
{
    still(k, s, before);
    if (!before) s->tau[0] += SIGMA * normal(&noise_stream);
    return true;
}

/* White noise of the slide, whose columns are its acceleration, its speed, the sign of that and 1: deviations are sigma times the
 * roots of the diagonal of (W'W)^-1; those from blocks may be a little larger. */
static void deviations_are_those_of_least_squares(void **state)
{
    (void)state;
    enum { ROWS = 10000 };
    static const char *const names[4] = {"M1", "FV1", "FS1", "FO1"};
    double F[4][8] = {{0}};
    for (int k = 0; k < ROWS; k++) {
        sample x;
        wave(0.01 * k, &x);
        const double row[4] = {x.qdd[0], x.qd[0], (x.qd[0] > 0) - (x.qd[0] < 0), 1};
        for (int a = 0; a < 16; a++) F[a / 4][a % 4] += row[a / 4] * row[a % 4];
    }
    for (int a = 0; a < 4; a++) F[a][4 + a] = 1;
    for (int a = 0; a < 4; a++) { /* Gauss and Jordan */
        const double pivot = F[a][a];
        for (int c = 0; c < 8; c++) F[a][c] /= pivot;
        for (int b = 0; b < 4; b++) {
            const double part = F[b][a];
            for (int c = 0; c < 8 && b != a; c++) F[b][c] -= part * F[a][c];
        }
    }
    arne_identified *r;
    arne_error error;
    int told = 0;
    noise_stream = (random_stream){5};
    if (learn_table(table(), (arne_identify_options){.cutoff = INFINITY}, &RUN, ROWS, noisy, &r, &error))
        fail_msg("%s", error.message);
    for (int p = 0; p < r->nparameter; p++)
        for (int k = 0; k < 4; k++) {
            const arne_identified_parameter *x = &r->parameters[p];
            if (strcmp(x->name, names[k])) continue;
            const double should = SIGMA * sqrt(F[k][4 + k]);
            if (!(x->deviation > 0.97 * should && x->deviation < 1.12 * should))
                fail_msg("%s: deviation %g, should be %g", x->name, x->deviation, should);
            if (!(fabs(x->value - x->before) < 3.5 * should)) fail_msg("%s: off by %g", x->name, (x->value - x->before) / should);
            told++;
        }
    assert_int_equal(told, 4);
    assert_true(fabs(r->joints[0].noise / SIGMA - 1) < 0.03);
    arne_identified_free(r);
}

static bool sticking(int k, sample *s, bool before)
{
    resting(k, s, before);
    if (before) return true;
    if (s->qd[1] != 0)
        s->tau[1] += 0.01 * normal(&noise_stream);
    else
        s->tau[1] += k / 200 % 2 ? 0.25 : -0.25;
    return true;
}

/* A joint that sticks where it rests shows any torque there: it counts as little as it tells. What is told of the viscous
 * friction is as certain as 0.01 of noise in 390 rows at about 1 rad/s make it, times at most the root of 1 + 2 * 16 for rows
 * that repeat one another; with the stiction as noise it would be twenty times as much. */
static void rest_counts_as_little_as_it_tells(void **state)
{
    (void)state;
    arne_identified *r;
    arne_error error;
    int told = 0;
    noise_stream = (random_stream){8};
    if (learn_table(table(), (arne_identify_options){.cutoff = INFINITY, .moving = 1e-9}, &RUN, 1000, sticking, &r, &error))
        fail_msg("%s", error.message);
    for (int p = 0; p < r->nparameter; p++) {
        const arne_identified_parameter *x = &r->parameters[p];
        if (strcmp(x->name, "FV2")) continue;
        told++;
        assert_true(x->deviation < 6 * 0.01 / sqrt(390) * 2 && fabs(x->value - 0.5) < 3 * x->deviation);
    }
    assert_int_equal(told, 1);
    arne_identified_free(r);
}

static bool quick(int k, sample *s, bool before)
{
    if (before) wave(0.009 * k, s);
    if (!before) s->tau[0] += SIGMA * normal(&noise_stream);
    return true;
}
/* positions of an encoder that trembles: what a high cut-off lets in */
static bool jittery(int k, sample *s, bool before)
{
    if (before) wave(0.009 * k, s);
    for (int i = 0; i < 2 && !before; i++) s->q[i] += 5e-4 * normal(&noise_stream);
    return true;
}
static bool lazy(int k, sample *s, bool before)
{
    if (before) wave(0.25 * k, s);
    return true;
}

/* Candidates are up to a fifth of the rate, 111 Hz; of 4 Hz there is none, and a tenth of the rate is taken. */
static void the_cutoff_is_one_of_the_candidates(void **state)
{
    (void)state;
    static const double candidates[] = {1, 1.5, 2, 3, 4.5, 6.5, 10, 14, 20};
    const arne_identify_log positions = {.size = sizeof positions, .name = "run", .has_qd = true};
    arne_identified *r;
    arne_error error;
    bool one = false;
    noise_stream = (random_stream){6};
    if (learn_table(table(), (arne_identify_options){0}, &positions, 1500, quick, &r, &error)) fail_msg("%s", error.message);
    assert_int_equal(r->ncutoff, 9);
    for (int k = 0; k < 9; k++) {
        assert_true(r->cutoffs[k].hz == candidates[k] && r->cutoffs[k].error > 0 && r->cutoffs[k].error < 1);
        one = one || r->cutoff == candidates[k];
    }
    assert_true(one && r->joints[0].error < 0.2);
    arne_identified_free(r);
    const arne_identify_log bare = {.size = sizeof bare, .name = "run"};
    if (learn_table(table(), (arne_identify_options){0}, &bare, 1500, jittery, &r, &error)) fail_msg("%s", error.message);
    /* the lowest that is hardly worse than the best */
    double best = INFINITY, lowest = INFINITY;
    for (int k = 0; k < r->ncutoff; k++) best = fmin(best, r->cutoffs[k].error);
    for (int k = 0; k < r->ncutoff; k++)
        if (log(r->cutoffs[k].error / best) < 0.05) lowest = fmin(lowest, r->cutoffs[k].hz);
    assert_true(r->cutoff == lowest && r->cutoff < 10 && r->cutoffs[8].error > 2 * best);
    arne_identified_free(r);
    if (learn_table(table(), (arne_identify_options){0}, &positions, 1500, lazy, &r, &error)) fail_msg("%s", error.message);
    assert_true(r->ncutoff == 0 && fabs(r->cutoff - 0.4) < 1e-12);
    arne_identified_free(r);
}

static double late_by, step_of;
static bool late_speeds(int k, sample *s, bool before)
{
    sample then;
    if (before) wave(step_of * k, s);
    wave(step_of * k - late_by, &then);
    if (!before) memcpy(s->qd, then.qd, sizeof s->qd);
    return true;
}

/* Speeds are late from two rows on, and from 5 ms on. */
static void a_little_late_is_not_late(void **state)
{
    (void)state;
    static const struct {
        double step, late;
        bool told;
    } all[] = {{0.01, 0.018, false}, {0.01, 0.022, true}, {0.002, 0.0047, false}, {0.002, 0.0053, true}};
    for (int k = 0; k < 4; k++) {
        arne_identified *r;
        arne_error error;
        step_of = all[k].step, late_by = all[k].late;
        if (learn_table(table(), (arne_identify_options){.cutoff = 5}, &RUN, (int)(6 / step_of), late_speeds, &r, &error))
            fail_msg("%s", error.message);
        if (r->nwarning != all[k].told) fail_msg("%g s: %d warnings", late_by, r->nwarning);
        if (all[k].told) assert_non_null(strstr(r->warnings[0], "behind its positions"));
        arne_identified_free(r);
    }
}

static bool parked(int k, sample *s, bool before)
{
    still(k, s, before);
    if (before) s->q[1] = 0.7;
    return true;
}

/* A joint that rests elsewhere than at zero is there. What is not told of it stays as it was. */
static void a_joint_may_rest_anywhere(void **state)
{
    (void)state;
    static const char *const words[] = {"joint turn never moves: its friction and rotor cannot be known from these logs",
                                        "4 of 10 parameters are not told by these logs" /* ZZ2, FV2, FS2, MX2 or MY2 */};
    arne_identified *r;
    arne_error error;
    if (learn_table(table(), (arne_identify_options){.cutoff = INFINITY}, &RUN, 800, parked, &r, &error))
        fail_msg("%s", error.message);
    expect_words("parked", r, 2, words);
    for (int j = 0; j < 2; j++) assert_true(r->joints[j].error_least_squares < 1e-9 && r->joints[j].error < 1e-6);
    assert_true(r->joints[1].least == 0.7 && r->joints[1].most == 0.7 && r->joints[1].moves == 0);
    assert_true(isnan(r->joints[1].error_moving) && r->joints[1].error_resting == r->joints[1].error);
    assert_true(fabs(r->joints[1].viscous - 0.5) < 1e-6 && fabs(r->joints[1].coulomb - 0.3) < 1e-6);
    assert_true(isinf(r->joints[1].deviation[0]) && isinf(r->joints[1].deviation[1]));
    for (int p = 0; p < r->nparameter; p++) {
        const arne_identified_parameter *x = &r->parameters[p];
        assert_true(x->seen ? !x->why : x->value == 0 && isinf(x->deviation));
        if (!x->seen)
            assert_string_equal(x->why, "the motion does not tell it apart from the others, or does not show it at all");
    }
    arne_identified_free(r);
}

/* Rows that move and rows that rest are told apart; pictures end after their first rows; K are parameters as they are set. */
static void results_are_counted(void **state)
{
    (void)state;
    arne_identified *r;
    arne_error error;
    if (learn_table(table(), (arne_identify_options){.cutoff = INFINITY, .moving = 1e-9}, &RUN, 800, resting, &r, &error))
        fail_msg("%s", error.message);
    assert_true(fabs(r->joints[1].moves - 0.39) < 1e-12 && r->joints[0].moves == 1);
    assert_true(isnan(r->joints[0].error_resting) && r->joints[0].error_moving == r->joints[0].error);
    assert_true(r->joints[1].error_resting < 1e-3 && r->joints[1].error_moving < 1e-3);
    arne_identified_free(r);
    if (learn_table(table(), (arne_identify_options){.cutoff = INFINITY}, &RUN, ARNE_IDENTIFY_ROWS + 100, NULL, &r, &error))
        fail_msg("%s", error.message);
    assert_true(r->series.count == ARNE_IDENTIFY_ROWS && r->rows == ARNE_IDENTIFY_ROWS + 100);
    const int last = ARNE_IDENTIFY_ROWS - 1;
    assert_true(fabs(r->series.t[last] - 0.01 * last) < 1e-9);
    for (int j = 0; j < 2; j++) assert_true(fabs(r->series.measured[2 * last + j] - r->series.before[2 * last + j]) < 1e-9);
    subject s = subject_of(table());
    for (int k = 0; k < 5; k++) {
        sample x;
        double tau[2];
        wave(1.3 * k, &x);
        arne_id(s.data, x.q, x.qd, x.qdd, x.tau);
        double was[22];
        arne_parameters(s.settings, was);
        arne_set_parameters(s.settings, r->K);
        arne_id(s.data, x.q, x.qd, x.qdd, tau);
        arne_set_parameters(s.settings, was);
        for (int j = 0; j < 2; j++) assert_true(fabs(tau[j] - x.tau[j]) < 1e-4);
    }
    subject_close(&s);
    arne_identified_free(r);
}

static bool by_currents(int k, sample *s, bool before)
{
    (void)k;
    if (!before) s->tau[0] = s->tau[0] / 5 + 0.01 * normal(&noise_stream), s->tau[1] += 0.01 * normal(&noise_stream);
    return true;
}

/* 5 kg at the axis of the arm: the slide feels them, the arm does not. */
static void a_load_tells_the_gain_of_who_feels_it(void **state)
{
    (void)state;
    subject s = subject_of(table());
    const arne_known_load load = {.link = arne_joint_link(s.m, 1), .body = {5, {0, 0, 0}, {0}}},
                          none = {.link = load.link, .body = {1e-6, {0, 0, 0}, {0}}};
    for (int heavy = 0; heavy < 2; heavy++) {
        arne_identify_log loaded = RUN;
        const arne_identify_options o = {.size = sizeof o, .cutoff = 8};
        arne_identifier *i;
        arne_identified *r;
        arne_error error;
        loaded.load = heavy ? &load : &none;
        noise_stream = (random_stream){7};
        assert_int_equal(arne_identifier_new(s.m, &o, &i, &error), ARNE_OK);
        record_table(&s, i, &RUN, 1500, by_currents);
        if (heavy) arne_set_payload(s.settings, load.link, &load.body);
        record_table(&s, i, &loaded, 1500, by_currents);
        const arne_status status = arne_identify(i, &r, &error);
        if (heavy) {
            static const char *const words[] = {"the known load does not tell the gain of joint turn: its torque is not used"};
            if (status) fail_msg("%s", error.message);
            expect_words("load", r, 1, words);
            assert_true(r->njoint == 1 && fabs(r->joints[0].gain - 5) < 0.02 && r->rows == 3000);
            assert_string_equal(r->joints[0].name, "x");
            for (int p = 0; p < r->nparameter; p++)
                if (!strcmp(r->parameters[p].name, "M1")) assert_true(fabs(r->parameters[p].value - 13) < 0.1);
            arne_identified_free(r);
        } else {
            assert_int_equal(status, ARNE_BAD_VALUE);
            assert_string_equal(error.message,
                                "the known load tells the gain of no joint: take a heavier one, and move it against gravity");
        }
        arne_identifier_free(i);
    }
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_that_differs_by_direction),
        cmocka_unit_test(deviations_are_those_of_least_squares),
        cmocka_unit_test(the_cutoff_is_one_of_the_candidates),
        cmocka_unit_test(a_little_late_is_not_late),
        cmocka_unit_test(a_joint_may_rest_anywhere),
        cmocka_unit_test(results_are_counted),
        cmocka_unit_test(a_load_tells_the_gain_of_who_feels_it),
        cmocka_unit_test(rest_counts_as_little_as_it_tells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
