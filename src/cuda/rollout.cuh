/* Kernels beside those of the robot's quantities: rollouts, their Jacobians, parameters. `real`, the robot's functions and tangent.cuh
 * stand before. Entry i of robot k at i n + k of every array. */

/* what a kernel is told */
struct job {
    long n, count[7];
    double number[2];
    const void *in[10];
    void *out[8];
};

namespace {

enum { NQ = robot_nq, NV = robot_dof, NP = ROBOT_PARAMETERS };

__device__ inline const real *in(const job &j, int i) { return (const real *)j.in[i]; }
__device__ inline real *out(const job &j, int i) { return (real *)j.out[i]; }
__device__ inline long thread() { return blockIdx.x * (long)blockDim.x + threadIdx.x; }

/* the rules of rollout.h: how far along the last slope a stage stands, what its slope weighs */
__device__ inline real stage_at(long stages, long s) { return stages == 1 || s == 0 ? real(0) : s == 3 ? real(1) : real(0.5); }
__device__ inline real stage_weight(long stages, long s)
{
    return stages == 1 ? real(1) : s == 0 || s == 3 ? real(1.0 / 6) : real(2.0 / 6);
}

enum { STEPS, STAGES, AFTER, KEEP, FROM, LAST };                       /* counts: steps in all; first and one after the last here */
enum { Q, QD, TAU, REFERENCE, KP, KD, LIMIT, PARAMETERS, SLOPES, GIVEN }; /* in; GIVEN: torques at the stages */
enum { OUT_Q, OUT_QD, POSITIONS, VELOCITIES, STAGE_Q, STAGE_QD, STAGE_TAU }; /* out */

#if ROBOT_ROLLS
/* Spherical and free joints are wide: ROBOT_WIDE(X) is X(P, I, N) for each of them, numbers P ... P + N of q and I ... I + N - 1 of v
 * (tangent.cuh). Most robots have none, and their code is as if nothing of it were written here. */
#define PASSED(P, I, N) +(i >= I + N)
#define WITHIN(P, I, N) || (i >= I && i < I + N)
#define BESIDE (i ROBOT_WIDE(PASSED))    /* the number of q beside velocity i: of a wide joint all but the last */
#define WIDE (false ROBOT_WIDE(WITHIN)) /* is i of such a joint? */

__device__ inline real by_law(const job &j, int i, real error, real v)
{
    const real t = in(j, KP)[i] * error - in(j, KD)[i] * v;
    if (!j.in[LIMIT]) return t;
    const real most = in(j, LIMIT)[i];
    return t > most ? most : t < -most ? -most : t;
}

__device__ inline real torque(const job &j, long step, long k, int i, real q, real v)
{
    if (j.in[TAU]) return in(j, TAU)[(step * NV + i) * j.n + k];
    return by_law(j, i, in(j, REFERENCE)[BESIDE * j.n + k] - q, v);
}

/* the law of a wide joint: its error leads along velocities from q to the reference, which is not read where no kp asks for it */
template <int N>
__device__ inline void wide_error(const job &j, long k, int p, int i, const real *q, real *error)
{
    bool any = false;
    for (int m = 0; m < N; m++) any = any || in(j, KP)[i + m] != 0, error[m] = 0;
    if (any) difference<N>(q, in(j, REFERENCE) + p * j.n + k, j.n, error);
}
template <int N>
__device__ inline void wide_torque(const job &j, long k, int p, int i, const real *q, const real *v, real *tau)
{
    real error[N];
    wide_error<N>(j, k, p, i, q, error);
    for (int m = 0; m < N; m++) tau[m] = by_law(j, i + m, error[m], v[m]);
}

/* state `at` of those that are kept */
__device__ inline void keep(const job &j, long at, long k, int i, real q, real v)
{
    if (k >= j.n) return;
    if (j.out[POSITIONS]) out(j, POSITIONS)[(at * NQ + BESIDE) * j.n + k] = q;
    if (j.out[VELOCITIES]) out(j, VELOCITIES)[(at * NV + i) * j.n + k] = v;
}
__device__ inline void keep_position(const job &j, long at, long k, int p, real q)
{
    if (k < j.n && j.out[POSITIONS]) out(j, POSITIONS)[(at * NQ + p) * j.n + k] = q;
}
#endif

} // namespace

#if ROBOT_ROLLS
extern __shared__ char robot_room[];

/* Some steps of each robot, from OUT_Q and OUT_QD back to them. What waits for the end of a step, and parameters where there is
 * room, are in shared memory: registers are for forward dynamics. */
