/* SPDX-License-Identifier: MIT
 *
 * listing.c - a graph as a program for people: k1, k2, ... made of constants of the robot, t1, t2, ... step by step, then the
 * results. What is used once is written where it is used, as long as the line stays short. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "graph/closed_form.h"
#include "graph/graph.h"

enum { LONGEST = 6 }; /* symbols in an expression that gets no name of its own */

typedef struct {
    const sym_graph *g;
    text_buffer *t;
    const graph_style *style;
    bool *live, *result;
    int *uses;
    int *size;   /* symbols when written out; 1: a name */
    int *number; /* of its t or k, 0: none */
    bool ok;
} lister;

static bool is_sum(const lister *l, int ref)
{
    return arne__sym_graph_node(l->g, ref >> 1)->op == SYM_ADD && !l->number[ref >> 1];
}

static void print_number(lister *l, const char *letters, int number)
{
    graph_name name = {0};
    snprintf(name.letters, sizeof name.letters, "%s", letters);
    snprintf(name.index, sizeof name.index, "%d", number);
    arne__print_name(l->t, &name, 1, l->style->latex);
}

static void print_turn_name(lister *l, const sym_node *x)
{
    int joint;
    double scale, offset;
    if (!arne__expand_turn(l->g, x->a >> 1, &joint, &scale, &offset)) l->ok = false;
    print_number(l, x->op == SYM_SINE ? "S" : "C", l->ok ? joint + 1 : 0);
}

static void print_node(lister *l, int node, bool top);

static void print_factor(lister *l, int ref)
{
    const bool bracket = is_sum(l, ref);
    if (bracket) arne__text_add(l->t, "(");
    print_node(l, ref >> 1, false);
    if (bracket) arne__text_add(l->t, ")");
}

/* a sum without inner brackets: a - (b - c) is a - b + c */
static void print_terms(lister *l, int ref, bool first)
{
    if (is_sum(l, ref)) {
        const sym_node *x = arne__sym_graph_node(l->g, ref >> 1);
        print_terms(l, x->a ^ (ref & 1), first);
        print_terms(l, x->b ^ (ref & 1), false);
        return;
    }
    arne__text_add(l->t, first ? (ref & 1 ? "-" : "") : ref & 1 ? " - " : " + ");
    print_node(l, ref >> 1, false);
}

static void print_node(lister *l, int node, bool top)
{
    const sym_node *x = arne__sym_graph_node(l->g, node);
    graph_name name = {0};
    if (l->number[node] && !top) {
        print_number(l, x->fixed ? "k" : "t", l->number[node]);
        return;
    }
    switch (x->op) {
    case SYM_CONST: arne__text_number(l->t, x->value); break;
    case SYM_PARAM:
    case SYM_INPUT:
        l->style->name(l->style->context, x->key, l->style->latex, &name);
        arne__print_name(l->t, &name, 1, l->style->latex);
        break;
    case SYM_SINE:
    case SYM_COSINE: print_turn_name(l, x); break;
    case SYM_ADD:
        print_terms(l, x->a, true);
        print_terms(l, x->b, false);
        break;
    case SYM_MUL:
        print_factor(l, x->a);
        arne__text_add(l->t, l->style->latex ? "\\, " : " ");
        print_factor(l, x->b);
        break;
    default: l->ok = false; break;
    }
}

static void begin(lister *l) { arne__text_add(l->t, l->style->latex ? "  " : ""); }
static void equals(lister *l) { arne__text_add(l->t, l->style->latex ? " &= " : " = "); }
static void end(lister *l) { arne__text_add(l->t, l->style->latex ? " \\\\\n" : "\n"); }

static void print_turns(lister *l)
{
    for (int i = 0; i < arne__sym_graph_size(l->g); i++) {
        const sym_node *x = arne__sym_graph_node(l->g, i);
        if (!l->live[i] || (x->op != SYM_SINE && x->op != SYM_COSINE)) continue;
        int joint;
        double scale, offset;
        if (!arne__expand_turn(l->g, x->a >> 1, &joint, &scale, &offset)) {
            l->ok = false;
            return;
        }
        begin(l);
        print_turn_name(l, x);
        equals(l);
        arne__text_add(l->t, "%s%s(%s", l->style->latex ? "\\" : "", x->op == SYM_SINE ? "sin" : "cos", scale < 0 ? "-" : "");
        arne__text_add(l->t, l->style->latex ? "q_{%d}" : "q%d", joint + 1);
        if (offset != 0) arne__text_add(l->t, offset < 0 ? " - " : " + "), arne__text_number(l->t, fabs(offset));
        arne__text_add(l->t, ")");
        end(l);
    }
}

/* which nodes get a name: those used more than once, and those too long for the line of their user; a result has one already */
static void give_numbers(lister *l, const sym *out, int n, int *next)
{
    const int size = arne__sym_graph_size(l->g);
    int constants = next[0], steps = next[1];
    for (int i = 0; i < n; i++)
        if (out[i].g) l->uses[out[i].ref >> 1]++, l->result[out[i].ref >> 1] = true;
    for (int i = 0; i < size; i++) {
        const sym_node *x = arne__sym_graph_node(l->g, i);
        if (!l->live[i] || x->op <= SYM_INPUT || x->op == SYM_SINE || x->op == SYM_COSINE) continue;
        l->uses[x->a >> 1]++;
        if (x->b >= 0) l->uses[x->b >> 1]++;
    }
    for (int i = 0; i < size; i++) {
        const sym_node *x = arne__sym_graph_node(l->g, i);
        l->size[i] = 1;
        /* a node without uses is the argument of a sine */
        if (!l->live[i] || !l->uses[i] || x->op <= SYM_INPUT || x->op == SYM_SINE || x->op == SYM_COSINE) continue;
        const int symbols = l->size[x->a >> 1] + (x->b >= 0 ? l->size[x->b >> 1] : 0);
        if (l->uses[i] == 1 && (symbols <= LONGEST || l->result[i]))
            l->size[i] = symbols;
        else
            l->number[i] = x->fixed ? ++constants : ++steps;
    }
    next[0] = constants;
    next[1] = steps;
}

static void print_lines(lister *l, bool fixed)
{
    for (int i = 0; i < arne__sym_graph_size(l->g); i++) {
        const sym_node *x = arne__sym_graph_node(l->g, i);
        if (!l->number[i] || x->fixed != fixed) continue;
        begin(l);
        print_node(l, i, false);
        equals(l);
        print_node(l, i, true);
        end(l);
    }
}

bool arne__print_listing(text_buffer *t, const sym_graph *g, const sym *out, int n, const char *const *label,
                         const graph_style *style, int next[2])
{
    const size_t size = (size_t)arne__sym_graph_size(g) + 1;
    lister l = {.g = g, .t = t, .style = style, .ok = true};
    l.live = calloc(2 * size, sizeof *l.live);
    l.uses = calloc(3 * size, sizeof *l.uses);
    const bool memory = l.live && l.uses;
    if (memory) {
        l.result = l.live + size;
        l.size = l.uses + size;
        l.number = l.size + size;
        arne__graph_live(g, out, n, l.live);
        give_numbers(&l, out, n, next);
        print_turns(&l);
        print_lines(&l, true);
        print_lines(&l, false);
        for (int i = 0; i < n; i++) {
            arne__text_add(t, style->latex ? "  %s &= " : "%s = ", label[i]);
            if (out[i].g)
                print_terms(&l, out[i].ref, true);
            else
                arne__text_number(t, out[i].c);
            end(&l);
        }
    }
    free(l.live);
    free(l.uses);
    return memory && l.ok;
}
