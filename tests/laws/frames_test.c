/* SPDX-License-Identifier: MIT
 *
 * frames_test.c - the answers do not depend on how a file draws its frames: robots redrawn at random, axes nearly parallel,
 * chains of a thousand joints; and what the canonical frames promise. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "describe/body.h"
#include "describe/frames.h"
#include "describe/pose.h"
#include "support/subject.h"

/* The same numbers by another way. */
static const double REDRAWN = 1e-12;
/* Frames drawn 100 m away: the drawing itself is rounded to 1e-14 m. */
static const double FAR_OUT = 3e-12;
/* Against the judge, whatever the angle. */
static const double PLAIN = 1e-11;
/* A dozen roundings of numbers of order one. */
static const double ROUNDING = 1e-14;
/* Torques of a thousand joints, each the sum of a thousand levers; forward dynamics divides by a thousand pivots. */
static const double LONG_CHAIN = 1e-11, LONG_CLOSURE = 1e-9;

enum { RANDOM_ROBOTS = FEWER(2100) };

/* ---- the same robot with other frames ---- */

/* Link frames move to X[link] (old axes), joint frames along their axis by up to `reach` m and then turn by Q:
 *     before' = X_parent^-1 before S Q, axis' = Q'axis, after' = Q^-1 S^-1 after X_child */
static void redraw_joint(arne_joint_description *j, const arne_pose *parent, const arne_pose *child, double reach,
                         random_stream *r)
{
    const double n = sqrt(j->axis[0] * j->axis[0] + j->axis[1] * j->axis[1] + j->axis[2] * j->axis[2]);
    arne_pose way = random_pose(r, 0);
    const double slide = random_between(r, -reach, reach) / n;
    double axis[3];
    for (int k = 0; k < 3; k++) {
        way.p[k] = j->type == ARNE_FIXED ? 0 : slide * j->axis[k];
        axis[k] = way.R[k] * j->axis[0] + way.R[3 + k] * j->axis[1] + way.R[6 + k] * j->axis[2];
    }
    const arne_pose out = arne__pose_inverse(parent), back = arne__pose_inverse(&way);
    const arne_pose before = arne__pose_mul(&j->before, &way), after = arne__pose_mul(&back, &j->after);
    j->before = arne__pose_mul(&out, &before);
    j->after = arne__pose_mul(&after, child);
    memcpy(j->axis, axis, sizeof axis);
}

static void redraw(arne_description *d, double reach, random_stream *r)
{
    arne_pose *X = malloc(d->nlink * sizeof *X);
    robot_tree *t;
    assert_non_null(X);
    assert_int_equal(arne__tree_build(d, &t, NULL), ARNE_OK);
    for (size_t i = 0; i < d->nlink; i++) {
        X[i] = t->link_joint[i] < 0 ? arne__pose_identity() : random_pose(r, 0.5);
        const arne_pose back = arne__pose_inverse(&X[i]);
        arne__body_transform(&back, &d->links[i].body, &d->links[i].body);
    }
    for (size_t i = 0; i < d->njoint; i++) redraw_joint(&d->joints[i], &X[t->joint_parent[i]], &X[t->joint_child[i]], reach, r);
    d->mdh = false;
    arne__tree_free(t);
    free(X);
}

static void expect_same_when_redrawn(double reach, double tolerance)
{
    for (int number = 0; number < shipped_robots() + RANDOM_ROBOTS; number++) {
        arne_description *d = robot_number(number, RANDOM_ALL);
        subject s = subject_number(number, RANDOM_ALL);
        redraw(d, reach, &s.r);
        subject other = subject_of(d);
        for (int k = 0; k < STATES; k++) {
            const motion x = subject_motion(&s, k);
            double is[MOST_DOF], should[MOST_DOF], M[MOST_DOF * MOST_DOF], N[MOST_DOF * MOST_DOF];
            arne_id(other.data, x.q, x.qd, x.qdd, is);
            arne_id(s.data, x.q, x.qd, x.qdd, should);
            expect_near(&s, "torques of the redrawn robot", s.n, is, should, tolerance, carried(&s, &x));
            arne_mass(other.data, x.q, M);
            arne_mass(s.data, x.q, N);
            expect_close(&s, "inertia matrix of the redrawn robot", s.n * s.n, M, N, tolerance);
        }
        subject_close(&other);
        subject_close(&s);
    }
}

