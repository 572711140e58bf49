/* SPDX-License-Identifier: MIT
 *
 * rne.c - recursive Newton-Euler, linear in mass, first moments and inertia, for trees of revolute and prismatic joints.
 *
 *     tau = M(q) qdd + c(q,qd) + g(q) + friction + rotors - J'w
 *
 * Forward: velocities and accelerations into the links; backward: wrenches to the base. [003 section 9.5.3, eq. 9.84-9.94];
 * derivation in doc/rne.md. Cost O(n). */
#include "algo/joint.h"
#include "algo/loads.h"
#include "algo/texts.h"

/* U = wd^ + w^ w^ [003 eq. 9.90, ERRATA part two 1], and the moment J wd + w x (J w) built from its entries: [ERRATA part
 * two 2.1] */
INL mat3 rne_U(vec3 w, vec3 wd, const link *l, vec3 *moment)
{
    const num xx = mul(w.x, w.x), yy = mul(w.y, w.y), zz = mul(w.z, w.z);
    const num xy = mul(w.x, w.y), xz = mul(w.x, w.z), yz = mul(w.y, w.z);
    const mat3 U = {neg(add(yy, zz)), sub(xy, wd.z), add(xz, wd.y), add(xy, wd.z),   neg(add(xx, zz)),
                    sub(yz, wd.x),    sub(xz, wd.y), add(yz, wd.x), neg(add(xx, yy))};
    const par *J = l->J, *D = l->JD;
    *moment =
        v3(add(add(mulc(J[0], wd.x), mulc(D[0], yz)), add(sub(mulc(J[2], U.yx), mulc(J[1], U.zx)), mulc(J[4], sub(yy, zz)))),
           add(add(mulc(J[3], wd.y), mulc(D[1], xz)), add(sub(mulc(J[1], U.zy), mulc(J[4], U.xy)), mulc(J[2], sub(zz, xx)))),
           add(add(mulc(J[5], wd.z), mulc(D[2], xy)), add(sub(mulc(J[4], U.xz), mulc(J[2], U.yz)), mulc(J[1], sub(xx, yy)))));
    return U;
}

INL void rne_forward(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, int gravity)
{
    for (int i = 0; i < r->n; i++) {
        const link *l = &r->link[i];
        rne_state *s = &k->link[i].rne;
        const turn t = joint_turn(k, i);
        vec3 w, wd, a;
        if (l->parent < 0) {
            w = wd = v3_zero();
            a = gravity ? rz_back(t, v3_of(con3_at(r->base[l->base].a0))) : v3_zero();
        } else {
            const rne_state *up = &k->link[l->parent].rne;
            /* w = R'w_p; wd = R'wd_p; a = R'(a_p + U_p P)                             [003 eq. 9.84, 9.86, 9.87] */
            w = into_link(l, t, up->w);
            wd = into_link(l, t, up->wd);
            a = into_link(l, t, v3_add(up->a, m3_mulc(up->U, con3_at(l->p))));
        }
        vec3 moment;
        if (l->joint == REVOLUTE) {
            /* wd += w x z qd + z qdd; w += z qd                                       [003 eq. 9.85, 9.86] */
            wd.x = add(wd.x, mul(w.y, qd[i]));
            wd.y = sub(wd.y, mul(w.x, qd[i]));
            if (qdd) wd.z = add(wd.z, qdd[i]);
            w.z = add(w.z, qd[i]);
            s->U = rne_U(w, wd, l, &moment);
        } else {
            /* a += U z q + 2 w x z qd + z qdd                                         [003 eq. 9.87] */
            s->U = rne_U(w, wd, l, &moment);
            const num v = add(qd[i], qd[i]);
            a.x = add(a.x, add(mul(s->U.xz, q[i]), mul(w.y, v)));
            a.y = add(a.y, sub(mul(s->U.yz, q[i]), mul(w.x, v)));
            a.z = add(a.z, mul(s->U.zz, q[i]));
            if (qdd) a.z = add(a.z, qdd[i]);
        }
        s->w = w;
        s->wd = wd;
        s->a = a;
        /* F = M a + U MS; moment + MS x a                                             [003 eq. 9.88, 9.89] */
        const con3 MS = con3_at(l->MS);
        s->f = v3_add(v3_scalec(l->M, a), m3_mulc(s->U, MS));
        s->m = v3_add(moment, con3_cross(MS, a));
    }
}

INL void rne_backward(const robot *r, const work *k, const num *q, num *tau)
{
    for (int i = r->n - 1; i >= 0; i--) {
        const link *l = &r->link[i];
        const rne_state *s = &k->link[i].rne;
        tau[i] = l->joint == REVOLUTE ? s->m.z : s->f.z; /* [003 eq. 9.94] */
        if (l->parent < 0) continue;
        rne_state *up = &k->link[l->parent].rne;
        wrench_into_parent(l, joint_turn(k, i), q, i, s->f, s->m, &up->f, &up->m);
    }
}

/* f - f_e, m - m_e: the external wrench acts ON the link, [003 eq. 9.91, 9.93] with the sign of f_e turned */
INL void rne_wrenches(const robot *r, const work *k, const num *q)
{
    if (!r->nwrench) return;
    EXPORT(wrenches)(r, k, q);
    for (int i = 0; i < r->n; i++) {
        rne_state *s = &k->link[i].rne;
        s->f = v3_sub(s->f, k->force[i]);
        s->m = v3_sub(s->m, k->moment[i]);
    }
}

void EXPORT(id)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, num *tau)
{
    joint_turns(r, k, q);
    rne_forward(r, k, q, qd, qdd, 1);
    rne_wrenches(r, k, q);
    rne_backward(r, k, q, tau);
    load_rotors(r, qdd, tau);
    EXPORT(friction)(r, k, qd, tau, 1);
}

/* id at qdd = 0: H of [003 eq. 9.95] */
void EXPORT(bias)(const robot *r, const work *k, const num *q, const num *qd, num *tau)
{
    joint_turns(r, k, q);
    rne_forward(r, k, q, qd, 0, 1);
    rne_wrenches(r, k, q);
    rne_backward(r, k, q, tau);
    EXPORT(friction)(r, k, qd, tau, 1);
}

/* c(q,qd) alone: no gravity, no friction, no wrench */
void EXPORT(coriolis)(const robot *r, const work *k, const num *q, const num *qd, num *tau)
{
    joint_turns(r, k, q);
    rne_forward(r, k, q, qd, 0, 0);
    rne_backward(r, k, q, tau);
}
