/* SPDX-License-Identifier: MIT
 *
 * aba.c - forward dynamics by articulated bodies, O(n). [003 section 9.7.2 with ERRATA part two 1]; doc/aba.md.
 *
 * Three passes: velocities, gamma and beta outward [eq. 9.100-9.103]; articulated inertia J*, H, K, alpha inward
 * [eq. 9.116-9.120]; accelerations outward [eq. 9.121-9.124]. Each pass hands on from link to link in registers; what another
 * branch needs is put aside. The texts cannot judge a number: a singular joint is found by the caller, who looks at H
 * (work->row). */
#include "algo/joint.h"
#include "algo/texts.h"

/* more than one link hangs on this one: the next, and later ones */
INL int forks(const robot *r, int i)
{
    return i + 1 < r->n && r->link[i + 1].parent == i && r->link[i + 1].slot != r->link[i].slot;
}

/* the rigid body of a link, beta* zero [9.21] */
INL aba_body aba_link(const robot_link *l)
{
    const par *J = l->J;
    const num o = of(0), M = from(l->M), x = from(l->MS[0]), y = from(l->MS[1]), z = from(l->MS[2]);
    return (aba_body){{M, o, o, M, o, M},
                      {o, z, neg(y), neg(z), o, x, y, neg(x), o},
                      {from(J[0]), from(J[1]), from(J[2]), from(J[3]), from(J[4]), from(J[5])},
                      v3_zero(),
                      v3_zero()};
}
INL void aba_add(const aba_body *b, aba_body *to)
{
    to->A = s3_add(to->A, b->A);
    to->B = m3_add(to->B, b->B);
    to->C = s3_add(to->C, b->C);
}

/* *w: angular velocity of the link before, then of link i */
INL void aba_outward(const robot *r, const work *k, int i, turn t, const num *q, const num *qd, vec3 *w)
{
    const robot_link *l = &r->link[i];
    aba_state *s = &k->link[i].aba;
    const num rate = qd[l->iv];
    s->gv = s->gw = v3_zero();
    if (l->parent < 0) {
        *w = v3_zero();
    } else {
        const vec3 up = l->parent == i - 1 ? *w : k->link[l->parent].aba.w;
        /* gamma: R'(w x (w x P))                                                       [003 eq. 9.101] */
        const vec3 wp = v3_neg(con3_cross(con3_at(l->p), up));
        *w = into_link(l, t, up);
        s->gv = into_link(l, t, v3_cross(up, wp));
    }
    if (t.wide) {
        /* w x (w x d) + w x v + (w + u) x v, w x u: wide_motion at rest accelerations */
        const vec3 v = wide_linear(l, qd), u = wide_angular(l, qd), sum = v3_add(*w, u);
        s->gv = v3_add(s->gv, v3_add(v3_cross(*w, v3_add(v3_cross(*w, t.wide->d), v)), v3_cross(sum, v)));
        s->gw = v3_cross(*w, u);
        *w = sum;
    } else if (revolves(l)) {
        s->gw = cross_z(*w, rate); /* w x z qd */
        w->z = add(w->z, rate);
    } else {
        /* w x (w x z q) + 2 w x z qd */
        const vec3 wz = cross_z(*w, q[l->iq]);
        s->gv = v3_add(s->gv, v3_add(v3_cross(*w, wz), cross_z(*w, add(rate, rate))));
    }
    /* beta = -w x (w x MS), -w x (J w), plus the wrench that acts on the link            [003 eq. 9.103] */
    vec3 f = v3_cross(*w, con3_cross(con3_at(l->MS), *w)), m = v3_cross(link_inertia(l, *w), *w);
    if (r->nwrench) {
        f = v3_add(f, k->force[i]);
        m = v3_add(m, k->moment[i]);
    }
    if (forks(r, i)) {
        s->w = *w;
        s->body = aba_link(l);
    }
    s->body.f = f;
    s->body.m = m;
}

