/* SPDX-License-Identifier: MIT
 *
 * variants.c - the 16 variants of NE* to the letter [000 section IV, ERRATA part one 1], for their study: in four places one of
 * two velocities is chosen, i1 (AAR*), i2 (LAR'*), i3 (LAR*), i4 (TR*). 0001 and 1110 are those of coriolis.c.
 *
 * Base axes, so the rotations that the paper leaves out are not needed. The paper's frames are standard DH: O_(i-1) lies on the
 * axis of joint i and O_i is fixed to link i. Where a file has other frames, the foot of the perpendicular from O_(i-1) on the
 * axis takes its place; the way to it belongs to link i-1. */
#include "algo/variants.h"

#include "algo/loads.h"

/* what a link's point at distance r has more than its origin: al x r + w x (wa x r), or with the velocities exchanged
 *                                                                   [000 (LAR'*_0), (LAR'*_1), (LAR*_0), (LAR*_1)] */
INL vec3 variant_carried(int choice, const variant_state *s, vec3 r)
{
    const vec3 turning = choice ? v3_cross(s->wa, v3_cross(s->w, r)) : v3_cross(s->w, v3_cross(s->wa, r));
    return v3_add(v3_cross(s->al, r), turning);
}

/* joint axis, a point on it, O, and the rotation of the link's own frame */
INL mat3 variant_frame(const robot *r, const work *k, const num *q, int frame, variant_state *s)
{
    const named_frame *f = robot_frame(r, frame);
    num R[9], p[3];
    EXPORT(frame_pose)(r, k, q, frame, R, p);
    const mat3 A = {R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]};
    const par *B = f->R;
    /* the link's frame in base axes: A B' */
    const mat3 own = m3_columns(m3_mul(A, v3_of((con3){B[0], B[1], B[2]})), m3_mul(A, v3_of((con3){B[3], B[4], B[5]})),
                                m3_mul(A, v3_of((con3){B[6], B[7], B[8]})));
    s->O = v3(p[0], p[1], p[2]);
    s->o = v3_sub(s->O, m3_mulc(own, con3_at(f->p)));
    s->z = m3_z(own);
    return own;
}

INL void variant_motion(const robot_link *l, int variant, const variant_state *up, num qd, num qa, num qdd, variant_state *s)
{
    const int i1 = variant >> 3 & 1, i2 = variant >> 2 & 1;
    const vec3 way = v3_sub(s->o, up->O), foot = v3_sub(way, v3_scale(v3_dot(s->z, way), s->z));
    const vec3 start = v3_add(up->a, variant_carried(i2, up, foot));
    s->w = up->w;
    s->wa = up->wa;
    s->al = up->al;
    if (revolves(l)) {
        /* al += qdd z + qd wa x z, or qa w x z                     [000 (AAR*_0), (AAR*_1), ERRATA part one 1.1] */
        const vec3 turning = i1 ? v3_scale(qa, v3_cross(up->w, s->z)) : v3_scale(qd, v3_cross(up->wa, s->z));
        s->al = v3_add(s->al, v3_add(v3_scale(qdd, s->z), turning));
        s->w = v3_add(s->w, v3_scale(qd, s->z));   /* [000 (AVR)] */
        s->wa = v3_add(s->wa, v3_scale(qa, s->z)); /* [000 (AVR*)] */
    }
    s->a = v3_add(start, variant_carried(i2, s, v3_sub(s->O, v3_add(up->O, foot))));
    if (slides(l)) {
        /* qdd z + qd wa x z + qa w x z                                              [ERRATA part one 1.3] */
        const vec3 sliding = v3_add(v3_scale(qd, v3_cross(s->wa, s->z)), v3_scale(qa, v3_cross(s->w, s->z)));
        s->a = v3_add(s->a, v3_add(v3_scale(qdd, s->z), sliding));
    }
}

/* force and moment about the base origin                                                    [000 (FR), (TR*_0), (TR*_1)] */
INL void variant_force(const central_body *b, int variant, mat3 R, variant_state *s)
{
    const int i3 = variant >> 1 & 1, i4 = variant & 1;
    const vec3 c = v3_add(s->o, m3_mulc(R, con3_at(b->c)));
    const sym3 I = s3_turned(R, b->I);
    const vec3 F = v3_scalec(b->m, v3_add(s->a, variant_carried(i3, s, v3_sub(c, s->O))));
    const vec3 G = v3_scalec(b->rest, v3_add(s->a, variant_carried(i3, s, v3_sub(s->o, s->O))));
    const vec3 N = v3_add(s3_mul(I, s->al), i4 ? v3_cross(s->wa, s3_mul(I, s->w)) : v3_cross(s->w, s3_mul(I, s->wa)));
    s->f = v3_add(F, G);
    s->m = v3_add(N, v3_add(v3_cross(c, F), v3_cross(s->o, G)));
}

void EXPORT(star_variant)(const robot *r, const work *k, const variants_work *v, int variant, const num *q, const num *qd,
                          const num *qa, const num *qdd, num *tau)
{
    const vec3 zero = v3_zero();
    const variant_state base = {.O = zero, .w = zero, .wa = zero, .al = zero, .a = form_lift(r)};
    joint_turns(r, k, q);
    for (int i = 0; i < r->n; i++) {
        variant_state *s = &v->link[i];
        const int up = r->link[i].parent;
        const mat3 R = variant_frame(r, k, q, v->frame[i], s);
        variant_motion(&r->link[i], variant, up < 0 ? &base : &v->link[up], qd[i], qa[i], qdd[i], s);
        variant_force(&v->body[i], variant, R, s);
    }
    for (int i = r->n - 1; i >= 0; i--) {
        const variant_state *s = &v->link[i];
        const int up = r->link[i].parent;
        /* [000 (FP)] */
        tau[i] = revolves(&r->link[i]) ? v3_dot(s->z, v3_sub(s->m, v3_cross(s->o, s->f))) : v3_dot(s->z, s->f);
        if (up < 0) continue;
        v->link[up].f = v3_add(v->link[up].f, s->f);
        v->link[up].m = v3_add(v->link[up].m, s->m);
    }
    load_rotors(r, qdd, tau);
}
