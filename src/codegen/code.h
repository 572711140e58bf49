/* SPDX-License-Identifier: MIT
 *
 * code.h - the functions of a robot's own code, between their graphs and the files. */
#ifndef CODEGEN_CODE_H
#define CODEGEN_CODE_H

#include <stdio.h>

#include "arne/codegen.h"
#include "codegen/print.h"
#include "kind/symbolic.h"

/* A function that can be written. `inputs`: how many of q, qd and the third it takes, and qa; 5: q ... qdddd. */
typedef struct {
    const char *name, *third, *output, *about;
    int inputs;
    const char *texts[3]; /* by which text: the cheapest; the last with base parameters only */
    bool grouped;         /* the same from base parameters */
} function;

typedef struct {
    const function *fn;
    symbolic s;
    graph_count cost;
    long alive; /* values, once the source is written */
} item;

/* The robot and what is written for it. */
typedef struct {
    arne_data *d;
    const arne_codegen_options *o;
    item *list;
    int count;
} code;

/* files.c: the source first, which finds out what the receipt in the header says. False: out of memory. */
bool arne__print_source(FILE *f, const code *c);
void arne__print_header(FILE *f, const code *c);
/* check.c: a program that compares the code with answers of the library. False: out of memory. */
bool arne__print_test(FILE *f, const code *c);

/* live.c: puts entries of an array of parameters in the place of named constants. *usable false: the graph needs others. */
bool arne__live_parameters(symbolic *s, int dof, const arne_codegen_options *o, bool *usable);

#endif
