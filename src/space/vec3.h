/* SPDX-License-Identifier: MIT
 *
 * vec3.h - three-vectors of the current kind; with mat3.h the last files that see scalars.
 *
 * `vec3` varies, `con3` belongs to the robot. Rotations about z and x are kept as cosine and sine: a modified-DH transform is
 * Rz(gamma) Rx(alpha) Rz(theta), so no full matrix is ever multiplied. */
#ifndef SPACE_VEC3_H
#define SPACE_VEC3_H

#include "num/words.h"
#include "space/types.h"

INL vec3 v3(num x, num y, num z) { return (vec3){x, y, z}; }
INL vec3 v3_of(con3 c) { return v3(from(c.x), from(c.y), from(c.z)); }
INL vec3 v3_zero(void) { return v3(of(0), of(0), of(0)); }
INL vec3 v3_add(vec3 a, vec3 b) { return v3(add(a.x, b.x), add(a.y, b.y), add(a.z, b.z)); }
INL vec3 v3_sub(vec3 a, vec3 b) { return v3(sub(a.x, b.x), sub(a.y, b.y), sub(a.z, b.z)); }
INL vec3 v3_neg(vec3 a) { return v3(neg(a.x), neg(a.y), neg(a.z)); }
INL vec3 v3_scale(num k, vec3 a) { return v3(mul(k, a.x), mul(k, a.y), mul(k, a.z)); }
INL vec3 v3_scalec(par c, vec3 a) { return v3(mulc(c, a.x), mulc(c, a.y), mulc(c, a.z)); }
INL vec3 v3_by_con3(num k, con3 c) { return v3(mulc(c.x, k), mulc(c.y, k), mulc(c.z, k)); }
INL num v3_dot(vec3 a, vec3 b) { return add(add(mul(a.x, b.x), mul(a.y, b.y)), mul(a.z, b.z)); }
INL num v3_dotc(con3 c, vec3 a) { return add(add(mulc(c.x, a.x), mulc(c.y, a.y)), mulc(c.z, a.z)); }

INL vec3 v3_cross(vec3 a, vec3 b)
{
    return v3(sub(mul(a.y, b.z), mul(a.z, b.y)), sub(mul(a.z, b.x), mul(a.x, b.z)), sub(mul(a.x, b.y), mul(a.y, b.x)));
}

/* c x a for a constant c */
INL vec3 con3_cross(con3 c, vec3 a)
{
    return v3(sub(mulc(c.y, a.z), mulc(c.z, a.y)), sub(mulc(c.z, a.x), mulc(c.x, a.z)), sub(mulc(c.x, a.y), mulc(c.y, a.x)));
}

/* R c and R' v for a constant matrix R, row major */
INL vec3 rot_of(const par R[9], vec3 v)
{
    return v3(v3_dotc((con3){R[0], R[1], R[2]}, v), v3_dotc((con3){R[3], R[4], R[5]}, v), v3_dotc((con3){R[6], R[7], R[8]}, v));
}
INL vec3 rot_back(const par R[9], vec3 v)
{
    return v3(v3_dotc((con3){R[0], R[3], R[6]}, v), v3_dotc((con3){R[1], R[4], R[7]}, v), v3_dotc((con3){R[2], R[5], R[8]}, v));
}

/* Rz v, Rz' v */
INL vec3 rz_of(turn t, vec3 v) { return v3(sub(mul(t.c, v.x), mul(t.s, v.y)), add(mul(t.s, v.x), mul(t.c, v.y)), v.z); }
INL vec3 rz_back(turn t, vec3 v) { return v3(add(mul(t.c, v.x), mul(t.s, v.y)), sub(mul(t.c, v.y), mul(t.s, v.x)), v.z); }

/* the same with constant angles, about z and about x */
INL vec3 rzc_of(par c, par s, vec3 v) { return v3(sub(mulc(c, v.x), mulc(s, v.y)), add(mulc(s, v.x), mulc(c, v.y)), v.z); }
INL vec3 rzc_back(par c, par s, vec3 v) { return v3(add(mulc(c, v.x), mulc(s, v.y)), sub(mulc(c, v.y), mulc(s, v.x)), v.z); }
INL vec3 rxc_of(par c, par s, vec3 v) { return v3(v.x, sub(mulc(c, v.y), mulc(s, v.z)), add(mulc(s, v.y), mulc(c, v.z))); }
INL vec3 rxc_back(par c, par s, vec3 v) { return v3(v.x, add(mulc(c, v.y), mulc(s, v.z)), sub(mulc(c, v.z), mulc(s, v.y))); }

#endif
