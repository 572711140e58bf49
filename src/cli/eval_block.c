/* SPDX-License-Identifier: MIT
 *
 * eval_block.c - the rows of `eval` in blocks. What the library's table has is computed for the whole block at once, on lanes and
 * threads; the rest, and rows that have wrenches of their own, one by one as they come. Either way the bits are the same. */
#include "cli/eval_block.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "arne/batch.h"
#include "base/clock.h"

enum { MOST_ROWS = 4096, MOST_BYTES = 1 << 25, MOST_JOINTS = 500 };
static const arne_column COLUMNS[STATE_GROUPS] = {ARNE_COLUMN_Q, ARNE_COLUMN_QD, ARNE_COLUMN_QDD, ARNE_COLUMN_TAU,
                                                  ARNE_COLUMN_QA};

/* ---- computing ---- */

/* Has anything that moves a mass? */
static bool weighs(const arne_model *m)
{
    for (int i = 0; i < arne_model_links(m); i++)
        if (arne_link_joint(m, i) >= 0 && arne_link_body(m, i)->mass != 0) return true;
    return false;
}

static int complain_row(const block *b, long k, const char *text)
{
    const arne_states *s = &b->job->in.states;
    return complain_at(s->has_file ? s->file.name : b->job->e.robot->path, s->has_file ? b->line[k] : 0, "%s", text);
}

/* A row that cannot be computed, or overflows, is an error: no infinity or nan is ever printed. */
static int blame(const block *b, long k, const quantity *q, arne_status status)
{
    const robot *r = b->job->e.robot;
    char text[400];
    if (status == ARNE_SINGULAR)
        snprintf(text, sizeof text,
                 "the inertia matrix is singular at joint %s: %s needs a mass or an inertia that this joint moves, "
                 "or a motor inertia%s",
                 arne_joint_name(r->model, arne_data_joint(b->job->e.data)), q->name, r->rigid ? " without --rigid" : "");
    else if (status == ARNE_UNSUPPORTED && q->row >= 0 && !arne_quantity_size(q->row, r->model))
        snprintf(text, sizeof text, "%s of %d freedoms has more numbers than can be counted; d2id_times sums them up", q->name,
                 arne_model_nv(r->model));
    else if (status && status != ARNE_NOT_FINITE)
        snprintf(text, sizeof text, "%s: %s", q->name, arne_status_words(status));
    else if (status && weighs(r->model))
        snprintf(text, sizeof text, "%s is not finite: the numbers of this row are too large, at joint %s", q->name,
                 arne_joint_name(r->model, arne_data_joint(b->job->e.data)));
    else
        snprintf(text, sizeof text, "%s is not finite: %s", q->name,
                 weighs(r->model) ? "the numbers of this row are too large" : "nothing that moves has a mass");
    return complain_row(b, k, text);
}

static arne_state state_of(const block *b, long k)
{
    const double *x[STATE_GROUPS];
    for (int g = 0; g < STATE_GROUPS; g++) x[g] = b->x[g] + k * b->width[g];
    return (arne_state){x[0], x[1], x[2], x[3], x[4]};
}

/* A thread for each part but the first. */
typedef struct {
    void (*one)(void *context, int k);
    void *context;
    int k;
} errand;

static void *go(void *context)
{
    const errand *e = context;
    e->one(e->context, e->k);
    return NULL;
}

static void on_threads(int parts, void (*one)(void *context, int k), void *context)
{
    errand errands[MOST_THREADS];
    pthread_t thread[MOST_THREADS];
    bool started[MOST_THREADS];
    for (int k = 1; k < parts; k++) {
        errands[k] = (errand){one, context, k};
        started[k] = !pthread_create(&thread[k], NULL, go, &errands[k]);
    }
    one(context, 0);
    for (int k = 1; k < parts; k++) started[k] ? (void)pthread_join(thread[k], NULL) : one(context, k);
}

/* The robot's own code of a quantity, a part of the block. */
typedef struct {
    const block *b;
    int quantity;
} code_run;

static void run_code(void *context, int k)
{
    const code_run *c = context;
    const block *b = c->b;
    const long from = b->rows * k / b->job->threads, end = b->rows * (k + 1) / b->job->threads;
    const arne_state x = state_of(b, from);
    arne_code_run(b->code[c->quantity], (size_t)(end - from), &x, b->result[c->quantity] + from * b->size[c->quantity]);
}

/* The first row that fails, found one by one; b->rows becomes what lies before it. */
static int find_fault(block *b)
{
    for (long k = 0; k < b->rows; k++)
        for (int i = 0; i < b->job->count; i++) {
            const quantity *q = &b->job->wanted[i];
            const arne_quantity_options o = quantity_options(q, &b->job->e);
            const arne_state x = state_of(b, k);
            double *result = b->result[i] + k * b->size[i];
            const arne_status status = b->at_once[i] ? arne_compute(b->job->e.data, q->row, &o, &x, result) : ARNE_OK;
            bool finite = true;
            for (int n = 0; n < b->size[i]; n++) finite &= isfinite(result[n]) != 0;
            if (!status && finite) continue;
            const int answer = blame(b, k, q, status);
            b->rows = k;
            return answer;
        }
    return CLI_OK;
}

