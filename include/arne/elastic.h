/* SPDX-License-Identifier: MIT
 *
 * elastic.h - robots whose joints are springs between motor and link [002].
 *
 *     M(q) qdd + c(q,qd) + g(q) + link friction - J'w = tau_e            links   [002 eq. 4a]
 *     B thetadd + motor friction + tau_e = tau                           motors  [002 eq. 4b]
 *     tau_e = spring(theta - q) + damping (thetad - qd)
 *
 * theta is the motor position behind the gear (in units of the joint), B the rotor inertia times gear squared. Motors are not
 * coupled with one another; rotor inertia acts on the motor side only. Every joint needs a stiffness (robot file:
 * elastic: {stiffness: ...}) and a rotor inertia. */
#ifndef ARNE_ELASTIC_H
#define ARNE_ELASTIC_H

#include "arne/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* Such a robot and the memory of one thread; after arne_flex_new nothing allocates. Everything returns a status, as in
 * dynamics.h. */
typedef struct arne_flex arne_flex;

/* Joints of several freedoms have neither motor nor spring: their entries are zero, torques on them act on the link, and q has nq
 * numbers. Spring torques, forward dynamics, rest and energy take such robots; the others answer ARNE_UNSUPPORTED.
 * s: gravity, payloads, wrenches, friction (of both sides), copied. ARNE_BAD_VALUE names the joint that has no stiffness or no
 * rotor inertia and says how to give it. */
arne_status arne_flex_new(const arne_settings *s, arne_flex **out, arne_error *error);
void arne_flex_free(arne_flex *f);
/* Its own settings, to be changed: those of the link side, without rotors and motor friction (arne_set_link_side). */
arne_settings *arne_flex_settings(arne_flex *f);
const double *arne_flex_rotors(const arne_flex *f);    /* B, dof */
const double *arne_flex_stiffness(const arne_flex *f); /* at rest, dof */

/* Variable stiffness: linear springs K > 0 in place of those of the robot file, and the first two time derivatives of K, from
 * now on (dof each; dK, ddK may be NULL: zero). K NULL: the springs of the file again. ARNE_BAD_ARGUMENT: K not above 0. */
arne_status arne_flex_set_stiffness(arne_flex *f, const double *K, const double *dK, const double *ddK);
/* Springs of the robot file whose torque is `factor` > 0 times what the file says (dof), damping as it is; NULL: as they are. */
arne_status arne_flex_scale_springs(arne_flex *f, const double *factor);

/* The first `count` wrenches of the settings change in time: first and second derivatives, in the axes and at the point of the
 * wrench, copied. NULL: constant. */
arne_status arne_flex_set_wrench_rates(arne_flex *f, const arne_wrench *rate, const arne_wrench *acceleration, int count);

/* Inverse dynamics [002 eq. 17-45, ERRATA 3.2]: q is 5 x dof (q, qd, qdd, qddd, qdddd). Outputs of dof; each may be NULL.
 * Exact without damping of the springs; with it theta is right up to the third power of damping/stiffness (doc/elastic.md). */
typedef struct {
    size_t size; /* sizeof of this struct */
    double *tau_e, *dtau_e, *ddtau_e;
    double *theta, *dtheta, *ddtheta;
    double *tau;
} arne_flex_torques;
arne_status arne_flex_id(arne_flex *f, const double *q, const arne_flex_torques *out);        /* the explicit recursion */
arne_status arne_flex_id_taylor(arne_flex *f, const double *q, const arne_flex_torques *out); /* Taylor numbers of arne_id */

/* Elastic torque from both positions and velocities. */
arne_status arne_flex_spring(arne_flex *f, const double *q, const double *qd, const double *theta, const double *thetad,
                             double *tau_e);
/* Forward dynamics: link and motor accelerations. Returns as arne_fd; arne_flex_joint as arne_data_joint. */
arne_status arne_flex_fd(arne_flex *f, const double *q, const double *qd, const double *theta, const double *thetad,
                         const double *tau, double *qdd, double *thetadd);
int arne_flex_joint(const arne_flex *f);
/* Motor positions and torques that hold the links still at q, but for joints of several freedoms, which go as they must.
 * ARNE_SINGULAR: those move nothing. */
arne_status arne_flex_rest(arne_flex *f, const double *q, double *theta, double *tau);
/* potential: gravity and springs */
arne_status arne_flex_energy(arne_flex *f, const double *q, const double *qd, const double *theta, const double *thetad,
                             double *kinetic, double *potential);

/* Feedback linearization [002 eq. 12-15, 45-52, ERRATA 3.3]: qdd and qddd that the state has, from links and motors, then the
 * torque that makes qdddd = v. One inertia matrix, one factorization. qdd, qddd: outputs of dof (may be NULL). Returns as
 * arne_fd. */
arne_status arne_flex_state(arne_flex *f, const double *q, const double *qd, const double *theta, const double *thetad,
                            double *qdd, double *qddd);
/* The same where the torque of the springs is measured: stiffness then counts for its rate alone. */
arne_status arne_flex_state_measured(arne_flex *f, const double *q, const double *qd, const double *theta, const double *thetad,
                                     const double *tau_e, double *qdd, double *qddd);
arne_status arne_flex_linearize(arne_flex *f, const double *q, const double *qd, const double *qdd, const double *qddd,
                                const double *v, double *tau);

/* ---- sampled motions ---- */

/* What a spline made of positions. */
typedef struct {
    int degree;
    int every;        /* it goes through every so many samples */
    double deviation; /* from the samples, largest */
    char note[320];   /* a sentence to know about it, or empty */
} arne_flex_fit;

/* Four derivatives from positions alone: x is count x 5 x dof, of which the first dof of each row are given; t increases; degree
 * 7 or 9. ARNE_BAD_VALUE: too few samples, or no spline goes through them. ARNE_UNSUPPORTED: they are not smooth enough, or too
 * coarse; the sentence says which derivative, where. x then stays. */
arne_status arne_flex_derive(const arne_model *m, int degree, int count, const double *t, double *x, arne_flex_fit *out,
                             arne_error *error);

/* Largest values of a joint. */
typedef struct {
    double deflection, tau_e, tau, rigid, difference; /* tau - rigid */
} arne_flex_record;

/* tau_e, tau, theta, dtheta of `out`, and the torques of rigid joints (of data object `rigid`), count x dof each. joints: dof.
 * ARNE_BAD_VALUE: a torque is not finite. */
arne_status arne_flex_motion(arne_flex *f, arne_data *rigid, int count, const double *t, const double *x,
                             const arne_flex_torques *out, double *tau_rigid, arne_flex_record *joints, arne_error *error);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
