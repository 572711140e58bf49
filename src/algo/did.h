/* SPDX-License-Identifier: MIT
 *
 * did.h - the passes of did.c, which derivatives of forward dynamics share. */
#ifndef ALGO_DID_H
#define ALGO_DID_H

#include "algo/screws.h"
#include "algo/texts.h"

/* frames, velocities, accelerations (qdd NULL: those at rest), wrenches of the links */
void EXPORT(did_outward)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd);
/* what each link carries; then the inertia matrix with its rotors */
void EXPORT(did_inward)(const robot *r, const work *k);
void EXPORT(did_mass)(const robot *r, const work *k, num *M);
/* all of it: the derivatives, each in a place of its own */
void EXPORT(did_parts)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, num *dq, num *dqd, num *dqdd);
/* the inertia matrix by itself */
void EXPORT(mass_deep)(const robot *r, const work *k, const num *q, num *M);
/* the derivatives by q and qd */
void EXPORT(did_rows)(const robot *r, const work *k, const num *qd, num *dq, num *dqd);

/* dfd.c: the derivatives of forward dynamics, each in a place of its own; the pivots of M in work->row, which are no numbers
 * where the accelerations are none */
void EXPORT(dfd_parts)(const robot *r, const work *k, const num *q, const num *qd, const num *tau, num *dq, num *dqd, num *dtau);
/* from those of inverse dynamics, in place, and M factored; LD NULL: from the articulated bodies that dfd_parts has left */
void EXPORT(dfd_from)(const robot *r, const work *k, const num *LD, num *dq, num *dqd, num *dtau);

#endif
