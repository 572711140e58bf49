/* SPDX-License-Identifier: MIT
 *
 * told_test.c - what is told of a small robot whose numbers are known by hand, of doubtful logs and of those that tell nothing.
 */
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

static void a_log_tells_all_of_a_small_robot(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double value; /* NAN: depends on the axes of a link's frame */
        bool grouped;
    } should[] = {{"M1", 10 + 1 + 0.5 * 4, true},
                  {"ZZ2", 0.02 + 0.0125 + 0.1, true},
                  {"MX2", (double)NAN, false},
                  {"MY2", (double)NAN, false},
                  {"FV1", 3, false},
                  {"FS1", 2, false},
                  {"FO1", 0.4, false},
                  {"FV2", 0.5, false},
                  {"FS2", 0.3, false},
                  {"FO2", -0.1, false}};
    arne_identified *r;
    arne_error error;
    if (learn_table(table(), (arne_identify_options){.cutoff = INFINITY}, &RUN, 800, NULL, &r, &error))
        fail_msg("%s", error.message);
    expect_words("all", r, 0, NULL);
    int seen = 0;
    double lever = 0;
    for (int p = 0; p < r->nparameter; p++) {
        const arne_identified_parameter *x = &r->parameters[p];
        for (size_t k = 0; k < sizeof should / sizeof *should; k++) {
            if (strcmp(x->name, should[k].name)) continue;
            seen++;
            assert_true(x->seen && !x->why && x->deviation < 1e-3 && x->grouped == should[k].grouped);
            if (isnan(should[k].value)) {
                lever += x->value * x->value;
                continue;
            }
            const double values[3] = {x->value, x->consistent, x->before};
            for (int v = 0; v < 3; v++)
                if (!(fabs(values[v] - should[k].value) < (v == 1 ? 1e-4 : 1e-9) * 13))
                    fail_msg("%s: %g is not %g (%d)", x->name, values[v], should[k].value, v);
        }
    }
    assert_true(seen == 10 && r->nparameter == 10 && fabs(lever - 0.0125) < 1e-9);
    assert_true(r->rows == 800 && r->gaps == 0 && !r->validated && r->consistent && isinf(r->cutoff) && r->ncutoff == 0);
    assert_true(fabs(r->rate - 100) < 1e-9 && fabs(r->duration - 8) < 1e-9 && fabs(r->series.period - 0.01) < 1e-12);
    assert_true(r->njoint == 2 && r->nbody == 2 && !r->payload_link && r->series.count == 800);
    assert_string_equal(r->bodies[0].link, "car");
    assert_string_equal(r->bodies[1].link, "arm");
    double low[2] = {9, 9}, high[2] = {-9, -9};
    for (int k = 0; k < 800; k++) {
        sample x;
        wave(0.01 * k, &x);
        for (int i = 0; i < 2; i++) low[i] = fmin(low[i], x.q[i]), high[i] = fmax(high[i], x.q[i]);
        assert_true(r->series.t[k] == x.t);
    }
    for (int i = 0; i < 2; i++) {
        const arne_identified_joint *j = &r->joints[i];
        assert_string_equal(j->name, i ? "turn" : "x");
        assert_true(j->velocity == i && j->least == low[i] && j->most == high[i] && j->gain == 1 && j->delay == 0);
        assert_true(fabs(j->viscous - (i ? 0.5 : 3)) < 1e-3 && fabs(j->coulomb - (i ? 0.3 : 2)) < 1e-3 &&
                    fabs(j->offset - (i ? -0.1 : 0.4)) < 1e-3);
        assert_true(j->coulomb_negative == 0 && j->static_ == 0 && j->stribeck_velocity == 0 && j->motor_viscous == 0);
        assert_true(j->deviation[0] < 1e-3 && j->deviation[1] < 1e-3 && j->deviation[2] < 1e-3 && isinf(j->deviation[3]));
        assert_true(j->moves > 0.95 && j->moves < 1 && j->noise < 1e-3 && j->error_before < 1e-12);
    }
    arne_identified_free(r);
}

/* ---- what may be wrong with a log ---- */

