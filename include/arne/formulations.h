/* SPDX-License-Identifier: MIT
 *
 * formulations.h - one robot's inverse dynamics in many ways, for teaching, comparing and checking; arne_id is the fast one.
 *
 * All give the torques of arne_id, with the settings of the data object, which must be prepared (ARNE_FORMS). */
#ifndef ARNE_FORMULATIONS_H
#define ARNE_FORMULATIONS_H

#include "arne/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* X(enumerator, name on the command line, what it is) */
#define ARNE_FORMULATIONS(X)                                                                                                     \
    X(ARNE_NE, "ne", "recursive Newton-Euler, linear in the standard parameters [003 9.5.3]")                                    \
    X(ARNE_TURNEY, "turney", "modified Newton-Euler: one acceleration matrix per link [004 section 7]")                          \
    X(ARNE_LAGRANGE, "lagrange", "Lagrange with pose matrices, order n^3 [004 eq. 3.1]")                                         \
    X(ARNE_RECURSIVE_LAGRANGE, "recursive-lagrange", "recursive Lagrange, rotation matrices from link to link [004 eq. 3.2]")    \
    X(ARNE_NEWTON_EULER, "newton-euler", "Newton-Euler about the mass centres [004 eq. 3.7]")                                    \
    X(ARNE_GIBBS_APPELL, "gibbs-appell", "Gibbs-Appell, base axes [004 eq. 3.14]")                                               \
    X(ARNE_CHRISTOFFEL, "christoffel", "Lagrange with inertia matrix and Christoffel symbols [003 eq. 9.7]")                     \
    X(ARNE_MRNEA, "mrnea", "modified recursive Newton-Euler: inertia matrix and bias in one pass [001]")                         \
    X(ARNE_MRNEA_LITERAL, "mrnea-literal", "the same as printed: every vector b_ikj and d_ikj, order n^3 [001 eq. 5-36]")

#define ARNE_FORMULATION_ENUM(id, name, about) id,
typedef enum { ARNE_FORMULATIONS(ARNE_FORMULATION_ENUM) ARNE_FORMULATION_COUNT } arne_formulation;
#undef ARNE_FORMULATION_ENUM

const char *arne_formulation_name(arne_formulation method);
const char *arne_formulation_about(arne_formulation method);
int arne_formulation_find(const char *name); /* -1: no such formulation */
/* NULL, or in one sentence why it is for robots whose joints have one freedom each; for others it is ARNE_UNSUPPORTED. */
const char *arne_formulation_narrow(arne_formulation method);

/* arne_id by another way */
arne_status arne_forms_id(arne_data *d, arne_formulation method, const double *q, const double *qd, const double *qdd,
                          double *tau);
/* arne_mass and arne_bias in one pass: tau = H qdd + u */
arne_status arne_forms_mrnea(arne_data *d, const double *q, const double *qd, double *H, double *u);

/* arne_fd by other ways: the inertia matrix and the bias, by mRNEA in one pass or column by column with the formulation `method`
 * (ARNE_NE: the first method of Walker and Orin, [003 eq. 9.97]), then its factorization. Returns as arne_fd. */
arne_status arne_forms_fd(arne_data *d, arne_formulation method, const double *q, const double *qd, const double *tau,
                          double *qdd);

/* Strobing [004 section 8]: arne_mass from dof runs of the modified Newton-Euler set, and the arrays (dof x dof x dof, C[i][j][k]
 * symmetric in j and k) with sum over j, k of C_ijk qd_j qd_k = arne_coriolis_vector. */
arne_status arne_forms_strobe_mass(arne_data *d, const double *q, double *M);
arne_status arne_forms_strobe_coriolis(arne_data *d, const double *q, double *C);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
