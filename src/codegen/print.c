/* SPDX-License-Identifier: MIT
 *
 * print.c - one statement per live operation, in the order of the text; what depends on no input is a number. */
#include "codegen/print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const sym_graph *g;
    const print_names *names;
    bool *live;
    double *value; /* of nodes that depend on no input */
    int *angle;    /* of sines and cosines: its number */
    int *last;     /* the last node that reads this one */
    int angles;
} printer;

void print_number(FILE *f, double x)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x) break;
    }
    fputs(text, f);
    if (!strpbrk(text, ".en")) fputs(".0", f);
}

static const sym_node *node(const printer *p, int ref) { return sym_graph_node(p->g, ref >> 1); }
static bool fixed(const printer *p, int ref) { return node(p, ref)->fixed; }
static double number(const printer *p, int ref) { return ref & 1 ? -p->value[ref >> 1] : p->value[ref >> 1]; }

/* the node's name or number, without the sign of the reference */
static void print_node(FILE *f, const printer *p, int i)
{
    const sym_node *x = sym_graph_node(p->g, i);
    if (x->fixed)
        print_number(f, p->value[i]);
    else if (x->op == SYM_INPUT)
        fprintf(f, "%s[%d]", p->names->group[x->a / p->names->n], x->a % p->names->n);
    else if (x->op == SYM_SINE || x->op == SYM_COSINE)
        fprintf(f, "%s[%d]", x->op == SYM_SINE ? "sn" : "cs", p->angle[i]);
    else
        fprintf(f, "t%d", i);
}

static void print_operand(FILE *f, const printer *p, int ref)
{
    if (fixed(p, ref)) {
        const double x = number(p, ref);
        if (x < 0) fputc('(', f);
        print_number(f, x);
        if (x < 0) fputc(')', f);
        return;
    }
    if (ref & 1) fputs("(-", f);
    print_node(f, p, ref >> 1);
    if (ref & 1) fputc(')', f);
}

static void print_sum(FILE *f, const printer *p, int a, int b)
{
    print_operand(f, p, a);
    if (fixed(p, b)) {
        const double x = number(p, b);
        fputs(x < 0 ? " - " : " + ", f);
        print_number(f, fabs(x));
        return;
    }
    fputs(b & 1 ? " - " : " + ", f);
    print_node(f, p, b >> 1);
}

static void print_infix(FILE *f, const printer *p, const sym_node *x, const char *sign)
{
    print_operand(f, p, x->a);
    fputs(sign, f);
    print_operand(f, p, x->b);
}

static void print_call(FILE *f, const printer *p, const sym_node *x, const char *function)
{
    fprintf(f, "%s(", function);
    print_operand(f, p, x->a);
    if (x->b >= 0) {
        fputs(", ", f);
        print_operand(f, p, x->b);
    }
    fputc(')', f);
}

static void print_operation(FILE *f, const printer *p, const sym_node *x)
{
    switch (x->op) {
    case SYM_ADD: print_sum(f, p, x->a, x->b); break;
    case SYM_MUL: print_infix(f, p, x, " * "); break;
    case SYM_DIVIDE: print_infix(f, p, x, " / "); break;
    case SYM_ROOT: print_call(f, p, x, "sqrt"); break;
    case SYM_ABSOLUTE: print_call(f, p, x, "fabs"); break;
    case SYM_LEAST: print_call(f, p, x, "fmin"); break;
    case SYM_MOST: print_call(f, p, x, "fmax"); break;
    case SYM_EXPO: print_call(f, p, x, "exp"); break;
    case SYM_POWER: print_call(f, p, x, "pow"); break;
    default: /* SYM_SIGN */
        fputs("(double)((", f);
        print_operand(f, p, x->a);
        fputs(" > 0) - (", f);
        print_operand(f, p, x->a);
        fputs(" < 0))", f);
        break;
    }
}

/* values of what is fixed, numbers of the angles, last reader of every node */
static bool prepare(printer *p, const sym *out, int nout)
{
    const int size = sym_graph_size(p->g);
    sym *all = malloc(((size_t)size + 1) * sizeof *all);
    double none = 0;
    bool ok = all != NULL;
    if (ok) {
        int count = 0;
        for (int i = 0; i < size; i++)
            if (sym_graph_node(p->g, i)->fixed) all[count++] = (sym){(sym_graph *)p->g, 2 * i, 0};
        double *values = malloc(((size_t)count + 1) * sizeof *values);
        ok = values && graph_evaluate(p->g, &none, all, count, values);
        for (int k = 0; ok && k < count; k++) p->value[all[k].ref >> 1] = values[k];
        free(values);
    }
    free(all);
    if (!ok) return false;
    graph_live(p->g, out, nout, p->live);
    for (int i = 0; i < size; i++) {
        const sym_node *x = sym_graph_node(p->g, i);
        p->last[i] = -1;
        if (!p->live[i] || x->op <= SYM_INPUT || x->fixed) continue;
        p->last[x->a >> 1] = i;
        if (x->b >= 0) p->last[x->b >> 1] = i;
        if (x->op != SYM_SINE && x->op != SYM_COSINE) continue;
        p->angle[i] = -1;
        for (int k = 0; k < i && p->angle[i] < 0; k++) {
            const sym_node *y = sym_graph_node(p->g, k);
            if (p->live[k] && !y->fixed && (y->op == SYM_SINE || y->op == SYM_COSINE) && y->a == x->a) p->angle[i] = p->angle[k];
        }
        if (p->angle[i] < 0) p->angle[i] = p->angles++;
    }
    for (int i = 0; i < nout; i++)
        if (out[i].g) p->last[out[i].ref >> 1] = size;
    return true;
}

