/* SPDX-License-Identifier: MIT
 *
 * crba.c - inertia matrix by composite bodies: column i is the wrench that accelerates everything outboard of joint i by one
 * unit, projected on the axes of joint i and of those below it. [003 section 9.7.1 and its note on composite links]; doc/crba.md.
 */
#include "algo/joint.h"
#include "algo/texts.h"

/* the composite body of a link added to its parent's: origin moved by -p */
INL void crba_into_parent(const link *l, turn t, const num *q, int i, crba_state s, crba_state *up)
{
    if (l->joint == PRISMATIC) {
        /* along z by q: J += 2 z.h E - (z h' + h z') with h = MS + M q z/2, doubled */
        const num d = q[i];
        const vec3 h = v3(s.MS.x, s.MS.y, add(s.MS.z, mul(mulc(con(0.5), s.M), d)));
        const num t2 = mul(add(d, d), h.z);
        s.J.xx = add(s.J.xx, t2);
        s.J.yy = add(s.J.yy, t2);
        s.J.xz = sub(s.J.xz, mul(d, h.x));
        s.J.yz = sub(s.J.yz, mul(d, h.y));
        s.MS.z = add(s.MS.z, mul(s.M, d));
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
    if (!r->rotors) return;
    for (int i = 0; i < r->n; i++) /* A_jj + Ia_j  [003 9.3.5] */
        for (int j = 0; j < r->n; j++)
            if (r->rotor)
                M[i * r->n + j] = add(M[i * r->n + j], from(r->rotor[i * r->n + j]));
            else if (i == j)
                M[i * r->n + i] = add(M[i * r->n + i], from(r->link[i].Ia));
}

void EXPORT(mass)(const robot *r, const work *k, const num *q, num *M)
{
    const int n = r->n;
    joint_turns(r, k, q);
    for (int i = 0; i < n; i++) {
        const link *l = &r->link[i];
        k->link[i].crba =
            (crba_state){from(l->M),
                         v3_of(con3_at(l->MS)),
                         {from(l->J[0]), from(l->J[1]), from(l->J[2]), from(l->J[3]), from(l->J[4]), from(l->J[5])}};
        for (int j = 0; j < n; j++) M[i * n + j] = of(0);
    }
    for (int i = n - 1; i >= 0; i--) {
        const link *l = &r->link[i];
        const crba_state *s = &k->link[i].crba;
        if (l->parent >= 0) crba_into_parent(l, joint_turn(k, i), q, i, *s, &k->link[l->parent].crba);
        /* the wrench for unit acceleration: z x MS and J z, or M z and MS x z */
        vec3 f, m;
        if (l->joint == REVOLUTE) {
            f = v3(neg(s->MS.y), s->MS.x, of(0));
            m = v3(s->J.xz, s->J.yz, s->J.zz);
        } else {
            f = v3(of(0), of(0), s->M);
            m = v3(s->MS.y, neg(s->MS.x), of(0));
        }
        M[i * n + i] = l->joint == REVOLUTE ? m.z : f.z;
        for (int j = i; r->link[j].parent >= 0;) {
            vec3 pf = v3_zero(), pm = v3_zero();
            wrench_into_parent(&r->link[j], joint_turn(k, j), q, j, f, m, &pf, &pm);
            f = pf;
            m = pm;
            j = r->link[j].parent;
            M[i * n + j] = M[j * n + i] = r->link[j].joint == REVOLUTE ? m.z : f.z;
        }
    }
    EXPORT(rotor_matrix)(r, M);
}
