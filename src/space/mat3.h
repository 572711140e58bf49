/* SPDX-License-Identifier: MIT
 *
 * mat3.h - 3 x 3 matrices of the current kind, symmetric (sym3) and general (mat3), and their plane rotations.
 *
 * Turning a tensor about one axis costs four products for the block that mixes and two for each pair beside it:
 * with u = c (xx - yy) - s (xy + yx):  xx' = yy + c u,  yy' = xx - c u,  xy' = xy + s u,  yx' = yx + s u. */
#ifndef SPACE_MAT3_H
#define SPACE_MAT3_H

#include "space/vec3.h"

INL sym3 s3_add(sym3 a, sym3 b)
{
    return (sym3){add(a.xx, b.xx), add(a.xy, b.xy), add(a.xz, b.xz), add(a.yy, b.yy), add(a.yz, b.yz), add(a.zz, b.zz)};
}
INL vec3 s3_mul(sym3 a, vec3 v)
{
    return v3(add(add(mul(a.xx, v.x), mul(a.xy, v.y)), mul(a.xz, v.z)), add(add(mul(a.xy, v.x), mul(a.yy, v.y)), mul(a.yz, v.z)),
              add(add(mul(a.xz, v.x), mul(a.yz, v.y)), mul(a.zz, v.z)));
}
/* a - u v', u parallel to v */
INL sym3 s3_less(sym3 a, vec3 u, vec3 v)
{
    return (sym3){sub(a.xx, mul(u.x, v.x)), sub(a.xy, mul(u.x, v.y)), sub(a.xz, mul(u.x, v.z)),
                  sub(a.yy, mul(u.y, v.y)), sub(a.yz, mul(u.y, v.z)), sub(a.zz, mul(u.z, v.z))};
}

INL mat3 m3_add(mat3 a, mat3 b)
{
    return (mat3){add(a.xx, b.xx), add(a.xy, b.xy), add(a.xz, b.xz), add(a.yx, b.yx), add(a.yy, b.yy),
                  add(a.yz, b.yz), add(a.zx, b.zx), add(a.zy, b.zy), add(a.zz, b.zz)};
}
INL vec3 m3_mul(mat3 a, vec3 v)
{
    return v3(add(add(mul(a.xx, v.x), mul(a.xy, v.y)), mul(a.xz, v.z)), add(add(mul(a.yx, v.x), mul(a.yy, v.y)), mul(a.yz, v.z)),
              add(add(mul(a.zx, v.x), mul(a.zy, v.y)), mul(a.zz, v.z)));
}
/* a' v */
INL vec3 m3_tmul(mat3 a, vec3 v)
{
    return v3(add(add(mul(a.xx, v.x), mul(a.yx, v.y)), mul(a.zx, v.z)), add(add(mul(a.xy, v.x), mul(a.yy, v.y)), mul(a.zy, v.z)),
              add(add(mul(a.xz, v.x), mul(a.yz, v.y)), mul(a.zz, v.z)));
}
/* a c for a constant vector c */
INL vec3 m3_mulc(mat3 a, con3 c)
{
    return v3(add(add(mulc(c.x, a.xx), mulc(c.y, a.xy)), mulc(c.z, a.xz)),
              add(add(mulc(c.x, a.yx), mulc(c.y, a.yy)), mulc(c.z, a.yz)),
              add(add(mulc(c.x, a.zx), mulc(c.y, a.zy)), mulc(c.z, a.zz)));
}
/* a - u v' */
INL mat3 m3_less(mat3 a, vec3 u, vec3 v)
{
    return (mat3){sub(a.xx, mul(u.x, v.x)), sub(a.xy, mul(u.x, v.y)), sub(a.xz, mul(u.x, v.z)),
                  sub(a.yx, mul(u.y, v.x)), sub(a.yy, mul(u.y, v.y)), sub(a.yz, mul(u.y, v.z)),
                  sub(a.zx, mul(u.z, v.x)), sub(a.zy, mul(u.z, v.y)), sub(a.zz, mul(u.z, v.z))};
}

INL mat3 m3_zero(void) { return (mat3){of(0), of(0), of(0), of(0), of(0), of(0), of(0), of(0), of(0)}; }
INL mat3 m3_columns(vec3 x, vec3 y, vec3 z) { return (mat3){x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}; }

/* a b */
INL mat3 m3_times(mat3 a, mat3 b)
{
    return m3_columns(m3_mul(a, v3(b.xx, b.yx, b.zx)), m3_mul(a, v3(b.xy, b.yy, b.zy)), m3_mul(a, v3(b.xz, b.yz, b.zz)));
}

