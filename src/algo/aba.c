/* SPDX-License-Identifier: MIT
 *
 * aba.c - forward dynamics by articulated bodies, O(n). [003 section 9.7.2 with ERRATA part two 1]; doc/aba.md.
 *
 * Three passes: velocities, gamma and beta outward [eq. 9.100-9.103]; articulated inertia J*, H, K, alpha inward
 * [eq. 9.116-9.120]; accelerations outward [eq. 9.121-9.124]. J* = [A B; B' C] acts on (linear; angular) acceleration. The texts
 * cannot judge a number: a singular joint is found by the caller, who looks at H (work->row). */
#include "algo/joint.h"
#include "algo/texts.h"

INL void aba_outward(const robot *r, const work *k, int i, turn t, const num *q, const num *qd)
{
    const robot_link *l = &r->link[i];
    aba_state *s = &k->link[i].aba;
    const num rate = qd[l->iv];
    vec3 w = v3_zero();
    s->gv = s->gw = v3_zero();
    if (l->parent >= 0) {
        const vec3 up = k->link[l->parent].aba.w;
        /* gamma: R'(w x (w x P))                                                       [003 eq. 9.101] */
        const vec3 wp = v3_neg(con3_cross(con3_at(l->p), up));
        w = into_link(l, t, up);
        s->gv = into_link(l, t, v3_cross(up, wp));
    }
    if (t.wide) {
        /* w x (w x d) + w x v + (w + u) x v, w x u: wide_motion at rest accelerations */
        const vec3 v = wide_linear(l, qd), u = wide_angular(l, qd), sum = v3_add(w, u);
        s->gv = v3_add(s->gv, v3_add(v3_cross(w, v3_add(v3_cross(w, t.wide->d), v)), v3_cross(sum, v)));
        s->gw = v3_cross(w, u);
        w = sum;
    } else if (revolves(l)) {
        s->gw = cross_z(w, rate); /* w x z qd */
        w.z = add(w.z, rate);
    } else {
        /* w x (w x z q) + 2 w x z qd */
        const vec3 wz = cross_z(w, q[l->iq]);
        s->gv = v3_add(s->gv, v3_add(v3_cross(w, wz), cross_z(w, add(rate, rate))));
    }
    s->w = w;
    /* beta = -w x (w x MS), -w x (J w), plus the wrench that acts on the link            [003 eq. 9.103] */
    const par *J = l->J;
    s->bf = v3_cross(w, con3_cross(con3_at(l->MS), w));
    s->bm = v3_cross(link_inertia(l, w), w);
    if (r->nwrench) {
        s->bf = v3_add(s->bf, k->force[i]);
        s->bm = v3_add(s->bm, k->moment[i]);
    }
    /* [9.21] */
    const num zero = of(0), M = from(l->M), x = from(l->MS[0]), y = from(l->MS[1]), z = from(l->MS[2]);
    s->A = (sym3){M, zero, zero, M, zero, M};
    s->B = (mat3){zero, z, neg(y), neg(z), zero, x, y, neg(x), zero};
    s->C = (sym3){from(J[0]), from(J[1]), from(J[2]), from(J[3]), from(J[4]), from(J[5])};
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
INL void aba_wide(const robot_link *l, const work *k, aba_state *s, const num *torque)
{
    wide_state *e = &k->wide[l->wide];
    for (int c = l->nv - 1; c >= 0; c--) {
        const int way = joint_way(l, c);
        const vec3 a = v3_unit(way % 3);
        e->uf[c] = way < 3 ? s3_mul(s->A, a) : m3_mul(s->B, a);
        e->um[c] = way < 3 ? m3_tmul(s->B, a) : s3_mul(s->C, a);
        e->H[c] = v3_dot(a, way < 3 ? e->uf[c] : e->um[c]);
        e->tau[c] = add(torque[l->iv + c], v3_dot(a, way < 3 ? s->bf : s->bm));
        k->row[l->iv + c] = e->H[c];
        const num h = divide(of(1), e->H[c]), pull = mul(e->tau[c], h);
        const vec3 hf = v3_scale(h, e->uf[c]), hm = v3_scale(h, e->um[c]);
        s->A = s3_less(s->A, hf, e->uf[c]);
        s->B = m3_less(s->B, hf, e->um[c]);
        s->C = s3_less(s->C, hm, e->um[c]);
        s->bf = v3_sub(s->bf, v3_scale(pull, e->uf[c]));
        s->bm = v3_sub(s->bm, v3_scale(pull, e->um[c]));
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

/* K and alpha of a link, moved by its joint and added to the parent: T'K T, -T'alpha          [003 eq. 9.119, 9.120] */
INL void aba_into_parent(const robot_link *l, turn t, const num *q, sym3 A, mat3 B, sym3 C, vec3 f, vec3 m, aba_state *up)
{
    vec3 bf = v3_zero(), bm = v3_zero();
    wrench_into_parent(l, t, q, f, m, &bf, &bm);
    up->bf = v3_sub(up->bf, bf);
    up->bm = v3_sub(up->bm, bm);
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
    C.xx = add(C.xx, add(b0.x, d0.x));
    C.xy = add(C.xy, add(b0.y, d1.x));
    C.xz = add(C.xz, add(b0.z, d2.x));
    C.yy = add(C.yy, add(b1.y, d1.y));
    C.yz = add(C.yz, add(b1.z, d2.y));
    C.zz = add(C.zz, add(b2.z, d2.z));
    up->A = s3_add(up->A, A);
    up->B = m3_add(up->B, D);
    up->C = s3_add(up->C, C);
}

INL void aba_inward(const robot *r, const work *k, int i, turn t, const num *q, const num *torque)
{
    const robot_link *l = &r->link[i];
    aba_state *s = &k->link[i].aba;
    if (t.wide) {
        aba_wide(l, k, s, torque);
        if (l->parent < 0) return;
        /* alpha = K gamma - beta*, with what the freedoms took from beta*                   [003 eq. 9.118] */
        const vec3 f = v3_sub(v3_add(s3_mul(s->A, s->gv), m3_mul(s->B, s->gw)), s->bf);
        const vec3 m = v3_sub(v3_add(m3_tmul(s->B, s->gv), s3_mul(s->C, s->gw)), s->bm);
        aba_into_parent(l, t, q, s->A, s->B, s->C, f, m, &k->link[l->parent].aba);
        return;
    }
    const num Ia = r->rotors ? from(l->Ia) : of(0);
    /* u = J* a, H = a'J*a + Ia                                                          [003 eq. 9.116] */
    if (revolves(l)) {
        s->uf = v3(s->B.xz, s->B.yz, s->B.zz);
        s->um = v3(s->C.xz, s->C.yz, s->C.zz);
        s->H = add(s->um.z, Ia);
        s->tau = add(torque[l->iv], s->bm.z);
    } else {
        s->uf = v3(s->A.xz, s->A.yz, s->A.zz);
        s->um = v3(s->B.zx, s->B.zy, s->B.zz);
        s->H = add(s->uf.z, Ia);
        s->tau = add(torque[l->iv], s->bf.z);
    }
    k->row[l->iv] = s->H;
    if (l->parent < 0) return;
    /* K = J* - u u'/H                                                                   [003 eq. 9.117] */
    const num h = divide(of(1), s->H);
    const vec3 hf = v3_scale(h, s->uf), hm = v3_scale(h, s->um);
    const sym3 A = s3_less(s->A, hf, s->uf), C = s3_less(s->C, hm, s->um);
    const mat3 B = m3_less(s->B, hf, s->um);
    /* alpha = K gamma + u (tau + a'beta*)/H - beta*                                      [003 eq. 9.118] */
    const vec3 f = v3_add(v3_add(s3_mul(A, s->gv), m3_mul(B, s->gw)), v3_sub(v3_scale(s->tau, hf), s->bf));
    const vec3 m = v3_add(v3_add(m3_tmul(B, s->gv), s3_mul(C, s->gw)), v3_sub(v3_scale(s->tau, hm), s->bm));
    aba_into_parent(l, t, q, A, B, C, f, m, &k->link[l->parent].aba);
}

INL void aba_acceleration(const robot *r, const work *k, int i, turn t, const num *q, num *qdd)
{
    const robot_link *l = &r->link[i];
    aba_state *s = &k->link[i].aba;
    vec3 a, wd;
    if (l->parent < 0) {
        a = lift_into_link(r, l, t);
        wd = v3_zero();
    } else {
        /* T V_dot                                                                       [003 eq. 9.121] */
        const aba_state *up = &k->link[l->parent].aba;
        a = into_link(l, t, v3_sub(up->a, con3_cross(con3_at(l->p), up->wd)));
        wd = into_link(l, t, up->wd);
    }
    if (!t.wide && slides(l)) a = v3_add(a, cross_z(wd, q[l->iq]));
    if (t.wide && l->parent >= 0) a = v3_add(a, v3_cross(wd, t.wide->d));
    /* qdd = (-u'(T V_dot + gamma) + tau + a'beta*)/H; V_dot = T V_dot + a qdd + gamma   [003 eq. 9.122, 9.124] */
    a = v3_add(a, s->gv);
    wd = v3_add(wd, s->gw);
    if (t.wide) {
        aba_wide_accelerations(l, k, &a, &wd, qdd);
        s->a = a;
        s->wd = wd;
        return;
    }
    const num own = divide(sub(s->tau, add(v3_dot(s->uf, a), v3_dot(s->um, wd))), s->H);
    if (revolves(l))
        wd.z = add(wd.z, own);
    else
        a.z = add(a.z, own);
    qdd[l->iv] = own;
    s->a = a;
    s->wd = wd;
}

INL void aba_passes(const robot *r, const work *k, int several, const num *q, const num *qd, num *qdd)
{
    for (int i = 0; i < r->n; i++) AT_JOINT(several, &r->link[i], k, aba_outward(r, k, i, t, q, qd));
    for (int i = r->n - 1; i >= 0; i--) AT_JOINT(several, &r->link[i], k, aba_inward(r, k, i, t, q, k->column));
    for (int i = 0; i < r->n; i++) AT_JOINT(several, &r->link[i], k, aba_acceleration(r, k, i, t, q, qdd));
}

void EXPORT(fd_aba)(const robot *r, const work *k, const num *q, const num *qd, const num *tau, num *qdd)
{
    joint_turns(r, k, q);
    if (r->nwrench) EXPORT(wrenches)(r, k, q);
    for (int i = 0; i < r->nv; i++) k->column[i] = tau[i];
    EXPORT(friction)(r, k, qd, k->column, -1); /* tau = Gamma - friction  [003 eq. 9.106] */
    FOR_ROBOT(r, aba_passes(r, k, several, q, qd, qdd));
}
