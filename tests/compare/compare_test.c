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
#include "arne/derive.h"
#include "arne/coriolis.h"
#include "arne/file.h"
#include "arne/formulations.h"
#include "base/clock.h"
#include "base/random.h"
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

/* as doc/formulations.md and errata.md, part two 5.5, print them */
static void published_formulas_are_those_of_the_documents(void **state)
{
    (void)state;
    static const char *const should[][5] = {
        {"Lagrange", "27/2 n^3 + 165/2 n^2 + 5 n", "40/3 n^3 + 58 n^2 - 64/3 n", "40/3 n^3 + 181/2 n^2 + 79/6 n",
         "32/3 n^3 + 149/2 n^2 - 13/6 n"},
        {"recursive Lagrange", "226 n", "144 n", "235 n - 69", "189 n - 75"},
        {"Newton-Euler", "108 n - 12", "100 n - 9", "112 n - 38", "98 n - 40"},
        {"modified Newton-Euler, K diagonal", "90 n - 27", "88 n - 24", "94 n - 38", "83 n - 40"},
        {"modified Newton-Euler, K full", "", "", "115 n - 38", "101 n - 40"},
        {"inertia matrix by strobing", "36 n^2 + 36 n", "26 n^2 + 26 n", "37 n^2 - 5 n", "61/2 n^2 - 17/2 n"},
        {"arrays C by strobing", "54 n^3 + 27 n^2 + 9 n", "54 n^3 + 27 n^2 + 9 n", "67/2 n^3 + 41/2 n^2 - 13 n",
         "57/2 n^3 + 27/2 n^2 - 14 n"},
    };
    const arne_published_count *r = arne_published_counts();
    char text[64];
    for (size_t k = 0; k < sizeof should / sizeof *should; k++, r++) {
        const arne_sixths *of[] = {&r->printed_mul, &r->printed_add, &r->recount_mul, &r->recount_add};
        assert_string_equal(r->title, should[k][0]);
        for (int i = 0; i < 4; i++) assert_string_equal(arne_sixths_text(of[i], text, sizeof text), should[k][i + 1]);
    }
    assert_null(r->title);
    const arne_published_depth *d = arne_published_depths();
    assert_string_equal(arne_sixths_text(&d->task_mul, text, sizeof text), "27 n + 42");
    assert_string_equal(arne_sixths_text(&d->task_add, text, sizeof text), "27 n + 41");
    assert_string_equal(arne_sixths_text(&d->depth, text, sizeof text), "8 n + 4");
    char small[12]; /* what has no room is cut off */
    assert_string_equal(arne_sixths_text(&arne_published_counts()->recount_mul, small, sizeof small), "40/3 n^3 + ");
}

/* An arm of n links like the one that is counted, with other numbers. */
static subject other_arm(int n, bool diagonal)
{
    arne_description *d = arne_description_new("other");
    assert_non_null(arne_description_link(d, "l0", 0));
    for (int i = 0; i < n; i++) {
        char name[16], parent[16];
        snprintf(name, sizeof name, "l%d", i + 1);
        snprintf(parent, sizeof parent, "l%d", i);
        const double off = diagonal ? 0 : 0.1 + 0.013 * i;
        arne_description_link(d, name, 0)->body =
            (arne_body){3.7 - 0.3 * i, {0.21, -0.33 - 0.01 * i, 0.17}, {1.3, off, -0.7 * off, 1.7, 0.4 * off, 1.9}};
        arne_joint_description *j = arne_description_joint(d, name, 0, ARNE_REVOLUTE, parent, name);
        if (i) j->dh[2] = 0.9 - 0.07 * i, j->dh[3] = 0.31, j->dh[5] = -0.23;
        j->before = arne_pose_mdh(j->dh);
    }
    d->mdh = true;
    return subject_of(d);
}