/* R a R' */
INL mat3 m3_by(mat3 R, mat3 a)
{
    const mat3 t = m3_times(R, a);
    return (mat3){v3_dot(v3(t.xx, t.xy, t.xz), v3(R.xx, R.xy, R.xz)), v3_dot(v3(t.xx, t.xy, t.xz), v3(R.yx, R.yy, R.yz)),
                  v3_dot(v3(t.xx, t.xy, t.xz), v3(R.zx, R.zy, R.zz)), v3_dot(v3(t.yx, t.yy, t.yz), v3(R.xx, R.xy, R.xz)),
                  v3_dot(v3(t.yx, t.yy, t.yz), v3(R.yx, R.yy, R.yz)), v3_dot(v3(t.yx, t.yy, t.yz), v3(R.zx, R.zy, R.zz)),
                  v3_dot(v3(t.zx, t.zy, t.zz), v3(R.xx, R.xy, R.xz)), v3_dot(v3(t.zx, t.zy, t.zz), v3(R.yx, R.yy, R.yz)),
                  v3_dot(v3(t.zx, t.zy, t.zz), v3(R.zx, R.zy, R.zz))};
}
INL sym3 s3_by(mat3 R, sym3 a)
{
    const mat3 t = m3_by(R, (mat3){a.xx, a.xy, a.xz, a.xy, a.yy, a.yz, a.xz, a.yz, a.zz});
    return (sym3){t.xx, t.xy, t.xz, t.yy, t.yz, t.zz};
}

/* the same with R = Rz(t) */
INL sym3 s3_rz(turn t, sym3 a)
{
    const num u = sub(mul(t.c, sub(a.xx, a.yy)), mul(t.s, add(a.xy, a.xy))), cu = mul(t.c, u), su = mul(t.s, u);
    const num xz = sub(mul(t.c, a.xz), mul(t.s, a.yz)), yz = add(mul(t.s, a.xz), mul(t.c, a.yz));
    return (sym3){add(a.yy, cu), add(a.xy, su), xz, sub(a.xx, cu), yz, a.zz};
}
INL mat3 m3_rz(turn t, mat3 a)
{
    const num u = sub(mul(t.c, sub(a.xx, a.yy)), mul(t.s, add(a.xy, a.yx))), cu = mul(t.c, u), su = mul(t.s, u);
    const num xz = sub(mul(t.c, a.xz), mul(t.s, a.yz)), yz = add(mul(t.s, a.xz), mul(t.c, a.yz));
    const num zx = sub(mul(t.c, a.zx), mul(t.s, a.zy)), zy = add(mul(t.s, a.zx), mul(t.c, a.zy));
    return (mat3){add(a.yy, cu), add(a.xy, su), xz, add(a.yx, su), sub(a.xx, cu), yz, zx, zy, a.zz};
}

/* the same with a constant angle, about z and about x */
INL sym3 s3_rzc(par c, par s, sym3 a)
{
    const num u = sub(mulc(c, sub(a.xx, a.yy)), mulc(s, add(a.xy, a.xy))), cu = mulc(c, u), su = mulc(s, u);
    const num xz = sub(mulc(c, a.xz), mulc(s, a.yz)), yz = add(mulc(s, a.xz), mulc(c, a.yz));
    return (sym3){add(a.yy, cu), add(a.xy, su), xz, sub(a.xx, cu), yz, a.zz};
}
INL sym3 s3_rxc(par c, par s, sym3 a)
{
    const num u = sub(mulc(c, sub(a.yy, a.zz)), mulc(s, add(a.yz, a.yz))), cu = mulc(c, u), su = mulc(s, u);
    const num xy = sub(mulc(c, a.xy), mulc(s, a.xz)), xz = add(mulc(s, a.xy), mulc(c, a.xz));
    return (sym3){a.xx, xy, xz, add(a.zz, cu), add(a.yz, su), sub(a.yy, cu)};
}
INL mat3 m3_rzc(par c, par s, mat3 a)
{
    const num u = sub(mulc(c, sub(a.xx, a.yy)), mulc(s, add(a.xy, a.yx))), cu = mulc(c, u), su = mulc(s, u);
    const num xz = sub(mulc(c, a.xz), mulc(s, a.yz)), yz = add(mulc(s, a.xz), mulc(c, a.yz));
    const num zx = sub(mulc(c, a.zx), mulc(s, a.zy)), zy = add(mulc(s, a.zx), mulc(c, a.zy));
    return (mat3){add(a.yy, cu), add(a.xy, su), xz, add(a.yx, su), sub(a.xx, cu), yz, zx, zy, a.zz};
}
INL mat3 m3_rxc(par c, par s, mat3 a)
{
    const num u = sub(mulc(c, sub(a.yy, a.zz)), mulc(s, add(a.yz, a.zy))), cu = mulc(c, u), su = mulc(s, u);
    const num xy = sub(mulc(c, a.xy), mulc(s, a.xz)), xz = add(mulc(s, a.xy), mulc(c, a.xz));
    const num yx = sub(mulc(c, a.yx), mulc(s, a.zx)), zx = add(mulc(s, a.yx), mulc(c, a.zx));
    return (mat3){a.xx, xy, xz, yx, add(a.zz, cu), add(a.yz, su), zx, add(a.zy, su), sub(a.yy, cu)};
}

#endif
