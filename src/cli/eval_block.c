/* SPDX-License-Identifier: MIT
 *
 * eval_block.c - the rows of `eval` in blocks. What the library's table has is computed for the whole block at once, on lanes and
 * threads; the rest, and rows that have wrenches of their own, one by one as they come. Either way the bits are the same. Where
 * there are several ranks each reads all rows, block b is computed by rank b modulo their number, and the first one gets the
 * results in order. */
#include "cli/eval_block.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/whole.h"

enum { GROUPS = 5, MOST_ROWS = 4096, MOST_BYTES = 1 << 25, MOST_JOINTS = 500, MOST_PIECES = MOST_WANTED * MOST_PARTS };
static const arne_column COLUMNS[GROUPS] = {ARNE_COLUMN_Q, ARNE_COLUMN_QD, ARNE_COLUMN_QDD, ARNE_COLUMN_TAU, ARNE_COLUMN_QA};

/* What a rank tells the first one about its block; a fault of a row is said there. */
typedef struct {
    long rows;
    int status, line;
    char text[400];
} notice;

typedef struct {
    eval_job *job;
    long room, rows; /* of the block */
    long printed;    /* rows of the blocks before */
    long number;     /* of the block */
    bool sent_home;  /* the first rank needs no more of this one */
    double *t, *x[GROUPS];
    const double *from[GROUPS]; /* where the input has them, NULL: nobody needs them in the block */
    int width[GROUPS];
    int *line;
    double *result[MOST_WANTED]; /* row after row */
    int size[MOST_WANTED];
    bool at_once[MOST_WANTED]; /* by arne_batch, or by code of the robot's own */
    arne_loaded *code[MOST_WANTED];
    arne_data **data; /* of the threads, the first is that of the evaluation */
    out out;
    whole_file file;           /* --out of CSV and JSON */
    arne_table_writer *writer; /* --out of .npy, .h5 */
    int npiece;
    arne_table_part piece[MOST_PIECES];
    char names[MOST_PIECES][64];
    double *apart; /* the numbers of the pieces, piece after piece: those of a quantity lie side by side in a row */
    double begin, told;
    notice fault; /* of another rank's block, status 0: none */
} block;

static int owner(const block *b) { return (int)(b->number % b->job->ranks->count); }
static bool is_mine(const block *b) { return owner(b) == b->job->ranks->rank; }

/* ---- computing ---- */

/* Has anything that moves a mass? */
static bool weighs(const arne_model *m)
{
    for (int i = 0; i < arne_model_links(m); i++)
        if (arne_link_joint(m, i) >= 0 && arne_link_body(m, i)->mass != 0) return true;
    return false;
}

static int complain_line(const block *b, int line, const char *text)
{
    const arne_states *s = &b->job->in.states;
    return complain_at(s->has_file ? s->file.name : b->job->e.robot->path, s->has_file ? line : 0, "%s", text);
}

static int complain_row(block *b, long k, const char *text)
{
    b->fault.status = CLI_FAILED;
    b->fault.line = b->line[k];
    snprintf(b->fault.text, sizeof b->fault.text, "%s", text);
    return b->job->ranks->rank ? CLI_FAILED : complain_line(b, b->line[k], text);
}

/* A row that cannot be computed, or overflows, is an error: no infinity or nan is ever printed. */
static int blame(block *b, long k, const quantity *q, arne_status status)
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
    const double *x[GROUPS];
    for (int g = 0; g < GROUPS; g++) x[g] = b->x[g] + k * b->width[g];
    return (arne_state){x[0], x[1], x[2], x[3], x[4]};
}

typedef struct {
    block *b;
    int thread;
    arne_status status;
} share;

static long share_from(const block *b, int thread) { return b->rows * thread / b->job->threads; }

