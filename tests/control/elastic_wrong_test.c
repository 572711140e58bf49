/* SPDX-License-Identifier: MIT
 *
 * elastic_wrong_test.c - feedback linearization that believes in springs of another stiffness than they have: the poles move as
 * the polynomials of doc/elastic.md say, with angles alone and with a measured torque, and so do the bounds of stability; robots
 * with springs 20 % off return to their motion from a wrong state. */
#include "control/loop.h"

enum { MOST = 7 };

typedef struct {
    int n;
    subject s;
    arne_data *own;
    arne_flex *plant;
    arne_controller *c;
    bool measured, held;
    void (*reference)(double t, int n, double *r);
    double x[4 * MOST], tau[MOST];
    unsigned flags;
} springs;

static void tick(springs *l, double t, const double *x, double *tau)
{
    const int n = l->n;
    double r[5 * MOST], tau_e[MOST];
    l->reference(t, n, r);
    arne_flex_spring(l->plant, x, x + n, x + 2 * n, x + 3 * n, tau_e);
    const arne_tick in = {.size = sizeof in,
                          .q = x,
                          .qd = x + n,
                          .theta = x + 2 * n,
                          .thetad = x + 3 * n,
                          .reference = r,
                          .tau_e = l->measured ? tau_e : NULL};
    l->flags |= flags_of(l->c, &in, tau);
}

static int rates(void *context, double t, const double *x, double *dx)
{
    springs *l = context;
    const int n = l->n;
    const size_t size = (size_t)n * sizeof *x;
    double tau[MOST];
    if (l->held)
        memcpy(tau, l->tau, sizeof tau);
    else
        tick(l, t, x, tau);
    memcpy(dx, x + n, size);
    memcpy(dx + 2 * n, x + 3 * n, size);
    return arne_flex_fd(l->plant, x, x + n, x + 2 * n, x + 3 * n, tau, dx + n, dx + 3 * n) != ARNE_OK;
}

/* `ticks` periods in `steps` steps each; without `held` the controller answers at every instant */
static void go(springs *l, double *t, double period, int ticks, int steps)
{
    double scratch[16 * MOST];
    for (int k = 0; k < ticks * steps; k++) {
        if (l->held && k % steps == 0) tick(l, *t, l->x, l->tau);
        assert_int_equal(arne__rk4_step(rates, l, 4 * l->n, *t, period / steps, l->x, scratch), 0);
        *t += period / steps;
    }
}

static double off(const springs *l, double t)
{
    double r[5 * MOST], most = 0;
    l->reference(t, l->n, r);
    for (int i = 0; i < l->n; i++) most = worse(most, fabs(r[i] - l->x[i]));
    return most;
}

/* Rods of 1 m in the x-y plane, turning about z, on springs. */
typedef struct {
    int count;
    double inertia, rotor, stiffness; /* inertia of each about its centre */
    bool upright;                     /* gravity in the plane */
} rods;

static subject rods_of(const rods *a)
{
    static const char *const links[] = {"base", "upper", "lower"}, *const joints[] = {"shoulder", "elbow"};
    arne_description *d = arne_description_new("rods");
    assert_non_null(d);
    const double gravity[3] = {0, a->upright ? -9.81 : 0, a->upright ? 0 : -9.81};
    memcpy(d->gravity, gravity, sizeof gravity);
    for (int i = 0; i <= a->count; i++) {
        arne_link_description *l = arne_description_link(d, links[i], 0);
        assert_non_null(l);
        if (i) l->body = (arne_body){3, {0.5, 0, 0}, {a->inertia, 0, 0, a->inertia, 0, a->inertia}};
    }
    for (int i = 0; i < a->count; i++) {
        arne_joint_description *j = arne_description_joint(d, joints[i], 0, ARNE_REVOLUTE, links[i], links[i + 1]);
        assert_non_null(j);
        j->before.p[0] = i;
        j->motor.inertia = a->rotor;
        j->elastic.stiffness = a->stiffness;
    }
    return subject_of(d);
}

/* Four poles at -w (0: the controller's choice); at rest, `away` from the reference. */
static springs springs_of(subject s, double w, double period, double belief, bool measured, double away,
                          void (*reference)(double, int, double *))
{
    springs l = {.n = s.n, .s = s, .own = test_data(s.m), .measured = measured, .reference = reference};
    double poles[4 * MOST], factor[MOST], r[5 * MOST], tau[MOST];
    arne_error e;
    for (int i = 0; i < 4 * s.n; i++) poles[i] = -w;
    for (int i = 0; i < s.n; i++) factor[i] = belief;
    const arne_control_options o = {
        .size = sizeof o, .kind = ARNE_CONTROL_ELASTIC, .period = period, .poles = w > 0 ? poles : NULL, .springs = factor};
    l.c = controller_of(l.own, &o);
    assert_int_equal(arne_flex_new(arne_data_settings(s.data), &l.plant, &e), ARNE_OK);
    reference(0, s.n, r);
    for (int i = 0; i < s.n; i++) l.x[i] = r[i] + (i % 2 ? away : -away);
    arne_flex_rest(l.plant, l.x, l.x + 2 * s.n, tau);
    return l;
}

