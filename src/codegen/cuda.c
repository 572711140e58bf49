/* SPDX-License-Identifier: MIT
 *
 * cuda.c - a robot's own code for a GPU: one header of templates over the number, functions of one state that a kernel may call,
 * and kernels over arrays. doc/gpu.md
 *
 * One state a thread, one statement an operation in the order of the text, as print.c; a result is stored as soon as it is there.
 * A function whose values do not fit into the registers of a thread is cut into parts of its columns, each with what it needs of
 * the rest: a thread computes one part, or one after the other. */
#include <stdlib.h>
#include <string.h>

#include "arne/arne.h"
#include "codegen/code.h"
#include "codegen/printer.h"

enum { FIT = 125, MOST_PARTS = 24 }; /* doubles that fit into the 255 registers of a thread; parts of a function */

/* A part of a function: its results among all of them, who reads what, and the order of its statements. */
typedef struct {
    printer p;
    sym *out;
    int *which, nout;  /* results of the part: their numbers, in the order in which they are asked for */
    int *order, count; /* statements */
    long alive;        /* the most values that are computed and still needed at one time: results leave at once */
    int *read;         /* of a node: the last statement that reads it, by its place in the order; -1: none */
    int *first;        /* of a node: the first of `which` that it is, -1: none */
    int *next;
    int *scratch;
} part;

static const print_names plain = {0};

static void close_part(part *t)
{
    arne__printer_close(&t->p);
    free(t->out);
    free(t->which);
}

static const sym_node *node(const part *t, int i) { return arne__sym_graph_node(t->p.g, i); }

/* the order of the text */
static int as_written(const part *t, int *order)
{
    int count = 0;
    for (int late = 0; late < 2; late++)
        for (int i = 0; i < t->p.size; i++)
            if (arne__works(&t->p, i) && t->p.early[i] == !late) order[count++] = i;
    return count;
}

/* What each result needs, one result after the other, the operand that takes more values first. */
static int as_asked(const part *t, int *order)
{
    int count = 0, top = 0, *need = t->scratch, *stack = need + t->p.size;
    bool *done = (bool *)(stack + t->p.size + 1);
    for (int i = 0; i < t->p.size; i++) { /* values that a tree of it would take [Sethi, Ullman 1970] */
        const sym_node *x = node(t, i);
        const int a = arne__works(&t->p, i) ? need[x->a >> 1] : 0, b = a && x->b >= 0 ? need[x->b >> 1] : 0;
        need[i] = !arne__works(&t->p, i) ? 0 : a == b ? a + 1 : a > b ? a : b;
        done[i] = !arne__works(&t->p, i) || t->p.early[i];
        if (done[i] && arne__works(&t->p, i)) order[count++] = i; /* angles */
    }
    for (int k = 0; k < t->nout; k++) {
        if (t->out[k].g) stack[top++] = t->out[k].ref >> 1;
        while (top) {
            const int i = stack[top - 1];
            const sym_node *x = node(t, i);
            if (done[i]) {
                top--;
                continue;
            }
            const int a = x->a >> 1, b = x->b >= 0 ? x->b >> 1 : a;
            const int before = done[a] ? b : done[b] || need[a] >= need[b] ? a : b;
            if (!done[before]) {
                stack[top++] = before;
            } else {
                done[i] = true;
                order[count++] = i;
                top--;
            }
        }
    }
    return count;
}

/* The most values alive in this order; who reads each node last. */
static long most_alive(const part *t, const int *order, int count, int *read)
{
    long alive = 0, most = 0;
    for (int i = 0; i < t->p.size; i++) read[i] = -1;
    for (int k = 0; k < count; k++) {
        const sym_node *x = node(t, order[k]);
        read[x->a >> 1] = k;
        if (x->b >= 0) read[x->b >> 1] = k;
    }
    for (int k = 0; k < count; k++) {
        const sym_node *x = node(t, order[k]);
        const int a = x->a >> 1, b = x->b >= 0 && x->b >> 1 != a ? x->b >> 1 : -1;
        if (++alive > most) most = alive;
        alive -= read[order[k]] < 0;
        alive -= arne__works(&t->p, a) && read[a] == k;
        alive -= b >= 0 && arne__works(&t->p, b) && read[b] == k;
    }
    return most;
}

