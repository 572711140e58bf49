/* SPDX-License-Identifier: MIT
 *
 * robot.h - the robot every text reads: integers and constants of the current kind in one block of memory, no pointers, so that a
 * copy of its bytes is the same robot in another thread, on another machine or on a GPU.
 *
 * Link i hangs on joint i, parent < i. Its frame is a modified-DH frame: from the parent frame Rz(gamma) Rx(alpha) and the offset
 * p, then Rz(theta), then the motion about z (revolute) or along z (prismatic). A joint of several freedoms has the frame of the
 * file, and the constant rotation before it among the base frames. All inertias are about the link origin in link axes. What
 * there is stands in robot.def. */
#ifndef MODEL_ROBOT_H
#define MODEL_ROBOT_H

#include <stddef.h>

#include "arne/settings.h"
#include "num/kind.h"
#include "num/turns.h"

#pragma GCC visibility push(default) /* used by more than one library */

enum { REVOLUTE, PRISMATIC, SPHERICAL, FREE };
enum { TWIST_ANY, TWIST_NONE, TWIST_LEFT, TWIST_RIGHT };  /* alpha: any, 0, a right angle, minus one */
enum { LAW_NONE, LAW_COULOMB, LAW_STRIBECK, LAW_POINTS }; /* friction laws */

#define ROBOT_COUNT_1
#define ROBOT_COUNT_3 [3]
#define ROBOT_COUNT_6 [6]
#define ROBOT_COUNT_9 [9]
#define ROBOT_FIELD(field, count, role, names) par field ROBOT_COUNT_##count;

typedef struct {
#define INTEGER(field) int field;
#include "model/robot.def"
} link_integers;

typedef struct {
#define INTEGER(field) int field;
#define LINK ROBOT_FIELD
#include "model/robot.def"
} robot_link;

typedef struct {
#define BASE ROBOT_FIELD
#include "model/robot.def"
} base_frame;

/* A named link of the file: its frame in that of the link `body` (-1: the base, pose in the world). */
typedef struct {
    int body;
#define FRAME ROBOT_FIELD
#include "model/robot.def"
} named_frame;

/* How many there are of what, and where it stands, in bytes from the beginning of the robot (0: nowhere). */
typedef struct {
    int nbase, nframe, npoint, most_wrenches;
    size_t bytes, base_at, frame_at;
#define MOTORS(field, squares, role, name) size_t field##_at;
#include "model/robot.def"
    /* what is the same in every kind: turns, parents for the factorization, points of friction laws, wrenches */
    size_t turns_at, chain_at, point_at, wrench_at, follow_at;
} robot_places;

typedef struct {
    int n, nq, nv;        /* links with their joints; positions; velocities */
    int nwrench;          /* -1: work->force and work->moment are given */
    int friction, rotors; /* switches */
    int nwide;            /* joints of several freedoms */
    int nfollow;          /* joints that follow others */
} robot_counts;

typedef struct {
    int n, nq, nv, nwrench, friction, rotors, nwide, nfollow; /* as robot_counts */
    robot_places at;
#define WHOLE ROBOT_FIELD
#include "model/robot.def"
    robot_link link[]; /* n */
} robot;

static inline robot_counts robot_count(const robot *r)
{
    return (robot_counts){r->n, r->nq, r->nv, r->nwrench, r->friction, r->rotors, r->nwide, r->nfollow};
}

/* positions and velocities that users see: those of joints that move by themselves */
static inline int robot_nq(const robot *r) { return r->nq - r->nfollow; }
static inline int robot_nv(const robot *r) { return r->nv - r->nfollow; }

