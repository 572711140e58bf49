/* SPDX-License-Identifier: MIT
 *
 * Robots that move freely: a symmetric top against its closed form, the order of the step, an integrator of its own on rotation
 * matrices, quaternions of unit length, energy, momentum. */
#include "simulate/free.h"

/* ---- rotation matrices, by hand ---- */

static void times(const double A[9], const double B[9], double C[9])
{
    double out[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
    memcpy(C, out, sizeof out);
}

/* about the vector u by its length */
static void turn_by(const double u[3], double R[9])
{
    const double a = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]), s = sin(a), c = cos(a);
    const double x = u[0] / a, y = u[1] / a, z = u[2] / a, d = 1 - c;
    const double out[9] = {c + x * x * d,     x * y * d - z * s, x * z * d + y * s, y * x * d + z * s, c + y * y * d,
                           y * z * d - x * s, z * x * d - y * s, z * y * d + x * s, c + z * z * d};
    memcpy(R, out, sizeof out);
}

static void matrix_of(const double e[4], double R[9])
{
    const double x = e[0], y = e[1], z = e[2], w = e[3];
    const double out[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                           2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                           2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    memcpy(R, out, sizeof out);
}

/* the largest entry of the quaternion is found first */
static void quaternion_of(const double R[9], double e[4])
{
    const double four[4] = {1 + R[0] - R[4] - R[8], 1 - R[0] + R[4] - R[8], 1 - R[0] - R[4] + R[8], 1 + R[0] + R[4] + R[8]};
    int k = 0;
    for (int i = 1; i < 4; i++)
        if (four[i] > four[k]) k = i;
    const double big = sqrt(four[k]), s = 0.5 / big;
    const double rows[4][4] = {{big / 2, (R[1] + R[3]) * s, (R[2] + R[6]) * s, (R[7] - R[5]) * s},
                               {(R[1] + R[3]) * s, big / 2, (R[5] + R[7]) * s, (R[2] - R[6]) * s},
                               {(R[2] + R[6]) * s, (R[5] + R[7]) * s, big / 2, (R[3] - R[1]) * s},
                               {(R[7] - R[5]) * s, (R[2] - R[6]) * s, (R[3] - R[1]) * s, big / 2}};
    memcpy(e, rows[k], sizeof rows[k]);
}

static double matrix_distance(const double A[9], const double B[9])
{
    double most = 0;
    for (int k = 0; k < 9; k++) most = fmax(most, fabs(A[k] - B[k]));
    return most;
}

/* ---- a symmetric top ---- */

enum { TOP_A = 2, TOP_C = 3 }; /* moments of inertia: across, along */

static arne_model *top(void)
{
    arne_description *d = arne_description_new("top");
    arne_description_link(d, "world", 0);
    arne_description_link(d, "top", 0)->body = (arne_body){.mass = 5, .inertia = {TOP_A, 0, 0, TOP_A, 0, TOP_C}};
    assert_non_null(arne_description_joint(d, "base", 0, ARNE_FREE, "world", "top"));
    return build(d);
}

/* Error of the turn, velocity and fall after t seconds: omega = L/A + k e3 in body axes with k = omega3 (1 - C/A), so that
 * R(t) = exp(t L/A) R0 exp(t k e3) with the constant momentum L in the world. */
static double top_error(arne_plant_options o, double t, double *unit)
{
    static const double w[3] = {0.8, -0.5, 2.0}, R0v[3] = {0.4, -0.9, 0.3}, v0[3] = {1, 2, 3};
    arne_model *m = top();
    arne_data *d = test_data(m);
    arne_plant *p = plant_of(arne_data_settings(d), o);
    double R0[9], L[3], q[7] = {0}, qd[6] = {0}, A[9], B[9], want[9], have[9];
    turn_by(R0v, R0);
    quaternion_of(R0, q + 3);
    for (int k = 0; k < 3; k++) {
        qd[3 + k] = w[k];
        for (int i = 0; i < 3; i++) qd[k] += R0[3 * i + k] * v0[i]; /* in body axes */
        L[k] = R0[3 * k] * TOP_A * w[0] + R0[3 * k + 1] * TOP_A * w[1] + R0[3 * k + 2] * TOP_C * w[2];
    }
    assert_int_equal(arne_plant_place(p, 0, q, qd, NULL, NULL), ARNE_OK);
    for (int k = 1; k <= 10; k++) {
        advance(p, t * k / 10, ZERO);
        *unit = fmax(*unit, off_unit(m, arne_plant_q(p)));
    }
    const double rate = w[2] * (1 - (double)TOP_C / TOP_A);
    turn_by((double[]){t * L[0] / TOP_A, t * L[1] / TOP_A, t * L[2] / TOP_A}, A);
    turn_by((double[]){0, 0, t * rate}, B);
    times(A, R0, want);
    times(want, B, want);
    matrix_of(arne_plant_q(p) + 3, have);
    double error = matrix_distance(want, have);
    const double *g = arne_model_gravity(m), *x = arne_plant_q(p);
    for (int k = 0; k < 3; k++) error = fmax(error, fabs(x[k] - (v0[k] * t + g[k] * t * t / 2)) / (1 + fabs(x[k])));
    arne_plant_free(p);
    arne_data_free(d);
    arne_model_free(m);
    return error;
}

static void a_symmetric_top_goes_as_its_closed_form(void **state)
{
    (void)state;
    double unit = 0;
    const double erk = top_error(OPTIONS(.method = ARNE_ARKODE, .rtol = 1e-13, .atol = 1e-14), 10, &unit);
    const double bdf = top_error(OPTIONS(.method = ARNE_CVODE, .rtol = 1e-11, .atol = 1e-13), 10, &unit);
    const double one = top_error(OPTIONS(.method = ARNE_RK4, .step = 0.02), 10, &unit);
    const double two = top_error(OPTIONS(.method = ARNE_RK4, .step = 0.01), 10, &unit);
    print_message("top: error %.1e (arkode), %.1e (cvode), %.1e and %.1e (rk4): order %.2f; quaternion off by %.0e\n", erk, bdf,
                  one, two, log2(one / two), unit);
    assert_true(erk < 1e-10);
    assert_true(bdf < 1e-7);
    assert_true(log2(one / two) > 3.8 && log2(one / two) < 4.5);
    assert_true(unit < 1e-15);
}

/* The integrator's own quaternion grows or shrinks with loose tolerances; that must not change what they mean. */
static void quaternions_do_not_wear(void **state)
{
    (void)state;
    arne_model *m = top();
    arne_data *d = test_data(m);
    arne_set_gravity(arne_data_settings(d), (double[]){0, 0, 0});
    arne_plant *p = plant_of(arne_data_settings(d), OPTIONS(.method = ARNE_CVODE, .rtol = 1e-2, .atol = 1e-3));
    double q[7];
    const double qd[6] = {0, 0, 0, 0.8, -0.5, 2};
    long steps[2] = {0};
    arne_neutral(m, q);
    arne_plant_place(p, 0, q, qd, NULL, NULL);
    for (int half = 0; half < 2; half++) {
        for (int k = 1; k <= 4000; k++) advance(p, 2000 * half + 0.5 * k, ZERO);
        steps[half] = arne_plant_steps(p) - steps[0];
    }
    print_message("top, loose: %ld steps, then %ld\n", steps[0], steps[1]);
    assert_true((double)steps[1] < 1.1 * (double)steps[0]);
    arne_plant_free(p);
    arne_data_free(d);
    arne_model_free(m);
}

/* ---- random robots ---- */

/* One step of a Runge-Kutta method on rotation matrices: place, matrix and velocity of every joint of several freedoms, positions
 * of the others. Shares nothing with the simulator but forward dynamics. */
typedef struct {
    double place[MOST], R[MOST][9], v[MOST]; /* R: of a joint */
} plain_state;

static void plain_q(const arne_model *m, const plain_state *x, double *q)
{
    memcpy(q, x->place, (size_t)arne_model_nq(m) * sizeof *q);
    for (int j = 0; j < arne_model_joints(m); j++)
        if (arne_joint_turn(m, j) >= 0) quaternion_of(x->R[j], q + arne_joint_turn(m, j));
}

static void plain_rate(arne_data *d, const arne_model *m, const plain_state *x, plain_state *dx)
{
    double q[MOST];
    plain_q(m, x, q);
    assert_int_equal(arne_fd(d, q, x->v, ZERO, dx->v), ARNE_OK);
    for (int j = 0; j < arne_model_joints(m); j++) {
        const int at = arne_joint_q(m, j), iv = arne_joint_v(m, j), turn = arne_joint_turn(m, j);
        if (turn < 0) {
            dx->place[at] = x->v[iv];
            continue;
        }
        const double *w = x->v + iv + (turn > at ? 3 : 0), *R = x->R[j];
        const double W[9] = {0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0};
        times(R, W, dx->R[j]);
        for (int k = 0; k < 3 && turn > at; k++)
            dx->place[at + k] = R[3 * k] * x->v[iv] + R[3 * k + 1] * x->v[iv + 1] + R[3 * k + 2] * x->v[iv + 2];
    }
}

static void plain_step(arne_data *d, const arne_model *m, double h, plain_state *x)
{
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    const size_t count = sizeof *x / sizeof(double);
    plain_state slope = {{0}}, stage, sum = {{0}};
    for (int s = 0; s < 4; s++) {
        const double *from = (double *)x, *along = (double *)&slope;
        for (size_t k = 0; k < count; k++) ((double *)&stage)[k] = from[k] + at[s] * h * along[k];
        plain_rate(d, m, &stage, &slope);
        for (size_t k = 0; k < count; k++) ((double *)&sum)[k] += weight[s] * along[k];
    }
    for (size_t k = 0; k < count; k++) ((double *)x)[k] += h / 6 * ((double *)&sum)[k];
}

static void an_integrator_on_matrices_goes_the_same_way(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < 12; seed++) {
        arne_model *m = build(random_robot_with(seed, RANDOM_WIDE));
        arne_data *d = test_data(m);
        random_stream r = {seed + 100};
        double q[MOST], qd[MOST], end[MOST], away[MOST];
        random_vector(&r, arne_model_nq(m), 1, q);
        random_vector(&r, arne_model_nv(m), 1, qd);
        assert_int_equal(arne_normalize(m, NAN, q, NULL), ARNE_OK);
        arne_set_friction(arne_data_settings(d), false);
        plain_state x = {{0}};
        memcpy(x.place, q, (size_t)arne_model_nq(m) * sizeof *q);
        memcpy(x.v, qd, (size_t)arne_model_nv(m) * sizeof *qd);
        for (int j = 0; j < arne_model_joints(m); j++)
            if (arne_joint_turn(m, j) >= 0) matrix_of(q + arne_joint_turn(m, j), x.R[j]);
        for (int k = 0; k < 500; k++) plain_step(d, m, 0.0005, &x);
        plain_q(m, &x, end);
        arne_normalize(m, NAN, end, NULL);
        static const arne_integrator methods[] = {ARNE_RK4, ARNE_ARKODE, ARNE_CVODE};
        for (int k = 0; k < 3; k++) {
            arne_plant *p = plant_of(arne_data_settings(d),
                                     OPTIONS(.method = methods[k], .step = k ? 0 : 0.0005, .rtol = 1e-11, .atol = 1e-12));
            arne_plant_place(p, 0, q, qd, NULL, NULL);
            advance(p, 0.25, ZERO);
            assert_true(off_unit(m, arne_plant_q(p)) < 1e-15);
            arne_difference(m, end, arne_plant_q(p), away);
            double most = 0;
            for (int i = 0; i < arne_model_nv(m); i++)
                most = fmax(most, fmax(fabs(away[i]), fabs(arne_plant_qd(p)[i] - x.v[i]) / (1 + fabs(x.v[i]))));
            if (!(most < 1e-7)) fail_msg("seed %u, %s: %g away", seed, arne_integrator_name(methods[k]), most);
            arne_plant_free(p);
        }
        arne_data_free(d);
        arne_model_free(m);
    }
}

