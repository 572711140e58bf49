/* SPDX-License-Identifier: MIT
 *
 * gauge.h - a robot prepared for the lean texts: for each link the axes it is written in, and inertial parameters that cost
 * less.
 *
 * A mass distribution on the axis of a revolute joint belongs to both links it joins and may sit on either; torques stay the same
 * [ERRATA part two 2.3, items 3 and 6]. All of it is work on parameters, done once and free at run time. */
#ifndef SYMBOLIC_GAUGE_H
#define SYMBOLIC_GAUGE_H

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "algo/lean.h"

typedef struct {
    robot *r;         /* a copy that may be changed */
    robot_link *link; /* its links and base frames */
    base_frame *base;
    lean_link *way;
    vec3 *force; /* external, in the units chosen */
    lean_work w;
    turn_table sums;
    void *memory;
} lean_robot;

static bool gauge_zero(sym a) { return !a.g && a.c == 0; }
static sym gauge_half(sym a) { return sym_mul(sym_of(0.5), a); }

/* K += mass (p p), in the terms of the standard parameters */
static void gauge_point(robot_link *l, sym mass, const sym p[3])
{
    const sym xx = sym_mul(p[0], p[0]), yy = sym_mul(p[1], p[1]), zz = sym_mul(p[2], p[2]);
    const sym square[6] = {sym_add(yy, zz), sym_neg(sym_mul(p[0], p[1])), sym_neg(sym_mul(p[0], p[2])),
                           sym_add(xx, zz), sym_neg(sym_mul(p[1], p[2])), sym_add(xx, yy)};
    for (int k = 0; k < 6; k++) l->J[k] = sym_add(l->J[k], sym_mul(mass, square[k]));
    for (int k = 0; k < 3; k++) l->MS[k] = sym_add(l->MS[k], sym_mul(mass, p[k]));
    l->M = sym_add(l->M, mass);
}

/* of a constant or a parameter */
static double gauge_value(sym a)
{
    const double value = a.g ? arne__sym_graph_node(a.g, a.ref >> 1)->value : a.c;
    return a.g && a.ref & 1 ? -value : value;
}

/* Is this offset (0: x, 1: y) of joint i in the axes of its parent more than nothing beside the largest of the robot? Masses
 * moved there take away a given moment: over a short offset they would be large, and cost digits. */
static bool gauge_far(const robot *r, int i, int k)
{
    static const double SHORT = 0.02, NOTHING = 1e-6; /* m */
    double longest = NOTHING / SHORT;
    for (int j = 0; j < r->n; j++)
        for (int e = 0; e < 3; e++) longest = fmax(longest, fabs(gauge_value(r->link[j].p[e])));
    return fabs(gauge_value(r->link[i].p[k])) > SHORT * longest;
}

/* the joint origin that link j shares with its last child, a revolute joint's; -1: none */
static int gauge_child(const lean_robot *g, int j)
{
    int child = -1;
    for (int i = j + 1; i < g->r->n; i++)
        if (g->link[i].parent == j && revolves(&g->link[i])) child = i;
    return child;
}

/* a point mass goes from link j to its child, what is then at the origin of j to the link before */
static void gauge_hand_over(lean_robot *g, int j, int child, sym mass)
{
    robot_link *l = &g->link[j];
    gauge_point(l, sym_neg(mass), g->link[child].p);
    g->link[child].M = sym_add(g->link[child].M, mass);
    if (!revolves(l) || l->parent < 0) return;
    gauge_point(&g->link[l->parent], l->M, l->p);
    l->M = sym_of(0);
}

/* the mass that takes away MX, or MY */
static void gauge_moment(lean_robot *g, const robot *r, int j)
{
    const int child = gauge_child(g, j);
    if (child < 0) return;
    robot_link *l = &g->link[j];
    const sym *p = g->link[child].p;
    const int k = gauge_far(r, child, 0) && !gauge_zero(l->MS[0]) ? 0 : 1;
    if (!gauge_far(r, child, k) || gauge_zero(l->MS[k])) return;
    gauge_hand_over(g, j, child, sym_divide(l->MS[k], p[k]));
    l->MS[k] = sym_of(0);
}