static void *work(void *context)
{
    share *s = context;
    const block *b = s->b;
    const evaluation *e = &b->job->e;
    const long from = share_from(b, s->thread), count = share_from(b, s->thread + 1) - from;
    for (int i = 0; i < b->job->count && count; i++) {
        const quantity *q = &b->job->wanted[i];
        const arne_quantity_options o = quantity_options(q, e);
        const arne_state x = state_of(b, from);
        double *to = b->result[i] + from * b->size[i];
        if (!b->at_once[i]) continue;
        if (b->code[i]) {
            arne_code_run(b->code[i], (size_t)count, &x, to);
            continue;
        }
        const arne_status status = arne_batch(b->data[s->thread], q->row, &o, (size_t)count, &x, to);
        if (status) s->status = status;
    }
    return NULL;
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
    share shares[MOST_THREADS];
    pthread_t thread[MOST_THREADS];
    bool started[MOST_THREADS] = {0}, faulty = false;
    const int n = b->job->threads;
    for (int i = 0; i < n; i++) {
        shares[i] = (share){b, i, ARNE_OK};
        started[i] = i > 0 && !pthread_create(&thread[i], NULL, work, &shares[i]);
    }
    for (int i = 0; i < n; i++)
        if (!started[i]) work(&shares[i]);
    for (int i = 0; i < n; i++) {
        if (started[i]) pthread_join(thread[i], NULL);
        faulty |= shares[i].status != ARNE_OK;
    }
    for (int i = 0; i < b->job->count && !faulty; i++) {
        double sum = 0;
        for (long k = 0, all = b->rows * b->size[i]; k < all; k++) sum += 0 * b->result[i][k];
        faulty |= sum != 0;
    }
    return faulty ? find_fault(b) : CLI_OK;
}

/* ---- output ---- */

/* A row as it is printed. */
static void print_row(block *b, long k)
{
    eval_job *j = b->job;
    double *results[MOST_WANTED];
    const double *t = b->t ? &b->t[k] : NULL;
    for (int i = 0; i < j->count; i++) results[i] = b->result[i] + k * b->size[i];
    if (j->format == FORMAT_CSV && b->printed + k == 0) print_csv_header(&j->e, j->wanted, j->count, t, &b->out);
    if (j->format == FORMAT_JSON)
        print_json(&j->e, j->wanted, results, j->count, t, &b->out);
    else if (j->format == FORMAT_CSV)
        print_csv(&j->e, j->wanted, results, j->count, t, &b->out);
    else
        print_text(&j->e, j->wanted, results, j->count, b->printed + k + 1, t, &b->out);
}

static int put_text(block *b, bool live)
{
    arne_error error = {0};
    if (b->out.failed) return no_memory();
    if (!b->file.file) return out_write(&b->out, live);
    const bool fine = fwrite(arne__text_string(&b->out), 1, b->out.length, b->file.file) == b->out.length;
    arne__text_clear(&b->out);
    return fine ? CLI_OK : checked(arne__whole_check(&b->file, &error), &error);
}

/* The numbers of a quantity lie side by side in a row; a piece has its own together. */
static int append(block *b)
{
    const double *x[MOST_PIECES];
    double *to = b->apart;
    arne_error error = {0};
    for (int i = 0, n = 0; i < b->job->count; i++) {
        int at = 0;
        if (b->job->wanted[i].nparts == 1) {
            x[n++] = b->result[i];
            continue;
        }
        for (int p = 0; p < b->job->wanted[i].nparts; p++, n++) {
            const int size = b->piece[n].rows * b->piece[n].columns;
            x[n] = to;
            for (long k = 0; k < b->rows; k++, to += size)
                memcpy(to, b->result[i] + k * b->size[i] + at, (size_t)size * sizeof *to);
            at += size;
        }
    }
    return checked(arne_table_append(b->writer, b->rows, x, &error), &error);
}

static void tell_progress(block *b)
{
    const double now = arne__clock_now();
    if (!b->job->path || !isatty(fileno(stderr)) || now - b->begin < 1 || now - b->told < 0.2) return;
    b->told = now;
    fprintf(stderr, "\r  %ld rows, %.3g a second    ", b->printed, (double)b->printed / (now - b->begin));
}