static void energy_stays(void **state)
{
    (void)state;
    double worst = 0, unit = 0;
    for (unsigned seed = 0; seed < 8; seed++) {
        arne_model *m = build(random_robot_with(seed, RANDOM_WIDE));
        arne_data *d = test_data(m);
        arne_plant *p = plant_of(arne_data_settings(d), OPTIONS(.method = ARNE_ARKODE, .rtol = 1e-13, .atol = 1e-14));
        random_stream r = {seed + 7};
        double q[MOST], qd[MOST], T, U, start, most = 0, change = 0;
        random_vector(&r, arne_model_nq(m), 1, q);
        random_vector(&r, arne_model_nv(m), 0.5, qd);
        arne_normalize(m, NAN, q, NULL);
        arne_plant_place(p, 0, q, qd, NULL, NULL);
        arne_plant_energy(p, &T, &U);
        start = T + U;
        for (int k = 1; k <= 20; k++) {
            advance(p, 0.1 * k, ZERO);
            arne_plant_energy(p, &T, &U);
            most = fmax(most, T);
            change = fmax(change, fabs(T + U - start));
            unit = fmax(unit, off_unit(m, arne_plant_q(p)));
        }
        worst = fmax(worst, change / most);
        arne_plant_free(p);
        arne_data_free(d);
        arne_model_free(m);
    }
    print_message("random robots with free and spherical joints: energy drifts by %.1e in 2 s\n", worst);
    assert_true(worst < 1e-9);
    assert_true(unit < 1e-15);
}

