/* SPDX-License-Identifier: MIT
 *
 * detector_test.c - contacts from residuals: when, which link, what wrench; thresholds learned from noise. */
#include <stdio.h>

#include "observe/plant.h"
#include "support/random_robot.h"

/* the part that the wrench cannot explain */
static double wrench_of(arne_data *d, const double *q, int link, const double *residual, double wrench[6])
{
    arne_wrench_estimate w;
    assert_int_equal(arne_residual_wrench(d, q, &(arne_touch){.link = link}, residual, &w), ARNE_OK);
    memcpy(wrench, w.wrench, sizeof w.wrench);
    return w.unexplained;
}

static arne_detector *detector(const arne_model *m, const double *threshold)
{
    arne_detector *x;
    arne_error e = {0};
    if (arne_detector_new(m, threshold, &x, &e)) fail_msg("%s", e.message);
    return x;
}

static void a_contact_begins_and_ends_once(void **state)
{
    (void)state;
    plant p = plant_open("planar2r", 0.001);
    const double threshold[] = {2, 1};
    arne_detector *x = detector(p.m, threshold);
    arne_detector_debounce(x, 3, 5);
    int began = 0, ended = 0, at = -1;
    arne_detection d;
    for (int k = 0; k < 200; k++) {
        /* a spike of two ticks, then a push on joint 1 that trembles about its threshold, then silence */
        const double r[] = {k == 20 || k == 21   ? 9
                            : k >= 50 && k < 100 ? 2 + 0.5 * (k % 2 ? 1 : -0.2) + (k < 60 ? 1 : 0)
                                                 : 0,
                            0.1};
        arne_detector_tick(x, r, &d);
        if (d.began) began++, at = k;
        ended += d.ended;
        assert_int_equal(d.contact, began > ended);
        if (d.contact) assert_int_equal(d.link_joint, 0);
        if (d.contact && k < 100) assert_int_equal(d.joint, 0);
        if (!d.contact && !d.ended) assert_int_equal(d.link_joint, -1);
    }
    assert_int_equal(began, 1);
    assert_int_equal(ended, 1);
    assert_int_equal(at, 52);
    arne_detector_free(x);
    plant_close(&p);
}

/* As it is told: one tick over a threshold begins a contact, ten in a row in which all are below 0.7 of theirs end it. Joints
 * that spoke at any time of the contact count, those of an earlier one do not. */
static void a_contact_ends_when_all_are_well_below(void **state)
{
    (void)state;
    plant p = plant_open("planar2r", 0.001);
    const double threshold[] = {2, 4};
    arne_detector *x = detector(p.m, threshold);
    /* ticks of a residual, and what is said at each: contact, joint, link_joint; B, E: it begins at the first, ends at the last
     */
    static const struct {
        int ticks;
        double r[2];
        bool contact;
        int joint, link_joint;
        bool begins, ends;
    } story[] = {{20, {1.9, -3.9}, false, -1, -1, false, false}, {1, {0, -4.2}, true, 1, 1, true, false},
                 {20, {1.5, 2.7}, true, 0, 1, false, false},     {20, {-1.3, 2.9}, true, 1, 1, false, false},
                 {9, {1.38, -2.77}, true, 1, 1, false, false}, /* 0.69, 0.6925 */
                 {1, {1.42, 0}, true, 0, 1, false, false},       {9, {-1.38, 2.7}, true, 0, 1, false, false},
                 {1, {-1.3, 2.72}, false, 1, 1, false, true},    {20, {1.9, 3.9}, false, -1, -1, false, false},
                 {5, {-2.1, 0}, true, 0, 0, true, false}};
    for (size_t k = 0; k < sizeof story / sizeof *story; k++)
        for (int tick = 0; tick < story[k].ticks; tick++) {
            arne_detection d;
            assert_int_equal(arne_detector_tick(x, story[k].r, &d), ARNE_OK);
            if (d.contact != story[k].contact || d.joint != story[k].joint || d.link_joint != story[k].link_joint ||
                d.began != (story[k].begins && tick == 0) || d.ended != (story[k].ends && tick == story[k].ticks - 1))
                fail_msg("part %zu, tick %d: contact %d, joint %d, link of %d, began %d, ended %d", k, tick, d.contact, d.joint,
                         d.link_joint, d.began, d.ended);
        }
    arne_detector_free(x);

    /* three ticks begin it, five end it: a spike is forgotten, what is heard in the first of the three belongs to the contact */
    for (int early = 0; early < 2; early++) {
        x = detector(p.m, threshold);
        assert_int_equal(arne_detector_debounce(x, 3, 5), ARNE_OK);
        for (int k = 0; k < 20; k++) {
            const double spike[] = {0, 9}, push[] = {3, 0}, none[] = {0, 0};
            arne_detection d;
            arne_detector_tick(x, k < 2 || (early && k == 5) ? spike : k >= 5 && k < 10 ? push : none, &d);
            assert_int_equal(d.contact, k >= 7 && k < 14);
            assert_int_equal(d.began, k == 7);
            assert_int_equal(d.ended, k == 14);
            assert_int_equal(d.link_joint, k < 7 || k > 14 ? -1 : early);
        }
        arne_detector_free(x);
    }
    plant_close(&p);
}

