/* SPDX-License-Identifier: MIT
 *
 * run.c - computes the states of a call: on lanes, by compiled code or one by one, on several threads, without the GIL where it
 * takes longer than giving it away. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "job.h"

enum { CHUNK_NUMBERS = 16384, LEAST_PER_THREAD = 32, QUICK = 400 };

void job_start(job *j, model *m, int number)
{
    j->m = m;
    j->number = number;
    j->row = &rows[number];
    j->o = (arne_quantity_options){.size = sizeof j->o,
                                   .link = m->core->tip,
                                   .frame = ARNE_ALIGNED,
                                   .factor = number == TEXT_star ? ARNE_STAR0001 : ARNE_CHRISTOFFEL_FACTOR};
    j->method = -1;
    j->order = ARNE_ORDER_SYMORO;
    j->friction_columns = false;
    j->cycle = (arne_cycle_options){.size = sizeof j->cycle};
    j->threads = 1;
    j->given = NULL;
    j->one = true;
    j->states = 1;
    j->nin = j->nout = 0;
}

/* ---- memory of a thread ---- */

void worker_free(worker *w)
{
    if (!w) return;
    arne_data_free(w->data);
    arne_flex_free(w->flex);
    free(w->room);
    free(w);
}

static worker *worker_take(model *m)
{
    worker *w = m->idle;
    if (w) {
        m->idle = w->next;
        return w;
    }
    arne_error error = {0};
    if (!(w = calloc(1, sizeof *w))) return (worker *)PyErr_NoMemory();
    if (!arne_data_share(m->settings, &w->data, &error)) return w;
    worker_free(w);
    fail_with(&error);
    return NULL;
}

static void worker_give(model *m, worker *w)
{
    w->next = m->idle;
    m->idle = w;
}

static bool special(const job *j) /* no row of the library as it is */
{
    return j->number >= TEXT_ROWS || j->method >= 0 || j->order != ARNE_ORDER_SYMORO || j->friction_columns;
}
static bool narrow(const job *j) { return arne_model_nq(j->m->core->model) == arne_model_nv(j->m->core->model); }

/* Is there compiled code for this call? */
static bool code_of(const job *j)
{
    const code *c = j->m->code;
    if (!c || special(j) || (j->row->options & ARNE_OF_LINK && j->o.link != c->link) ||
        (j->row->options & ARNE_IN_FRAME && j->o.frame != ARNE_ALIGNED) ||
        (j->row->options & ARNE_BY_FACTOR && j->o.factor != ARNE_CHRISTOFFEL_FACTOR))
        return false;
    return c->one[j->number] != NULL;
}

/* What the call needs of this worker. */
static bool equip(const job *j, worker *w, bool lanes)
{
    arne_error error = {0};
    const int method = j->method;
    const char *why =
        method >= 0 && method != METHOD_CRBA && !narrow(j) ? arne_formulation_narrow((arne_formulation)method) : NULL;
    if (why) {
        fail("method: %s is for robots whose joints have one freedom each: %s", arne_formulation_name((arne_formulation)method),
             why);
        return false;
    }
    const unsigned what = (j->number == TEXT_did || j->number == TEXT_dfd ? ARNE_DERIVATIVES : 0) | (lanes ? ARNE_BATCHES : 0) |
                          (j->number == ROW_achievable ? ARNE_LIMITS : 0) |
                          (method >= 0 && method != METHOD_CRBA ? ARNE_FORMS : 0);
    if ((what & ~w->prepared) && arne_data_prepare(w->data, what, &error)) return fail_with(&error);
    w->prepared |= what;
    if (j->number == ROW_elastic && !w->flex && arne_flex_new(j->m->settings, &w->flex, &error)) return fail_with(&error);
    return true;
}

static bool make_room(worker *w, size_t count)
{
    if (count <= w->count) return true;
    double *room = realloc(w->room, count * sizeof *room);
    if (!room) return PyErr_NoMemory() != NULL;
    w->room = room;
    w->count = count;
    return true;
}

/* ---- one state of the rows that are not the library's as they are ---- */

