/* SPDX-License-Identifier: MIT
 *
 * border_test.c - identification: nothing where something should be, options of other versions and out of range, rows and logs
 * that cannot be. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arne/estimate.h"
#include "arne/file.h"
#include "support/grow.h"

enum { BAD = ARNE_BAD_ARGUMENT };

static arne_model *m;

static int set_up(void **state)
{
    (void)state;
    return arne_load(ARNE_ROBOTS "/planar2r.yaml", &m, NULL) != ARNE_OK;
}

static int tear_down(void **state)
{
    (void)state;
    arne_model_free(m);
    return 0;
}

static arne_status begin(void *context, const void *given)
{
    arne_identifier *i;
    (void)context;
    const arne_status status = arne_identifier_new(m, given, &i, NULL);
    assert_int_equal(status == ARNE_OK, i != NULL);
    arne_identifier_free(i);
    return status;
}

static void options(void **state)
{
    (void)state;
    const arne_identify_options good = {.size = sizeof good, .cutoff = 5};
    arne_identifier *i;
    assert_int_equal(arne_identifier_new(NULL, &good, &i, NULL), BAD);
    assert_null(i);
    assert_int_equal(arne_identifier_new(m, &good, NULL, NULL), BAD);
    assert_int_equal(begin(NULL, NULL), ARNE_OK);
    expect_grows(&good, sizeof good, offsetof(arne_identify_options, payload), begin, NULL);
    arne_identify_options bad[5];
    for (int k = 0; k < 5; k++) bad[k] = good;
    bad[0].cutoff = -1;
    bad[1].cutoff = NAN;
    bad[2].moving = INFINITY;
    bad[3].delay = 1;
    bad[4].payload = 99;
    for (int k = 0; k < 5; k++) assert_int_not_equal(begin(NULL, &bad[k]), ARNE_OK);
    arne_identifier_free(NULL);
    arne_identified_free(NULL);
}

static void logs_and_rows(void **state)
{
    (void)state;
    const arne_identify_log log = {.size = sizeof log, .has_qd = true}, none = {0};
    const arne_known_load far = {.link = 99};
    const arne_identify_log loaded = {.size = sizeof log, .load = &far};
    double x[2] = {0, 1}, hole[2] = {0, NAN};
    arne_identifier *i;
    arne_identified *r;
    arne_error error;
    assert_int_equal(arne_identifier_new(m, NULL, &i, NULL), ARNE_OK);
    assert_int_equal(arne_identifier_row(i, 0, x, x, x, x, NULL), BAD); /* no log yet */
    assert_int_equal(arne_identify(i, &r, &error), ARNE_BAD_VALUE);
    assert_null(r);
    assert_int_equal(arne_identifier_log(NULL, &log, NULL), BAD);
    assert_int_equal(arne_identifier_log(i, NULL, NULL), BAD);
    assert_int_equal(arne_identifier_log(i, &none, NULL), BAD);
    assert_int_equal(arne_identifier_log(i, &loaded, NULL), BAD);
    assert_int_equal(arne_identifier_log(i, &log, NULL), ARNE_OK);
    assert_int_equal(arne_identifier_row(NULL, 0, x, x, x, x, NULL), BAD);
    assert_int_equal(arne_identifier_row(i, 0, NULL, x, x, x, NULL), BAD);
    assert_int_equal(arne_identifier_row(i, 0, x, NULL, x, x, NULL), BAD); /* the log has speeds */
    assert_int_equal(arne_identifier_row(i, 0, x, x, NULL, NULL, NULL), BAD);
    assert_int_equal(arne_identifier_row(i, 0, x, x, NULL, hole, &error), ARNE_BAD_VALUE);
    assert_int_equal(arne_identifier_row(i, NAN, x, x, NULL, x, &error), ARNE_BAD_VALUE);
    assert_int_equal(arne_identifier_row(i, 1, x, x, NULL, x, NULL), ARNE_OK);
    assert_int_equal(arne_identifier_row(i, 0.5, x, x, NULL, x, &error), ARNE_BAD_VALUE);
    assert_non_null(strstr(error.message, "backwards"));
    assert_int_equal(arne_identify(i, &r, &error), ARNE_BAD_VALUE);
    assert_non_null(strstr(error.message, "too few"));
    assert_int_equal(arne_identify(NULL, &r, NULL), BAD);
    assert_int_equal(arne_identify(i, NULL, NULL), BAD);
    assert_int_equal(arne_identifier_read(NULL, ARNE_LOG_LEARN, "x", NULL, false, NULL), BAD);
    assert_int_equal(arne_identifier_read(i, ARNE_LOG_LEARN, NULL, NULL, false, NULL), BAD);
    assert_int_equal(arne_identified_apply(NULL, NULL, NULL), BAD);
    arne_identifier_free(i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(options), cmocka_unit_test(logs_and_rows)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
