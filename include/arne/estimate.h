/* SPDX-License-Identifier: MIT
 *
 * estimate.h - a recorded motion in, a model out: inertial parameters, rotors and friction from logs of positions and torques.
 * Library arne_identify (needs LAPACKE).
 *
 *     arne_identifier *i;
 *     arne_identified *found;
 *     arne_identifier_new(model, &options, &i, &error);
 *     arne_identifier_read(i, ARNE_LOG_LEARN, "log.csv", NULL, false, &error);      or arne_identifier_log and a row after the
 * other arne_identify(i, &found, &error); arne_identified_apply(found, description, &error);                     and arne_write
 * (file.h) makes a robot file of it
 *
 * Torque and every column of the regressor (regressor.h) go through one low pass of zero phase, then weighted least squares gives
 * the base parameters (identify.h) and a fit near a prior a robot that can exist: doc/identify.md. The logs are kept in a
 * temporary file: memory does not grow with their length. */
#ifndef ARNE_ESTIMATE_H
#define ARNE_ESTIMATE_H

#include "arne/identify.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef struct {
    size_t size;             /* sizeof of this struct */
    double cutoff;           /* Hz; 0: found by cross-validation; INFINITY: nothing is filtered */
    bool motor_torques;      /* torques are those at the shafts of the motors; else on the joint side of the gears */
    bool no_rotors;          /* torques are measured behind the gears: they hold no rotor inertia */
    bool uneven, stribeck;   /* dry friction that differs backwards; that decays with speed */
    const bool *joints;      /* nv: whose torques are used; NULL: of all that the logs have */
    const arne_model *prior; /* where the data are silent; same joints. NULL: the model itself */
    bool no_prior;           /* bodies of usual size in its place */
    bool delays;             /* of the torques behind the motion: found for every joint */
    double delay;            /* s, else */
    double moving;           /* rad/s or m/s: slower, a joint rests; 0: 0.02 */
    int payload;             /* 0, or a link: only what it carries is unknown; the rest is as the model says */
} arne_identify_options;

typedef enum {
    ARNE_LOG_LEARN,    /* the model is fitted to it */
    ARNE_LOG_VALIDATE, /* and judged by it; without such logs by blocks that are held out */
    ARNE_LOG_EMPTY     /* of a payload: the same robot without it; it is the reference in place of the model */
} arne_log_role;

/* A known body that a link carries in a log: makes gains of drives known, whose torques are then only proportional. */
typedef struct {
    int link;
    arne_body body;
} arne_known_load;

typedef struct arne_identifier arne_identifier;
arne_status arne_identifier_new(const arne_model *m, const arne_identify_options *options, arne_identifier **out,
                                arne_error *error);
void arne_identifier_free(arne_identifier *i);

/* degrees: angles of the file are in degrees. A file as log.h reads it: t, q, tau, perhaps qd and qdd, by number or by name;
 * joints that it does not mention rest at zero. load: NULL, none. */
arne_status arne_identifier_read(arne_identifier *i, arne_log_role role, const char *path, const arne_known_load *load,
                                 bool degrees, arne_error *error);
/* The same from a program: begins a log, whose rows follow. What it has: has_qd, has_qdd; moves, torques (nv, NULL: all): joints
 * whose positions and torques are known. */
typedef struct {
    size_t size;
    const char *name;
    arne_log_role role;
    bool has_qd, has_qdd;
    const bool *moves, *torques;
    const arne_known_load *load;
} arne_identify_log;
arne_status arne_identifier_log(arne_identifier *i, const arne_identify_log *log, arne_error *error);
/* q: nq; qd, qdd: nv, not looked at where the log has none; tau: nv. ARNE_BAD_VALUE: the time does not rise, a number is none. */
arne_status arne_identifier_row(arne_identifier *i, double t, const double *q, const double *qd, const double *qdd,
                                const double *tau, arne_error *error);

