/* SPDX-License-Identifier: MIT
 *
 * plan.h - motions that use what the motors have: the largest acceleration of a hand, the fastest way along a path, and the same
 * motion at a speed the robot can keep.
 *
 * Limits are those of feasible.h. Gravity, payloads, wrenches and friction are those of the data object. */
#ifndef ARNE_PLAN_H
#define ARNE_PLAN_H

#include "arne/feasible.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ---- the hand [004 section 10.2, ERRATA part two 4: 10.3] ---- */

/* A point of a link (link axes, from its origin) and a direction in world axes: three components of its acceleration, or six with
 * the angular acceleration of the link. Its length does not matter. */
typedef struct {
    size_t size; /* sizeof of this struct */
    int link;
    double point[3];
    int rows; /* 3 or 6 */
    double direction[6];
    bool pure; /* the other components (of 3, or of 6) are zero; else they are what they will */
} arne_hand_direction;

/* *most is the largest l for which torques and joint accelerations within their limits give the acceleration l
 * direction/|direction| (pure), or one with this component. Negative: even the best decelerates. -INFINITY: no torques will do
 * (pure: the hand cannot be kept on the line). INFINITY: nothing limits it. `out` may be NULL: what the joints do then; its qd is
 * not used. ARNE_BAD_ARGUMENT: also a direction of no length. After a failure *most is NAN. For data prepared with ARNE_LIMITS.
 */
arne_status arne_largest_acceleration(arne_data *d, const double *q, const double *qd, const arne_hand_direction *h, double *most,
                                      const arne_achieved *out);

/* ---- a path without time ---- */

/* Through `count` points, rows of dof: the natural cubic spline over the length of the chords; a straight line for two. A point
 * where the one before is (to 1e-9 of the length) is left out. Fails with ARNE_BAD_VALUE for fewer than two points that differ
 * and numbers that are not finite. */
typedef struct arne_curve arne_curve;
arne_status arne_curve_new(const double *points, int count, int dof, arne_curve **out, arne_error *error);
void arne_curve_free(arne_curve *c);
double arne_curve_length(const arne_curve *c);
int arne_curve_merged(const arne_curve *c);             /* points that were left out */
double arne_curve_point(const arne_curve *c, double s); /* 2.25: a quarter of the way from point 2 to point 3, counted from 1 */
/* Position and derivatives by s at s in 0 ... length; each may be NULL. */
arne_status arne_curve_at(const arne_curve *c, double s, double *q, double *q1, double *q2);

/* ---- the fastest way along it ---- */

/* 0 is the default of each. */
typedef struct {
    size_t size;                   /* sizeof of this struct */
    int grid;                      /* intervals; default: as many as it takes until the time settles, to about 0.3 % */
    double dt;                     /* of the samples; default 0.001 s */
    double velocity_scale;         /* part of all velocity limits that may be used; default 1 */
    double start_speed, end_speed; /* of s, at the ends; default rest */
    /* told now and then: the intervals of the grid, and what the motion takes with it (INFINITY: there is none yet); NULL: nobody
     */
    void (*progress)(void *context, int intervals, double time);
    void *context;
    double jerk;        /* of every joint, rad/s^3 or m/s^3, beside that of its limits; default: none */
    double effort_rate; /* of every motor behind its gear and without friction, Nm/s or N/s, the same */
} arne_plan_options;

/* A path and a timing: const, but for arne_plan_use and arne_plan_uniform, which belong to one thread. */
typedef struct arne_plan arne_plan;

/* Between start and end as fast as the limits allow, its duration a multiple of dt. Its samples, dt apart, are feasible for
 * arne_judge. ARNE_UNSUPPORTED with a sentence that says where and which joint: no timing exists, or a joint has no torque
 * limit. */
arne_status arne_plan_find(const arne_curve *c, arne_data *d, const arne_plan_options *o, arne_plan **out, arne_error *error);
void arne_plan_free(arne_plan *p);
double arne_plan_duration(const arne_plan *p);
int arne_plan_samples(const arne_plan *p); /* duration/dt + 1 */
/* State at a time in 0 ... duration; s: where on the path; may be NULL. */
arne_status arne_plan_at(const arne_plan *p, double t, double *q, double *qd, double *qdd, double *s);
/* Are there limits of jerk or torque rate, so that accelerations are continuous? */
bool arne_plan_smooth(const arne_plan *p);
/* The part of every limit that is used at a time: ARNE_LIMIT_COUNT x dof, 0 where there is no such limit. */
arne_status arne_plan_use(arne_plan *p, arne_data *d, double t, double *use);
/* What the same path takes with one smooth time law from rest to rest, 10 z^3 - 15 z^4 + 6 z^5 of z = t/duration, slow enough for
 * all limits. INFINITY: at no speed. */
arne_status arne_plan_uniform(arne_plan *p, arne_data *d, double *duration, arne_error *error);

/* ---- the same motion, slower where it must be ---- */

/* The path of a motion as fast as the limits allow, nowhere faster than commanded: cubic between the samples and exact at them;
 * s of the plan is the commanded time. ARNE_UNSUPPORTED with a sentence where no speed will do: the path leaves the position
 * limits, or a motor cannot carry the load standing still. The new duration is a multiple of dt. */
arne_status arne_retime(const arne_motion *s, arne_data *d, arne_plan **out, arne_error *error);

/* What happens on the way, over all samples. joints: dof, their torque, motor and speed; share: ARNE_LIMIT_COUNT x dof, the part
 * of the time in which a limit is used to 99 %; active: the same for any limit. row (NULL: nobody) gets the samples one by one,
 * without reactions. */
typedef struct {
    arne_joint_record *joints;
    double *share, active;
    void (*row)(void *context, const arne_motion_row *r);
    void *context;
} arne_plan_records;
arne_status arne_plan_follow(arne_plan *p, arne_data *d, arne_plan_records *out, arne_error *error);

/* ---- the map of a hand along a path ---- */

/* X(enumerator, name): along the path of the hand, to its side, against and with gravity */
#define ARNE_WAYS(X)                                                                                                             \
    X(ARNE_FORWARD, "forward")                                                                                                   \
    X(ARNE_BACKWARD, "backward") X(ARNE_LEFT, "left") X(ARNE_RIGHT, "right") X(ARNE_UP, "up") X(ARNE_DOWN, "down")
#define ARNE_WAY_ENUM(id, name) id,
typedef enum { ARNE_WAYS(ARNE_WAY_ENUM) ARNE_WAY_COUNT } arne_way;
#undef ARNE_WAY_ENUM
const char *arne_way_name(arne_way way);

typedef struct {
    double point; /* of the path, as arne_curve_point counts */
    double at[3]; /* the point of the hand, world axes */
    /* arne_largest_acceleration in each direction; NAN: the hand does not move along the path, or along gravity, so that there is
     * no such direction */
    double largest[ARNE_WAY_COUNT];
} arne_map_row;

/* At `places` places: evenly along the curve at rest, or (p not NULL) evenly in the time of a plan of it and at its speeds. The
 * direction of `hand` is not used. ARNE_UNSUPPORTED where the inertia matrix is singular. */
arne_status arne_plan_map(const arne_curve *c, const arne_plan *p, arne_data *d, const arne_hand_direction *hand, int places,
                          arne_map_row *rows, arne_error *error);
/* The first place with the least of them; -1: nothing bounds it anywhere, or there is no such direction. */
int arne_map_least(const arne_map_row *rows, int places, arne_way way);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
