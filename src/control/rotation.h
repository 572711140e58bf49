/* SPDX-License-Identifier: MIT
 *
 * rotation.h - a rotation as a vector: its axis times its angle, and back. */
#ifndef CONTROL_ROTATION_H
#define CONTROL_ROTATION_H

/* R = exp(S(v)) (row major), and the v of the smaller angle, 0 ... pi. */
void arne__rotation_exp(const double v[3], double R[9]);
void arne__rotation_log(const double R[9], double v[3]);

#endif
