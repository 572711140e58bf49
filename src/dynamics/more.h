/* SPDX-License-Identifier: MIT
 *
 * more.h - what prepare.c makes memory for. */
#ifndef DYNAMICS_MORE_H
#define DYNAMICS_MORE_H

#include "arne/quantity.h"
#include "dynamics/data.h"

size_t arne__derivative_bytes(robot_counts n);             /* derive.c */
size_t arne__lanes_bytes(robot_counts n, int room);        /* batch.c */
size_t arne__lanes32_bytes(robot_counts n, int room);      /* batch.c */
size_t arne__forms_bytes(const arne_model *m);             /* forms.c */
void arne__forms_place(const arne_model *m, void *memory); /* forms.c */
/* control/hand_work.c, plan/limits.c: the bytes; memory NULL: counts only, else it is made ready */
size_t arne__hand_work(const arne_model *m, void *memory);
size_t arne__limits_work(const arne_model *m, void *memory);

/* model/robot_of.c: the robot in floats from the one in doubles; its bytes, memory NULL: counts only */
size_t arne__text_robot_copy_f32(const void *doubles, void *memory);

/* quantity.c: ARNE_OK if data, quantity, its inputs (q qd qdd tau qa) and options are there; fills *o */
arne_status arne__quantity_check(const arne_data *d, int quantity, const arne_quantity_options *given, const void *const x[5],
                                 const void *out, arne_quantity_options *o);
bool arne__quantity_derives(int quantity); /* derivatives by positions and velocities that need no inverse */

/* derive.c: whether numbers are finite and so small that nothing made of them overflows; ARNE_NOT_FINITE, with the joint and
 * zeros in the parts (`size` numbers each, NULL: none), where those of x (q, qd, qdd; qa may be NULL) are not and the parts are
 * not finite */
bool arne__in_reach(const double *x, int n);
arne_status arne__finish_derivatives(arne_data *d, const arne_state *x, int parts, double *const part[], size_t size);

#endif