static int compute(block *b)
{
    const eval_job *j = b->job;
    const arne_batch_options how = {.size = sizeof how, .threads = j->threads, .others = b->others, .run = on_threads};
    const arne_state x = state_of(b, 0);
    bool faulty = false;
    for (int i = 0; i < j->count && b->rows; i++) {
        const arne_quantity_options o = quantity_options(&j->wanted[i], &j->e);
        if (b->code[i])
            on_threads(j->threads, run_code, &(code_run){b, i});
        else if (b->at_once[i])
            faulty |= arne_batch_with(j->e.data, j->wanted[i].row, &o, &how, (size_t)b->rows, &x, b->result[i]) != ARNE_OK;
        double sum = 0;
        for (long k = 0, all = b->rows * b->size[i]; k < all; k++) sum += 0 * b->result[i][k];
        faulty |= sum != 0;
    }
    return faulty ? find_fault(b) : CLI_OK;
}

/* ---- rows ---- */

static int take_row(block *b, bool mine)
{
    eval_job *j = b->job;
    const arne_states *s = &j->in.states;
    const long k = b->rows;
    for (int g = 0; g < STATE_GROUPS && mine; g++)
        if (b->from[g]) memcpy(b->x[g] + k * b->width[g], b->from[g], (size_t)b->width[g] * sizeof(double));
    b->line[k] = s->file.line;
    if (b->t) b->t[k] = *arne_states_time(s);
    if (j->in.nwrench > j->in.noption_wrench) arne_set_wrenches(arne_data_settings(j->e.data), j->in.wrenches, j->in.nwrench);
    for (int i = 0; i < j->count && mine; i++) {
        if (b->at_once[i]) continue;
        const arne_status status = quantity_compute(&j->wanted[i], &j->e, b->result[i] + k * b->size[i]);
        if (status) return blame(b, k, &j->wanted[i], status);
    }
    b->rows++;
    return CLI_OK;
}

/* Rows until the block is full, or there are no more. */
static int take_rows(block *b, long full, bool mine, bool *more)
{
    int status = CLI_OK;
    *more = true;
    while (b->rows < full && !status && !(status = input_next(&b->job->in, more)) && *more) status = take_row(b, mine);
    return status;
}

/* The next rows, computed, to where they go; if another one reads them they are passed over. Rows before one that fails are
 * emitted too. */
static int do_rows(block *b, long full, bool mine, bool *more)
{
    int status = take_rows(b, full, mine, more), fault = CLI_OK, written = CLI_OK;
    if (mine) fault = compute(b);
    if (mine && b->rows) written = b->writer ? eval_put(b) : eval_print(b, b->placed || b->job->ranks->rank);
    b->before += b->rows;
    eval_progress(b);
    return status ? status : fault ? fault : written;
}

/* One process, rows as they come. */
static int run_alone(block *b)
{
    const input *in = &b->job->in;
    bool more = true;
    int status = CLI_OK;
    if (in->states.has_file && in->states.file.file == stdin)
        b->room = 1; /* a program may send its rows one by one and wait for each answer */
    while (more && !status) status = do_rows(b, b->room, true, &more);
    return !status && !b->done ? input_complain(in, "there are no rows after the header") : status;
}

/* A block: who owns it goes there. What is differentiated is read by all, one row after the other. */
static int do_block(block *b, bool mine)
{
    const bool by_all = b->job->in.states.differences;
    const long end = b->first[b->number + 1];
    arne_error error = {0};
    bool more = true;
    int status = CLI_OK;
    b->before = b->first[b->number];
    if (!mine && !by_all) return CLI_OK;
    if (!by_all) status = checked(arne_states_seek(&b->job->in.states, b->number, b->before, &error), &error);
    while (!status && more && !(by_all && b->before == end))
        status = do_rows(b, by_all && end - b->before < b->room ? end - b->before : b->room, mine, &more);
    return !status && b->before != end ? input_complain(&b->job->in, "it changed while it was read") : status;
}

/* Several processes, or rows that are known before the first is computed. */
static int run_shared(block *b)
{
    const bool in_order = eval_in_order(b), first = !b->job->ranks->rank;
    int status = CLI_OK;
    if (!b->first[b->blocks]) return input_complain(&b->job->in, "there are no rows after the header");
    for (b->number = 0; b->number < b->blocks; b->number++) {
        const bool mine = eval_is_mine(b);
        status = do_block(b, mine);
        if (b->placed && mine) status = eval_place(b, status);
        if (in_order && mine && !first) status = eval_pass_on(b, status);
        if (in_order && !mine && first && !status) status = eval_get(b);
        if (status) break;
    }
    return b->placed ? eval_place_rest(b, status) : status;
}

