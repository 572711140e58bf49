/* SPDX-License-Identifier: MIT
 *
 * Motors that a transmission couples with the joints stick and slide by their own speeds. The judge is a time stepping of its
 * own: impulses of friction, bounded, found by sweeps over all that rubs so that the speeds at the end of the step fit (Moreau);
 * it knows no modes and no events, is of first order, and the runs must be what it tends to. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arne/file.h"
#include "arne/simulate.h"
#include "support/data.h"
#include "support/random_robot.h"

static const arne_integrator methods[] = {ARNE_RK4, ARNE_ARKODE, ARNE_CVODE};
enum { MOST = 16, RUBS = 2 * MOST };

/* ---- robots ---- */

typedef struct {
    arne_model *m;
    arne_data *d, *smooth; /* as it is; without friction */
    int n;
    double row[RUBS][MOST];              /* speeds of joints, then motors, are these rows times qd */
    double coulomb[RUBS], viscous[RUBS]; /* seen from there */
} robot;

static robot robot_of(arne_model *m)
{
    robot r = {.m = m, .d = test_data(m), .smooth = test_data(m), .n = arne_model_dof(m)};
    const int n = r.n;
    arne_set_friction(arne_data_settings(r.smooth), false);
    double J[MOST][MOST], one[MOST] = {0}, motor[MOST];
    for (int i = 0; i < n; i++) { /* tau_m = J' tau */
        one[i] = 1;
        arne_motor_torques(r.d, one, motor);
        one[i] = 0;
        for (int k = 0; k < n; k++) J[i][k] = motor[k] * arne_joint_motor(m, k)->gear;
    }
    for (int k = 0; k < n; k++) r.row[k][k] = r.row[n + k][k] = 1;
    for (int c = 0; c < n; c++) { /* J^-1 by elimination */
        int best = c;
        for (int i = c; i < n; i++)
            if (fabs(J[i][c]) > fabs(J[best][c])) best = i;
        for (int j = 0; j < n; j++) {
            const double x = J[c][j], y = r.row[n + c][j];
            J[c][j] = J[best][j], J[best][j] = x;
            r.row[n + c][j] = r.row[n + best][j], r.row[n + best][j] = y;
        }
        const double pivot = J[c][c];
        for (int j = 0; j < n; j++) J[c][j] /= pivot, r.row[n + c][j] /= pivot;
        for (int i = 0; i < n; i++) {
            const double f = J[i][c];
            for (int j = 0; i != c && j < n; j++) J[i][j] -= f * J[c][j], r.row[n + i][j] -= f * r.row[n + c][j];
        }
    }
    for (int k = 0; k < n; k++) {
        const arne_motor *g = arne_joint_motor(m, k);
        r.coulomb[k] = arne_joint_friction(m, k)->coulomb;
        r.viscous[k] = arne_joint_friction(m, k)->viscous;
        r.coulomb[n + k] = fabs(g->gear) * g->coulomb;
        r.viscous[n + k] = g->gear * g->gear * g->viscous;
    }
    return r;
}

static robot wrist(void)
{
    char path[512];
    arne_model *m;
    arne_error error;
    snprintf(path, sizeof path, "%s/coupled-wrist.yaml", ARNE_ROBOTS);
    if (arne_load(path, &m, &error)) fail_msg("%s", error.message);
    return robot_of(m);
}

/* stops 0: none; else at +-stops */
static robot random_of(unsigned seed, double stops)
{
    arne_description *d = random_robot_with(seed, RANDOM_MOTORS | RANDOM_FRICTION | RANDOM_TRANSMISSION);
    arne_model *m;
    arne_error error;
    for (size_t j = 0; stops > 0 && j < d->njoint; j++) {
        d->joints[j].limits.lower = -stops;
        d->joints[j].limits.upper = stops;
    }
    if (arne_model_build(d, NULL, &m, &error)) fail_msg("%s", error.message);
    arne_description_free(d);
    return robot_of(m);
}

static void robot_free(robot *r)
{
    arne_data_free(r->d);
    arne_data_free(r->smooth);
    arne_model_free(r->m);
}

static double along(const robot *r, int k, const double *v)
{
    double sum = 0;
    for (int i = 0; i < r->n; i++) sum += r->row[k][i] * v[i];
    return sum;
}

static arne_plant *plant_of(const robot *r, arne_plant_options o)
{
    arne_plant *p;
    arne_error error;
    o.size = sizeof o;
    o.friction = true;
    if (arne_plant_new(arne_data_settings(r->d), &o, &p, &error)) fail_msg("%s", error.message);
    return p;
}