static void done(springs *l)
{
    assert_int_equal(l->flags, 0);
    arne_controller_free(l->c);
    arne_flex_free(l->plant);
    arne_data_free(l->own);
    subject_close(&l->s);
}

/* ---- one joint: the polynomials ---- */

typedef struct {
    double a[4];
} polynomial;

static int linear(void *context, double t, const double *x, double *dx)
{
    (void)t;
    const polynomial *p = context;
    memcpy(dx, x + 1, 3 * sizeof *x);
    dx[3] = 0;
    for (int j = 0; j < 4; j++) dx[3] -= p->a[j] * x[j];
    return 0;
}

static const rods one = {.count = 1, .inertia = 0.25, .rotor = 2, .stiffness = 400};
/* M = 3 0.5^2 + 0.25 = 1, so Omega^2 = K (1/M + 1/B) */
static const double OMEGA2 = 400 * (1 + 1 / 2.0);

/* doc/elastic.md (16), (18), four poles at -w */
static polynomial closed(double w, double k, bool measured)
{
    if (measured) return (polynomial){{pow(w, 4) / k, 4 * pow(w, 3) / k, 6 * w * w / k, 4 * w}};
    return (polynomial){{pow(w, 4) / k, 4 * pow(w, 3) / k, 6 * w * w + (1 - k) * OMEGA2, 4 * w}};
}

static void one_joint_moves_as_its_polynomial_says(void **state)
{
    (void)state;
    static const double belief[] = {0.5, 0.8, 1, 1.2, 1.6};
    const double w = 12, h = 1e-3;
    for (int k = 0; k < 10; k++) {
        springs l = springs_of(rods_of(&one), w, h, belief[k / 2], k % 2, 0.1, loop_rest);
        polynomial p = closed(w, belief[k / 2], k % 2);
        double t = 0, y[4] = {-0.1, 0, 0, 0}, scratch[16];
        for (int j = 0; j < 10; j++) {
            go(&l, &t, h, 50, 1);
            for (int i = 0; i < 50; i++) assert_int_equal(arne__rk4_step(linear, &p, 4, 0, h, y, scratch), 0);
            const double is = l.x[0] - 0.3;
            expect_near(&l.s, "polynomial", 1, &is, y, 1e-6, worse(0.1, fabs(y[0])));
        }
        done(&l);
    }
}

/* At rest against gravity, from angles: K0 e = (K2 - k Omega^2 - G/M) (k - 1) g/M     doc/elastic.md (21) */
static void gravity_pulls_it_away_unless_its_torque_is_measured(void **state)
{
    (void)state;
    rods heavy = one;
    heavy.upright = true;
    for (int k = 0; k < 4; k++) {
        const double w = 15, belief = k < 2 ? 0.8 : 1.2;
        springs l = springs_of(rods_of(&heavy), w, 1e-3, belief, k % 2, 0.05, loop_rest);
        double t = 0;
        go(&l, &t, 1e-3, 4000, 1);
        const double g = 3 * 9.81 * 0.5 * cos(l.x[0]), G = -3 * 9.81 * 0.5 * sin(l.x[0]);
        const double e = k % 2 ? 0 : (6 * w * w - belief * OMEGA2 - G) * (belief - 1) * g / pow(w, 4), is = 0.3 - l.x[0];
        expect_near(&l.s, "offset", 1, &is, &e, 1e-6, 1);
        done(&l);
    }
}

/* A run on both sides of a bound: it decays, it grows. */
static void decays(double w, double period, double belief, bool measured, bool held, bool yes)
{
    springs l = springs_of(rods_of(&one), w, period, belief, measured, 1e-3, loop_rest);
    l.held = held;
    double t = 0, early = 0, late = 0;
    const int ticks = (int)(30 / w / period), steps = held ? 16 : 1;
    for (int k = 0; k < ticks; k++) go(&l, &t, period, 1, steps), early = worse(early, off(&l, t));
    go(&l, &t, period, 2 * ticks, steps);
    for (int k = 0; k < ticks; k++) go(&l, &t, period, 1, steps), late = worse(late, off(&l, t));
    if ((late < early) != yes)
        fail_msg("poles %g, period %g, stiffness %g, %s: %g, then %g", -w, period, belief, measured ? "torque" : "angles", early,
                 late);
    done(&l);
}