/* of torques, or of accelerations */
static arne_status regressor(const job *j, worker *w, const double *const x[MOST_INPUTS], double *y)
{
    const arne_model *m = j->m->core->model;
    const int bodies = arne_model_bodies(m), width = bodies * (ARNE_LINK_PARAMETERS + (j->friction_columns ? 2 : 0));
    const bool fd = j->number == TEXT_dfd_parameters;
    const arne_status status = j->friction_columns
                                   ? (fd ? arne_fd_by_parameters_friction : arne_regressor_friction)(w->data, x[0], x[1], x[2], y)
                                   : (fd ? arne_fd_by_parameters : arne_regressor)(w->data, x[0], x[1], x[2], y);
    if (!status) arne_reorder(j->order, bodies, arne_model_nv(m), width, y);
    return status;
}

static arne_status elastic(worker *w, int n, const double *const x[MOST_INPUTS], double *y, double *room)
{
    for (int k = 0; k < 5; k++) memcpy(room + k * n, x[k], (size_t)n * sizeof *room);
    const arne_flex_torques to = {sizeof to, y, y + n, y + 2 * n, y + 3 * n, y + 4 * n, y + 5 * n, y + 6 * n};
    return arne_flex_id(w->flex, room, &to);
}

static arne_status achievable(const job *j, worker *w, int n, const double *const x[MOST_INPUTS], double *y, bool *saturated)
{
    const arne_achieved to = {.size = sizeof to, .qdd = y, .motor = y + n, .saturated = saturated};
    const arne_status status = arne_achievable(w->data, &j->cycle, x[0], x[1], x[2], x[3], &to);
    for (int i = 0; i < n; i++) y[2 * n + i] = saturated[i];
    return status;
}

/* room: what the row needs besides */
static arne_status one_state(const job *j, worker *w, const double *const x[MOST_INPUTS], double *y, double *room)
{
    const arne_model *m = j->m->core->model;
    const int n = arne_model_nv(m);
    arne_status status;
    switch (j->number) {
    case TEXT_id: return arne_forms_id(w->data, (arne_formulation)j->method, x[0], x[1], x[2], y);
    case TEXT_fd:
        return j->method == METHOD_CRBA ? arne_fd_crba(w->data, x[0], x[1], x[2], y)
                                        : arne_forms_fd(w->data, (arne_formulation)j->method, x[0], x[1], x[2], y);
    case TEXT_regressor:
    case TEXT_dfd_parameters: return regressor(j, w, x, y);
    case ROW_motor:
        status = arne_id(w->data, x[0], x[1], x[2], room);
        return status ? status : arne_motor_torques(w->data, room, y);
    case ROW_elastic: return elastic(w, n, x, y, room);
    case ROW_achievable: return achievable(j, w, n, x, y, (bool *)room);
    case ROW_base_regressor:
        status = arne_regressor(w->data, x[0], x[1], x[2], room);
        return status ? status : arne_base_columns(j->m->base, n, room, y);
    case ROW_integrate: return arne_integrate(m, x[0], x[1], y);
    case ROW_rate: return arne_position_rate(m, x[0], x[1], y);
    case ROW_difference: return arne_difference(m, x[0], x[1], y);
    default: memcpy(y, x[0], (size_t)arne_model_nq(m) * sizeof *y); return arne_normalize(m, NAN, y, NULL);
    }
}

static size_t more_room(const job *j)
{
    const size_t n = (size_t)arne_model_nv(j->m->core->model), bodies = (size_t)arne_model_bodies(j->m->core->model);
    return j->number == ROW_base_regressor ? n * bodies * ARNE_LINK_PARAMETERS : 5 * n + 1;
}

/* ---- many states ---- */

typedef struct {
    const job *job;
    worker *w;
    Py_ssize_t first, count;
    bool floats, direct; /* on arne_batch32; from array to array without room */
    arne_status status;
    int joint;
    Py_ssize_t state; /* whose quaternion is none, -1: another fault */
    pthread_t thread;
    bool started;
} block;