static void bad_thresholds_are_refused(void **state)
{
    (void)state;
    plant p = plant_open("planar2r", 0.001);
    arne_detector *x;
    arne_error e;
    const double bad[][2] = {{1, 0}, {1, -1}, {1, NAN}, {1, INFINITY}};
    for (int k = 0; k < 4; k++) {
        assert_int_equal(arne_detector_new(p.m, bad[k], &x, &e), ARNE_BAD_VALUE);
        char sentence[100];
        snprintf(sentence, sizeof sentence, "the threshold of joint j2 is %g; it must be above 0", bad[k][1]);
        assert_string_equal(e.message, sentence);
    }
    plant_close(&p);
}

/* ---- which link ---- */

/* Pushes a link at a point off its axis, in motion, exact model: the joints up to it speak and the last of them carries it. */
static void push_link(const char *robot, int joint)
{
    plant p = plant_open(robot, 0.001);
    arne_set_friction(arne_data_settings(p.d), false);
    arne_set_friction(arne_data_settings(p.view), false);
    arne_observer *o = plant_observer(&p, NULL, false);
    double threshold[PLANT_DOF];
    for (int i = 0; i < p.n; i++) threshold[i] = 0.01;
    arne_detector *x = detector(p.m, threshold);
    const arne_wrench w = {.link = arne_joint_link(p.m, joint),
                           .frame = ARNE_LOCAL,
                           .force = {14, -9, 11},
                           .moment = {0.3, 0.5, -0.4},
                           .point = {0.05, 0.07, 0.06}};
    plant_start(&p);
    arne_detection d = {0};
    int seen = -1, began = -1;
    for (int k = 0; k < 150; k++) {
        arne_observer_tick(o, p.x, p.x + p.n, p.tau);
        arne_detector_tick(x, arne_observer_residual(o), &d);
        if (d.began) began = k;
        if (d.contact) seen = d.link_joint;
        plant_shake(&p);
        arne_set_wrenches(arne_data_settings(p.d), &w, k >= 50 && k < 100);
        plant_tick(&p);
        arne_set_wrenches(arne_data_settings(p.d), NULL, 0);
    }
    if (seen != joint || began < 51 || began > 56)
        fail_msg("%s: a push on the link of joint %s is taken for one on %s, found at tick %d", robot,
                 arne_joint_name(p.m, joint), seen < 0 ? "none" : arne_joint_name(p.m, seen), began);
    arne_detector_free(x);
    arne_observer_free(o);
    plant_close(&p);
}

static void the_link_that_was_hit_is_found(void **state)
{
    (void)state;
    for (int joint = 0; joint < 7; joint++) push_link("kuka-lwr", joint);
    for (int joint = 0; joint < 16; joint++) push_link("torso2", joint);
}

/* Any joints of two arms and a neck may speak: of those that have no joint farther out which spoke, the one farthest over its
 * threshold. */