static void it_is_stable_up_to_the_bound(void **state)
{
    (void)state;
    /* angles: w^2 (5 - 1/k) > (k - 1) Omega^2     doc/elastic.md (17) */
    static const double belief[] = {1.05, 1.2, 1.5};
    for (int k = 0; k < 3; k++) {
        const double w = sqrt((belief[k] - 1) * OMEGA2 / (5 - 1 / belief[k]));
        decays(1.1 * w, 1e-3, belief[k], false, false, true);
        decays(0.9 * w, 1e-3, belief[k], false, false, false);
    }
    /* torque measured: k < 5, however slow the poles     doc/elastic.md (18) */
    for (int k = 0; k < 2; k++) {
        decays(k ? 20 : 2, 1e-3, 4.7, true, false, true);
        decays(k ? 20 : 2, 1e-3, 5.3, true, false, false);
    }
}

/* A torque that is held for a period: k x^2 < 24 x - 16, x = 4 + Omega^2 period/(2 w)     doc/elastic.md (19) */
static void slow_poles_need_fast_ticks(void **state)
{
    (void)state;
    static const double belief[] = {0.8, 1, 1.2};
    const double w = 0.5;
    for (int k = 0; k < 3; k++) {
        const double x = (12 + sqrt(144 - 16 * belief[k])) / belief[k], period = 2 * w * (x - 4) / OMEGA2;
        decays(w, 0.85 * period, belief[k], true, true, true);
        decays(w, 1.15 * period, belief[k], true, true, false);
    }
}

/* K3 tan(Omega period/2) < Omega     doc/elastic.md (20) */
static void fast_poles_need_them_too(void **state)
{
    (void)state;
    static const double w[] = {3, 5, 10};
    for (int k = 0; k < 3; k++) {
        const double period = 2 / sqrt(OMEGA2) * atan(sqrt(OMEGA2) / (4 * w[k]));
        decays(w[k], 0.95 * period, 1, true, true, true);
        decays(w[k], 1.05 * period, 1, true, true, false);
    }
}

/* ---- robots ---- */

/* At 1 kHz: (s + w)^4 from e0 at rest is e0 exp(-wt) (1 + wt + (wt)^2/2 + (wt)^3/6). The torque
 * that is held adds Omega^2 period/2 = 0.6 to K3 = 80, hence 1 %. */
static void two_joints_decay_with_their_poles_at_1_kHz(void **state)
{
    (void)state;
    const rods two = {.count = 2, .inertia = 0.25, .rotor = 1, .stiffness = 200};
    const double w = 20;
    springs l = springs_of(rods_of(&two), w, 1e-3, 1, false, 0.1, loop_rest);
    l.held = true;
    double t = 0;
    for (int k = 0; k < 10; k++) {
        go(&l, &t, 1e-3, 50, 4);
        const double wt = w * t, should = 0.1 * exp(-wt) * (1 + wt * (1 + wt * (0.5 + wt / 6)));
        const double is[2] = {0.3 - l.x[0], l.x[1] - 0.4}, both[2] = {should, should};
        expect_near(&l.s, "decay", 2, is, both, 0.01, 0.1);
    }
    done(&l);
}

/* What a wrong stiffness leaves of the error on the way, at most, from the quantities it is wrong about: accelerations and jerks
 * that are off by (k - 1) M^-1 tau_e and its rate, a torque off by (1/k - 1) B/K tau_e'', and a torque that is held; over w^4
 * (doc/elastic.md). Twice that, for the joints act on one another. */
static double remains(springs *l, double w, double period, double belief, double omega)
{
    const int n = l->n;
    double r[5 * MOST], row[3][MOST], M[MOST * MOST], worst = 0;
    const arne_flex_torques out = {.size = sizeof out, .tau_e = row[0], .dtau_e = row[1], .ddtau_e = row[2]};
    arne_data *links = test_data_on(arne_flex_settings(l->plant));
    for (double t = 2; t < 3; t += 0.01) {
        l->reference(t, n, r);
        arne_flex_id(l->plant, r, &out);
        arne_mass(links, r, M);
        assert_int_equal(arne_factor(links, M), ARNE_OK);
        for (int k = 0; k < 3; k++) arne_solve(links, M, row[k]);
        const double acceleration = l->measured ? 0 : (omega * omega + 6 * w * w) * largest(n, row[0]);
        const double model = fabs(belief - 1) * (acceleration + 4 * w * largest(n, row[1]) + largest(n, row[2]));
        worst = worse(worst, (model + omega * omega * period / 2 * largest(n, r + 3 * n)) / pow(w, 4));
    }
    arne_data_free(links);
    return 2 * worst;
}

