/* SPDX-License-Identifier: MIT
 *
 * regressor.h - torques as a linear function of the inertial parameters: tau = Y(q,qd,qdd) K [003 eq. 9.36].
 *
 * A link has eleven standard parameters in its modified-DH frame: inertia about the origin XX XY XZ YY YZ ZZ (tensor entries),
 * first moments MX MY MZ, mass M, rotor inertia at the joint IA [003 eq. 9.42, 9.63]. Parameter 11 i + c is number c of the link
 * that joint i moves, with all that is fixed to it. A robot given in modified DH keeps its frames; others have canonical ones
 * (arne_base_frame in identify.h). Y K is arne_id without friction and wrenches. */
#ifndef ARNE_REGRESSOR_H
#define ARNE_REGRESSOR_H

#include "arne/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

enum { ARNE_LINK_PARAMETERS = 11, ARNE_LOAD_PARAMETERS = 10 };

/* Y: nv x 11 joints, row major. Gravity and the rotor switch are those of d; IA columns are zero where rotors are switched off,
 * and of spherical and free joints, which no motor drives. */
arne_status arne_regressor(arne_data *d, const double *q, const double *qd, const double *qdd, double *Y);
/* K: 11 joints, payloads included; arne_set_parameters (settings.h) takes them back. With a coupled transmission IA_k is the
 * inertia of motor k behind its gear. */
arne_status arne_parameters(const arne_settings *s, double *K);

/* With two more columns a joint after all the others: FV (qd) and FS (sign of qd) [003 eq. 9.27]. Y: nv x 13 joints, K: 13
 * joints. Laws that are not linear (Stribeck, points) and friction of coupled motors are not in them. */
arne_status arne_regressor_friction(arne_data *d, const double *q, const double *qd, const double *qdd, double *Y);
arne_status arne_parameters_friction(const arne_settings *s, double *K);

/* Orders of the parameters of a link by name:
 *     symoro, khalil   XX XY XZ YY YZ ZZ MX MY MZ M IA
 *     pinocchio        M MX MY MZ XX XY YY XZ YZ ZZ IA */
typedef enum { ARNE_ORDER_SYMORO, ARNE_ORDER_KHALIL, ARNE_ORDER_PINOCCHIO, ARNE_ORDER_COUNT } arne_parameter_order;
const char *arne_order_name(arne_parameter_order order);
int arne_order_find(const char *name); /* -1: no such order */

/* Puts the eleven columns of every link into another order, in place: `rows` rows of `width` numbers, the first 11 joints of them
 * in the order of arne_regressor. A vector K is one row. */
void arne_reorder(arne_parameter_order order, int joints, int rows, int width, double *Y);

/* The name of a parameter: "XX1" ... "IA7", "FV1", "FS1" ... after them. */
void arne_parameter_name(int joints, int parameter, char name[16]);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