static bool one_gap(int k, sample *s, bool before) { return s->t += before && k >= 300, true; }
static bool two_gaps(int k, sample *s, bool before) { return s->t += before ? (k >= 300) + (k >= 600) : 0, true; }
static bool short_pause(int k, sample *s, bool before) /* 7.9 steps */
{
    if (before && k >= 300) wave(s->t + 0.069, s);
    return true;
}
static bool long_pause(int k, sample *s, bool before) /* 8.1 */
{
    if (before && k >= 300) wave(s->t + 0.071, s);
    return true;
}
static bool repeating(int k, sample *s, bool before) { return s->t -= before && k > 100 && k < 104 ? 0.01 * (k - 100) : 0, true; }
static bool no_torque(int k, sample *s, bool before) { return s->tau[1] *= before && k, true; }
static bool turned(int k, sample *s, bool before)
{
    (void)k;
    if (!before) s->tau[0] *= -1;
    return true;
}
/* the inertia only; what rubs is right */
static bool half_turned(int k, sample *s, bool before)
{
    (void)k;
    if (!before) s->tau[0] = -s->tau[0] + 2 * (3 * s->qd[0] + 2 * ((s->qd[0] > 0) - (s->qd[0] < 0)) + 0.4);
    return true;
}
static bool trembling(int k, sample *s, bool before)
{
    if (before && k % 2) wave(s->t + 0.003, s);
    return true;
}
/* its stamps tremble, its rows do not */
static bool badly_stamped(int k, sample *s, bool before) { return s->t += before && k % 10 == 5 ? 0.003 : 0, true; }
/* moves 40 of 100 rows, of them all but the first */
static bool none_wrong(int k, sample *s, bool before) { return (void)k, (void)s, (void)before, true; }

static void doubts_about_logs_are_told_in_sentences(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "run: 4.9 s are too short to tell a robot; record 20 s or more of a motion that excites it (arne excite)",
        "run: rows are missing at 1 place; the log is cut there",
        "run: rows are missing at 2 places; the log is cut there",
        "run: 3 rows repeat the time of the row before and are left out",
        "run: the stamps tremble by up to 0.3 of a step; rows are interpolated at 100 Hz",
        "run: the speeds agree with even rows, not with the stamps: rows are taken as even, every 0.01 s",
        "joint turn never moves: its friction and rotor cannot be known from these logs",
        "joint turn rests 61 % of the log: there stiction is not in the model",
        "the torque of joint turn is always zero: leave it out by --joints",
        "4 of 10 parameters are not told by these logs", /* ZZ2, FV2, FS2, FO2 */
        "the torque of joint x seems to have the wrong sign (its friction would drive it): turn it and try again",
        ("the torque of joint x seems to have the wrong sign (the model one began with says the opposite): turn it and try "
         "again")};
    const struct {
        const char *name;
        trouble *wrong;
        int rows, gaps, first, count;
        bool filtered;
    } all[] = {{"just long enough", none_wrong, 501, 0, 0, 0, true},
               {"short", none_wrong, 490, 0, 0, 1, true},
               {"a gap", one_gap, 800, 1, 1, 1, true},
               {"two gaps", two_gaps, 800, 2, 2, 1, true},
               {"no gap", short_pause, 800, 0, 0, 0, false},
               {"just a gap", long_pause, 800, 1, 1, 1, false},
               {"repeats", repeating, 800, 0, 3, 1, false},
               {"trembles", trembling, 801, 0, 4, 1, true},
               {"stamps", badly_stamped, 801, 0, 5, 1, true},
               {"still", still, 800, 0, 6, 1, false},
               {"rests", resting, 800, 0, 7, 1, false},
               {"no torque", no_torque, 800, 0, 8, 2, false},
               {"turned", turned, 800, 0, 10, 1, false},
               {"half turned", half_turned, 800, 0, 11, 1, false}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        arne_identified *r;
        arne_error error;
        const arne_identify_options o = {.cutoff = all[k].filtered ? 5 : INFINITY, .moving = 1e-9};
        if (learn_table(table(), o, &RUN, all[k].rows, all[k].wrong, &r, &error)) fail_msg("%s: %s", all[k].name, error.message);
        expect_words(all[k].name, r, all[k].count, wrong + all[k].first);
        assert_int_equal(r->gaps, all[k].gaps);
        assert_int_equal(r->rows, all[k].rows - (all[k].first == 3 ? 3 : 0));
        arne_identified_free(r);
    }
}

