/* SPDX-License-Identifier: MIT
 *
 * dynamics.h - the robot's equations in double precision.
 *
 *     tau = M(q) qdd + c(q,qd) + g(q) + friction(qd) - J(q)' w          [003 eq. 9.6, 9.28, 9.30]
 *
 * A model is const; arne_data is one thread's scratch memory together with what may change at run time: gravity, payloads,
 * external wrenches, friction and rotor switches. After arne_data_new nothing allocates, prints or fails.
 * Vectors have dof entries in model joint order; matrices are row major. */
#ifndef ARNE_DYNAMICS_H
#define ARNE_DYNAMICS_H

#include "arne/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct arne_data arne_data;

/* Memory from malloc, or the caller's own (aligned to 64 bytes, at least arne_data_bytes). */
arne_data *arne_data_new(const arne_model *m);
void arne_data_free(arne_data *d);
size_t arne_data_bytes(const arne_model *m);
arne_data *arne_data_init(const arne_model *m, void *memory);
const arne_model *arne_data_model(const arne_data *d);

/* Run-time changes; each holds until it is set again. */
void arne_set_gravity(arne_data *d, const double g[3]); /* acceleration in base axes */
void arne_set_rigid(arne_data *d, bool rigid);          /* true: no friction, no rotor inertia */
void arne_set_friction(arne_data *d, bool friction);
void arne_set_rotors(arne_data *d, bool rotors);
void arne_set_link_side(arne_data *d); /* for good: without rotors and motor friction, as behind the springs of elastic joints */
void arne_set_payload(arne_data *d, int link, const arne_body *load); /* carried by the link, in its axes; NULL: none */

typedef enum { ARNE_LOCAL, ARNE_WORLD, ARNE_ALIGNED } arne_frame;

/* A wrench acting ON a link. LOCAL: link axes; ALIGNED: world axes; both at `point` (link axes, from the link origin).
 * WORLD: world axes, moment about the world origin, `point` not used. */
typedef struct {
    int link;
    arne_frame frame;
    double force[3], moment[3];
    double point[3];
} arne_wrench;

/* The wrenches that act from now on; the array is the caller's and must stay. count 0: none. */
void arne_set_wrenches(arne_data *d, const arne_wrench *w, int count);

/* inverse dynamics: recursive Newton-Euler [003 9.5] */
void arne_id(arne_data *d, const double *q, const double *qd, const double *qdd, double *tau);
/* id at qdd = 0: Coriolis, gravity, friction, wrenches: H of [003 eq. 9.95] */
void arne_bias(arne_data *d, const double *q, const double *qd, double *h);
void arne_gravity(arne_data *d, const double *q, double *g);
void arne_coriolis_vector(arne_data *d, const double *q, const double *qd, double *c);
void arne_friction_torque(arne_data *d, const double *qd, double *f);
/* The same of one axis, with the direction of sliding (-1 ... 1) as an input of its own, so that it is smooth on either side of
 * rest; at v = 0 it is what must be exceeded to leave rest. Friction of a joint, and of its motor seen from the joint
 * [003 9.3.5]; each may be NULL. */
double arne_sliding_friction(const arne_friction *joint, const arne_motor *motor, double v, double sign);

/* inertia matrix by composite bodies (dof x dof), its factorization M = L'DL and solve */
void arne_mass(arne_data *d, const double *q, double *M);
/* In place: L below the diagonal (unit diagonal not stored), D on it. Returns -1, or the joint whose pivot is not positive. */
int arne_factor(arne_data *d, double *M);
void arne_solve(arne_data *d, const double *LD, double *x);

/* forward dynamics. Return -1, or the joint at which the inertia matrix is singular: qdd is then zero. */
int arne_fd(arne_data *d, const double *q, const double *qd, const double *tau, double *qdd); /* articulated bodies [003 9.7.2] */
int arne_fd_crba(arne_data *d, const double *q, const double *qd, const double *tau,
                 double *qdd); /* inertia matrix [003 9.7.1] */

void arne_momentum(arne_data *d, const double *q, const double *qd, double *p); /* p = M qd */
/* potential: zero at the base origin, links fixed to the base left out */
void arne_energy(arne_data *d, const double *q, const double *qd, double *kinetic, double *potential);

/* links: pose in the world; velocity and Jacobian (6 x dof, rows vx vy vz wx wy wz) of the link origin */
void arne_link_pose(arne_data *d, const double *q, int link, arne_pose *pose);
void arne_link_velocity(arne_data *d, const double *q, const double *qd, int link, arne_frame frame, double v[6]);
void arne_link_jacobian(arne_data *d, const double *q, int link, arne_frame frame, double *J);

/* Wrench that the joint passes on to its link (force, moment about the link origin, link axes): dof x 6. */
void arne_joint_wrenches(arne_data *d, const double *q, const double *qd, const double *qdd, double *w);

/* Actuator torques at the motor shafts for joint torques tau of arne_id [003 eq. 9.33]. */
void arne_motor_torques(arne_data *d, const double *tau, double *motor);

#ifdef __cplusplus
}
#endif
#endif
