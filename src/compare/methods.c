/* SPDX-License-Identifier: MIT
 *
 * methods.c - one robot, every way to compute its dynamics: operations, time and agreement. */
#include <math.h>
#include <stdlib.h>

#include "arne/compare.h"
#include "arne/formulations.h"
#include "arne/positions.h"
#include "base/clock.h"
#include "base/random.h"

enum { STATES = 8, REPEATS = 9 };

enum { LINEAR = ARNE_METHODS_MOST_JOINTS, SQUARE = ARNE_METHODS_SQUARE, CUBIC = ARNE_METHODS_CUBIC };

typedef struct {
    arne_data *data;
    int n, nq;
    double *memory, *q, *qd, *qdd, *tau; /* STATES x n, q: STATES x nq; tau: arne_id */
    double *first, *second;              /* n */
    double *result;                      /* n, n x n or n x n x n */
} subject;

typedef struct method method;
struct method {
    const char *computes, *name;
    const char *count; /* NULL: not counted */
    int order;         /* of the cost in n */
    int most;          /* joints */
    /* runs state i; false: the inertia matrix is singular */
    bool (*run)(const subject *s, const method *m, int i);
    /* what state i differs by after run */
    double (*check)(const subject *s, int i);
    arne_formulation by;
};

#define STATE(group) (s->group + i * s->n)
#define POSITION (s->q + i * s->nq)

#define RUN(name, call)                                                                                                          \
    static bool run_##name(const subject *s, const method *m, int i)                                                             \
    {                                                                                                                            \
        (void)m;                                                                                                                 \
        return (call) == ARNE_OK;                                                                                                \
    }

RUN(id, arne_forms_id(s->data, m->by, POSITION, STATE(qd), STATE(qdd), s->result))
RUN(mass, arne_mass(s->data, POSITION, s->result))
RUN(strobe_mass, arne_forms_strobe_mass(s->data, POSITION, s->result))
RUN(strobe_coriolis, arne_forms_strobe_coriolis(s->data, POSITION, s->result))
RUN(aba, arne_fd(s->data, POSITION, STATE(qd), STATE(tau), s->result))
RUN(crba, arne_fd_crba(s->data, POSITION, STATE(qd), STATE(tau), s->result))
RUN(fd, arne_forms_fd(s->data, m->by, POSITION, STATE(qd), STATE(tau), s->result))

/* ---- agreement ---- */

/* the larger one; not a number stays one */
static double larger(double x, double y) { return isnan(x) || x >= y ? x : y; }

/* largest |x - y| */
static double apart(int n, const double *x, const double *y)
{
    double most = 0;
    for (int k = 0; k < n; k++) most = larger(most, fabs(x[k] - y[k]));
    return most;
}

static double check_id(const subject *s, int i) { return apart(s->n, s->result, STATE(tau)); }

static double check_mass(const subject *s, int i)
{
    const int n = s->n;
    for (int k = 0; k < n; k++) s->second[k] = 0;
    arne_id(s->data, POSITION, STATE(qd), s->second, s->first);
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < n; j++) s->second[k] += s->result[k * n + j] * STATE(qdd)[j];
        s->second[k] += s->first[k];
    }
    return apart(n, s->second, STATE(tau));
}

static double check_coriolis(const subject *s, int i)
{
    const int n = s->n;
    arne_coriolis_vector(s->data, POSITION, STATE(qd), s->first);
    for (int k = 0; k < n; k++) {
        s->second[k] = 0;
        for (int j = 0; j < n * n; j++) s->second[k] += s->result[k * n * n + j] * STATE(qd)[j / n] * STATE(qd)[j % n];
    }
    return apart(n, s->second, s->first);
}

static double check_fd(const subject *s, int i)
{
    arne_id(s->data, POSITION, STATE(qd), s->result, s->first);
    return apart(s->n, s->first, STATE(tau));
}

/* over all states, or infinite: singular */
static double agreement(const subject *s, const method *m)
{
    double most = 0;
    for (int i = 0; i < STATES; i++) {
        double largest = 0;
        for (int k = 0; k < s->n; k++)
            if (fabs(STATE(tau)[k]) > largest) largest = fabs(STATE(tau)[k]);
        if (!m->run(s, m, i)) return INFINITY;
        const double x = m->check(s, i);
        most = larger(most, largest > 0 ? x / largest : x);
    }
    return most;
}