extern "C" __global__ void robot_rollout(job j)
{
    const long k0 = thread(), n = j.n, k = k0 < n ? k0 : n - 1;
    const int b = (int)blockDim.x;
    real *own = (real *)robot_room + threadIdx.x, *sum = own + (NQ + NV) * b;
    const real h = real(j.number[0]);
    real q[NQ], v[NV], tau[NV], a[NV], u[NV]; /* u: of wide joints, what moves them from where the step begins */
#pragma unroll
    for (int i = 0; i < NV; i++) {
        const int p = BESIDE;
        own[p * b] = (j.count[FROM] ? out(j, OUT_Q) : in(j, Q))[p * n + k];
        own[(NQ + i) * b] = (j.count[FROM] ? out(j, OUT_QD) : in(j, QD))[i * n + k];
        if (!j.count[FROM] && (j.count[KEEP] || !j.count[STEPS])) keep(j, 0, k0, i, own[p * b], own[(NQ + i) * b]);
    }
#define WIDE_START(P, I, N)                                                                                                             \
    own[(P + N) * b] = (j.count[FROM] ? out(j, OUT_Q) : in(j, Q))[(P + N) * n + k];                                                     \
    if (!j.count[FROM] && (j.count[KEEP] || !j.count[STEPS])) keep_position(j, 0, k0, P + N, own[(P + N) * b]);
    ROBOT_WIDE(WIDE_START)
#if ROBOT_LIVE
#if ROBOT_SHARED_PARAMETERS
    real *parameters = sum + 2 * NV * b;
    const long apart = b;
    for (int i = 0; i < NP; i++) parameters[i * b] = in(j, PARAMETERS)[i * n + k];
#else
    const real *parameters = in(j, PARAMETERS) + k;
    const long apart = n;
#endif
#endif
#pragma unroll 1
    for (long step = j.count[FROM]; step < j.count[LAST]; step++) {
#pragma unroll
        for (int i = 0; i < NV; i++) {
            const int p = BESIDE;
            q[p] = own[p * b];
            v[i] = own[(NQ + i) * b];
            tau[i] = torque(j, step, k, i, q[p], v[i]);
            sum[i * b] = sum[(NV + i) * b] = u[i] = 0;
        }
#define WIDE_BEGIN(P, I, N)                                                                                                             \
    q[P + N] = own[(P + N) * b];                                                                                                        \
    unite(q + P + N - 3);                                                                                                               \
    if (!j.in[TAU]) wide_torque<N>(j, k, P, I, q + P, v + I, tau + I);
        ROBOT_WIDE(WIDE_BEGIN)
#pragma unroll 1
        for (long s = 0; s < j.count[STAGES]; s++) {
            if (j.out[STAGE_Q] && k0 < n) { /* for the Jacobians */
                const long states = (j.count[LAST] - j.count[FROM]) * j.count[STAGES] * n;
                const long at = ((step - j.count[FROM]) * j.count[STAGES] + s) * n + k;
#pragma unroll
                for (int i = 0; i < NV; i++) {
                    const int p = BESIDE;
                    out(j, STAGE_Q)[p * states + at] = q[p];
                    out(j, STAGE_QD)[i * states + at] = v[i];
                    out(j, STAGE_TAU)[i * states + at] = tau[i];
                }
#define WIDE_STAGE(P, I, N) out(j, STAGE_Q)[(P + N) * states + at] = q[P + N];
                ROBOT_WIDE(WIDE_STAGE)
            }
#if ROBOT_LIVE
            robot_words::fd_of(0, (const real *)parameters, (const real *)q, (const real *)v, (const real *)tau, a, 1, apart);
#else
            robot_words::fd_of(0, (const real *)q, (const real *)v, (const real *)tau, a, 1);
#endif
            const real weight = stage_weight(j.count[STAGES], s), ahead = h * stage_at(j.count[STAGES], s + 1);
#define WIDE_RATE(P, I, N) rate<N>(u + I, v + I);
            ROBOT_WIDE(WIDE_RATE)
#pragma unroll
            for (int i = 0; i < NV; i++) {
                const int p = BESIDE;
                sum[i * b] += weight * (WIDE ? u[i] : v[i]);
                sum[(NV + i) * b] += weight * a[i];
                q[p] = own[p * b] + ahead * v[i]; /* wide ones: below */
                u[i] = ahead * u[i];
                v[i] = own[(NQ + i) * b] + ahead * a[i];
            }
#define WIDE_MOVE(P, I, N) move<N>(own + P * b, b, u + I, q + P);
            ROBOT_WIDE(WIDE_MOVE)
        }
        const bool kept = j.count[KEEP] ? (step + 1) % j.count[KEEP] == 0 : step + 1 == j.count[STEPS];
        const long at = j.count[KEEP] ? (step + 1) / j.count[KEEP] : 0;
#pragma unroll
        for (int i = 0; i < NV; i++) {
            const int p = BESIDE;
            const real v1 = own[(NQ + i) * b] + h * sum[(NV + i) * b];
            const real q1 = (WIDE ? real(0) : own[p * b]) + h * (j.count[AFTER] ? v1 : sum[i * b]);
            own[(NQ + i) * b] = v1;
            if (!WIDE) own[p * b] = q1;
            if (WIDE) u[i] = q1;
            if (kept) keep(j, at, k0, i, q1, v1);
        }
#define WIDE_END(P, I, N)                                                                                                               \
    move<N>(own + P * b, b, u + I, q + P);                                                                                              \
    for (int i = 0; i <= N; i++) own[(P + i) * b] = q[P + i];                                                                           \
    for (int i = 0; i <= N && kept; i++) keep_position(j, at, k0, P + i, q[P + i]);
        ROBOT_WIDE(WIDE_END)
    }
#pragma unroll
    for (int i = 0; i < NV; i++) {
        const int p = BESIDE;
        if (k0 < n) out(j, OUT_Q)[p * n + k] = own[p * b], out(j, OUT_QD)[i * n + k] = own[(NQ + i) * b];
    }
#define WIDE_LEAVE(P, I, N)                                                                                                             \
    if (k0 < n) out(j, OUT_Q)[(P + N) * n + k] = own[(P + N) * b];
    ROBOT_WIDE(WIDE_LEAVE)
}

