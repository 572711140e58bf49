/* SPDX-License-Identifier: MIT
 *
 * bench.c - how long the library's functions take on this machine.
 *
 * One measurement calls a function on STATES random states over and over for the given time; its number is the time divided by
 * the calls. */
#include <math.h>
#include <stdlib.h>

#include "arne/arne.h"
#include "arne/compare.h"
#include "arne/elastic.h"
#include "arne/positions.h"
#include "base/clock.h"
#include "base/random.h"

enum { STATES = 64, REPEATS = 15 };

typedef struct {
    arne_data *data;
    arne_flex *flex;            /* NULL: its joints have no springs */
    int n, nq;                  /* velocities, positions */
    double *q, *qd, *qdd, *tau; /* STATES x n, q: STATES x nq */
    double *motion;             /* STATES x 5 x n: q ... qdddd, of joints of one freedom each */
    double *result;             /* room for every function */
    float *q32, *qd32, *x32;    /* the same; qdd, and torque */
    float *result32;
} bench;

/* One pass over all states; false: the function does not apply (singular inertia matrix). */
typedef bool (*pass)(const bench *b);

#define STATE(group) (b->group + i * b->n)
#define POSITION(group) (b->group + i * b->nq)
#define EACH_STATE for (int i = 0; i < STATES; i++)

#define PASS(name, call)                                                                                                         \
    static bool name(const bench *b)                                                                                             \
    {                                                                                                                            \
        bool good = true;                                                                                                        \
        EACH_STATE good &= (call) == ARNE_OK;                                                                                    \
        return good;                                                                                                             \
    }
#define PLACE(k) (b->result + (k))

PASS(id, arne_id(b->data, POSITION(q), STATE(qd), STATE(qdd), b->result))
PASS(bias, arne_bias(b->data, POSITION(q), STATE(qd), b->result))
PASS(gravity, arne_gravity(b->data, POSITION(q), b->result))
PASS(mass, arne_mass(b->data, POSITION(q), b->result))
PASS(momentum, arne_momentum(b->data, POSITION(q), STATE(qd), b->result))
PASS(star, arne_star(b->data, ARNE_STAR0001, POSITION(q), STATE(qd), STATE(tau), STATE(qdd), b->result))
PASS(coriolis, arne_coriolis(b->data, ARNE_CHRISTOFFEL_FACTOR, POSITION(q), STATE(qd), b->result))
PASS(momentum_terms, arne_momentum_terms(b->data, POSITION(q), STATE(qd), b->result, PLACE(b->n), PLACE(2 * b->n)))
PASS(fd_aba, arne_fd(b->data, POSITION(q), STATE(qd), STATE(tau), b->result))
PASS(fd_crba, arne_fd_crba(b->data, POSITION(q), STATE(qd), STATE(tau), b->result))
PASS(did, arne_id_derivatives(b->data, POSITION(q), STATE(qd), STATE(qdd), b->result, PLACE(b->n * b->n), PLACE(2 * b->n * b->n)))
PASS(dfd, arne_fd_derivatives(b->data, POSITION(q), STATE(qd), STATE(tau), b->result, PLACE(b->n * b->n), PLACE(2 * b->n * b->n)))
PASS(d2id, arne_id_second_derivatives(b->data, POSITION(q), STATE(qd), STATE(qdd), b->result))
PASS(d2id_times, arne_id_second_derivatives_times(b->data, POSITION(q), STATE(qd), STATE(qdd), STATE(tau), b->result))
PASS(dfd_parameters, arne_fd_by_parameters(b->data, POSITION(q), STATE(qd), STATE(tau), b->result))

/* tensors of larger robots have no room */
enum { MOST_TENSOR = 64 };
static bool is_small(const bench *b) { return b->n <= MOST_TENSOR; }

static bool batch_id(const bench *b)
{
    arne_batch_id(b->data, STATES, b->q, b->qd, b->qdd, b->result);
    return true;
}

