/* SPDX-License-Identifier: MIT
 *
 * codegen.h - C code written for one robot: straight lines, its constants burnt in, nothing but libm needed. Library
 * arne_codegen. */
#ifndef ARNE_CODEGEN_H
#define ARNE_CODEGEN_H

#include "arne/identify.h"
#include "arne/quantity.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* Results that straight lines are written for; forward dynamics counts as its inertia matrix. Above: minutes and gigabytes. */
enum { ARNE_CODE_MOST_RESULTS = 40000 };

typedef struct {
    size_t size;        /* sizeof of this struct */
    const char *name;   /* prefix of every function: a C identifier */
    const char *what;   /* id,fd,... : see arne_codegen_name */
    int link;           /* of pose, velocity, jacobian */
    bool standard;      /* standard inertial parameters: the bits of arne_compute; else base parameters, fewer operations */
    bool live;          /* inertial parameters are an argument of every function, the array NAME_parameters those of d */
    bool single;        /* float in the place of double, throughout */
    int lanes;          /* also functions NAME_..._xN of N states: 2, 4 or 8, of floats 4, 8 or 16; 0: none */
    const char *source; /* where the robot comes from, for the receipt; NULL: not said */
    bool cuda;          /* a header for GPUs, NAME.cuh, in the place of source and header: templates for double and float */
    bool casadi;        /* functions that CasADi's `external` loads, with Jacobians; doubles, one state, no live parameters */
} arne_codegen_options;

/* What was written, all of it from malloc. */
typedef struct {
    char *source, *header, *test; /* NAME.c, NAME.h, and NAME_test.c: a program that checks the code against this library
                                     (NULL with casadi); with cuda NULL, NAME.cuh, NAME_test.cu */
    int nparameter;               /* with live: how many, and how they follow from standard ones, NULL: they are these */
    arne_base *base;
    bool standard;   /* it has standard parameters: asked for, or base ones would cost digits */
    double distance; /* of torques by base parameters, beside the largest; 0 where they were not asked for */
} arne_code;

/* The name of the i-th function that can be written and its parameters, NULL after the last. */
const char *arne_codegen_name(int i);
const char *arne_codegen_about(int i);

/* Friction, rotors and payloads are those of d: arne_set_rigid leaves the first two out. ARNE_BAD_ARGUMENT: a null pointer, a
 * size that is not set; ARNE_BAD_VALUE: a name that is none, an unknown function or link, a number of lanes that is none, a
 * singular inertia matrix for fd, energy from live base parameters; ARNE_UNSUPPORTED: more than ARNE_CODE_MOST_RESULTS, base
 * parameters of more than ARNE_BASE_MOST_JOINTS (identify.h). */
arne_status arne_codegen(const arne_data *d, const arne_codegen_options *options, arne_code **out, arne_error *error);
void arne_code_free(arne_code *c);

/* ---- the same, compiled and loaded: many states, faster than arne_batch ---- */

typedef struct arne_loaded arne_loaded;

/* One function of arne_codegen_name with standard parameters, without wrenches: those of d are not in it. Written, compiled by
 * $CC or cc where that was not done before, kept in $XDG_CACHE_HOME/arne or ~/.cache/arne, loaded. Several programs may do so at
 * once; a file that was cut or damaged is made anew. ARNE_CANNOT_WRITE: no compiler, or one that fails, or no folder that the
 * user alone may write to; else as arne_codegen. */
arne_status arne_code_load(const arne_data *d, const char *what, int link, arne_loaded **out, arne_error *error);
/* `count` states one after the other, as arne_batch takes them; any number of threads at once. id, mass, bias,
 * gravity and momentum are the numbers of arne_batch, others differ by rounding. It cannot fail: a singular inertia matrix gives
 * what is no number. */
void arne_code_run(const arne_loaded *c, size_t count, const arne_state *x, double *out);
void arne_loaded_free(arne_loaded *c);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
