/* SPDX-License-Identifier: MIT
 *
 * polynomial.h - sums of products of atoms, with sines and cosines that know each other.
 *
 * A ring is the list of atoms; it is complete before the first polynomial is made. A cosine and its sine are a pair: products
 * are reduced by S^2 = 1 - C^2 as they are formed, so a polynomial made by arne__poly_mul and arne__poly_substitute has one form
 * only, and two are equal where their terms are. What goes wrong (memory, more terms than `most`) is remembered in the ring, as
 * in a sym_graph: later operations do nothing, and the caller asks once, at the end. */
#ifndef GRAPH_POLYNOMIAL_H
#define GRAPH_POLYNOMIAL_H

#include "num/sym.h"

typedef struct {
    sym_key key;
    int partner; /* of a cosine its sine, of a sine its cosine; -1: neither */
    bool sine;
    int role, rank; /* for the owner of the ring */
} poly_atom;

typedef enum { POLY_FINE, POLY_TOO_LONG, POLY_NO_MEMORY } poly_state;

typedef struct {
    poly_atom *atom;
    int count, room;
    int most; /* terms of one polynomial */
    poly_state state;
} poly_ring;

void arne__poly_ring_free(poly_ring *r);
/* The number of the new atom; of a pair the cosine's, the sine is the next. A failed ring answers 0. */
int arne__poly_ring_add(poly_ring *r, sym_key key);
int arne__poly_ring_pair(poly_ring *r, sym_key cosine, sym_key sine);

typedef struct {
    poly_ring *ring;
    int count, room;
    double *coefficient;
    unsigned char *power; /* count rows, one entry an atom */
    int *table;           /* term by its hash, -1 empty */
    size_t slots;
} poly;

poly arne__poly_zero(poly_ring *r);
poly arne__poly_constant(poly_ring *r, double c);
poly arne__poly_of(poly_ring *r, int atom);
void arne__poly_free(poly *p);
const unsigned char *arne__poly_power(const poly *p, int term);

/* p += ... A coefficient that cancels leaves no term. */
void arne__poly_add_term(poly *p, double c, const unsigned char *power); /* as it stands */
void arne__poly_add(poly *p, double c, const poly *a);
void arne__poly_mul(poly *p, double c, const poly *a, const poly *b); /* c a b, reduced */
/* a with value[k] in the place of atom k, wherever that is not NULL; reduced */
void arne__poly_substitute(poly *p, const poly *a, const poly *const *value);
/* a with the squares of one cosine written as 1 - S^2: the other form, for people */
void arne__poly_by_sines(poly *p, const poly *a, int cosine);

/* Terms in the order of their powers: the first atom first, its highest power first. */
void arne__poly_sort(poly *p);
/* Same terms, coefficients within `tolerance` of the larger one. */
bool arne__poly_equal(const poly *a, const poly *b, double tolerance);
double arne__poly_value(const poly *p, const double *atom);

#endif
