/* SPDX-License-Identifier: MIT
 *
 * feasible.h - can the robot do this motion? Achievable accelerations under the limits of joints and motors [001 sections II, V;
 * ERRATA 2.4], a verdict on a whole motion, and the same path at a speed the robot can keep.
 *
 * Limits. Joint: position, velocity, acceleration of arne_limits. Motor k: its torque behind the gear is at most |gear| times
 * `effort` of the motor (or its curve over speed), and at most `effort` of the joint with the same number; its speed at most
 * `speed`. An effort or velocity of 0 says nothing, as exporters write it for "unknown". With a coupled transmission q = J q_m
 * the motors, not the joints, saturate and keep their accelerations. */
#ifndef ARNE_FEASIBLE_H
#define ARNE_FEASIBLE_H

#include "arne/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What happens to a motion that asks for too much.
 * KEEP: saturated motors give what they can, the others keep their accelerations; repeated until no motor is over its limit.
 * RESOLVE: all torques are clipped, then all accelerations follow [001 eq. 44].
 * SCALE: the whole motion is slowed along its path (arne_retime). */
typedef enum { ARNE_KEEP, ARNE_RESOLVE, ARNE_SCALE } arne_policy;

/* ---- one interpolation cycle ---- */

/* Scratch memory of one thread; after that nothing allocates. NULL when memory is short. */
typedef struct arne_cycle arne_cycle;
arne_cycle *arne_cycle_new(const arne_model *m);
void arne_cycle_free(arne_cycle *c);

typedef struct {
    double dt;
    arne_policy policy; /* ARNE_KEEP or ARNE_RESOLVE */
    bool stay;          /* also bound velocities so that the position one cycle after q_next is within its limits */
} arne_cycle_options;

/* Vectors of dof, the caller's; each may be NULL. */
typedef struct {
    double *qdd;
    double *qd;      /* at the end of the cycle; exactly the velocity asked for where nothing was in the way */
    double *tau;     /* joint torques, as arne_id gives them */
    double *motor;   /* at the shafts */
    bool *saturated; /* per motor */
} arne_achieved;

/* From q, qd now to q_next, qd_next after dt, as far as limits allow. Gravity, payloads and wrenches are those of d. Returns -1,
 * or the joint at which the inertia matrix is singular: the accelerations are then zero. */
int arne_achievable(arne_cycle *c, arne_data *d, const arne_cycle_options *o, const double *q, const double *qd,
                    const double *q_next, const double *qd_next, const arne_achieved *out);

/* Joint torques as far as the motors can give them at velocities qd, in place; saturated (dof, may be NULL): which motors cannot.
 * Returns whether any cannot. */
bool arne_saturate(const arne_model *m, const double *qd, double *tau, bool *saturated);

/* The way each joint needs to stop from qd, its motors at full braking torque, the other joints keeping their accelerations qdd.
 * INFINITY: it cannot stop. */
void arne_stopping(arne_cycle *c, arne_data *d, const double *q, const double *qd, const double *qdd, double *distance);

/* ---- a motion ---- */

/* `count` samples, dt apart, rows of dof. qd NULL: the velocity of a sample is the way to the next one over dt, as the path
 * planner of [001 section II] has it; the last velocity is held. */
typedef struct {
    int count;
    double dt;
    const double *q, *qd;
} arne_motion;

/* Velocity and acceleration (to the next sample; 0 after the last) of sample k. */
void arne_motion_at(const arne_motion *s, int dof, int k, double *qd, double *qdd);

/* X(enumerator, words): what was asked for too much of */
#define ARNE_LIMIT_KINDS(X)                                                                                                      \
    X(ARNE_WITHIN, "nothing")                                                                                                    \
    X(ARNE_POSITION, "position")                                                                                                 \
    X(ARNE_VELOCITY, "velocity")                                                                                                 \
    X(ARNE_ACCELERATION, "acceleration")                                                                                         \
    X(ARNE_EFFORT, "torque")                                                                                                     \
    X(ARNE_MOTOR_EFFORT, "motor torque")                                                                                         \
    X(ARNE_MOTOR_SPEED, "motor speed")

