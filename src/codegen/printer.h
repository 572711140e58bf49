/* SPDX-License-Identifier: MIT
 *
 * printer.h - a function on its way from a graph to C: what is computed where, by which statement. */
#ifndef CODEGEN_PRINTER_H
#define CODEGEN_PRINTER_H

#include "codegen/print.h"

enum { PIECE = 800, WHOLE = 4000 }; /* statements of a piece, and of the longest function in one piece */

/* A lane of a row that is put together from values: where its value is to be written as soon as it is there. */
typedef struct {
    int vector, lane, negated, next; /* next: of the same value, -1: none */
} lane_store;

typedef struct {
    const sym_graph *g;
    const print_names *names;
    bool side_by_side; /* with vectors */
    int size;          /* of the graph */
    bool *live;
    bool *uniform; /* the same in all lanes: made of numbers and parameters */
    double *value; /* of nodes that depend on no input */
    int *angle;    /* of sines and cosines: its number */
    int *last;     /* the last node that reads this one */
    bool *early;   /* an angle needs it: stands before the sines and cosines */
    int angles;
    int *piece; /* in which a statement stands; 0: the function itself */
    int *slot;  /* in w, -1: nobody else needs it */
    int pieces, slots;
    int now;     /* the piece that is being printed */
    bool *minus; /* what is held is the node's negative (signs.c) */
    bool *spare; /* nobody reads its statement (vectors.c) */

    /* vectors.c: vectors of the graph, none where the function takes several states */
    int vectors;
    bool *computed;     /* by one operation of its own; else by its lanes, if anybody needs it */
    bool *minus_vector; /* its negative is */
    bool *needed;       /* a row of values for others to compute with */
    int *by;            /* of a node: the vector that computes it, -1: a statement of its own */
    int *row;           /* of a vector: in v, -1: only vectors of the same piece read it */
    int *vector_piece;  /* in which it is computed */
    int *begins, *ends; /* when a row is first written and last read, in nodes */
    int *reads;         /* of its lanes, one by one, by sums and other rows */
    bool *begun;        /* constants of a row are written */
    lane_store *store;  /* 8 a vector */
    int *first_store;   /* of a node, -1: none */
    int rows, stores;
} printer;

/* print.c: a printer of these results, side_by_side with vectors. False: out of memory; it is to be closed all the same. */
bool arne__printer_open(printer *p, const sym_graph *g, const sym *out, int nout, const print_names *names, bool side_by_side);
void arne__printer_close(printer *p);

/* the node has a statement of its own */
bool arne__has_statement(const printer *p, int i);
/* an operation of the run-time program; sines and cosines too */
bool arne__works(const printer *p, int i);
bool arne__is_turn(const sym_node *x);
bool arne__is_operator(const sym_node *x); /* + * / */

void arne__print_node(FILE *f, const printer *p, int i);                 /* name or number, as it is held */
void arne__print_operand(FILE *f, const printer *p, int ref, bool lane); /* with its sign; lane: one entry of a vector */
void arne__print_value(FILE *f, const printer *p, sym y);

/* statements.c: values of what is fixed, numbers of the angles, readers of every node; then pieces, and places for what they
 * leave to others. False: out of memory. */
bool arne__printer_prepare(printer *p, const sym *out, int nout);
bool arne__printer_cut(printer *p);
/* the most values that are computed and still needed, angles, sines and cosines among them */
long arne__values_alive(const printer *p);

/* signs.c, once the vectors are chosen: signs of what is held. False: out of memory. Then: a reference, or an operand of a vector
 * that is no number, asks for the negative of what is held. */
bool arne__printer_signs(printer *p, const sym *out, int nout);
bool arne__is_minus(const printer *p, int ref);
bool arne__is_minus_operand(const printer *p, sym a);
bool arne__is_number(const printer *p, sym a); /* an operand of a vector, burnt in */

/* vectors.c. Which vectors are computed by an operation of their own; after the pieces are known, their places. False: out of
 * memory. */
bool arne__printer_vectors_choose(printer *p, const sym *out, int nout);
bool arne__printer_vectors_place(printer *p);
void arne__printer_vectors_free(printer *p);
/* Those that are computed just before node i, or of the piece that is printed, and the rows they fill. */
int arne__print_vectors(FILE *f, printer *p, int from, int i);
/* the rows that a value belongs to */
void arne__print_stores(FILE *f, printer *p, int i);
/* where the value of a node stands that a vector computes */
void arne__print_lane(FILE *f, const printer *p, int i);

#endif