/* origin by d: B' = B - A d^, C' = C - B'd^ + d^ B', rows and columns as cross products */
INL void aba_moved(vec3 d, sym3 A, mat3 *B, sym3 *C)
{
    const mat3 b = *B;
    const vec3 r0 = v3_cross(d, v3(A.xx, A.xy, A.xz)), r1 = v3_cross(d, v3(A.xy, A.yy, A.yz)),
               r2 = v3_cross(d, v3(A.xz, A.yz, A.zz));
    *B = m3_add(b, (mat3){r0.x, r0.y, r0.z, r1.x, r1.y, r1.z, r2.x, r2.y, r2.z});
    const vec3 b0 = v3_cross(d, v3(b.xx, b.yx, b.zx)), b1 = v3_cross(d, v3(b.xy, b.yy, b.zy)),
               b2 = v3_cross(d, v3(b.xz, b.yz, b.zz));
    const vec3 d0 = v3_cross(d, v3(B->xx, B->yx, B->zx)), d1 = v3_cross(d, v3(B->xy, B->yy, B->zy)),
               d2 = v3_cross(d, v3(B->xz, B->yz, B->zz));
    *C = s3_add(*C, (sym3){add(b0.x, d0.x), add(b0.y, d1.x), add(b0.z, d2.x), add(b1.y, d1.y), add(b1.z, d2.y), add(b2.z, d2.z)});
}

/* Eliminates the freedoms of a joint one by one, the last first: u = J* a, H = a'J*a, K = J* - u u'/H, as if each were a joint of
 * its own without a body [003 eq. 9.116, 9.117]; beta* takes u (tau + a'beta*)/H with it [003 eq. 9.118]. */
INL void aba_wide(const robot_link *l, const work *k, const num *torque, aba_body *b)
{
    wide_state *e = &k->wide[l->wide];
    for (int c = l->nv - 1; c >= 0; c--) {
        const int way = joint_way(l, c);
        const vec3 a = v3_unit(way % 3);
        e->uf[c] = way < 3 ? s3_mul(b->A, a) : m3_mul(b->B, a);
        e->um[c] = way < 3 ? m3_tmul(b->B, a) : s3_mul(b->C, a);
        e->H[c] = v3_dot(a, way < 3 ? e->uf[c] : e->um[c]);
        e->tau[c] = add(torque[l->iv + c], v3_dot(a, way < 3 ? b->f : b->m));
        k->row[l->iv + c] = e->H[c];
        const num h = divide(of(1), e->H[c]), pull = mul(e->tau[c], h);
        const vec3 hf = v3_scale(h, e->uf[c]), hm = v3_scale(h, e->um[c]);
        b->A = s3_less(b->A, hf, e->uf[c]);
        b->B = m3_less(b->B, hf, e->um[c]);
        b->C = s3_less(b->C, hm, e->um[c]);
        b->f = v3_sub(b->f, v3_scale(pull, e->uf[c]));
        b->m = v3_sub(b->m, v3_scale(pull, e->um[c]));
    }
}

/* the accelerations of its freedoms, the first first [003 eq. 9.122, 9.124] */
INL void aba_wide_accelerations(const robot_link *l, const work *k, vec3 *a, vec3 *wd, num *qdd)
{
    const wide_state *e = &k->wide[l->wide];
    for (int c = 0; c < l->nv; c++) {
        const int way = joint_way(l, c);
        const num own = divide(sub(e->tau[c], add(v3_dot(e->uf[c], *a), v3_dot(e->um[c], *wd))), e->H[c]);
        vec3 *part = way < 3 ? a : wd;
        *part = v3_add(*part, v3_scale(own, v3_unit(way % 3)));
        qdd[l->iv + c] = own;
    }
}

