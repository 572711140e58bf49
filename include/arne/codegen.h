/* SPDX-License-Identifier: MIT
 *
 * codegen.h - C code written for one robot: straight lines, its constants burnt in, nothing but libm needed. */
#ifndef ARNE_CODEGEN_H
#define ARNE_CODEGEN_H

#include "arne/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *name;         /* prefix of every function: a C identifier */
    const char *what;         /* id,fd,... : see arne_codegen_name */
    int link;                 /* of pose and jacobian */
    const arne_data *reduced; /* the same robot with base parameters, for everything but energy and regressor; NULL: none */
    const int *lean;          /* with reduced: as in arne_count_options */
    const char *source;       /* where the robot comes from, for the receipt; NULL: not said */
    /* the inertial parameters of the code, nparameter numbers 11 i + c of regressor.h, for the receipt; NULL: all standard ones
     */
    int nparameter;
    const int *parameters;
    bool live;            /* they are an argument of every function, all others are zero; reduced and lean are not used */
    const double *values; /* of the parameters, with live: the array NAME_parameters */
    int lanes;            /* 2, 4, 8: also functions NAME_..._xN of that many states; 0: none */
} arne_codegen_options;

/* The name of the i-th function that can be written and its parameters, NULL after the last. */
const char *arne_codegen_name(int i);
const char *arne_codegen_about(int i);

/* The texts of NAME.c, NAME.h and NAME_test.c (a program that checks the code against answers of this library), from malloc.
 * Friction and rotors are those of d: arne_set_rigid leaves them out. The parameters of d are changed meanwhile and put back.
 * ARNE_BAD_VALUE: a name that is none, an unknown function, a singular inertia matrix for fd, energy from live base
 * parameters. */
arne_status arne_codegen(arne_data *d, const arne_codegen_options *options, char **source, char **header, char **test,
                         arne_error *error);

#ifdef __cplusplus
}
#endif
#endif