static int run(block *b)
{
    ranks *r = b->job->ranks;
    if (!b->first) return run_alone(b);
    ranks_hush(r);
    b->job->in.hushed = r->count > 1;
    int status = run_shared(b);
    arne_states_close(&b->job->in.states); /* whoever takes away what was added to it is alone with it */
    return eval_part_ways(b, status);
}

/* ---- before and after ---- */

static bool takes_all(const block *b, const quantity *q)
{
    const eval_job *j = b->job;
    return j->in.states.has_file && arne_model_nv(j->e.robot->model) <= MOST_JOINTS && quantity_in_batch(q, &j->e) &&
           j->in.nwrench == j->in.noption_wrench;
}

static int make_room(block *b)
{
    eval_job *j = b->job;
    double bytes = 0;
    unsigned reads = ARNE_Q;
    for (int g = 0; g < STATE_GROUPS; g++) {
        b->width[g] = (g ? arne_model_nv : arne_model_nq)(j->e.robot->model);
        bytes += 8.0 * b->width[g];
    }
    for (int i = 0; i < j->count; i++) {
        b->size[i] = quantity_size(&j->wanted[i], &j->e);
        b->at_once[i] = takes_all(b, &j->wanted[i]);
        if (b->at_once[i]) reads |= j->wanted[i].inputs;
        bytes += 16.0 * b->size[i];
    }
    b->room = (long)fmin(MOST_ROWS, fmax(1, MOST_BYTES / bytes));
    b->line = calloc((size_t)b->room, sizeof *b->line);
    bool fine = b->line;
    if (arne_states_time(&j->in.states)) fine &= (b->t = calloc((size_t)b->room, sizeof *b->t)) != NULL;
    for (int g = 0; g < STATE_GROUPS; g++) {
        fine &= (b->x[g] = calloc((size_t)(b->room * b->width[g] + 1), sizeof(double))) != NULL;
        b->from[g] = reads & 1u << g ? arne_states_of(&j->in.states, COLUMNS[g]) : NULL;
    }
    for (int i = 0; i < j->count; i++)
        fine &= (b->result[i] = calloc((size_t)(b->room * b->size[i] + 1), sizeof(double))) != NULL;
    b->others = calloc((size_t)j->threads, sizeof *b->others);
    /* rows have to be known where others take some, and for the places of datasets */
    const bool known = j->ranks->count > 1 || (j->path && arne_table_is(j->path) && j->path[strlen(j->path) - 1] == '5');
    if (known && (b->blocks = arne_states_blocks(&j->in.states, b->room)) >= 0)
        fine &= (b->first = calloc((size_t)b->blocks + 1, sizeof *b->first)) != NULL;
    return fine && b->others ? CLI_OK : no_memory();
}

static int make_threads(block *b)
{
    eval_job *j = b->job;
    unsigned needs = ARNE_BATCHES;
    bool any = false;
    for (int i = 0; i < j->count; i++) {
        any |= b->at_once[i];
        if (strstr(j->wanted[i].name, "did") || strstr(j->wanted[i].name, "dfd")) needs |= ARNE_DERIVATIVES;
    }
    arne_set_wrenches(arne_data_settings(j->e.data), j->in.wrenches, j->in.noption_wrench);
    arne_error error = {0};
    int status = any ? checked(arne_data_prepare(j->e.data, needs, &error), &error) : CLI_OK;
    for (int i = 0; i < j->threads - 1 && any && !status; i++) {
        status = checked(arne_data_share(arne_data_settings(j->e.data), &b->others[i], &error), &error);
        if (!status) status = checked(arne_data_prepare(b->others[i], needs, &error), &error);
    }
    return status;
}

int eval_rows(const arguments *a, eval_job *j)
{
    block *b = calloc(1, sizeof *b);
    if (!b) return no_memory();
    b->job = j;
    b->begin = arne__clock_now();
    int status = make_room(b);
    if (!status) status = make_threads(b);
    status = ranks_agree(j->ranks, status);
    if (!status && b->first) status = eval_cut(b);
    if (!status) status = ranks_agree(j->ranks, eval_open_out(b));
    if (!status && j->fast) eval_fast(a, j, b->at_once, b->code);
    if (!status) status = run(b);
    status = eval_close_out(b, status);
    if (!status && j->path) tell(a, "%s: %ld rows", j->path, b->first ? b->first[b->blocks] : b->done);
    for (int i = 0; i < j->threads - 1 && b->others; i++) arne_data_free(b->others[i]);
    for (int g = 0; g < STATE_GROUPS; g++) free(b->x[g]);
    for (int i = 0; i < j->count; i++) free(b->result[i]), arne_loaded_free(b->code[i]);
    free(b->others);
    free(b->first);
    free(b->apart);
    free(b->t);
    free(b->line);
    out_free(&b->out);
    for (int k = 0; k < MOST_AHEAD; k++) out_free(&b->ahead[k]);
    free(b);
    return status;
}