/* x[k]: in the order of the arguments */
static arne_status library(const block *b, size_t count, const void *const x[MOST_INPUTS], void *y)
{
    const job *j = b->job;
    union {
        const void *group[5];
        arne_state doubles;
        arne_state32 floats;
    } state = {{NULL}};
    for (int i = 0; i < j->nin; i++) state.group[j->row->group[i]] = x[i];
    if (b->floats) return arne_batch32(b->w->data, j->number, &j->o, count, &state.floats, y);
    return count == 1 ? arne_compute(b->w->data, j->number, &j->o, &state.doubles, y)
                      : arne_batch(b->w->data, j->number, &j->o, count, &state.doubles, y);
}

/* Quaternions of a state that is given as doubles brought to unit length. */
static bool unit_length(block *b, Py_ssize_t state, double *q)
{
    const arne_status status = arne_normalize(b->job->m->core->model, 1e-3, q, &b->joint);
    if (status) b->status = status, b->state = state;
    return !status;
}

/* `count` states of input i from `first` on, one after the other, as the kind that is computed with. */
static bool gather(block *b, int i, Py_ssize_t first, Py_ssize_t count, void *to, double *state)
{
    const job *j = b->job;
    const Py_ssize_t n = j->width[i];
    const bool turns = !narrow(j) && j->row->position[i] && j->number != ROW_normalize;
    const char kind = b->floats ? 'f' : 'd';
    for (Py_ssize_t s = 0; s < count; s++) {
        double *here = turns && b->floats ? state : (double *)to + s * n;
        array_get(&j->in[i], first + s, n, b->floats && !turns ? (void *)((float *)to + s * n) : here, turns ? 'd' : kind);
        if (turns && !unit_length(b, first + s, here)) return false;
        for (Py_ssize_t k = 0; k < n && turns && b->floats; k++) ((float *)to)[s * n + k] = (float)here[k];
    }
    return true;
}

static void scatter(const block *b, Py_ssize_t first, Py_ssize_t count, const void *from)
{
    const job *j = b->job;
    const char kind = b->floats ? 'f' : 'd', *at = from;
    const Py_ssize_t item = b->floats ? (Py_ssize_t)sizeof(float) : (Py_ssize_t)sizeof(double);
    for (Py_ssize_t s = 0; s < count; s++)
        for (int k = 0; k < j->nout; at += j->part[k++] * item) sink_put(&j->out[k], j->kind, first + s, at, kind);
}

/* states that are gathered together */
static Py_ssize_t chunk_of(const job *j)
{
    Py_ssize_t numbers = j->size, chunk = 1;
    for (int i = 0; i < j->nin; i++) numbers += j->width[i];
    while (chunk < 256 && 2 * chunk * numbers <= CHUNK_NUMBERS) chunk *= 2;
    return chunk < j->states || j->one ? chunk : (j->states ? j->states : 1);
}

static size_t room_of(const job *j)
{
    Py_ssize_t numbers = j->size;
    for (int i = 0; i < j->nin; i++) numbers += j->width[i];
    const Py_ssize_t chunk = chunk_of(j), lanes = j->m->code ? j->m->code->lanes : 1;
    return (size_t)(numbers * (chunk > 2 * lanes ? chunk : 2 * lanes)) + more_room(j) + (size_t)arne_model_nq(j->m->core->model);
}

static void in_chunks(block *b)
{
    const job *j = b->job;
    const Py_ssize_t chunk = special(j) ? 1 : chunk_of(j);
    for (Py_ssize_t at = 0; at < b->count; at += chunk) {
        const Py_ssize_t count = b->count - at < chunk ? b->count - at : chunk;
        double *room = b->w->room, *state = room + b->w->count - arne_model_nq(j->m->core->model);
        const void *x[MOST_INPUTS] = {NULL};
        for (int i = 0; i < j->nin; room += j->width[i++] * count) {
            x[i] = room;
            if (!gather(b, i, b->first + at, count, room, state)) return;
        }
        const arne_status status =
            special(j) ? one_state(j, b->w, (const double *const *)x, room, room + j->size) : library(b, (size_t)count, x, room);
        if (status) b->status = status, b->joint = arne_data_joint(b->w->data);
        scatter(b, b->first + at, count, room);
    }
}

