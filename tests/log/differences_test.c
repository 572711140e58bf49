/* SPDX-License-Identifier: MIT
 *
 * differences_test.c - derivatives that a table lacks, and angles in degrees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "arne/file.h"
#include "arne/log.h"
#include "support/tempfile.h"

/* q1 = 1 + 2 t - 3 t^2, q2 = t^2: what is made is exact for them, in whatever steps they come. */
static void parabolas_are_exact(void **state)
{
    (void)state;
    static const char *const headers[] = {"t,q1,q2\n", "t,q1,q2,qd1,qd2\n"};
    static const double times[] = {0, 0.1, 0.25, 0.3, 1, 1.5};
    arne_model *m;
    assert_int_equal(arne_load(ARNE_ROBOTS "/planar2r.yaml", &m, NULL), ARNE_OK);
    for (int degrees = 0; degrees < 2; degrees++)
        for (int given = 0; given < 2; given++) {
            const double unit = degrees ? 180 / acos(-1) : 1;
            char text[1024];
            int n = snprintf(text, sizeof text, "%s", headers[given]);
            for (int k = 0; k < 6; k++) {
                const double t = times[k];
                n += snprintf(text + n, sizeof text - (size_t)n, "%.17g,%.17g,%.17g", t, unit * (1 + 2 * t - 3 * t * t),
                              unit * t * t);
                if (given) n += snprintf(text + n, sizeof text - (size_t)n, ",%.17g,%.17g", unit * (2 - 6 * t), unit * 2 * t);
                n += snprintf(text + n, sizeof text - (size_t)n, "\n");
            }
            temp_folder f = temp_open();
            arne_states s;
            bool more;
            assert_int_equal(arne_states_open(&s, temp_write(&f, "a.csv", text), m, false, NULL), ARNE_OK);
            s.degrees = degrees;
            assert_int_equal(arne_states_differentiate(&s, NULL), ARNE_OK);
            for (int k = 0; k < 6; k++) {
                const double t = times[k];
                assert_int_equal(arne_states_next(&s, &more, NULL), ARNE_OK);
                assert_true(more && *arne_states_time(&s) == t && s.file.line == k + 2);
                const double *q = arne_states_of(&s, ARNE_COLUMN_Q), *qd = arne_states_of(&s, ARNE_COLUMN_QD),
                             *qdd = arne_states_of(&s, ARNE_COLUMN_QDD);
                assert_true(fabs(q[0] - (1 + 2 * t - 3 * t * t)) < 1e-12 && fabs(q[1] - t * t) < 1e-12);
                assert_true(fabs(qd[0] - (2 - 6 * t)) < 1e-11 && fabs(qd[1] - 2 * t) < 1e-11);
                assert_true(fabs(qdd[0] + 6) < 1e-10 && fabs(qdd[1] - 2) < 1e-10);
            }
            assert_int_equal(arne_states_next(&s, &more, NULL), ARNE_OK);
            assert_false(more);
            arne_states_close(&s);
            temp_close(&f);
        }
    arne_model_free(m);
}

/* A spherical joint that turns about one axis by angle t^2: qd = 2 t axis, qdd = 2 axis; seen from each row the positions lie on
 * a parabola, so what is made is exact. */
static void turns_about_an_axis_are_exact(void **state)
{
    (void)state;
    static const double axis[] = {0.48, -0.6, 0.64}, times[] = {0.1, 0.2, 0.35, 0.5, 0.6};
    arne_description *d = arne_description_new("ball");
    assert_non_null(arne_description_link(d, "base", 0));
    arne_description_link(d, "ball", 0)->body = (arne_body){1, {0}, {1, 0, 0, 1, 0, 1}};
    assert_non_null(arne_description_joint(d, "ball", 0, ARNE_SPHERICAL, "base", "ball"));
    arne_model *m;
    assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
    for (int given = 0; given < 2; given++) {
        char text[1024];
        int n = snprintf(text, sizeof text, "t,q1,q2,q3,q4%s\n", given ? ",qd1,qd2,qd3" : "");
        for (int k = 0; k < 5; k++) {
            const double half = times[k] * times[k] / 2, s = sin(half);
            n += snprintf(text + n, sizeof text - (size_t)n, "%.17g,%.17g,%.17g,%.17g,%.17g", times[k], s * axis[0], s * axis[1],
                          s * axis[2], cos(half));
            for (int i = 0; i < 3 && given; i++)
                n += snprintf(text + n, sizeof text - (size_t)n, ",%.17g", 2 * times[k] * axis[i]);
            n += snprintf(text + n, sizeof text - (size_t)n, "\n");
        }
        temp_folder f = temp_open();
        arne_states s;
        bool more;
        assert_int_equal(arne_states_open(&s, temp_write(&f, "a.csv", text), m, false, NULL), ARNE_OK);
        assert_int_equal(arne_states_differentiate(&s, NULL), ARNE_OK);
        for (int k = 0; k < 5; k++) {
            assert_int_equal(arne_states_next(&s, &more, NULL), ARNE_OK);
            assert_true(more && s.file.line == k + 2);
            const double *qd = arne_states_of(&s, ARNE_COLUMN_QD), *qdd = arne_states_of(&s, ARNE_COLUMN_QDD);
            for (int i = 0; i < 3; i++)
                assert_true(fabs(qd[i] - 2 * times[k] * axis[i]) < 1e-12 && fabs(qdd[i] - 2 * axis[i]) < 1e-11);
        }
        arne_states_close(&s);
        temp_close(&f);
    }
    arne_model_free(m);
    arne_description_free(d);
}