static void advance(arne_plant *p, double t, const double *tau)
{
    arne_error error;
    if (arne_plant_advance(p, t, tau, &error)) fail_msg("%s", error.message);
}

/* ---- the judge ---- */

/* v(t + h): M (v+ - v) = h (tau - bias - viscous) - rows' p with |p_k| <= h coulomb_k, and as large as that where v+ slides */
static void moreau(const robot *r, double h, const double *tau, double *q, double *v, double *impulse)
{
    const int n = r->n;
    double M[MOST * MOST], free[MOST], lift[RUBS][MOST], speed[RUBS], own[RUBS];
    arne_mass(r->smooth, q, M);
    arne_bias(r->smooth, q, v, free);
    for (int i = 0; i < n; i++) free[i] = tau[i] - free[i];
    for (int k = 0; k < 2 * n; k++)
        for (int i = 0; i < n; i++) free[i] -= r->row[k][i] * r->viscous[k] * along(r, k, v);
    assert_int_equal(arne_factor(r->smooth, M), ARNE_OK);
    arne_solve(r->smooth, M, free);
    for (int i = 0; i < n; i++) free[i] = v[i] + h * free[i];
    for (int k = 0; k < 2 * n; k++) {
        memcpy(lift[k], r->row[k], sizeof lift[k]);
        arne_solve(r->smooth, M, lift[k]);
        own[k] = along(r, k, lift[k]);
        for (int i = 0; i < n; i++) free[i] -= impulse[k] * lift[k][i];
    }
    double change = 1;
    for (int sweep = 0; sweep < 100000 && change > 1e-11; sweep++) {
        change = 0;
        for (int k = 0; k < 2 * n; k++) {
            if (!(r->coulomb[k] > 0)) continue;
            speed[k] = along(r, k, free);
            const double most = h * r->coulomb[k], p = fmin(fmax(impulse[k] + speed[k] / own[k], -most), most);
            for (int i = 0; i < n; i++) free[i] -= (p - impulse[k]) * lift[k][i];
            change = fmax(change, fabs(p - impulse[k]) / most);
            impulse[k] = p;
        }
    }
    for (int i = 0; i < n; i++) {
        v[i] = free[i];
        q[i] += h * v[i];
    }
}

typedef struct {
    double x[2 * MOST]; /* q, qd */
} end;

static end judged(const robot *r, const double *q, const double *qd, const double *tau, double t, double h)
{
    end e = {0};
    double impulse[RUBS] = {0};
    const int n = r->n, steps = (int)lround(t / h);
    memcpy(e.x, q, (size_t)n * sizeof *q);
    memcpy(e.x + n, qd, (size_t)n * sizeof *q);
    for (int k = 0; k < steps; k++) moreau(r, h, tau, e.x, e.x + n, impulse);
    return e;
}

static end simulated(const robot *r, arne_plant_options o, const double *q, const double *qd, const double *tau, double t)
{
    end e = {0};
    arne_plant *p = plant_of(r, o);
    arne_plant_place(p, 0, q, qd, NULL, NULL);
    advance(p, t, tau);
    memcpy(e.x, arne_plant_q(p), (size_t)r->n * sizeof *q);
    memcpy(e.x + r->n, arne_plant_qd(p), (size_t)r->n * sizeof *q);
    arne_plant_free(p);
    return e;
}

static double apart(const robot *r, const end *a, const end *b)
{
    double most = 0;
    for (int i = 0; i < 2 * r->n; i++) most = fmax(most, fabs(a->x[i] - b->x[i]));
    return most;
}

/* ---- the wrist ---- */

/* the start at which an eighth-order formula has lost its way through the kinks, and random ones */
static void start(int k, double q[6], double qd[6], double tau[6])
{
    static const double q0[6] = {0.2, 0.7, 0.3, 0.4, -0.5, 0.6}, qd0[6] = {0.5, -0.3, 0.8, 2, -1.5, 3};
    random_stream s = {(uint64_t)k};
    random_vector(&s, 6, 1, q);
    random_vector(&s, 6, 2, qd);
    random_vector(&s, 6, 3, tau);
    if (k) return;
    memcpy(q, q0, sizeof q0);
    memcpy(qd, qd0, sizeof qd0);
    memset(tau, 0, 6 * sizeof *tau);
}

