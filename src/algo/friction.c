/* SPDX-License-Identifier: MIT
 *
 * friction.c - friction torques of the joints, by the law of each [003 section 9.3.4].
 *
 * Coulomb and viscous [eq. 9.27], with static friction that decays with speed [eq. 9.26, k = vs^-B], or piecewise linear
 * [fig. 9.2d]. sign(0) = 0: a joint at rest shows no friction, but its constant torque. Motors behind a coupled transmission rub
 * on their own speed. */
#include "algo/joint.h"
#include "algo/texts.h"

/* t_0 + sum of slope_k (clamp(|v|, v_k, v_k+1) - v_k), the last slope going on */
INL num friction_points(const robot_link *l, const robot_pair *point, num v)
{
    const num speed = absolute(v);
    num t = of(point[0][1]);
    for (int k = 0; k + 1 < l->npoint; k++) {
        const double *a = point[k], *b = point[k + 1];
        num d = most(speed, a[0]);
        if (k + 2 < l->npoint) d = least(d, b[0]);
        t = add(t, mulc(con((b[1] - a[1]) / (b[0] - a[0])), sub(d, of(a[0]))));
    }
    return t;
}

/* Against sliding towards s: sign(v), or where the simulator says it slides to while v is 0. */
INL num friction_along(const robot_link *l, const robot_pair *point, num v, num s)
{
    num dry = from(l->fc);
    if (l->uneven) dry = add(dry, mulc(l->fd, s)); /* another one backwards: doc/identify.md (3) */
    if (l->law == LAW_STRIBECK)                    /* (Fst - Fc) exp(-|v/vs|^B)  [003 eq. 9.26] */
        dry = add(dry, mulc(l->fs, expo(neg(power(mulc(l->vs, absolute(v)), l->ex)))));
    const num f = add(mul(s, dry), mulc(l->fv, v)); /* [003 eq. 9.27] */
    return l->law == LAW_POINTS ? add(f, mul(s, friction_points(l, point, v))) : f;
}

num EXPORT(sliding)(const robot_link *l, const robot_pair *point, num v, num s)
{
    return l->law == LAW_NONE ? of(0) : friction_along(l, point, v, s);
}

void EXPORT(friction)(const robot *r, const work *k, const num *qd, num *tau, int sign_of_it)
{
    if (!r->friction) return;
    for (int i = 0; i < r->n; i++) {
        const robot_link *l = &r->link[i];
        if (l->law == LAW_NONE) continue;
        const num v = qd[l->iv];
        num f = friction_along(l, robot_point(r, l->point), v, sign(v));
        if (l->pulled) f = add(f, from(l->fo)); /* at rest too */
        tau[l->iv] = sign_of_it > 0 ? add(tau[l->iv], f) : sub(tau[l->iv], f);
    }
    const int n = r->nv;
    const par *drive = robot_drive(r), *fv = robot_motor_fv(r), *fc = robot_motor_fc(r);
    if (!drive) return;
    /* motor speeds qd_m = J^-1 qd, their friction back to the joints by J^-T  [003 eq. 9.31-9.33] */
    for (int m = 0; m < n; m++) {
        num v = of(0);
        for (int j = 0; j < n; j++) v = add(v, mulc(drive[m * n + j], qd[j]));
        k->row[m] = add(mulc(fv[m], v), mulc(fc[m], sign(v)));
    }
    for (int i = 0; i < n; i++)
        for (int m = 0; m < n; m++) {
            const num f = mulc(drive[m * n + i], k->row[m]);
            tau[i] = sign_of_it > 0 ? add(tau[i], f) : sub(tau[i], f);
        }
}

void EXPORT(friction_torques)(const robot *r, const work *k, const num *qd, num *tau)
{
    for (int i = 0; i < r->nv; i++) tau[i] = of(0);
    EXPORT(friction)(r, k, qd, tau, 1);
}
