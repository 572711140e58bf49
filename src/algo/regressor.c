/* SPDX-License-Identifier: MIT
 *
 * regressor.c - the torques as a linear function of the inertial parameters.
 *
 *     tau = Y(q,qd,qdd) K,   K of a link: XX XY XZ YY YZ ZZ MX MY MZ M IA          [003 eq. 9.36, 9.42, 9.63]
 *
 * The torques of a load on a named link are the same with the columns of that link's frame.
 *
 * Forward: motions of the links. Then, link by link, the wrench that each parameter set to one demands (a column of [003
 * eq. 9.88, 9.89]) goes down to the base and leaves its share at every joint on its way. Derivation in doc/regressor.md. Cost
 * O(n^2). */
#include "algo/motion.h"
#include "algo/texts.h"

enum { REGRESSOR_TENSOR = 6 }; /* columns of the inertia */

/* of the first `n` links */
INL void regressor_motions(const robot *r, const work *k, int n, const num *q, const num *qd, const num *qdd)
{
    for (int i = 0; i < n; i++) {
        const robot_link *l = &r->link[i];
        const motion_state *up = l->parent < 0 ? NULL : &k->link[l->parent].motion;
        AT_JOINT(1, l, k, (void)link_motion(r, l, t, up, q, qd, qdd, 1, &k->link[i].motion));
    }
}

/* moments of unit entries of the inertia tensor: J wd + w x (J w) by columns [003 eq. 9.89] */
INL void regressor_tensor(const motion_state *s, vec3 m[REGRESSOR_TENSOR])
{
    const vec3 w = s->w, wd = s->wd;
    const num xx = mul(w.x, w.x), yy = mul(w.y, w.y), zz = mul(w.z, w.z);
    const num xy = mul(w.x, w.y), xz = mul(w.x, w.z), yz = mul(w.y, w.z);
    m[0] = v3(wd.x, xz, neg(xy));                  /* XX */
    m[1] = v3(neg(s->U.zx), s->U.zy, sub(xx, yy)); /* XY */
    m[2] = v3(s->U.yx, sub(zz, xx), neg(s->U.yz)); /* XZ */
    m[3] = v3(neg(yz), wd.y, xy);                  /* YY */
    m[4] = v3(sub(yy, zz), neg(s->U.xy), s->U.xz); /* YZ */
    m[5] = v3(yz, neg(xz), wd.z);                  /* ZZ */
}

/* wrenches of unit first moments and unit mass: U MS, MS x a; M a                   [003 eq. 9.88, 9.89] */
INL void regressor_moments(const motion_state *s, vec3 f[4], vec3 m[4])
{
    const mat3 *U = &s->U;
    const vec3 a = s->a;
    f[0] = v3(U->xx, U->yx, U->zx), m[0] = v3(of(0), neg(a.z), a.y);
    f[1] = v3(U->xy, U->yy, U->zy), m[1] = v3(a.z, of(0), neg(a.x));
    f[2] = v3(U->xz, U->yz, U->zz), m[2] = v3(neg(a.y), a.x, of(0));
    f[3] = a, m[3] = v3_zero();
}

INL num v3_at(vec3 a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }

/* wrenches on link i down to the base: a moment has no share in a prismatic joint, and no arm on its way. Y: their first column,
 * rows of `width` numbers */
INL void regressor_down(const robot *r, const work *k, const num *q, int i, vec3 tensor[REGRESSOR_TENSOR], vec3 f[4], vec3 m[4],
                        int width, num *Y)
{
    for (int j = i; j >= 0; j = r->link[j].parent) {
        const robot_link *l = &r->link[j];
        for (int v = 0; v < l->nv; v++) {
            num *row = Y + (l->iv + v) * width;
            const int way = joint_way(l, v), axis = way % 3;
            for (int c = 0; c < REGRESSOR_TENSOR && way >= 3; c++) row[c] = v3_at(tensor[c], axis);
            for (int c = 0; c < 4; c++) row[REGRESSOR_TENSOR + c] = v3_at(way < 3 ? f[c] : m[c], axis);
        }
        if (l->parent < 0) continue;
        const turn t = any_turn(l, k);
        for (int c = 0; c < REGRESSOR_TENSOR; c++) tensor[c] = into_parent(l, t, tensor[c]);
        for (int c = 0; c < 4; c++) {
            vec3 force = v3_zero(), moment = v3_zero();
            wrench_into_parent(l, t, q, f[c], m[c], &force, &moment);
            f[c] = force, m[c] = moment;
        }
    }
}