static bool batch_bias(const bench *b) { return !arne_batch_bias(b->data, STATES, b->q, b->qd, b->result); }
static bool batch_gravity(const bench *b) { return !arne_batch_gravity(b->data, STATES, b->q, b->result); }

static bool batch_mass(const bench *b)
{
    arne_batch_mass(b->data, STATES, b->q, b->result);
    return true;
}

static bool batch_fd(const bench *b) { return arne_batch_fd(b->data, STATES, b->q, b->qd, b->tau, b->result) == 0; }

/* a part of the states at a time: three matrices each */
static bool batch_derivatives(const bench *b, const char *name)
{
    enum { PART = STATES / 4 };
    const int row = arne_quantity_find(name);
    bool good = true;
    for (int i = 0; i < STATES; i += PART) {
        const arne_state x = {.q = POSITION(q), .qd = STATE(qd), .qdd = STATE(qdd), .tau = STATE(tau)};
        good &= arne_batch(b->data, row, NULL, PART, &x, b->result) == ARNE_OK;
    }
    return good;
}
static bool batch_did(const bench *b) { return batch_derivatives(b, "did"); }
static bool batch_dfd(const bench *b) { return batch_derivatives(b, "dfd"); }

/* in floats */
static bool batch_id32(const bench *b)
{
    const arne_state32 x = {.q = b->q32, .qd = b->qd32, .qdd = b->x32};
    return !arne_batch32(b->data, arne_quantity_find("id"), NULL, STATES, &x, b->result32);
}

static bool batch_fd32(const bench *b)
{
    const arne_state32 x = {.q = b->q32, .qd = b->qd32, .tau = b->x32};
    return !arne_batch32(b->data, arne_quantity_find("fd"), NULL, STATES, &x, b->result32);
}

/* ---- elastic joints ---- */

#define MOTION(k) (b->motion + (5 * i + (k)) * b->n)

static bool has_springs(const bench *b) { return b->flex != NULL; }

static bool elastic_id(const bench *b)
{
    const arne_flex_torques to = {.size = sizeof to, .tau = b->result};
    EACH_STATE arne_flex_id(b->flex, MOTION(0), &to);
    return true;
}

static bool elastic_taylor(const bench *b)
{
    const arne_flex_torques to = {.size = sizeof to, .tau = b->result};
    EACH_STATE arne_flex_id_taylor(b->flex, MOTION(0), &to);
    return true;
}

static bool elastic_fd(const bench *b)
{
    EACH_STATE arne_flex_fd(b->flex, POSITION(q), STATE(qd), MOTION(0), MOTION(1), STATE(tau), b->result, b->result + b->n);
    return true;
}

/* one tick of feedback linearization: accelerations and jerks of the state, then the torque */
static bool elastic_linearize(const bench *b)
{
    double *const qdd_of = b->result, *const qddd_of = b->result + b->n;
    EACH_STATE
    {
        arne_flex_state(b->flex, POSITION(q), STATE(qd), MOTION(0), MOTION(1), qdd_of, qddd_of);
        arne_flex_linearize(b->flex, POSITION(q), STATE(qd), qdd_of, qddd_of, MOTION(4), b->result + 2 * b->n);
    }
    return true;
}