/* the mass that makes XX = YY: one of px, py is zero */
static void gauge_round(lean_robot *g, const robot *r, int j)
{
    const int child = gauge_child(g, j);
    if (child < 0) return;
    robot_link *l = &g->link[j];
    const sym *p = g->link[child].p, excess = sym_sub(l->J[0], l->J[3]);
    if (gauge_zero(p[0]) == gauge_zero(p[1]) || !gauge_far(r, child, gauge_zero(p[0])) || gauge_zero(excess)) return;
    const sym square = gauge_zero(p[0]) ? sym_mul(p[1], p[1]) : sym_neg(sym_mul(p[0], p[0]));
    gauge_hand_over(g, j, child, sym_divide(excess, square));
    l->J[3] = l->J[0];
}

/* Kzz, the second moment along the joint axis, to the link before: J = Tr(K) E - K with K = k z z' */
static void gauge_axis(lean_robot *g, int j)
{
    robot_link *l = &g->link[j];
    if (l->parent < 0 || !revolves(l)) return;
    const sym k = gauge_half(sym_sub(sym_add(l->J[0], l->J[3]), l->J[5]));
    l->J[0] = sym_sub(l->J[0], k);
    l->J[3] = sym_sub(l->J[3], k);
    l->J[5] = sym_add(l->J[0], l->J[3]);
    sym *J = g->link[l->parent].J;
    const vec3 z = l->branch ? rzc_of(l->cg, l->sg, v3(sym_of(0), sym_neg(l->sa), l->ca)) : v3(sym_of(0), sym_neg(l->sa), l->ca);
    const sym square[6] = {
        sym_sub(sym_of(1), sym_mul(z.x, z.x)), sym_neg(sym_mul(z.x, z.y)), sym_neg(sym_mul(z.x, z.z)),
        sym_sub(sym_of(1), sym_mul(z.y, z.y)), sym_neg(sym_mul(z.y, z.z)), sym_sub(sym_of(1), sym_mul(z.z, z.z))};
    for (int e = 0; e < 6; e++) J[e] = sym_add(J[e], sym_mul(k, square[e]));
}

/* K = Tr(J)/2 E - J [ERRATA part two 2.3] */
static void gauge_pseudo(const robot_link *l, bool moved, sym K[6])
{
    const sym *J = l->J, half = gauge_half(sym_add(sym_add(J[0], J[3]), J[5]));
    for (int e = 0; e < 6; e++) K[e] = sym_neg(J[e]);
    K[0] = sym_sub(half, J[0]);
    K[3] = sym_sub(half, J[3]);
    K[5] = moved ? sym_of(0) : sym_sub(half, J[5]);
}

/* The first offset of joint j becomes 1: lengths are divided by it, forces and first moments multiplied, masses twice; torques,
 * and second moments, stay. */
static void gauge_unit(lean_robot *g, int j)
{
    int k = 0;
    while (k < 3 && gauge_zero(g->link[j].p[k])) k++;
    for (int i = 0; i < g->r->n; i++)
        if (!revolves(&g->link[i])) return;
    if (k == 3 || !g->link[j].p[k].g) return;
    const sym signed_unit = g->link[j].p[k], unit = (sym){signed_unit.g, signed_unit.ref & ~1, 0};
    for (int i = 0; i < g->r->n; i++) {
        robot_link *l = &g->link[i];
        for (int e = 0; e < 3; e++) {
            l->p[e] = i == j && e == k ? sym_of(signed_unit.ref & 1 ? -1 : 1) : sym_divide(l->p[e], unit);
            l->MS[e] = sym_mul(l->MS[e], unit);
        }
        l->M = sym_mul(sym_mul(l->M, unit), unit);
        g->force[i] = v3_scale(unit, g->force[i]);
    }
    for (int i = 0; i < g->r->at.nbase; i++)
        for (int e = 0; e < 3; e++) g->base[i].a0[e] = sym_divide(g->base[i].a0[e], unit);
}