/* J* in the axes of the parent, about its origin: T'J*T                                         [003 eq. 9.119] */
INL void aba_into_parent(const robot_link *l, turn t, const num *q, aba_body *b)
{
    sym3 A = b->A, C = b->C;
    mat3 B = b->B;
    if (t.wide) {
        aba_moved(t.wide->d, A, &B, &C);
    } else if (slides(l)) {
        /* origin along z by q: B' = B - A z^ q, C' = C - B'z^ q + z^ q B' */
        const num d = q[l->iq];
        const vec3 ax = v3(mul(d, A.xx), mul(d, A.xy), mul(d, A.xz)), ay = v3(mul(d, A.xy), mul(d, A.yy), mul(d, A.yz));
        const mat3 old = B;
        B.xx = sub(B.xx, ay.x), B.yx = sub(B.yx, ay.y), B.zx = sub(B.zx, ay.z);
        B.xy = add(B.xy, ax.x), B.yy = add(B.yy, ax.y), B.zy = add(B.zy, ax.z);
        C.xx = sub(C.xx, mul(d, add(old.yx, B.yx)));
        C.xy = add(C.xy, mul(d, sub(old.xx, B.yy)));
        C.yy = add(C.yy, mul(d, add(old.xy, B.xy)));
        C.xz = sub(C.xz, mul(d, B.yz));
        C.yz = add(C.yz, mul(d, B.xz));
    }
    A = s3_into_parent(l, t, A);
    B = m3_into_parent(l, t, B);
    C = s3_into_parent(l, t, C);
    /* origin by p, as aba_moved */
    const con3 p = con3_at(l->p);
    const vec3 r0 = con3_cross(p, v3(A.xx, A.xy, A.xz)), r1 = con3_cross(p, v3(A.xy, A.yy, A.yz)),
               r2 = con3_cross(p, v3(A.xz, A.yz, A.zz));
    const mat3 D = {add(B.xx, r0.x), add(B.xy, r0.y), add(B.xz, r0.z), add(B.yx, r1.x), add(B.yy, r1.y),
                    add(B.yz, r1.z), add(B.zx, r2.x), add(B.zy, r2.y), add(B.zz, r2.z)};
    /* rows of -B'p^: p x (columns of B); columns of p^ B': p x (columns of D) */
    const vec3 b0 = con3_cross(p, v3(B.xx, B.yx, B.zx)), b1 = con3_cross(p, v3(B.xy, B.yy, B.zy)),
               b2 = con3_cross(p, v3(B.xz, B.yz, B.zz));
    const vec3 d0 = con3_cross(p, v3(D.xx, D.yx, D.zx)), d1 = con3_cross(p, v3(D.xy, D.yy, D.zy)),
               d2 = con3_cross(p, v3(D.xz, D.yz, D.zz));
    b->A = A;
    b->B = D;
    b->C = (sym3){add(C.xx, add(b0.x, d0.x)), add(C.xy, add(b0.y, d1.x)), add(C.xz, add(b0.z, d2.x)),
                  add(C.yy, add(b1.y, d1.y)), add(C.yz, add(b1.z, d2.y)), add(C.zz, add(b2.z, d2.z))};
}

/* J* a, H and what the joint leaves of J* and beta*: K and -alpha */
INL void aba_joint(const robot *r, const robot_link *l, const work *k, const num *torque, aba_state *s, aba_body *b)
{
    const num Ia = r->rotors ? from(l->Ia) : of(0);
    /* u = J* a, H = a'J*a + Ia                                                          [003 eq. 9.116] */
    if (revolves(l)) {
        s->uf = v3(b->B.xz, b->B.yz, b->B.zz);
        s->um = v3(b->C.xz, b->C.yz, b->C.zz);
        s->H = add(s->um.z, Ia);
        s->tau = add(torque[l->iv], b->m.z);
    } else {
        s->uf = v3(b->A.xz, b->A.yz, b->A.zz);
        s->um = v3(b->B.zx, b->B.zy, b->B.zz);
        s->H = add(s->uf.z, Ia);
        s->tau = add(torque[l->iv], b->f.z);
    }
    k->row[l->iv] = s->H;
    if (l->parent < 0) return;
    /* K = J* - u u'/H                                                                   [003 eq. 9.117] */
    const num h = divide(of(1), s->H);
    const vec3 hf = v3_scale(h, s->uf), hm = v3_scale(h, s->um);
    b->A = s3_less(b->A, hf, s->uf);
    b->B = m3_less(b->B, hf, s->um);
    b->C = s3_less(b->C, hm, s->um);
    b->f = v3_sub(b->f, v3_scale(s->tau, hf));
    b->m = v3_sub(b->m, v3_scale(s->tau, hm));
}

/* *b: J* and beta* of the link after, as far as it hangs on this one */
INL void aba_inward(const robot *r, const work *k, int i, turn t, const num *q, const num *torque, aba_body *b)
{
    const robot_link *l = &r->link[i];
    aba_state *s = &k->link[i].aba;
    if (i + 1 == r->n || r->link[i + 1].parent != i) {
        *b = aba_link(l);
        b->f = s->body.f;
        b->m = s->body.m;
    }
    if (t.wide)
        aba_wide(l, k, torque, b);
    else
        aba_joint(r, l, k, torque, s, b);
    if (l->parent < 0) return;
    /* -alpha = beta* - u (tau + a'beta*)/H - K gamma                                    [003 eq. 9.118] */
    const vec3 f = v3_sub(b->f, v3_add(s3_mul(b->A, s->gv), m3_mul(b->B, s->gw)));
    const vec3 m = v3_sub(b->m, v3_add(m3_tmul(b->B, s->gv), s3_mul(b->C, s->gw)));
    aba_into_parent(l, t, q, b);
    /* J* += T'K T, beta* -= T'alpha                                                [003 eq. 9.119, 9.120] */
    aba_body *up = &k->link[l->parent].aba.body;
    if (forks(r, l->parent)) {
        aba_add(b, up);
        wrench_into_parent(l, t, q, f, m, &up->f, &up->m);
        *b = *up;
    } else {
        const aba_body link = aba_link(&r->link[l->parent]);
        b->f = up->f;
        b->m = up->m;
        aba_add(&link, b);
        wrench_into_parent(l, t, q, f, m, &b->f, &b->m);
    }
}