namespace {

/* the torques of a wide joint, by the law, where its place changes by unit c; at: the first stage of the step among all of them */
template <int N>
__device__ inline void wide_push(const job &j, long k, int p, int i, int c, long at, long states, real *push)
{
    real q[N + 1], error[N], unit[N];
    for (int m = 0; m <= N; m++) q[m] = out(j, STAGE_Q)[(p + m) * states + at];
    for (int m = 0; m < N; m++) unit[m] = real(c == m);
    wide_error<N>(j, k, p, i, q, error);
    difference_moved<N>(error, unit, push);
    for (int m = 0; m < N; m++) {
        const real t = in(j, GIVEN)[(i + m) * states + at];
        const bool free = !j.in[LIMIT] || (t < in(j, LIMIT)[i + m] && t > -in(j, LIMIT)[i + m]);
        push[m] *= free ? in(j, KP)[i + m] : real(0);
    }
}

/* Where a stage of a wide joint stands: u from the rate before, du and dq where the start changes by unit c. */
template <int N>
__device__ inline void wide_stand(real ahead, int c, const real *slope, real *u, real *du, real *dq)
{
    real unit[N];
    for (int m = 0; m < N; m++) unit[m] = real(c == m), u[m] *= ahead, du[m] = ahead * slope[m];
    moved<N>(u, unit, du, dq);
}

/* Its rate, in the place of u, and the change of that in the place of dv; velocities are `apart`. */
template <int N>
__device__ inline void wide_slope(const real *velocity, long apart, const real *du, real *u, real *dv)
{
    real v[N];
    for (int m = 0; m < N; m++) v[m] = velocity[m * apart];
    rate_moved<N>(u, v, du, dv);
    rate<N>(u, v);
}

} // namespace

/* One column of the Jacobian of a step, by a number of x or of tau: the stages once more, as derivatives (rollout/steps.c). A thread
 * a robot, step and column. SLOPES: derivatives of fd at all stages; QD: velocities after the last step. */
