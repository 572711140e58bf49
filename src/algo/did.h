/* SPDX-License-Identifier: MIT
 *
 * did.h - the passes of did.c, which derivatives of forward dynamics and second derivatives share, and their words. */
#ifndef ALGO_DID_H
#define ALGO_DID_H

#include "algo/screws.h"
#include "algo/texts.h"
#include "algo/world.h"

/* 2 (v.h) E - (v h' + h v') */
INL sym3 did_mixed(vec3 v, vec3 h)
{
    const num x = mul(v.x, h.x), y = mul(v.y, h.y), z = mul(v.z, h.z), yz = add(y, z), xz = add(x, z), xy = add(x, y);
    return (sym3){add(yz, yz), neg(add(mul(v.x, h.y), mul(v.y, h.x))), neg(add(mul(v.x, h.z), mul(v.z, h.x))),
                  add(xz, xz), neg(add(mul(v.y, h.z), mul(v.z, h.y))), add(xy, xy)};
}
/* w^ J - J w^ */
INL sym3 did_turning(vec3 w, sym3 J)
{
    const mat3 K = world_turning(w, J);
    return (sym3){add(K.xx, K.xx), add(K.xy, K.yx), add(K.xz, K.zx), add(K.yy, K.yy), add(K.yz, K.zy), add(K.zz, K.zz)};
}

/* I x of a body */
INL vec3 did_force(num M, vec3 MS, vec3 v, vec3 w) { return v3_add(v3_scale(M, v), v3_cross(w, MS)); }
INL vec3 did_moment(vec3 MS, sym3 J, vec3 v, vec3 w) { return v3_add(s3_mul(J, w), v3_cross(MS, v)); }

/* a screw times a wrench, and their angular parts alone */
INL num did_dot3(const num *b, int row, vec3 m)
{
    return add(add(mul(m.x, b[row * abreast]), mul(m.y, b[(row + 1) * abreast])), mul(m.z, b[(row + 2) * abreast]));
}
INL num did_dot(const num *b, int row, vec3 f, vec3 m) { return add(did_dot3(b, row, f), did_dot3(b, row + 3, m)); }

/* frames, velocities, accelerations (qdd NULL: those at rest), wrenches of the links */
void EXPORT(did_outward)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd);
/* rows from `begin` to `end` of all that each link carries, which stand at the first freedom of each */
void EXPORT(did_sums)(const robot *r, const work *k, int begin, int end);
/* what each link carries; then the inertia matrix with its rotors */
void EXPORT(did_inward)(const robot *r, const work *k);
void EXPORT(did_mass)(const robot *r, const work *k, num *M);
void EXPORT(did_mass_lower)(const robot *r, const work *k, num *M); /* what `factor` reads, the rest is anything */
/* all of it: the derivatives, each in a place of its own */
void EXPORT(did_parts)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, num *dq, num *dqd, num *dqdd);
/* E, G and the columns of every freedom */
void EXPORT(did_screws)(const robot *r, const work *k);
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