static void of_several_branches_the_loudest_is_named(void **state)
{
    (void)state;
    plant p = plant_open("torso2", 0.001);
    double threshold[PLANT_DOF];
    random_stream dice = {3};
    for (int i = 0; i < p.n; i++) threshold[i] = 0.5 + 0.1 * i;
    for (int round = 0; round < 300; round++) {
        arne_detector *x = detector(p.m, threshold);
        arne_detection d;
        double r[PLANT_DOF];
        int want = -1;
        for (int i = 0; i < p.n; i++) r[i] = threshold[i] * random_between(&dice, -1.15, 1.15);
        for (int i = 0; i < p.n; i++) {
            bool last = fabs(r[i]) > threshold[i];
            for (int k = 0; k < p.n; k++)
                for (int up = arne_joint_parent(p.m, k); up >= 0; up = arne_joint_parent(p.m, up))
                    last &= !(up == i && fabs(r[k]) > threshold[k]);
            if (last && (want < 0 || fabs(r[i]) / threshold[i] > fabs(r[want]) / threshold[want])) want = i;
        }
        assert_int_equal(arne_detector_tick(x, r, &d), ARNE_OK);
        assert_int_equal(d.contact, want >= 0);
        assert_int_equal(d.link_joint, want);
        arne_detector_free(x);
    }
    plant_close(&p);
}

/* ---- wrench ---- */

static void the_wrench_comes_back(void **state)
{
    (void)state;
    plant p = plant_open("kuka-lwr", 0.001);
    const int hand = arne_joint_link(p.m, p.n - 1);
    const double q[] = {0.3, 0.8, -0.5, 1.1, 0.4, -0.9, 0.2}, w[6] = {20, -13, 7, 0.5, -1.5, 2};
    double J[6 * PLANT_DOF], r[PLANT_DOF] = {0}, got[6];
    arne_link_jacobian(p.d, q, hand, ARNE_ALIGNED, J);
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < p.n; i++) r[i] += J[k * p.n + i] * w[k];
    assert_true(wrench_of(p.d, q, hand, r, got) < 1e-12);
    for (int k = 0; k < 6; k++) assert_true(fabs(got[k] - w[k]) < 1e-9);
    /* a torque in the null space of the arm is no wrench on its hand */
    double unit[PLANT_DOF] = {0, 0, 1}, null[6];
    const double left = wrench_of(p.d, q, hand, unit, null);
    assert_true(left > 0.01 && left < 1);
    /* and what is left over is normal to what any wrench can do: J (r - J'w) = 0 */
    for (int i = 0; i < p.n; i++)
        for (int k = 0; k < 6; k++) unit[i] -= J[k * p.n + i] * null[k];
    for (int k = 0; k < 6; k++) {
        double sum = 0;
        for (int i = 0; i < p.n; i++) sum += J[k * p.n + i] * unit[i];
        assert_true(fabs(sum) < 1e-9);
    }
    plant_close(&p);
}

/* few joints cannot tell six numbers: the smallest wrench that does the same, no part of it unseen */
static void few_joints_give_the_smallest_wrench(void **state)
{
    (void)state;
    plant p = plant_open("planar2r", 0.001);
    const int hand = arne_joint_link(p.m, 1);
    const double q[] = {0.4, 0.7}, r[] = {3, -1};
    double J[12], w[6];
    assert_true(wrench_of(p.d, q, hand, r, w) < 1e-12);
    arne_link_jacobian(p.d, q, hand, ARNE_ALIGNED, J);
    for (int i = 0; i < 2; i++) {
        double sum = 0;
        for (int k = 0; k < 6; k++) sum += J[2 * k + i] * w[k];
        assert_true(fabs(sum - r[i]) < 1e-12);
    }
    /* the smallest lies in the span of the rows of J': w = J y */
    double G[4] = {0}, b[2] = {0};
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < 2; i++) {
            b[i] += J[2 * k + i] * w[k];
            for (int j = 0; j < 2; j++) G[2 * i + j] += J[2 * k + i] * J[2 * k + j];
        }
    const double det = G[0] * G[3] - G[1] * G[2], y[] = {(G[3] * b[0] - G[1] * b[1]) / det, (G[0] * b[1] - G[2] * b[0]) / det};
    for (int k = 0; k < 6; k++) assert_true(fabs(J[2 * k] * y[0] + J[2 * k + 1] * y[1] - w[k]) < 1e-12);
    double none[] = {0, 0};
    assert_true(wrench_of(p.d, q, hand, none, w) == 0);
    plant_close(&p);
}

