/* SPDX-License-Identifier: MIT
 *
 * flex.h - what the files of this folder share: a robot with elastic joints, one thread's memory. */
#ifndef ELASTIC_FLEX_H
#define ELASTIC_FLEX_H

#include "algo/ejnea.h"
#include "arne/elastic.h"
#include "base/arena.h"
#include "model/model.h"

/* phi(x, t) + damping x' of one joint: a polynomial of the file, or a stiffness that somebody moves */
typedef struct {
    double k[3], damping; /* k1 x + k3 x^3 + k5 x^5 */
    double dk, ddk;       /* derivatives of k1 in time */
} joint_spring;

/* rotor and friction of a motor behind its gear */
typedef struct {
    double inertia, viscous, coulomb;
} joint_motor;

struct arne_flex {
    arena *memory;
    const arne_model *model;
    int n;     /* velocities */
    int loose; /* of these of joints of several freedoms, which have no motor and no spring */
    int *at;   /* n: their positions; -1: loose */
    arne_data *links;
    void *series;  /* of the Taylor kind */
    robot *pushed; /* the links with one wrench, or none */
    ejnea_state *state;
    joint_spring *spring; /* n: now */
    joint_motor *motor;   /* n */
    double *rotors, *stiffness;
    arne_wrench *rates;                     /* 2 x as many as there may be */
    const arne_wrench *rate, *acceleration; /* in them; NULL: zero */
    double *q;                              /* 7 x n */
    double *tau;                            /* 5 x n: tau_e and its derivatives */
    double *rub;                            /* 5 x n: friction and its derivatives */
    double *x;                              /* 3 x n: deflections and their derivatives */
    double *mass, *row, *ask;               /* n x n, n, n */
};

/* ---- spring.c: one joint ---- */

/* phi and its derivative by x */
double arne__spring_torque(const joint_spring *s, double x, double *slope);
double arne__spring_energy(const joint_spring *s, double x);
/* Deflection and its first two derivatives from the torque and its own: x, tau of 3. Without damping exact; with it the third
 * derivative of x is taken as zero and phi(x) + damping x' = tau holds exactly (doc/elastic.md). */
void arne__spring_solve(const joint_spring *s, const double tau[3], double x[3]);
/* derivative of phi(x, t) in time */
double arne__spring_rate(const joint_spring *s, double x, double xd);

/* ---- inverse.c ---- */

double arne__flex_motor_friction(const arne_flex *f, int i, double thetad);
/* friction of the links and its derivatives added to tau: rows x n; qd: rows x n */
void arne__flex_link_friction(arne_flex *f, const double *qd, int rows, double *tau);

#endif