/* The numbers of the general arm are arbitrary: another arm of its kind costs the same. */
static void the_general_arm_is_general(void **state)
{
    (void)state;
    static const char *const names[] = {"turney", "newton-euler", "strobe-coriolis"};
    enum { LINKS = 3 };
    for (int diagonal = 0; diagonal < 2; diagonal++) {
        subject s = other_arm(LINKS, diagonal);
        for (int k = 0; k < 3; k++) {
            arne_operations written, passes, other;
            arne_count_options o = {.size = sizeof o, .general = !diagonal, .given = true, .as_written = true, .processors = 2};
            assert_int_equal(arne_count_arm(LINKS, names[k], diagonal, 2, &written, &passes, NULL), ARNE_OK);
            assert_int_equal(arne_count(s.data, names[k], &o, &other), ARNE_OK);
            assert_true(written.mul == other.mul && written.add == other.add && written.steps == other.steps);
            assert_true(written.trig == 0 && written.depth == other.depth);
            o.as_written = false;
            assert_int_equal(arne_count(s.data, names[k], &o, &other), ARNE_OK);
            assert_true(passes.mul == other.mul && passes.add == other.add && passes.depth == other.depth);
            assert_true(passes.mul + passes.add < written.mul + written.add && passes.steps == other.steps);
        }
        subject_close(&s);
    }
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
    assert_string_equal(e.message, "nothing to count is called nothing");
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

static arne_description *planar(void)
{
    arne_description *d;
    assert_int_equal(arne_read(ARNE_ROBOTS "/planar2r.yaml", NULL, &d, NULL), ARNE_OK);
    return d;
}

/* A torque that is no number is none that agrees, whichever joint it is of; the Coriolis arrays know nothing of friction. */
static void a_torque_that_overflows_does_not_agree(void **state)
{
    (void)state;
    arne_method_result r[ARNE_METHODS];
    for (size_t joint = 0; joint < 2; joint++) {
        arne_description *d = planar();
        d->joints[joint].friction.viscous = 1e308; /* speeds are up to 2 rad/s */
        subject s = subject_of(d);
        const arne_count_options o = {.size = sizeof o, .general = true};
        assert_int_equal(arne_compare_methods(s.data, &o, 1e-6, r, NULL), ARNE_OK);
        for (int k = 0; k < ARNE_METHODS; k++)
            if (!r[k].singular) assert_int_equal(!(r[k].agreement < 1e-11), strcmp(r[k].computes, "coriolis arrays") != 0);
        subject_close(&s);
    }
}

/* Agreement is relative: a robot 2^30 times as heavy, whose torques have the same digits, agrees as well. */
static void agreement_is_a_part_of_the_largest_torque(void **state)
{
    (void)state;
    arne_method_result r[2][ARNE_METHODS];
    const arne_count_options o = {.size = sizeof o, .general = true};
    for (int heavy = 0; heavy < 3; heavy++) { /* the last one weighs nothing: no torques at all */
        const double times = heavy == 2 ? 0 : heavy ? 0x1p30 : 1;
        arne_description *d = planar();
        for (size_t i = 0; i < d->nlink; i++) {
            d->links[i].body.mass *= times;
            for (int k = 0; k < 6; k++) d->links[i].body.inertia[k] *= times;
        }
        subject s = subject_of(d);
        assert_int_equal(arne_compare_methods(s.data, &o, 1e-6, r[heavy > 0], NULL), ARNE_OK);
        double most = 0;
        for (int k = 0; k < ARNE_METHODS; k++) {
            if (heavy == 1 && strcmp(r[0][k].computes, "coriolis arrays")) assert_true(r[1][k].agreement == r[0][k].agreement);
            if (heavy == 2) assert_true(r[1][k].singular ? !strcmp(r[1][k].computes, "fd") : r[1][k].agreement == 0);
            most = fmax(most, r[0][k].agreement);
        }
        assert_true(most > 0);
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
        const int way = !strcmp(r[k].computes, "id") ? arne_formulation_find(r[k].name) : -1;
        if (way >= 0) assert_ptr_equal(r[k].narrow, arne_formulation_narrow((arne_formulation)way));
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
    double gravity[7];
    const double q[7] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7};
    arne_gravity(s.data, q, gravity);
    for (int i = 0; i < 7; i++) assert_true(gravity[i] == 0); /* it is off afterwards */
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

/* The violations of Mdot = C + C' again, Mdot by differences of M, C column by column of another variant than the two valid ones.
 */
static void violations_are_those_of_differences(void **state)
{
    (void)state;
    enum { N = 7, VARIANT = 5 };
    const double h = 1e-6, none[N] = {0};
    arne_variant_result r[ARNE_VARIANTS];
    subject s = robot("dlr-lwr3");
    assert_int_equal(arne_compare_variants(s.data, r, NULL), ARNE_OK); /* and gravity is off */
    assert_int_equal(arne_data_prepare(s.data, ARNE_DERIVATIVES | ARNE_FORMS, NULL), ARNE_OK);
    random_source random = {.state = 1};
    double skew = 0, size = 0;
    for (int state_ = 0; state_ < ARNE_VARIANTS_STATES; state_++) {
        double q[N], qd[N], ahead[N], behind[N], M[2][N * N], C[N][N];
        for (int i = 0; i < N; i++) q[i] = 3 * arne__random_signed(&random), qd[i] = 2 * arne__random_signed(&random);
        for (int i = 0; i < N; i++) ahead[i] = q[i] + h * qd[i], behind[i] = q[i] - h * qd[i];
        arne_mass(s.data, ahead, M[0]);
        arne_mass(s.data, behind, M[1]);
        for (int k = 0; k < N; k++) {
            double unit[N] = {0};
            unit[k] = 1;
            arne_star_variant(s.data, VARIANT, q, qd, unit, none, C[k]); /* column k */
        }
        for (int i = 0; i < N; i++)
            for (int k = 0; k < N; k++) {
                const double rate = (M[0][i * N + k] - M[1][i * N + k]) / (2 * h);
                size = fmax(size, fabs(rate));
                skew = fmax(skew, fabs(rate - C[k][i] - C[i][k]));
            }
    }
    assert_true(fabs(r[VARIANT].skew / (skew / size) - 1) < 1e-6);
    subject_close(&s);
}

/* The last link weighs nothing: what needs the inverse of the inertia matrix has no time, the rest has. */
static void a_massless_tip_has_no_forward_dynamics(void **state)
{
    (void)state;
    static const char *const singular = " fd_aba fd_crba dfd dfd_parameters batch_fd batch_dfd batch_fd32 ";
    arne_function_time t[ARNE_TIMED];
    int lanes;
    arne_description *d = planar();
    d->links[d->nlink - 1].body = (arne_body){0};
    subject s = subject_of(d);
    assert_int_equal(arne_time_functions(s.data, 1e-6, t, &lanes, NULL), ARNE_OK);
    for (int k = 0; k < ARNE_TIMED; k++) {
        char word[32];
        snprintf(word, sizeof word, " %s ", t[k].name);
        assert_int_equal(isnan(t[k].median), t[k].elastic || strstr(singular, word));
        assert_int_equal(t[k].elastic, !strncmp(t[k].name, "elastic", 7));
    }
    subject_close(&s);
}

/* Times are nanoseconds of one state: about those of a loop of our own, whatever else the machine does. */
static void times_are_nanoseconds(void **state)
{
    (void)state;
    enum { LOOPS = 2000 };
    arne_function_time t[ARNE_TIMED];
    arne_method_result r[ARNE_METHODS];
    int lanes;
    subject s = robot("planar2r");
    const motion x = subject_motion(&s, 1);
    double tau[MOST_DOF], least = INFINITY;
    assert_int_equal(arne_time_functions(s.data, 1e-6, t, &lanes, NULL), ARNE_OK);
    assert_int_equal(arne_compare_methods(s.data, &(arne_count_options){.size = sizeof(arne_count_options)}, 1e-5, r, NULL),
                     ARNE_OK);
    for (int trial = 0; trial < 5; trial++) {
        const double start = arne__clock_now();
        for (int k = 0; k < LOOPS; k++) arne_id(s.data, x.q, x.qd, x.qdd, tau);
        least = fmin(least, 1e9 * (arne__clock_now() - start) / LOOPS);
    }
    assert_string_equal(t[0].name, "id");
    assert_true(t[0].least > least / 10 && t[0].least < 10 * least);
    assert_true(r[0].ns > least / 10 && r[0].ns < 50 * least);
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
        cmocka_unit_test(published_formulas_are_those_of_the_documents),
        cmocka_unit_test(the_general_arm_is_general),
        cmocka_unit_test(our_counts_are_at_or_below_the_recount),
        cmocka_unit_test(formulations_agree),
        cmocka_unit_test(a_torque_that_overflows_does_not_agree),
        cmocka_unit_test(agreement_is_a_part_of_the_largest_torque),
        cmocka_unit_test(a_free_base_is_compared_and_timed),
        cmocka_unit_test(two_variants_are_valid),
        cmocka_unit_test(violations_are_those_of_differences),
        cmocka_unit_test(a_massless_tip_has_no_forward_dynamics),
        cmocka_unit_test(times_are_nanoseconds),
        cmocka_unit_test(functions_are_timed_where_they_apply),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
