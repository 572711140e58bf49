/* SPDX-License-Identifier: MIT
 *
 * state.h - what each text remembers of a link between its passes, and the work memory of a thread. */
#ifndef ALGO_STATE_H
#define ALGO_STATE_H

#include "model/robot.h"
#include "space/types.h"

/* recursive Newton-Euler: the motion of a link, */
typedef struct {
    vec3 w, wd, a; /* angular velocity and acceleration, acceleration of the origin with -g */
    mat3 U;        /* wd^ + w^ w^ [003 eq. 9.90] */
} motion_state;
/* and the wrench on it from its parent, at the link origin */
typedef struct {
    vec3 f, m;
} passed_state;

/* gravity torques, momentum and energy: masses and momenta outboard */
typedef struct {
    vec3 w, v, a;
    num M;
    vec3 MS;
    vec3 f, m;
} sum_state;

/* composite bodies */
typedef struct {
    num M;
    vec3 MS;
    sym3 J;
} crba_state;

/* articulated bodies: J* = [A B; B' C] on (linear; angular) acceleration, beta* as force and moment */
typedef struct {
    sym3 A;
    mat3 B;
    sym3 C;
    vec3 f, m;
} aba_body;
typedef struct {
    vec3 gv, gw;   /* gamma [003 eq. 9.101] */
    vec3 uf, um;   /* J* a */
    num H, tau;    /* [003 eq. 9.116], tau + a' beta* */
    aba_body body; /* beta; where several links hang on this one, sums over the later ones */
    vec3 w, a, wd; /* there too: what they go on from */
} aba_state;

/* NE*: two angular velocities */
typedef struct {
    vec3 w, wa, al, a;
    mat3 U;
    vec3 f, m;
} star_state;

/* seen from the base, in base axes about the base origin: frame; screw (sv, z), its rate (dv, dw); velocity; composite body,
 * momentum,
 * B */
typedef struct {
    vec3 x, y, z, o;
    vec3 sv, dv, dw, v, w;
    num M;
    vec3 MS, P;
    sym3 J;
    mat3 B;
} world_state;

/* wrenches that keep their axes while the link moves, about one point that rests: force and moment; of those whose own point goes
 * with the link, the force and the sum of f p' - p.f E */
typedef struct {
    vec3 f, n, F;
    mat3 P;
} kept_state;

/* sums of what a link carries, of such wrenches: algo/second.h */
typedef struct {
    mat3 turn, shift;
} second_state;

typedef union {
    motion_state motion;
    sum_state sum;
    crba_state crba;
    aba_state aba;
    star_state star;
    world_state world;
    second_state second;
} link_state;

/* a joint of several freedoms: where it has taken its link; articulated bodies, freedom by freedom */
typedef struct {
    placement at;
    vec3 uf[6], um[6];
    num H[6], tau[6];
} wide_state;

/* s, c: of every position, padded to TURNS_PAD; row, column: nv; matrix: nv x nv; screws: algo/screws.h; columns: nv times 3
 * COLUMNS; the others: of every link */
typedef struct {
    turns_fn *evaluate; /* of double texts: the widest that the machine has */
    num *s, *c;
    link_state *link;
    passed_state *passed; /* apart: all that recursive Newton-Euler needs of every link at once */
    wide_state *wide;     /* joints of several freedoms */
    vec3 *force, *moment; /* external wrenches on the links, link axes */
    num *row, *column;
    num *matrix;
    num *all; /* where joints follow others: position, four velocities, a result of all joints */
    kept_state *kept;
    num *screws, *columns;
} work;

#endif