/* speeds that went through a filter: those of 0.04 s before */
static bool filtered_speeds(int k, sample *s, bool before)
{
    sample then;
    (void)k;
    if (before) return true;
    wave(s->t - 0.04, &then);
    memcpy(s->qd, then.qd, sizeof s->qd);
    return true;
}
static bool in_degrees(int k, sample *s, bool before)
{
    (void)k;
    if (!before) s->q[1] *= 57.3, s->qd[1] *= 57.3, s->qdd[1] *= 57.3;
    return true;
}

/* Sentences with numbers of the log: how late speeds are, how far and how fast a joint would turn. */
static void doubts_have_numbers(void **state)
{
    (void)state;
    arne_identified *r;
    arne_error error;
    double late;
    int all = 0;
    if (learn_table(table(), (arne_identify_options){.cutoff = 5}, &RUN, 800, filtered_speeds, &r, &error))
        fail_msg("%s", error.message);
    assert_int_equal(r->nwarning, 1);
    sscanf(r->warnings[0],
           "run: its speeds are %lf s behind its positions (a filter?): they are not used, positions are differentiated%n", &late,
           &all);
    assert_true(all == (int)strlen(r->warnings[0]) && fabs(late - 0.04) < 0.001);
    arne_identified_free(r);
    double low = 9, high = -9, fast = 0, last = 0;
    char words[200];
    for (int k = 0; k < 800; k++) {
        sample x;
        wave(0.01 * k, &x);
        low = fmin(low, 57.3 * x.q[1]), high = fmax(high, 57.3 * x.q[1]);
        if (k) fast = fmax(fast, fabs(57.3 * x.q[1] - last) / 0.01);
        last = 57.3 * x.q[1];
    }
    snprintf(words, sizeof words, "joint turn goes over %.3g rad at up to %.3g rad/s: are these degrees? (--degrees)", high - low,
             fast);
    if (learn_table(table(), (arne_identify_options){.cutoff = INFINITY}, &RUN, 800, in_degrees, &r, &error))
        fail_msg("%s", error.message);
    int told = 0;
    for (int k = 0; k < r->nwarning; k++) told += !strcmp(r->warnings[k], words);
    assert_int_equal(told, 1);
    arne_identified_free(r);
}

/* Bodies that cannot exist are completed: to 2 kg (a fifth of the mean of the others) of radius 0.1 m, or to a radius of 0.03 m,
 * of 0.2 of the lever if that is more. A ball of mass m and radius r of gyration has the moment 2 m r^2. */