/* ---- thresholds from noise ---- */

typedef struct {
    uint64_t state;
} dice;

static double uniform(dice *d)
{
    d->state = d->state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(d->state >> 11) + 0.5) * 0x1p-53;
}

static double normal(dice *d) { return sqrt(-2 * log(uniform(d))) * cos(2 * acos(-1.0) * uniform(d)); }

/* Noise through the observer's filter. The stated rate is the chance of an alarm in an hour; with many learned thresholds and
 * many hours each, the part of the hours with an alarm is near it. */
static void false_alarms_come_at_the_stated_rate(void **state)
{
    (void)state;
    enum { RUNS = 24, HOURS = 4, LEARN = 20000 };
    const double period = 0.05, rate = 0.5, keep = exp(-20 * period);
    const long hour = lround(3600 / period);
    plant p = plant_open("planar2r", period);
    double *r = calloc(2 * LEARN, sizeof *r);
    assert_non_null(r);
    dice d = {12345};
    int alarms = 0;
    for (int run = 0; run < RUNS; run++) {
        double x[2] = {0}, threshold[2];
        const double size[2] = {1, 0.1};
        for (int k = 0; k < LEARN; k++)
            for (int i = 0; i < 2; i++) r[2 * k + i] = x[i] = keep * x[i] + (1 - keep) * size[i] * normal(&d);
        arne_error e = {0};
        if (arne_detector_learn(p.m, LEARN, r, period, rate, threshold, &e)) fail_msg("%s", e.message);
        for (int k = 0; k < LEARN; k++)
            for (int i = 0; i < 2; i++) assert_true(fabs(r[2 * k + i]) <= threshold[i] * (1 + 1e-12));
        for (int h = 0; h < HOURS; h++) {
            bool alarm = false;
            for (long k = 0; k < hour; k++)
                for (int i = 0; i < 2; i++) {
                    x[i] = keep * x[i] + (1 - keep) * size[i] * normal(&d);
                    alarm |= fabs(x[i]) > threshold[i];
                }
            alarms += alarm;
        }
    }
    /* half of 96 hours; the threshold itself scatters as it is learned from 1000 s */
    if (alarms < 24 || alarms > 72) fail_msg("%d of %d hours had a false alarm, should be about half", alarms, RUNS * HOURS);
    free(r);
    plant_close(&p);
}

/* The threshold of one joint, slowly: blocks of `length` samples, the last with what is left over; the second L-moment of the
 * squares of their extremes is half their mean distance (Hosking 1990). */
static double learned_slowly(int n, int joint, int count, const double *r, int blocks, double period, double rate)
{
    const int length = count / blocks;
    double y[100] = {0}, mean = 0, distance = 0, most = 0;
    for (int k = 0; k < count; k++) {
        const int b = k / length < blocks ? k / length : blocks - 1;
        if (r[k * n + joint] * r[k * n + joint] > y[b]) y[b] = r[k * n + joint] * r[k * n + joint];
    }
    for (int a = 0; a < blocks; a++) {
        mean += y[a];
        if (y[a] > most) most = y[a];
        for (int b = 0; b < a; b++) distance += fabs(y[a] - y[b]);
    }
    mean /= blocks, distance /= blocks * (blocks - 1) / 2.0;
    const double scale = distance / 2 / log(2), mode = mean - 0.57721566490153286 * scale, hour = 3600 / (length * period);
    const double square = mode - scale * log(-log(1 - rate) / (n * hour));
    return sqrt(square > most ? square : most);
}

