/* SPDX-License-Identifier: MIT
 *
 * 06_ilqr.c - optimal motions under limits of torque, by iLQR with a box (Tassa, Mansard & Todorov 2014).
 *
 *     06_ilqr robots/planar2r.yaml [motion.csv]     a pendulum of two joints swings up with motors too weak to lift it
 *     06_ilqr robots/kuka-lwr.yaml [motion.csv]     an arm goes from pose to pose in half a second
 *
 * Each iteration linearizes the motion at all its states at once, goes back through it for a feedback law u + a k + K dx that
 * keeps inside the limits, and tries eight lengths a side by side. The file can be drawn by `arne report`. */
#include <arne/arne.h>
#include <arne/file.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double LEAST = 1e-6; /* damping that is any */
enum { MOST = 12, STATE = 2 * MOST, TRIES = 8, ITERATIONS = 500 };

typedef struct {
    int n, steps;
    double step;                                    /* seconds */
    double start[STATE], goal[STATE];               /* q, qd */
    double limit[MOST];                             /* of torques */
    double effort, speed, final_place, final_speed; /* what counts */
} problem;

/* a motion: states x_0 ... x_K, torques u_0 ... u_K-1 */
typedef struct {
    double *x, *u, cost;
} motion;

/* memory of the solver; everything row by row */
typedef struct {
    motion best, tried[TRIES];
    double *q, *qd, *A, *B; /* the states once more, as a rollout takes them; derivatives of every step */
    double *k, *K;          /* the law */
    double seconds[3];      /* linearizing, going back, trying */
} solver;

/* processor time */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double *numbers(int count)
{
    double *x = calloc((size_t)count, sizeof *x);
    if (!x) exit(1);
    return x;
}

/* ---- the cost: effort beside the limits and speed on the way, distance from the goal at the end ---- */

static double running_cost(const problem *p, const double *x, const double *u)
{
    double sum = 0;
    for (int i = 0; i < p->n; i++) {
        const double part = u[i] / p->limit[i], v = x[p->n + i];
        sum += p->effort * part * part + p->speed * v * v;
    }
    return p->step * sum / 2;
}

static double final_weight(const problem *p, int i) { return i < p->n ? p->final_place : p->final_speed; }

static double cost(const problem *p, const motion *m)
{
    double sum = 0;
    for (int k = 0; k < p->steps; k++) sum += running_cost(p, m->x + k * 2 * p->n, m->u + k * p->n);
    for (int i = 0; i < 2 * p->n; i++) {
        const double away = m->x[p->steps * 2 * p->n + i] - p->goal[i];
        sum += final_weight(p, i) * away * away / 2;
    }
    return sum;
}

/* ---- min y'Hy/2 + g'y with low <= y <= high: Newton's way on those that are free, which are told ---- */

/* Cholesky of the free part of H, rows and columns of the others those of the unit matrix; false: not positive definite */
static bool factor_free(int n, const double *H, const bool *is_free, double *L)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = is_free[i] && is_free[j] ? H[i * n + j] : i == j;
            for (int m = 0; m < j; m++) sum -= L[i * n + m] * L[j * n + m];
            if (i == j && !(sum > 0)) return false;
            L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
        }
    return true;
}

static void solve(int n, const double *L, double *y)
{
    for (int i = 0; i < n; i++) {
        for (int m = 0; m < i; m++) y[i] -= L[i * n + m] * y[m];
        y[i] /= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int m = i + 1; m < n; m++) y[i] -= L[m * n + i] * y[m];
        y[i] /= L[i * n + i];
    }
}

static double clamp(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

static double quadratic(int n, const double *H, const double *g, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += g[i] * y[i];
        for (int j = 0; j < n; j++) sum += y[i] * H[i * n + j] * y[j] / 2;
    }
    return sum;
}

