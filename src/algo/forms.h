/* SPDX-License-Identifier: MIT
 *
 * forms.h - the formulations of seed 004 (and of 003 eq. 9.7, of 001) side by side: their work memory and what they share.
 *
 * Every formulation computes the torques of the rigid links with gravity, tau = M(q) qdd + c(q,qd) + g(q); rotors, friction and
 * wrenches are added by loads.c. All take the rotation matrices as given: rotations() fills them from the joint angles, a count
 * of operations may put free symbols there.
 *
 * Frames. The paper has joint i turn about z_(i-1), the axis of the frame before it, and keeps r_i (origin i-1 to i) and rbar_i
 * (origin i to the mass centre) in frame i. Ours are the modified-DH frames of robot.h: joint i turns about z of frame i, through
 * its origin. So z_(i-1) of the paper is our z_i; the distance between the origins is our constant p_i in the axes of the parent;
 * (r_i + rbar_i), from the joint to the mass centre, is our c_i; and a torque is the z component of a moment, at no cost. */
#ifndef ALGO_FORMS_H
#define ALGO_FORMS_H

#include <stddef.h>

#include "algo/joint.h"
#include "model/central.h"

/* Inertia of a link in constants of the kind; see model/central.h. */
typedef struct {
    int has_rest; /* rest is not zero */
    par m, rest, c[3], I[6], K[6], P[6];
} central_body;

/* Newton-Euler: motion of the link; force and moment about the link origin that this motion takes, link axes */
typedef struct {
    vec3 w, wd, a;
    mat3 A; /* wd^ + w^ w^ [004 eq. 4.18] */
    vec3 F, N;
} ne_state;

/* Recursive Lagrange: base axes; D: rows in link axes, columns in base axes */
typedef struct {
    mat3 R, Rd, Rdd, D;
    vec3 pdd, e;
} recursive_state;

/* Formulations in base axes: axis, origin, mass centre; V: its V_v (Gibbs-Appell), or the way from the parent (mRNEA) */
typedef struct {
    mat3 R;
    vec3 z, o, c;
    sym3 I;
    vec3 w, wd, a, V;
    mat3 A;
    vec3 F, N;
} base_state;

/* Christoffel: motion (w, v) for unit joint speed and everything outboard as one body, both at the base */
typedef struct {
    mat3 R;
    vec3 o, w, v;
    crba_state body;
} screw_state;

typedef union {
    mat3 R; /* Lagrange: into base axes */
    ne_state ne;
    recursive_state rec;
    base_state base;
    screw_state screw;
} form_state;

/* frame i seen from frame j, and the derivative of its pose in the base by joint j */
typedef struct {
    mat3 R, dR;
    vec3 p, dp;
} lagrange_pair;

/* composite body k moving with joint j: momentum; and the motion S_j x S_k */
typedef struct {
    vec3 f, n, w, v;
} screw_pair;

/* force and moment on link i for unit acceleration of joint k */
typedef struct {
    vec3 F, N;
} column_pair;

/* seed 001 to the letter: d_ik, d_ik + l_i x e_ik, and e_ik, later its sum outboard of i */
typedef struct {
    vec3 d, n, E;
} literal_pair;

typedef union {
    lagrange_pair lagrange;
    screw_pair screw;
    column_pair column;
    literal_pair literal;
} form_pair;

typedef struct {
    mat3 *R;                  /* n: from link axes into the parent's, or the base's */
    const central_body *body; /* n: the caller's */
    form_state *link;         /* n */
    ne_state *second;         /* n: strobing compares two runs */
    vec3 *force, *moment;     /* n */
    num *row;                 /* n */
    num *matrix;              /* n x n */
    form_pair *pair;          /* n x n */
} forms_work;

/* forms_work.c: places the arrays as work() does; sines, cosines and rotation matrices of all links */
size_t EXPORT(forms_work)(int n, void *memory, forms_work *f);
void EXPORT(rotations)(const robot *r, const work *k, const forms_work *f, const num *q);

typedef void EXPORT(form)(const robot *r, const work *k, const forms_work *f, const num *q, const num *qd, const num *qdd,
                          num *tau);
EXPORT(form)
EXPORT(form_turney), EXPORT(form_lagrange), EXPORT(form_recursive_lagrange), EXPORT(form_newton_euler), EXPORT(form_gibbs_appell),
    EXPORT(form_christoffel), EXPORT(form_mrnea), EXPORT(form_mrnea_literal);

/* mrnea.c, mrnea_literal.c: inertia matrix H and u' = c + g in one pass */
void EXPORT(mrnea)(const robot *r, const work *k, const forms_work *f, const num *q, const num *qd, num *H, num *u);
void EXPORT(mrnea_literal)(const robot *r, const work *k, const forms_work *f, const num *q, const num *qd, num *H, num *u);

/* strobe.c: inertia matrix; C[i][j][k] with c_i = sum over j, k of C_ijk qd_j qd_k */
void EXPORT(strobe_mass)(const robot *r, const work *k, const forms_work *f, const num *q, num *M);
void EXPORT(strobe_coriolis)(const robot *r, const work *k, const forms_work *f, const num *q, num *C);

