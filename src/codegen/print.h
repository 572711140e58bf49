/* SPDX-License-Identifier: MIT
 *
 * print.h - an expression graph as the body of a C function. */
#ifndef CODEGEN_PRINT_H
#define CODEGEN_PRINT_H

#include <stdio.h>

#include "graph/graph.h"

enum { PRINT_GROUPS = 4 };

typedef struct {
    const char *prefix;              /* of the robot's functions */
    const char *group[PRINT_GROUPS]; /* names of the inputs, `n` each; NULL: the function does not take it */
    int n;
    const char *output;
} print_names;

/* Writes the statements between the braces. Returns the number of values alive at once, or -1: out of memory. */
long print_body(FILE *f, const sym_graph *g, const sym *out, int nout, const print_names *names);

/* Sines and cosines of up to eight angles a pass, the arithmetic of num/sincos.inc; once a file, before the functions. */
void print_sincos(FILE *f, const char *prefix);

/* A double that reads back exactly. */
void print_number(FILE *f, double x);

#endif