static bool open_part(part *t, const item *it, const int *column, int columns, int parts, int k)
{
    const sym_graph *g = it->s.g;
    const size_t size = (size_t)arne__sym_graph_size(g) + 1, nout = (size_t)it->s.nout + 1;
    *t = (part){.out = malloc(nout * sizeof *t->out), .which = malloc((2 * nout + 8 * size) * sizeof *t->which)};
    if (!t->out || !t->which) return false;
    t->next = t->which + nout;
    t->read = t->next + nout;
    t->first = t->read + size;
    t->order = t->first + size;
    t->scratch = t->order + 2 * size;
    for (int c = columns - 1; c >= 0; c--) /* the last column first, and its last row: what they need of the others is least */
        for (int i = it->s.nout - 1; i >= 0; i--) {
            if (column[i] != c || (int)((long)c * parts / columns) != k) continue;
            t->which[t->nout] = i;
            t->out[t->nout++] = it->s.out[i];
        }
    if (!arne__printer_open(&t->p, g, t->out, t->nout, &plain, false)) return false;
    int *other = t->order + size;
    t->count = as_asked(t, t->order);
    t->alive = most_alive(t, t->order, t->count, t->read);
    as_written(t, other);
    const long written = most_alive(t, other, t->count, t->read);
    if (written <= t->alive || t->alive > FIT) t->alive = written, t->order = other; /* long chains suit values that must wait */
    for (size_t i = 0; i < size; i++) t->first[i] = -1;
    for (int i = t->nout - 1; i >= 0; i--) {
        const int made = t->out[i].g ? t->out[i].ref >> 1 : -1;
        if (made < 0 || !arne__works(&t->p, made)) continue;
        t->next[i] = t->first[made];
        t->first[made] = i;
    }
    return true;
}

/* The column of each result, those of all parts of the quantity with the same number together; how many there are. */
static int columns_of(const code *c, const item *it, int *column)
{
    const int row = arne_quantity_find(it->fn.name);
    const arne_model *m = arne_data_model(c->d);
    int count = 0, at = 0;
    memset(column, 0, (size_t)it->s.nout * sizeof *column);
    for (int k = 0; row >= 0 && k < arne_quantity_at(row)->nparts; k++) {
        const arne_part *p = &arne_quantity_at(row)->parts[k];
        const int rows = arne_axis_size(p->rows, m), width = arne_axis_size(p->columns, m);
        for (int i = 0; i < rows * width; i++) column[at++] = i % width;
        if (width > count) count = width;
    }
    return count ? count : 1;
}

/* Work of a function in so many parts: statements, more where values do not fit; -1: out of memory. */
static long work_in_parts(const item *it, const int *column, int columns, int parts, long *alive)
{
    long work = 0;
    *alive = 0;
    for (int k = 0; k < parts && work >= 0; k++) {
        part t;
        if (open_part(&t, it, column, columns, parts, k))
            work += t.count + (t.alive > FIT ? t.count * (t.alive - FIT) / (2 * FIT) : 0);
        else
            work = -1;
        if (t.alive > *alive) *alive = t.alive;
        close_part(&t);
    }
    return work;
}

long arne__cuda_parts(const code *c, item *it)
{
    int *column = malloc(((size_t)it->s.nout + 1) * sizeof *column);
    long best = -1;
    const int columns = column ? columns_of(c, it, column) : 0;
    for (int parts = 1; parts <= columns && parts <= MOST_PARTS; parts += 1 + parts / 4) {
        long alive;
        const long work = work_in_parts(it, column, columns, parts, &alive);
        if (work < 0) {
            best = -1;
            break;
        }
        if (best >= 0 && work > best - best / 5) continue; /* parts are calls, each with its own sines: they must pay */
        best = work;
        it->parts = parts;
        it->alive = alive;
        if (alive <= FIT) break;
    }
    free(column);
    return best;
}

