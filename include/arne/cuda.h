/* SPDX-License-Identifier: MIT
 *
 * cuda.h - many states on an NVIDIA GPU: the code of one robot, compiled for the device when it is opened. Library arne_cuda.
 *
 * The library is plain C. The driver (libcuda) and the compiler of CUDA (libnvrtc) are loaded when arne_cuda_new asks for them,
 * so it builds and links where neither is; then arne_cuda_new says what is missing. It works in the primary context of the
 * device, as CUDA's runtime, PyTorch and others do: their device pointers and streams are taken as they are.
 *
 * Numbers are doubles, or floats with `single`. Entry i of state k stands at i count + k of every array: joint after joint. All
 * pointers are of device memory. Nothing is copied, and calls return before the device has done its work. */
#ifndef ARNE_CUDA_H
#define ARNE_CUDA_H

#include "arne/quantity.h"
#include "arne/rollout.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef struct {
    size_t size;      /* sizeof of this struct */
    const char *what; /* quantities, e.g. "id,fd,dfd"; NULL: id,fd. Rollouts need fd, their Jacobians dfd */
    int link;         /* of pose, velocity, jacobian */
    int device;       /* its number */
    bool single;      /* floats */
    bool fma;         /* products and sums may be contracted: faster, and the bits are no longer those of a processor */
    bool turns;       /* sines and cosines of the device in the place of ours: the same */
    bool live;        /* inertial parameters are an array: each robot has its own */
    bool standard;    /* standard inertial parameters, not base ones (codegen.h) */
    bool anew;        /* compile, where compiled code could be taken from the cache, and do not keep it */
} arne_cuda_options;

typedef struct arne_cuda arne_cuda;

/* The robot of d with its payloads, gravity and switches, without wrenches. Its code is compiled where that was not done before
 * for this kind of device and by this compiler, and kept in $XDG_CACHE_HOME/arne or ~/.cache/arne, as that of arne_code_load;
 * where the user alone may not write to that folder it is not kept. ARNE_UNSUPPORTED: no driver, compiler or device, with
 * its words; ARNE_DEVICE: the device refused something; else as arne_codegen. */
arne_status arne_cuda_new(const arne_data *d, const arne_cuda_options *options, arne_cuda **out, arne_error *error);
void arne_cuda_free(arne_cuda *c);
/* what went wrong last, in words */
const char *arne_cuda_message(const arne_cuda *c);
const char *arne_cuda_device_name(const arne_cuda *c);

/* device pointers: those that the quantity reads, and `parameters` with `live` */
typedef struct {
    const void *q, *qd, *qdd, *tau, *qa, *parameters;
} arne_cuda_state;

/* `count` states of a quantity that `what` names, on a stream of CUDA (NULL: the default one). ARNE_NOT_PREPARED: it was not
 * asked for; ARNE_DEVICE: see arne_cuda_message. A singular inertia matrix gives what is no number. */
arne_status arne_cuda_run(arne_cuda *c, const char *quantity, void *stream, size_t count, const arne_cuda_state *x, void *out);

/* the usual ones */
static inline arne_status arne_cuda_id(arne_cuda *c, void *stream, size_t count, const void *q, const void *qd, const void *qdd,
                                       void *tau)
{
    const arne_cuda_state x = {q, qd, qdd, NULL, NULL, NULL};
    return arne_cuda_run(c, "id", stream, count, &x, tau);
}
static inline arne_status arne_cuda_fd(arne_cuda *c, void *stream, size_t count, const void *q, const void *qd, const void *tau,
                                       void *qdd)
{
    const arne_cuda_state x = {q, qd, NULL, tau, NULL, NULL};
    return arne_cuda_run(c, "fd", stream, count, &x, qdd);
}
static inline arne_status arne_cuda_mass(arne_cuda *c, void *stream, size_t count, const void *q, void *M)
{
    const arne_cuda_state x = {q, NULL, NULL, NULL, NULL, NULL};
    return arne_cuda_run(c, "mass", stream, count, &x, M);
}
static inline arne_status arne_cuda_did(arne_cuda *c, void *stream, size_t count, const void *q, const void *qd, const void *qdd,
                                        void *D)
{
    const arne_cuda_state x = {q, qd, qdd, NULL, NULL, NULL};
    return arne_cuda_run(c, "did", stream, count, &x, D);
}
static inline arne_status arne_cuda_dfd(arne_cuda *c, void *stream, size_t count, const void *q, const void *qd, const void *tau,
                                        void *D)
{
    const arne_cuda_state x = {q, qd, NULL, tau, NULL, NULL};
    return arne_cuda_run(c, "dfd", stream, count, &x, D);
}

