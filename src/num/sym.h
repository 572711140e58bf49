/* SPDX-License-Identifier: MIT
 *
 * sym.h - number kind sym: a node of an expression graph.
 *
 * Running a text on sym writes down what it computes. Equal expressions are one node; zeros, ones and constants fold as they are
 * made; a sign is part of a reference, not an operation, so a - b and b - a are one node. All of that keeps the bits of the
 * double text: evaluating the graph gives the same numbers. A constant belongs to no graph; an operation takes the graph of its
 * operands, so there is no hidden state. When memory runs out the graph is marked failed and answers zeros. */
#ifndef NUM_SYM_H
#define NUM_SYM_H

#include <stdbool.h>
#include <stddef.h>

#include "num/turns.h"

typedef struct sym_graph sym_graph;

typedef struct {
    sym_graph *g; /* NULL: the constant c */
    int ref;      /* 2 node + 1 if negated */
    double c;
} sym;
typedef sym sym_par;
enum { sym_abreast = 8 };

/* What a parameter or an input stands for: numbers that mean something to whoever makes the graph and prints it. */
typedef struct {
    int row, link, index;
} sym_key;

static inline bool sym_key_same(sym_key a, sym_key b) { return a.row == b.row && a.link == b.link && a.index == b.index; }

typedef enum {
    SYM_CONST,  /* value */
    SYM_PARAM,  /* a constant with a value: work on these alone is free */
    SYM_INPUT,  /* a number that varies */
    SYM_ADD,    /* a + b */
    SYM_MUL,    /* a b */
    SYM_DIVIDE, /* a / b */
    SYM_ROOT,
    SYM_SINE, /* of a + constant quarter turns folded away */
    SYM_COSINE,
    SYM_ABSOLUTE,
    SYM_SIGN,
    SYM_LEAST,
    SYM_MOST,
    SYM_EXPO,
    SYM_POWER
} sym_op;

/* Operands are references to earlier nodes, -1: none; a of an INPUT is its number, counted from 0. An ADD or MUL has its operands
 * in order of their nodes, the first not negated. */
typedef struct {
    sym_op op;
    int a, b;
    double value; /* SYM_CONST, SYM_PARAM */
    sym_key key;  /* SYM_PARAM, SYM_INPUT: equal ones are one node */
    bool fixed;   /* depends on no input */
} sym_node;

/* Numbers side by side: a vector of sym_abreast numbers is a number too. A sum or product of vectors, or of a vector and a
 * number, makes the nodes of every lane, as if each were made alone, and remembers that they belong together: whoever writes code
 * may compute them by one operation. No other word takes vectors. */
typedef struct {
    sym_op op; /* SYM_ADD, SYM_MUL, or SYM_CONST: put together from its lanes */
    sym a, b;  /* vectors, or numbers that all lanes share */
    sym lane[sym_abreast];
    int begin, end; /* nodes of the graph before and after it was made */
    int key, next;  /* a node that it has, and an earlier vector with the same key, -1: none */
} sym_vector;

/* for sym.c; others ask the functions below */
struct sym_graph {
    sym_node *node;
    int count, room;
    int *table; /* node by its hash, -1 empty; `slots` is a power of two */
    size_t slots;
    int inputs;
    sym_vector *vector;
    int vectors, vector_room;
    int *first; /* of every node: the last vector that has it as its key, -1: none */
    bool failed;
};

sym_graph *arne__sym_graph_new(void);
void arne__sym_graph_free(sym_graph *g);
bool arne__sym_graph_failed(const sym_graph *g);
static inline int arne__sym_graph_size(const sym_graph *g) { return g->count; }
static inline const sym_node *arne__sym_graph_node(const sym_graph *g, int node) { return &g->node[node]; }
void arne__sym_graph_cut(sym_graph *g, int size); /* forgets all nodes from this one on */

sym arne__sym_input(sym_graph *g, sym_key key);
sym arne__sym_param(sym_graph *g, sym_key key, double value); /* 0, 1 and -1 become constants */
sym arne__sym_named(sym_graph *g, sym_key key, double value); /* only 0 does: for people a length of 1 m is a length */
sym arne__sym_leaf(sym_graph *g, const sym_node *leaf);       /* the constant, parameter or input of another graph */
/* the reference of a number (a constant gets a node) */
int arne__sym_ref(sym_graph *g, sym a);

/* the words that kind.h makes by pasting; sym.c defines them with the prefix of the library */
#define sym_of arne__sym_of
#define sym_con arne__sym_con
#define sym_from arne__sym_from
#define sym_add arne__sym_add
#define sym_sub arne__sym_sub
#define sym_neg arne__sym_neg
#define sym_mul arne__sym_mul
#define sym_mulc arne__sym_mulc
#define sym_divide arne__sym_divide
#define sym_root arne__sym_root
#define sym_absolute arne__sym_absolute
#define sym_sign arne__sym_sign
#define sym_least arne__sym_least
#define sym_most arne__sym_most
#define sym_expo arne__sym_expo
#define sym_power arne__sym_power
#define sym_turns arne__sym_turns

sym sym_of(double c);
sym sym_con(double c);
sym sym_from(sym a);
sym sym_add(sym a, sym b);
sym sym_sub(sym a, sym b);
sym sym_neg(sym a);
sym sym_mul(sym a, sym b);
sym sym_mulc(sym c, sym a);
sym sym_divide(sym a, sym b);
sym sym_root(sym a);
sym arne__sym_sine(sym a);
sym arne__sym_cosine(sym a);
sym sym_absolute(sym a);
sym sym_sign(sym a);
sym sym_least(sym a, double c);
sym sym_most(sym a, double c);
sym sym_expo(sym a);
sym sym_power(sym a, sym c);
sym arne__sym_side_by_side(sym_graph *g, const sym *x); /* as a vector; one number where all are the same */
sym arne__sym_lane(sym a, int lane);                    /* of a number: itself */
int arne__sym_vector_of(sym a);                         /* which vector it is, -1: none */
int arne__sym_vectors(const sym_graph *g);
const sym_vector *arne__sym_vector_at(const sym_graph *g, int i);
sym arne__sym_operate(sym_op op, sym a, sym b); /* the operation of a node on other operands; b of LEAST and MOST is a constant */
void sym_turns(const turn_table *t, const sym *q, sym *s, sym *c);

#endif
