/* SPDX-License-Identifier: MIT
 *
 * robot.h - the robot every text reads: integers and constants of the current kind, no functions.
 *
 * Link i hangs on joint i, parent[i] < i. Its frame is a modified-DH frame: from the parent frame Rz(gamma) Rx(alpha) and the
 * offset p, then Rz(theta), then the motion about z (revolute) or along z (prismatic). All inertias are about the link origin in
 * link axes: mass M, first moments MS, inertia J, the standard parameters of [003 eq. 9.3, 9.13]. */
#ifndef MODEL_ROBOT_H
#define MODEL_ROBOT_H

#include "num/kind.h"
#include "num/turns.h"
#include "arne/dynamics.h"

enum { REVOLUTE, PRISMATIC };
enum { LAW_NONE, LAW_COULOMB, LAW_STRIBECK, LAW_POINTS }; /* friction laws */

/* The integers come first and the constants last and without gaps: kinds whose constants are not doubles copy them in one loop.
 */
typedef struct {
    int parent; /* -1: the base */
    int joint;  /* REVOLUTE or PRISMATIC */
    int branch; /* gamma is not zero */
    int base;   /* parent -1: index into robot.base */
    int law;    /* friction law */
    int npoint; /* LAW_POINTS */
    const double (*point)[2];
    par ca, sa; /* alpha */
    par cg, sg; /* gamma */
    par p[3];
    par M, MS[3], J[6]; /* J: xx xy xz yy yz zz */
    par JD[3];          /* zz - yy, xx - zz, yy - xx */
    par MC;             /* MS.MS/M: mass times the square of the distance of its centre */
    par Ia;             /* rotor inertia at the joint [003 eq. 9.29] */
    par fv, fc;         /* viscous, Coulomb [003 eq. 9.27] */
    par fs, vs, ex;     /* static minus Coulomb, 1/Stribeck velocity, exponent [003 eq. 9.26] */
} link;

/* A link that stands on the base: its frame before the joint turns, in the axes of the base. */
typedef struct {
    par R[9], p[3];
    par a0[3]; /* -g in this frame: the base seems to accelerate upwards [003 eq. 9.80] */
} base_frame;

/* A named link of the file: its frame in the frame of body `body` (-1: the base, pose in the world). */
typedef struct {
    int body;
    par R[9], p[3];
} named_frame;

typedef struct {
    int n;
    const link *link;
    const base_frame *base;
    const named_frame *frame;
    int nwrench;               /* -1: work->force and work->moment are given */
    const arne_wrench *wrench; /* `link` is an index into frame */
    int friction, rotors;      /* switches */
    par g[3];
    /* coupled transmission dq = J dq_m [003 eq. 9.31], NULL if every motor drives its own joint; n x n, row major */
    const par *drive;    /* dq_m/dq = J^-1 */
    const par *rotor;    /* rotor inertia at the joints, J^-T diag(Ia) J^-1 */
    const par *motor_fv; /* n: friction of the motors on dq_m */
    const par *motor_fc;
    const int *chain; /* n: parents for the factorization; the joint before where motors couple joints */
    const turn_table *turns;
} robot;

#endif