/* ---- statements ---- */

static void print_name(FILE *f, const part *t, int i)
{
    const sym_node *x = node(t, i);
    if (x->op == SYM_INPUT && x->key.row == KEY_LIVE)
        fprintf(f, "parameters[%d * p]", x->key.index);
    else if (x->op == SYM_INPUT)
        fprintf(f, "%s_%d", arne__code_input(x->key.row - KEY_Q), x->key.index);
    else if (arne__is_turn(x))
        fprintf(f, x->op == SYM_SINE ? "sn_%d" : "cs_%d", t->p.angle[i]);
    else
        fprintf(f, "t%d", i);
}

static void print_number(FILE *f, double x)
{
    fputs("T(", f);
    arne__print_number(f, x, false);
    fputc(')', f);
}

static bool is_fixed(const part *t, int ref) { return arne__sym_graph_node(t->p.g, ref >> 1)->fixed; }

static void print_operand(FILE *f, const part *t, int ref)
{
    if (is_fixed(t, ref)) {
        print_number(f, ref & 1 ? -t->p.value[ref >> 1] : t->p.value[ref >> 1]);
    } else {
        if (ref & 1) fputc('-', f);
        print_name(f, t, ref >> 1);
    }
}

static void print_call(FILE *f, const part *t, const sym_node *x, const char *word)
{
    fprintf(f, "%s(", word);
    print_operand(f, t, x->a);
    if (x->b >= 0) fputs(", ", f), print_operand(f, t, x->b);
    fputc(')', f);
}

static void print_operation(FILE *f, const part *t, const sym_node *x)
{
    switch (x->op) {
    case SYM_ADD:
        print_operand(f, t, x->a);
        fputs(!is_fixed(t, x->b) && x->b & 1 ? " - " : " + ", f);
        print_operand(f, t, is_fixed(t, x->b) ? x->b : x->b & ~1);
        break;
    case SYM_DIVIDE:
        print_operand(f, t, x->a);
        fputs(" / ", f);
        print_operand(f, t, x->b);
        break;
    case SYM_MUL: print_call(f, t, x, "mul"); break;
    case SYM_ROOT: print_call(f, t, x, "root"); break;
    case SYM_ABSOLUTE: print_call(f, t, x, "absolute"); break;
    case SYM_LEAST: print_call(f, t, x, "least"); break;
    case SYM_MOST: print_call(f, t, x, "most"); break;
    case SYM_EXPO: print_call(f, t, x, "expo"); break;
    case SYM_POWER: print_call(f, t, x, "power"); break;
    default: print_call(f, t, x, "sign"); break;
    }
}

static void print_at(FILE *f, const char *array, int i)
{
    if (i == 0)
        fprintf(f, "%s[0]", array);
    else
        fprintf(f, i == 1 ? "%s[n]" : "%s[%d * n]", array, i);
}

static void print_result(FILE *f, const part *t, const char *output, int k)
{
    const sym y = t->out[k];
    fputs("    ", f);
    print_at(f, output, t->which[k]);
    fputs(" = ", f);
    if (y.g)
        print_operand(f, t, y.ref);
    else
        print_number(f, y.c);
    fputs(";\n", f);
}

static void print_node(FILE *f, const part *t, const char *output, int i)
{
    const sym_node *x = node(t, i);
    if (!arne__is_turn(x)) {
        fprintf(f, "    const T t%d = ", i);
        print_operation(f, t, x);
        fputs(";\n", f);
    }
    for (int k = t->first[i]; k >= 0; k = t->next[k]) print_result(f, t, output, k);
}

