/* SPDX-License-Identifier: MIT
 *
 * parameters_test.c - derivatives by inertial parameters and by a load, against robots whose parameters and loads are others. */
#include "kinds/settings.h"

#include <stdlib.h>

enum { ROBOTS = FEWER(150), N = MOST_DOF, MOST = 14, WIDTH = ARNE_LINK_PARAMETERS, LOAD = ARNE_LOAD_PARAMETERS };

/* by four points, steps of 1e-4 of what changes: of what cancels in them, times the condition of M */
static const double DIFFERENCES = 1e-8;
static const double CLOSE = 1e-11;

/* d/ds of accelerations at s = 0, the parameters K + s dK */
static void differences(arne_data *d, const motion *x, int count, const double *K, const double *dK, double h, double *y)
{
    const int n = arne_model_nv(arne_data_model(d));
    double f[4][N], *at = malloc((size_t)count * sizeof *at);
    assert_non_null(at);
    for (int p = 0; p < 4; p++) {
        for (int i = 0; i < count; i++) at[i] = K[i] + h * (const double[]){-2, -1, 1, 2}[p] * dK[i];
        assert_int_equal(arne_set_parameters(arne_data_settings(d), at), ARNE_OK);
        assert_int_equal(arne_fd(d, x->q, x->qd, x->qdd, f[p]), ARNE_OK);
    }
    assert_int_equal(arne_set_parameters(arne_data_settings(d), K), ARNE_OK);
    for (int i = 0; i < n; i++) y[i] = (8 * (f[2][i] - f[1][i]) - (f[3][i] - f[0][i])) / (12 * h);
    free(at);
}

static void accelerations_of_other_parameters(void **state)
{
    (void)state;
    for (int number = 0; number < ROBOTS; number++) {
        /* coupled rotors keep their inertia when parameters are set */
        subject s = subject_number(shipped_robots() + number, parts_of(number) & ~(unsigned)RANDOM_TRANSMISSION);
        const int joints = arne_model_bodies(s.m), count = WIDTH * joints;
        static double D[MOST * WIDTH * MOST], K[WIDTH * MOST], dK[WIDTH * MOST];
        double is[MOST], should[MOST], M[MOST * MOST], e[MOST];
        if (s.n > MOST) {
            subject_close(&s);
            continue;
        }
        set_up(&s, number % SETTINGS);
        const motion x = subject_motion(&s, 1);
        assert_int_equal(arne_parameters(s.settings, K), ARNE_OK);
        assert_int_equal(arne_fd_by_parameters(s.data, x.q, x.qd, x.qdd, D), ARNE_OK);
        /* every parameter by itself would take long: all of them along a few random ways, each beside what it is */
        for (int k = 0; k < 6; k++) {
            double size = 0;
            random_vector(&s.r, count, 1, dK);
            for (int i = 0; i < count; i++) dK[i] *= 0.1 * K[i];
            differences(s.data, &x, count, K, dK, 1e-3, should);
            for (int i = 0; i < s.n; i++) {
                is[i] = 0;
                for (int c = 0; c < count; c++)
                    is[i] += D[i * count + c] * dK[c], size = fmax(size, fabs(D[i * count + c] * dK[c]));
            }
            expect_near(&s, "dqdd/dK", s.n, is, should, DIFFERENCES, fmax(size, largest(s.n, should)));
        }
        /* every column: M dqdd/dK + Y = 0 */
        static double Y[MOST * WIDTH * MOST];
        assert_int_equal(arne_fd(s.data, x.q, x.qd, x.qdd, e), ARNE_OK);
        assert_int_equal(arne_regressor(s.data, x.q, x.qd, e, Y), ARNE_OK);
        assert_int_equal(arne_mass(s.data, x.q, M), ARNE_OK);
        const double scale = largest(s.n * s.n, M) * largest(s.n * count, D) + largest(s.n * count, Y);
        for (int c = 0; c < count; c++)
            for (int i = 0; i < s.n; i++) {
                double sum = Y[i * count + c];
                for (int j = 0; j < s.n; j++) sum += M[i * s.n + j] * D[j * count + c];
                assert_true(fabs(sum) <= CLOSE * scale);
            }
        subject_close(&s);
    }
}

/* of friction too: FV and FS of a joint act as a torque -qd, -sign(qd) would */
static void accelerations_of_other_friction(void **state)
{
    (void)state;
    for (int number = 0; number < FEWER(60); number++) {
        subject s = subject_number(shipped_robots() + number, parts_of(number));
        const int joints = arne_model_bodies(s.m), count = WIDTH * joints, width = (WIDTH + 2) * joints;
        static double D[MOST * WIDTH * MOST], F[MOST * (WIDTH + 2) * MOST];
        double dq[MOST * MOST], dqd[MOST * MOST], inverse[MOST * MOST];
        const motion x = subject_motion(&s, 1);
        if (s.n <= MOST) {
            assert_int_equal(arne_fd_by_parameters(s.data, x.q, x.qd, x.qdd, D), ARNE_OK);
            assert_int_equal(arne_fd_by_parameters_friction(s.data, x.q, x.qd, x.qdd, F), ARNE_OK);
            assert_int_equal(arne_fd_derivatives(s.data, x.q, x.qd, x.qdd, dq, dqd, inverse), ARNE_OK);
            const double scale = largest(s.n * count, D), size = largest(s.n * s.n, inverse) * largest(s.n, x.qd);
            for (int i = 0; i < s.n; i++) {
                for (int c = 0; c < count; c++) assert_true(fabs(F[i * width + c] - D[i * count + c]) <= 1e-9 * scale);
                for (int j = 0; j < joints; j++) {
                    const int v = arne_joint_v(s.m, arne_body_joint(s.m, j));
                    const bool one = arne_joint_kind(s.m, arne_body_joint(s.m, j)) <= ARNE_PRISMATIC;
                    const double a = one ? -inverse[i * s.n + v] * x.qd[v] : 0;
                    const double b = one ? -inverse[i * s.n + v] * ((x.qd[v] > 0) - (x.qd[v] < 0)) : 0;
                    assert_true(fabs(F[i * width + count + 2 * j] - a) <= 1e-9 * size);
                    assert_true(fabs(F[i * width + count + 2 * j + 1] - b) <= 1e-9 * fmax(size, largest(s.n * s.n, inverse)));
                }
            }
        }
        subject_close(&s);
    }
}

