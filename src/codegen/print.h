/* SPDX-License-Identifier: MIT
 *
 * print.h - an expression graph as the body of a C function. */
#ifndef CODEGEN_PRINT_H
#define CODEGEN_PRINT_H

#include <stdio.h>

#include "graph/graph.h"

enum { PRINT_GROUPS = 5 };

typedef struct {
    const char *prefix;   /* of the robot's functions */
    const char *function; /* the name without the prefix */
    const char *prototype;
    const char *group[PRINT_GROUPS]; /* names of the inputs, `n` each; NULL: the function does not take it */
    int n;
    int states; /* inputs from this number on are entries of the array `parameters` */
    bool live;  /* the function takes that array */
    int lanes;  /* 0: one state a call; else that many, entry i of lane l at i lanes + l */
    const char *output;
} print_names;

/* Writes the function. Returns the number of values alive at once, or -1: out of memory. */
long arne__print_function(FILE *f, const sym_graph *g, const sym *out, int nout, const print_names *names);

/* Vector types and the sines and cosines of them, the arithmetic of num/sincos.inc; once a file, before the functions.
 * lanes 0: for the functions of one state, as wide as serves them best on the machine the code is compiled for. */
void arne__print_lanes(FILE *f, const char *prefix, int lanes, bool turns);

/* A double that reads back exactly. */
void arne__print_number(FILE *f, double x);

#endif
