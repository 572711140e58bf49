/* SPDX-License-Identifier: MIT
 *
 * pose.h - products and inverses of rigid transforms (arne_pose). */
#ifndef DESCRIBE_POSE_H
#define DESCRIBE_POSE_H

#include "arne/description.h"

#pragma GCC visibility push(default) /* used by more than one library */

/* Cosine and sine; exactly 0, 1 or -1 where the angle is a multiple of a quarter turn but for the rounding of its digits:
 * within 4e-16 max(1, |angle|). */
void arne__exact_cos_sin(double angle, double *c, double *s);

arne_pose arne__pose_identity(void);
arne_pose arne__pose_mul(const arne_pose *a, const arne_pose *b); /* x = a(b(y)) */
arne_pose arne__pose_inverse(const arne_pose *a);

#pragma GCC visibility pop
#endif
