/* SPDX-License-Identifier: MIT
 *
 * border_test.c - observers: nothing where something should be, links that are none, options of other versions. */
#include "observe/plant.h"
#include "support/grow.h"

enum { BAD = ARNE_BAD_ARGUMENT };

static arne_status new_observer(void *context, const void *given)
{
    arne_observer *o;
    const arne_status status = arne_observer_new(context, given, &o, NULL);
    assert_int_equal(status == ARNE_OK, o != NULL);
    arne_observer_free(o);
    return status;
}

static void observers(void **state)
{
    (void)state;
    plant p = plant_open("planar2r", 0.001);
    arne_settings *known;
    assert_int_equal(arne_settings_new(p.m, &known, NULL), ARNE_OK);
    const double x[2] = {0};
    const arne_observer_options options = {.size = sizeof options, .period = 0.001, .link_side = true};
    arne_observer *o;
    assert_int_equal(arne_observer_new(NULL, &options, &o, NULL), BAD);
    assert_null(o);
    assert_int_equal(arne_observer_new(known, NULL, &o, NULL), BAD);
    assert_int_equal(arne_observer_new(known, &options, NULL, NULL), BAD);
    expect_grows(&options, sizeof options, offsetof(arne_observer_options, gain), new_observer, known);
    assert_int_equal(arne_observer_new(known, &options, &o, NULL), ARNE_OK);
    assert_true(arne_observer_link_side(o));
    /* neither changed nor kept */
    assert_true(arne_settings_rotors(known) && !arne_settings_rotors(arne_observer_settings(o)));
    arne_settings_free(known);
    assert_int_equal(arne_observer_tick(o, x, x, x), ARNE_OK);
    assert_int_equal(arne_observer_tick(NULL, x, x, x), BAD);
    assert_int_equal(arne_observer_tick(o, NULL, x, x), BAD);
    assert_int_equal(arne_observer_tick(o, x, NULL, x), BAD);
    assert_int_equal(arne_observer_tick(o, x, x, NULL), BAD);
    arne_observer_free(o);
    arne_observer_free(NULL);
    arne_observer_reset(NULL);
    arne_observer_pause(NULL);
    assert_null(arne_observer_residual(NULL));
    assert_null(arne_observer_settings(NULL));
    assert_false(arne_observer_link_side(NULL));
    plant_close(&p);
}

static void detectors(void **state)
{
    (void)state;
    plant p = plant_open("planar2r", 0.001);
    const double one[2] = {1, 1};
    double threshold[2];
    arne_detector *x;
    arne_detection d;
    assert_int_equal(arne_detector_new(NULL, one, &x, NULL), BAD);
    assert_null(x);
    assert_int_equal(arne_detector_new(p.m, NULL, &x, NULL), BAD);
    assert_int_equal(arne_detector_new(p.m, one, NULL, NULL), BAD);
    assert_int_equal(arne_detector_new(p.m, one, &x, NULL), ARNE_OK);
    assert_true(arne_detector_model(x) == p.m && !arne_detector_model(NULL));
    assert_int_equal(arne_detector_debounce(NULL, 1, 1), BAD);
    assert_int_equal(arne_detector_debounce(x, 0, 1), BAD);
    assert_int_equal(arne_detector_debounce(x, 1, 0), BAD);
    assert_int_equal(arne_detector_tick(x, one, &d), ARNE_OK);
    assert_int_equal(arne_detector_tick(NULL, one, &d), BAD);
    assert_int_equal(arne_detector_tick(x, NULL, &d), BAD);
    assert_int_equal(arne_detector_tick(x, one, NULL), BAD);
    assert_int_equal(arne_detector_learn(NULL, 1, one, 1, 0.5, threshold, NULL), BAD);
    assert_int_equal(arne_detector_learn(p.m, 1, NULL, 1, 0.5, threshold, NULL), BAD);
    assert_int_equal(arne_detector_learn(p.m, 1, one, 1, 0.5, NULL, NULL), BAD);
    arne_detector_free(x);
    arne_detector_free(NULL);
    plant_close(&p);
}

static void wrenches(void **state)
{
    (void)state;
    plant p = plant_open("planar2r", 0.001);
    const double x[2] = {0.1, 0.2};
    const arne_touch at = {.link = 1}, before = {.link = -1}, after = {.link = arne_model_links(p.m)};
    arne_wrench_estimate w;
    assert_int_equal(arne_residual_wrench(p.d, x, &at, x, &w), ARNE_OK);
    assert_int_equal(arne_residual_wrench(NULL, x, &at, x, &w), BAD);
    assert_int_equal(arne_residual_wrench(p.d, NULL, &at, x, &w), BAD);
    assert_int_equal(arne_residual_wrench(p.d, x, NULL, x, &w), BAD);
    assert_int_equal(arne_residual_wrench(p.d, x, &at, NULL, &w), BAD);
    assert_int_equal(arne_residual_wrench(p.d, x, &at, x, NULL), BAD);
    assert_int_equal(arne_residual_wrench(p.d, x, &before, x, &w), BAD);
    assert_int_equal(arne_residual_wrench(p.d, x, &after, x, &w), BAD);
    plant_close(&p);
}

static arne_status new_monitor(void *context, const void *given)
{
    const plant *p = context;
    arne_fault_monitor *x;
    const arne_status status = arne_fault_new(p->m, given, &x, NULL);
    assert_int_equal(status == ARNE_OK, x != NULL);
    arne_fault_free(x);
    return status;
}

static void faults(void **state)
{
    (void)state;
    plant p = plant_open("planar2r", 0.001);
    const double one[2] = {1, 1};
    const arne_fault_options o = {.size = sizeof o, .period = 0.001, .threshold = one},
                             none = {.size = sizeof o, .period = 0.001};
    arne_fault_monitor *x;
    arne_fault f;
    assert_int_equal(arne_fault_new(NULL, &o, &x, NULL), BAD);
    assert_null(x);
    assert_int_equal(arne_fault_new(p.m, NULL, &x, NULL), BAD);
    assert_int_equal(arne_fault_new(p.m, &none, &x, NULL), BAD);
    assert_int_equal(arne_fault_new(p.m, &o, NULL, NULL), BAD);
    expect_grows(&o, sizeof o, offsetof(arne_fault_options, window), new_monitor, &p);
    assert_int_equal(arne_fault_new(p.m, &o, &x, NULL), ARNE_OK);
    assert_int_equal(arne_fault_tick(x, one, one, one, &f), ARNE_OK);
    assert_int_equal(arne_fault_tick(NULL, one, one, one, &f), BAD);
    assert_int_equal(arne_fault_tick(x, NULL, one, one, &f), BAD);
    assert_int_equal(arne_fault_tick(x, one, NULL, one, &f), BAD);
    assert_int_equal(arne_fault_tick(x, one, one, NULL, &f), BAD);
    assert_int_equal(arne_fault_tick(x, one, one, one, NULL), BAD);
    arne_fault_free(x);
    arne_fault_free(NULL);
    arne_fault_reset(NULL);
    assert_null(arne_fault_name(ARNE_FAULT_COUNT));
    assert_null(arne_fault_words((arne_fault_kind)-1));
    plant_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(observers),
        cmocka_unit_test(detectors),
        cmocka_unit_test(wrenches),
        cmocka_unit_test(faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
