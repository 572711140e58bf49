/* SPDX-License-Identifier: MIT
 *
 * strobe.c - the inertia matrix and the arrays C_ijk of tau_i = sum M_ij qdd_j + sum C_ijk qd_j qd_k + g_i, by running the
 * modified Newton-Euler set on unit inputs without gravity [004 section 8].
 *
 * Column j of M: only qdd_j = 1, nothing moves. Then A is wd^, and the axial part of A K - (A K)' is I wd. Links before j stay at
 * rest, and M is symmetric, so the run begins and ends at link j. C_ijj: only qd_j = 1. Two speeds give all their products at
 * once, tau(j,k) = C_jj + C_kk + 2 C_jk, so C_jk = (tau(j,k) - tau(j) - tau(k))/2 [ERRATA part two 4]; links before k move as
 * in the run for j alone. */
#include "algo/newton_euler.h"

/* unit acceleration of joint j as felt at link i */
INL void strobe_lift(const robot *r, const forms_work *f, int i, int j, num q, ne_state *s)
{
    const robot_link *l = &r->link[i];
    if (i == j) {
        const vec3 z = v3(of(0), of(0), of(1)), zero = v3_zero();
        s->wd = revolves(l) ? z : zero;
        s->a = revolves(l) ? zero : z;
    } else {
        const ne_state *up = &f->link[l->parent].ne;
        s->wd = m3_tmul(f->R[i], up->wd);
        s->a = m3_tmul(f->R[i], v3_sub(up->a, con3_cross(con3_at(l->p), up->wd)));
        if (slides(l)) s->a = v3(add(s->a.x, mul(s->wd.y, q)), sub(s->a.y, mul(s->wd.x, q)), s->a.z);
    }
    const central_body *b = &f->body[i];
    const con3 c = con3_at(b->c);
    const vec3 F = v3_scalec(b->m, v3_sub(s->a, con3_cross(c, s->wd)));
    f->force[i] = b->has_rest ? v3_add(F, v3_scalec(b->rest, s->a)) : F;
    f->moment[i] = v3_add(tensor_mul(b->I, s->wd), con3_cross(c, F));
}

void EXPORT(strobe_mass)(const robot *r, const work *k, const forms_work *f, const num *q, num *M)
{
    const int n = r->n;
    for (int i = 0; i < n * n; i++) M[i] = of(0);
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++)
            if (form_outboard(r, i, j)) strobe_lift(r, f, i, j, q[i], &f->link[i].ne);
        for (int i = n - 1; i >= j; i--) {
            if (!form_outboard(r, i, j)) continue;
            M[i * n + j] = M[j * n + i] = revolves(&r->link[i]) ? f->moment[i].z : f->force[i].z;
            if (i != j) ne_into_parent(r, k, f, i, q);
        }
    }
}

/* unit speed of one joint added to the motion `before`, felt at link i */
INL void strobe_speed(const robot *r, const forms_work *f, int i, const ne_state *before, num q, num qd, ne_state *s)
{
    ne_motion(r, f, i, before, v3_zero(), q, qd, of(0), s);
    ne_force(&f->body[i], ne_axial(s->A, f->body[i].K), s);
}

/* tau(j) into row, k < 0: the run for one speed, kept in work->link; tau(j,k), k behind j: the links behind k anew, those before
 * as in the run for j */
INL void strobe_run(const robot *r, const work *w, const forms_work *f, int j, int k, const num *q)
{
    for (int i = 0; i < r->n; i++) {
        const int up = r->link[i].parent;
        ne_state *s = &f->link[i].ne;
        f->force[i] = f->moment[i] = v3_zero();
        if (!form_outboard(r, i, j)) continue;
        if (k < 0) {
            strobe_speed(r, f, i, i == j ? NULL : &f->link[up].ne, q[i], of(i == j), s);
        } else if (form_outboard(r, i, k)) {
            s = &f->second[i];
            strobe_speed(r, f, i, i == k ? &f->link[up].ne : &f->second[up], q[i], of(i == k), s);
        }
        f->force[i] = s->F;
        f->moment[i] = s->N;
    }
    ne_inward(r, w, f, q, f->row);
}

void EXPORT(strobe_coriolis)(const robot *r, const work *k, const forms_work *f, const num *q, num *C)
{
    const int n = r->n;
    for (int j = n - 1; j >= 0; j--) {
        strobe_run(r, k, f, j, -1, q);
        for (int i = 0; i < n; i++) C[(i * n + j) * n + j] = f->row[i];
        for (int m = j + 1; m < n; m++) {
            const int coupled = form_outboard(r, m, j);
            if (coupled) strobe_run(r, k, f, j, m, q);
            for (int i = 0; i < n; i++) {
                num *at = C + i * n * n;
                at[j * n + m] = at[m * n + j] =
                    coupled ? mulc(con(0.5), sub(f->row[i], add(at[j * n + j], at[m * n + m]))) : of(0);
            }
        }
    }
}
