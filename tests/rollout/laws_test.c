/* SPDX-License-Identifier: MIT
 *
 * laws_test.c - what holds of rollouts whatever the robot: conservative motions keep the symplectic form, rules have their order.
 */
#include "rollout/rollouts.h"

/* dq ^ dp of conservative motions stays: with p = M qd, S' J S = J for the derivative S of (q, p) by its start. Torques that are
 * constant have a potential. */
static void symplectic(int n, const double *S, double *out)
{
    for (int a = 0; a < 2 * n; a++)
        for (int b = 0; b < 2 * n; b++) {
            out[a * 2 * n + b] = 0;
            for (int i = 0; i < n; i++)
                out[a * 2 * n + b] += S[i * 2 * n + a] * S[(n + i) * 2 * n + b] - S[(n + i) * 2 * n + a] * S[i * 2 * n + b];
        }
}

/* (dq, dqd) to (dq, dp): dp = d(M qd)/dq dq + M dqd, from the derivatives of id at rest without gravity */
static void to_momenta(const subject *s, const double *q, const double *qd, double *T)
{
    const int n = s->n;
    double dq[N * N], M[N * N];
    const double rest[N] = {0}, none[3] = {0}, *g = arne_settings_gravity(s->settings), down[3] = {g[0], g[1], g[2]};
    arne_set_gravity(s->settings, none);
    assert_int_equal(arne_id_derivatives(s->data, q, rest, qd, dq, NULL, M), ARNE_OK);
    arne_set_gravity(s->settings, down);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            T[i * 2 * n + j] = i == j, T[i * 2 * n + n + j] = 0;
            T[(n + i) * 2 * n + j] = dq[i * n + j], T[(n + i) * 2 * n + n + j] = M[i * n + j];
        }
}

/* the form of (dq, dqd) at the start, and what it is after S; the distance between both beside the form */
static double form_lost(const subject *s, const double *q0, const double *v0, const double *q1, const double *v1, const double *S)
{
    static double T[4 * N * N], U[4 * N * N], before[4 * N * N], after[4 * N * N];
    const int n = 2 * s->n;
    double lost = 0;
    to_momenta(s, q0, v0, T);
    symplectic(s->n, T, before);
    to_momenta(s, q1, v1, T);
    multiply(n, T, S, n, U);
    symplectic(s->n, U, after);
    for (int i = 0; i < n * n; i++) lost = fmax(lost, fabs(after[i] - before[i]));
    return lost / largest(n * n, before);
}

static void conservative_motions_keep_the_symplectic_form(void **state)
{
    (void)state;
    results *x = new_results();
    for (int number = 0; number < 28; number++) {
        subject s = subject_number(shipped_robots() + number, RANDOM_MOTORS);
        arne_set_friction(s.settings, false);
        double lost[2];
        start at = a_start(&s, 1);
        for (int k = 1; k < K; k++) memcpy(at.tau + k * s.n, at.tau, (size_t)s.n * sizeof *at.tau);
        for (int k = 0; k < 2; k++) { /* the rule keeps it to its order */
            arne_rollout *r = begin(&s, ARNE_RULE_RK4, k ? 5e-5 : 2e-3);
            go(r, K, false, at.x.q, at.x.qd, at.tau, x);
            lost[k] = form_lost(&s, at.x.q, at.x.qd, x->positions + K * s.nq, x->velocities + K * s.n, x->by_start);
            arne_rollout_free(r);
        }
        if (!(lost[1] < 1e-11) || !(lost[0] < 1e-3)) fail_msg("%s: the form changes by %g, %g", s.name, lost[0], lost[1]);
        subject_close(&s);
    }
    /* where M is constant the semi-implicit rule keeps it exactly, whatever the step: an arm whose second link turns about its
     * centre of mass */
    arne_description *d = long_chain(2);
    for (size_t k = 1; k < d->nlink; k++) d->links[k].body = (arne_body){2, {k == 1 ? 0.3 : 0, 0, 0}, {0.1, 0, 0, 0.2, 0, 0.3}};
    for (size_t j = 0; j < d->njoint; j++) {
        d->joints[j].axis[0] = d->joints[j].axis[1] = 0, d->joints[j].axis[2] = 1;
        d->joints[j].before = arne_pose_rpy((const double[3]){j ? 0.5 : 0}, (const double[3]){0});
        d->joints[j].after = arne_pose_rpy((const double[3]){0}, (const double[3]){0});
    }
    subject s = subject_of(d);
    arne_set_gravity(s.settings, (const double[3]){1, -9, 0});
    for (int rule = 0; rule < ARNE_RULES; rule++) {
        arne_rollout *r = begin(&s, (arne_rule)rule, 0.1);
        const start at = a_start(&s, 1);
        go(r, K, false, at.x.q, at.x.qd, at.tau, x);
        const double lost = form_lost(&s, at.x.q, at.x.qd, x->positions + K * s.nq, x->velocities + K * s.n, x->by_start);
        if (rule == ARNE_RULE_SEMI_IMPLICIT ? !(lost < 1e-14) : !(lost > 1e-9))
            fail_msg("rule %d: the form changes by %g", rule, lost);
        arne_rollout_free(r);
    }
    subject_close(&s);
    free(x);
}

/* the error of a motion of given duration falls with the power of the step */
static void rules_have_their_order(void **state)
{
    (void)state;
    static const int order[ARNE_RULES] = {4, 1, 1};
    for (int number = 0; number < 6; number++)
        for (int rule = 0; rule < ARNE_RULES; rule++) {
            subject s = subject_number(shipped_robots() + number, RANDOM_WIDE);
            double end[3][2 * N], a[2 * N], b[2 * N], tau[320 * N] = {0};
            const motion x = subject_motion(&s, 1);
            const double time = rule == ARNE_RULE_RK4 ? 0.1 : 0.01;
            for (int k = 0; k < 3; k++) {
                const int steps = 5 << k;
                double *P = malloc((size_t)((steps + 1) * s.nq) * sizeof *P),
                       *V = malloc((size_t)((steps + 1) * s.n) * sizeof *V);
                arne_rollout *r = begin(&s, (arne_rule)rule, time / steps);
                const arne_rollout_arrays arrays = {
                    .size = sizeof arrays, .steps = steps, .q = x.q, .qd = x.qd, .tau = tau, .positions = P, .velocities = V};
                assert_int_equal(arne_rollout_run(r, 1, &arrays), ARNE_OK);
                memcpy(end[k], P + steps * s.nq, (size_t)s.nq * sizeof *P);
                memcpy(end[k] + s.nq, V + steps * s.n, (size_t)s.n * sizeof *V);
                arne_rollout_free(r);
                free(P), free(V);
            }
            seen_from(&s, end[1], end[0], a);
            seen_from(&s, end[2], end[1], b);
            const double ratio = log2(largest(2 * s.n, a) / largest(2 * s.n, b));
            if (!(fabs(ratio - order[rule]) < 0.35)) fail_msg("%s: rule %d has order %g", s.name, rule, ratio);
            subject_close(&s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conservative_motions_keep_the_symplectic_form),
        cmocka_unit_test(rules_have_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