static int emit(block *b, bool live)
{
    int status = CLI_OK;
    if (b->writer && b->rows)
        status = append(b);
    else
        for (long k = 0; k < b->rows && !status; k++) {
            print_row(b, k);
            if (live || b->out.length > 1 << 16 || k + 1 == b->rows) status = put_text(b, live);
        }
    b->printed += b->rows;
    b->rows = 0;
    tell_progress(b);
    return status;
}

/* The block's results from its rank to the first one. */
static int pass_on(block *b, int fault)
{
    const ranks *r = b->job->ranks;
    bool go;
    b->fault.rows = b->rows;
    ranks_take(r, 0, &go, sizeof go);
    b->sent_home = !go;
    if (!go) return CLI_FAILED;
    ranks_send(r, 0, &b->fault, sizeof b->fault);
    for (int i = 0; i < b->job->count; i++) ranks_send(r, 0, b->result[i], (size_t)(b->rows * b->size[i]) * sizeof(double));
    return fault;
}

static int get(block *b)
{
    const ranks *r = b->job->ranks;
    const bool go = true;
    ranks_send(r, owner(b), &go, sizeof go);
    ranks_take(r, owner(b), &b->fault, sizeof b->fault);
    b->rows = b->fault.rows;
    for (int i = 0; i < b->job->count && b->rows; i++)
        ranks_take(r, owner(b), b->result[i], (size_t)(b->rows * b->size[i]) * sizeof(double));
    return b->fault.status ? complain_line(b, b->fault.line, b->fault.text) : CLI_OK;
}

/* The end, on all ranks: the first one sends the others home. One that stopped before tells why when it is asked for a block. */
static void part_ways(block *b)
{
    const ranks *r = b->job->ranks;
    bool go = false;
    for (int i = 1; i < r->count && !r->rank; i++) ranks_send(r, i, &go, sizeof go);
    if (!b->fault.status) b->fault = (notice){0, CLI_FAILED, 0, "a rank cannot read on"};
    b->fault.rows = 0;
    while (r->rank && !b->sent_home) {
        ranks_take(r, 0, &go, sizeof go);
        b->sent_home = !go;
        if (go) ranks_send(r, 0, &b->fault, sizeof b->fault);
    }
}

static int finish_block(block *b, bool live)
{
    const bool mine = is_mine(b), first = !b->job->ranks->rank;
    int fault = mine ? compute(b) : CLI_OK, status = CLI_OK;
    if (mine && !first) fault = pass_on(b, fault);
    if (!mine && first) fault = get(b);
    if (first) status = emit(b, live);
    b->rows = 0;
    b->number++;
    return fault ? fault : status;
}

/* ---- all rows ---- */

static int take_row(block *b)
{
    eval_job *j = b->job;
    const arne_states *s = &j->in.states;
    const long k = b->rows;
    b->line[k] = s->file.line;
    if (b->t) b->t[k] = *arne_states_time(s);
    if (!is_mine(b)) {
        b->rows++;
        return CLI_OK;
    }
    for (int g = 0; g < GROUPS; g++)
        if (b->from[g]) memcpy(b->x[g] + k * b->width[g], b->from[g], (size_t)b->width[g] * sizeof(double));
    if (j->in.nwrench > j->in.noption_wrench) arne_set_wrenches(arne_data_settings(j->e.data), j->in.wrenches, j->in.nwrench);
    for (int i = 0; i < j->count; i++) {
        if (b->at_once[i]) continue;
        const arne_status status = quantity_compute(&j->wanted[i], &j->e, b->result[i] + k * b->size[i]);
        if (status) return blame(b, k, &j->wanted[i], status);
    }
    b->rows++;
    return CLI_OK;
}

