/* SPDX-License-Identifier: MIT
 *
 * identify.h - base inertial parameters: the fewest that give all torques of a robot. Library arne_identify (needs LAPACKE).
 *
 *     tau = Y K = Y_B K_B,   K_B = K_1 + beta K_2          [003 eq. 9.36-9.40]
 *
 * The columns of the regressor (regressor.h) are taken in their order, link 1 first; the first independent ones stay. Geometry
 * and gravity alone decide, whatever the inertias of the robot are. Coefficients come from the grouping rules of [003 9.4.2],
 * completed as doc/base.md says, and are checked against an orthogonalization of sampled regressors; where the two differ the
 * numbers win. */
#ifndef ARNE_IDENTIFY_H
#define ARNE_IDENTIFY_H

#include "arne/regressor.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* Parameters are numbered as in regressor.h: 11 i + c. */
typedef struct {
    int parameter;
    double coefficient;
    char *expression; /* "1", "-1", "2*r4", "d3^2": dimensions of the frames below; a number where the rules have no answer */
} arne_base_term;

/* K_B of one column that stays: the sum of coefficient times standard parameter, itself first. */
typedef struct {
    int parameter;
    int nterm;
    arne_base_term *terms;
} arne_base_parameter;

/* The frame that the parameters of a link refer to, from its parent link (from the base) at q = 0:
 * Rot(z,gamma) Trans(z,b) Rot(x,alpha) Trans(x,d) Rot(z,theta) Trans(z,r), the joint moves theta or r. A spherical or free joint
 * moves its link away from there. */
typedef struct {
    double gamma, b, alpha, d, theta, r;
    bool dh;     /* false: axes nearly parallel; b, d, r are zero, the rotation holds and the origin is p */
    double p[3]; /* origin in the parent frame */
} arne_base_frame;

typedef struct {
    int joints;
    int count, count_without_rotors;
    arne_base_parameter *parameters; /* count */
    int nno_effect, ngrouped;
    int *no_effect, *grouped; /* no torque depends on them; they are terms of others */
    bool by_rules;            /* the rules agree with the numbers; else coefficients and expressions are numbers */
    arne_base_frame *frames;  /* joints */
} arne_base;

typedef struct {
    size_t size;             /* sizeof of this struct */
    bool no_rotors;          /* without the IA of all joints */
    const double *gravity;   /* base axes, NULL: the model's */
    const double *structure; /* 11 joints or NULL: a standard parameter that is zero here is left out, as [003 table 9.4] does */
} arne_base_options;

/* Time and memory grow with the cube and the square of the joints: a second at 40 joints, a quarter of a minute at 100, two
 * minutes and 300 MB at 200. */
enum { ARNE_BASE_MOST_JOINTS = 200 };

/* options may be NULL. ARNE_UNSUPPORTED: more than ARNE_BASE_MOST_JOINTS, or none. */
arne_status arne_base_find(const arne_model *m, const arne_base_options *options, arne_base **out, arne_error *error);
void arne_base_free(arne_base *b);

/* The columns that stay, of `rows` rows of a regressor in the order of arne_regressor: Y rows x 11 joints, YB rows x count. */
arne_status arne_base_columns(const arne_base *b, int rows, const double *Y, double *YB);
/* K_B of a vector K of arne_parameters: YB KB = Y K. */
arne_status arne_base_values(const arne_base *b, const double *K, double *KB);
/* The same as standard parameters, 11 joints: K_B where a parameter stays, zero elsewhere: Y G = Y K. G may be K. */
arne_status arne_base_grouped(const arne_base *b, const double *K, double *G);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