static void redrawn_robots_feel_the_same(void **state) { (void)state, expect_same_when_redrawn(1, REDRAWN); }
static void frames_drawn_far_out_cost_no_digits(void **state) { (void)state, expect_same_when_redrawn(100, FAR_OUT); }

/* ---- nearly parallel axes ---- */
static arne_description *tilted_chain(double angle, random_stream *r)
{
    static const double PI = 3.14159265358979323846;
    arne_description *d = arne_description_new("tilted");
    if (!d || !arne_description_link(d, "l0", 0)) abort();
    for (int i = 0; i < 6; i++) {
        char parent[8], child[8];
        snprintf(parent, sizeof parent, "l%d", i);
        snprintf(child, sizeof child, "l%d", i + 1);
        arne_link_description *l = arne_description_link(d, child, 0);
        arne_joint_description *j = arne_description_joint(d, child, 0, i == 3 ? ARNE_PRISMATIC : ARNE_REVOLUTE, parent, child);
        if (!l || !j) abort();
        l->body = random_body(r);
        double xyz[3];
        random_vector(r, 3, 0.5, xyz);
        const double roll = angle * random_between(r, 0.5, 1), pitch = angle * random_between(r, 0.5, 1);
        j->before = arne_pose_rpy(xyz, (double[3]){roll, pitch, random_between(r, -PI, PI)});
        if (i == 0) random_rotation(r, j->before.R); /* gravity is not along the axes */
    }
    return d;
}

static void nearly_parallel_axes_keep_their_digits(void **state)
{
    (void)state;
    random_stream r = {99};
    for (int exponent = -14; exponent <= -2; exponent++)
        for (int times = 0; times < 20; times++) {
            subject s = subject_of(tilted_chain(pow(10, exponent), &r));
            s.r = r;
            snprintf(s.name, sizeof s.name, "axes tilted by 1e%d", exponent);
            for (int k = 0; k < STATES; k++) {
                const motion x = subject_motion(&s, k);
                double is[MOST_DOF * MOST_DOF], should[MOST_DOF * MOST_DOF];
                plain_move(s.judge, x.q, x.qd, x.qdd);
                arne_id(s.data, x.q, x.qd, x.qdd, is);
                plain_torque(s.judge, s.g, should);
                expect_close(&s, "torques", s.n, is, should, PLAIN);
                arne_mass(s.data, x.q, is);
                plain_mass(s.judge, should);
                expect_close(&s, "inertia matrix", s.n * s.n, is, should, PLAIN);
            }
            subject_close(&s);
        }
}

/* ---- long chains ---- */
enum { LONG = 1000 };

static void a_thousand_joints_work(void **state)
{
    (void)state;
    subject s = subject_of(long_chain(LONG));
    double *x = malloc((size_t)(8 * LONG + LONG * LONG) * sizeof *x);
    assert_non_null(x);
    double *q = x, *qd = q + LONG, *qdd = qd + LONG, *tau = qdd + LONG, *judged = tau + LONG, *h = judged + LONG,
           *back = h + LONG, *again = back + LONG, *M = again + LONG;
    random_stream r = {1};
    random_vector(&r, LONG, 1, q);
    random_vector(&r, LONG, 0.1, qd);
    random_vector(&r, LONG, 0.1, qdd);
    arne_id(s.data, q, qd, qdd, tau);
    plain_move(s.judge, q, qd, qdd);
    plain_torque(s.judge, s.g, judged);
    expect_close(&s, "torques", LONG, tau, judged, LONG_CHAIN);
    arne_mass(s.data, q, M);
    arne_bias(s.data, q, qd, h);
    for (int i = 0; i < LONG; i++)
        for (int j = 0; j < LONG; j++) h[i] += M[i * LONG + j] * qdd[j];
    expect_close(&s, "M qdd + bias", LONG, h, judged, LONG_CHAIN);
    for (int k = 0; k < 2; k++) {
        assert_int_equal((k ? arne_fd_crba : arne_fd)(s.data, q, qd, tau, back), ARNE_OK);
        arne_id(s.data, q, qd, back, again);
        expect_close(&s, k ? "id(fd) by crba" : "id(fd) by aba", LONG, again, tau, LONG_CLOSURE);
    }
    free(x);
    subject_close(&s);
}

