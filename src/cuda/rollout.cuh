/* Kernels beside those of the robot's quantities: rollouts, their Jacobians, parameters. `real`, `live` and the robot's functions
 * stand before. Entry i of robot k at i n + k of every array. */

/* what a kernel is told */
struct job {
    long n, count[7];
    double number[2];
    const void *in[10];
    void *out[8];
};

namespace {

enum { NV = robot_dof, NP = ROBOT_PARAMETERS };

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
__device__ inline real torque(const job &j, long step, long k, int i, real q, real v)
{
    if (j.in[TAU]) return in(j, TAU)[(step * NV + i) * j.n + k];
    const real t = in(j, KP)[i] * (in(j, REFERENCE)[i * j.n + k] - q) - in(j, KD)[i] * v;
    if (!j.in[LIMIT]) return t;
    const real most = in(j, LIMIT)[i];
    return t > most ? most : t < -most ? -most : t;
}

/* state `at` of those that are kept */
__device__ inline void keep(const job &j, long at, long k, int i, real q, real v)
{
    if (k >= j.n) return;
    if (j.out[POSITIONS]) out(j, POSITIONS)[(at * NV + i) * j.n + k] = q;
    if (j.out[VELOCITIES]) out(j, VELOCITIES)[(at * NV + i) * j.n + k] = v;
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
    real *own = (real *)robot_room + threadIdx.x, *sum = own + 2 * NV * b;
    const real h = real(j.number[0]);
    real q[NV], v[NV], tau[NV], a[NV];
#pragma unroll
    for (int i = 0; i < NV; i++) {
        own[i * b] = (j.count[FROM] ? out(j, OUT_Q) : in(j, Q))[i * n + k];
        own[(NV + i) * b] = (j.count[FROM] ? out(j, OUT_QD) : in(j, QD))[i * n + k];
        if (!j.count[FROM] && (j.count[KEEP] || !j.count[STEPS])) keep(j, 0, k0, i, own[i * b], own[(NV + i) * b]);
    }
#if ROBOT_LIVE
#if ROBOT_SHARED_PARAMETERS
    real *parameters = own + 4 * NV * b;
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
            q[i] = own[i * b];
            v[i] = own[(NV + i) * b];
            tau[i] = torque(j, step, k, i, q[i], v[i]);
            sum[i * b] = sum[(NV + i) * b] = 0;
        }
#pragma unroll 1
        for (long s = 0; s < j.count[STAGES]; s++) {
            if (j.out[STAGE_Q] && k0 < n) { /* for the Jacobians */
                const long states = (j.count[LAST] - j.count[FROM]) * j.count[STAGES] * n;
                const long at = ((step - j.count[FROM]) * j.count[STAGES] + s) * n + k;
#pragma unroll
                for (int i = 0; i < NV; i++) {
                    out(j, STAGE_Q)[i * states + at] = q[i];
                    out(j, STAGE_QD)[i * states + at] = v[i];
                    out(j, STAGE_TAU)[i * states + at] = tau[i];
                }
            }
#if ROBOT_LIVE
            robot_words::fd_of(0, (const real *)parameters, (const real *)q, (const real *)v, (const real *)tau, a, 1, apart);
#else
            robot_words::fd_of(0, (const real *)q, (const real *)v, (const real *)tau, a, 1);
#endif
            const real weight = stage_weight(j.count[STAGES], s), ahead = h * stage_at(j.count[STAGES], s + 1);
#pragma unroll
            for (int i = 0; i < NV; i++) {
                sum[i * b] += weight * v[i];
                sum[(NV + i) * b] += weight * a[i];
                q[i] = own[i * b] + ahead * v[i];
                v[i] = own[(NV + i) * b] + ahead * a[i];
            }
        }
        const bool kept = j.count[KEEP] ? (step + 1) % j.count[KEEP] == 0 : step + 1 == j.count[STEPS];
        const long at = j.count[KEEP] ? (step + 1) / j.count[KEEP] : 0;
#pragma unroll
        for (int i = 0; i < NV; i++) {
            const real v1 = own[(NV + i) * b] + h * sum[(NV + i) * b];
            const real q1 = own[i * b] + h * (j.count[AFTER] ? v1 : sum[i * b]);
            own[(NV + i) * b] = v1;
            own[i * b] = q1;
            if (kept) keep(j, at, k0, i, q1, v1);
        }
    }
#pragma unroll
    for (int i = 0; i < NV; i++)
        if (k0 < n) out(j, OUT_Q)[i * n + k] = own[i * b], out(j, OUT_QD)[i * n + k] = own[(NV + i) * b];
}

/* One column of the Jacobian of a step, by a number of x or of tau: the stages once more, as derivatives (rollout/steps.c). A thread
 * a robot, step and column. SLOPES: derivatives of fd at all stages. */
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
    for (int i = 0; i < 2 * NV; i++) slope[i] = sum[i] = 0;
    for (long s = 0; s < stages; s++) {
        const real *D = in(j, SLOPES) + (step * stages + s) * n + k;
        const real a = h * stage_at(stages, s), weight = stage_weight(stages, s);
        for (int i = 0; i < NV; i++) {
            dq[i] = real(c == i) + a * slope[i];
            dv[i] = real(c == NV + i) + a * slope[NV + i];
        }
        for (int i = 0; i < NV; i++) {
            real x = D[((2 * NV + i) * NV + own) * states] * w;
            for (int m = 0; m < NV; m++) x += D[(i * NV + m) * states] * dq[m] + D[((NV + i) * NV + m) * states] * dv[m];
            slope[i] = dv[i];
            slope[NV + i] = x;
        }
        for (int i = 0; i < 2 * NV; i++) sum[i] += weight * slope[i];
    }
    real *to = c < 2 * NV ? out(j, 0) : out(j, 1);
    if (!to) return;
    const long width = c < 2 * NV ? 2 * NV : NV, column = c < 2 * NV ? c : c - 2 * NV, at = j.count[FROM] + step;
    for (int i = 0; i < NV; i++) {
        const real v1 = real(c == NV + i) + h * sum[NV + i];
        const real q1 = real(c == i) + h * (j.count[AFTER] ? v1 : sum[i]);
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