/* ---- compiled code ---- */

typedef void one_input(const double *, double *);
typedef void two_inputs(const double *, const double *, double *);
typedef void three_inputs(const double *, const double *, const double *, double *);
typedef void four_inputs(const double *, const double *, const double *, const double *, double *);

static void run_code(code_fn *f, int inputs, const double *const x[MOST_INPUTS], double *y)
{
    switch (inputs) {
    case 1: ((one_input *)f)(x[0], y); break;
    case 2: ((two_inputs *)f)(x[0], x[1], y); break;
    case 3: ((three_inputs *)f)(x[0], x[1], x[2], y); break;
    default: ((four_inputs *)f)(x[0], x[1], x[2], x[3], y);
    }
}

/* `n` numbers of each of `lanes` states, state after state to number after number, or back */
static void turn(Py_ssize_t n, Py_ssize_t lanes, const double *from, double *to)
{
    for (Py_ssize_t k = 0; k < n; k++)
        for (Py_ssize_t l = 0; l < lanes; l++) to[k * lanes + l] = from[l * n + k];
}

static void by_lanes(block *b, Py_ssize_t at, double *room)
{
    const job *j = b->job;
    const Py_ssize_t lanes = j->m->code->lanes;
    const double *x[MOST_INPUTS] = {NULL};
    double *state = b->w->room + b->w->count - arne_model_nq(j->m->core->model), *spare = room + lanes * j->size;
    for (int i = 0; i < j->nin; i++) spare += lanes * j->width[i];
    double *y = room;
    room += lanes * j->size;
    for (int i = 0; i < j->nin; room += lanes * j->width[i++]) {
        const double *from = b->direct ? (const double *)(const void *)(j->in[i].data + at * j->in[i].step) : spare;
        if (!b->direct && !gather(b, i, at, lanes, spare, state)) return;
        turn(j->width[i], lanes, from, room);
        x[i] = room;
    }
    run_code(j->m->code->many[j->number], j->nin, x, y);
    turn(lanes, j->size, y, b->direct ? (double *)(void *)(j->out[0].data + at * j->out[0].step) : spare);
    if (!b->direct) scatter(b, at, lanes, spare);
}

static void in_code(block *b)
{
    const job *j = b->job;
    const code *c = j->m->code;
    Py_ssize_t at = b->first;
    const Py_ssize_t end = b->first + b->count;
    double *room = b->w->room, *state = room + b->w->count - arne_model_nq(j->m->core->model);
    for (; c->many[j->number] && at + c->lanes <= end && !b->status; at += c->lanes) by_lanes(b, at, room);
    for (; at < end && !b->status; at++) {
        const double *x[MOST_INPUTS] = {NULL};
        double *next = room;
        for (int i = 0; i < j->nin; next += j->width[i++]) {
            x[i] = b->direct ? (const double *)(const void *)(j->in[i].data + at * j->in[i].step) : next;
            if (!b->direct && !gather(b, i, at, 1, next, state)) return;
        }
        double *y = b->direct ? (double *)(void *)(j->out[0].data + at * j->out[0].step) : next;
        run_code(c->one[j->number], j->nin, x, y);
        if (!b->direct) scatter(b, at, 1, y);
    }
}

/* ---- blocks on threads ---- */

static void *run_block(void *of)
{
    block *b = of;
    const job *j = b->job;
    if (!b->count) return NULL;
    if (code_of(j) && !b->floats) {
        in_code(b);
    } else if (b->direct) {
        const void *x[MOST_INPUTS] = {NULL};
        for (int i = 0; i < j->nin; i++) x[i] = j->in[i].data + b->first * j->in[i].step;
        b->status = library(b, (size_t)b->count, x, j->out[0].data + b->first * j->out[0].step);
        if (b->status) b->joint = arne_data_joint(b->w->data);
    } else {
        in_chunks(b);
    }
    return NULL;
}

