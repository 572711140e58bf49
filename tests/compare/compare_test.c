/* SPDX-License-Identifier: MIT
 *
 * compare_test.c - published counts as formulas and beside ours; formulations, variants and functions of a robot side by side. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "arne/compare.h"
#include "arne/file.h"
#include "support/subject.h"

static subject robot(const char *name)
{
    char path[512];
    arne_description *d;
    snprintf(path, sizeof path, "%s/%s.yaml", ARNE_ROBOTS, name);
    assert_int_equal(arne_read(path, NULL, &d, NULL), ARNE_OK);
    return subject_of(d);
}

static void formulas_have_values_and_words(void **state)
{
    (void)state;
    char text[64];
    const arne_sixths p = {80, 543, 79, 0}, q = {0, 0, -12, -6};
    assert_int_equal(arne_sixths_at(&p, 6), (80 * 216 + 543 * 36 + 79 * 6) / 6);
    assert_string_equal(arne_sixths_text(&p, text, sizeof text), "40/3 n^3 + 181/2 n^2 + 79/6 n");
    assert_string_equal(arne_sixths_text(&q, text, sizeof text), "-2 n - 1");
}

static void our_counts_are_at_or_below_the_recount(void **state)
{
    (void)state;
    arne_operations written, passes;
    for (const arne_published_count *r = arne_published_counts(); r->title; r++)
        for (int n = 1; n <= 4; n++) {
            assert_int_equal(arne_count_arm(n, r->count, r->diagonal, 0, &written, &passes, NULL), ARNE_OK);
            assert_true(written.mul <= arne_sixths_at(&r->recount_mul, n) && written.add <= arne_sixths_at(&r->recount_add, n));
            assert_true(passes.mul <= written.mul);
        }
    const arne_published_depth *d = arne_published_depths();
    assert_int_equal(arne_count_arm(6, "turney", true, 1, &written, &passes, NULL), ARNE_OK);
    assert_true(written.depth <= arne_sixths_at(&d->depth, 6) && arne_sixths_at(&d->task_mul, 6) == 204);
    assert_true(arne_sixths_at(&d->task_add, 6) == 203);
    assert_true(written.steps >= written.mul + written.add); /* one processor: one after the other */
    arne_error e;
    assert_int_not_equal(arne_count_arm(3, "nothing", true, 0, &written, &passes, &e), ARNE_OK);
    assert_non_null(strstr(e.message, "nothing"));
}

static void formulations_agree(void **state)
{
    (void)state;
    arne_method_result r[ARNE_METHODS];
    const arne_count_options o = {.size = sizeof o, .general = true};
    subject s = robot("rx90");
    assert_int_equal(arne_compare_methods(s.data, &o, 1e-6, r, NULL), ARNE_OK);
    for (int k = 0; k < ARNE_METHODS; k++) {
        assert_false(r[k].left_out || r[k].singular);
        assert_true(r[k].agreement < 1e-11 && r[k].ns > 0 && r[k].order >= 1 && r[k].order <= 3);
        assert_true(!r[k].counted || r[k].cost.mul > 0);
    }
    assert_true(!strcmp(r[0].name, "ne") && r[0].agreement == 0);
    subject_close(&s);

    for (int more = 0; more < 2; more++) { /* methods of order n^3 are left out beyond so many joints */
        s = subject_of(long_chain(ARNE_METHODS_CUBIC + more));
        assert_int_equal(arne_compare_methods(s.data, &o, 1e-6, r, NULL), ARNE_OK);
        for (int k = 0; k < ARNE_METHODS; k++)
            if (!strcmp(r[k].name, "lagrange") || !strcmp(r[k].name, "strobe-coriolis")) assert_int_equal(r[k].left_out, more);
        subject_close(&s);
    }
}