static void bodies_that_cannot_exist_are_completed(void **state)
{
    (void)state;
    static const struct {
        arne_body arm;
        bool no_prior;
        double mass[2], moment[2]; /* of both bodies: prior */
        int count;
        const char *words[2];
    } all[] = {{{0},
                false,
                {10, 2},
                {1, 0.04},
                1,
                {"link arm has no mass or an inertia that cannot exist in the prior: completed to 2 kg"}},
               {{1, {0.3, 0.4, 0}, {0}},
                false,
                {10, 1},
                {1, 0.02},
                1,
                {"link arm has no mass or an inertia that cannot exist in the prior: completed to 1 kg"}},
               {{3, {0.05, 0, 0}, {0}},
                false,
                {10, 3},
                {1, 0.0054},
                1,
                {"link arm has no mass or an inertia that cannot exist in the prior: completed to 3 kg"}},
               {{1, {0.1, 0, 0}, {0.02, 0, 0, 0.02, 0, 0.02}}, false, {10, 1}, {1, 0.02}, 0, {NULL}},
               {{1, {0.1, 0, 0}, {0.02, 0, 0, 0.02, 0, 0.02}},
                true,
                {2, 2},
                {0.04, 0.04},
                2,
                {"link car has no mass or an inertia that cannot exist in the prior: completed to 2 kg",
                 "link arm has no mass or an inertia that cannot exist in the prior: completed to 2 kg"}}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        arne_identified *r;
        arne_error error;
        arne_description *d = table(), *other = table();
        arne_model *prior;
        other->links[2].body = all[k].arm;
        assert_int_equal(arne_model_build(other, NULL, &prior, &error), ARNE_OK);
        const arne_identify_options o = {.cutoff = INFINITY, .prior = prior, .no_prior = all[k].no_prior};
        if (learn_table(d, o, &RUN, 600, NULL, &r, &error)) fail_msg("%s", error.message);
        expect_words("mended", r, all[k].count, all[k].words);
        for (int b = 0; b < 2; b++) {
            const arne_identified_body *o2 = &r->bodies[b];
            assert_true(o2->felt && o2->mended == (all[k].no_prior || (b && all[k].count)));
            assert_true(fabs(o2->prior.mass - all[k].mass[b]) < 1e-12);
            for (int e = 0; e < 6; e++)
                if (!(fabs(o2->prior.inertia[e] - (e == 0 || e == 3 || e == 5 ? all[k].moment[b] : 0)) < 1e-12))
                    fail_msg("body %d of %zu: %g", b, k, o2->prior.inertia[e]);
            for (int c = 0; c < 3 && b && all[k].arm.mass > 0 && !all[k].no_prior; c++)
                assert_true(fabs(o2->prior.com[c] - all[k].arm.com[c]) < 1e-12);
            assert_true(o2->data >= 0 && o2->data <= 1);
        }
        arne_identified_free(r);
        arne_model_free(prior);
        arne_description_free(other);
    }
}

/* ---- motors, delays, logs to be judged by ---- */

static bool at_motors(int k, sample *s, bool before)
{
    (void)k;
    if (!before) s->tau[0] /= 2, s->tau[1] /= -10;
    return true;
}

/* torques of 0.025 s before */
static bool delayed(int k, sample *s, bool before)
{
    const double t = 0.01 * k;
    const sample then = *s;
    wave(before ? t - 0.025 : t, s);
    s->t = t;
    if (!before) memcpy(s->tau, then.tau, sizeof s->tau);
    return true;
}

static void torques_may_be_those_of_motors_or_late(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        arne_identified *r;
        arne_error error;
        const arne_identify_options o = {.cutoff = late ? 8 : INFINITY, .motor_torques = !late, .delay = late ? 0.025 : 0};
        if (learn_table(table(), o, &RUN, 1000, late ? delayed : at_motors, &r, &error)) fail_msg("%s", error.message);
        for (int p = 0; p < r->nparameter; p++)
            if (!(fabs(r->parameters[p].value - r->parameters[p].before) <
                  (late ? 0.02 : 1e-9) * (0.5 + fabs(r->parameters[p].before))))
                fail_msg("%s: %g, should be %g", r->parameters[p].name, r->parameters[p].value, r->parameters[p].before);
        for (int j = 0; j < 2; j++) {
            assert_true(r->joints[j].delay == o.delay);
            assert_true(r->joints[j].error < (late ? 0.01 : 1e-9) && r->joints[j].error_before < (late ? 0.01 : 1e-9));
        }
        arne_identified_free(r);
    }
}

