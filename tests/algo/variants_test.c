/* SPDX-License-Identifier: MIT
 *
 * variants_test.c - the 16 variants of NE*: stored answers of 45-digit arithmetic, C qd = c for all of them, and which of them
 * have Mdot = C + C' on which robots [ERRATA part one 1.2, 1.3]. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arne/coriolis.h"
#include "support/oracle.h"
#include "support/subject.h"

enum { VARIANTS = 16, N = MOST_DOF };

/* exact answers */
static const double DIGITS = 1e-10;
/* identities between our own texts: rounding, beside |C| + |M| |qd| */
static const double LAW = 1e-12;
/* a variant that does not factor c breaks the law by this much at least, beside the largest entry of Mdot */
static const double BROKEN = 1e-4;

static const char *name_of(int variant)
{
    static const char *const names[VARIANTS] = {"0000", "0001", "0010", "0011", "0100", "0101", "0110", "0111",
                                                "1000", "1001", "1010", "1011", "1100", "1101", "1110", "1111"};
    return names[variant];
}

static bool check_variants(const cJSON *robot, arne_data *d, const cJSON *at)
{
    (void)robot;
    const arne_model *m = arne_data_model(d);
    const int n = arne_model_dof(m);
    const double none[3] = {0};
    double q[N], qd[N], qa[N], qdd[N], u[N], want[N];
    if (!cJSON_GetObjectItem(at, "u_all_variants")) return false;
    arne_set_rigid(arne_data_settings(d), true);
    oracle_numbers(at, "q", n, q);
    oracle_numbers(at, "qd", n, qd);
    oracle_numbers(at, "qda", n, qa);
    oracle_numbers(at, "qdd", n, qdd);
    arne_set_gravity(arne_data_settings(d), cJSON_IsTrue(oracle_field(at, "gravity")) ? arne_model_gravity(m) : none);
    for (int k = 0; k < VARIANTS; k++) {
        arne_star_variant(d, k, q, qd, qa, qdd, u);
        oracle_numbers(oracle_field(at, "u_all_variants"), name_of(k), n, want);
        oracle_close(name_of(k), u, want, n, DIGITS);
    }
    return true;
}

static void stored_answers_of_all_variants(void **state)
{
    (void)state;
    assert_true(oracle_all(".nestar.json", 6, check_variants) >= 5);
}

/* C column by column, gravity off [000 eq. 24, ERRATA part one 1.1] */
static void matrix(subject *s, int variant, const motion *x, double *C)
{
    double unit[N] = {0}, zero[N] = {0}, column[N];
    for (int k = 0; k < s->n; k++) {
        unit[k] = 1;
        arne_star_variant(s->data, variant, x->q, x->qd, unit, zero, column);
        unit[k] = 0;
        for (int i = 0; i < s->n; i++) C[i * s->n + k] = column[i];
    }
}

/* Which variants satisfy Mdot = C + C' here? One bit each. A variant must do so within rounding or fail clearly. */
static unsigned valid_variants(subject *s)
{
    const int n = s->n;
    const double none[3] = {0};
    static double C[N * N], R[N * N], M[N * N];
    double off[VARIANTS] = {0}, size = 0, rate = 0, c[N], unit[N] = {0}, column[N];
    arne_set_gravity(s->settings, none);
    for (int state = 0; state < 3; state++) {
        const motion x = subject_motion(s, 1);
        arne_coriolis_vector(s->data, x.q, x.qd, c);
        arne_mass(s->data, x.q, M);
        for (int k = 0; k < n; k++) {
            unit[k] = 1;
            arne_mass_rate_product(s->data, x.q, x.qd, unit, column);
            unit[k] = 0;
            for (int i = 0; i < n; i++) R[i * n + k] = column[i];
        }
        size = fmax(size, largest(n * n, M) * largest(n, x.qd));
        rate = fmax(rate, largest(n * n, R));
        for (int variant = 0; variant < VARIANTS; variant++) {
            matrix(s, variant, &x, C);
            size = fmax(size, largest(n * n, C));
            double y[N] = {0};
            for (int i = 0; i < n; i++)
                for (int k = 0; k < n; k++) {
                    y[i] += C[i * n + k] * x.qd[k];
                    off[variant] = fmax(off[variant], fabs(R[i * n + k] - C[i * n + k] - C[k * n + i]));
                }
            /* every variant is the Newton-Euler method for qa = qd [000 eq. 17] */
            expect_near(s, "C qd = c", n, y, c, LAW, n * size * largest(n, x.qd));
        }
    }
    unsigned valid = 0;
    for (int variant = 0; variant < VARIANTS; variant++) {
        if (off[variant] <= LAW * size)
            valid |= 1u << variant;
        else if (off[variant] < BROKEN * rate)
            fail_msg("%s: variant %s is neither right nor clearly wrong: off by %.2g of %.3g", s->name, name_of(variant),
                     off[variant], rate);
    }
    return valid;
}

enum { ONLY_TWO = 1u << 1 | 1u << 14, POINTS = ONLY_TWO | 1u << 0 | 1u << 15, ALL = 0xFFFF };

