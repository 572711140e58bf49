/* SPDX-License-Identifier: MIT
 *
 * no_malloc_test.c - after loading nothing allocates: every row of the table, the functions of dynamics.h and its companions, a
 * cycle of feasible.h and all that ticks run while the allocator is guarded. The linker puts the guards in its place (--wrap,
 * tests/CMakeLists.txt); where a sanitizer owns the allocator there are none and the test is skipped. */
#include "kinds/settings.h"

#include <stdlib.h>

#include "arne/elastic.h"
#include "arne/observe.h"
#include "arne/trajectory.h"

/* the allocator behind the guards; NULL: no guards */
extern void *__real_malloc(size_t size) __attribute__((weak));
extern void *__real_calloc(size_t count, size_t size) __attribute__((weak));
extern void *__real_realloc(void *p, size_t size) __attribute__((weak));
extern void *__real_aligned_alloc(size_t alignment, size_t size) __attribute__((weak));
extern void __real_free(void *p) __attribute__((weak));

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *p);

/* volatile: the compiler knows malloc and believes that it touches no variable of ours */
static volatile bool forbidden;
static volatile int calls;

void *__wrap_malloc(size_t size)
{
    calls += forbidden;
    return __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size)
{
    calls += forbidden;
    return __real_calloc(count, size);
}
void *__wrap_realloc(void *p, size_t size)
{
    calls += forbidden;
    return __real_realloc(p, size);
}
void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    calls += forbidden;
    return __real_aligned_alloc(alignment, size);
}
void __wrap_free(void *p)
{
    calls += forbidden;
    __real_free(p);
}