static bool box(int n, const double *H, const double *g, const double *low, const double *high, double *y, bool *is_free,
                double *L)
{
    for (int i = 0; i < n; i++) y[i] = clamp(0, low[i], high[i]);
    for (int round = 0; round < 30; round++) {
        double slope[MOST], way[MOST], next[MOST], size = 0;
        for (int i = 0; i < n; i++) {
            slope[i] = g[i];
            for (int j = 0; j < n; j++) slope[i] += H[i * n + j] * y[j];
            is_free[i] = !(y[i] <= low[i] && slope[i] > 0) && !(y[i] >= high[i] && slope[i] < 0);
            way[i] = is_free[i] ? -slope[i] : 0;
            size = fmax(size, fabs(way[i]));
        }
        if (!factor_free(n, H, is_free, L)) return false;
        if (size < 1e-10) return true;
        solve(n, L, way);
        const double before = quadratic(n, H, g, y);
        double length = 1, gain = 0;
        for (; length > 1e-6; length /= 2) {
            for (int i = 0; i < n; i++) next[i] = clamp(y[i] + length * way[i], low[i], high[i]);
            gain = before - quadratic(n, H, g, next);
            if (gain > 0) break;
        }
        if (gain <= 1e-14 * fabs(before)) return true;
        memcpy(y, next, (size_t)n * sizeof *y);
    }
    return true;
}

/* ---- iLQR ---- */

/* C = A'B, of `rows` rows */
static void transposed(int rows, int a, int b, const double *A, const double *B, double *C)
{
    memset(C, 0, (size_t)(a * b) * sizeof *C);
    for (int m = 0; m < rows; m++)
        for (int i = 0; i < a; i++)
            for (int j = 0; j < b; j++) C[i * b + j] += A[m * a + i] * B[m * b + j];
}
static void product(int rows, int inner, int columns, const double *A, const double *B, double *C)
{
    memset(C, 0, (size_t)(rows * columns) * sizeof *C);
    for (int i = 0; i < rows; i++)
        for (int m = 0; m < inner; m++)
            for (int j = 0; j < columns; j++) C[i * columns + j] += A[i * inner + m] * B[m * columns + j];
}

/* From the end back: what is left to pay from x on, V + v'dx + dx'W dx/2, and the law. False: H is not positive definite, more of
 * `damping` is needed. */
static bool go_back(const problem *p, solver *s, double damping)
{
    const int n = p->n, nx = 2 * n;
    double v[STATE], W[STATE * STATE] = {0}, WA[STATE * STATE], WB[STATE * MOST], L[MOST * MOST];
    const double *end = s->best.x + p->steps * nx;
    for (int i = 0; i < nx; i++) {
        v[i] = final_weight(p, i) * (end[i] - p->goal[i]);
        W[i * nx + i] = final_weight(p, i);
    }
    for (int k = p->steps - 1; k >= 0; k--) {
        const double *A = s->A + k * nx * nx, *B = s->B + k * nx * n, *x = s->best.x + k * nx, *u = s->best.u + k * n;
        double *y = s->k + k * n, *K = s->K + k * n * nx;
        double gx[STATE], gu[MOST], Hxx[STATE * STATE], Huu[MOST * MOST], Hux[MOST * STATE];
        double damped[MOST * MOST], feedback[MOST * STATE];
        double low[MOST], high[MOST], Hy[MOST], HK[MOST * STATE];
        bool is_free[MOST];
        product(nx, nx, nx, W, A, WA);
        product(nx, nx, n, W, B, WB);
        transposed(nx, nx, nx, A, WA, Hxx);
        transposed(nx, n, n, B, WB, Huu);
        transposed(nx, n, nx, B, WA, Hux);
        transposed(nx, nx, 1, A, v, gx);
        transposed(nx, n, 1, B, v, gu);
        for (int i = 0; i < n; i++) {
            const double weight = p->step * p->effort / (p->limit[i] * p->limit[i]);
            gu[i] += weight * u[i];
            Huu[i * n + i] += weight;
            gx[n + i] += p->step * p->speed * x[n + i];
            Hxx[(n + i) * nx + n + i] += p->step * p->speed;
            low[i] = -p->limit[i] - u[i], high[i] = p->limit[i] - u[i];
        }
        /* near to the old motion in states, and a little in torques */
        transposed(nx, n, n, B, B, damped);
        transposed(nx, n, nx, B, A, feedback);
        for (int i = 0; i < n * n; i++) damped[i] = Huu[i] + damping * damped[i];
        for (int i = 0; i < n; i++) damped[i * n + i] += 0.1 * damping / (p->limit[i] * p->limit[i]);
        for (int i = 0; i < n * nx; i++) feedback[i] = Hux[i] + damping * feedback[i];
        if (!box(n, damped, gu, low, high, y, is_free, L)) return false;
        for (int j = 0; j < nx; j++) { /* the feedback moves what is free */
            double column[MOST];
            for (int i = 0; i < n; i++) column[i] = is_free[i] ? -feedback[i * nx + j] : 0;
            solve(n, L, column);
            for (int i = 0; i < n; i++) K[i * nx + j] = column[i];
        }
        product(n, n, 1, Huu, y, Hy);
        product(n, n, nx, Huu, K, HK);
        for (int i = 0; i < nx; i++) {
            v[i] = gx[i];
            for (int m = 0; m < n; m++) v[i] += K[m * nx + i] * (Hy[m] + gu[m]) + Hux[m * nx + i] * y[m];
            for (int j = 0; j < nx; j++) {
                double sum = Hxx[i * nx + j];
                for (int m = 0; m < n; m++)
                    sum += K[m * nx + i] * (HK[m * nx + j] + Hux[m * nx + j]) + Hux[m * nx + i] * K[m * nx + j];
                W[i * nx + j] = sum;
            }
        }
        for (int i = 0; i < nx; i++)
            for (int j = 0; j < i; j++) W[i * nx + j] = W[j * nx + i] = (W[i * nx + j] + W[j * nx + i]) / 2;
    }
    return true;
}