static void thresholds_follow_from_the_law_of_extremes(void **state)
{
    (void)state;
    enum { MOST = 1037 };
    plant p = plant_open("planar2r", 0.001);
    static const struct {
        int count, blocks;
        double period, rate;
    } cases[] = {
        {200, 20, 0.01, 0.1}, {219, 21, 0.002, 0.01}, {999, 99, 0.001, 0.5}, {MOST, 100, 0.02, 0.3}, {300, 30, 60, 0.999}};
    double r[2 * MOST], threshold[2];
    dice d = {77};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const int count = cases[c].count;
        for (int k = 0; k < count; k++)
            for (int i = 0; i < 2; i++) r[2 * k + i] = (i ? 0.3 : 2) * normal(&d);
        r[0] = -7, r[2 * count - 1] = 1.5; /* the first sample of one joint, the last of the other are large */
        assert_int_equal(arne_detector_learn(p.m, count, r, cases[c].period, cases[c].rate, threshold, NULL), ARNE_OK);
        for (int i = 0; i < 2; i++) {
            const double want = learned_slowly(2, i, count, r, cases[c].blocks, cases[c].period, cases[c].rate);
            if (!(fabs(threshold[i] - want) < 1e-12 * want))
                fail_msg("%d samples, joint %d: threshold %.15g, should be %.15g", count, i, threshold[i], want);
        }
        if (c == 4) assert_true(threshold[0] == 7 && threshold[1] == 1.5); /* alarms almost for sure: what was seen */
    }
    plant_close(&p);
}

