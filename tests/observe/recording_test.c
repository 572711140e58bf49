/* SPDX-License-Identifier: MIT
 *
 * recording_test.c - recorded runs of a robot that is pushed, whose actuator has an offset, in which numbers are missing. */
#include <stdio.h>

#include "observe/plant.h"

enum { ROWS = 1500, PUSHED = 500, LEFT = 700, DOF = 7 };

typedef struct {
    plant p;
    double q[ROWS * DOF], qd[ROWS * DOF], tau[ROWS * DOF], r[ROWS * DOF], threshold[DOF];
    arne_recording log;
} run;

static run it;
static const arne_observer_options OPTIONS = {.size = sizeof OPTIONS, .period = 0.001};

/* A push on the last joints from row PUSHED to LEFT, or an offset of the actuator of `faulty` from then on. */
static void record(double push, int faulty, double offset)
{
    it.p = plant_open("kuka-lwr", 0.001);
    plant *p = &it.p;
    arne_set_friction(arne_data_settings(p->d), false);
    arne_set_friction(arne_data_settings(p->view), false);
    for (int i = 0; i < p->n; i++) p->x[i] = 0.5;
    double command[PLANT_DOF] = {0};
    for (int k = 0; k < ROWS; k++) {
        memcpy(it.q + k * DOF, p->x, sizeof(double[DOF]));
        memcpy(it.qd + k * DOF, p->x + DOF, sizeof(double[DOF]));
        memcpy(it.tau + k * DOF, command, sizeof(double[DOF]));
        arne_gravity(p->d, p->x, command);
        for (int i = 0; i < DOF; i++) {
            command[i] += 150 * (0.5 + 0.3 * (1 - cos(6 * p->t)) / 2 - p->x[i]) - 20 * p->x[DOF + i];
            p->tau[i] = command[i];
        }
        for (int i = 0; i < 4 && k >= PUSHED && k < LEFT; i++) p->tau[i] += push; /* it is the link of joint 4 */
        if (faulty >= 0 && k >= PUSHED) p->tau[faulty] += offset;
        plant_tick(p);
    }
    for (int i = 0; i < DOF; i++) it.threshold[i] = 0.05;
    it.log = (arne_recording){.count = ROWS, .period = 0.001, .q = it.q, .qd = it.qd, .tau = it.tau};
}

static arne_events events(void)
{
    static bool held[ROWS];
    arne_events e;
    const arne_watch_options watch = {.size = sizeof watch, .threshold = it.threshold, .wrench_link = -1};
    for (int k = 0; k < ROWS * DOF; k++) it.r[k] = (double)NAN; /* every row has its own */
    assert_int_equal(arne_recording_residuals(&it.log, arne_data_settings(it.p.view), &OPTIONS, it.r, held, NULL), ARNE_OK);
    for (int k = 0; k < ROWS; k++) assert_false(held[k]);
    assert_int_equal(arne_recording_events(&it.log, it.p.view, &watch, it.r, &e, NULL), ARNE_OK);
    return e;
}

static void a_push_is_a_contact(void **state)
{
    (void)state;
    record(5, -1, 0);
    arne_events e = events();
    assert_int_equal(e.ncontact, 1);
    assert_int_equal(e.nfault, 0);
    const arne_contact *c = &e.contacts[0];
    assert_true(c->begin > PUSHED && c->begin < PUSHED + 10 && c->end > LEFT && c->end < ROWS - 100);
    assert_true(c->peak > LEFT - 10 && c->peak <= LEFT + 1 && fabs(c->residual - 5) < 0.1);
    assert_int_equal(c->link, arne_joint_link(it.p.m, 3));
    assert_true(c->wrench_link == c->link && c->wrench.unexplained < 1);
    assert_true(!e.touched[PUSHED] && e.touched[c->begin] && e.touched[LEFT] && !e.touched[ROWS - 1]);
    arne_events_free(&e);
    assert_null(e.contacts);

    /* the wrench of another link; nobody looks for faults on the link side */
    for (int link = 0; link < 2; link++) {
        const arne_watch_options watch = {
            .size = sizeof watch, .threshold = it.threshold, .wrench_link = link, .link_side = true};
        assert_int_equal(arne_recording_events(&it.log, it.p.view, &watch, it.r, &e, NULL), ARNE_OK);
        assert_int_equal(e.contacts[0].wrench_link, link);
        arne_events_free(&e);
    }

    /* thresholds of the run itself: above what is usual, below the push */
    double usual[DOF];
    assert_int_equal(arne_recording_thresholds(&it.log, it.p.m, it.r, usual, NULL), ARNE_OK);
    for (int i = 0; i < DOF; i++) assert_true(usual[i] > 0.01 && usual[i] < 5);
    plant_close(&it.p);
}