/* *a, *wd: acceleration of the link before, then of link i */
INL void aba_acceleration(const robot *r, const work *k, int i, turn t, const num *q, num *qdd, vec3 *a, vec3 *wd)
{
    const robot_link *l = &r->link[i];
    aba_state *s = &k->link[i].aba;
    if (l->parent < 0) {
        *a = lift_into_link(r, l, t);
        *wd = v3_zero();
    } else {
        /* T V_dot                                                                       [003 eq. 9.121] */
        if (l->parent != i - 1) {
            *a = k->link[l->parent].aba.a;
            *wd = k->link[l->parent].aba.wd;
        }
        *a = into_link(l, t, v3_sub(*a, con3_cross(con3_at(l->p), *wd)));
        *wd = into_link(l, t, *wd);
    }
    if (!t.wide && slides(l)) *a = v3_add(*a, cross_z(*wd, q[l->iq]));
    if (t.wide && l->parent >= 0) *a = v3_add(*a, v3_cross(*wd, t.wide->d));
    /* qdd = (-u'(T V_dot + gamma) + tau + a'beta*)/H; V_dot = T V_dot + a qdd + gamma   [003 eq. 9.122, 9.124] */
    *a = v3_add(*a, s->gv);
    *wd = v3_add(*wd, s->gw);
    if (t.wide) {
        aba_wide_accelerations(l, k, a, wd, qdd);
    } else {
        const num own = divide(sub(s->tau, add(v3_dot(s->uf, *a), v3_dot(s->um, *wd))), s->H);
        if (revolves(l))
            wd->z = add(wd->z, own);
        else
            a->z = add(a->z, own);
        qdd[l->iv] = own;
    }
    if (!forks(r, i)) return;
    s->a = *a;
    s->wd = *wd;
}

/* A joint of several freedoms stands apart, so that one of them costs the others nothing. */
OUTLINE void aba_wide_outward(const robot *r, const work *k, int i, const num *q, const num *qd, vec3 *w)
{
    aba_outward(r, k, i, wide_turn(&r->link[i], k), q, qd, w);
}
OUTLINE void aba_wide_inward(const robot *r, const work *k, int i, const num *q, const num *torque, aba_body *b)
{
    aba_inward(r, k, i, wide_turn(&r->link[i], k), q, torque, b);
}
OUTLINE void aba_wide_acceleration(const robot *r, const work *k, int i, const num *q, num *qdd, vec3 *a, vec3 *wd)
{
    aba_acceleration(r, k, i, wide_turn(&r->link[i], k), q, qdd, a, wd);
}

INL void aba_passes(const robot *r, const work *k, int several, const num *q, const num *qd, num *qdd)
{
    vec3 w = v3_zero(), a = w, wd = w;
    aba_body b = {.f = w};
    for (int i = 0; i < r->n; i++)
        if (several && is_wide(&r->link[i])) {
            vec3 apart = w; /* in memory; that of all other links is not */
            aba_wide_outward(r, k, i, q, qd, &apart);
            w = apart;
        } else
            aba_outward(r, k, i, joint_turn(&r->link[i], k), q, qd, &w);
    for (int i = r->n - 1; i >= 0; i--)
        if (several && is_wide(&r->link[i])) {
            aba_body apart = b;
            aba_wide_inward(r, k, i, q, k->column, &apart);
            b = apart;
        } else
            aba_inward(r, k, i, joint_turn(&r->link[i], k), q, k->column, &b);
    for (int i = 0; i < r->n; i++)
        if (several && is_wide(&r->link[i])) {
            vec3 apart[] = {a, wd};
            aba_wide_acceleration(r, k, i, q, qdd, &apart[0], &apart[1]);
            a = apart[0];
            wd = apart[1];
        } else
            aba_acceleration(r, k, i, joint_turn(&r->link[i], k), q, qdd, &a, &wd);
}

void EXPORT(fd_aba)(const robot *r, const work *k, const num *q, const num *qd, const num *tau, num *qdd)
{
    joint_turns(r, k, q);
    if (r->nwrench) EXPORT(wrenches)(r, k, q);
    for (int i = 0; i < r->nv; i++) k->column[i] = tau[i];
    EXPORT(friction)(r, k, qd, k->column, -1); /* tau = Gamma - friction  [003 eq. 9.106] */
    FOR_ROBOT(r, aba_passes(r, k, several, q, qd, qdd));
}