/* Eight lengths of the law side by side, a step at a time: the torques need the states. */
static void try_all(const problem *p, arne_rollout *r, solver *s)
{
    const int n = p->n, nx = 2 * n;
    double q[2 * TRIES * MOST], qd[2 * TRIES * MOST], tau[TRIES * MOST], x[TRIES][STATE];
    for (int t = 0; t < TRIES; t++) memcpy(x[t], p->start, sizeof x[t]);
    for (int k = 0; k < p->steps; k++) {
        for (int t = 0; t < TRIES; t++) {
            const double length = pow(0.5, t), *at = s->best.x + k * nx;
            for (int i = 0; i < n; i++) {
                double u = s->best.u[k * n + i] + length * s->k[k * n + i];
                for (int j = 0; j < nx; j++) u += s->K[(k * n + i) * nx + j] * (x[t][j] - at[j]);
                tau[t * n + i] = clamp(u, -p->limit[i], p->limit[i]);
            }
            memcpy(q + t * n, x[t], (size_t)n * sizeof *q);
            memcpy(qd + t * n, x[t] + n, (size_t)n * sizeof *qd);
            memcpy(s->tried[t].x + k * nx, x[t], (size_t)nx * sizeof *q);
            memcpy(s->tried[t].u + k * n, tau + t * n, (size_t)n * sizeof *tau);
        }
        double to[2 * TRIES * MOST], to_speed[2 * TRIES * MOST];
        const arne_rollout_arrays step = {
            .size = sizeof step, .steps = 1, .q = q, .qd = qd, .tau = tau, .positions = to, .velocities = to_speed};
        arne_rollout_run(r, TRIES, &step); /* one that went out of bounds is at zero, and dear */
        for (int t = 0; t < TRIES; t++)
            for (int i = 0; i < n; i++) x[t][i] = to[(2 * t + 1) * n + i], x[t][n + i] = to_speed[(2 * t + 1) * n + i];
    }
    for (int t = 0; t < TRIES; t++) {
        memcpy(s->tried[t].x + p->steps * nx, x[t], (size_t)nx * sizeof(double));
        s->tried[t].cost = cost(p, &s->tried[t]);
    }
}

/* A and B of all steps: as many rollouts of one step */
static bool linearize(const problem *p, arne_rollout *r, solver *s)
{
    for (int k = 0; k < p->steps; k++) {
        memcpy(s->q + k * p->n, s->best.x + k * 2 * p->n, (size_t)p->n * sizeof(double));
        memcpy(s->qd + k * p->n, s->best.x + k * 2 * p->n + p->n, (size_t)p->n * sizeof(double));
    }
    const arne_rollout_arrays all = {
        .size = sizeof all, .steps = 1, .q = s->q, .qd = s->qd, .tau = s->best.u, .A = s->A, .B = s->B};
    return !arne_rollout_run(r, (size_t)p->steps, &all);
}