#define ARNE_LIMIT_ENUM(id, words) id,
typedef enum { ARNE_LIMIT_KINDS(ARNE_LIMIT_ENUM) ARNE_LIMIT_COUNT } arne_limit_kind;
#undef ARNE_LIMIT_ENUM
const char *arne_limit_words(arne_limit_kind kind);

/* MOTOR_EFFORT and MOTOR_SPEED are at the shaft, EFFORT behind the gear; signs as the motion has them. */
typedef struct {
    arne_limit_kind kind;
    int joint; /* of motors: the joint with the same number */
    int sample;
    double limit, demand;
} arne_violation;

typedef struct {
    arne_violation first; /* kind ARNE_WITHIN: the motion is feasible */
    arne_violation worst; /* the largest demand beside its limit */
    double slower;        /* the motion is feasible in `slower` times its time, uniformly; INFINITY: at no speed */
    double lighter;       /* with this part of the payload, 0 ... 1; negative: not even without it; NAN: not asked */
} arne_verdict;

/* Judges the motion as it is commanded. `light` (NULL: none) is the robot without its payload. ARNE_NO_MEMORY, or ARNE_BAD_VALUE
 * when a number overflows. */
arne_status arne_judge(const arne_motion *s, arne_data *d, arne_data *light, arne_verdict *out, arne_error *error);

/* The same path as fast as the limits allow, nowhere faster than commanded. Cubic between the samples and exact at them; its
 * parameter is the commanded time. Fails with ARNE_UNSUPPORTED and a sentence where no speed will do: the path leaves the
 * position limits, or a motor cannot carry the load standing still. The new duration is a multiple of dt. */
typedef struct arne_retimed arne_retimed;
arne_status arne_retime(const arne_motion *s, arne_data *d, arne_retimed **out, arne_error *error);
void arne_retimed_free(arne_retimed *r);
double arne_retimed_duration(const arne_retimed *r);
/* State at a time in 0 ... duration, increasing from call to call or not; returns the path parameter. */
double arne_retimed_at(const arne_retimed *r, double t, double *q, double *qd, double *qdd);

/* ---- what the robot makes of a motion ---- */

/* A sample of it; vectors of dof, valid while the callback runs. */
typedef struct {
    double t, path; /* s; path: the commanded time, which differs from t where the policy is SCALE */
    const double *q, *qd, *qdd, *tau, *motor;
    const double *reaction; /* dof x 6: force and moment that a joint passes on to its link, in the joint's own frame, its origin
                               on the axis; NULL: not computed */
} arne_motion_row;

/* What a joint goes through. */
typedef struct {
    double torque, speed, motor;   /* largest, at the joint and at the shaft */
    double saturated;              /* s */
    double force, moment, bending; /* largest, of the reaction; bending: normal to the axis */
    double away;                   /* from the commanded position */
    double no_stop;                /* time from which on it cannot stop before its limit, NAN: never */
} arne_joint_record;

typedef struct {
    arne_policy policy;
    double start;                                         /* time of the first sample */
    void (*row)(void *context, const arne_motion_row *r); /* gets the samples one by one; NULL: nobody */
    void *context;
} arne_achieve_options;

typedef struct {
    double duration;
    double lost; /* time from which on saturated motors cannot hold the motion: it ends there; NAN: never */
} arne_achievement;

/* Runs the motion by the policy. joints: dof. ARNE_BAD_VALUE: it is none, or its numbers overflow; ARNE_UNSUPPORTED: a joint
 * moves no mass (KEEP, RESOLVE), or as arne_retime (SCALE). */
arne_status arne_achieve(const arne_motion *s, arne_data *d, const arne_achieve_options *o, arne_joint_record *joints,
                         arne_achievement *out, arne_error *error);

#ifdef __cplusplus
}
#endif
#endif