static int run(block *b)
{
    input *in = &b->job->in;
    const bool live = in->states.has_file && in->states.file.file == stdin;
    bool more = true;
    int status;
    if (live) b->room = 1; /* a program may send its rows one by one and wait for each answer */
    while (!(status = input_next(in, &more)) && more) {
        status = take_row(b);
        if (!status && b->rows == b->room) status = finish_block(b, live);
        if (status) break;
    }
    if (b->rows) {
        const int last = finish_block(b, live); /* rows before the one that fails */
        if (!status) status = last;
    }
    if (!status && b->printed == 0 && !b->number) status = input_complain(in, "there are no rows after the header");
    return status;
}

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
    for (int g = 0; g < GROUPS; g++) {
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
    for (int g = 0; g < GROUPS; g++) {
        fine &= (b->x[g] = calloc((size_t)(b->room * b->width[g] + 1), sizeof(double))) != NULL;
        b->from[g] = reads & 1u << g ? arne_states_of(&j->in.states, COLUMNS[g]) : NULL;
    }
    for (int i = 0; i < j->count; i++)
        fine &= (b->result[i] = calloc((size_t)(b->room * b->size[i] + 1), sizeof(double))) != NULL;
    b->data = calloc((size_t)j->threads, sizeof *b->data);
    return fine && b->data ? CLI_OK : no_memory();
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
    for (int i = 0; i < j->threads && any; i++) {
        arne_error error = {0};
        b->data[i] = i ? robot_data(j->e.robot) : j->e.data;
        if (!b->data[i]) return CLI_FAILED;
        arne_set_wrenches(arne_data_settings(b->data[i]), j->in.wrenches, j->in.noption_wrench);
        const int status = checked(arne_data_prepare(b->data[i], needs, &error), &error);
        if (status) return status;
    }
    return CLI_OK;
}

static int open_out(block *b)
{
    eval_job *j = b->job;
    arne_error error = {0};
    if (!j->path || j->ranks->rank) return CLI_OK;
    if (!arne_table_is(j->path)) return checked(arne__whole_open(&b->file, j->path, &error), &error);
    size_t all = 0;
    for (int i = 0; i < j->count; i++)
        for (int p = 0; p < j->wanted[i].nparts; p++) {
            const part *x = &j->wanted[i].parts[p];
            const int n = b->npiece++;
            snprintf(b->names[n], sizeof b->names[n], "%s%s%s", j->wanted[i].name, x->name ? "/" : "", x->name ? x->name : "");
            b->piece[n] = (arne_table_part){b->names[n], axis_size(x->rows, &j->e), axis_size(x->columns, &j->e)};
            if (j->wanted[i].nparts > 1) all += (size_t)b->room * (size_t)(b->piece[n].rows * b->piece[n].columns);
        }
    const char *from = j->in.states.has_file ? j->in.states.file.name : "";
    if (!(b->apart = calloc(all + 1, sizeof *b->apart))) return no_memory();
    return checked(arne_table_create(j->path, b->piece, b->npiece, !strcmp(from, j->path), &b->writer, &error), &error);
}

static int close_out(block *b, int status)
{
    arne_error error = {0};
    const arne_status told = status ? ARNE_BAD_VALUE : ARNE_OK;
    arne_status done = told;
    if (b->writer) done = arne_table_finish(b->writer, told, &error);
    if (b->file.file) done = arne__whole_close(&b->file, told, &error);
    if (b->told > 0) fprintf(stderr, "\r%60s\r", "");
    return status ? status : checked(done, &error);
}

int eval_rows(const arguments *a, eval_job *j)
{
    block *b = calloc(1, sizeof *b);
    if (!b) return no_memory();
    b->job = j;
    b->begin = arne__clock_now();
    int status = make_room(b);
    if (!status) status = make_threads(b);
    if (!status) status = open_out(b);
    status = ranks_agree(j->ranks, status);
    if (!status && j->fast) eval_fast(a, j, b->at_once, b->code);
    if (!status) {
        status = run(b);
        part_ways(b);
    }
    status = close_out(b, status);
    if (!status && j->path) tell(a, "%s: %ld rows", j->path, b->printed);
    for (int i = 1; i < j->threads && b->data; i++) arne_data_free(b->data[i]);
    for (int g = 0; g < GROUPS; g++) free(b->x[g]);
    for (int i = 0; i < j->count; i++) free(b->result[i]), arne_loaded_free(b->code[i]);
    free(b->data);
    free(b->apart);
    free(b->t);
    free(b->line);
    out_free(&b->out);
    free(b);
    return status;
}