static void expect_valid(arne_description *d, unsigned want)
{
    subject s = subject_of(d);
    const unsigned is = valid_variants(&s);
    if (is != want) fail_msg("%s with %d joints: the valid variants are %#x, should be %#x", s.name, s.n, is, want);
    subject_close(&s);
}

/* n joints in a row of the given types (R, P), links anyhow */
static arne_description *arm(const char *types, unsigned seed)
{
    random_stream r = {seed};
    arne_description *d = arne_description_new(types);
    assert_true(d && arne_description_link(d, "0", 0));
    for (int i = 0; types[i]; i++) {
        const char parent[] = {(char)('0' + i), 0}, child[] = {(char)('1' + i), 0};
        arne_link_description *l = arne_description_link(d, child, 0);
        arne_joint_description *j =
            arne_description_joint(d, child, 0, types[i] == 'R' ? ARNE_REVOLUTE : ARNE_PRISMATIC, parent, child);
        assert_true(l && j);
        j->before = random_pose(&r, 0.5);
        j->after = random_pose(&r, 0.5);
        l->body = random_body(&r);
    }
    return d;
}

static void general_arms_leave_two(void **state)
{
    (void)state;
    static const char *const types[] = {"RR",  "RRR", "RRRR", "RRRRR",  "RRRRRR", "RRRRRRR",
                                        "RRP", "RPR", "RRRP", "RRPRRP", "PRR",    "PRRPR"};
    for (unsigned k = 0; k < sizeof types / sizeof *types; k++)
        for (unsigned seed = 1; seed <= 3; seed++) expect_valid(arm(types[k], 100 * k + seed), ONLY_TWO);
}

/* all axes parallel, links anyhow */
static void planar_arms_allow_all(void **state)
{
    (void)state;
    static const char *const types[] = {"RR", "RRR", "RRRR", "RRRRRR"};
    for (unsigned k = 0; k < sizeof types / sizeof *types; k++) {
        arne_description *d = arm(types[k], 50 + k);
        random_stream r = {k};
        for (size_t i = 0; i < d->njoint; i++) {
            arne_joint_description *j = &d->joints[i];
            j->before = arne_pose_rpy(j->before.p, (double[3]){0, 0, random_between(&r, -3, 3)});
            j->after = arne_pose_rpy(j->after.p, (double[3]){0, 0, random_between(&r, -3, 3)});
        }
        expect_valid(d, ALL);
    }
}

static void arms_that_only_slide_allow_all(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 6; k++) expect_valid(random_robot((unsigned)FAMILY_ALL_PRISMATIC + k * RANDOM_FAMILIES), ALL);
}

static void point_masses_allow_four(void **state)
{
    (void)state;
    static const char *const types[] = {"RRR", "RRRR", "RRRRRR", "RRPRR"};
    for (unsigned k = 0; k < sizeof types / sizeof *types; k++) {
        arne_description *d = arm(types[k], 7 + k);
        for (size_t i = 0; i < d->nlink; i++) memset(d->links[i].body.inertia, 0, sizeof d->links[i].body.inertia);
        expect_valid(d, POINTS);
    }
}

/* branches: the outer links of each see their own way to the base only */
static void trees_leave_two(void **state)
{
    (void)state;
    int seen = 0;
    for (unsigned k = 0; k < 8; k++) {
        subject s = subject_of(random_robot((unsigned)FAMILY_BRANCHED + k * RANDOM_FAMILIES));
        const unsigned valid = valid_variants(&s);
        assert_int_equal(valid & ONLY_TWO, ONLY_TWO);
        seen += valid == ONLY_TWO;
        subject_close(&s);
    }
    assert_true(seen >= 4);
}

/* the fast text and the letters of the paper */
static void the_two_are_those_of_coriolis_c(void **state)
{
    (void)state;
    for (int number = 0; number < shipped_robots() + 4 * RANDOM_FAMILIES; number++) {
        subject s = subject_number(number, RANDOM_ALL);
        const motion x = subject_motion(&s, 1);
        double any[N], u[N], w[N];
        random_vector(&s.r, s.n, 2, any);
        const double scale = carried(&s, &x) + 10 * largest(s.n, any);
        arne_star(s.data, ARNE_STAR0001, x.q, x.qd, any, x.qdd, u);
        arne_star_variant(s.data, 1, x.q, x.qd, any, x.qdd, w);
        expect_near(&s, "0001", s.n, w, u, LAW, scale + largest(s.n, u));
        arne_star(s.data, ARNE_STAR1110, x.q, x.qd, any, x.qdd, u);
        arne_star_variant(s.data, 14, x.q, x.qd, any, x.qdd, w);
        expect_near(&s, "1110", s.n, w, u, LAW, scale + largest(s.n, u));
        subject_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored_answers_of_all_variants),  cmocka_unit_test(general_arms_leave_two),
        cmocka_unit_test(planar_arms_allow_all),           cmocka_unit_test(arms_that_only_slide_allow_all),
        cmocka_unit_test(point_masses_allow_four),         cmocka_unit_test(trees_leave_two),
        cmocka_unit_test(the_two_are_those_of_coriolis_c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