static size_t bytes_beside_the_matrix(int n)
{
    arne_description *d = long_chain(n);
    arne_model *m;
    assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
    const size_t bytes = arne_data_bytes(m) - (size_t)n * (size_t)n * sizeof(double);
    arne_model_free(m);
    arne_description_free(d);
    return bytes;
}

static void memory_grows_with_the_joints(void **state)
{
    (void)state;
    const size_t few = bytes_beside_the_matrix(LONG / 10), many = bytes_beside_the_matrix(LONG);
    if (many > 10 * few) fail_msg("%zu bytes for %d joints, %zu for %d", few, LONG / 10, many, LONG);
}

/* ---- what canonical frames promise ---- */
typedef struct {
    robot_tree *t;
    canonical_frame *f;
} framed;

static framed frames_of(const arne_description *d)
{
    framed x;
    assert_int_equal(arne__tree_build(d, &x.t, NULL), ARNE_OK);
    x.f = calloc((size_t)x.t->nbody, sizeof *x.f);
    assert_non_null(x.f);
    memset(x.f, 0xFF, (size_t)x.t->nbody * sizeof *x.f); /* whatever was in it */
    assert_true(arne__frames_choose(d, x.t, x.f));
    return x;
}

static void framed_free(framed *x)
{
    free(x->f);
    arne__tree_free(x->t);
}

/* frame of body i in that of its parent, from the description */
static arne_pose between(const arne_description *d, const framed *x, int i)
{
    const arne_joint_description *j = &d->joints[x->t->body_joint[i]];
    const int up = x->t->body_parent[i];
    arne_pose T = arne__pose_mul(&x->t->link_at[x->t->joint_parent[x->t->body_joint[i]]], &j->before);
    T = arne__pose_mul(&T, &j->after);
    T = arne__pose_mul(&T, &x->f[i].frame);
    if (up < 0) return T;
    const arne_pose back = arne__pose_inverse(&x->f[up].frame);
    return arne__pose_mul(&back, &T);
}

