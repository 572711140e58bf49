/* SPDX-License-Identifier: MIT
 *
 * plain.h - dynamics the slow way, straight from the description: the judge of the library's numbers.
 *
 * Everything is in world axes and long double. Poses by multiplying transforms; velocities and accelerations link by link; Newton
 * and Euler at each centre of mass; joint torques by virtual work with explicit Jacobians, tau = sum over links of Jv' m (a_c -
 * g) + Jw' (I wd + w x I w). Nothing is shared with the library but the description. No friction, no motors. Links and joints are
 * numbered as in a model: depth first, in file order. */
#ifndef SUPPORT_PLAIN_H
#define SUPPORT_PLAIN_H

#include "arne/dynamics.h"

/* A link in the world. */
typedef struct {
    const arne_body *body;
    const arne_joint_description *joint; /* that carries it, NULL: root */
    int parent;                          /* link */
    int mover;                           /* number of its joint, -1: fixed or root */
    int iq, iv, nv;                      /* its first position and velocity, velocities */
    int nearest;                         /* nearest moving joint at or above it, -1: part of the base */
    long double R[9], p[3];
    long double w[3], v[3], wd[3], a[3]; /* of its origin */
    long double axis[3], on_axis[3];     /* of its joint: direction, and a point on it */
    long double c[3], ac[3], I[9];       /* centre of mass, its acceleration, inertia about it */
} plain_link;

typedef struct {
    int n, nq, nv, nlink; /* joints that move; positions, velocities; links */
    plain_link *link;
    int *joint_link; /* n: the link each joint moves */
} plain;

plain *plain_new(const arne_description *d); /* d must stay */
void plain_free(plain *p);

/* Sets the state that all functions below speak of. */
void plain_move(plain *p, const double *q, const double *qd, const double *qdd);

void plain_torque(const plain *p, const double g[3], double *tau);
void plain_mass(const plain *p, double *M);                                               /* sum of m Jv'Jv + Jw'I Jw */
void plain_gravity(const plain *p, const double g[3], double *tau);                       /* -sum of Jv'm g */
void plain_energy(const plain *p, const double g[3], double *kinetic, double *potential); /* of the links that move */
void plain_pose(const plain *p, int link, arne_pose *pose);
void plain_velocity(const plain *p, int link, arne_frame frame, double v[6]);
void plain_jacobian(const plain *p, int link, arne_frame frame, double *J);
/* force and moment that joint i passes on to its link, about the link's origin, in link axes: what moves everything outboard */
void plain_reaction(const plain *p, const double g[3], int i, double w[6]);

#endif
