/* SPDX-License-Identifier: MIT
 *
 * simulate.h - robots that move: a plant with sticking joints and stops, and the loop of plant, sensors, controller, actuators,
 * disturbances and observer around it. Library arne_simulate (needs SUNDIALS).
 *
 *     M(q) qdd + c(q,qd) + g(q) + friction - J'w = tau                 rigid joints
 *     the same with tau_e(theta - q), B thetadd + friction + tau_e = tau     elastic joints [002 eq. 4a, 4b]
 *
 * Torques are held between two ticks of the controller, as real drives do. Dry friction and stops are modes, not steep functions:
 * a mode ends where a root is found (doc/simulate.md). */
#ifndef ARNE_SIMULATE_H
#define ARNE_SIMULATE_H

#include <signal.h>
#include <stdint.h>

#include "arne/control.h"
#include "arne/observe.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* X(enumerator, name) */
#define ARNE_INTEGRATORS(X)                                                                                                      \
    X(ARNE_RK4, "rk4")       /* classical Runge-Kutta, fixed step [004 section 9] */                                             \
    X(ARNE_ARKODE, "arkode") /* explicit Runge-Kutta, adaptive: order 5, or 8 for rtol below 1e-7 */                             \
    X(ARNE_CVODE, "cvode")   /* backward differentiation, stiff: elastic joints */

#define ARNE_INTEGRATOR_ENUM(id, name) id,
typedef enum { ARNE_INTEGRATORS(ARNE_INTEGRATOR_ENUM) ARNE_INTEGRATOR_COUNT } arne_integrator;
#undef ARNE_INTEGRATOR_ENUM
const char *arne_integrator_name(arne_integrator i);
int arne_integrator_find(const char *name); /* -1: no such integrator */

/* ---- the plant ---- */

typedef struct {
    size_t size; /* sizeof of this struct */
    arne_integrator method;
    double step;        /* s; rk4: needed; others: the largest, 0: any */
    double rtol, atol;  /* of the adaptive ones; 0: 1e-6, 1e-9 */
    bool friction;      /* of the robot file, with sticking */
    bool stops;         /* joints stop at their position limits */
    double restitution; /* of the stops, 0 ... 1 */
    bool elastic;       /* joints are springs (elastic.h) */
    double rub;         /* factor of all friction of the file; 0: 1 */
} arne_plant_options;

/* What happened to a joint, or to its motor, told while arne_plant_advance runs. */
typedef enum { ARNE_JOINT_STUCK, ARNE_JOINT_SLIPS, ARNE_JOINT_STOPPED } arne_plant_change;
typedef void arne_plant_listener(void *context, double t, int joint, arne_plant_change what);

typedef struct arne_plant arne_plant;

/* Robots whose joints have one freedom each, or several: quaternions stay of unit length.
 * s: the robot as it is (gravity, payloads, wrenches, parameters), copied; the plant sees to friction itself. ARNE_BAD_VALUE: the
 * inertia matrix is singular at q = 0, a step is missing, a number is no use. */
arne_status arne_plant_new(const arne_settings *s, const arne_plant_options *options, arne_plant **out, arne_error *error);
void arne_plant_free(arne_plant *p);
const arne_model *arne_plant_model(const arne_plant *p);
/* What may change while it moves: its settings (of the links where joints are elastic), and its springs, NULL: rigid joints.
 * arne_plant_touch is to be called afterwards. */
arne_settings *arne_plant_settings(arne_plant *p);
arne_flex *arne_plant_flex(arne_plant *p);
void arne_plant_touch(arne_plant *p);
void arne_plant_listen(arne_plant *p, arne_plant_listener *listener, void *context);

/* Puts the robot somewhere: q of nq numbers, qd of nv (model.h). Elastic joints: theta NULL: where the springs hold the links
 * still; thetad NULL: qd. ARNE_BAD_VALUE: a quaternion is further than 1e-3 from unit length;
 * ARNE_SINGULAR: as arne_flex_rest. */
arne_status arne_plant_place(arne_plant *p, double t, const double *q, const double *qd, const double *theta,
                             const double *thetad);
/* Friction of a joint (of its motor too; not one of several freedoms, which has none) is `factor` times that of the file from now
 * on; joint -1: of all. */
arne_status arne_plant_scale_friction(arne_plant *p, int joint, double factor);
/* Dry friction of a brake on the joint (on the motor of an elastic one), beside its own, from now on; 0: open. */
arne_status arne_plant_brake(arne_plant *p, int joint, double torque);

/* From its time to t with the torques held (of the joints; of the motors behind their gears where joints are elastic).
 * ARNE_BAD_VALUE: it cannot be integrated; the message says where and what may help. */
arne_status arne_plant_advance(arne_plant *p, double t, const double *tau, arne_error *error);