#define ROBOT_PLACE(type, name, index)                                                                                           \
    static inline const type *robot_##name(const robot *r, int i)                                                                \
    {                                                                                                                            \
        return (const type *)(const void *)((const char *)r + r->at.name##_at) + (index);                                        \
    }
ROBOT_PLACE(base_frame, base, i)
ROBOT_PLACE(named_frame, frame, i)
ROBOT_PLACE(arne_wrench, wrench, i) /* `link` is an index of a named frame */
typedef double robot_pair[2];
ROBOT_PLACE(robot_pair, point, i) /* velocity and torque */
/* nv numbers each: parents for the factorization, the velocity before where motors or masters couple joints; the first of the
 * velocities that lead to each without a gap, every one the parent of the next; the last that goes back to each; and by the tree
 * alone the last that each one's joint carries */
ROBOT_PLACE(int, chain, i)
/* Where joints follow others: each of the nq positions, then of the nv velocities. own: its number among those that users see, or
 * its master's; master: the one it follows, -1: none, x = ratio x_master + offset. place: where number i of those that users see
 * stands among all, and behind them where those stand that follow; run: of how many numbers from i on that is one place after the
 * other. */
typedef struct {
    int own, master, place, run;
    double ratio, offset;
} robot_follower;
ROBOT_PLACE(robot_follower, follow, i)
#undef ROBOT_PLACE
static inline const robot_follower *robot_q(const robot *r, int i) { return robot_follow(r, i); }
static inline const robot_follower *robot_v(const robot *r, int i) { return robot_follow(r, r->nq + i); }
/* the first position and velocity of a joint as users see them; whether they are its own */
static inline int robot_own_q(const robot *r, const robot_link *l) { return r->nfollow ? robot_q(r, l->iq)->own : l->iq; }
static inline int robot_own_v(const robot *r, const robot_link *l) { return r->nfollow ? robot_v(r, l->iv)->own : l->iv; }
static inline bool robot_follows(const robot *r, const robot_link *l) { return r->nfollow && robot_v(r, l->iv)->master >= 0; }

/* nv x nv or nv numbers of coupled motors, NULL: every motor drives its own joint */
#define MOTORS(field, squares, role, name)                                                                                       \
    static inline const par *robot_##field(const robot *r)                                                                       \
    {                                                                                                                            \
        return r->at.field##_at ? (const par *)(const void *)((const char *)r + r->at.field##_at) : NULL;                        \
    }
#include "model/robot.def"

/* the turns of all positions; evaluate: what a double text takes for its sines and cosines */
static inline turn_table robot_turns(const robot *r, turns_fn *evaluate)
{
    const size_t padded = turns_padded(r->nq);
    const double *scale = (const double *)(const void *)((const char *)r + r->at.turns_at);
    return (turn_table){r->nq, scale, scale + padded, (const long long *)(const void *)(scale + 2 * padded), evaluate};
}

/* Which constant: the row of robot.def, the link (base frame, named frame; the row of a matrix of the motors) and which of its
 * numbers. */
typedef enum {
#define LINK(field, count, role, names) ROBOT_LINK_##field,
#define BASE(field, count, role, names) ROBOT_BASE_##field,
#define FRAME(field, count, role, names) ROBOT_FRAME_##field,
#define WHOLE(field, count, role, names) ROBOT_WHOLE_##field,
#define CENTRAL(field, count, role, names) ROBOT_CENTRAL_##field,
#define MOTORS(field, squares, role, name) ROBOT_MOTORS_##field,
#include "model/robot.def"
    ROBOT_ROWS
} robot_row;

typedef enum { ROBOT_GEOMETRY, ROBOT_INERTIA, ROBOT_ROTOR, ROBOT_FRICTION, ROBOT_GRAVITY } robot_role;

/* robot_of.c: the robot of a kind from the robot in doubles. `make` turns a constant into one of the kind (NULL: con). Returns
 * the bytes it takes; memory NULL: counts only. */
typedef par EXPORT(robot_maker)(void *context, robot_row row, int link, int index, double value);
size_t EXPORT(robot_of)(const void *doubles, void *memory, EXPORT(robot_maker) * make, void *context);
size_t EXPORT(robot_copy)(const void *doubles, void *memory); /* by con */

/* robot.c, for the other kinds: a robot in doubles read without its type */
robot_counts arne__robot_counts(const void *doubles);
const robot_places *arne__robot_places(const void *doubles);
link_integers arne__robot_integers(const void *doubles, int link);
int arne__robot_body(const void *doubles, int frame);
double arne__robot_constant(const void *doubles, robot_row row, int link, int index);
/* Places and bytes of a robot from its counts, for structs and constants of these sizes. */
typedef struct {
    size_t head, link, base, frame, constant;
} robot_sizes;
#define ROBOT_SIZES ((robot_sizes){sizeof(robot), sizeof(robot_link), sizeof(base_frame), sizeof(named_frame), sizeof(par)})
void arne__robot_place(robot_counts n, bool coupled, robot_sizes size, robot_places *at);

/* what a row is about, and the name of one of its numbers without the number of the link, e.g. "XX" */
robot_role arne__robot_role(robot_row row);
void arne__robot_name(robot_row row, int index, char name[16]);

#pragma GCC visibility pop
#endif
