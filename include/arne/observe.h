/* SPDX-License-Identifier: MIT
 *
 * observe.h - who pushes the robot? The momentum observer [000 eq. 6] in discrete time, and what its residual says.
 *
 *     r = K ( p(t) - p(0) - integral of (tau - friction + C'qd - g + r) )       follows the torque of everything not in the model
 *
 * Nothing allocates after arne_observer_new. An observer belongs to one thread and has settings of its own, the robot as it knows
 * it. */
#ifndef ARNE_OBSERVE_H
#define ARNE_OBSERVE_H

#include "arne/coriolis.h"
#include "arne/elastic.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef struct arne_observer arne_observer;

#define ARNE_OBSERVER_GAIN 50.0

typedef struct {
    size_t size;        /* sizeof of this struct */
    double period;      /* s between ticks */
    const double *gain; /* 1/s, per joint, positive; NULL: ARNE_OBSERVER_GAIN everywhere. Any gain is stable at any period. */
    /* Elastic joints: true observes the link side, with the spring torque as input (tau of a tick is then tau_e);
     * false observes motors and links as one rigid robot. */
    bool link_side;
    /* For comparison: C'qd from the inertia matrix differentiated numerically, Euler's rule, as is done where C'qd is not to be
     * had. Gains above 2/period are unstable. */
    bool numeric;
} arne_observer_options;

/* known: the robot as the observer knows it (payloads, gravity, friction switch), copied. */
arne_status arne_observer_new(const arne_settings *known, const arne_observer_options *options, arne_observer **out,
                              arne_error *error);
void arne_observer_free(arne_observer *o);
arne_settings *arne_observer_settings(arne_observer *o); /* what it knows, to be changed between ticks */
bool arne_observer_link_side(const arne_observer *o);
/* Forget everything: the next tick is the first one, at any velocity. */
void arne_observer_reset(arne_observer *o);
/* Samples were lost: the next tick holds the residual and starts a new difference. */
void arne_observer_pause(arne_observer *o);

/* tau: joint torques that acted since the tick before (commanded and held). ARNE_NOT_FINITE: a number is not; the residual is
 * held and the observer starts again from the next good sample, keeping its residual. */
arne_status arne_observer_tick(arne_observer *o, const double *q, const double *qd, const double *tau);
/* nv: torque of the unknown, as seen at the joints. The rows of a free base are the sum of all unknown wrenches on the robot:
 * force and moment at the origin of the base, in its axes. */
const double *arne_observer_residual(const arne_observer *o);

/* ---- detection ---- */

/* Thresholds per joint on |r|, the caller's, copied. */
typedef struct arne_detector arne_detector;
arne_status arne_detector_new(const arne_model *m, const double *threshold, arne_detector **out, arne_error *error);
void arne_detector_free(arne_detector *x);
const arne_model *arne_detector_model(const arne_detector *x);
/* A contact begins after `on` ticks in a row over a threshold (1 unless told), and ends after `off` ticks (10) in which every
 * residual is below 0.7 of its threshold. ARNE_BAD_ARGUMENT: less than 1. */
arne_status arne_detector_debounce(arne_detector *x, int on, int off);

/* Thresholds from a run without contact: `count` rows of residuals, so that the chance of any false alarm in an hour at this
 * period is `rate` (extreme value fit of the block maxima, never below the largest value seen). */
arne_status arne_detector_learn(const arne_model *m, int count, const double *residuals, double period, double rate,
                                double *threshold, arne_error *error);

typedef struct {
    bool contact;      /* some residual is over its threshold */
    bool began, ended; /* at this tick */
    int joint;      /* the velocity farthest over its threshold relative to it: that of a joint of one freedom is the joint's */
    int link_joint; /* the link that was hit: the last joint in the tree that has spoken in this contact; -1: none */
} arne_detection;
arne_status arne_detector_tick(arne_detector *x, const double *residual, arne_detection *out);

/* Where something touches a link, and how. */
typedef struct {
    int link;
    double point[3]; /* in link axes; zero: its origin */
    bool force_only; /* a force without a moment */
} arne_touch;

/* What explains a residual. Few joints feel few directions: along those that none feels nothing can be said, and the estimate is
 * the smallest of all that do the same. N and Nm are counted alike in that. */
typedef struct {
    double wrench[6];   /* force and moment, world axes, at the point */
    double unexplained; /* part of the residual (norm) that it leaves, 0 ... 1 */
    int seen;           /* directions that the joints feel, of three (force_only) or six */
    double blind[6][6]; /* unit vectors of the others, one a row */
} arne_wrench_estimate;

/* r = J'w in least squares. */
arne_status arne_residual_wrench(arne_data *d, const double *q, const arne_touch *at, const double *residual,
                                 arne_wrench_estimate *out);

/* ---- actuator faults [000 section II-A] ---- */

/* X(enumerator, name, words). With T the commanded torque through the observer's filter, u = offset - loss T is what the actuator
 * gives beside its command. */
