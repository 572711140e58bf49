/* SPDX-License-Identifier: MIT */
#include "support/random_robot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe/body.h"
#include "describe/pose.h"

static const double PI = 3.14159265358979323846;

/* ---- numbers: splitmix64, two multiplications and three shifts over a counter. One draw an expression: C leaves open which
 * argument or operand comes first, and every compiler must build the same robots. ---- */
uint64_t random_bits(random_stream *r)
{
    uint64_t z = r->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

int random_below(random_stream *r, int n) { return (int)(random_bits(r) % (uint64_t)n); }

double random_between(random_stream *r, double low, double high)
{
    return low + (high - low) * ((double)(random_bits(r) >> 11) * 0x1p-53);
}

static bool chance(random_stream *r, double p) { return random_between(r, 0, 1) < p; }

void random_vector(random_stream *r, int n, double size, double *x)
{
    for (int k = 0; k < n; k++) x[k] = random_between(r, -size, size);
}

void random_quaternion(random_stream *r, double e[4])
{
    double n;
    do {
        random_vector(r, 4, 1, e);
        n = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    } while (n < 0.1 || n > 1);
    for (int k = 0; k < 4; k++) e[k] /= n;
}

void random_rotation(random_stream *r, double R[9])
{
    double e[4];
    random_quaternion(r, e);
    const double w = e[0], x = e[1], y = e[2], z = e[3];
    const double Q[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                         2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                         2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(R, Q, sizeof Q);
}

arne_pose random_pose(random_stream *r, double size)
{
    arne_pose p;
    random_rotation(r, p.R);
    random_vector(r, 3, size, p.p);
    return p;
}

arne_body random_body(random_stream *r)
{
    const double m = random_between(r, 0.5, 5), a = random_between(r, 0.05, 0.4), b = random_between(r, 0.05, 0.4),
                 c = random_between(r, 0.05, 0.4);
    const arne_body box = {m, {0, 0, 0}, {m * (b * b + c * c) / 12, 0, 0, m * (a * a + c * c) / 12, 0, m * (a * a + b * b) / 12}};
    const arne_pose at = random_pose(r, 0.3);
    arne_body out;
    arne__body_transform(&at, &box, &out);
    return out;
}

/* ---- frames and axes of the families ---- */
static void quarter_turns(random_stream *r, double R[9])
{
    static const int axes[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    const int k = random_below(r, 6), s0 = random_below(r, 2) ? 1 : -1, s1 = random_below(r, 2) ? 1 : -1;
    memset(R, 0, 9 * sizeof *R);
    R[axes[k][0]] = s0;
    R[3 + axes[k][1]] = s1;
    R[6 + axes[k][2]] = k < 3 ? s0 * s1 : -s0 * s1; /* determinant one */
}

static arne_pose before_of(random_stream *r, random_family f)
{
    arne_pose p = random_pose(r, 0.5);
    const double no[3] = {0, 0, 0};
    switch (f) {
    case FAMILY_PLANAR: p = arne_pose_rpy(p.p, (double[3]){0, 0, random_between(r, -PI, PI)}); break;
    case FAMILY_RIGHT_ANGLED:
        quarter_turns(r, p.R);
        for (int k = 0; k < 3; k++)
            if (chance(r, 0.5)) p.p[k] = 0;
        break;
    case FAMILY_CONCURRENT: { /* along the parent's axis to where the axes meet, and along the new axis */
        const double a = random_between(r, -0.4, 0.4), b = random_between(r, -0.4, 0.4);
        for (int k = 0; k < 3; k++) p.p[k] = (k == 2 ? a : 0) + b * p.R[3 * k + 2];
        break;
    }
    case FAMILY_ZERO_LENGTH: memset(p.p, 0, sizeof p.p); break;
    case FAMILY_COINCIDENT:
        if (chance(r, 0.5)) p = arne_pose_rpy((double[3]){0, 0, p.p[2]}, (double[3]){0, 0, random_between(r, -PI, PI)});
        break;
    case FAMILY_DH: p = arne__pose_identity(); break;
    case FAMILY_NEARLY_PARALLEL: {
        const double tilt = pow(10, random_between(r, -12, -3));
        const double *at = chance(r, 0.2) ? no : p.p;
        p = arne_pose_rpy(at, (double[3]){tilt, 0, random_between(r, -PI, PI)});
        break;
    }
    default: break;
    }
    return p;
}

static arne_pose after_of(random_stream *r, random_family f)
{
    if (f == FAMILY_DH) {
        const double alpha = chance(r, 0.7) ? (random_below(r, 4) - 1) * PI / 2 : random_between(r, -PI, PI);
        const double a = chance(r, 0.3) ? 0 : random_between(r, -0.5, 0.5), d = random_between(r, -0.5, 0.5);
        return arne_pose_dh(a, alpha, d, random_between(r, -PI, PI));
    }
    return f == FAMILY_SKEW && chance(r, 0.3) ? random_pose(r, 0.4) : arne__pose_identity();
}

static void axis_of(random_stream *r, random_family f, double axis[3])
{
    const double length = chance(r, 0.5) ? 1 : random_between(r, 0.1, 10);
    axis[0] = axis[1] = 0;
    axis[2] = length;
    if (f == FAMILY_RIGHT_ANGLED) {
        const int k = random_below(r, 3);
        axis[2] = 0;
        axis[k] = chance(r, 0.5) ? length : -length;
    } else if (f == FAMILY_SKEW || f == FAMILY_BRANCHED || f == FAMILY_FIXED || f == FAMILY_ZERO_LENGTH) {
        do random_vector(r, 3, length, axis);
        while (axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2] < 0.01 * length * length);
    }
}

static arne_joint_type type_of(random_stream *r, random_family f, bool on_base, bool last)
{
    if (f == FAMILY_ALL_PRISMATIC || (f == FAMILY_PRISMATIC_FIRST && on_base) || (f == FAMILY_PRISMATIC_LAST && last))
        return ARNE_PRISMATIC;
    if (f == FAMILY_PLANAR) return ARNE_REVOLUTE;
    return chance(r, f == FAMILY_PRISMATIC_FIRST || f == FAMILY_PRISMATIC_LAST ? 0.4 : 0.25) ? ARNE_PRISMATIC : ARNE_REVOLUTE;
}

/* ---- joint laws ---- */
static void give_motor(random_stream *r, arne_motor *m)
{
    m->inertia = random_between(r, 1e-5, 2e-4);
    m->gear = random_between(r, 20, 120);
    if (chance(r, 0.2)) m->gear = -m->gear;
    m->viscous = random_between(r, 0, 2e-4);
    m->coulomb = random_between(r, 0, 2e-2);
}

static void give_friction(random_stream *r, unsigned parts, arne_friction *f)
{
    const int law = parts & RANDOM_LAWS ? random_below(r, 4) : random_below(r, 2);
    if (law == 0) return;
    if (law == 3) {
        f->npoint = 2 + random_below(r, 3);
        f->points = malloc((size_t)f->npoint * sizeof *f->points);
        if (!f->points) abort();
        for (int k = 0; k < f->npoint; k++) {
            f->points[k][0] = k == 0 ? 0 : f->points[k - 1][0] + random_between(r, 0.1, 0.6);
            f->points[k][1] = random_between(r, 0, 5);
        }
        return;
    }
    f->viscous = random_between(r, 0, 3);
    f->coulomb = random_between(r, 0, 4);
    if (parts & RANDOM_LAWS && law == 1) {
        if (f->viscous > 1.5) f->coulomb_negative = f->viscous + 0.1;
        f->offset = f->coulomb - 2;
    }
    if (law == 2) {
        f->static_ = f->coulomb + random_between(r, 0.1, 3);
        f->stribeck_velocity = random_between(r, 0.05, 0.5);
        f->stribeck_exponent = random_between(r, 0.5, 2.5);
    }
}

static void give_transmission(random_stream *r, arne_description *d)
{
    size_t n = 0;
    for (size_t i = 0; i < d->njoint; i++) n += d->joints[i].type == ARNE_REVOLUTE || d->joints[i].type == ARNE_PRISMATIC;
    d->ntransmission = n;
    d->transmission = calloc(n * n, sizeof *d->transmission);
    if (!d->transmission) abort();
    for (size_t i = 0; i < n; i++) {
        d->transmission[i * n + i] = random_between(r, 0.5, 2);
        for (size_t j = i > 2 ? i - 2 : 0; j < i; j++) d->transmission[i * n + j] = random_between(r, -0.5, 0.5);
    }
}

/* ---- trees ---- */
enum { MOST_JOINTS = 12, MOST_LINKS = 80 };

/* What the growing tree remembers of a link. */
typedef struct {
    bool moves;    /* hangs on a joint that moves, however far below */
    bool massless; /* moved by its own joint and without mass: the next axis must be normal to that joint's */
    bool has_child;
    double normal[3]; /* direction normal to its joint's axis, link axes */
} twig;

typedef struct {
    arne_description *d;
    random_stream r;
    twig twigs[MOST_LINKS];
} grower;

static int add_link(grower *g)
{
    char name[16];
    snprintf(name, sizeof name, "l%zu", g->d->nlink);
    if (!arne_description_link(g->d, name, 0)) abort();
    g->twigs[g->d->nlink - 1] = (twig){0};
    return (int)g->d->nlink - 1;
}

static arne_joint_description *add_joint(grower *g, arne_joint_type type, int parent, int child)
{
    char name[16];
    snprintf(name, sizeof name, "j%zu", g->d->njoint + 1);
    arne_joint_description *j = arne_description_joint(g->d, name, 0, type, g->d->links[parent].name, g->d->links[child].name);
    if (!j) abort();
    g->twigs[parent].has_child = true;
    return j;
}

/* A link on a fixed joint; some weigh nothing. */
static int add_fixed(grower *g, int parent)
{
    const int child = add_link(g);
    arne_joint_description *j = add_joint(g, ARNE_FIXED, parent, child);
    if (chance(&g->r, 0.8)) j->before = random_pose(&g->r, 0.3);
    if (chance(&g->r, 0.2)) j->after = random_pose(&g->r, 0.3);
    if (chance(&g->r, 0.5)) g->d->links[child].body = random_body(&g->r);
    g->twigs[child].moves = g->twigs[parent].moves;
    return child;
}

static int fixed_chain(grower *g, int at)
{
    for (int k = random_below(&g->r, 3); k >= 0; k--) at = add_fixed(g, at);
    return at;
}

static int pick_parent(grower *g, random_family f, int tip)
{
    const double branching = f == FAMILY_BRANCHED ? 0.5 : f == FAMILY_MASSLESS || f == FAMILY_DH ? 0.1 : 0.15;
    return chance(&g->r, branching) ? random_below(&g->r, (int)g->d->nlink) : tip;
}

/* A moving joint on `parent`; returns its link. */
static int add_moving(grower *g, random_family f, int parent, bool last, unsigned parts)
{
    random_stream *r = &g->r;
    const int child = add_link(g);
    const twig under = g->twigs[parent];
    arne_joint_description *j = add_joint(g, type_of(r, f, !under.moves, last), parent, child);
    j->before = before_of(r, f);
    axis_of(r, f, j->axis);
    j->after = after_of(r, f);
    if (under.massless) { /* z of the joint frame to the normal */
        const double *n = under.normal, flat = hypot(n[0], n[1]);
        const double rpy[3] = {0, atan2(flat, n[2]), atan2(n[1], n[0])};
        j->before = arne_pose_rpy(j->before.p, rpy);
        j->axis[0] = j->axis[1] = 0;
    }
    const double kind = parts & RANDOM_WIDE && !under.massless ? random_between(r, 0, 1) : 1;
    if (kind < 0.5) {
        j->type = kind < 0.25 ? ARNE_FREE : ARNE_SPHERICAL;
        j->after = arne__pose_identity();
    } else {
        if (parts & RANDOM_MOTORS) give_motor(r, &j->motor);
        if (parts & (RANDOM_FRICTION | RANDOM_LAWS)) give_friction(r, parts, &j->friction);
    }
    twig *t = &g->twigs[child];
    t->moves = true;
    t->massless = f == FAMILY_MASSLESS && kind == 1 && !last && !under.massless && chance(r, 0.6);
    if (t->massless) {
        const arne_pose back = arne__pose_inverse(&j->after);
        t->normal[0] = back.R[0], t->normal[1] = back.R[3], t->normal[2] = back.R[6]; /* x: here the axis is z */
    } else {
        g->d->links[child].body = random_body(r);
    }
    return child;
}

arne_description *random_robot_with(unsigned seed, unsigned parts)
{
    const random_family f = (random_family)(seed % RANDOM_FAMILIES);
    grower g = {.r = {seed}};
    char name[32];
    snprintf(name, sizeof name, "random-%u", seed);
    g.d = arne_description_new(name);
    if (!g.d) abort();
    random_stream *r = &g.r;
    const int n = 1 + random_below(r, parts & RANDOM_WIDE ? 4 : MOST_JOINTS);
    int tip = add_link(&g);
    if (chance(r, 0.3)) g.d->links[0].body = random_body(r);
    if (chance(r, 0.3)) random_vector(r, 3, 10, g.d->gravity);
    if (f == FAMILY_FIXED) tip = fixed_chain(&g, tip);
    for (int i = 0; i < n; i++) {
        int parent = pick_parent(&g, f, tip);
        if (g.twigs[tip].massless) parent = tip; /* never leave a massless tip behind */
        if (f == FAMILY_FIXED ? chance(r, 0.5) : chance(r, 0.1) && !g.twigs[parent].massless) parent = fixed_chain(&g, parent);
        tip = add_moving(&g, f, parent, i == n - 1, parts);
        if (f == FAMILY_FIXED && chance(r, 0.4)) fixed_chain(&g, tip);
    }
    if (f == FAMILY_FIXED || chance(r, 0.2)) fixed_chain(&g, tip);
    if (parts & RANDOM_TRANSMISSION) give_transmission(r, g.d);
    return g.d;
}

arne_description *random_robot(unsigned seed) { return random_robot_with(seed, RANDOM_RIGID); }

arne_description *long_chain(int n)
{
    random_stream r = {4711};
    arne_description *d = arne_description_new("long-chain");
    if (!d || !arne_description_link(d, "l0", 0)) abort();
    for (int i = 0; i < n; i++) {
        char parent[16], child[16], name[16];
        snprintf(parent, sizeof parent, "l%d", i);
        snprintf(child, sizeof child, "l%d", i + 1);
        snprintf(name, sizeof name, "j%d", i + 1);
        arne_link_description *l = arne_description_link(d, child, 0);
        arne_joint_description *j = arne_description_joint(d, name, 0, ARNE_REVOLUTE, parent, child);
        if (!l || !j) abort();
        const double roll = random_between(&r, -PI, PI), yaw = random_between(&r, -PI, PI);
        j->before = arne_pose_rpy((double[3]){0.05, 0, 0}, (double[3]){roll, 0, yaw});
        l->body = (arne_body){0.2, {0.025, 0, 0}, {2e-4, 0, 0, 2e-4, 0, 2e-4}};
    }
    return d;
}
