/* SPDX-License-Identifier: MIT
 *
 * dynamics.h - the robot's equations in double precision.
 *
 *     tau = M(q) qdd + c(q,qd) + g(q) + friction(qd) - J(q)' w          [003 eq. 9.6, 9.28, 9.30]
 *
 * A model is const; settings (settings.h) say what may change; an arne_data is the memory of one thread that computes with them.
 * After arne_data_new nothing allocates or prints, and what is given the right pointers does not fail but for a singular inertia
 * matrix. Vectors have arne_model_nv entries in model joint order (q: arne_model_nq); matrices are row major.
 *
 * Everything returns a status: ARNE_OK (0); ARNE_BAD_ARGUMENT: a null pointer, or no such link. */
#ifndef ARNE_DYNAMICS_H
#define ARNE_DYNAMICS_H

#include "arne/settings.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef struct arne_data arne_data;

/* A thread's memory with settings of its own, or on shared ones, which must live longer. */
arne_status arne_data_new(const arne_model *m, arne_data **out, arne_error *error);
arne_status arne_data_share(const arne_settings *s, arne_data **out, arne_error *error);
void arne_data_free(arne_data *d);
/* The same in the caller's memory, aligned to 64 bytes, at least arne_data_bytes; it is the caller's to free. */
size_t arne_data_bytes(const arne_model *m);
arne_status arne_data_init(const arne_model *m, void *memory, size_t bytes, arne_data **out);

const arne_model *arne_data_model(const arne_data *d);
arne_settings *arne_data_settings(arne_data *d);                  /* its own, to be changed; NULL: it shares some */
const arne_settings *arne_data_settings_used(const arne_data *d); /* its own, or those it shares */

/* More memory, once, for derive.h, batch.h, formulations.h, hand.h, feasible.h and plan.h: their functions answer
 * ARNE_NOT_PREPARED without. */
enum { ARNE_DERIVATIVES = 1, ARNE_BATCHES = 2, ARNE_FORMS = 4, ARNE_HANDS = 8, ARNE_LIMITS = 16 };
arne_status arne_data_prepare(arne_data *d, unsigned what, arne_error *error);

/* ARNE_SINGULAR: the joint at which the inertia matrix is singular; ARNE_NOT_FINITE: the joint whose acceleration is none. -1
 * after success. */
int arne_data_joint(const arne_data *d);

/* inverse dynamics: recursive Newton-Euler [003 9.5] */
arne_status arne_id(arne_data *d, const double *q, const double *qd, const double *qdd, double *tau);
/* id at qdd = 0: Coriolis, gravity, friction, wrenches: H of [003 eq. 9.95] */
arne_status arne_bias(arne_data *d, const double *q, const double *qd, double *h);
arne_status arne_gravity(arne_data *d, const double *q, double *g);
arne_status arne_coriolis_vector(arne_data *d, const double *q, const double *qd, double *c);
arne_status arne_friction_torque(arne_data *d, const double *qd, double *f);
/* The same of one axis, with the direction of sliding (-1 ... 1) as an input of its own, so that it is smooth on either side of
 * rest; at v = 0 it is what must be exceeded to leave rest. Friction of a joint without its offset, and of its motor seen from
 * the joint [003 9.3.5]; each may be NULL. */
double arne_sliding_friction(const arne_friction *joint, const arne_motor *motor, double v, double sign);

/* inertia matrix by composite bodies (dof x dof), its factorization M = L'DL and solve */
arne_status arne_mass(arne_data *d, const double *q, double *M);
/* In place: L below the diagonal (unit diagonal not stored), D on it. ARNE_SINGULAR: a pivot is not positive; ARNE_NOT_FINITE: it
 * is no number. */
arne_status arne_factor(arne_data *d, double *M);
arne_status arne_solve(arne_data *d, const double *LD, double *x);

/* forward dynamics by articulated bodies [003 9.7.2]. ARNE_SINGULAR, ARNE_NOT_FINITE: qdd is then zero, see arne_data_joint. */
arne_status arne_fd(arne_data *d, const double *q, const double *qd, const double *tau, double *qdd);
arne_status arne_fd_crba(arne_data *d, const double *q, const double *qd, const double *tau,
                         double *qdd); /* inertia matrix [003 9.7.1] */

arne_status arne_momentum(arne_data *d, const double *q, const double *qd, double *p); /* p = M qd */
/* potential: zero at the base origin, links fixed to the base left out */
arne_status arne_energy(arne_data *d, const double *q, const double *qd, double *kinetic, double *potential);

/* links: pose in the world; velocity and Jacobian (6 x dof, rows vx vy vz wx wy wz) of the link origin */
arne_status arne_link_pose(arne_data *d, const double *q, int link, arne_pose *pose);
arne_status arne_link_velocity(arne_data *d, const double *q, const double *qd, int link, arne_frame frame, double v[6]);
arne_status arne_link_jacobian(arne_data *d, const double *q, int link, arne_frame frame, double *J);

/* Wrench that the joint passes on to its link (force, moment about the link origin, link axes): dof x 6. */
arne_status arne_joint_wrenches(arne_data *d, const double *q, const double *qd, const double *qdd, double *w);

/* Actuator torques at the motor shafts for joint torques tau of arne_id [003 eq. 9.33]. */
arne_status arne_motor_torques(arne_data *d, const double *tau, double *motor);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
