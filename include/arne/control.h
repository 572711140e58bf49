/* SPDX-License-Identifier: MIT
 *
 * control.h - controllers that tick: measured state and reference in, joint torques out. Nothing allocates after
 * arne_controller_new; one controller belongs to one thread.
 *
 * Torques are those of the joints, friction and rotors included (arne_motor_torques gives those at the shafts). A controller has
 * settings of its own, the robot as it knows it, which may be wrong about the robot. */
#ifndef ARNE_CONTROL_H
#define ARNE_CONTROL_H

#include "arne/elastic.h"
#include "arne/hand.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* X(enumerator, name) */
#define ARNE_CONTROL_KINDS(X)                                                                                                    \
    X(ARNE_CONTROL_NONE, "none")                           /* zero torque */                                                     \
    X(ARNE_CONTROL_PD_GRAVITY, "pd-gravity")               /* kp (qr - q) + kd (qdr - qd) + g(q) */                              \
    X(ARNE_CONTROL_COMPUTED_TORQUE, "computed-torque")     /* feedback linearization [000 eq. 14] */                             \
    X(ARNE_CONTROL_PASSIVITY, "passivity")                 /* [000 eq. 8, 25], one NE* sweep */                                  \
    X(ARNE_CONTROL_ADAPTIVE, "adaptive")                   /* the same, its base parameters learned */                           \
    X(ARNE_CONTROL_HAND_ACCELERATION, "hand-acceleration") /* resolved acceleration of a link */                                 \
    X(ARNE_CONTROL_HAND_IMPEDANCE, "hand-impedance")       /* a link on a spring and damper in space */                          \
    X(ARNE_CONTROL_MOTOR_PD, "motor-pd")                   /* elastic joints: PD on the motors with gravity compensation */      \
    X(ARNE_CONTROL_ELASTIC, "elastic")                     /* elastic joints: feedback linearization [002 eq. 12-15] */

#define ARNE_CONTROL_ENUM(id, name) id,
typedef enum { ARNE_CONTROL_KINDS(ARNE_CONTROL_ENUM) ARNE_CONTROL_COUNT } arne_control_kind;
#undef ARNE_CONTROL_ENUM
const char *arne_control_name(arne_control_kind kind);
int arne_control_find(const char *name); /* -1: no such controller */

/* Arrays are copied. Gains must be positive. NULL gains: defaults that suit the model (documented in doc/control.md). */
typedef struct {
    size_t size; /* sizeof of this struct */
    arne_control_kind kind;
    double period;         /* s between ticks */
    const double *kp, *kd; /* per joint; computed torque: 1/s^2, 1/s; others: torque per position, per velocity */
    const double *lambda;  /* passivity, adaptive: 1/s, per joint */
    const double *poles;   /* elastic: four negative real poles per joint, dof x 4, 1/s */
    const double *springs; /* motor-pd, elastic: what it believes, factors > 0 on the stiffness of the model, per joint */
    double adaptation;     /* adaptive: how fast it learns, 1/s, each parameter relative to its size; 0: default */
    int link;              /* of the hand controllers */
    double stiffness[6];   /* hand: N/m, Nm/rad (impedance) or 1/s^2 (acceleration) */
    double damping[6];     /* hand: Ns/m, Nms/rad or 1/s */
    bool position_only;    /* hand: as in arne_hand_options */
    bool inertia_weighted;
    double singular_damping;
    const double *posture; /* hand: joint positions wished for in the null space; NULL: where it stands at the first tick */
    bool friction;         /* compensate the friction of the model */
    bool saturate;         /* clip to the torque limits of the joints and motors */
    /* adaptive: which columns of the regressor stay and the first guess of their values; base parameters as identify.h finds
     * them. ncolumn 0: all standard parameters of the model. */
    int ncolumn;
    const int *columns;   /* parameter numbers of regressor.h */
    const double *values; /* ncolumn; NULL: those of the settings, ungrouped */
} arne_control_options;

typedef struct arne_controller arne_controller;
/* known: the robot as the controller knows it, copied. Joints of several freedoms have no drive: their torque is 0, and a law
 * that wants one everywhere is ARNE_UNSUPPORTED. ARNE_BAD_VALUE: a gain, a period, a link that will not do. */
arne_status arne_controller_new(const arne_settings *known, const arne_control_options *options, arne_controller **out,
                                arne_error *error);
void arne_controller_free(arne_controller *c);
arne_settings *arne_controller_settings(arne_controller *c); /* what it knows, to be changed between ticks */
int arne_controller_link(const arne_controller *c);          /* of a hand controller; -1: it is none */
void arne_controller_reset(arne_controller *c);              /* as if it had not ticked yet */

typedef struct {
    size_t size;                  /* sizeof of this struct */
    const double *q, *qd;         /* measured: nq and nv numbers; all others: nv */
    const double *theta, *thetad; /* measured motors of elastic joints; NULL: none */
    const double *reference;      /* 5 x nv: position and its first four derivatives; of joints of several freedoms not read */
    const arne_hand_target *hand; /* for hand controllers */
    const double *tau_e;          /* elastic: measured torque of the springs; NULL: from theta - q and the stiffness */
} arne_tick;

/* What a tick has to say besides the torque; flags. */
enum {
    ARNE_TICK_SATURATED = 1, /* a torque was clipped */
    ARNE_TICK_SINGULAR = 2,  /* the hand is near a singular position; damped */
    ARNE_TICK_HELD = 4       /* there was no answer: the last good torque is held */
};
/* flags may be NULL. Where a number or the answer is not finite (ARNE_NOT_FINITE), the inertia matrix is singular
 * (ARNE_SINGULAR) or something is missing that the controller reads (ARNE_BAD_ARGUMENT), tau is the last good torque. */
arne_status arne_control_tick(arne_controller *c, const arne_tick *in, double *tau, unsigned *flags);

/* adaptive: the parameters it has learned so far, ncolumn numbers; NULL: another controller */
const double *arne_controller_parameters(const arne_controller *c, int *ncolumn);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