/* numbers lie where the library takes and leaves them */
static bool is_direct(const job *j, bool floats)
{
    if (special(j) || !narrow(j) || j->nout != 1 || !j->out[0].dense) return false;
    for (int i = 0; i < j->nin; i++)
        if (!array_dense(&j->in[i], j->width[i]) || j->in[i].one != j->one || (j->in[i].kind == 'f') != floats) return false;
    return true;
}

static bool explain(const block *b)
{
    const job *j = b->job;
    const arne_model *m = j->m->core->model;
    const char *joint = b->joint >= 0 && b->joint < arne_model_joints(m) ? arne_joint_name(m, b->joint) : "?";
    if (b->state >= 0)
        PyErr_Format(PyExc_ValueError,
                     "q: the quaternion of joint %s in state %zd is not of unit length (m.normalize makes it so)", joint,
                     b->state);
    else if (b->status == ARNE_SINGULAR)
        fail("%s: the inertia matrix is singular at joint %s: %s needs a mass or an inertia that this joint moves, or a motor "
             "inertia%s",
             j->row->name, joint, j->row->name, arne_settings_rotors(j->m->settings) ? "" : " and rotors switched on");
    else if (b->status == ARNE_NOT_FINITE)
        fail("%s is not finite at joint %s: are the arguments?", j->row->name, joint);
    else if (b->status == ARNE_UNSUPPORTED && arne_model_unmodelled(m))
        fail("%s, so accelerations would be wrong; m.with_rigid() gives those of the bodies alone", arne_model_unmodelled(m));
    else
        fail("%s: %s", j->row->name, arne_status_words(b->status));
    return false;
}

bool job_ready(job *j)
{
    model *m = j->m;
    if (j->number != ROW_base_regressor) return true;
    arne_error error = {0};
    const arne_base_options o = {
        .size = sizeof o, .no_rotors = !arne_settings_rotors(m->settings), .gravity = arne_settings_gravity(m->settings)};
    return m->base || !arne_base_find(m->core->model, &o, &m->base, &error) || fail_with(&error);
}

bool job_run(job *j)
{
    const bool floats = j->kind == 'f' && !special(j), direct = is_direct(j, floats);
    int n = j->threads;
    if ((Py_ssize_t)n > j->states / LEAST_PER_THREAD)
        n = j->states >= 2 * LEAST_PER_THREAD ? (int)(j->states / LEAST_PER_THREAD) : 1;
    block some[4], *b = n <= 4 ? some : calloc((size_t)n, sizeof *b);
    if (!b) return PyErr_NoMemory() != NULL;
    const size_t room = direct && (!j->m->code || j->one) ? 0 : room_of(j);
    bool ok = true;
    int ready = 0;
    for (Py_ssize_t at = 0; ready < n && ok; ready++) {
        const Py_ssize_t count = n == 1 ? j->states : (j->states - at) / (n - ready) / 16 * 16;
        b[ready] = (block){.job = j,
                           .first = at,
                           .count = ready == n - 1 ? j->states - at : count,
                           .floats = floats,
                           .direct = direct,
                           .joint = -1,
                           .state = -1};
        at += b[ready].count;
        if (!(ok = (b[ready].w = worker_take(j->m)) != NULL)) break;
        ok = equip(j, b[ready].w, floats || j->states > 1) && make_room(b[ready].w, room);
    }
    if (ok) {
        const bool long_ = special(j) || j->states * (j->size + j->width[0]) > QUICK;
        PyThreadState *state = long_ ? PyEval_SaveThread() : NULL;
        for (int k = 1; k < n; k++) b[k].started = !pthread_create(&b[k].thread, NULL, run_block, &b[k]);
        run_block(&b[0]);
        for (int k = 1; k < n; k++) {
            if (b[k].started)
                pthread_join(b[k].thread, NULL);
            else
                run_block(&b[k]); /* no thread is to be had */
        }
        if (long_) PyEval_RestoreThread(state);
    }
    for (int k = 0; k < ready; k++)
        if (b[k].w) worker_give(j->m, b[k].w);
    for (int k = 0; k < n && ok; k++)
        if (b[k].status) ok = explain(&b[k]);
    if (b != some) free(b);
    return ok;
}