INL void regressor_link(const robot *r, const work *k, const num *q, int i, num *Y)
{
    vec3 tensor[REGRESSOR_TENSOR], f[4], m[4];
    regressor_tensor(&k->link[i].motion, tensor);
    regressor_moments(&k->link[i].motion, f, m);
    regressor_down(r, k, q, i, tensor, f, m, REGRESSOR_LINK * r->n, Y + REGRESSOR_LINK * i);
}

/* IA qdd [003 eq. 9.29]; with coupled motors IA_k acts on dq_m,k = sum_j D_kj dq_j [003 eq. 9.31], D = J^-1 */
INL void regressor_rotors(const robot *r, const num *qdd, num *Y)
{
    const int n = r->nv, width = REGRESSOR_LINK * r->n;
    for (int i = 0; i < r->n; i++) {
        const int k = r->link[i].iv;
        num *column = Y + REGRESSOR_LINK * i + REGRESSOR_BODY;
        if (is_wide(&r->link[i])) continue; /* no motor drives it */
        if (!robot_drive(r)) {
            column[k * width] = qdd[k];
            continue;
        }
        num shaft = of(0);
        for (int j = 0; j < n; j++) shaft = add(shaft, mulc(robot_drive(r)[k * n + j], qdd[j]));
        for (int j = 0; j < n; j++) column[j * width] = mulc(robot_drive(r)[k * n + j], shaft);
    }
}

void EXPORT(regressor)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, num *Y)
{
    for (int c = 0; c < r->nv * REGRESSOR_LINK * r->n; c++) Y[c] = of(0);
    joint_turns(r, k, q);
    regressor_motions(r, k, r->n, q, qd, qdd);
    for (int i = 0; i < r->n; i++) regressor_link(r, k, q, i, Y);
    if (r->rotors) regressor_rotors(r, qdd, Y);
}

void EXPORT(did_payload)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, int frame, int blank, num *Y)
{
    const named_frame *at = robot_frame(r, frame);
    if (!blank)
        for (int c = 0; c < r->nv * REGRESSOR_BODY; c++) Y[c] = of(0);
    if (at->body < 0) return; /* the base does not move */
    joint_turns_to(r, k, at->body, q);
    regressor_motions(r, k, at->body + 1, q, qd, qdd);
    /* the motion of the frame in its own axes: w, wd, a + U p, U */
    const motion_state *s = &k->link[at->body].motion;
    const con3 p = con3_at(at->p);
    const vec3 x = rot_back(at->R, m3_mulc(s->U, (con3){at->R[0], at->R[3], at->R[6]})),
               y = rot_back(at->R, m3_mulc(s->U, (con3){at->R[1], at->R[4], at->R[7]})),
               z = rot_back(at->R, m3_mulc(s->U, (con3){at->R[2], at->R[5], at->R[8]}));
    const motion_state own = {.w = rot_back(at->R, s->w),
                              .wd = rot_back(at->R, s->wd),
                              .a = rot_back(at->R, v3_add(s->a, m3_mulc(s->U, p))),
                              .U = m3_columns(x, y, z)};
    vec3 tensor[REGRESSOR_TENSOR], f[4], m[4];
    regressor_tensor(&own, tensor);
    regressor_moments(&own, f, m);
    for (int c = 0; c < REGRESSOR_TENSOR; c++) tensor[c] = rot_of(at->R, tensor[c]);
    for (int c = 0; c < 4; c++) {
        f[c] = rot_of(at->R, f[c]);
        m[c] = v3_add(rot_of(at->R, m[c]), con3_cross(p, f[c]));
    }
    regressor_down(r, k, q, at->body, tensor, f, m, REGRESSOR_BODY, Y);
}
