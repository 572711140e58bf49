/* SPDX-License-Identifier: MIT
 *
 * print.h - an expression graph as the body of a C function. */
#ifndef CODEGEN_PRINT_H
#define CODEGEN_PRINT_H

#include <stdio.h>

#include "graph/graph.h"
#include "symbolic/symbolic.h"

enum { PRINT_GROUPS = KEY_QDDDD - KEY_Q + 1 };

typedef struct {
    const char *prefix;   /* of the robot's functions */
    const char *function; /* the name without the prefix */
    const char *prototype;
    const char *group[PRINT_GROUPS]; /* names of the inputs by their rows from KEY_Q on; NULL: the function does not take it */
    bool live;                       /* it takes the array `parameters`: inputs of the row KEY_LIVE */
    int lanes;                       /* 0: one state a call; else that many, entry i of lane l at i lanes + l */
    bool single;                     /* float instead of double */
    const char *output;
} print_names;

/* Writes the function. Returns the number of values alive at once, or -1: out of memory. */
long arne__print_function(FILE *f, const sym_graph *g, const sym *out, int nout, const print_names *names);

/* How long it takes, in statements; -1: out of memory. */
long arne__print_length(const sym_graph *g, const sym *out, int nout);

/* Vector types and the sines and cosines of them, the arithmetic of num/sincos.inc; once a file, before the functions.
 * lanes 0: for the functions of one state, as wide as serves them best on the machine the code is compiled for. */
void arne__print_lanes(FILE *f, const char *prefix, int lanes, bool turns, bool single);

/* What functions of one state need for numbers side by side (num/sym.h); once a file, before them. */
void arne__print_side_by_side(FILE *f, const char *prefix, bool single);

/* A number that reads back exactly; single: the float next to it, with an f. */
void arne__print_number(FILE *f, double x, bool single);

#endif