extern "C" __global__ void robot_step_column(job j)
{
    const long k = thread(), n = j.n, stages = j.count[STAGES], steps = j.count[LAST] - j.count[FROM];
    const int c = (int)blockIdx.y;
    const long step = blockIdx.z, states = steps * stages * n;
    if (k >= n) return;
    const real h = real(j.number[0]);
    const int own = c % NV; /* the torque that this column moves */
    real w = c >= 2 * NV ? real(1) : real(0);
    if (c < 2 * NV && !j.in[TAU]) { /* by the law */
        const real t = in(j, GIVEN)[own * states + step * stages * n + k];
        const bool free = !j.in[LIMIT] || (t < in(j, LIMIT)[own] && t > -in(j, LIMIT)[own]);
        w = free ? -in(j, c < NV ? KP : KD)[own] : real(0);
    }
    real slope[2 * NV], sum[2 * NV], dq[NV], dv[NV];
    real u[NV], du[NV], whole[NV], push[6]; /* of wide joints: u or its rate, its change, the sum of rates, torques by the law */
    for (int i = 0; i < 2 * NV; i++) slope[i] = sum[i] = 0;
    for (int i = 0; i < NV; i++) u[i] = whole[i] = 0;
#define WIDE_PUSHES(I, N) !j.in[TAU] && c >= I && c < I + N
#define WIDE_PUSH(P, I, N)                                                                                                              \
    if (WIDE_PUSHES(I, N)) wide_push<N>(j, k, P, I, c - I, step * stages * n + k, states, push), w = 0;
    ROBOT_WIDE(WIDE_PUSH)
    for (long s = 0; s < stages; s++) {
        const real *D = in(j, SLOPES) + (step * stages + s) * n + k;
        const real a = h * stage_at(stages, s), weight = stage_weight(stages, s);
        for (int i = 0; i < NV; i++) {
            dq[i] = real(c == i) + a * slope[i];
            dv[i] = real(c == NV + i) + a * slope[NV + i];
        }
#define WIDE_STAND(P, I, N) wide_stand<N>(a, c - I, slope + I, u + I, du + I, dq + I);
        ROBOT_WIDE(WIDE_STAND)
        for (int i = 0; i < NV; i++) {
            real x = D[((2 * NV + i) * NV + own) * states] * w;
#define WIDE_PUSHED(P, I, N)                                                                                                            \
    for (int m = 0; m < N && WIDE_PUSHES(I, N); m++) x += D[((2 * NV + i) * NV + I + m) * states] * push[m];
            ROBOT_WIDE(WIDE_PUSHED)
            for (int m = 0; m < NV; m++) x += D[(i * NV + m) * states] * dq[m] + D[((NV + i) * NV + m) * states] * dv[m];
            slope[i] = dv[i];
            slope[NV + i] = x;
        }
#define WIDE_SLOPE(P, I, N)                                                                                                             \
    wide_slope<N>(out(j, STAGE_QD) + I * states + (step * stages + s) * n + k, states, du + I, u + I, slope + I);                       \
    for (int m = I; m < I + N; m++) whole[m] += weight * u[m];
        ROBOT_WIDE(WIDE_SLOPE)
        for (int i = 0; i < 2 * NV; i++) sum[i] += weight * slope[i];
    }
#define WIDE_FINISH(P, I, N)                                                                                                            \
    for (int i = I; i < I + N; i++) {                                                                                                   \
        const real v1 = step + 1 < steps ? out(j, STAGE_QD)[i * states + (step + 1) * stages * n + k] : in(j, QD)[i * n + k];           \
        u[i] = j.count[AFTER] ? v1 : whole[i];                                                                                          \
        slope[i] = j.count[AFTER] ? real(c == NV + i) + h * sum[NV + i] : sum[i];                                                       \
    }                                                                                                                                   \
    wide_stand<N>(h, c - I, slope + I, u + I, du + I, dq + I);
    ROBOT_WIDE(WIDE_FINISH)
    real *to = c < 2 * NV ? out(j, 0) : out(j, 1);
    if (!to) return;
    const long width = c < 2 * NV ? 2 * NV : NV, column = c < 2 * NV ? c : c - 2 * NV, at = j.count[FROM] + step;
    for (int i = 0; i < NV; i++) {
        const real v1 = real(c == NV + i) + h * sum[NV + i];
        const real q1 = WIDE ? dq[i] : real(c == i) + h * (j.count[AFTER] ? v1 : sum[i]);
        to[((at * 2 * NV + i) * width + column) * n + k] = q1;
        to[((at * 2 * NV + NV + i) * width + column) * n + k] = v1;
    }
}

/* x_K by x_0: a thread a robot and column of A_K-1 ... A_0 */
extern "C" __global__ void robot_chain(job j)
{
    const long k = thread(), n = j.n;
    const int c = (int)blockIdx.y;
    if (k >= n) return;
    real x[2 * NV], y[2 * NV];
    for (int i = 0; i < 2 * NV; i++) x[i] = real(c == i);
    for (long step = 0; step < j.count[STEPS]; step++) {
        const real *A = in(j, 0) + step * 4 * NV * NV * n + k;
        for (int i = 0; i < 2 * NV; i++) {
            y[i] = 0;
            for (int m = 0; m < 2 * NV; m++) y[i] += A[(i * 2 * NV + m) * n] * x[m];
        }
        for (int i = 0; i < 2 * NV; i++) x[i] = y[i];
    }
    for (int i = 0; i < 2 * NV; i++) out(j, 0)[(i * 2 * NV + c) * n + k] = x[i];
}
#endif

#if ROBOT_LIVE
/* parameters = sum over rows of weight times row; a thread a robot, a block of y a parameter */
extern "C" __global__ void robot_mix(job j)
{
    const long k = thread(), n = j.n;
    if (k >= n) return;
    real x = 0;
    for (long row = 0; row < j.count[0]; row++) x += in(j, 0)[row * NP + blockIdx.y] * in(j, 1)[row * n + k];
    out(j, 0)[blockIdx.y * n + k] = x;
}
#endif
