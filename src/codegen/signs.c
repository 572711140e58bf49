/* SPDX-License-Identifier: MIT
 *
 * signs.c - which values are held as their negatives, so that hardly any is negated before it is used, stored in a row or given
 * back: y - x takes no longer than x - y and rounds alike, a sign passes through products, a number burnt in has any sign. */
#include <stdlib.h>

#include "codegen/printer.h"

/* of nodes and of vectors, what their readers ask for: above zero the value, below its negative */
typedef struct {
    int *node, *vector;
} wishes;

static int sign(int x) { return (x > 0) - (x < 0); }
static int of_ref(int ref) { return ref & 1 ? -1 : 1; }
static bool is_fixed(const printer *p, int ref) { return ref >= 0 && arne__sym_graph_node(p->g, ref >> 1)->fixed; }
bool arne__is_number(const printer *p, sym a) { return arne__sym_vector_of(a) < 0 && (!a.g || is_fixed(p, a.ref)); }

bool arne__is_minus(const printer *p, int ref) { return (ref & 1) != p->minus[ref >> 1]; }

bool arne__is_minus_operand(const printer *p, sym a)
{
    const int v = arne__sym_vector_of(a);
    if (v >= 0) return (~a.ref & 1) != p->minus_vector[v];
    return a.g && !is_fixed(p, a.ref) && arne__is_minus(p, a.ref);
}

/* ---- wishes, from those who read to those who are read ---- */

/* of the operands of a sum or product that is wanted with sign s; one of two numbers carries the sign of their product */
static void ask_node(const printer *p, wishes *w, const sym_node *x, int s)
{
    if (x->b < 0 || is_fixed(p, x->a) || is_fixed(p, x->b)) return;
    const int a = of_ref(x->a), b = of_ref(x->b);
    if (x->op == SYM_MUL || x->op == SYM_DIVIDE) w->node[x->b >> 1] += s * a * b;
    if (x->op != SYM_ADD || a != b) return;
    w->node[x->a >> 1] += s * a;
    w->node[x->b >> 1] += s * b;
}

static void ask_operand(wishes *w, sym a, int s)
{
    const int v = arne__sym_vector_of(a);
    if (v >= 0)
        w->vector[v] += ~a.ref & 1 ? -s : s;
    else if (a.g)
        w->node[a.ref >> 1] += s * of_ref(a.ref);
}

static void ask_vector(const printer *p, wishes *w, int v)
{
    const sym_vector *x = arne__sym_vector_at(p->g, v);
    for (int l = 0; l < sym_abreast; l++)
        if (x->lane[l].g && p->by[x->lane[l].ref >> 1] == v)
            w->vector[v] += of_ref(x->lane[l].ref) * w->node[x->lane[l].ref >> 1];
    const int s = sign(w->vector[v]);
    if (arne__is_number(p, x->a) || arne__is_number(p, x->b)) return;
    ask_operand(w, x->b, s);
    if (x->op == SYM_ADD) ask_operand(w, x->a, s);
}

static void ask_all(const printer *p, wishes *w, const sym *out, int nout)
{
    for (int i = 0; i < nout; i++)
        if (out[i].g) w->node[out[i].ref >> 1] += of_ref(out[i].ref);
    for (int i = 0; i < p->size; i++)
        for (int s = p->first_store[i]; s >= 0; s = p->store[s].next) w->node[i] += p->store[s].negated ? -1 : 1;
    for (int i = p->size, v = p->vectors - 1; i >= 0; i--) {
        if (i < p->size && arne__has_statement(p, i)) ask_node(p, w, arne__sym_graph_node(p->g, i), sign(w->node[i]));
        for (; v >= 0 && arne__sym_vector_at(p->g, v)->end >= i; v--)
            if (p->computed[v]) ask_vector(p, w, v);
    }
}

/* ---- signs, from operands to results ---- */

/* of a sum or product of operands that are held with these signs; any: one of them is a number burnt in */
static bool settled(sym_op op, bool minus_a, bool minus_b, bool any, int wish)
{
    if (any) return wish < 0;
    if (op == SYM_ADD) return minus_a == minus_b ? minus_a : wish < 0;
    return minus_a != minus_b;
}

static void settle_node(printer *p, int i, int wish)
{
    const sym_node *x = arne__sym_graph_node(p->g, i);
    if (arne__is_operator(x))
        p->minus[i] =
            settled(x->op, arne__is_minus(p, x->a), arne__is_minus(p, x->b), is_fixed(p, x->a) || is_fixed(p, x->b), wish);
}

static void settle_vector(printer *p, int v, int wish)
{
    const sym_vector *x = arne__sym_vector_at(p->g, v);
    p->minus_vector[v] = settled(x->op, arne__is_minus_operand(p, x->a), arne__is_minus_operand(p, x->b),
                                 arne__is_number(p, x->a) || arne__is_number(p, x->b), wish);
    for (int l = sym_abreast - 1; l >= 0; l--)
        if (x->lane[l].g && p->by[x->lane[l].ref >> 1] == v)
            p->minus[x->lane[l].ref >> 1] = (x->lane[l].ref & 1) != p->minus_vector[v];
}

bool arne__printer_signs(printer *p, const sym *out, int nout)
{
    wishes w = {.node = calloc((size_t)p->size + (size_t)p->vectors + 1, sizeof *w.node)};
    if (!w.node) return false;
    w.vector = w.node + p->size;
    ask_all(p, &w, out, nout);
    for (int i = 0, v = 0; i <= p->size; i++) {
        for (; v < p->vectors && arne__sym_vector_at(p->g, v)->end <= i; v++)
            if (p->computed[v]) settle_vector(p, v, w.vector[v]);
        if (i < p->size && arne__has_statement(p, i)) settle_node(p, i, w.node[i]);
    }
    free(w.node);
    return true;
}