static void runs_are_what_small_steps_tend_to(void **state)
{
    (void)state;
    robot r = wrist();
    for (int k = 0; k < 4; k++) {
        double q[6], qd[6], tau[6];
        start(k, q, qd, tau);
        const end run = simulated(&r, (arne_plant_options){.method = ARNE_ARKODE, .rtol = 1e-10, .atol = 1e-12}, q, qd, tau, 0.3);
        const end cvode =
            simulated(&r, (arne_plant_options){.method = ARNE_CVODE, .rtol = 1e-10, .atol = 1e-12}, q, qd, tau, 0.3);
        const end rk4 = simulated(&r, (arne_plant_options){.method = ARNE_RK4, .step = 1e-4}, q, qd, tau, 0.3);
        const end one = judged(&r, q, qd, tau, 0.3, 2e-4), two = judged(&r, q, qd, tau, 0.3, 1e-4);
        const double coarse = apart(&r, &run, &one), fine = apart(&r, &run, &two);
        print_message("start %d: steps of 0.2 and 0.1 ms are %.2e and %.2e away; cvode %.1e, rk4 %.1e\n", k, coarse, fine,
                      apart(&r, &run, &cvode), apart(&r, &run, &rk4));
        assert_true(coarse < 1e-3 && fine < 0.6 * coarse);
        assert_true(apart(&r, &run, &cvode) < 1e-8 && apart(&r, &run, &rk4) < 1e-10);
    }
    robot_free(&r);
}

/* Torques that hold it, and what the motors can hold beside: nothing moves, not by a bit; a little more, and just that motor
 * turns. */
static void a_stuck_wrist_does_not_creep(void **state)
{
    (void)state;
    robot r = wrist();
    for (int k = 0; k < 3; k++)
        for (int pushed = 3; pushed < 6; pushed++) {
            double q[6], unused[6], tau[6], g[6], zero[6] = {0};
            start(k + 1, q, unused, unused);
            arne_gravity(r.smooth, q, g);
            arne_plant *p = plant_of(&r, (arne_plant_options){.method = methods[k], .step = methods[k] == ARNE_RK4 ? 1e-3 : 0});
            arne_plant_place(p, 0, q, zero, NULL, NULL);
            for (int tick = 1; tick <= 50; tick++) {
                for (int i = 0; i < 6; i++) tau[i] = g[i];
                for (int m = 0; m < 6; m++)
                    for (int i = 0; i < 6; i++) tau[i] += 0.999 * sin(tick + m) * r.coulomb[6 + m] * r.row[6 + m][i];
                advance(p, 0.01 * tick, tau);
                for (int i = 0; i < 6; i++) {
                    assert_true(arne_plant_q(p)[i] == q[i] && arne_plant_qd(p)[i] == 0);
                    assert_true(arne_plant_held(p, i));
                }
            }
            for (int i = 0; i < 6; i++) tau[i] = g[i] + 1.01 * r.coulomb[6 + pushed] * r.row[6 + pushed][i];
            advance(p, 0.501, tau);
            for (int m = 0; m < 6; m++) {
                const double turned = along(&r, 6 + m, arne_plant_q(p)) - along(&r, 6 + m, q);
                if (m == pushed)
                    assert_true(turned > 1e-9);
                else
                    assert_true(fabs(turned) < 1e-14);
            }
            arne_plant_free(p);
        }
    robot_free(&r);
}

/* What the drives give less what friction takes is what the energy gains, through sticking and sliding. */
static void energy_goes_into_friction(void **state)
{
    (void)state;
    robot r = wrist();
    for (int k = 0; k < 3; k++) {
        double q[6], qd[6], tau[6], kinetic, potential, power[2], work = 0, first = 0, size = 0;
        const double dt = 1e-4;
        start(k, q, qd, tau);
        arne_plant *p = plant_of(&r, (arne_plant_options){.method = ARNE_ARKODE, .rtol = 1e-11, .atol = 1e-13});
        arne_plant_place(p, 0, q, qd, NULL, NULL);
        for (int tick = 0; tick <= 3000; tick++) {
            if (tick) advance(p, tick * dt, tau);
            const double *v = arne_plant_qd(p);
            power[tick % 2] = 0;
            for (int i = 0; i < 6; i++) power[tick % 2] += tau[i] * v[i];
            for (int m = 0; m < 12; m++) {
                const double w = along(&r, m, v);
                power[tick % 2] -= r.coulomb[m] * fabs(w) + r.viscous[m] * w * w;
            }
            arne_plant_energy(p, &kinetic, &potential);
            if (!tick) first = kinetic + potential;
            if (tick) work += dt * (power[0] + power[1]) / 2; /* the power is continuous: it is zero where a motor sticks */
            size = fmax(size, kinetic);
            assert_true(fabs(kinetic + potential - first - work) < 1e-6 * (size + fabs(work)));
        }
        arne_plant_free(p);
    }
    robot_free(&r);
}