static const method methods[] = {
    {"id", "ne", "id", 1, LINEAR, run_id, check_id, ARNE_NE},
    {"id", "turney", "turney", 1, LINEAR, run_id, check_id, ARNE_TURNEY},
    {"id", "newton-euler", "newton-euler", 1, LINEAR, run_id, check_id, ARNE_NEWTON_EULER},
    {"id", "recursive-lagrange", "recursive-lagrange", 1, LINEAR, run_id, check_id, ARNE_RECURSIVE_LAGRANGE},
    {"id", "lagrange", "lagrange", 3, CUBIC, run_id, check_id, ARNE_LAGRANGE},
    {"id", "gibbs-appell", "gibbs-appell", 2, SQUARE, run_id, check_id, ARNE_GIBBS_APPELL},
    {"id", "christoffel", "christoffel", 3, CUBIC, run_id, check_id, ARNE_CHRISTOFFEL},
    {"id", "mrnea", "mrnea", 2, SQUARE, run_id, check_id, ARNE_MRNEA},
    {"id", "mrnea-literal", "mrnea-literal", 3, CUBIC, run_id, check_id, ARNE_MRNEA_LITERAL},
    {"mass", "composite", "mass", 2, SQUARE, run_mass, check_mass, 0},
    {"mass", "strobe-mass", "strobe-mass", 2, SQUARE, run_strobe_mass, check_mass, 0},
    {"coriolis arrays", "strobe-coriolis", "strobe-coriolis", 3, CUBIC, run_strobe_coriolis, check_coriolis, 0},
    {"fd", "aba", "aba", 1, LINEAR, run_aba, check_fd, 0},
    {"fd", "crba", "fd", 3, SQUARE, run_crba, check_fd, 0},
    {"fd", "wo1", NULL, 3, SQUARE, run_fd, check_fd, ARNE_NE},
    {"fd", "mrnea", NULL, 3, SQUARE, run_fd, check_fd, ARNE_MRNEA},
};
_Static_assert(sizeof methods / sizeof *methods == ARNE_METHODS, "all methods");

/* ---- time ---- */

typedef struct {
    const subject *subject;
    const method *method;
} timed;

static void run_timed(const void *of, long k)
{
    const timed *t = of;
    t->method->run(t->subject, t->method, (int)(k % STATES));
}

/* nanoseconds a call, median */
static double measure(const subject *s, const method *m, double seconds)
{
    double times[REPEATS];
    arne__clock_measure(run_timed, &(timed){s, m}, seconds, REPEATS, times);
    return 1e9 * times[REPEATS / 2];
}

/* ---- */

static bool prepare(subject *s)
{
    const size_t n = (size_t)s->n, vectors = STATES * n, positions = STATES * (size_t)s->nq;
    const size_t room = s->n <= CUBIC ? n * n * n : n * n;
    s->memory = calloc(positions + 3 * vectors + 2 * n + room + 1, sizeof *s->memory);
    if (!s->memory || arne_data_prepare(s->data, ARNE_FORMS, NULL)) return false;
    s->q = s->memory;
    s->qd = s->q + positions;
    s->qdd = s->qd + vectors;
    s->tau = s->qdd + vectors;
    s->first = s->tau + vectors;
    s->second = s->first + n;
    s->result = s->second + n;
    random_source random = {.state = 1};
    for (size_t k = 0; k < positions + 2 * vectors; k++) s->memory[k] = 2 * arne__random_signed(&random);
    for (int i = 0; i < STATES; i++) arne_normalize(arne_data_model(s->data), NAN, POSITION, NULL);
    for (int i = 0; i < STATES; i++) arne_id(s->data, POSITION, STATE(qd), STATE(qdd), STATE(tau));
    return true;
}

/* why it is for joints of one freedom only, or NULL */
static const char *narrow(const arne_model *robot, const method *m)
{
    return m->run == run_id || m->run == run_fd ? arne_formulation_narrow(m->by) : arne_count_fault(robot, m->count, NULL);
}

/* false: memory was short */
static bool compare(const subject *s, const method *m, const arne_count_options *o, double seconds, arne_method_result *x)
{
    *x = (arne_method_result){
        .computes = m->computes, .name = m->name, .order = m->order, .left_out = s->n > m->most, .counted = m->count != NULL};
    if (s->nq != s->n) x->narrow = narrow(arne_data_model(s->data), m);
    if (x->left_out || x->narrow) return true;
    if (x->counted && arne_count(s->data, m->count, o, &x->cost)) return false;
    x->agreement = agreement(s, m);
    x->singular = isinf(x->agreement);
    if (!x->singular) x->ns = measure(s, m, seconds);
    return true;
}

arne_status arne_compare_methods(arne_data *d, const arne_count_options *o, double seconds,
                                 arne_method_result results[ARNE_METHODS], arne_error *error)
{
    const arne_model *m = arne_data_model(d);
    subject s = {.data = d, .n = arne_model_nv(m), .nq = arne_model_nq(m)};
    if (s.n > LINEAR)
        return arne_fail(error, ARNE_UNSUPPORTED, NULL, 0, "the robot has %d joints; formulations compares robots of up to %d",
                         s.n, LINEAR);
    bool ok = prepare(&s);
    for (int k = 0; k < ARNE_METHODS && ok; k++) ok = compare(&s, &methods[k], o, seconds, &results[k]);
    free(s.memory);
    return ok ? ARNE_OK : arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
}
