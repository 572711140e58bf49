/* SPDX-License-Identifier: MIT
 *
 * expand.h - outputs of a graph as polynomials in parameters, inputs, sines and cosines.
 *
 * Joints whose axes are parallel turn about one direction, so sines and cosines of their sums are the natural atoms: with
 * phi_j = q_2 + q_3 + ... + q_j along such a chain, S3 and C3 are written by C3 = C23 C2 + S23 S2, S3 = S23 C2 - C23 S2. In
 * these atoms and with S^2 = 1 - C^2 the form is unique. The sines of the other sums and differences, S3 among them, are atoms
 * of the ring too: closed_form.c goes back to them where that is shorter. */
#ifndef GRAPH_EXPAND_H
#define GRAPH_EXPAND_H

#include "graph/polynomial.h"
#include "num/sym.h"

/* roles of atoms, in the order in which they lead a term */
enum {
    ROLE_KEY,     /* velocities, accelerations, gravity: what a sum is grouped by */
    ROLE_INERTIA, /* inertial parameters [003 eq. 9.13] */
    ROLE_LENGTH,  /* other parameters, variables of prismatic joints */
    ROLE_TURN     /* sines and cosines */
};

/* What a parameter or an input is to a reader. Of a sine or cosine of a constant angle: the key of the other. */
typedef struct {
    int role, rank; /* rank: order in its role */
    bool sine, cosine;
    sym_key mate;
} expand_atom;
typedef expand_atom expand_reader(sym_key key);

/* The joints: inputs 0 ... joints-1 of the graph are their variables. */
typedef struct {
    int joints;
    const int *before;   /* the joint before this one whose axis is always parallel to its own, -1: none */
    const int *sense;    /* 1: in the same direction, -1: in the opposite one */
    expand_reader *read; /* NULL: all is ROLE_LENGTH */
} graph_axes;

/* phi_to - phi_from for two joints of a chain (or one and nothing), times its sign: the first joint comes with a plus. */
typedef struct {
    int from, to; /* joints; from -1: phi_to itself */
    int sign;
    int cosine;         /* atom; its sine is the next */
    signed char *turns; /* 1, 0 or -1 for each joint */
} expand_angle;

typedef struct {
    poly_ring ring;
    graph_axes axes; /* chains of the joints that turn something */
    int *before;
    int angles;
    expand_angle *angle;
    double *scale, *offset; /* the sine of joint j is that of scale q + offset; scale 0: there is none */
    int nout;
    poly *out; /* sorted */
} expansion;

/* False: ring.state says why. A graph with divisions or roots is not a polynomial: POLY_TOO_LONG. */
bool arne__expand(const sym_graph *g, const sym *out, int n, const graph_axes *axes, int most, expansion *e);
void arne__expand_free(expansion *e);

const expand_angle *arne__expand_find(const expansion *e, int from, int to, int *sign); /* NULL: no atom for this difference */
int arne__expand_root(const graph_axes *axes, int joint);                               /* the first joint of its chain */

/* The joint number, scale and offset of the angle at a node; false: it is none. */
bool arne__expand_turn(const sym_graph *g, int node, int *joint, double *scale, double *offset);

#endif
