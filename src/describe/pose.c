/* SPDX-License-Identifier: MIT
 *
 * pose.c - rigid transforms, and the three ways in which robot files write them.
 *
 * Each is a product of screws: a turn about an axis and a shift along it. Zeros and ones of quarter turns pass through the
 * products unrounded. */
#include "describe/pose.h"

#include <math.h>

static const double QUARTER = 1.57079632679489661923;

void arne__exact_cos_sin(double angle, double *c, double *s)
{
    static const double cosine[4] = {1, 0, -1, 0}, sine[4] = {0, 1, 0, -1};
    double turns = round(angle / QUARTER);
    /* A large angle has no digits left that could tell a quarter turn. */
    if (fabs(angle) < 1e6 && fabs(angle - turns * QUARTER) <= 4e-16 * fmax(1, fabs(angle))) {
        int quarter = (int)((long)turns & 3);
        *c = cosine[quarter];
        *s = sine[quarter];
    } else {
        *c = cos(angle);
        *s = sin(angle);
    }
}

arne_pose arne__pose_identity(void) { return (arne_pose){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}}; }

arne_pose arne__pose_mul(const arne_pose *a, const arne_pose *b)
{
    arne_pose c;
    for (int i = 0; i < 3; i++) {
        const double *row = a->R + 3 * i;
        for (int j = 0; j < 3; j++) c.R[3 * i + j] = row[0] * b->R[j] + row[1] * b->R[3 + j] + row[2] * b->R[6 + j];
        c.p[i] = row[0] * b->p[0] + row[1] * b->p[1] + row[2] * b->p[2] + a->p[i];
    }
    return c;
}

/* y = R'(x - p) */
arne_pose arne__pose_inverse(const arne_pose *a)
{
    arne_pose b;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) b.R[3 * i + j] = a->R[3 * j + i];
        b.p[i] = 0 - (a->R[i] * a->p[0] + a->R[3 + i] * a->p[1] + a->R[6 + i] * a->p[2]);
    }
    return b;
}

static arne_pose screw_x(double angle, double shift)
{
    double c, s;
    arne__exact_cos_sin(angle, &c, &s);
    return (arne_pose){.R = {1, 0, 0, 0, c, -s, 0, s, c}, .p = {shift, 0, 0}};
}

static arne_pose screw_y(double angle, double shift)
{
    double c, s;
    arne__exact_cos_sin(angle, &c, &s);
    return (arne_pose){.R = {c, 0, s, 0, 1, 0, -s, 0, c}, .p = {0, shift, 0}};
}

static arne_pose screw_z(double angle, double shift)
{
    double c, s;
    arne__exact_cos_sin(angle, &c, &s);
    return (arne_pose){.R = {c, -s, 0, s, c, 0, 0, 0, 1}, .p = {0, 0, shift}};
}

static arne_pose three(arne_pose a, arne_pose b, arne_pose c)
{
    arne_pose ab = arne__pose_mul(&a, &b);
    return arne__pose_mul(&ab, &c);
}

/* Rot(z,gamma) Trans(z,b) Rot(x,alpha) Trans(x,d) Rot(z,theta) Trans(z,r) */
arne_pose arne_pose_mdh(const double dh[6]) { return three(screw_z(dh[0], dh[1]), screw_x(dh[2], dh[3]), screw_z(dh[4], dh[5])); }

/* Rot(z,theta) Trans(z,d) Trans(x,a) Rot(x,alpha) */
arne_pose arne_pose_dh(double a, double alpha, double d, double theta)
{
    arne_pose about_z = screw_z(theta, d), about_x = screw_x(alpha, a);
    return arne__pose_mul(&about_z, &about_x);
}

/* Rz(yaw) Ry(pitch) Rx(roll) at xyz */
arne_pose arne_pose_rpy(const double xyz[3], const double rpy[3])
{
    arne_pose pose = three(screw_z(rpy[2], 0), screw_y(rpy[1], 0), screw_x(rpy[0], 0));
    for (int i = 0; i < 3; i++) pose.p[i] = xyz[i];
    return pose;
}
