/* SPDX-License-Identifier: MIT
 *
 * description.h - a robot as its file tells it: names, frames of the file, units SI, a line number for every item.
 *
 * Readers (file.h) fill a description; a program may fill one itself. A model (model.h) is built from it. Nothing here is
 * fast and nothing here is used after the model is built.
 *
 * Frames. A joint connects the link `parent` to the link `child`:
 *     parent link frame --before--> joint frame --motion along axis--> --after--> child link frame
 * URDF: `before` is <origin>, `after` the identity. Standard DH: `before` the identity, axis z, `after` the DH transform.
 * Modified DH: `before` = Rot(z,gamma) Trans(z,b) Rot(x,alpha) Trans(x,d) Rot(z,theta) Trans(z,r), axis z, `after` the identity.
 */
#ifndef ARNE_DESCRIPTION_H
#define ARNE_DESCRIPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "arne/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* A spherical joint turns its link in any way about its origin, a free one also moves it: `after` is the identity, the axis is
 * not used. */
typedef enum { ARNE_FIXED, ARNE_REVOLUTE, ARNE_PRISMATIC, ARNE_SPHERICAL, ARNE_FREE } arne_joint_type;

/* A rigid transform: x_outer = R x_inner + p. */
typedef struct {
    double R[9]; /* row major */
    double p[3]; /* m */
} arne_pose;

/* Mass distribution of a rigid body, in the axes of its link. */
typedef struct {
    double mass;       /* kg */
    double com[3];     /* centre of mass from the link origin, m */
    double inertia[6]; /* about the centre of mass, tensor entries xx xy xz yy yz zz, kg m^2 */
} arne_body;

typedef struct {
    char *name;
    int line; /* line of the file, 0 unknown */
    arne_body body;
} arne_link_description;

/* Absent limits are infinite: lower -INFINITY, the others +INFINITY. */
typedef struct {
    double lower, upper;           /* rad or m */
    double velocity, acceleration; /* rad/s, rad/s^2 or m/s, m/s^2 */
    double effort;                 /* Nm or N */
    double jerk, effort_rate;      /* of plans: rad/s^3 or m/s^3; Nm/s or N/s of the motor behind its gear; 0 says nothing too */
} arne_limits;

/* Everything at the motor shaft; gear = shaft speed / joint speed. A joint without a motor has inertia 0, gear 1. */
typedef struct {
    double inertia;          /* kg m^2 */
    double gear;             /* N_j of [003 eq. 9.29] */
    double viscous, coulomb; /* Nm s/rad, Nm on shaft speed */
    double effort, speed;    /* limits at the shaft, +INFINITY when absent */
    /* Greatest driving torque over shaft speed, ncurve x (speed, torque), owned; first speed 0, speeds increasing, linear in
     * between; the last speed is a limit. What brakes is bounded by the torque at speed 0. ncurve 0: effort at every speed. */
    int ncurve;
    double (*curve)[2];
} arne_motor;

/* Friction at the joint [003 eq. 9.26]: coulomb, viscous, and static friction that decays as
 * exp(-|qd/stribeck_velocity|^exponent). static_ = 0 means "as coulomb"; so does coulomb_negative, which is what rubs while the
 * joint moves backwards. With npoint > 0 the law is piecewise linear through (|velocity|, torque) points instead [003 fig. 9.2d]:
 * first velocity 0, velocities increasing, odd in the velocity, extended with its last slope. offset: a constant torque beside
 * all this, at rest too (an unbalanced spring, a current sensor). */
typedef struct {
    double viscous, coulomb, static_;
    double stribeck_velocity, stribeck_exponent; /* default 0.1, 2 */
    int npoint;
    double (*points)[2]; /* npoint x (velocity, torque), owned */
    double offset, coulomb_negative;
} arne_friction;

/* Joint spring between motor and link; stiffness 0 means rigid. Torque of the deflection x:
 * stiffness x + cubic x^3 + quintic x^5 + damping dx/dt */
typedef struct {
    double stiffness, damping; /* Nm/rad, Nm s/rad */
    double cubic, quintic;     /* Nm/rad^3, Nm/rad^5 */
} arne_elastic;

typedef struct {
    char *name;
    int line;
    arne_joint_type type;
    bool continuous; /* URDF: a revolute joint without position limits */
    char *parent;    /* link names */
    char *child;
    arne_pose before;
    double axis[3]; /* in the joint frame, any length but zero; of revolute and prismatic joints */
    arne_pose after;
    arne_limits limits;
    arne_motor motor;
    arne_friction friction;
    arne_elastic elastic;
    char *master; /* the joint it follows, in the file: q = ratio q_master + offset; NULL: it moves by itself */
    double ratio, offset;
    double dh[6];         /* gamma b alpha d theta r; only where the description has `mdh` */
    char dh_names[6][24]; /* "D3" or "-D3" where the file gives one of them by a symbol, "" elsewhere */
} arne_joint_description;