/* the angles of all joints, their sines and cosines in one go */
static void print_turns(FILE *f, const printer *p)
{
    if (!p->angles) return;
    const int padded = (p->angles + 7) / 8 * 8;
    int seen = 0;
    fprintf(f, "    const double angle[%d] = {", padded);
    for (int i = 0; i < sym_graph_size(p->g); i++) {
        const sym_node *x = sym_graph_node(p->g, i);
        if (!p->live[i] || x->fixed || (x->op != SYM_SINE && x->op != SYM_COSINE) || p->angle[i] < seen) continue;
        if (seen++) fputs(", ", f);
        const sym_node *a = node(p, x->a);
        if (a->op == SYM_ADD) /* a joint turned by a constant */
            print_sum(f, p, a->a, a->b);
        else
            print_operand(f, p, x->a);
    }
    fprintf(f, "};\n    double sn[%d], cs[%d];\n    %s_sincos(angle, sn, cs, %d);\n", padded, padded, p->names->prefix, padded);
}

/* is this node the turned angle of a joint, read by sines and cosines only? */
static bool only_an_angle(const printer *p, int i)
{
    bool turned = false;
    for (int k = i + 1; k < sym_graph_size(p->g); k++) {
        const sym_node *x = sym_graph_node(p->g, k);
        if (!p->live[k] || x->op <= SYM_INPUT || x->fixed || (x->a >> 1 != i && (x->b < 0 || x->b >> 1 != i))) continue;
        if (x->op != SYM_SINE && x->op != SYM_COSINE) return false;
        turned = true;
    }
    return turned && p->last[i] < sym_graph_size(p->g);
}

static long print_statements(FILE *f, const printer *p, const sym *out, int nout)
{
    const int size = sym_graph_size(p->g);
    long alive = 0, most = 0;
    bool used[PRINT_GROUPS] = {false};
    for (int i = 0; i < size; i++)
        if (p->live[i] && sym_graph_node(p->g, i)->op == SYM_INPUT) used[sym_graph_node(p->g, i)->a / p->names->n] = true;
    for (int k = 0; k < PRINT_GROUPS; k++)
        if (p->names->group[k] && !used[k]) fprintf(f, "    (void)%s;\n", p->names->group[k]);
    print_turns(f, p);
    for (int i = 0; i < size; i++) {
        const sym_node *x = sym_graph_node(p->g, i);
        if (!p->live[i] || x->op <= SYM_INPUT || x->fixed) continue;
        alive++;
        if (alive > most) most = alive;
        if (p->last[x->a >> 1] == i) alive--;
        if (x->b >= 0 && x->b >> 1 != x->a >> 1 && p->last[x->b >> 1] == i) alive--;
        if (x->op == SYM_SINE || x->op == SYM_COSINE) continue;
        if (x->op == SYM_ADD && fixed(p, x->b) != fixed(p, x->a) && only_an_angle(p, i)) continue;
        fprintf(f, "    const double t%d = ", i);
        print_operation(f, p, x);
        fputs(";\n", f);
    }
    for (int i = 0; i < nout; i++) {
        fprintf(f, "    %s[%d] = ", p->names->output, i);
        if (!out[i].g) {
            print_number(f, out[i].c);
        } else if (fixed(p, out[i].ref)) {
            print_number(f, number(p, out[i].ref));
        } else {
            if (out[i].ref & 1) fputc('-', f);
            print_node(f, p, out[i].ref >> 1);
        }
        fputs(";\n", f);
    }
    return most;
}

long print_body(FILE *f, const sym_graph *g, const sym *out, int nout, const print_names *names)
{
    const size_t size = (size_t)sym_graph_size(g) + 1;
    printer p = {.g = g, .names = names};
    p.live = calloc(size, sizeof *p.live);
    p.value = calloc(size, sizeof *p.value);
    p.angle = calloc(size, sizeof *p.angle);
    p.last = calloc(size, sizeof *p.last);
    const bool ok = p.live && p.value && p.angle && p.last && prepare(&p, out, nout);
    const long most = ok ? print_statements(f, &p, out, nout) : -1;
    free(p.live);
    free(p.value);
    free(p.angle);
    free(p.last);
    return most;
}