/* the angles by which axes turn: a joint after a link in LEAN_BEFORE axes, about the same or the opposite axis, takes both */
static void gauge_angles(lean_robot *g, const turn_table *own, double *scale, double *theta, long long *quarter)
{
    for (int i = 0; i < g->r->n; i++) {
        const robot_link *l = &g->link[i];
        const bool parallel = !is_wide(l) && !l->branch && gauge_zero(l->sa) && !l->ca.g;
        const int merged = l->parent >= 0 && parallel && g->way[l->parent].way & LEAN_BEFORE ? (l->ca.c > 0 ? 1 : -1) : 0;
        g->way[i].merged = merged;
        scale[i] = 1;
        theta[i] = own->theta[l->iq] + (merged ? merged * theta[l->parent] : 0);
        quarter[i] = own->quarter[l->iq] + (merged ? merged * quarter[l->parent] : 0);
    }
}

/* where the twist is general, the offset along the joint axis leaves p = (d, -r sin alpha, r cos alpha) */
static void gauge_twist(lean_robot *g, const robot *r, int i)
{
    robot_link *l = &g->link[i];
    const par *p = r->link[i].p;
    if (is_wide(l) || l->parent < 0 || g->link[l->parent].parent < 0 || l->branch || !l->sa.g || !l->ca.g || !p[1].g || !p[2].g)
        return;
    const double y = gauge_value(p[1]) * gauge_value(l->ca), z = gauge_value(p[2]) * gauge_value(l->sa);
    if (!(fabs(y + z) <= 1e-14 * (fabs(y) + fabs(z)))) return;
    g->way[i].twisted = 1;
    g->way[i].along = sym_divide(l->p[2], l->ca);
    l->p[1] = l->p[2] = sym_of(0);
}

static void gauge_close(lean_robot *g)
{
    free(g->r);
    free(g->way);
    free(g->force);
    free(g->memory);
}

/* use 0, 1, 2: inverse dynamics, its bias, the inertia matrix; lean NULL: third column and pseudo inertia */
static bool gauge_open(lean_robot *g, const robot *r, const work *k, const int *lean, int use)
{
    const size_t n = (size_t)r->n, padded = turns_padded(r->n > r->nq ? r->n : r->nq);
    *g = (lean_robot){.r = malloc(r->at.bytes)};
    g->way = calloc(n, sizeof *g->way);
    g->force = malloc(n * sizeof *g->force);
    g->memory = calloc(3 * padded, sizeof(sym) + sizeof(double) + sizeof(long long));
    if (!g->r || !g->way || !g->force || !g->memory) return false;
    memcpy(g->r, r, r->at.bytes);
    memcpy(g->force, k->force, n * sizeof *g->force);
    g->link = g->r->link;
    g->base = (base_frame *)robot_base(g->r, 0);
    sym *numbers = g->memory;
    double *scale = (double *)(numbers + 3 * padded);
    long long *quarter = (long long *)(scale + 2 * padded);
    for (int j = 0; j < r->n; j++)
        g->way[j].way = (lean ? lean[j] >> LEAN_BITS * use & ((1 << LEAN_BITS) - 1) : LEAN_COLUMN | LEAN_PSEUDO) &
                        ~(is_wide(&r->link[j]) ? LEAN_COLUMN | LEAN_BEFORE | LEAN_UNIT : 0);
    for (int j = 0; j < r->n; j++)
        if (g->way[j].way & LEAN_UNIT) {
            gauge_unit(g, j);
            break;
        }
    for (int j = r->n - 1; j >= 0; j--)
        if (g->way[j].way & LEAN_POINT)
            gauge_moment(g, r, j);
        else if (g->way[j].way & LEAN_ROUND)
            gauge_round(g, r, j);
    for (int j = r->n - 1; j >= 0; j--) {
        const bool moves = g->way[j].way & LEAN_PSEUDO && g->link[j].parent >= 0 && revolves(&g->link[j]);
        if (moves) gauge_axis(g, j);
        gauge_pseudo(&g->link[j], moves, g->way[j].K);
    }
    for (int j = 0; j < r->n; j++) gauge_twist(g, r, j);
    const turn_table own = robot_turns(r, NULL);
    gauge_angles(g, &own, scale, scale + padded, quarter);
    g->sums = (turn_table){r->n, scale, scale + padded, quarter, NULL};
    g->w = (lean_work){g->way, &g->sums, numbers, numbers + padded, numbers + 2 * padded};
    return true;
}

#endif