static void other_logs_judge(void **state)
{
    (void)state;
    subject s = subject_of(table());
    const arne_identify_log other = {
        .size = sizeof other, .name = "other", .role = ARNE_LOG_VALIDATE, .has_qd = true, .has_qdd = true};
    const arne_identify_options o = {.size = sizeof o, .cutoff = INFINITY};
    arne_identifier *i;
    arne_identified *r;
    arne_error error;
    assert_int_equal(arne_identifier_new(s.m, &o, &i, &error), ARNE_OK);
    record_table(&s, i, &RUN, 800, NULL);
    record_table(&s, i, &other, 300, turned);
    if (arne_identify(i, &r, &error)) fail_msg("%s", error.message);
    assert_true(r->validated && r->rows == 800 && fabs(r->duration - 8) < 1e-9 && r->series.count == 300);
    /* with the opposite sign all of it is wrong, twice; that of the other joint is right */
    assert_true(fabs(r->joints[0].error - 2) < 1e-3 && r->joints[1].error < 1e-3 &&
                fabs(r->joints[0].error_least_squares - 2) < 1e-9);
    for (int k = 0; k < 300; k++) {
        assert_true(fabs(r->series.measured[2 * k] + r->series.least_squares[2 * k]) < 1e-8);
        assert_true(fabs(r->series.measured[2 * k + 1] - r->series.before[2 * k + 1]) < 1e-8);
        assert_true(fabs(r->series.t[k] - 0.01 * k) < 1e-12);
    }
    expect_words("other", r, 1,
                 (const char *const[]){"the torque of joint x seems to have the wrong sign (the model one began with says the "
                                       "opposite): turn it and try again"});
    arne_identified_free(r);
    arne_identifier_free(i);
    subject_close(&s);
}

/* ---- refusals ---- */

static bool far_turned(int k, sample *s, bool before)
{
    if (before) s->q[1] = k % 2 ? -7.2 : 7.4; /* limits of 1 and a turn beside them are 7.28 */
    return true;
}
static bool slow(int k, sample *s, bool before)
{
    (void)k;
    if (before)
        for (int i = 0; i < 2; i++) s->q[i] *= 0.001, s->qd[i] *= 0.001, s->qdd[i] *= 0.001;
    return true;
}

static void refused(arne_identify_options o, const arne_identify_log *log, int rows, trouble *wrong, const char *words)
{
    arne_identified *r = (arne_identified *)(void *)&o;
    arne_error error = {0};
    arne_description *d = table();
    d->joints[1].limits.lower = -1, d->joints[1].limits.upper = 1;
    assert_int_equal(learn_table(d, o, log, rows, wrong, &r, &error), ARNE_BAD_VALUE);
    assert_null(r);
    if (strcmp(error.message, words)) fail_msg("\"%s\"\nis not \"%s\"", error.message, words);
}

static void logs_that_tell_nothing_are_refused(void **state)
{
    (void)state;
    const bool first[2] = {true, false}, none[2] = {false, false}, second[2] = {false, true};
    const arne_identify_log validate = {.size = sizeof validate, .name = "run", .role = ARNE_LOG_VALIDATE},
                            empty = {.size = sizeof empty, .name = "run", .role = ARNE_LOG_EMPTY},
                            one = {.size = sizeof one, .name = "run", .has_qd = true, .has_qdd = true, .torques = first},
                            no_torques = {.size = sizeof one, .name = "run", .torques = none};
    const arne_identify_options exact = {.cutoff = INFINITY}, fast = {.cutoff = 50},
                                turn = {.cutoff = INFINITY, .joints = second};
    refused(exact, &RUN, 2, NULL, "the log has 2 rows: too few to learn from");
    refused(exact, &RUN, 9, NULL, "too few rows: 18 behind the low pass for 10 unknowns; record a longer motion");
    refused(fast, &RUN, 200, NULL, "its rows come at 100 Hz: a cut-off of 50 Hz is too high for them, give less than 45");
    refused((arne_identify_options){.cutoff = 3}, &RUN, 20, NULL,
            "too few rows: 4 behind the low pass for 10 unknowns; record a longer motion, or raise the cut-off");
    refused(exact, &validate, 200, NULL, "there is no log to learn from");
    refused(exact, &empty, 200, NULL, "run: a log without the payload needs the link that carries it (--payload LINK)");
    refused(exact, &no_torques, 200, NULL, "no log has torques: columns tau1 ... (or tau.x) are missing");
    refused(turn, &one, 200, NULL, "no log has torques of joint turn: column tau2 (or tau.turn) is missing");
    refused((arne_identify_options){.cutoff = INFINITY, .joints = second, .payload = 1}, &RUN, 200, NULL,
            "no torque of the logs depends on what link car carries");
    refused(exact, &RUN, 200, slow,
            "run: no joint moves faster than 0.02 rad/s: a robot at rest tells little; record a motion (arne excite makes one)");
    refused(exact, &RUN, 200, far_turned,
            "joint turn goes from -7.2 to 7.4, its limits are -1 and 1: are these degrees? (--degrees)");
    arne_identified *r; /* ten rows of two joints are enough */
    arne_error error;
    if (learn_table(table(), exact, &RUN, 10, NULL, &r, &error)) fail_msg("%s", error.message);
    arne_identified_free(r);
}