/* From 0.1 rad beside its motion: springs 20 % off, it stays near and returns. */
static void springs_20_percent_off(void **state)
{
    (void)state;
    const rods lying = {.count = 2, .inertia = 0.25, .rotor = 1, .stiffness = 200};
    rods upright = lying;
    upright.upright = true;
    const struct {
        const char *what;
        const rods *arm; /* NULL: kuka-lwr */
        double omega;    /* largest on the way */
        double w, period;
        bool measured;
    } runs[] = {
        {"two joints, lying, angles", &lying, 35, 30, 1e-3, false},
        {"two joints, upright, angles", &upright, 35, 30, 1e-3, false},
        {"two joints, upright, torque", &upright, 35, 30, 1e-3, true},
        {"kuka-lwr, torque", NULL, 2550, 60, 1e-4, true},
    };
    for (int i = 0; i < 8; i++) {
        const double belief = i % 2 ? 1.2 : 0.8, w = runs[i / 2].w, period = runs[i / 2].period;
        springs l = springs_of(runs[i / 2].arm ? rods_of(runs[i / 2].arm) : shipped_subject("kuka-lwr"), w, period, belief,
                               runs[i / 2].measured, 0.1, loop_sines);
        double t = 0, most = 0, last = 0;
        l.held = true;
        for (int k = 0; k < 30; k++) {
            go(&l, &t, period, (int)(0.1 / period + 0.5), period > 5e-4 ? 4 : 1);
            most = worse(most, off(&l, t));
            if (k >= 20) last = worse(last, off(&l, t));
        }
        const double bound = remains(&l, w, period, belief, runs[i / 2].omega);
        print_message("%s, K times %.1f: off by %.2g at most, then %.2g (bound %.2g)\n", runs[i / 2].what, belief, most, last,
                      bound);
        assert_true(most < 0.3 && last < bound && bound < 0.1);
        done(&l);
    }
}

/* The hand of kuka-lwr swings at 2540 rad/s: poles at 20 rad/s would be stable at 10 kHz only. */
static void default_poles_suit_the_period(void **state)
{
    (void)state;
    static const double period[] = {1e-4, 2.5e-4, 5e-4};
    for (int k = 0; k < 3; k++) {
        springs l = springs_of(shipped_subject("kuka-lwr"), 0, period[k], 1, false, 0.01, loop_rest);
        l.held = true;
        double t = 0;
        go(&l, &t, period[k], (int)(1.5 / period[k]), k == 2 ? 3 : 2);
        print_message("kuka-lwr, default poles, %g ms: off by %.2g\n", 1e3 * period[k], off(&l, t));
        assert_true(off(&l, t) < 1e-6);
        done(&l);
    }
}

static void a_factor_must_be_positive(void **state)
{
    (void)state;
    subject s = rods_of(&one);
    arne_controller *c;
    arne_error e;
    static const double wrong[] = {0, -1, NAN, INFINITY};
    for (int k = 0; k < 8; k++) {
        const arne_control_options o = {.size = sizeof o,
                                        .kind = k % 2 ? ARNE_CONTROL_ELASTIC : ARNE_CONTROL_MOTOR_PD,
                                        .period = 1e-3,
                                        .springs = &wrong[k / 2]};
        assert_int_equal(arne_controller_new(arne_data_settings(s.data), &o, &c, &e), ARNE_BAD_VALUE);
        assert_non_null(strstr(e.message, "shoulder"));
    }
    subject_close(&s);
}

/* A measured torque that is none holds the last good one. */
static void a_torque_that_is_none_is_not_used(void **state)
{
    (void)state;
    springs l = springs_of(rods_of(&one), 20, 1e-3, 1, true, 0.1, loop_rest);
    double tau, again, r[5];
    const double none = NAN;
    tick(&l, 0, l.x, &tau);
    loop_rest(0, 1, r);
    const arne_tick in = {
        .size = sizeof in, .q = l.x, .qd = l.x + 1, .theta = l.x + 2, .thetad = l.x + 3, .reference = r, .tau_e = &none};
    assert_int_equal(flags_of(l.c, &in, &again), ARNE_TICK_HELD);
    assert_true(again == tau && tau != 0);
    done(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_joint_moves_as_its_polynomial_says),
        cmocka_unit_test(gravity_pulls_it_away_unless_its_torque_is_measured),
        cmocka_unit_test(it_is_stable_up_to_the_bound),
        cmocka_unit_test(slow_poles_need_fast_ticks),
        cmocka_unit_test(fast_poles_need_them_too),
        cmocka_unit_test(two_joints_decay_with_their_poles_at_1_kHz),
        cmocka_unit_test(springs_20_percent_off),
        cmocka_unit_test(default_poles_suit_the_period),
        cmocka_unit_test(a_factor_must_be_positive),
        cmocka_unit_test(a_torque_that_is_none_is_not_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