static const struct {
    const char *name;
    pass pass, guard; /* guard: the pass that must be good first */
} passes[] = {
    {"id", id, NULL},
    {"bias", bias, NULL},
    {"gravity", gravity, NULL},
    {"mass", mass, NULL},
    {"momentum", momentum, NULL},
    {"fd_aba", fd_aba, fd_aba},
    {"fd_crba", fd_crba, fd_crba},
    {"star", star, NULL},
    {"coriolis", coriolis, NULL},
    {"p_ctqd_g", momentum_terms, NULL},
    {"did", did, NULL},
    {"dfd", dfd, dfd},
    {"d2id", d2id, is_small},
    {"d2id_times", d2id_times, NULL},
    {"dfd_parameters", dfd_parameters, fd_aba},
    {"batch_id", batch_id, NULL},
    {"batch_bias", batch_bias, NULL},
    {"batch_gravity", batch_gravity, NULL},
    {"batch_mass", batch_mass, NULL},
    {"batch_fd", batch_fd, batch_fd},
    {"batch_did", batch_did, NULL},
    {"batch_dfd", batch_dfd, batch_dfd},
    {"batch_id32", batch_id32, NULL},
    {"batch_fd32", batch_fd32, batch_fd32},
    {"elastic_id", elastic_id, has_springs},
    {"elastic_taylor", elastic_taylor, has_springs},
    {"elastic_fd", elastic_fd, has_springs},
    {"elastic_linearize", elastic_linearize, has_springs},
};
_Static_assert(sizeof passes / sizeof *passes == ARNE_TIMED, "all functions");

typedef struct {
    const bench *bench;
    pass pass;
} timed;

static void run_timed(const void *of, long k)
{
    const timed *t = of;
    (void)k;
    t->pass(t->bench);
}

/* Nanoseconds a state: median and least. */
static void measure(pass run, const bench *b, double seconds, double *median, double *least)
{
    double times[REPEATS];
    arne__clock_measure(run_timed, &(timed){b, run}, seconds, REPEATS, times);
    *median = 1e9 * times[REPEATS / 2] / STATES;
    *least = 1e9 * times[0] / STATES;
}

static bool prepare(bench *b)
{
    const size_t positions = (size_t)STATES * (size_t)b->nq, vectors = (size_t)STATES * (size_t)b->n;
    const size_t tensors = is_small(b) ? 4 * (size_t)b->n * (size_t)b->n * (size_t)b->n : 0;
    const size_t numbers = positions + 8 * vectors, most = (vectors + 4) * (size_t)(b->n + 1) + tensors;
    double *memory = calloc(numbers + most, sizeof *memory);
    b->q = memory;
    b->q32 = calloc(positions + 3 * vectors, sizeof *b->q32);
    if (!memory || !b->q32 || arne_data_prepare(b->data, ARNE_DERIVATIVES | ARNE_BATCHES, NULL)) return false;
    b->qd = b->q + positions;
    b->qdd = b->qd + vectors;
    b->tau = b->qdd + vectors;
    b->motion = b->tau + vectors;
    b->result = b->motion + 5 * vectors;
    random_source random = {.state = 1};
    for (size_t i = 0; i < numbers; i++) memory[i] = 3 * arne__random_signed(&random);
    EACH_STATE arne_normalize(arne_data_model(b->data), NAN, POSITION(q), NULL);
    b->qd32 = b->q32 + positions;
    b->x32 = b->qd32 + vectors;
    b->result32 = b->x32 + vectors;
    for (size_t i = 0; i < positions + 2 * vectors; i++) b->q32[i] = (float)memory[i];
    return arne_flex_new(arne_data_settings_used(b->data), &b->flex, NULL) != ARNE_NO_MEMORY;
}

arne_status arne_time_functions(arne_data *d, double seconds, arne_function_time times[ARNE_TIMED], int *lanes, arne_error *error)
{
    const arne_model *m = arne_data_model(d);
    bench b = {.data = d, .n = arne_model_nv(m), .nq = arne_model_nq(m)};
    const bool ok = prepare(&b);
    for (int k = 0; k < ARNE_TIMED && ok; k++) {
        times[k] = (arne_function_time){passes[k].name, passes[k].guard == has_springs, NAN, NAN};
        if (!passes[k].guard || passes[k].guard(&b)) measure(passes[k].pass, &b, seconds, &times[k].median, &times[k].least);
    }
    *lanes = ok ? arne_batch_lanes() : 0;
    arne_flex_free(b.flex);
    free(b.q);
    free(b.q32);
    return ok ? ARNE_OK : arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
}