/* sines and cosines of all angles; those far from zero take another way, all of them at once: it is hardly ever taken */
static void print_turns(FILE *f, const part *t)
{
    int turned = 0;
    for (int i = 0; i < t->p.size; i++) {
        const sym_node *x = node(t, i);
        if (!arne__works(&t->p, i) || !arne__is_turn(x) || t->p.angle[i] < turned) continue;
        fprintf(f, "    T sn_%d, cs_%d;\n    const T angle_%d = ", turned, turned, turned);
        print_operand(f, t, x->a);
        fprintf(f, ";\n    turn(angle_%d, sn_%d, cs_%d);\n", turned, turned, turned);
        turned++;
    }
    for (int k = 0; k < turned; k++) fprintf(f, "%snear(angle_%d)", k ? " && " : "    if (!(", k);
    fputs(turned ? ")) {\n" : "", f);
    for (int k = 0; k < turned; k++) fprintf(f, "        far_turn(angle_%d, sn_%d, cs_%d);\n", k, k, k);
    fputs(turned ? "    }\n" : "", f);
}

/* ---- functions ---- */

/* as parameters, as they are handed on, moved by the number of the state */
typedef enum { DECLARED, NAMED, MOVED } manner;

static void print_inputs(FILE *f, const code *c, const function *fn, manner how)
{
    const char *before = how == DECLARED ? "const T *" : "", *after = how == MOVED ? " + k" : "";
    if (c->o.live) fprintf(f, "%sparameters%s, ", before, after);
    for (int k = 0; k < CODE_INPUTS; k++)
        if (fn->inputs & 1u << arne__code_inputs[k].bit) fprintf(f, "%s%s%s, ", before, arne__code_inputs[k].name, after);
    fprintf(f, how == DECLARED ? "T *%s" : how == MOVED ? "%s + k" : "%s", fn->output);
}

static void print_lines(FILE *f, const code *c, const item *it, const part *t, int which)
{
    /* parts stand apart: together a compiler would keep what they share, and registers were short again */
    fprintf(f, "\ntemplate <class T>\n%s_%s void %s_%d(", c->o.name, it->parts > 1 ? "APART" : "INLINE", it->fn.name, which);
    print_inputs(f, c, &it->fn, DECLARED);
    fputs(c->o.live ? ", long n, long p)\n{\n" : ", long n)\n{\n", f);
    for (int i = 0; i < t->p.size; i++) { /* loads first: they take their time; parameters where they are needed */
        const sym_node *x = node(t, i);
        if (x->op != SYM_INPUT || x->key.row == KEY_LIVE || !t->p.live[i]) continue;
        fputs("    const T ", f);
        print_name(f, t, i);
        fputs(" = ", f);
        print_at(f, arne__code_input(x->key.row - KEY_Q), x->key.index);
        fputs(";\n", f);
    }
    int k = 0;
    while (k < t->count && t->p.early[t->order[k]]) print_node(f, t, it->fn.output, t->order[k++]);
    print_turns(f, t);
    while (k < t->count) print_node(f, t, it->fn.output, t->order[k++]);
    for (int i = 0; i < t->nout; i++)
        if (!t->out[i].g || !arne__works(&t->p, t->out[i].ref >> 1)) print_result(f, t, it->fn.output, i);
    if (c->o.live) fputs("    (void)parameters, (void)p;\n", f);
    for (int i = 0; i < CODE_INPUTS; i++)
        if (it->fn.inputs & 1u << arne__code_inputs[i].bit) fprintf(f, "    (void)%s;\n", arne__code_inputs[i].name);
    fputs("    (void)n;\n}\n", f);
}

/* A part by its number, of arrays that begin at the state; and the kernel: parts of gridDim.y threads side by side, or one after
 * the other. */
