/* SPDX-License-Identifier: MIT
 *
 * crba_lean.c - inertia matrix by composite bodies, and forward dynamics from it, with fewer operations, for code written for one
 * robot. Same result as crba.c and ltdl.c up to rounding.
 *
 * The rotated columns J z and z x MS of a composite body are entries of the rotated tensor and first moment, so both are computed
 * once. Parallel axes: lean.h. [ERRATA part two 2.4] */
#include "algo/composite.h"
#include "algo/lean.h"
#include "algo/texts.h"

/* J of a body moved by p, without its zz: J + 2 p.h E - (p h' + h p'), h = MS + M p/2 */
INL sym3 lean_shift(sym3 J, vec3 p, vec3 h)
{
    const num x = mul(p.x, h.x), y = mul(p.y, h.y), z = mul(p.z, h.z);
    const num xx = add(x, x), yy = add(y, y), zz = add(z, z);
    return (sym3){
        add(J.xx, add(yy, zz)), sub(J.xy, add(mul(p.x, h.y), mul(p.y, h.x))), sub(J.xz, add(mul(p.x, h.z), mul(p.z, h.x))),
        add(J.yy, add(xx, zz)), sub(J.yz, add(mul(p.y, h.z), mul(p.z, h.y))), add(J.zz, add(xx, yy))};
}

/* a body moved by d, and along z by q */
INL crba_state lean_moved(crba_state s, vec3 d)
{
    s.J = lean_shift(s.J, d, v3_add(s.MS, v3_scale(mulc(con(0.5), s.M), d)));
    s.MS = v3_add(s.MS, v3_scale(s.M, d));
    return s;
}
INL crba_state lean_slid(crba_state s, num q) { return lean_moved(s, v3(of(0), of(0), q)); }

/* the composite body of link i added to its parent's */
INL void lean_body(const robot *r, const work *k, const lean_work *w, const num *q, int i, crba_state s, crba_state *up)
{
    const robot_link *l = &r->link[i];
    const con3 p = con3_at(l->p);
    if (slides(l)) s = lean_slid(s, q[l->iq]);
    if (is_wide(l)) s = lean_moved(s, wide_turn(l, k).wide->d);
    if (w->link[i].twisted) s = lean_slid(s, from(w->link[i].along));
    vec3 MS = lean_outward(r, k, w, i, s.MS);
    sym3 J = s.J;
    if (is_wide(l)) {
        J = s3_by(wide_turn(l, k).wide->R, J);
    } else {
        if (!lean_before(w, i)) J = s3_rz(lean_turn(w, i), J);
        J = s3_rxc(l->ca, l->sa, J);
        if (l->branch) J = s3_rzc(l->cg, l->sg, J);
    }
    const int merged = w->link[i].merged;
    const vec3 at = merged ? lean_constant(w, l->parent, p) : v3_of(p);
    const vec3 Mp = v3_scale(s.M, at);
    const num zz = J.zz;
    J = lean_shift(J, at, v3_add(MS, v3_scalec(con(0.5), Mp)));
    if (merged && !lean_before(w, i)) { /* zz in axes where p is constant */
        const vec3 own = lean_own_outward(l, k, s.MS);
        const vec3 h = v3_add(own, v3_scalec(con(0.5), v3_by_con3(s.M, p)));
        const num x = mulc(p.x, h.x), y = mulc(p.y, h.y);
        J.zz = add(zz, add(add(x, x), add(y, y)));
    }
    MS = v3_add(MS, Mp);
    if (lean_pending(r, w, i)) {
        MS = rz_of(lean_turn(w, l->parent), MS);
        J = s3_rz(lean_turn(w, l->parent), J);
    }
    up->M = add(up->M, s.M);
    up->MS = v3_add(up->MS, MS);
    up->J = s3_add(up->J, J);
}

void EXPORT(mass_lean)(const robot *r, const work *k, const lean_work *w, const num *q, num *M)
{
    const int n = r->nv;
    lean_turns(r, k, w, q);
    for (int i = 0; i < n * n; i++) M[i] = of(0);
    for (int i = 0; i < r->n; i++) {
        const robot_link *l = &r->link[i];
        k->link[i].crba = (crba_state){from(l->M), lean_constant(w, i, con3_at(l->MS)), lean_tensor(w, i, l->J)};
    }
    for (int i = r->n - 1; i >= 0; i--) {
        const robot_link *l = &r->link[i];
        const crba_state *s = &k->link[i].crba;
        if (l->parent >= 0) lean_body(r, k, w, q, i, *s, &k->link[l->parent].crba);
        for (int c = 0; c < l->nv; c++) {
            vec3 f, m;
            crba_unit(l, any_turn(l, k), c, s, &f, &m);
            joint_project(l, any_turn(l, k), f, m, M + (l->iv + c) * n);
            for (int j = i; r->link[j].parent >= 0;) {
                vec3 pf = v3_zero(), pm = v3_zero();
                lean_wrench(r, k, w, q, j, f, m, &pf, &pm);
                f = pf;
                m = pm;
                j = r->link[j].parent;
                crba_below(&r->link[j], any_turn(&r->link[j], k), n, l->iv + c, f, m, M);
            }
        }
    }
    EXPORT(rotor_matrix)(r, M);
}

/* A qdd = tau - H by A = L'DL, one division a joint [003 eq. 9.95-9.97; ERRATA part two 2.4] */
void EXPORT(accelerations_lean)(const robot *r, num *M, const num *tau, num *qdd)
{
    const int n = r->nv, *up = robot_chain(r, 0);
    EXPORT(factor)(r, M);
    for (int i = 0; i < n; i++) qdd[i] = sub(tau[i], qdd[i]);
    for (int i = n - 1; i >= 0; i--)
        for (int j = up[i]; j >= 0; j = up[j]) qdd[j] = sub(qdd[j], mul(M[i * n + j], qdd[i]));
    for (int i = 0; i < n; i++) {
        qdd[i] = mul(qdd[i], divide(of(1), M[i * n + i]));
        for (int j = up[i]; j >= 0; j = up[j]) qdd[i] = sub(qdd[i], mul(M[i * n + j], qdd[j]));
    }
}
