/* SPDX-License-Identifier: MIT
 *
 * observer_curve.c - false alarms against delay: a KUKA LWR in closed loop with quantized, noisy encoders is pushed with 20 N for
 * 50 ms at links three to seven, and left alone for ten minutes; two observers look at it, the exact one and the one that
 * differentiates the inertia matrix. Prints a table over the threshold, in standard deviations of the quiet residual.
 *
 *     observer_curve [ROBOT.yaml [BITS [GAIN [PERIOD]]]]        BITS of an encoder per turn, GAIN of the observers, PERIOD in s
 *
 * Velocities are differences of positions: nothing better is known to controller and observers. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arne/arne.h"
#include "arne/file.h"
#include "arne/observe.h"

enum { MOST = 16, METHODS = 2, LEVELS = 8, PUSHES = 40, FIRST = 2 };
static const double QUIET = 600, FORCE = 20, PUSH = 0.05, EVERY = 0.5; /* s, N */

typedef struct {
    arne_model *m;
    arne_data *real, *known;
    arne_observer *observer[METHODS];
    int n;
    double h, step; /* tick, rad of an encoder step */
    double t, q[MOST], qd[MOST], tau[MOST];
    double seen[MOST], speed[MOST]; /* measured */
    bool started;
    uint64_t seed;
} bench;

static double uniform(bench *b)
{
    b->seed = b->seed * 6364136223846793005u + 1442695040888963407u;
    return ((double)(b->seed >> 11) + 0.5) * 0x1p-53;
}

static double normal(bench *b) { return sqrt(-2 * log(uniform(b))) * cos(2 * acos(-1.0) * uniform(b)); }

static void measure(bench *b)
{
    for (int i = 0; i < b->n; i++) {
        const double now = b->step * floor((b->q[i] + 0.5 * b->step * normal(b)) / b->step + 0.5);
        b->speed[i] = b->started ? (now - b->seen[i]) / b->h : 0;
        b->seen[i] = now;
    }
    b->started = true;
}

/* computed torque along sines, from what was measured */
static void control(bench *b)
{
    double qdd[MOST];
    for (int i = 0; i < b->n; i++) {
        const double w = 1.0 + 0.13 * i, a = 0.6, x = a * sin(w * b->t + i), v = a * w * cos(w * b->t + i);
        qdd[i] = -w * w * x + 100 * (x - b->seen[i]) + 20 * (v - b->speed[i]);
    }
    arne_id(b->known, b->seen, b->speed, qdd, b->tau);
}

/* one tick of the robot, Runge-Kutta's fourth order; `push` may be NULL */
static void move(bench *b, const arne_wrench *push)
{
    const int n = b->n;
    double q[MOST], qd[MOST], sum_q[MOST] = {0}, sum_qd[MOST] = {0}, dq[MOST] = {0}, dqd[MOST] = {0};
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    arne_set_wrenches(arne_data_settings(b->real), push, push ? 1 : 0);
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < n; i++) {
            q[i] = b->q[i] + at[s] * b->h * dq[i];
            qd[i] = b->qd[i] + at[s] * b->h * dqd[i];
        }
        memcpy(dq, qd, sizeof dq);
        arne_fd(b->real, q, qd, b->tau, dqd);
        for (int i = 0; i < n; i++) sum_q[i] += weight[s] * dq[i], sum_qd[i] += weight[s] * dqd[i];
    }
    for (int i = 0; i < n; i++) b->q[i] += b->h / 6 * sum_q[i], b->qd[i] += b->h / 6 * sum_qd[i];
    b->t += b->h;
}

static void tick(bench *b, const arne_wrench *push)
{
    measure(b);
    for (int k = 0; k < METHODS; k++) arne_observer_tick(b->observer[k], b->seen, b->speed, b->tau);
    control(b);
    move(b, push);
}

/* largest residual in standard deviations */
static double loudest(const bench *b, int method, double sigma[METHODS][MOST])
{
    double most = 0;
    const double *r = arne_observer_residual(b->observer[method]);
    for (int i = 0; i < b->n; i++) most = fmax(most, fabs(r[i]) / sigma[method][i]);
    return most;
}