static void print_kernel(FILE *f, const code *c, const item *it)
{
    const char *name = c->o.name, *own = it->fn.name, *strides = c->o.live ? ", n, n" : ", n";
    fprintf(f, "\nnamespace %s_words {\ntemplate <class T>\n%s_INLINE void %s_of(int part, ", name, name, own);
    print_inputs(f, c, &it->fn, DECLARED);
    fputs(c->o.live ? ", long n, long p)\n{\n" : ", long n)\n{\n", f);
    fputs(it->parts > 1 ? "    switch (part) {\n" : "    (void)part;\n", f);
    for (int p = 0; p < it->parts; p++) {
        if (it->parts > 1) fprintf(f, p + 1 < it->parts ? "    case %d:" : "    default:", p);
        fprintf(f, "%s%s_%d(", it->parts > 1 ? " " : "    ", own, p);
        print_inputs(f, c, &it->fn, NAMED);
        fprintf(f, "%s);%s\n", c->o.live ? ", n, p" : ", n", it->parts > 1 ? " break;" : "");
    }
    fprintf(f, "%s}\n} // namespace %s_words\n", it->parts > 1 ? "    }\n" : "", name);
    fprintf(f, "\n/* entry i of state k at i n + k of every array; a thread a state%s */\ntemplate <class T>\n",
            it->parts > 1 ? ", or a part of it: gridDim.y" : "");
    fprintf(f, "#if defined(__CUDACC__)\n__global__ void %s_%s_batch(long n, ", name, own);
    print_inputs(f, c, &it->fn, DECLARED);
    fputs(")\n{\n    const long k = blockIdx.x * (long)blockDim.x + threadIdx.x;\n    if (k >= n) return;\n", f);
    if (it->parts > 1) /* of one part no loop, even of one turn: what is before it would be kept in registers */
        fprintf(f, "    for (int part = blockIdx.y; part < %s_%s_parts; part += gridDim.y)\n    ", name, own);
    fprintf(f, "    %s_words::%s_of(%s, ", name, own, it->parts > 1 ? "part" : "0");
    print_inputs(f, c, &it->fn, MOVED);
    fprintf(f, "%s);\n}\n#else\nvoid %s_%s_batch(long n, ", strides, name, own);
    print_inputs(f, c, &it->fn, DECLARED);
    fprintf(
        f,
        ")\n{\n    for (int part = 0; part < %s_%s_parts; part++)\n        for (long k = 0; k < n; k++) %s_words::%s_of(part, ",
        name, own, name, own);
    print_inputs(f, c, &it->fn, MOVED);
    fprintf(f, "%s);\n}\n#endif\n", strides);
}

static bool print_function(FILE *f, const code *c, const item *it)
{
    const char *name = c->o.name, *own = it->fn.name;
    int *column = malloc(((size_t)it->s.nout + 1) * sizeof *column);
    const int columns = column ? columns_of(c, it, column) : 0;
    bool ok = column != NULL;
    fprintf(f, "\nnamespace %s_words {\n", name);
    for (int p = 0; p < it->parts && ok; p++) {
        part t;
        ok = open_part(&t, it, column, columns, it->parts, p);
        if (ok) print_lines(f, c, it, &t, p);
        close_part(&t);
    }
    fprintf(f, "\n} // namespace %s_words\n\nenum { %s_%s_parts = %d };\n\n/* %s */\ntemplate <class T>\n", name, name, own,
            it->parts, it->fn.about);
    fprintf(f, "__host__ __device__ void %s_%s(", name, own);
    print_inputs(f, c, &it->fn, DECLARED);
    fputs(")\n{\n", f);
    for (int p = 0; p < it->parts; p++) {
        fprintf(f, "    %s_words::%s_%d(", name, own, p);
        print_inputs(f, c, &it->fn, NAMED);
        fputs(c->o.live ? ", 1, 1);\n" : ", 1);\n", f);
    }
    fputs("}\n", f);
    print_kernel(f, c, it);
    free(column);
    return ok;
}

bool arne__print_cuda(FILE *f, const code *c)
{
    const arne_model *m = arne_data_model(c->d);
    const char *name = c->o.name;
    arne__print_receipt(f, c);
    fprintf(f, "#ifndef %s_ARNE_CUH\n#define %s_ARNE_CUH\n\n", name, name);
    for (const char *at = arne__cuda_words; *at; at++) {
        if (*at == '@')
            fputs(name, f);
        else
            fputc(*at, f);
    }
    fprintf(f, "\n} // namespace %s_words\n\nenum { %s_dof = %d, %s_nq = %d };\n", name, name, arne_model_nv(m), name,
            arne_model_nq(m));
    if (c->o.live) arne__print_live(f, c);
    for (int i = 0; i < c->count; i++)
        if (!print_function(f, c, &c->list[i])) return false;
    fputs("\n#endif\n", f);
    return true;
}