#define ARNE_FAULTS(X)                                                                                                           \
    X(ARNE_FAULT_NONE, "none", "no actuator fault")                                                                              \
    X(ARNE_FAULT_LOST_POWER, "lost-power", "gives no torque")              /* loss 1, offset 0 */                                \
    X(ARNE_FAULT_WEAK, "weak", "gives only a part of its torque")          /* loss between 0 and 1, offset 0 */                  \
    X(ARNE_FAULT_OFFSET, "offset", "gives a constant torque too much")     /* loss 0 */                                          \
    X(ARNE_FAULT_FROZEN, "frozen", "keeps its torque whatever it is told") /* loss 1; the offset is that torque */               \
    X(ARNE_FAULT_STUCK, "stuck", "does not move whatever it is told")      /* stands still while its command changes */          \
    X(ARNE_FAULT_UNKNOWN, "unknown", "is faulty, by none of these rules")  /* or the command does not change enough to tell */   \
    X(ARNE_FAULT_OUTSIDE, "outside", "several joints: a contact or a wrong model, not one actuator")

#define ARNE_FAULT_ENUM(id, name, words) id,
typedef enum { ARNE_FAULTS(ARNE_FAULT_ENUM) ARNE_FAULT_COUNT } arne_fault_kind;
#undef ARNE_FAULT_ENUM
const char *arne_fault_name(arne_fault_kind kind); /* NULL: there is no such kind */
const char *arne_fault_words(arne_fault_kind kind);

typedef struct {
    size_t size; /* sizeof of this struct */
    double period;
    const double *gain;      /* of the observer, NULL: ARNE_OBSERVER_GAIN */
    const double *threshold; /* per joint, on |r|: how much it may be off without a fault */
    double window;           /* s of data for a verdict; 0: 0.2 */
    double still;            /* speed below which a joint stands; 0: 0.01 */
} arne_fault_options;

typedef struct {
    arne_fault_kind kind;
    int joint;           /* its velocity; -1: none, or several, or a joint without an actuator */
    double loss, offset; /* of the fit */
    bool told;           /* the command has changed enough to tell it from the others; false: it is the one that says least */
} arne_fault;

typedef struct arne_fault_monitor arne_fault_monitor;
arne_status arne_fault_new(const arne_model *m, const arne_fault_options *options, arne_fault_monitor **out, arne_error *error);
void arne_fault_free(arne_fault_monitor *x);
void arne_fault_reset(arne_fault_monitor *x);
/* The same qd and tau that the observer got, and its residual. A verdict comes five time constants of the observer and one window
 * after the residual went over its threshold. Windows after it that it explains make it better; what was told is overturned only
 * by a window that contradicts it and tells another. */
arne_status arne_fault_tick(arne_fault_monitor *x, const double *qd, const double *tau, const double *residual, arne_fault *out);

/* ---- a recorded run ---- */

/* Rows of nv numbers (q: nq) at a constant interval; what is missing is NAN. */
typedef struct {
    int count;
    double period;
    const double *q, *qd, *tau;   /* tau: what acted since the row before */
    const double *theta, *thetad; /* motors, NULL: not recorded */
    const double *t;              /* count times, to find rows that are missing; NULL: none is */
} arne_recording;

/* A row that comes later than so many intervals after the one before: rows are missing in between. */
#define ARNE_RECORDING_GAP 1.5

/* Torques of the springs, count x dof: what tau is for an observer of the link side. ARNE_BAD_VALUE: no motors were recorded, or
 * as arne_flex_new. */
arne_status arne_recording_springs(const arne_recording *log, const arne_settings *s, double *tau_e, arne_error *error);

/* Residuals, count x dof, and (NULL: not asked for) held[count]: at these rows the residual is held, since a number is missing or
 * rows are missing before it. ARNE_BAD_VALUE: no row has all its numbers, or a residual grows without bound, from row error->line
 * on (counted from 1). */
arne_status arne_recording_residuals(const arne_recording *log, const arne_settings *known, const arne_observer_options *options,
                                     double *residual, bool *held, arne_error *error);

/* Thresholds where nobody has given or learned any: from the usual size of the residuals and from the torques. */
arne_status arne_recording_thresholds(const arne_recording *log, const arne_model *m, const double *residual, double *threshold,
                                      arne_error *error);

typedef struct {
    double largest; /* with its sign */
    int at;         /* row of it */
    double rms;
} arne_residual_summary;
arne_residual_summary arne_residual_summarize(int count, int dof, const double *residual, int joint);

typedef struct {
    int begin, end, peak;               /* rows; end -1: it lasts to the end */
    int joint;                          /* whose residual is farthest over its threshold, at the peak */
    int link;                           /* that was hit */
    double residual;                    /* of that joint at the peak */
    int wrench_link;                    /* force and wrench are estimated there, at the peak */
    arne_wrench_estimate force, wrench; /* a force alone; a force and a moment */
} arne_contact;

typedef struct {
    int row;
    arne_fault fault;
} arne_fault_event;

typedef struct {
    size_t size;                    /* sizeof of this struct */
    const double *gain, *threshold; /* dof */
    bool link_side;                 /* no faults are looked for */
    int wrench_link;                /* -1: the link that was hit */
    double point[3];                /* of that link, in its axes: where force and wrench are estimated */
} arne_watch_options;

typedef struct {
    bool *touched; /* count: a contact lasts */
    int ncontact, nfault;
    arne_contact *contacts;
    arne_fault_event *faults;
} arne_events;

/* Contacts and actuator faults of the residuals; arne_events_free is due after success. */
arne_status arne_recording_events(const arne_recording *log, arne_data *d, const arne_watch_options *o, const double *residual,
                                  arne_events *out, arne_error *error);
void arne_events_free(arne_events *e);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