static int optimise(const problem *p, arne_rollout *r, solver *s)
{
    double damping = 0;
    int iteration = 0;
    bool fresh = true;
    for (; iteration < ITERATIONS; iteration++) {
        double t0 = now();
        if (fresh && !linearize(p, r, s)) return -1;
        double t1 = now();
        s->seconds[0] += t1 - t0;
        const bool ok = go_back(p, s, damping);
        t0 = now();
        s->seconds[1] += t0 - t1;
        int winner = 0;
        double gain = -1;
        if (ok) {
            try_all(p, r, s);
            for (int t = 1; t < TRIES; t++)
                if (s->tried[t].cost < s->tried[winner].cost) winner = t;
            gain = s->best.cost - s->tried[winner].cost;
            s->seconds[2] += now() - t0;
        }
        fresh = gain > 0;
        if (!fresh) {
            damping = fmax(LEAST, 10 * damping);
            if (damping > 1e6) break;
            continue;
        }
        const motion old = s->best;
        s->best = s->tried[winner];
        s->tried[winner] = old;
        if (winner < 2) damping = damping > LEAST ? damping / 5 : 0;
        if (winner > 3) damping = fmax(LEAST, 3 * damping);
        if (iteration % 20 == 0)
            printf("%4d  cost %12.6f  length %.4f  damping %.3g\n", iteration, s->best.cost, pow(0.5, winner), damping);
        if (gain < 1e-6 * s->best.cost) break;
    }
    return iteration;
}

/* ---- the two problems ---- */

static void swing_up(problem *p)
{
    *p = (problem){.n = 2, .steps = 200, .step = 0.02, .effort = 1, .speed = 1e-3, .final_place = 200, .final_speed = 20};
    const double quarter = acos(-1) / 2;
    p->start[0] = -quarter, p->goal[0] = quarter; /* it hangs, and shall stand */
    p->limit[0] = 10, p->limit[1] = 6;            /* holding it out level takes 58.86 and 14.715 */
}

static void pose_to_pose(const arne_model *m, problem *p)
{
    *p = (problem){
        .n = arne_model_nv(m), .steps = 50, .step = 0.01, .effort = 0.02, .speed = 1e-3, .final_place = 1e3, .final_speed = 10};
    for (int i = 0; i < p->n; i++) {
        const arne_limits *l = arne_joint_limits(m, i);
        const double low = isinf(l->lower) ? -1 : fmax(-1.5, l->lower), high = isinf(l->upper) ? 1 : fmin(1.5, l->upper);
        p->start[i] = (low + high) / 2 - (high - low) / 6;
        p->goal[i] = (low + high) / 2 + (high - low) / 6;
        p->limit[i] = isinf(l->effort) ? 100 : l->effort;
    }
}

static int write_motion(const problem *p, arne_data *d, const motion *m, const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f) return 1;
    fputs("t", f);
    for (int i = 0; i < p->n; i++) fprintf(f, ",q%d", i + 1);
    for (int i = 0; i < p->n; i++) fprintf(f, ",qd%d", i + 1);
    for (int i = 0; i < p->n; i++) fprintf(f, ",qdd%d", i + 1);
    for (int i = 0; i < p->n; i++) fprintf(f, ",tau%d", i + 1);
    fputc('\n', f);
    for (int k = 0; k <= p->steps; k++) {
        fprintf(f, "%.10g", k * p->step);
        const double *x = m->x + k * 2 * p->n, *u = m->u + (k < p->steps ? k : p->steps - 1) * p->n;
        double qdd[MOST];
        arne_fd(d, x, x + p->n, u, qdd);
        for (int i = 0; i < 2 * p->n; i++) fprintf(f, ",%.10g", x[i]);
        for (int i = 0; i < p->n; i++) fprintf(f, ",%.10g", qdd[i]);
        for (int i = 0; i < p->n; i++) fprintf(f, ",%.10g", u[i]);
        fputc('\n', f);
    }
    return fclose(f) != 0;
}

