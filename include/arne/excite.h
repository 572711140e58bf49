/* SPDX-License-Identifier: MIT
 *
 * excite.h - the motion that identifies a robot best: a Fourier series a joint [Swevers 1997], inside all limits, whose weighted
 * base regressor has the least condition number [Gautier 1992] or leaves the parameters the least uncertainty. Library
 * arne_identify (needs LAPACKE). doc/excite.md has the derivation. */
#ifndef ARNE_EXCITE_H
#define ARNE_EXCITE_H

#include "arne/settings.h"
#include "arne/trajectory.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* CONDITION: largest over smallest singular value of the weighted regressor. VOLUME: determinant of the covariance of the
 * parameters; what is told is its 2p-th root, the geometric mean of their deviations. */
typedef enum { ARNE_EXCITE_CONDITION, ARNE_EXCITE_VOLUME, ARNE_EXCITE_COUNT } arne_excite_criterion;

/* 0 and NULL are the default of each. */
typedef struct {
    size_t size;   /* sizeof of this struct */
    double period; /* s; default 10 */
    int harmonics; /* default: up to 0.6 Hz, 3 ... 12 */
    arne_excite_criterion criterion;
    int randoms; /* motions at random, of which the best are starts; default 1000 */
    int starts;  /* default 3 */
    int steps;   /* of the descent from each, default 600 */
    unsigned seed;
    double scale;                  /* part of every limit that is used; default 0.9 */
    double velocity, acceleration; /* no joint has more, beside its own limits; default: no such limit */
    const double *around;          /* dof: no joint moves further than `amplitude` from here; NULL: only its limits bound it */
    double amplitude;              /* rad or m */
    const double *noise;           /* dof: deviations of the measured torques; default: in proportion to the torque limits */
    const double *box;             /* world axes: x y z of the lower, then of the upper corner; NULL: none */
    int link;                      /* whose origin stays in the box, 0: the tip (arne_model_tip) */
    bool no_rotors;                /* rotor inertias are not identified */
    bool no_friction;              /* nor viscous and Coulomb friction and offsets of the joints */
    bool (*progress)(void *context, int done, int of, double best); /* after every start; false: stop here. NULL: nobody */
    void *context;
} arne_excite_options;

/* What limits a joint, already the part that is used, and what of it the motion takes. */
typedef struct {
    double lower, upper, velocity, acceleration; /* limits */
    bool no_range, no_velocity, no_acceleration; /* neither robot nor options give one: assumed */
    bool no_torque;                              /* nor this: not bounded */
    double from, to, speed, most;                /* of the motion: positions, largest speed and acceleration */
    double torque, torque_part;                  /* largest; largest part of its limit, all of it, in use */
    double noise;                                /* of its torque, as it was weighted */
} arne_excite_joint;

/* q_i(t) = mean_i + sum_k sine_ki sin(k w t) + cosine_ki cos(k w t), k = 1 ... harmonics, w = 2 pi/period: at rest and without
 * acceleration at t = 0 and after every period. */
typedef struct {
    int dof, harmonics;
    double period;
    double *mean, *sine, *cosine; /* dof; harmonics x dof */
    int parameters;               /* columns of the regressor */
    int inertial, friction;       /* of them: base inertial parameters; friction and offsets of the joints */
    double condition, volume;
    double random_condition, random_volume; /* of the best of the random motions by the criterion */
    int randoms, starts;
    arne_excite_joint *joints; /* dof */
    double hand[6];            /* where the link of the box goes: lowest x y z, highest x y z; NAN: no box */
} arne_excitation;

/* The robot as it is thought to be, with its payloads and gravity, is in the settings: it gives the torques. ARNE_UNSUPPORTED: a
 * joint of several freedoms, nothing to identify; ARNE_BAD_VALUE: no motion fits into the limits, with a sentence. */
arne_status arne_excite(const arne_settings *prior, const arne_excite_options *options, arne_excitation **out, arne_error *error);
void arne_excitation_free(arne_excitation *e);
/* So many periods of it, from t = 0. */
arne_status arne_excitation_trajectory(const arne_excitation *e, int periods, arne_trajectory **out, arne_error *error);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
