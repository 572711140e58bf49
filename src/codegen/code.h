/* SPDX-License-Identifier: MIT
 *
 * code.h - the functions of a robot's own code, between their graphs and the files. */
#ifndef CODEGEN_CODE_H
#define CODEGEN_CODE_H

#include <stdio.h>

#include "arne/codegen.h"
#include "arne/quantity.h"
#include "codegen/print.h"
#include "codegen/reduce.h"

/* A function that can be written. `inputs`: bits of the rows from KEY_Q on, ARNE_Q and so on. */
typedef struct {
    const char *name, *output, *about;
    unsigned inputs;
    const char *texts[3]; /* by which text: the cheapest; the last with base parameters only */
    bool grouped;         /* the same from base parameters */
} function;

typedef struct {
    function fn;
    symbolic s;
    graph_count cost;
    long length;                   /* of its text, in statements */
    long alive;                    /* values, once the source is written */
    int *pattern[ARNE_MOST_PARTS]; /* with casadi: rows, columns, colind, row of each part of the result */
    int parts;                     /* of its result (casadi); that are computed apart (cuda) */
    int of;                        /* of a Jacobian: the item that it derives + 1 */
} item;

/* The robot and what is written for it. */
typedef struct {
    const arne_data *d;
    arne_codegen_options o;
    reduced base; /* with its base parameters; base.d NULL: standard ones */
    double distance;
    int nparameter; /* inertial parameters, numbers 11 i + c of regressor.h, and their values; NULL: all standard ones */
    int *parameters;
    double *values;
    item *list;
    int count;
} code;

/* an input: its bit, and where check.c has it */
typedef struct {
    const char *name;
    int bit, at; /* q, then rows of nv */
} code_input;
/* codegen.c: the function of this name that can be written */
bool arne__code_function(const char *name, function *f);

enum { CODE_INPUTS = PRINT_GROUPS };
extern const code_input arne__code_inputs[CODE_INPUTS]; /* in the order of arguments */

/* the name of the input of a bit */
const char *arne__code_input(int bit);

/* files.c: the source first, which finds out what the receipt in the header says. False: out of memory. */
bool arne__print_source(FILE *f, const code *c);
void arne__print_header(FILE *f, const code *c);
/* check.c: a program that compares the code with answers of the library. False: out of memory. */
bool arne__print_test(FILE *f, const code *c);

/* what both sorts of header have: the comment they begin with, and the array of live parameters */
void arne__print_receipt(FILE *f, const code *c);
void arne__print_live(FILE *f, const code *c);

/* cuda.c: into how many parts the function is cut. Work, as arne__print_length; -1: out of memory. */
long arne__cuda_parts(const code *c, item *it);
/* the header for a GPU. False: out of memory. */
bool arne__print_cuda(FILE *f, const code *c);
extern const char arne__cuda_words[]; /* words.cuh, '@' in the place of the name */

/* casadi.c: adds the Jacobians of items that have one */
void arne__casadi_add(code *c, int most);
/* once the graphs are there: Jacobians by the inputs of their functions; outputs column by column, without structural zeros.
 * False: out of memory. */
bool arne__casadi_shape(code *c);
void arne__casadi_print(FILE *f, const code *c);
void arne__casadi_prototypes(FILE *f, const code *c);
void arne__casadi_free(code *c);

/* live.c: puts entries of an array of parameters in the place of named constants. *usable false: the graph needs others. */
bool arne__live_parameters(symbolic *s, const code *c, bool *usable);

#endif