static void a_rarer_alarm_takes_a_higher_threshold(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    plant p = plant_open("planar2r", 0.001);
    double *r = calloc(2 * COUNT, sizeof *r), often[2], seldom[2];
    assert_non_null(r);
    dice d = {5};
    for (int k = 0; k < COUNT; k++) r[2 * k] = normal(&d); /* joint 2: nothing at all */
    assert_int_equal(arne_detector_learn(p.m, COUNT, r, 0.001, 0.5, often, NULL), ARNE_OK);
    assert_int_equal(arne_detector_learn(p.m, COUNT, r, 0.001, 1e-4, seldom, NULL), ARNE_OK);
    assert_true(seldom[0] > often[0] && often[0] > 3 && seldom[0] < 20);
    assert_true(often[1] > 0 && often[1] < 1e-6);
    arne_error e;
    assert_int_equal(arne_detector_learn(p.m, 199, r, 0.001, 0.5, often, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "199 samples are too few to learn thresholds from; record at least 200");
    static const double rates[] = {0, 1, 1.5, -0.5};
    for (int k = 0; k < 4; k++) {
        char sentence[150];
        snprintf(sentence, sizeof sentence, "the rate of false alarms is %g; it is the chance of one in an hour, between 0 and 1",
                 rates[k]);
        assert_int_equal(arne_detector_learn(p.m, COUNT, r, 0.001, rates[k], often, &e), ARNE_BAD_VALUE);
        assert_string_equal(e.message, sentence);
    }
    assert_int_equal(arne_detector_learn(p.m, COUNT, r, 0, 0.5, often, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "the period is 0 s; it must be above 0");
    assert_int_equal(arne_detector_learn(p.m, COUNT, r, INFINITY, 0.5, often, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "the period is inf s; it must be above 0");
    r[2 * COUNT - 1] = NAN;
    assert_int_equal(arne_detector_learn(p.m, COUNT, r, 0.001, 0.5, often, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "residual 2 of sample 5000 is not a finite number");
    r[76] = INFINITY;
    assert_int_equal(arne_detector_learn(p.m, COUNT, r, 0.001, 0.5, often, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "residual 1 of sample 39 is not a finite number");
    free(r);
    plant_close(&p);
}

/* ---- what acted ---- */

/* J'w of a wrench on a link, by inverse dynamics with and without it */
static void torques_of(plant *p, const double *q, const arne_wrench *w, double *r)
{
    const double zero[PLANT_DOF] = {0};
    double with[PLANT_DOF];
    arne_id(p->d, q, zero, zero, r);
    arne_set_wrenches(arne_data_settings(p->d), w, 1);
    arne_id(p->d, q, zero, zero, with);
    arne_set_wrenches(arne_data_settings(p->d), NULL, 0);
    for (int i = 0; i < p->n; i++) r[i] -= with[i];
}

/* 30 N on the forearm: a force at that point is found, with four joints; the smallest wrench is another one that does the same.
 */
static void a_force_at_a_known_point_is_found(void **state)
{
    (void)state;
    plant p = plant_open("kuka-lwr", 0.001);
    const double q[7] = {0.3, 0.7, 0.2, -1.1, 0.4, 0.6, 0.1};
    const arne_wrench push = {
        .link = arne_joint_link(p.m, 3), .frame = ARNE_ALIGNED, .force = {10, 20, -20}, .point = {0.02, 0.03, 0.25}};
    arne_touch at = {.link = push.link, .point = {0.02, 0.03, 0.25}, .force_only = true};
    double r[PLANT_DOF];
    arne_wrench_estimate f, w;
    torques_of(&p, q, &push, r);
    assert_int_equal(arne_residual_wrench(p.view, q, &at, r, &f), ARNE_OK);
    assert_int_equal(f.seen, 3);
    assert_true(f.unexplained < 1e-9);
    for (int k = 0; k < 3; k++) assert_true(fabs(f.wrench[k] - push.force[k]) < 1e-8 && f.wrench[3 + k] == 0);
    at.point[2] = 0; /* elsewhere it explains less */
    assert_int_equal(arne_residual_wrench(p.view, q, &at, r, &f), ARNE_OK);
    assert_true(f.unexplained > 0.05);

    at.force_only = false;
    assert_int_equal(arne_residual_wrench(p.view, q, &at, r, &w), ARNE_OK);
    assert_int_equal(w.seen, 4);
    assert_true(w.unexplained < 1e-9);
    plant_close(&p);
}

/* Wrenches along the blind directions move no joint, those of a basis of the rest do; all are unit vectors at right angles. */
static void blind_directions_are_felt_by_no_joint(void **state)
{
    (void)state;
    static const char *const names[] = {"kuka-lwr", "scara", "planar2r", "stanford", "ur5e", "torso2"};
    for (size_t robot = 0; robot < sizeof names / sizeof *names; robot++) {
        plant p = plant_open(names[robot], 0.001);
        plant_start(&p);
        for (int joint = 0; joint < p.n; joint++)
            for (int force_only = 0; force_only < 2; force_only++) {
                const int size = force_only ? 3 : 6;
                const arne_touch at = {arne_joint_link(p.m, joint), {0.1, -0.2, 0.3}, force_only};
                double r[PLANT_DOF] = {0};
                arne_wrench_estimate w;
                assert_int_equal(arne_residual_wrench(p.view, p.x, &at, r, &w), ARNE_OK);
                assert_true(w.seen >= 1 && w.seen <= size && w.seen <= joint + 1);
                for (int a = 0; a < size - w.seen; a++) {
                    const double *b = w.blind[a];
                    const arne_wrench push = {.link = at.link,
                                              .frame = ARNE_ALIGNED,
                                              .force = {b[0], b[1], b[2]},
                                              .moment = {b[3], b[4], b[5]},
                                              .point = {0.1, -0.2, 0.3}};
                    torques_of(&p, p.x, &push, r);
                    for (int i = 0; i < p.n; i++) assert_true(fabs(r[i]) < 1e-3);
                    for (int c = 0; c <= a; c++) {
                        double dot = 0;
                        for (int k = 0; k < 6; k++) dot += b[k] * w.blind[c][k];
                        assert_true(fabs(dot - (a == c)) < 1e-12);
                    }
                }
            }
        plant_close(&p);
    }
    /* a planar arm: two joints feel two directions of a force, and not the one out of the plane */
    plant p = plant_open("planar2r", 0.001);
    const double q[2] = {0.4, 0.8}, r[2] = {1, 2};
    const arne_touch at = {.link = arne_joint_link(p.m, 1), .point = {0.3, 0, 0}, .force_only = true};
    arne_wrench_estimate w;
    assert_int_equal(arne_residual_wrench(p.view, q, &at, r, &w), ARNE_OK);
    double axis[3] = {0};
    arne_pose pose;
    arne_link_pose(p.view, q, at.link, &pose);
    for (int k = 0; k < 3; k++) axis[k] = pose.R[3 * k + 2];
    assert_int_equal(w.seen, 2);
    assert_true(fabs(fabs(w.blind[0][0] * axis[0] + w.blind[0][1] * axis[1] + w.blind[0][2] * axis[2]) - 1) < 1e-12);
    plant_close(&p);
}

/* The singular values of a planar arm near its singularity: their product is the determinant of its Jacobian, the sum of their
 * squares that of its entries. A direction is blind below a thousandth of the largest. */
static void what_is_hardly_felt_is_blind(void **state)
{
    (void)state;
    plant p = plant_open("planar2r", 0.001);
    const arne_touch at = {.link = arne_joint_link(p.m, 1), .force_only = true};
    const double arm[3] = {0.3, 0, 0};
    for (int felt = 0; felt < 2; felt++) {
        const double wanted = felt ? 1.1e-3 : 0.95e-3, zero[2] = {0, 0};
        double q[2] = {0.4, 1e-3}, ratio = 0, J[6][2];
        arne_touch touch = at;
        memcpy(touch.point, arm, sizeof arm);
        for (int k = 0; k < 4; k++) {
            if (k) q[1] *= wanted / ratio;
            arne_pose pose;
            arne_link_jacobian(p.view, q, at.link, ARNE_ALIGNED, &J[0][0]);
            arne_link_pose(p.view, q, at.link, &pose);
            double square = 0, column[2][3];
            for (int i = 0; i < 2; i++) {
                const double w[3] = {J[3][i], J[4][i], J[5][i]};
                double to[3], turned[3];
                for (int c = 0; c < 3; c++) to[c] = pose.R[3 * c] * arm[0];
                for (int c = 0; c < 3; c++) turned[c] = w[(c + 1) % 3] * to[(c + 2) % 3] - w[(c + 2) % 3] * to[(c + 1) % 3];
                for (int c = 0; c < 3; c++) column[i][c] = J[c][i] + turned[c], square += column[i][c] * column[i][c];
            }
            double area = 0;
            for (int c = 0; c < 3; c++) {
                const double one =
                    column[0][(c + 1) % 3] * column[1][(c + 2) % 3] - column[0][(c + 2) % 3] * column[1][(c + 1) % 3];
                area += one * one;
            }
            ratio = sqrt(area) / square; /* to one in a million: the smaller one's square is nothing beside the other's */
        }
        arne_wrench_estimate w;
        assert_true(fabs(ratio / wanted - 1) < 1e-6);
        assert_int_equal(arne_residual_wrench(p.view, q, &touch, zero, &w), ARNE_OK);
        assert_int_equal(w.seen, felt ? 2 : 1);
    }
    plant_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_contact_ends_when_all_are_well_below),
        cmocka_unit_test(of_several_branches_the_loudest_is_named),
        cmocka_unit_test(thresholds_follow_from_the_law_of_extremes),
        cmocka_unit_test(what_is_hardly_felt_is_blind),
        cmocka_unit_test(a_contact_begins_and_ends_once),
        cmocka_unit_test(bad_thresholds_are_refused),
        cmocka_unit_test(the_link_that_was_hit_is_found),
        cmocka_unit_test(the_wrench_comes_back),
        cmocka_unit_test(few_joints_give_the_smallest_wrench),
        cmocka_unit_test(false_alarms_come_at_the_stated_rate),
        cmocka_unit_test(a_rarer_alarm_takes_a_higher_threshold),
        cmocka_unit_test(a_force_at_a_known_point_is_found),
        cmocka_unit_test(blind_directions_are_felt_by_no_joint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