static void residuals_are_summed_up(void **state)
{
    (void)state;
    const double r[] = {1, 0, -4, 0, 2, 0, 2, 0};
    const arne_residual_summary a = arne_residual_summarize(4, 2, r, 0), b = arne_residual_summarize(4, 2, r, 1);
    assert_true(a.largest == -4 && a.at == 1 && a.rms == 2.5);
    assert_true(b.largest == 0 && b.at == 0 && b.rms == 0);
    assert_true(arne_residual_summarize(0, 2, r, 0).rms == 0);
}

static void an_offset_is_a_fault(void **state)
{
    (void)state;
    record(0, 2, 4);
    arne_events e = events();
    assert_true(e.nfault >= 1);
    const arne_fault_event *f = &e.faults[e.nfault - 1];
    assert_int_equal(f->fault.kind, ARNE_FAULT_OFFSET);
    assert_true(f->fault.joint == 2 && fabs(f->fault.offset - 4) < 0.1 && f->row > PUSHED);
    assert_true(e.ncontact == 1 && e.contacts[0].end == -1 && e.contacts[0].joint == 2);
    arne_events_free(&e);
    plant_close(&it.p);
}

static void missing_numbers_are_held(void **state)
{
    (void)state;
    static bool held[ROWS];
    arne_error e;
    record(0, -1, 0);
    it.qd[20 * DOF + 3] = it.tau[30 * DOF] = NAN;
    assert_int_equal(arne_recording_residuals(&it.log, arne_data_settings(it.p.view), &OPTIONS, it.r, held, &e), ARNE_OK);
    for (int k = 0; k < ROWS; k++) assert_true(held[k] == (k == 20 || k == 30));
    for (int k = 0; k < ROWS; k++) it.q[k * DOF] = NAN;
    assert_int_equal(arne_recording_residuals(&it.log, arne_data_settings(it.p.view), &OPTIONS, it.r, NULL, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "no row has all its numbers");
    plant_close(&it.p);
}

/* 30 rows of the push are lost: held over the gap, then on towards the same residual */
static void missing_rows_are_held(void **state)
{
    (void)state;
    enum { FROM = 550, TO = 580 };
    static bool held[ROWS];
    static double t[ROWS], all[ROWS * DOF];
    record(5, -1, 0);
    assert_int_equal(arne_recording_residuals(&it.log, arne_data_settings(it.p.view), &OPTIONS, all, NULL, NULL), ARNE_OK);
    const size_t bytes = (ROWS - TO) * DOF * sizeof(double);
    memmove(it.q + FROM * DOF, it.q + TO * DOF, bytes);
    memmove(it.qd + FROM * DOF, it.qd + TO * DOF, bytes);
    memmove(it.tau + FROM * DOF, it.tau + TO * DOF, bytes);
    it.log.count = ROWS - (TO - FROM);
    it.log.t = t;
    for (int k = 0; k < it.log.count; k++) t[k] = 0.001 * (k < FROM ? k : k + TO - FROM);
    assert_int_equal(arne_recording_residuals(&it.log, arne_data_settings(it.p.view), &OPTIONS, it.r, held, NULL), ARNE_OK);
    for (int k = 0; k < it.log.count; k++) assert_true(held[k] == (k == FROM));
    for (int i = 0; i < DOF; i++) {
        assert_true(it.r[FROM * DOF + i] == it.r[(FROM - 1) * DOF + i]);
        /* what the gap cost is forgotten as the filter forgets, exp(-K t) */
        for (int k = FROM + 1; k < it.log.count; k++) {
            const double lost = it.r[FROM * DOF + i] - all[TO * DOF + i], left = lost * exp(-0.05 * (k - FROM));
            assert_true(fabs(it.r[k * DOF + i] - all[(k + TO - FROM) * DOF + i] - left) < 1e-9);
        }
    }
    plant_close(&it.p);
}

/* rows are missing where the next comes more than 1.5 intervals later */
static void late_rows_are_no_gaps(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    static bool held[COUNT];
    static double t[COUNT];
    record(0, -1, 0);
    it.log.count = COUNT;
    it.log.t = t;
    for (int k = 0; k < COUNT; k++) t[k] = 0.001 * k + (k >= 10 ? 0.00045 : 0) + (k >= 20 ? 0.00055 : 0);
    assert_int_equal(arne_recording_residuals(&it.log, arne_data_settings(it.p.view), &OPTIONS, it.r, held, NULL), ARNE_OK);
    for (int k = 0; k < COUNT; k++) assert_int_equal(held[k], k == 20);
    plant_close(&it.p);
}

static void what_cannot_be_observed_has_a_sentence(void **state)
{
    (void)state;
    arne_error e;
    double gain[DOF];
    for (int i = 0; i < DOF; i++) gain[i] = 1e4;
    record(0, -1, 0);
    const arne_observer_options unstable = {.size = sizeof unstable, .period = 0.001, .gain = gain, .numeric = true};
    assert_int_equal(arne_recording_residuals(&it.log, arne_data_settings(it.p.view), &unstable, it.r, NULL, &e), ARNE_BAD_VALUE);
    assert_non_null(strstr(e.message, "grows without bound"));
    assert_true(e.line > 1 && e.line <= ROWS);
    int row = e.line; /* of one joint alone, so that it is the last number of all */
    for (int i = 0; i < DOF - 1; i++) gain[i] = 1;
    for (int last = 0; last < 2; last++) {
        assert_int_equal(arne_recording_residuals(&it.log, arne_data_settings(it.p.view), &unstable, it.r, NULL, &e),
                         ARNE_BAD_VALUE);
        assert_true(e.line <= it.log.count && (!last || e.line == row));
        assert_string_equal(e.message,
                            "the residual of joint j7 grows without bound; the numeric method is unstable for gains above "
                            "2/period");
        it.log.count = row = e.line;
    }
    it.log.count = ROWS;
    assert_int_equal(arne_recording_residuals(&it.log, arne_data_settings(it.p.view),
                                              &(arne_observer_options){.size = sizeof(arne_observer_options)}, it.r, NULL, &e),
                     ARNE_BAD_VALUE);
    assert_int_equal(arne_recording_springs(&it.log, arne_data_settings(it.p.view), it.r, &e), ARNE_BAD_VALUE);
    assert_non_null(strstr(e.message, "motors were not recorded"));
    const arne_watch_options watch = {.size = sizeof watch, .threshold = it.r, .wrench_link = -1};
    it.r[0] = -1;
    arne_events none;
    assert_int_equal(arne_recording_events(&it.log, it.p.view, &watch, it.r, &none, &e), ARNE_BAD_VALUE);
    assert_null(none.touched);
    it.log.count = 0;
    assert_int_equal(arne_recording_thresholds(&it.log, it.p.m, it.r, it.threshold, &e), ARNE_BAD_VALUE);
    plant_close(&it.p);
}

/* 2 % of the largest torque of a joint, in a row where another has no number; 0.2 % of that of any */
static void thresholds_of_a_silent_robot_are_parts_of_its_torques(void **state)
{
    (void)state;
    static const double tau[2 * DOF] = {-20, NAN, -50, 0, 0, 0, 0, 10, 3, 40, 0.1, NAN, NAN, 0};
    const double want[DOF] = {0.4, 0.1, 1, 0.1, 0.1, 0.1, 0.1}, silence[2 * DOF] = {0};
    const arne_recording log = {.count = 2, .period = 0.001, .tau = tau};
    double threshold[DOF];
    arne_model *m;
    assert_int_equal(arne_load(ARNE_ROBOTS "/kuka-lwr.yaml", &m, NULL), ARNE_OK);
    assert_int_equal(arne_recording_thresholds(&log, m, silence, threshold, NULL), ARNE_OK);
    for (int i = 0; i < DOF; i++) assert_true(fabs(threshold[i] - want[i]) < 1e-15);
    arne_model_free(m);
}

/* Six standard deviations of noise whose median is known: 0.6745 of one. */
static void thresholds_come_from_the_median(void **state)
{
    (void)state;
    static const double tau[10] = {1, 30, -1, 0, 0, 0, 0, 0, 0, 0}, r[10] = {-3, 0.01, 0.5, 0.04, 1, -0.03, -7, 0.02, 0.25, 0.05};
    const arne_recording log = {.count = 5, .period = 0.001, .tau = tau};
    plant p = plant_open("planar2r", 0.001);
    double threshold[2];
    assert_int_equal(arne_recording_thresholds(&log, p.m, r, threshold, NULL), ARNE_OK);
    assert_true(fabs(threshold[0] - 6 * 1 / 0.6745) < 1e-12); /* sorted: 0.25 0.5 1 3 7 */
    assert_true(fabs(threshold[1] - 0.6) < 1e-12);            /* 2 % of 30 Nm */
    plant_close(&p);
}

/* Residuals by hand, of an arm at thresholds 2 and 4: contacts of a few rows each, the third in a row without a position, the
 * last without an end. */
static void contacts_are_listed_with_their_peaks(void **state)
{
    (void)state;
    enum { COUNT = 150, LINK = 0 };
    plant p = plant_open("planar2r", 0.001);
    static double q[2 * COUNT], qd[2 * COUNT], tau[2 * COUNT], r[2 * COUNT];
    static const double threshold[] = {2, 4};
    static const struct {
        int begin, rows, peak, joint;
        double largest[2];
        int link_joint;
    } all[] = {{10, 6, 13, 1, {2.5, -9}, 1},
               {40, 3, 41, 0, {-3, 0.5}, 0},
               {70, 3, 71, 1, {0, 5}, 1},
               {100, 4, 101, 0, {4, -7}, 1},
               {130, 20, 135, 0, {2.6, 5}, 1}};
    enum { CONTACTS = sizeof all / sizeof *all };
    for (int k = 0; k < COUNT; k++) q[2 * k] = 0.01 * k, q[2 * k + 1] = 1.2;
    for (int c = 0; c < CONTACTS; c++)
        for (int k = all[c].begin; k < all[c].begin + all[c].rows; k++)
            for (int i = 0; i < 2; i++) r[2 * k + i] = all[c].largest[i] * (k == all[c].peak ? 1 : 0.9);
    q[2 * all[2].peak] = NAN;
    const arne_recording log = {.count = COUNT, .period = 0.001, .q = q, .qd = qd, .tau = tau};
    const double point[3] = {0.2, -0.1, 0.05};
    for (int asked = 0; asked < 2; asked++) {
        const arne_watch_options o = {.size = sizeof o,
                                      .threshold = threshold,
                                      .link_side = true,
                                      .wrench_link = asked ? LINK : -1,
                                      .point = {point[0], point[1], point[2]}};
        arne_events e;
        assert_int_equal(arne_recording_events(&log, p.d, &o, r, &e, NULL), ARNE_OK);
        assert_int_equal(e.ncontact, CONTACTS);
        assert_int_equal(e.nfault, 0);
        for (int c = 0; c < CONTACTS; c++) {
            const arne_contact *is = &e.contacts[c];
            const int last = all[c].begin + all[c].rows - 1;
            assert_int_equal(is->begin, all[c].begin);
            assert_int_equal(is->end, c < CONTACTS - 1 ? last + 10 : -1); /* ten silent rows end it */
            assert_int_equal(is->peak, all[c].peak);
            assert_int_equal(is->joint, all[c].joint);
            assert_true(is->residual == all[c].largest[all[c].joint]);
            assert_int_equal(is->link, arne_joint_link(p.m, all[c].link_joint));
            assert_int_equal(is->wrench_link, asked ? LINK : is->link);
            for (int force_only = 0; force_only < 2; force_only++) {
                arne_wrench_estimate want = {0};
                const arne_touch at = {is->wrench_link, {point[0], point[1], point[2]}, force_only};
                if (c != 2) arne_residual_wrench(p.view, q + 2 * is->peak, &at, r + 2 * is->peak, &want);
                assert_memory_equal(force_only ? &is->force : &is->wrench, &want, sizeof want);
            }
        }
        for (int k = 0; k < COUNT; k++) {
            bool touched = false;
            for (int c = 0; c < CONTACTS; c++)
                touched |= k >= e.contacts[c].begin && (e.contacts[c].end < 0 || k < e.contacts[c].end);
            assert_int_equal(e.touched[k], touched);
        }
        arne_events_free(&e);
    }
    plant_close(&p);
}

/* Two actuators fail one after the other, each with an offset: two faults, each with its own row, joint and size. Rows without
 * their numbers are passed over. */
static void faults_are_listed_with_their_rows(void **state)
{
    (void)state;
    enum { COUNT = 3000, FIRST = 100, SILENT = 1050, SECOND = 1500 };
    plant p = plant_open("planar2r", 0.001);
    static double q[2 * COUNT], qd[2 * COUNT], tau[2 * COUNT], r[2 * COUNT];
    static const double threshold[] = {0.5, 0.5};
    for (int k = 0; k < COUNT; k++) {
        qd[2 * k] = qd[2 * k + 1] = 1;
        for (int i = 0; i < 2; i++) tau[2 * k + i] = 20 * sin(0.02 * k + i);
        r[2 * k] = k >= FIRST && k < SILENT ? 3 : 0;
        r[2 * k + 1] = k >= SECOND ? -5 : 0;
    }
    qd[2 * 200 + 1] = tau[2 * 250] = NAN;
    const arne_recording log = {.count = COUNT, .period = 0.001, .q = q, .qd = qd, .tau = tau};
    const double slow[2] = {10, 10};
    for (int given = 0; given < 2; given++) {
        const arne_watch_options o = {.size = sizeof o, .threshold = threshold, .gain = given ? slow : NULL, .wrench_link = -1};
        arne_events e;
        assert_int_equal(arne_recording_events(&log, p.d, &o, r, &e, NULL), ARNE_OK);
        assert_int_equal(e.nfault, 2);
        for (int k = 0; k < 2; k++) {
            /* five time constants and a window of 200 rows; two rows had no numbers */
            const int after = (given ? 500 : 100) + 200 + (k ? 0 : 2), from = k ? SECOND : FIRST;
            assert_in_range(e.faults[k].row, from + after - 3, from + after + 2);
            assert_true(e.faults[k].fault.kind == ARNE_FAULT_OFFSET && e.faults[k].fault.joint == k && e.faults[k].fault.told);
            assert_true(fabs(e.faults[k].fault.offset - (k ? -5 : 3)) < 1e-9);
        }
        arne_events_free(&e);
    }
    plant_close(&p);
}

static void springs_pull_with_their_deflection(void **state)
{
    (void)state;
    record(0, -1, 0);
    static double theta[ROWS * DOF];
    for (int k = 0; k < ROWS * DOF; k++) theta[k] = it.q[k] + 0.01;
    it.log.theta = theta;
    it.log.thetad = it.qd;
    assert_int_equal(arne_recording_springs(&it.log, arne_data_settings(it.p.view), it.r, NULL), ARNE_OK);
    for (int i = 0; i < DOF; i++) {
        const arne_elastic *s = arne_joint_elastic(it.p.m, i);
        const double should = 0.01 * s->stiffness + 1e-6 * s->cubic + 1e-10 * s->quintic;
        assert_true(fabs(it.r[(ROWS - 1) * DOF + i] - should) < 1e-9 * should);
    }
    plant_close(&it.p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_push_is_a_contact),
        cmocka_unit_test(residuals_are_summed_up),
        cmocka_unit_test(an_offset_is_a_fault),
        cmocka_unit_test(missing_numbers_are_held),
        cmocka_unit_test(missing_rows_are_held),
        cmocka_unit_test(late_rows_are_no_gaps),
        cmocka_unit_test(what_cannot_be_observed_has_a_sentence),
        cmocka_unit_test(thresholds_of_a_silent_robot_are_parts_of_its_torques),
        cmocka_unit_test(thresholds_come_from_the_median),
        cmocka_unit_test(contacts_are_listed_with_their_peaks),
        cmocka_unit_test(faults_are_listed_with_their_rows),
        cmocka_unit_test(springs_pull_with_their_deflection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