static void what_has_no_derivatives_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *words;
    } bad[] = {{"q1,q2\n0,0\n", 1, "derivatives are made from columns t and q1, q2, ...: they are missing"},
               {"t,qd1,qd2\n0,0,0\n", 1, "derivatives are made from columns t and q1, q2, ...: they are missing"},
               {"t,q1,q2\n0,0,0\n1,0,0\n", 3, "derivatives need at least three rows"},
               {"t,q1,q2\n0,0,0\n", 2, "derivatives need at least three rows"},
               {"t,q1,q2\n0,0,0\n2,0,0\n1.5,0,0\n", 4, "t = 1.5 does not come after t = 2"},
               {"t,q1,q2\n0,0,0\n1,0,0\n2,0,0\n3,0,0\n3,0,0\n", 6, "t = 3 does not come after t = 3"},
               {"t,q1,q2\n0,0,0\n1,0,x\n", 3, "column q2: \"x\" is not a number"}};
    arne_model *m;
    arne_states s;
    arne_error e;
    assert_int_equal(arne_load(ARNE_ROBOTS "/planar2r.yaml", &m, NULL), ARNE_OK);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        temp_folder f = temp_open();
        bool more = true;
        assert_int_equal(arne_states_open(&s, temp_write(&f, "a.csv", bad[k].text), m, false, &e), ARNE_OK);
        arne_status status = arne_states_differentiate(&s, &e);
        while (!status && more) status = arne_states_next(&s, &more, &e);
        if (!status || e.line != bad[k].line || strcmp(e.message, bad[k].words)) fail_msg("%d: %s", e.line, e.message);
        arne_states_close(&s);
        temp_close(&f);
    }
    assert_int_equal(arne_states_open(&s, NULL, m, false, &e), ARNE_OK);
    assert_int_equal(arne_states_differentiate(&s, &e), ARNE_BAD_SYNTAX);
    assert_true(e.line == 0 && !*e.file);
    arne_states_close(&s);
    arne_model_free(m);
}

static void a_log_in_degrees_becomes_radians(void **state)
{
    (void)state;
    arne_model *m;
    assert_int_equal(arne_load(ARNE_ROBOTS "/scara.yaml", &m, NULL), ARNE_OK); /* its third joint slides */
    double q[] = {90, 180, 0.5, -90}, tau[] = {1, 2, 3, 4};
    arne_log l = {.count = 1, .n = 4, .q = q, .tau = tau};
    assert_int_equal(arne_joint_far(m, q), 0);
    arne_log_radians(&l, m);
    assert_true(fabs(q[0] - acos(0)) < 1e-15 && fabs(q[1] - acos(-1)) < 1e-15 && q[2] == 0.5 && fabs(q[3] + acos(0)) < 1e-15);
    assert_true(tau[0] == 1 && tau[3] == 4);
    assert_int_equal(arne_joint_far(m, q), -1);
    q[2] = 90; /* metres are what they are */
    assert_int_equal(arne_joint_far(m, q), -1);
    q[3] = NAN;
    assert_int_equal(arne_joint_far(m, q), -1);
    arne_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parabolas_are_exact),
        cmocka_unit_test(turns_about_an_axis_are_exact),
        cmocka_unit_test(what_has_no_derivatives_is_refused),
        cmocka_unit_test(a_log_in_degrees_becomes_radians),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