static void begins_not(const arne_model *m, arne_identify_options o, arne_status should, const char *words)
{
    arne_identifier *i = (arne_identifier *)(void *)&o;
    arne_error error = {0};
    o.size = sizeof o;
    assert_int_equal(arne_identifier_new(m, &o, &i, &error), should);
    assert_null(i);
    if (strcmp(error.message, words)) fail_msg("\"%s\"\nis not \"%s\"", error.message, words);
}

static void options_and_rows_are_refused_with_a_sentence(void **state)
{
    (void)state;
    subject s = subject_of(table());
    arne_model *ur5e, *satellite;
    assert_int_equal(arne_load(ARNE_ROBOTS "/ur5e.yaml", &ur5e, NULL), ARNE_OK);
    assert_int_equal(arne_load(ARNE_ROBOTS "/satellite.yaml", &satellite, NULL), ARNE_OK);
    begins_not(s.m, (arne_identify_options){.cutoff = -1}, ARNE_BAD_VALUE, "the cut-off is -1 Hz; it must be above 0");
    begins_not(s.m, (arne_identify_options){.moving = -0.5}, ARNE_BAD_VALUE, "the speed of rest is -0.5; it must be above 0");
    begins_not(s.m, (arne_identify_options){.delay = -1}, ARNE_BAD_VALUE, "the delay is -1 s; it must be below 1");
    begins_not(s.m, (arne_identify_options){.payload = arne_model_links(s.m)}, ARNE_BAD_ARGUMENT, "there is no such link");
    begins_not(s.m, (arne_identify_options){.payload = -1}, ARNE_BAD_ARGUMENT, "there is no such link");
    begins_not(s.m, (arne_identify_options){.prior = ur5e}, ARNE_BAD_VALUE,
               "the prior has 6 bodies that move, the robot 2: it must be the same robot with other numbers");
    arne_error error = {0};
    arne_identifier *i;
    assert_int_equal(arne_identifier_new(satellite, NULL, &i, &error), ARNE_UNSUPPORTED);
    assert_non_null(
        strstr(error.message,
               "has several freedoms: identification is for joints of one freedom each; --base fixed holds a free base still"));
    const double x[2] = {0, 1}, hole[2] = {0, INFINITY};
    assert_int_equal(arne_identifier_new(s.m, NULL, &i, &error), ARNE_OK);
    assert_int_equal(arne_identifier_log(i, &RUN, &error), ARNE_OK);
    assert_int_equal(arne_identifier_row(i, 1, x, x, x, x, &error), ARNE_OK);
    assert_int_equal(arne_identifier_row(i, 2, x, x, hole, x, &error), ARNE_BAD_VALUE);
    assert_string_equal(error.message, "row 2: a number is not finite");
    assert_int_equal(arne_identifier_row(i, 0.5, x, x, x, x, &error), ARNE_BAD_VALUE);
    assert_string_equal(error.message,
                        "row 2: time runs backwards, t = 0.5 comes after t = 1; sort the rows or split the log there");
    arne_identifier_free(i);
    arne_model_free(ur5e);
    arne_model_free(satellite);
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_log_tells_all_of_a_small_robot),
        cmocka_unit_test(doubts_about_logs_are_told_in_sentences),
        cmocka_unit_test(doubts_have_numbers),
        cmocka_unit_test(bodies_that_cannot_exist_are_completed),
        cmocka_unit_test(torques_may_be_those_of_motors_or_late),
        cmocka_unit_test(other_logs_judge),
        cmocka_unit_test(logs_that_tell_nothing_are_refused),
        cmocka_unit_test(options_and_rows_are_refused_with_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