static void report(const problem *p, const solver *s, const double *away, double most, int held, int iterations, double seconds)
{
    printf("%d iterations of %d steps in %.3f s: %.2f ms each (linearizing %.2f, going back %.2f, eight tries %.2f)\n",
           iterations, p->steps, seconds, 1e3 * seconds / iterations, 1e3 * s->seconds[0] / iterations,
           1e3 * s->seconds[1] / iterations, 1e3 * s->seconds[2] / iterations);
    printf("cost %.6f; at the end %.2g rad and %.2g rad/s off; torques up to %.0f %% of their limits, %d of %d at one\n",
           s->best.cost, away[0], away[1], 100 * most, held, p->steps * p->n);
}

int main(int argc, char **argv)
{
    arne_model *m;
    arne_settings *settings;
    arne_rollout *r;
    arne_error e = {.message = "usage: 06_ilqr ROBOT [MOTION.csv]"};
    if (argc < 2 || arne_load(argv[1], &m, &e) || arne_settings_new(m, &settings, &e)) {
        fprintf(stderr, "%s\n", e.message);
        return 1;
    }
    problem p;
    if (arne_model_nq(m) != arne_model_nv(m) || arne_model_nv(m) > MOST) {
        fprintf(stderr, "for up to %d joints of one freedom each\n", MOST);
        return 1;
    }
    if (arne_model_nv(m) == 2)
        swing_up(&p);
    else
        pose_to_pose(m, &p);
    arne_set_friction(settings, false); /* dry friction has no derivative at rest */
    const arne_rollout_options o = {.size = sizeof o, .rule = ARNE_RULE_RK4, .step = p.step};
    arne_data *d;
    if (arne_rollout_new(settings, &o, &r, &e) || arne_data_share(settings, &d, &e)) return 1;

    const int n = p.n, K = p.steps, nx = 2 * n;
    solver s = {.q = numbers(K * n),
                .qd = numbers(K * n),
                .A = numbers(K * nx * nx),
                .B = numbers(K * nx * n),
                .k = numbers(K * n),
                .K = numbers(K * n * nx)};
    s.best.x = numbers((K + 1) * nx), s.best.u = numbers(K * n);
    for (int t = 0; t < TRIES; t++) s.tried[t].x = numbers((K + 1) * nx), s.tried[t].u = numbers(K * n);
    /* to begin with: what holds it where it starts */
    arne_gravity(d, p.start, s.best.u);
    for (int i = 0; i < K * n; i++) s.best.u[i] = clamp(s.best.u[i % n], -p.limit[i % n], p.limit[i % n]);
    for (int k = 0; k <= K; k++) memcpy(s.best.x + k * nx, p.start, (size_t)nx * sizeof(double));
    try_all(&p, r, &s); /* no law yet: these torques alone */
    const motion begin = s.best;
    s.best = s.tried[0];
    s.tried[0] = begin;

    const double t0 = now();
    const int iterations = optimise(&p, r, &s);
    double away[2] = {0}, most = 0;
    int held = 0;
    for (int i = 0; i < nx; i++) away[i / n] = fmax(away[i / n], fabs(s.best.x[K * nx + i] - p.goal[i]));
    for (int i = 0; i < K * n; i++) {
        const double part = fabs(s.best.u[i]) / p.limit[i % n];
        most = fmax(most, part);
        held += part > 1 - 1e-9;
    }
    report(&p, &s, away, most, held, iterations + 1, now() - t0);
    if (argc > 2 && write_motion(&p, d, &s.best, argv[2])) return 1;

    free(s.q), free(s.qd), free(s.A), free(s.B), free(s.k), free(s.K), free(s.best.x), free(s.best.u);
    for (int t = 0; t < TRIES; t++) free(s.tried[t].x), free(s.tried[t].u);
    arne_data_free(d);
    arne_rollout_free(r);
    arne_settings_free(settings);
    arne_model_free(m);
    return iterations >= 0 && away[0] < 0.02 && away[1] < 0.05 && most <= 1 ? 0 : 1;
}