/* ---- a satellite with an arm ---- */

/* the LWR on a box that flies, without rotors and gravity */
static arne_model *satellite(void)
{
    char path[512];
    arne_description *d;
    arne_error error;
    snprintf(path, sizeof path, "%s/kuka-lwr.yaml", ARNE_ROBOTS);
    const arne_read_options o = {.size = sizeof o, .base = ARNE_BASE_FREE};
    if (arne_read(path, &o, &d, &error)) fail_msg("%s", error.message);
    d->gravity[2] = 0;
    for (size_t j = 0; j < d->njoint; j++) {
        if (d->joints[j].type != ARNE_FREE) continue;
        for (size_t l = 0; l < d->nlink; l++)
            if (!strcmp(d->links[l].name, d->joints[j].child))
                d->links[l].body = (arne_body){.mass = 150, .com = {0.1, 0, -0.4}, .inertia = {20, 0.5, 0, 25, -0.3, 18}};
    }
    return build(d);
}

static void a_satellite_keeps_its_momentum(void **state)
{
    (void)state;
    arne_model *m = satellite();
    arne_data *d = test_data(m);
    arne_set_rigid(arne_data_settings(d), true);
    arne_plant *p = plant_of(arne_data_settings(d), OPTIONS(.method = ARNE_ARKODE, .rtol = 1e-12, .atol = 1e-13));
    const int n = arne_model_nv(m);
    assert_int_equal(n, 13);
    double q[MOST], qd[MOST] = {0.1, -0.05, 0.02, 0.03, 0.02, -0.04}, tau[MOST] = {0}, first[6], now[6], most = 0, unit = 0;
    double way = 0, M[13 * 13];
    arne_neutral(m, q);
    arne_plant_place(p, 0, q, qd, NULL, NULL);
    momentum_of(d, p, first);
    for (int k = 0; k < 2000; k++) { /* a spring and a damper at every joint, towards a place that moves */
        const double t = 0.05 * k;
        arne_mass(d, arne_plant_q(p), M);
        arne_factor(d, M);
        for (int i = 6; i < n; i++) {
            const double want = 0.8 * sin(0.3 * t + i) - 0.8 * sin(i), x = arne_plant_q(p)[arne_velocity_position(m, i)];
            double unit[MOST] = {0};
            unit[i] = 1;
            arne_solve(d, M, unit); /* 1/unit[i]: the inertia that the joint feels */
            tau[i] = (2 * (want - x) - 3 * arne_plant_qd(p)[i]) / unit[i];
            way = fmax(way, fabs(x));
        }
        advance(p, t + 0.05, tau);
        momentum_of(d, p, now);
        most = fmax(most, momentum_change(first, now));
        unit = fmax(unit, off_unit(m, arne_plant_q(p)));
    }
    print_message("satellite, 100 s: momentum off by %.1e of %.1f, quaternion by %.0e; %ld steps\n", most,
                  sqrt(first[0] * first[0] + first[1] * first[1] + first[2] * first[2]), unit, arne_plant_steps(p));
    assert_true(way > 0.5);
    assert_true(most < 1e-10);
    assert_true(unit < 1e-14);
    arne_plant_free(p);
    arne_data_free(d);
    arne_model_free(m);
}