static void errors_follow_the_tolerance(void **state)
{
    (void)state;
    robot r = wrist();
    for (int k = 0; k < 3; k++) {
        double q[6], qd[6], tau[6];
        start(k, q, qd, tau);
        for (int method = 1; method < 3; method++) {
            const end best =
                simulated(&r, (arne_plant_options){.method = ARNE_ARKODE, .rtol = 1e-13, .atol = 1e-14}, q, qd, tau, 0.3);
            double rtol = 1e-5;
            for (int i = 0; i < 4; i++, rtol /= 100) {
                const end e = simulated(&r, (arne_plant_options){.method = methods[method], .rtol = rtol, .atol = rtol / 100}, q,
                                        qd, tau, 0.3);
                print_message("start %d, %s, rtol %.0e: %.1e\n", k, arne_integrator_name(methods[method]), rtol,
                              apart(&r, &e, &best));
                assert_true(apart(&r, &e, &best) < 100 * rtol);
            }
        }
    }
    robot_free(&r);
}

/* ---- any robot: friction at its joints and at motors that drive several of them; what is held can be held twice ---- */

static void random_robots_leave_rest_as_small_steps_do(void **state)
{
    (void)state;
    int held = 0, gone = 0;
    for (unsigned seed = 1; seed <= 100; seed++) {
        robot r = random_of(seed, 0);
        random_stream s = {seed};
        double q[MOST], zero[MOST] = {0}, tau[MOST], impulse[RUBS] = {0}, at[MOST], v[MOST] = {0}, most = 1;
        const double h = 1e-6;
        random_vector(&s, r.n, 1, q);
        arne_gravity(r.smooth, q, tau);
        for (int k = 0; k < 2 * r.n; k++) {
            const double part = r.coulomb[k] * random_between(&s, -1.5, 1.5);
            for (int i = 0; i < r.n; i++) tau[i] += part * r.row[k][i];
        }
        memcpy(at, q, sizeof at);
        moreau(&r, h, tau, at, v, impulse);
        const end e = simulated(&r, (arne_plant_options){.method = ARNE_RK4, .step = h}, q, zero, tau, h);
        for (int i = 0; i < r.n; i++) most = fmax(most, fabs(v[i] / h));
        for (int i = 0; i < r.n; i++) assert_true(fabs(e.x[r.n + i] - v[i]) / h < 1e-4 * most);
        for (int k = 0; k < 2 * r.n; k++) fabs(along(&r, k, v)) / h < 1e-9 * most ? held++ : gone++;
        robot_free(&r);
    }
    print_message("%d joints and motors held, %d left\n", held, gone);
    assert_true(held > 200 && gone > 200);
}

static void random_robots_move_as_small_steps_do(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 14; seed++) {
        robot r = random_of(seed, 0);
        random_stream s = {seed};
        double q[MOST], qd[MOST], tau[MOST];
        random_vector(&s, r.n, 1, q);
        random_vector(&s, r.n, 0.2, qd);
        arne_gravity(r.smooth, q, tau);
        for (int k = 0; k < 2 * r.n; k++) {
            const double part = r.coulomb[k] * random_between(&s, -1, 1);
            for (int i = 0; i < r.n; i++) tau[i] += part * r.row[k][i];
        }
        end x[3];
        for (int k = 0; k < 3; k++)
            x[k] = simulated(&r,
                             (arne_plant_options){
                                 .method = methods[k], .step = methods[k] == ARNE_RK4 ? 1e-4 : 0, .rtol = 1e-9, .atol = 1e-11},
                             q, qd, tau, 0.04);
        const end one = judged(&r, q, qd, tau, 0.04, 4e-4), two = judged(&r, q, qd, tau, 0.04, 2e-4);
        const double coarse = apart(&r, &one, &x[1]), fine = apart(&r, &two, &x[1]);
        print_message("seed %u, %d joints: rk4 %.1e, cvode %.1e, small steps %.1e %.1e\n", seed, r.n, apart(&r, &x[0], &x[1]),
                      apart(&r, &x[2], &x[1]), coarse, fine);
        assert_true(coarse < 1e-3 && fine < 0.9 * coarse);
        assert_true(apart(&r, &x[0], &x[1]) < 1e-8 && apart(&r, &x[2], &x[1]) < 1e-8);
        robot_free(&r);
    }
}

