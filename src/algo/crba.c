/* SPDX-License-Identifier: MIT
 *
 * crba.c - inertia matrix by composite bodies: column i is the wrench that accelerates everything outboard of joint i by one
 * unit, projected on the axes of joint i and of those below it. [003 section 9.7.1, note on composite links]; doc/crba.md. */
#include "algo/composite.h"
#include "algo/did.h"
#include "algo/texts.h"

/* joints before a joint, on average, from which on base axes are quicker (did.c) */
enum { DEEP = 12 };

/* the composite body of a link added to its parent's: origin moved by -p */
INL void crba_into_parent(const robot_link *l, turn t, const num *q, crba_state s, crba_state *up)
{
    if (!t.wide && slides(l)) {
        /* along z by q: J += 2 z.h E - (z h' + h z') with h = MS + M q z/2, doubled */
        const num d = q[l->iq];
        const vec3 h = v3(s.MS.x, s.MS.y, add(s.MS.z, mul(mulc(con(0.5), s.M), d)));
        const num t2 = mul(add(d, d), h.z);
        s.J.xx = add(s.J.xx, t2);
        s.J.yy = add(s.J.yy, t2);
        s.J.xz = sub(s.J.xz, mul(d, h.x));
        s.J.yz = sub(s.J.yz, mul(d, h.y));
        s.MS.z = add(s.MS.z, mul(s.M, d));
    } else if (t.wide) {
        /* by d: J += 2 d.h E - (d h' + h d'), h = MS + M d/2 */
        const vec3 d = t.wide->d, Md = v3_scale(s.M, d), h = v3_add(s.MS, v3_scalec(con(0.5), Md));
        const num two = add(v3_dot(d, h), v3_dot(d, h));
        s.J = s3_less(s3_less(s.J, d, h), h, d);
        s.J.xx = add(s.J.xx, two), s.J.yy = add(s.J.yy, two), s.J.zz = add(s.J.zz, two);
        s.MS = v3_add(s.MS, Md);
    }
    const vec3 MS = into_parent(l, t, s.MS);
    sym3 J = s3_into_parent(l, t, s.J);
    /* J' = J + 2 p.h E - (p h' + h p'), h = MS + M p/2 */
    const con3 p = con3_at(l->p);
    const vec3 Mp = v3_by_con3(s.M, p);
    const vec3 h = v3_add(MS, v3_scalec(con(0.5), Mp));
    const num px = mulc(p.x, h.x), py = mulc(p.y, h.y), pz = mulc(p.z, h.z);
    const num yz = add(py, pz), xz = add(px, pz), xy = add(px, py);
    J.xx = add(J.xx, add(yz, yz));
    J.yy = add(J.yy, add(xz, xz));
    J.zz = add(J.zz, add(xy, xy));
    J.xy = sub(J.xy, add(mulc(p.x, h.y), mulc(p.y, h.x)));
    J.xz = sub(J.xz, add(mulc(p.x, h.z), mulc(p.z, h.x)));
    J.yz = sub(J.yz, add(mulc(p.y, h.z), mulc(p.z, h.y)));
    up->M = add(up->M, s.M);
    up->MS = v3_add(up->MS, v3_add(MS, Mp));
    up->J = s3_add(up->J, J);
}

/* M += rotor inertias */
void EXPORT(rotor_matrix)(const robot *r, num *M)
{
    const int n = r->nv;
    const par *rotor = robot_rotor(r);
    if (!r->rotors) return;
    for (int i = 0; i < n * n && rotor; i++) M[i] = add(M[i], from(rotor[i]));
    for (int i = 0; i < r->n && !rotor; i++) { /* A_jj + Ia_j  [003 9.3.5] */
        const robot_link *l = &r->link[i];
        M[l->iv * n + l->iv] = add(M[l->iv * n + l->iv], from(l->Ia));
    }
}

/* a wrench handed on to the parent */
INL void crba_hand_on(const robot_link *l, turn t, const num *q, vec3 *f, vec3 *m)
{
    vec3 pf = v3_zero(), pm = v3_zero();
    wrench_into_parent(l, t, q, *f, *m, &pf, &pm);
    *f = pf;
    *m = pm;
}

INL void crba_link(const robot *r, const work *k, int several, int i, turn own, const num *q, num *M)
{
    const robot_link *l = &r->link[i];
    const crba_state *s = &k->link[i].crba;
    if (l->parent >= 0) crba_into_parent(l, own, q, *s, &k->link[l->parent].crba);
    for (int c = 0; c < (own.wide ? l->nv : 1); c++) {
        const int n = r->nv, v = l->iv + c;
        const robot_link *at = l;
        vec3 f, m;
        crba_unit(l, own, c, s, &f, &m);
        joint_project(l, own, f, m, M + v * n);
        while (at->parent >= 0) {
            AT_JOINT(several, at, k, crba_hand_on(at, t, q, &f, &m));
            at = &r->link[at->parent];
            AT_JOINT(several, at, k, crba_below(at, t, n, v, f, m, M));
        }
    }
}

INL void crba_links(const robot *r, const work *k, int several, const num *q, num *M)
{
    for (int i = r->n - 1; i >= 0; i--) AT_JOINT(several, &r->link[i], k, crba_link(r, k, several, i, t, q, M));
}

void EXPORT(mass)(const robot *r, const work *k, const num *q, num *M)
{
    if (r->n && r->link[r->n - 1].before > DEEP * r->n) {
        EXPORT(mass_deep)(r, k, q, M);
        return;
    }
    joint_turns(r, k, q);
    for (int i = 0; i < r->nv * r->nv; i++) M[i] = of(0);
    for (int i = 0; i < r->n; i++) {
        const robot_link *l = &r->link[i];
        k->link[i].crba =
            (crba_state){from(l->M),
                         v3_of(con3_at(l->MS)),
                         {from(l->J[0]), from(l->J[1]), from(l->J[2]), from(l->J[3]), from(l->J[4]), from(l->J[5])}};
    }
    FOR_ROBOT(r, crba_links(r, k, several, q, M));
    EXPORT(rotor_matrix)(r, M);
}