/* a free base: what is for joints of one freedom says so */
static void a_free_base_is_compared_and_timed(void **state)
{
    (void)state;
    arne_method_result r[ARNE_METHODS];
    arne_variant_result v[ARNE_VARIANTS];
    arne_function_time t[ARNE_TIMED];
    arne_error e;
    int lanes, compared = 0;
    subject s = subject_number(shipped_robots() + RANDOM_FAMILIES, RANDOM_WIDE);
    assert_true(s.nq != s.n);
    assert_int_equal(arne_compare_methods(s.data, &(arne_count_options){.size = sizeof(arne_count_options)}, 1e-6, r, &e),
                     ARNE_OK);
    for (int k = 0; k < ARNE_METHODS; k++) {
        assert_true(r[k].narrow || r[k].agreement < 1e-11);
        compared += !r[k].narrow;
    }
    assert_int_equal(compared, 7); /* three sets of Newton and Euler, composite bodies, three forward dynamics */
    assert_int_equal(arne_time_functions(s.data, 1e-6, t, &lanes, &e), ARNE_OK);
    for (int k = 0; k < ARNE_TIMED; k++) assert_int_equal(isnan(t[k].median), t[k].elastic);
    assert_int_equal(arne_compare_variants(s.data, v, &e), ARNE_UNSUPPORTED);
    assert_non_null(strstr(e.message, "[000 section IV]"));
    subject_close(&s);
}

static void two_variants_are_valid(void **state)
{
    (void)state;
    arne_variant_result r[ARNE_VARIANTS];
    subject s = robot("dlr-lwr3");
    assert_int_equal(arne_compare_variants(s.data, r, NULL), ARNE_OK);
    for (int k = 0; k < ARNE_VARIANTS; k++) {
        assert_int_equal(r[k].valid, k == 1 || k == 14);
        assert_true(r[k].product < 1e-12 && (r[k].valid ? r[k].skew < 1e-12 : r[k].skew > 1e-4));
    }
    subject_close(&s);

    arne_error e;
    s = subject_of(long_chain(ARNE_VARIANTS_MOST_JOINTS));
    assert_int_equal(arne_compare_variants(s.data, r, &e), ARNE_OK);
    subject_close(&s);
    s = subject_of(long_chain(ARNE_VARIANTS_MOST_JOINTS + 1));
    assert_int_equal(arne_compare_variants(s.data, r, &e), ARNE_UNSUPPORTED);
    assert_non_null(strstr(e.message, "61 joints"));
    subject_close(&s);
    arne_method_result m[ARNE_METHODS];
    s = subject_of(long_chain(ARNE_METHODS_MOST_JOINTS + 1));
    assert_int_equal(arne_compare_methods(s.data, &(arne_count_options){.size = sizeof(arne_count_options)}, 1e-6, m, &e),
                     ARNE_UNSUPPORTED);
    assert_true(strstr(e.message, "501 joints") && e.line == 0); /* no line of a file is to blame */
    subject_close(&s);
}

static void functions_are_timed_where_they_apply(void **state)
{
    (void)state;
    arne_function_time t[ARNE_TIMED];
    int lanes;
    for (int elastic = 0; elastic < 2; elastic++) {
        subject s = robot(elastic ? "kuka-lwr" : "planar2r");
        assert_int_equal(arne_time_functions(s.data, 1e-6, t, &lanes, NULL), ARNE_OK);
        assert_true(lanes >= 2);
        for (int k = 0; k < ARNE_TIMED; k++) {
            assert_int_equal(isnan(t[k].median), t[k].elastic && !elastic);
            assert_true(isnan(t[k].median) || (t[k].least > 0 && t[k].least <= t[k].median));
        }
        subject_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_have_values_and_words),
        cmocka_unit_test(our_counts_are_at_or_below_the_recount),
        cmocka_unit_test(formulations_agree),
        cmocka_unit_test(a_free_base_is_compared_and_timed),
        cmocka_unit_test(two_variants_are_valid),
        cmocka_unit_test(functions_are_timed_where_they_apply),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