static void expect_frame(const subject *s, const framed *x, int i)
{
    const canonical_frame *f = &x->f[i];
    const arne_pose T = between(s->d, x, i);
    const double g[9] = {f->cg, -f->sg, 0, f->sg, f->cg, 0, 0, 0, 1}, a[9] = {1, 0, 0, 0, f->ca, -f->sa, 0, f->sa, f->ca},
                 t[9] = {f->ct, -f->st, 0, f->st, f->ct, 0, 0, 0, 1};
    arne_pose G = arne__pose_identity(), A = G, O = G;
    memcpy(G.R, g, sizeof g);
    memcpy(A.R, a, sizeof a);
    memcpy(O.R, t, sizeof t);
    A = arne__pose_mul(&G, &A);
    O = arne__pose_mul(&A, &O);
    expect_near(s, "Rz(gamma) Rx(alpha) Rz(theta)", 9, O.R, T.R, ROUNDING, 1);
    expect_near(s, "origin of a frame", 3, f->p, T.p, ROUNDING, 1 + largest(3, T.p));
    if (f->dh) {
        const double local[3] = {f->d, -f->r * f->sa, f->b + f->r * f->ca};
        const double p[3] = {f->cg * local[0] - f->sg * local[1], f->sg * local[0] + f->cg * local[1], local[2]};
        expect_near(s, "b, d, r", 3, p, T.p, ROUNDING, 1 + largest(3, T.p));
    }
    /* z is the joint's axis, and the origin lies on it */
    const arne_joint_description *j = &s->d->joints[x->t->body_joint[i]];
    const arne_pose back = arne__pose_inverse(&j->after);
    const double n = sqrt(j->axis[0] * j->axis[0] + j->axis[1] * j->axis[1] + j->axis[2] * j->axis[2]);
    double u[3], z[3], off[3], beside[3];
    static const double no[3];
    for (int k = 0; k < 3; k++) {
        u[k] = (back.R[3 * k] * j->axis[0] + back.R[3 * k + 1] * j->axis[1] + back.R[3 * k + 2] * j->axis[2]) / n;
        z[k] = f->frame.R[3 * k + 2];
        off[k] = f->frame.p[k] - back.p[k];
    }
    for (int k = 0; k < 3; k++) beside[k] = off[(k + 1) % 3] * u[(k + 2) % 3] - off[(k + 2) % 3] * u[(k + 1) % 3];
    expect_near(s, "z axis of a frame", 3, z, u, ROUNDING, 1);
    expect_near(s, "origin beside the axis", 3, beside, no, ROUNDING, 1 + largest(3, off));
}

static void canonical_frames_are_the_robots(void **state)
{
    (void)state;
    for (int number = 0; number < shipped_robots() + RANDOM_ROBOTS; number++) {
        subject s = subject_number(number, RANDOM_RIGID);
        framed x = frames_of(s.d);
        for (int i = 0; i < x.t->nbody; i++) expect_frame(&s, &x, i);
        framed_free(&x);
        subject_close(&s);
    }
}

static void modified_dh_frames_are_kept(void **state)
{
    (void)state;
    int seen = 0;
    for (int number = 0; number < shipped_robots(); number++) {
        subject s = subject_number(number, RANDOM_RIGID);
        if (s.d->mdh) {
            const arne_pose same = arne__pose_identity();
            framed x = frames_of(s.d);
            for (int i = 0; i < x.t->nbody; i++) {
                const int joint = x.t->body_joint[i], up = x.t->link_joint[x.t->joint_parent[joint]];
                const double *dh = s.d->joints[joint].dh;
                const canonical_frame *f = &x.f[i];
                expect_near(&s, "frame", 9, f->frame.R, same.R, 0, 0);
                expect_near(&s, "frame", 3, f->frame.p, same.p, 0, 0);
                if (up >= 0 && s.d->joints[up].type == ARNE_FIXED) continue; /* numbers of two frames in one */
                const double is[] = {f->b, f->d, f->r, f->cg, f->sg, f->ca, f->sa, f->ct, f->st};
                const double should[] = {dh[1],      dh[3],      dh[5],      cos(dh[0]), sin(dh[0]),
                                         cos(dh[2]), sin(dh[2]), cos(dh[4]), sin(dh[4])};
                assert_true(f->dh);
                expect_near(&s, "b, d, r as given", 3, is, should, 0, 0);
                expect_near(&s, "angles as given", 6, is + 3, should + 3, 1e-15, 1);
            }
            framed_free(&x);
            seen++;
        }
        subject_close(&s);
    }
    assert_true(seen > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(redrawn_robots_feel_the_same),
        cmocka_unit_test(frames_drawn_far_out_cost_no_digits),
        cmocka_unit_test(nearly_parallel_axes_keep_their_digits),
        cmocka_unit_test(a_thousand_joints_work),
        cmocka_unit_test(memory_grows_with_the_joints),
        cmocka_unit_test(canonical_frames_are_the_robots),
        cmocka_unit_test(modified_dh_frames_are_kept),
    };
    return cmocka_run_group_tests_name("laws/frames", tests, NULL, NULL);
}