/* ---- parameters that are arrays ---- */

/* how many there are a robot; 0: without `live` */
int arne_cuda_parameters(const arne_cuda *c);
/* Those of these settings of the same model, with their payloads, on the host. */
arne_status arne_cuda_parameter_values(const arne_cuda *c, const arne_settings *s, double *values);
/* parameters of robot k = sum over j of weight[j count + k] times row j of `rows` (nrow x arne_cuda_parameters, on the host).
 * They are linear in masses, first moments and inertias, so rows of a robot without load and with a load of 1 kg, and weights 1 -
 * m and m, give each robot a load of m of its own. */
arne_status arne_cuda_mix(arne_cuda *c, void *stream, size_t count, int nrow, const double *rows, const void *weight,
                          void *parameters);

/* ---- rollouts (rollout.h), each robot on a thread ---- */

typedef struct {
    size_t size; /* sizeof of this struct */
    arne_rule rule;
    double step; /* seconds */
    int steps;
    const void *q, *qd;     /* where they start: nq, nv a robot */
    const void *parameters; /* with `live` */
    const void *tau;        /* steps x nv a robot, held over each step; NULL: by this law at the beginning of each step: */
    const void *reference;  /*   tau = kp (reference - q) - kd qd, within +-limit; nq a robot */
    const void *kp, *kd;    /*   nv numbers for all robots */
    const void *limit;      /*   nv numbers for all robots; NULL: none */
    int keep;               /* positions and velocities of every so manieth state are kept, x_0 first; 0: of the last alone */
    void *positions;        /* (1 + steps / keep) x nq a robot; NULL: not wanted, and so below */
    void *velocities;       /* as many x nv */
    void *A, *B;    /* of every step: x_k+1 by x_k, 2 nv x 2 nv; by tau_k, 2 nv x nv. With a law A is that of the closed loop */
    void *by_start; /* x_K by x_0, 2 nv x 2 nv; needs A */
} arne_cuda_rollout_arrays;

/* The steps of rollout.h, on spherical and free joints too. There reference - q is arne_difference (positions.h): it leads along
 * velocities from q to the reference. Of such a joint without kp the reference is not read: a base that nothing holds has kp and
 * kd 0. A and B take memory of the device in between, which c keeps. A rollout that fails becomes what is no number. */
arne_status arne_cuda_rollout(arne_cuda *c, void *stream, size_t count, const arne_cuda_rollout_arrays *x);

/* ---- small batches, as of a controller: memory that both sides see, so that nothing is copied ---- */

typedef struct {
    void *q, *qd, *qdd, *tau, *qa, *parameters, *out; /* for `count` states; those that the quantity has */
} arne_cuda_mapped;

arne_status arne_cuda_mapped_new(arne_cuda *c, const char *quantity, size_t count, arne_cuda_mapped **out);
/* computes and waits for it */
arne_status arne_cuda_mapped_run(arne_cuda *c, arne_cuda_mapped *m);
void arne_cuda_mapped_free(arne_cuda *c, arne_cuda_mapped *m);

/* ---- device memory, for programs that do not call CUDA themselves ---- */

arne_status arne_cuda_alloc(arne_cuda *c, size_t bytes, void **device);
void arne_cuda_release(arne_cuda *c, void *device);
arne_status arne_cuda_put(arne_cuda *c, void *device, const void *host, size_t bytes);
arne_status arne_cuda_get(arne_cuda *c, void *host, const void *device, size_t bytes);
arne_status arne_cuda_wait(arne_cuda *c, void *stream);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