/* Bounces throw stuck motors off, joints at rest on stops hold motors: three integrators, one motion. */
static void random_robots_bounce_alike(void **state)
{
    (void)state;
    int stopped = 0;
    for (unsigned seed = 1; seed <= 14; seed++) {
        robot r = random_of(seed, 0.02);
        random_stream s = {seed};
        double q[MOST], qd[MOST], tau[MOST];
        random_vector(&s, r.n, 0.02, q);
        random_vector(&s, r.n, 1, qd);
        random_vector(&s, r.n, 20, tau);
        end x[3];
        for (int k = 0; k < 3; k++)
            x[k] = simulated(&r,
                             (arne_plant_options){.method = methods[k],
                                                  .step = methods[k] == ARNE_RK4 ? 1e-4 : 0,
                                                  .rtol = 1e-10,
                                                  .atol = 1e-12,
                                                  .stops = true,
                                                  .restitution = seed % 2 ? 0.5 : 0},
                             q, qd, tau, 0.1);
        for (int i = 0; i < r.n; i++) stopped += fabs(x[1].x[i]) == 0.02;
        print_message("seed %u, %d joints: rk4 %.1e, cvode %.1e\n", seed, r.n, apart(&r, &x[0], &x[1]), apart(&r, &x[2], &x[1]));
        assert_true(apart(&r, &x[0], &x[1]) < 1e-7 && apart(&r, &x[2], &x[1]) < 1e-7);
        robot_free(&r);
    }
    print_message("%d joints end on stops\n", stopped);
    assert_true(stopped > 20);
}

/* Torques that jump every tick between sticking and sliding, a brake that closes and opens, friction that changes: many come to
 * rest at once, and no integrator gets stuck itself. */
static void jumping_torques_are_followed(void **state)
{
    (void)state;
    static const unsigned seeds[] = {4, 6, 62, 65};
    for (size_t c = 0; c < sizeof seeds / sizeof *seeds; c++) {
        robot r = random_of(seeds[c], 0);
        double q[MOST], zero[MOST] = {0}, g[MOST], tau[MOST];
        end x[2] = {{{0}}, {{0}}};
        for (int k = 0; k < 2; k++) {
            random_stream s = {seeds[c]};
            random_vector(&s, r.n, 0.05, q);
            arne_gravity(r.smooth, q, g);
            arne_plant *p = plant_of(&r, (arne_plant_options){.method = methods[k], .step = 1e-3, .rtol = 1e-9, .atol = 1e-12});
            arne_plant_place(p, 0, q, zero, NULL, NULL);
            for (int tick = 1; tick <= 60; tick++) {
                memcpy(tau, g, sizeof tau);
                for (int j = 0; j < 2 * r.n; j++) {
                    const double part = r.coulomb[j] * random_between(&s, -1.5, 1.5);
                    for (int i = 0; i < r.n; i++) tau[i] += part * r.row[j][i];
                }
                if (tick % 20 == 19) arne_plant_brake(p, (int)seeds[c] % r.n, 1000);
                if (tick % 20 == 0) arne_plant_brake(p, (int)seeds[c] % r.n, 0);
                if (tick == 30) arne_plant_scale_friction(p, -1, 0.3);
                advance(p, 1e-3 * tick, tau);
            }
            memcpy(x[k].x, arne_plant_q(p), (size_t)r.n * sizeof *q);
            memcpy(x[k].x + r.n, arne_plant_qd(p), (size_t)r.n * sizeof *q);
            arne_plant_free(p);
        }
        print_message("seed %u, %d joints: rk4 and arkode %.1e apart\n", seeds[c], r.n, apart(&r, &x[0], &x[1]));
        assert_true(apart(&r, &x[0], &x[1]) < 1e-7);
        robot_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_what_small_steps_tend_to),
        cmocka_unit_test(a_stuck_wrist_does_not_creep),
        cmocka_unit_test(energy_goes_into_friction),
        cmocka_unit_test(errors_follow_the_tolerance),
        cmocka_unit_test(random_robots_leave_rest_as_small_steps_do),
        cmocka_unit_test(random_robots_move_as_small_steps_do),
        cmocka_unit_test(random_robots_bounce_alike),
        cmocka_unit_test(jumping_torques_are_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