double arne_plant_time(const arne_plant *p);
const double *arne_plant_q(const arne_plant *p);
const double *arne_plant_qd(const arne_plant *p);
const double *arne_plant_theta(const arne_plant *p); /* NULL: rigid joints */
const double *arne_plant_thetad(const arne_plant *p);
bool arne_plant_held(const arne_plant *p, int joint); /* stuck, or at rest on its stop, or its coupled motors are stuck */
long arne_plant_steps(const arne_plant *p);           /* of the integrator so far */
arne_status arne_plant_energy(arne_plant *p, double *kinetic, double *potential);
arne_status arne_plant_spring(arne_plant *p, double *tau_e); /* elastic joints: torque of the springs */

/* ---- the loop ---- */

/* What the controller is told about the state. All zero: the truth. */
typedef struct {
    size_t size;                           /* sizeof of this struct */
    double position_noise, velocity_noise; /* standard deviations */
    double quantum;                        /* positions are multiples of it */
    int delay;                             /* ticks */
    bool difference;                       /* velocity from two positions instead of its own sensor */
    double cutoff;                         /* rad/s, first order filter of that velocity; 0: none */
    uint64_t seed;                         /* of the noise; scenario files: 1 unless told */
} arne_sensors;

typedef enum { ARNE_PUSH, ARNE_LOAD, ARNE_DEFECT, ARNE_RUB } arne_disturbance_kind;
/* A drive gives no torque, the torque it had, some torque too much, a multiple of the torque; or its joint jams. */
typedef enum { ARNE_DRIVE_LOST, ARNE_DRIVE_FROZEN, ARNE_DRIVE_OFFSET, ARNE_DRIVE_SCALE, ARNE_DRIVE_STUCK } arne_defect;

/* Something that happens from one time to another (INFINITY: it stays). */
typedef struct {
    arne_disturbance_kind kind;
    double from, to;
    arne_wrench wrench; /* push */
    int link;           /* load: carried by this link, instead of what it carried; nothing afterwards */
    arne_body load;
    int joint; /* defect, rub; -1: all */
    arne_defect defect;
    double value; /* of offset and scale; stuck: dry friction that jams it; rub: factor of the friction */
} arne_disturbance;

/* One row of a run: nv numbers behind each pointer, nq behind those of positions q, real_q; NULL: there are none. Those of theta,
 * qr and qdr that belong to joints of several freedoms are zero. */
typedef struct {
    double t;
    const double *q, *qd; /* measured */
    const double *tau;    /* mean of the torques that the drives report since the row before; in the first row from now on */
    const double *theta, *thetad;   /* measured */
    const double *qr, *qdr;         /* reference */
    const double *real_q, *real_qd; /* where sensors are not ideal */
    const double *real_tau;         /* where a fault makes it another */
    const double *residual;
    bool contact;
    double kinetic, potential;
    const double *hand;     /* x y z of the recorded link */
    const double *momentum; /* 6, linear and angular about the centre of mass, in the world; NULL: no base is free */
} arne_row;

typedef struct {
    double t, end; /* end NAN: it has none */
    char kind[16]; /* wrench payload fault friction contact saturation stop singular joint-stop stuck ... */
    char text[160];
} arne_event;

typedef enum { ARNE_RUN_FINISHED, ARNE_RUN_STOPPED, ARNE_RUN_FAILED } arne_run_end;

/* The parts of a run, all of one robot; they stay the caller's. Plant, controllers, observer and detector are moved by it. What
 * may be NULL is said. */
typedef struct {
    size_t size; /* sizeof of this struct */
    arne_plant *plant;
    arne_controller *controller;       /* NULL: no torque. The target of a hand is where its link is on the reference. */
    const arne_trajectory *reference;  /* nv numbers; NULL: stand where the plant stands */
    double period, duration, interval; /* of the controller; of the run; between rows, a multiple of the period */
    bool saturate;                     /* drives give what they can */
    const arne_sensors *sensors;       /* NULL: the truth */
    int ndisturbance;
    const arne_disturbance *disturbances;
    arne_observer *observer; /* NULL; of the link side: it gets the torque of the springs */
    bool torque_sensors;     /* elastic joints: the controller gets it too, as it is at the tick */
    arne_detector *detector; /* NULL */
    arne_controller *brake;  /* takes over at a contact and brings the robot to rest; NULL: nothing happens */
    double brake_time;       /* s */
    int link;                /* whose position is recorded; -1: none */

    /* return 0, or not 0 to stop the run */
    int (*row)(void *context, const arne_row *row);
    void *context;
    const volatile sig_atomic_t *stop; /* not 0: stop; NULL */
} arne_loop;

typedef struct {
    arne_run_end end;
    double t; /* where it ended */
    char message[256];
    int nevent;
    arne_event *events;
    double *max_error; /* nv: largest |reference - real position|; NULL where there is no reference */
    long ticks, steps;
} arne_result;

/* Runs from time 0, at which the plant must stand, to the end, to an instability, or until it is told to stop. ARNE_OK also for a
 * run that failed: the result says so. ARNE_BAD_VALUE: a number that will not do; ARNE_BAD_ARGUMENT: no plant, parts of another
 * robot, no such link or joint. Wrenches of the plant are those of the disturbances, none afterwards. */
arne_status arne_loop_run(const arne_loop *loop, arne_result *out, arne_error *error);
void arne_result_free(arne_result *r);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
