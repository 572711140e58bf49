/* SPDX-License-Identifier: MIT
 *
 * feasible.h - can the robot do this motion? Achievable accelerations under the limits of joints and motors [001 sections II, V;
 * ERRATA 2.4], a verdict on a whole motion, and the same path at a speed the robot can keep.
 *
 * Limits. Joint: position, velocity, acceleration of arne_limits. Motor k: its torque behind the gear is at most |gear| times
 * `effort` of the motor (or its curve over speed), and at most `effort` of the joint with the same number; its speed at most
 * `speed`. An effort or velocity of 0 says nothing, as exporters write it for "unknown". With a coupled transmission q = J q_m
 * the motors, not the joints, saturate and keep their accelerations. Gravity, payloads, wrenches and friction are those of the
 * data. */
#ifndef ARNE_FEASIBLE_H
#define ARNE_FEASIBLE_H

#include "arne/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* What happens to a motion that asks for too much.
 * KEEP: saturated motors give what they can, the others keep their accelerations.
 * RESOLVE: all torques are clipped, then all accelerations follow [001 eq. 44].
 * SCALE: the whole motion is slowed along its path (arne_retime). */
typedef enum { ARNE_KEEP, ARNE_RESOLVE, ARNE_SCALE } arne_policy;

/* ---- one interpolation cycle: for data prepared with ARNE_LIMITS, nothing allocates ---- */

typedef struct {
    size_t size; /* sizeof of this struct */
    double dt;
    arne_policy policy; /* ARNE_KEEP or ARNE_RESOLVE */
    bool stay;          /* also bound velocities so that the position one cycle after q_next is within its limits */
    bool ease;          /* KEEP: a motor is at a limit only if it lacks acceleration there: the answer is continuous, and the
                           nearest to what is asked. false: who was once found over a limit stays at it [ERRATA 2.4] */
} arne_cycle_options;

/* Where answers go: vectors of dof; each may be NULL. */
typedef struct {
    size_t size; /* sizeof of this struct */
    double *qdd;
    double *qd;      /* at the end of the cycle; exactly the velocity asked for where nothing was in the way */
    double *tau;     /* joint torques, as arne_id gives them */
    double *motor;   /* at the shafts */
    bool *saturated; /* per motor */
} arne_achieved;

/* From q, qd now to q_next, qd_next after dt, as far as limits allow. ARNE_SINGULAR: the accelerations are zero, arne_data_joint
 * names the joint. */
arne_status arne_achievable(arne_data *d, const arne_cycle_options *o, const double *q, const double *qd, const double *q_next,
                            const double *qd_next, const arne_achieved *out);

/* Clips joint torques tau, in place, to what the motors can give at velocities qd; saturated (dof): which motors cannot; any:
 * whether some cannot. Both may be NULL. */
arne_status arne_saturate(const arne_model *m, const double *qd, double *tau, bool *saturated, bool *any);

/* The way each joint needs to stop from qd, its motors at full braking torque, the other joints keeping their accelerations qdd.
 * INFINITY: it cannot stop. */
arne_status arne_stopping(arne_data *d, const double *q, const double *qd, const double *qdd, double *distance);

/* ---- a motion ---- */

/* `count` samples, dt apart, rows of dof. qd NULL: the velocity of a sample is the way to the next one over dt, as the path
 * planner of [001 section II] has it; the last velocity is held. */
typedef struct {
    int count;
    double dt;
    const double *q, *qd;
} arne_motion;

/* Velocity and acceleration (to the next sample; 0 after the last) of sample k. */
arne_status arne_motion_at(const arne_motion *s, int dof, int k, double *qd, double *qdd);

/* X(enumerator, words): what was asked for too much of */
#define ARNE_LIMIT_KINDS(X)                                                                                                      \
    X(ARNE_WITHIN, "nothing")                                                                                                    \
    X(ARNE_POSITION, "position")                                                                                                 \
    X(ARNE_VELOCITY, "velocity")                                                                                                 \
    X(ARNE_ACCELERATION, "acceleration")                                                                                         \
    X(ARNE_EFFORT, "torque")                                                                                                     \
    X(ARNE_MOTOR_EFFORT, "motor torque")                                                                                         \
    X(ARNE_MOTOR_SPEED, "motor speed")                                                                                           \
    X(ARNE_JERK, "jerk") X(ARNE_EFFORT_RATE, "torque rate") /* of plans alone */

#define ARNE_LIMIT_ENUM(id, words) id,
typedef enum { ARNE_LIMIT_KINDS(ARNE_LIMIT_ENUM) ARNE_LIMIT_COUNT } arne_limit_kind;
#undef ARNE_LIMIT_ENUM
const char *arne_limit_words(arne_limit_kind kind); /* NULL: there is no such kind */

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

/* Judges the motion as it is commanded. `light` (NULL: none) is the same robot without its payload. ARNE_BAD_VALUE: a number
 * overflows. */
arne_status arne_judge(const arne_motion *s, arne_data *d, arne_data *light, arne_verdict *out, arne_error *error);

/* ---- what the robot makes of a motion ---- */

/* A sample of it; vectors of dof, valid while the callback runs. */
typedef struct {
    double t, path; /* s; path: the commanded time, which differs from t where the policy is SCALE */
    const double *q, *qd, *qdd, *tau, *motor;
    const double *reaction; /* dof x 6: force and moment that a joint passes on to its link, in the joint's own frame, its origin
                               on the axis; NULL: not computed */
} arne_motion_row;

/* What a joint goes through: loads of record, which are those of the commanded motion (KEEP, RESOLVE) or of the slowed one
 * (SCALE), and what becomes of it. */
typedef struct {
    double torque, speed, motor;   /* record: largest, at the joint and at the shaft */
    double saturated;              /* s */
    double force, moment, bending; /* record: largest, of the reaction; bending: normal to the axis */
    double away;                   /* from the commanded position */
    double no_stop;                /* time from which on it cannot stop before its limit, NAN: never */
} arne_joint_record;

typedef struct {
    size_t size; /* sizeof of this struct */
    arne_policy policy;
    double start;                                         /* time of the first sample */
    void (*row)(void *context, const arne_motion_row *r); /* gets the samples one by one; NULL: nobody */
    void *context;
} arne_achieve_options;

typedef struct {
    double duration;
    double lost;    /* time at which saturated motors cannot hold a joint within its speed limit: it ends there; NAN: never */
    int lost_joint; /* -1: none */
} arne_achievement;

/* Runs the motion by the policy. joints: dof. ARNE_BAD_VALUE: it is none, or its numbers overflow; ARNE_UNSUPPORTED: a joint
 * moves no mass (KEEP, RESOLVE), or as arne_retime (SCALE). */
arne_status arne_achieve(const arne_motion *s, arne_data *d, const arne_achieve_options *o, arne_joint_record *joints,
                         arne_achievement *out, arne_error *error);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
