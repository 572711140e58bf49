/* SPDX-License-Identifier: MIT
 *
 * texts.h - what the texts offer, in every number kind. Vectors have nv entries (q: nq), matrices nv x nv row major, joints
 * that follow included; run, factor and solve are for those that move by themselves (follow.c). The list for
 * users is texts.def. */
#ifndef ALGO_TEXTS_H
#define ALGO_TEXTS_H

#include <stddef.h>

#include "algo/state.h"

/* work.c: places the work arrays of a robot in memory (aligned to 64 bytes) and returns the bytes they take; NULL: counts only.
 * The memory must have been zero once. */
size_t EXPORT(work)(robot_counts n, void *memory, work *k);

/* friction.c: of one axis with the points of its law, sliding towards s (-1 ... 1); tau += sign * friction(qd); alone */
num EXPORT(sliding)(const robot_link *l, const robot_pair *point, num v, num s);
void EXPORT(friction)(const robot *r, const work *k, const num *qd, num *tau, int sign_of_it);
void EXPORT(friction_torques)(const robot *r, const work *k, const num *qd, num *tau);

/* wrench.c: external wrenches of the robot into work->force and work->moment, link axes; needs joint_turns */
void EXPORT(wrenches)(const robot *r, const work *k, const num *q);

/* rne.c; joint_wrenches: n x 6 */
void EXPORT(id)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, num *tau);
void EXPORT(bias)(const robot *r, const work *k, const num *q, const num *qd, num *tau);
void EXPORT(coriolis)(const robot *r, const work *k, const num *q, const num *qd, num *tau);
void EXPORT(joint_wrenches)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, num *w);

/* regressor.c: tau = Y K, nv x 11 n, columns XX XY XZ YY YZ ZZ MX MY MZ M IA of every link; of a load on frame `f`, in its axes:
 * the first ten, nv x 10; blank: Y is zero already where no joint moves the link */
enum { REGRESSOR_BODY = 10, REGRESSOR_LINK = 11 };
void EXPORT(regressor)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, num *Y);
void EXPORT(did_payload)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, int f, int blank, num *Y);
/* parameters.c: the same of accelerations, which leave M = L'DL in work->matrix; Y of `width` columns becomes -M^-1 Y */
void EXPORT(dfd_parameters)(const robot *r, const work *k, const num *q, const num *qd, const num *tau, num *Y);
void EXPORT(dfd_payload)(const robot *r, const work *k, const num *q, const num *qd, const num *tau, int f, num *Y);
void EXPORT(dfd_columns)(const robot *r, const num *LD, int width, num *Y);

/* coriolis.c: NE*(q, qd, qa, qdd); C with Mdot = C + C'. factor: arne_factor_choice */
void EXPORT(star)(const robot *r, const work *k, int factor, const num *q, const num *qd, const num *qa, const num *qdd,
                  num *tau);
void EXPORT(coriolis_matrix)(const robot *r, const work *k, int factor, const num *q, const num *qd, num *C);

/* did.c: the same C for Christoffel's symbols */
void EXPORT(coriolis_screws)(const robot *r, const work *k, const num *q, const num *qd, num *C);

/* sums.c */
void EXPORT(gravity)(const robot *r, const work *k, const num *q, num *tau);
void EXPORT(momentum)(const robot *r, const work *k, const num *q, const num *qd, num *p);
/* p = M qd, C'qd = dT/dq and gravity torques in one forward and one backward pass */
void EXPORT(momentum_terms)(const robot *r, const work *k, const num *q, const num *qd, num *p, num *ctqd, num *g);
void EXPORT(ctqd)(const robot *r, const work *k, const num *q, const num *qd, num *y);
void EXPORT(energy)(const robot *r, const work *k, const num *q, const num *qd, num *E); /* kinetic, potential */

/* crba.c, ltdl.c, aba.c */
void EXPORT(mass)(const robot *r, const work *k, const num *q, num *M);
void EXPORT(rotor_matrix)(const robot *r, num *M); /* M += rotor inertias */
void EXPORT(factor)(const robot *r, num *M);
void EXPORT(solve)(const robot *r, const num *LD, num *x);
void EXPORT(fd)(const robot *r, const work *k, const num *q, const num *qd, const num *tau, num *qdd);
void EXPORT(fd_crba)(const robot *r, const work *k, const num *q, const num *qd, const num *tau, num *qdd);
void EXPORT(fd_aba)(const robot *r, const work *k, const num *q, const num *qd, const num *tau, num *qdd);

/* follow.c: positions (position 1) or velocities of all joints from those of joints that move by themselves; a result of all
 * joints led back: rows x columns numbers, either or both of them velocities, to another place; inverse and forward (ltdl.c)
 * dynamics of robots where joints follow */
void EXPORT(follow)(const robot *r, const num *x, int position, num *all);
void EXPORT(lead)(const robot *r, int rows, int columns, int by_row, int by_column, const num *all, num *y);
void EXPORT(id_follow)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, num *tau);
void EXPORT(fd_follow)(const robot *r, const work *k, const num *q, const num *qd, const num *tau, num *qdd);
/* did.c, dfd.c: three matrices one after the other, by q, qd, and by qdd or tau; dfd leaves the pivots of M in work->row */
void EXPORT(did)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, num *D);
void EXPORT(dfd)(const robot *r, const work *k, const num *q, const num *qd, const num *tau, num *D);

/* d2id.c: four tensors nv x nv x nv one after the other, q q, q qd, qd qd, q qdd; where joints follow, of those that move by
 * themselves already. d2id_times.c: the same times x of every torque, four matrices */
void EXPORT(d2id)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, num *y);
void EXPORT(d2id_times)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, const num *x, num *y);

/* frame.c, kin.c: frame `f` of the robot. With joint_turns done: R row major; v linear then angular, link axes at the link origin
 */
void EXPORT(frame_pose)(const robot *r, const work *k, const num *q, int f, num R[9], num p[3]);
void EXPORT(frame_velocity)(const robot *r, const work *k, const num *q, const num *qd, int f, num v[6]);
/* the rate of a position: qd, or for joints of several freedoms the rates of place and quaternion */
void EXPORT(position_rate)(const robot *r, const num *q, const num *qd, num *rate);
/* x: position, rotation; v and the rows of J in axes of choice (arne_frame); blank: J is zero already where no joint moves the
 * link
 */
void EXPORT(pose)(const robot *r, const work *k, const num *q, int f, num *x);
void EXPORT(velocity)(const robot *r, const work *k, const num *q, const num *qd, int f, int axes, num *v);
void EXPORT(jacobian)(const robot *r, const work *k, const num *q, int f, int axes, int blank, num *J);

/* whole.c; com: position, velocity, mass; centroidal: momentum, its matrix 6 x nv; the others in axes of choice (arne_frame) */
void EXPORT(com)(const robot *r, const work *k, const num *q, const num *qd, num *y);
void EXPORT(com_jacobian)(const robot *r, const work *k, const num *q, num *J);
void EXPORT(centroidal)(const robot *r, const work *k, const num *q, const num *qd, num *y);
void EXPORT(jacobian_dot)(const robot *r, const work *k, const num *q, const num *qd, int f, int axes, int blank, num *D);
void EXPORT(acceleration)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, int f, int axes, num *a);

/* kind/run.c: any row of texts.def */
typedef struct {
    const num *q, *qd, *qdd, *tau, *qa; /* those that the row reads */
    int link, axes, factor;
    int blank; /* y is zero wherever this row leaves zeros */
} text_input;
void EXPORT(run)(int row, const robot *r, const work *k, const text_input *in, num *y);

#endif