static void settle(bench *b, double seconds)
{
    for (int k = 0; k < seconds / b->h; k++) tick(b, NULL);
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "robots/kuka-lwr.yaml";
    bench b = {.h = argc > 4 ? atof(argv[4]) : 0.001, .seed = 1};
    const double bits = argc > 2 ? atof(argv[2]) : 20, K = argc > 3 ? atof(argv[3]) : 25;
    arne_error e = {0};
    if (arne_load(path, &b.m, &e)) {
        fprintf(stderr, "%s:%d: %s\n", e.file, e.line, e.message);
        return 1;
    }
    b.n = arne_model_dof(b.m);
    b.step = 2 * acos(-1.0) / pow(2, bits);
    if (b.n < FIRST + 1 || b.n > MOST || !(b.h > 0) || !(K > 0)) return 1;
    double gain[MOST], sigma[METHODS][MOST] = {{0}};
    for (int i = 0; i < b.n; i++) gain[i] = K;
    if (arne_data_new(b.m, &b.real, &e) || arne_data_new(b.m, &b.known, &e)) return 1;
    arne_set_friction(arne_data_settings(b.real), false);
    arne_set_friction(arne_data_settings(b.known), false);
    for (int k = 0; k < METHODS; k++) {
        const arne_observer_options options = {.size = sizeof options, .period = b.h, .gain = gain, .numeric = k == 1};
        if (arne_observer_new(arne_data_settings(b.known), &options, &b.observer[k], &e)) return 1;
    }
    for (int i = 0; i < b.n; i++) b.q[i] = 0.6 * sin(i), b.qd[i] = 0.6 * (1.0 + 0.13 * i) * cos(i);

    /* a minute to know the noise, ten minutes to count alarms */
    const double level[LEVELS] = {4, 4.5, 5, 5.5, 6, 6.5, 7, 8};
    int alarms[METHODS][LEVELS] = {{0}}, missed[METHODS][LEVELS] = {{0}}, found[METHODS][LEVELS] = {{0}},
        late[METHODS][LEVELS] = {{0}};
    double delay[METHODS][LEVELS] = {{0}}, silent[METHODS][LEVELS] = {{0}};
    settle(&b, 2);
    const int minute = (int)lround(60 / b.h);
    for (int k = 0; k < minute; k++) {
        tick(&b, NULL);
        for (int j = 0; j < METHODS; j++)
            for (int i = 0; i < b.n; i++) sigma[j][i] += pow(arne_observer_residual(b.observer[j])[i], 2) / minute;
    }
    for (int j = 0; j < METHODS; j++)
        for (int i = 0; i < b.n; i++) sigma[j][i] = sqrt(sigma[j][i]);
    for (int k = 0; k < QUIET / b.h; k++) {
        tick(&b, NULL);
        for (int j = 0; j < METHODS; j++)
            for (int l = 0; l < LEVELS; l++) {
                const bool over = loudest(&b, j, sigma) > level[l];
                if (over && b.t > silent[j][l]) alarms[j][l]++;
                if (over) silent[j][l] = b.t + 0.1; /* alarms 0.1 s apart are one */
            }
    }

    /* pushes in any direction, near the link's origin: some of them along an axis, where a joint feels little */
    for (int k = 0; k < PUSHES * (b.n - FIRST); k++) {
        const int joint = FIRST + k % (b.n - FIRST);
        settle(&b, EVERY * (1 + uniform(&b)));
        arne_wrench w = {.link = arne_joint_link(b.m, joint), .frame = ARNE_ALIGNED};
        double size = 0;
        for (int c = 0; c < 3; c++) w.force[c] = normal(&b), size = hypot(size, w.force[c]), w.point[c] = 0.05 * normal(&b);
        for (int c = 0; c < 3; c++) w.force[c] *= FORCE / size;
        double since[METHODS][LEVELS];
        for (int j = 0; j < METHODS; j++)
            for (int l = 0; l < LEVELS; l++) since[j][l] = -1;
        const double begin = b.t;
        for (int s = 0; s < 2 * PUSH / b.h; s++) {
            tick(&b, b.t - begin < PUSH - 1e-9 ? &w : NULL);
            for (int j = 0; j < METHODS; j++)
                for (int l = 0; l < LEVELS; l++)
                    if (since[j][l] < 0 && loudest(&b, j, sigma) > level[l]) since[j][l] = b.t - b.h - begin;
        }
        for (int j = 0; j < METHODS; j++)
            for (int l = 0; l < LEVELS; l++) {
                if (since[j][l] < 0) {
                    missed[j][l]++;
                    continue;
                }
                found[j][l]++;
                late[j][l] += since[j][l] > 0.010 + 1e-9;
                delay[j][l] += since[j][l];
            }
    }
    printf("%s, %g bits, gain %g/s, period %g s; %d pushes of %g N; sigma Nm, exact:", arne_model_name(b.m), bits, K, b.h,
           PUSHES * (b.n - FIRST), FORCE);
    for (int i = 0; i < b.n; i++) printf(" %.2g", sigma[0][i]);
    printf("; numeric:");
    for (int i = 0; i < b.n; i++) printf(" %.2g", sigma[1][i]);
    printf("\n%10s %28s %38s\n%10s", "", "exact", "numeric", "threshold");
    for (int j = 0; j < METHODS; j++) printf(" | %7s %7s %6s %8s", "alarms", "missed", "late", "mean ms");
    printf("\n");
    for (int l = 0; l < LEVELS; l++) {
        printf("%10g", level[l]);
        for (int j = 0; j < METHODS; j++)
            printf(" | %7d %7d %6d %8.1f", alarms[j][l], missed[j][l], late[j][l], 1e3 * delay[j][l] / fmax(1, found[j][l]));
        printf("\n");
    }
    for (int k = 0; k < METHODS; k++) arne_observer_free(b.observer[k]);
    arne_data_free(b.real);
    arne_data_free(b.known);
    arne_model_free(b.m);
    return 0;
}