/* a body about the origin of its link: XX XY XZ YY YZ ZZ MX MY MZ M [003 eq. 9.13] */
static void load_of(const arne_body *b, double K[LOAD])
{
    const double m = b->mass, *c = b->com, d = m * (c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
    static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; k++) K[k] = b->inertia[k] + (row[k] == column[k] ? d : 0) - m * c[row[k]] * c[column[k]];
    for (int k = 0; k < 3; k++) K[6 + k] = m * c[k];
    K[9] = m;
}

static arne_body scaled(arne_body b, double by)
{
    b.mass *= by;
    for (int k = 0; k < 6; k++) b.inertia[k] *= by;
    return b;
}

static void torques_and_accelerations_of_other_loads(void **state)
{
    (void)state;
    for (int number = 0; number < shipped_robots() + ROBOTS; number++) {
        subject s = subject_number(number, parts_of(number));
        set_up(&s, number % 2);
        const motion x = subject_motion(&s, 1);
        const arne_body load = random_body(&s.r);
        double Y[N * LOAD], K[LOAD], with[N], without[N], is[N], should[N], f[4][N];
        load_of(&load, K);
        for (int link = 0; link < s.nlink; link += 1 + link % 2) {
            assert_int_equal(arne_set_payload(s.settings, link, NULL), ARNE_OK);
            assert_int_equal(arne_id_by_payload(s.data, x.q, x.qd, x.qdd, link, Y), ARNE_OK);
            assert_int_equal(arne_id(s.data, x.q, x.qd, x.qdd, without), ARNE_OK);
            assert_int_equal(arne_set_payload(s.settings, link, &load), ARNE_OK);
            assert_int_equal(arne_id(s.data, x.q, x.qd, x.qdd, with), ARNE_OK);
            for (int i = 0; i < s.n; i++) {
                is[i] = 0;
                for (int c = 0; c < LOAD; c++) is[i] += Y[i * LOAD + c] * K[c];
                should[i] = with[i] - without[i];
            }
            expect_near(&s, "torques of a load", s.n, is, should, 1e-12, fmax(carried(&s, &x), largest(s.n * LOAD, Y)));
            /* the load grows from what it is now */
            assert_int_equal(arne_fd_by_payload(s.data, x.q, x.qd, x.qdd, link, Y), ARNE_OK);
            for (int p = 0; p < 4; p++) {
                const arne_body other = scaled(load, 1 + 1e-3 * (const double[]){-2, -1, 1, 2}[p]);
                assert_int_equal(arne_set_payload(s.settings, link, &other), ARNE_OK);
                assert_int_equal(arne_fd(s.data, x.q, x.qd, x.qdd, f[p]), ARNE_OK);
            }
            double size = 0;
            for (int i = 0; i < s.n; i++) {
                is[i] = 0;
                for (int c = 0; c < LOAD; c++) is[i] += Y[i * LOAD + c] * K[c], size = fmax(size, fabs(Y[i * LOAD + c] * K[c]));
                should[i] = (8 * (f[2][i] - f[1][i]) - (f[3][i] - f[0][i])) / 12e-3;
            }
            expect_near(&s, "accelerations of a load", s.n, is, should, DIFFERENCES,
                        fmax(size, fmax(largest(s.n, f[0]), largest(s.n, should))));
        }
        subject_close(&s);
    }
}

/* a tip that weighs nothing, or torques that are none: the status says which joint, nothing is left */
static void what_cannot_be_inverted_is_said(void **state)
{
    (void)state;
    enum { JOINTS = 4 };
    double D[JOINTS * (WIDTH + 2) * JOINTS];
    for (int nan = 0; nan < 2; nan++) {
        arne_description *d = long_chain(JOINTS);
        if (!nan) d->links[JOINTS].body = (arne_body){0};
        subject s = subject_of(d);
        motion x = subject_motion(&s, 1);
        if (nan) x.qd[2] = NAN;
        const arne_status should = nan ? ARNE_NOT_FINITE : ARNE_SINGULAR;
        for (int k = 0; k < 3; k++) {
            const int size = JOINTS * (k == 2 ? LOAD : k ? (WIDTH + 2) * JOINTS : WIDTH * JOINTS);
            memset(D, 1, sizeof D);
            const arne_status is = k == 0   ? arne_fd_by_parameters(s.data, x.q, x.qd, x.qdd, D)
                                   : k == 1 ? arne_fd_by_parameters_friction(s.data, x.q, x.qd, x.qdd, D)
                                            : arne_fd_by_payload(s.data, x.q, x.qd, x.qdd, JOINTS, D);
            assert_int_equal(is, should);
            if (nan)
                assert_in_range(arne_data_joint(s.data), 0, JOINTS - 1);
            else
                assert_int_equal(arne_data_joint(s.data), JOINTS - 1);
            assert_true(largest(size, D) == 0);
        }
        subject_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accelerations_of_other_parameters),
        cmocka_unit_test(accelerations_of_other_friction),
        cmocka_unit_test(torques_and_accelerations_of_other_loads),
        cmocka_unit_test(what_cannot_be_inverted_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