/* A state that the file names: numbers of every joint as a model lays them out (a free joint has seven and six of them), in the
 * order of the joints; those of fixed ones say nothing. */
typedef struct {
    char *name;
    int line;
    size_t njoint;
    double (*q)[7], (*qd)[6]; /* owned */
} arne_state_description;

typedef struct {
    char *name;
    char *source; /* where the numbers come from, may be NULL */
    char *file;   /* path it was read from, may be NULL */
    double gravity[3];
    size_t nlink, njoint;
    arne_link_description *links;
    arne_joint_description *joints;
    bool mdh; /* every joint is given by the six modified-DH parameters in dh[]: the model keeps these frames */
    /* dq = J dq_m [003 eq. 9.31], row major, ntransmission x ntransmission in the file order of the joints that move;
     * q_m is the motor variable behind its gear. NULL: every motor drives its own joint. */
    double *transmission;
    size_t ntransmission;
    char *tip;   /* the link that is meant where nobody names one; NULL: the deepest beyond the last joint that moves */
    char **open; /* symbols of the file that have no value: numbers they are in are arbitrary (arne_read_options) */
    size_t nopen;
    arne_state_description *states; /* by their names, as MJCF has keyframes */
    size_t nstate;
    char *unmodelled; /* the first thing that moves this robot and is not modelled, a loop for one: a warning; NULL: nothing */
    char **warnings;  /* one sentence each, "FILE:LINE: ..." */
    size_t nwarning;
} arne_description;

/* An empty description with gravity (0,0,-9.81); NULL when memory is short. */
arne_description *arne_description_new(const char *name);
void arne_description_free(arne_description *d);

/* Appends a link without mass, or a joint with identity frames, axis z, infinite limits, no motor, no friction. The strings are
 * copied. The pointer is valid until the next call of the same function; NULL when memory is short. */
arne_link_description *arne_description_link(arne_description *d, const char *name, int line);
arne_joint_description *arne_description_joint(arne_description *d, const char *name, int line, arne_joint_type type,
                                               const char *parent, const char *child);

/* Lets a joint follow another one, its master, which may come later in the file: q = ratio q_master + offset. */
arne_status arne_description_follow(arne_joint_description *joint, const char *master, double ratio, double offset);

/* Appends a point to speak of that the file does not have: a link without mass, called tool (tool_ where that name is taken),
 * held by a fixed joint at xyz in the axes of `link` (NULL: of the tip), and makes it the tip. ARNE_BAD_VALUE: no such link;
 * errors of the tree as from arne_model_build. */
arne_status arne_description_tool(arne_description *d, const char *link, const double xyz[3], arne_error *error);

/* Appends a state in which every joint that is there now stands at its zero; NULL when memory is short. */
arne_state_description *arne_description_state(arne_description *d, const char *name, int line);

/* Notes a symbol that has no value. */
arne_status arne_description_open(arne_description *d, const char *symbol);

/* INDEPENDENT: joints that follow others move by themselves. */
typedef enum { ARNE_MIMIC_FOLLOW, ARNE_MIMIC_INDEPENDENT } arne_mimic_choice;
arne_status arne_description_mimic(arne_description *d, arne_mimic_choice choice, arne_error *error);

/* Whether the base stands still: as the file says, held, or free to move. */
typedef enum { ARNE_BASE_FILE, ARNE_BASE_FIXED, ARNE_BASE_FREE } arne_base_choice;
/* FIXED: free joints that stand on the root become fixed. FREE: unless the root has such a joint already, it hangs on a new root
 * "world" by a free joint "base" (or with _ behind, where the file has such a name). */
arne_status arne_description_base(arne_description *d, arne_base_choice choice, arne_error *error);

/* Appends a warning, printf-like, with "FILE:LINE: " before it (FILE: d->file). */
void arne_description_warn(arne_description *d, int line, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* The six modified-DH numbers as a transform; cosines and sines of multiples of a quarter turn are exact. */
arne_pose arne_pose_mdh(const double dh[6]);
/* Standard DH: Rot(z,theta) Trans(z,d) Trans(x,a) Rot(x,alpha). */
arne_pose arne_pose_dh(double a, double alpha, double d, double theta);
/* URDF: R = Rz(yaw) Ry(pitch) Rx(roll). */
arne_pose arne_pose_rpy(const double xyz[3], const double rpy[3]);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