/* ---- shared by the texts ---- */
INL central_body central_body_of(const central *b)
{
    central_body k = {.has_rest = b->rest != 0, .m = con(b->m), .rest = con(b->rest)};
    for (int i = 0; i < 3; i++) k.c[i] = con(b->c[i]);
    for (int i = 0; i < 6; i++) k.I[i] = con(b->I[i]), k.K[i] = con(b->K[i]), k.P[i] = con(b->P[i]);
    return k;
}

/* is joint i outboard of joint j, or j itself? */
INL int form_outboard(const robot *r, int i, int j)
{
    while (i > j) i = r->link[i].parent;
    return i == j;
}

/* the base seems to accelerate upwards: a_0 = -g [004 section 3.3, ERRATA part two 4] */
INL vec3 form_lift(const robot *r) { return v3_neg(v3_of(con3_at(r->g))); }

INL vec3 m3_z(mat3 a) { return v3(a.xz, a.yz, a.zz); }

/* a' v + d */
INL vec3 m3_tmul_add(mat3 a, vec3 v, vec3 d)
{
    return v3(add(add(mul(a.xx, v.x), mul(a.yx, v.y)), add(mul(a.zx, v.z), d.x)),
              add(add(mul(a.xy, v.x), mul(a.yy, v.y)), add(mul(a.zy, v.z), d.y)),
              add(add(mul(a.xz, v.x), mul(a.yz, v.y)), add(mul(a.zz, v.z), d.z)));
}

/* a s for a constant symmetric s: xx xy xz yy yz zz */
INL mat3 m3_times_sym(mat3 a, const par s[6])
{
    return m3_columns(m3_mulc(a, (con3){s[0], s[1], s[2]}), m3_mulc(a, (con3){s[1], s[3], s[4]}),
                      m3_mulc(a, (con3){s[2], s[4], s[5]}));
}

/* R s R' */
INL sym3 s3_turned(mat3 R, const par s[6])
{
    const mat3 t = m3_times_sym(R, s);
    const vec3 x = v3(R.xx, R.xy, R.xz), y = v3(R.yx, R.yy, R.yz), z = v3(R.zx, R.zy, R.zz);
    const vec3 tx = v3(t.xx, t.xy, t.xz), ty = v3(t.yx, t.yy, t.yz), tz = v3(t.zx, t.zy, t.zz);
    return (sym3){v3_dot(tx, x), v3_dot(tx, y), v3_dot(tx, z), v3_dot(ty, y), v3_dot(ty, z), v3_dot(tz, z)};
}

/* a Q with Q the cross product by z [004 eq. 2.5] */
INL mat3 m3_spin(mat3 a)
{
    const num o = of(0);
    return (mat3){a.xy, neg(a.xx), o, a.yy, neg(a.yx), o, a.zy, neg(a.zx), o};
}
/* a Q v, a Q b */
INL vec3 m3_spin_mul(mat3 a, vec3 v)
{
    return v3(sub(mul(a.xy, v.x), mul(a.xx, v.y)), sub(mul(a.yy, v.x), mul(a.yx, v.y)), sub(mul(a.zy, v.x), mul(a.zx, v.y)));
}
INL mat3 m3_spin_times(mat3 a, mat3 b)
{
    return m3_columns(m3_spin_mul(a, v3(b.xx, b.yx, b.zx)), m3_spin_mul(a, v3(b.xy, b.yy, b.zy)),
                      m3_spin_mul(a, v3(b.xz, b.yz, b.zz)));
}

INL mat3 m3_scale(num k, mat3 a)
{
    return (mat3){mul(k, a.xx), mul(k, a.xy), mul(k, a.xz), mul(k, a.yx), mul(k, a.yy),
                  mul(k, a.yz), mul(k, a.zx), mul(k, a.zy), mul(k, a.zz)};
}
/* a v' */
INL mat3 m3_outer(vec3 a, vec3 v) { return m3_columns(v3_scale(v.x, a), v3_scale(v.y, a), v3_scale(v.z, a)); }

/* link i in base axes: axes, the way V from the parent's origin, origin, from there to the mass centre, tensor */
INL base_state *base_position(const robot *r, const forms_work *f, const num *q, int i)
{
    const robot_link *l = &r->link[i];
    base_state *s = &f->link[i].base;
    const base_state *up = l->parent < 0 ? NULL : &f->link[l->parent].base;
    s->R = up ? m3_times(up->R, f->R[i]) : f->R[i];
    s->z = m3_z(s->R);
    s->V = up ? m3_mulc(up->R, con3_at(l->p)) : v3_zero();
    if (slides(l)) s->V = v3_add(s->V, v3_scale(q[i], s->z));
    s->o = up ? v3_add(up->o, s->V) : s->V;
    s->c = m3_mulc(s->R, con3_at(f->body[i].c));
    s->I = s3_turned(s->R, f->body[i].I);
    return s;
}

/* wd^ + w^ w^: what turns a distance into an acceleration [004 eq. 4.18] */
INL mat3 form_A(vec3 w, vec3 wd)
{
    const num xx = mul(w.x, w.x), yy = mul(w.y, w.y), zz = mul(w.z, w.z);
    const num xy = mul(w.x, w.y), xz = mul(w.x, w.z), yz = mul(w.y, w.z);
    return (mat3){neg(add(yy, zz)), sub(xy, wd.z), add(xz, wd.y), add(xy, wd.z),   neg(add(xx, zz)),
                  sub(yz, wd.x),    sub(xz, wd.y), add(yz, wd.x), neg(add(xx, yy))};
}

#endif