/* A number that was found. */
typedef struct {
    char name[24];           /* base parameters "ZZ1", motors "IA6", friction "FV1" "FS1" "FO1" (offset), "FD1" (uneven) */
    double value, deviation; /* plain weighted least squares; deviation: standard, for residuals that are correlated */
    double consistent;       /* of the fit that can exist */
    double before;           /* of the model one began with */
    bool grouped;            /* it is more than the standard parameter itself: people see ZZR1 */
    bool seen;               /* the logs tell it; else value is 0, deviation infinite, and `why` says why */
    const char *why;
} arne_identified_parameter;

/* Errors: norm of (torque - model) over norm of torque, both through the same low pass, on data that were not used. */
typedef struct {
    const char *name;
    int velocity;                        /* of nv */
    double error, error_moving;          /* of the consistent fit */
    double error_resting;                /* NAN: it never rests */
    double error_least_squares;          /* of the plain one */
    double error_before;                 /* of the model one began with */
    double viscous, coulomb, offset;     /* at the joint, of the consistent fit */
    double coulomb_negative;             /* 0: as coulomb */
    double static_, stribeck_velocity;   /* 0: none */
    double rotor;                        /* inertia behind the gear, kg m^2 */
    double motor_viscous, motor_coulomb; /* of a motor that a transmission couples, on its own speed behind the gear */
    double deviation[4];                 /* of viscous, coulomb, offset, rotor; INFINITY: the logs do not tell it */
    double noise;                        /* Nm: root mean square of the residual */
    double moves;                        /* part of the log in which it moves, 0 ... 1 */
    double delay;                        /* s */
    double gain;                         /* of its drive, 1 unless a known load tells it; NAN: it cannot be known */
    double least, most;                  /* position: what the logs reach */
} arne_identified_joint;

/* What a joint moves: one rigid body with all that is fixed to it. */
typedef struct {
    const char *link; /* that the joint moves; body in its axes */
    arne_body body, prior;
    double data; /* 0 ... 1: how much of its mass the data tell, the rest is the prior's */
    bool felt;   /* some torque that was used depends on it; else it is as it was */
    bool mended; /* the prior could not exist (no mass, no inertia) and was completed */
} arne_identified_body;

/* Torques of data that were not used, for pictures: count rows, count x joints each, row after row; at most
 * ARNE_IDENTIFY_ROWS, the first ones. */
enum { ARNE_IDENTIFY_ROWS = 20000 };
typedef struct {
    int count;
    double period; /* of the rows; at borders of logs t jumps */
    double *t;
    double *measured, *predicted, *least_squares, *before;
} arne_identified_series;

typedef struct {
    double hz, error; /* error: mean over the joints, held out */
} arne_identified_cutoff;

typedef struct {
    arne_body body;
    double deviation[10]; /* mass, com, inertia */
    bool told;            /* the motion tells all of it; else what it does not is near a ball of 1 kg at the link's origin */
} arne_identified_payload;

typedef struct {
    int nparameter, njoint, nbody, ncutoff, nwarning;
    arne_identified_parameter *parameters;
    arne_identified_joint *joints; /* those whose torques were used, in the order of the robot */
    arne_identified_body *bodies;  /* arne_model_bodies */
    double *K;                     /* 11 bodies, of the consistent fit, as arne_set_parameters takes them */
    bool consistent;
    double cutoff; /* Hz, INFINITY: none */
    arne_identified_cutoff *cutoffs;
    double prior_weight; /* gamma of doc/identify.md (7) */
    double condition;    /* of the weighted base regressor with columns of length 1 */
    long rows;           /* of the logs that it learned from */
    double rate;         /* Hz */
    double duration;     /* s */
    int gaps;            /* places where rows are missing */
    bool validated;      /* by other logs; else by five folds of blocks */
    double seconds;      /* it took */
    arne_identified_series series;
    const char *payload_link;        /* NULL: the whole robot was asked for */
    arne_identified_payload payload; /* where options ask for one */
    char **warnings;                 /* one sentence each */
} arne_identified;

arne_status arne_identify(arne_identifier *i, arne_identified **out, arne_error *error);
void arne_identified_free(arne_identified *r);

/* Puts bodies, rotors and friction into the description that the model was built from: the link of a joint takes the whole body,
 * what is fixed to it weighs nothing then. A payload becomes part of its link. */
arne_status arne_identified_apply(const arne_identified *r, arne_description *d, arne_error *error);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