#define WITHOUT_MALLOC(call)                                                                                                     \
    do {                                                                                                                         \
        calls = 0;                                                                                                               \
        forbidden = true;                                                                                                        \
        call;                                                                                                                    \
        forbidden = false;                                                                                                       \
        if (calls) fail_msg("%s: %s calls the allocator", s->name, #call);                                                       \
    } while (0)

enum { COUNT = 11, N = MOST_DOF };

typedef struct {
    double q[7 * COUNT * N], qd[COUNT * N], qdd[COUNT * N], out[COUNT * MOST_RESULTS], more[N * N], last[N * N];
    float q32[COUNT * N], qd32[COUNT * N], qdd32[COUNT * N], out32[COUNT * MOST_RESULTS];
    subject *s;
} desk;

static void call_settings(subject *s, desk *k)
{
    int count;
    for (int setting = 0; setting < SETTINGS; setting++) WITHOUT_MALLOC(set_up(s, setting));
    WITHOUT_MALLOC(arne_set_friction(s->settings, true));
    WITHOUT_MALLOC(arne_set_rotors(s->settings, true));
    WITHOUT_MALLOC(arne_parameters(s->settings, k->out));
    WITHOUT_MALLOC(arne_set_parameters(s->settings, k->out));
    WITHOUT_MALLOC(arne_parameters_friction(s->settings, k->out));
    WITHOUT_MALLOC((void)arne_settings_wrenches(s->settings, &count));
    WITHOUT_MALLOC(arne_set_wrenches(s->settings, NULL, 0));
    const size_t bytes = arne_data_bytes(s->m);
    void *own = aligned_alloc(64, (bytes + 63) / 64 * 64);
    assert_non_null(own);
    arne_data *d = NULL;
    WITHOUT_MALLOC(assert_int_equal(arne_data_init(s->m, own, bytes, &d), ARNE_OK));
    WITHOUT_MALLOC(assert_true(arne_data_model(d) == s->m && arne_data_bytes(s->m) == bytes));
    WITHOUT_MALLOC(arne_settings_copy(arne_data_settings(d), s->settings));
    WITHOUT_MALLOC(arne_set_link_side(arne_data_settings(d)));
    free(own);
}

/* the table: alone and in batches */
static void call_row(void *desk_, int row, const arne_quantity_options *o)
{
    desk *k = desk_;
    subject *s = k->s;
    const arne_state x = {k->q, k->qd, k->qdd, k->qdd, k->qd};
    const arne_state32 x32 = {k->q32, k->qd32, k->qdd32, k->qdd32, k->qd32};
    WITHOUT_MALLOC((void)arne_compute(s->data, row, o, &x, k->out));
    WITHOUT_MALLOC((void)arne_batch(s->data, row, o, COUNT, &x, k->out));
    WITHOUT_MALLOC((void)arne_batch32(s->data, row, o, COUNT, &x32, k->out32));
}

static void call_dynamics(subject *s, desk *k)
{
    arne_data *d = s->data;
    const double *q = k->q, *qd = k->qd, *qdd = k->qdd;
    WITHOUT_MALLOC(arne_id(d, q, qd, qdd, k->out));
    WITHOUT_MALLOC(arne_bias(d, q, qd, k->out));
    WITHOUT_MALLOC(arne_gravity(d, q, k->out));
    WITHOUT_MALLOC(arne_coriolis_vector(d, q, qd, k->out));
    WITHOUT_MALLOC(arne_friction_torque(d, qd, k->out));
    WITHOUT_MALLOC(arne_mass(d, q, k->out));
    WITHOUT_MALLOC((void)arne_factor(d, k->out));
    WITHOUT_MALLOC(arne_solve(d, k->out, k->more));
    WITHOUT_MALLOC((void)arne_fd(d, q, qd, qdd, k->out));
    WITHOUT_MALLOC((void)arne_fd_crba(d, q, qd, qdd, k->out));
    WITHOUT_MALLOC(arne_momentum(d, q, qd, k->out));
    WITHOUT_MALLOC(arne_energy(d, q, qd, k->out, k->more));
    WITHOUT_MALLOC(arne_joint_wrenches(d, q, qd, qdd, k->out));
    WITHOUT_MALLOC(arne_motor_torques(d, qdd, k->out));
    WITHOUT_MALLOC(arne_regressor_friction(d, q, qd, qdd, k->out));
    arne_pose pose;
    WITHOUT_MALLOC(arne_link_pose(d, q, s->nlink - 1, &pose));
    WITHOUT_MALLOC(arne_link_velocity(d, q, qd, s->nlink - 1, ARNE_WORLD, k->out));
    WITHOUT_MALLOC(arne_link_jacobian(d, q, s->nlink - 1, ARNE_WORLD, k->out));
}

static void call_coriolis(subject *s, desk *k)
{
    arne_data *d = s->data;
    const double *q = k->q, *qd = k->qd, *qdd = k->qdd;
    for (int c = 0; c <= ARNE_CHRISTOFFEL_FACTOR; c++) {
        const arne_factor_choice f = (arne_factor_choice)c;
        WITHOUT_MALLOC(arne_star(d, f, q, qd, qd, qdd, k->out));
        WITHOUT_MALLOC(arne_coriolis(d, f, q, qd, k->out));
        WITHOUT_MALLOC(arne_coriolis_product(d, f, q, qd, qdd, k->out));
        WITHOUT_MALLOC(arne_coriolis_transpose_product(d, f, q, qd, qdd, k->out));
    }
    WITHOUT_MALLOC(arne_momentum_terms(d, q, qd, k->out, k->more, k->last));
    WITHOUT_MALLOC(arne_ctqd(d, q, qd, k->out));
    WITHOUT_MALLOC(arne_mass_rate_product(d, q, qd, qdd, k->out));
    for (int variant = 0; variant < 16; variant++) WITHOUT_MALLOC(arne_star_variant(d, variant, q, qd, qd, qdd, k->out));
}

static void call_derive(subject *s, desk *k)
{
    WITHOUT_MALLOC(arne_id_derivatives(s->data, k->q, k->qd, k->qdd, k->out, k->more, k->last));
    WITHOUT_MALLOC((void)arne_fd_derivatives(s->data, k->q, k->qd, k->qdd, k->out, k->more, k->last));
    WITHOUT_MALLOC(arne_id_taylor(s->data, k->q, k->out));
}

static void call_rollout(subject *s, desk *k)
{
    static double A[4 * N * N], B[2 * N * N], P[26 * N * N];
    const arne_rollout_options o = {.size = sizeof o, .step = 1e-3, .parameters = true};
    arne_rollout *r;
    assert_int_equal(arne_rollout_new(s->settings, &o, &r, NULL), ARNE_OK);
    const arne_rollout_arrays one = {.size = sizeof one,
                                     .steps = 1,
                                     .q = k->q,
                                     .qd = k->qd,
                                     .tau = k->qdd,
                                     .A = A,
                                     .B = B,
                                     .by_tau = k->out,
                                     .by_parameters = P};
    const arne_rollout_arrays many = {
        .size = sizeof many, .steps = 1, .q = k->q, .qd = k->qd, .tau = k->qdd, .positions = k->out};
    WITHOUT_MALLOC((void)arne_rollout_run(r, 1, &one));
    WITHOUT_MALLOC((void)arne_rollout_run(r, COUNT, &many));
    arne_rollout_free(r);
}

static void call_cycle(subject *s, desk *k)
{
    bool saturated[N];
    const arne_achieved to = {sizeof to, k->out, k->out + N, k->out + 2 * N, k->out + 3 * N, saturated};
    for (int policy = ARNE_KEEP; policy <= ARNE_RESOLVE; policy++) {
        const arne_cycle_options o = {.size = sizeof o, .dt = 0.01, .policy = (arne_policy)policy, .stay = true};
        WITHOUT_MALLOC((void)arne_achievable(s->data, &o, k->q, k->qd, k->q, k->qdd, &to));
    }
    WITHOUT_MALLOC(arne_stopping(s->data, k->q, k->qd, k->qdd, k->out));
}

static void call_forms(subject *s, desk *k)
{
    for (int m = 0; m < ARNE_FORMULATION_COUNT; m++) {
        WITHOUT_MALLOC(arne_forms_id(s->data, (arne_formulation)m, k->q, k->qd, k->qdd, k->out));
        WITHOUT_MALLOC((void)arne_forms_fd(s->data, (arne_formulation)m, k->q, k->qd, k->qdd, k->out));
    }
    WITHOUT_MALLOC(arne_forms_mrnea(s->data, k->q, k->qd, k->out, k->more));
    WITHOUT_MALLOC(arne_forms_strobe_mass(s->data, k->q, k->out));
    WITHOUT_MALLOC(arne_forms_strobe_coriolis(s->data, k->q, k->out));
}

static void call_observer(subject *s, desk *k)
{
    for (int numeric = 0; numeric < 2; numeric++) {
        const arne_observer_options options = {.size = sizeof options, .period = 0.001, .numeric = numeric};
        arne_observer *o;
        arne_detector *x;
        arne_fault_monitor *f;
        arne_detection contact;
        arne_fault fault;
        arne_wrench_estimate w;
        for (int i = 0; i < s->n; i++) k->last[i] = 1;
        assert_int_equal(arne_observer_new(arne_data_settings(s->data), &options, &o, NULL), ARNE_OK);
        assert_int_equal(arne_detector_new(s->m, k->last, &x, NULL), ARNE_OK);
        assert_int_equal(
            arne_fault_new(s->m, &(arne_fault_options){.size = sizeof(arne_fault_options), .period = 0.001, .threshold = k->last},
                           &f, NULL),
            ARNE_OK);
        for (int tick = 0; tick < COUNT; tick++) {
            const int at = tick * s->n;
            WITHOUT_MALLOC((void)arne_observer_tick(o, k->q + at, k->qd + at, k->qdd + at));
            const double *r = arne_observer_residual(o);
            WITHOUT_MALLOC(arne_detector_tick(x, r, &contact));
            WITHOUT_MALLOC(arne_fault_tick(f, k->qd + at, k->qdd + at, r, &fault));
            WITHOUT_MALLOC((void)arne_residual_wrench(s->data, k->q + at, &(arne_touch){.link = s->nlink - 1}, r, &w));
        }
        arne_fault_free(f);
        arne_detector_free(x);
        arne_observer_free(o);
    }
}

/* elastic joints, where the robot has them: kuka-lwr does */
static void call_elastic(subject *s, desk *k)
{
    arne_flex *f;
    if (arne_flex_new(arne_data_settings(s->data), &f, NULL) != ARNE_OK) return;
    const int n = s->n;
    double *at = k->out, tau[N], K[N];
    const arne_flex_torques to = {sizeof to, at, at + n, at + 2 * n, at + 3 * n, at + 4 * n, at + 5 * n, at + 6 * n};
    for (int i = 0; i < n; i++) K[i] = 1000;
    WITHOUT_MALLOC(arne_flex_id(f, k->q, &to));
    WITHOUT_MALLOC(arne_flex_id_taylor(f, k->q, &to));
    WITHOUT_MALLOC(arne_flex_set_stiffness(f, K, K, K));
    WITHOUT_MALLOC(arne_flex_id(f, k->q, &to));
    WITHOUT_MALLOC(arne_flex_spring(f, k->q, k->qd, k->qdd, k->qd, tau));
    WITHOUT_MALLOC((void)arne_flex_fd(f, k->q, k->qd, k->qdd, k->qd, tau, at, at + n));
    WITHOUT_MALLOC(arne_flex_rest(f, k->q, at, tau));
    WITHOUT_MALLOC(arne_flex_energy(f, k->q, k->qd, k->qdd, k->qd, at, at + 1));
    WITHOUT_MALLOC((void)arne_flex_state(f, k->q, k->qd, k->qdd, k->qd, at, at + n));
    WITHOUT_MALLOC((void)arne_flex_linearize(f, k->q, k->qd, at, at + n, k->qdd, tau));
    arne_flex_free(f);
}

static void call_trajectories(subject *s, desk *k)
{
    const double t[3] = {0, 1, 3};
    arne_trajectory *part[2];
    assert_int_equal(arne_trajectory_spline(s->n, 9, 3, t, k->q, &part[0], NULL), ARNE_OK);
    assert_int_equal(arne_trajectory_fourier(s->n, 2, 3, k->q, k->qd, k->qdd, 0, 5, 1, &part[1], NULL), ARNE_OK);
    for (int p = 0; p < 2; p++) {
        WITHOUT_MALLOC(arne_trajectory_at(part[p], 2.5, ARNE_TRAJECTORY_ORDER, k->out));
        WITHOUT_MALLOC((void)arne_trajectory_smoothness(part[p]));
        arne_trajectory_free(part[p]);
    }
}

/* every controller that suits the robot; hands and their inverse kinematics, found or not */
static void call_control(subject *s, desk *k)
{
    arne_hand_target target = {.velocity = {0.1, 0.2, 0.3}};
    const int link = arne_joint_link(s->m, s->n - 1);
    arne_data *d = test_data(s->m);
    double ones[N];
    for (int i = 0; i < N; i++) ones[i] = 1;
    WITHOUT_MALLOC(arne_hand_at(d, link, k->q, k->qd, k->qdd, &target));
    WITHOUT_MALLOC((void)arne_hand_joint_velocity(d, link, k->q, target.velocity, NULL, k->out, NULL));
    memcpy(k->out, k->q, (size_t)s->n * sizeof *k->out);
    arne_error e;
    WITHOUT_MALLOC((void)arne_hand_solve(
        d, link, &target.pose, &(arne_hand_options){.size = sizeof(arne_hand_options), .position_only = true}, k->out, &e));
    for (int kind = 0; kind < ARNE_CONTROL_COUNT; kind++) {
        const arne_control_options o = {.size = sizeof o,
                                        .kind = (arne_control_kind)kind,
                                        .period = 0.001,
                                        .kp = ones,
                                        .kd = ones,
                                        .link = link,
                                        .stiffness = {1},
                                        .damping = {1},
                                        .friction = true,
                                        .saturate = true};
        arne_controller *c;
        if (arne_controller_new(arne_data_settings(d), &o, &c, &e)) continue; /* joints that are not elastic */
        const arne_tick in = {sizeof in, k->q, k->qd, k->q, k->qd, k->q, &target, NULL};
        for (int tick = 0; tick < 3; tick++) WITHOUT_MALLOC((void)arne_control_tick(c, &in, k->out, NULL));
        WITHOUT_MALLOC(arne_controller_reset(c));
        arne_controller_free(c);
    }
    arne_data_free(d);
}

static void check_robot(subject *s)
{
    desk *k = calloc(1, sizeof *k);
    assert_non_null(k);
    k->s = s;
    random_vector(&s->r, 7 * COUNT * N, 3, k->q);
    random_vector(&s->r, COUNT * N, 2, k->qd);
    random_vector(&s->r, COUNT * N, 5, k->qdd);
    for (int i = 0; i < COUNT * N; i++) k->q32[i] = (float)k->q[i], k->qd32[i] = (float)k->qd[i], k->qdd32[i] = (float)k->qdd[i];
    const bool wide = s->nq != s->n; /* the dynamics of any joint, the rest is for those of one freedom */
    call_settings(s, k);
    if (!wide) call_control(s, k);
    for (int setting = 0; setting < SETTINGS; setting++) {
        set_up(s, setting);
        every_row(s, arne_quantities(), call_row, k);
        call_dynamics(s, k);
        call_coriolis(s, k);
        call_derive(s, k);
        call_rollout(s, k);
        if (wide) continue;
        call_forms(s, k);
        call_cycle(s, k);
        call_observer(s, k);
        call_elastic(s, k);
        call_trajectories(s, k);
    }
    free(k);
}

static void guards_are_in_place(void **state)
{
    (void)state;
    if (!__real_malloc) skip();
    calls = 0;
    forbidden = true;
    void *volatile p = malloc(8);
    free(p);
    forbidden = false;
    assert_int_equal(calls, 2);
}

static void shipped_robots_run_without_malloc(void **state)
{
    (void)state;
    if (!__real_malloc) skip();
    for (int number = -shipped_wide_robots(); number < shipped_robots(); number++) {
        subject s = subject_number(number, 0);
        check_robot(&s);
        subject_close(&s);
    }
}

static void random_robots_run_without_malloc(void **state)
{
    (void)state;
    if (!__real_malloc) skip();
    for (int k = 0; k < 2 * RANDOM_FAMILIES; k++) {
        subject s = subject_number(shipped_robots() + k, parts_of(k));
        check_robot(&s);
        subject_close(&s);
    }
}

/* no mass at all: forward dynamics has to say so, without malloc */
static void a_singular_robot_runs_without_malloc(void **state)
{
    (void)state;
    if (!__real_malloc) skip();
    arne_description *d = arne_description_new("massless");
    assert_true(d && arne_description_link(d, "l0", 0) && arne_description_link(d, "l1", 0));
    assert_non_null(arne_description_joint(d, "j1", 0, ARNE_REVOLUTE, "l0", "l1"));
    subject s = subject_of(d);
    const motion x = subject_motion(&s, 1);
    double qdd[MOST_DOF];
    assert_int_equal(arne_fd(s.data, x.q, x.qd, x.qdd, qdd), ARNE_SINGULAR);
    check_robot(&s);
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guards_are_in_place),
        cmocka_unit_test(shipped_robots_run_without_malloc),
        cmocka_unit_test(random_robots_run_without_malloc),
        cmocka_unit_test(a_singular_robot_runs_without_malloc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