static void bad_quaternions_are_refused(void **state)
{
    (void)state;
    arne_model *m = top();
    arne_data *d = test_data(m);
    arne_plant *p = plant_of(arne_data_settings(d), OPTIONS(.method = ARNE_RK4, .step = 0.001));
    const double none[7] = {0}, longer[7] = {0, 0, 0, 0, 0, 0, 1.1}, nearly[7] = {0, 0, 0, 0, 0, 0, 1.0005};
    assert_int_equal(arne_plant_place(p, 0, none, ZERO, NULL, NULL), ARNE_BAD_VALUE);
    assert_int_equal(arne_plant_place(p, 0, longer, ZERO, NULL, NULL), ARNE_BAD_VALUE);
    assert_true(arne_plant_q(p)[6] == 1);
    assert_int_equal(arne_plant_place(p, 0, nearly, ZERO, NULL, NULL), ARNE_OK);
    assert_true(arne_plant_q(p)[6] == 1);
    arne_plant_free(p);
    arne_data_free(d);
    arne_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_symmetric_top_goes_as_its_closed_form),
        cmocka_unit_test(an_integrator_on_matrices_goes_the_same_way),
        cmocka_unit_test(energy_stays),
        cmocka_unit_test(quaternions_do_not_wear),
        cmocka_unit_test(a_satellite_keeps_its_momentum),
        cmocka_unit_test(bad_quaternions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
