/* SPDX-License-Identifier: MIT
 *
 * body.c - rigid bodies moved to other axes and joined together (parallel axis theorem and rotation of a tensor). */
#include "describe/body.h"

void arne__add_steiner(double I[6], double m, const double v[3])
{
    double x = v[0], y = v[1], z = v[2];
    I[0] += m * (y * y + z * z);
    I[1] -= m * (x * y);
    I[2] -= m * (x * z);
    I[3] += m * (x * x + z * z);
    I[4] -= m * (y * z);
    I[5] += m * (x * x + y * y);
}

/* R I R', exactly symmetric. */
static void rotate_tensor(const double R[9], const double I[6], double out[6])
{
    const double full[3][3] = {{I[0], I[1], I[2]}, {I[1], I[3], I[4]}, {I[2], I[4], I[5]}};
    double half[3][3]; /* R I */
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) half[i][j] = R[3 * i] * full[0][j] + R[3 * i + 1] * full[1][j] + R[3 * i + 2] * full[2][j];
    int k = 0;
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) out[k++] = half[i][0] * R[3 * j] + half[i][1] * R[3 * j + 1] + half[i][2] * R[3 * j + 2];
}

void arne__body_transform(const arne_pose *pose, const arne_body *in, arne_body *out)
{
    const double *R = pose->R;
    arne_body b = {.mass = in->mass};
    for (int i = 0; i < 3; i++)
        b.com[i] = R[3 * i] * in->com[0] + R[3 * i + 1] * in->com[1] + R[3 * i + 2] * in->com[2] + pose->p[i];
    rotate_tensor(R, in->inertia, b.inertia);
    *out = b;
}

void arne__body_add(arne_body *sum, const arne_body *b)
{
    for (int k = 0; k < 6; k++) sum->inertia[k] += b->inertia[k];
    double m = sum->mass + b->mass;
    if (b->mass == 0) return;
    if (sum->mass == 0) {
        for (int i = 0; i < 3; i++) sum->com[i] = b->com[i];
        sum->mass = b->mass;
        return;
    }
    double apart[3];
    for (int i = 0; i < 3; i++) apart[i] = b->com[i] - sum->com[i];
    if (m == 0) { /* masses of opposite sign: there is no common centre, the moments stay in the inertia at the first one */
        arne__add_steiner(sum->inertia, b->mass, apart);
        sum->mass = 0;
        return;
    }
    arne__add_steiner(sum->inertia, sum->mass * (b->mass / m), apart);
    for (int i = 0; i < 3; i++) sum->com[i] += apart[i] * (b->mass / m);
    sum->mass = m;
}

origin_inertia arne__body_about_origin(const arne_body *b)
{
    origin_inertia j = {.m = b->mass};
    for (int i = 0; i < 3; i++) j.h[i] = b->mass * b->com[i];
    for (int k = 0; k < 6; k++) j.I[k] = b->inertia[k];
    arne__add_steiner(j.I, b->mass, b->com);
    return j;
}

bool arne__body_from_origin(const origin_inertia *j, arne_body *out)
{
    arne_body b = {.mass = j->m};
    for (int k = 0; k < 6; k++) b.inertia[k] = j->I[k];
    if (j->m != 0) {
        for (int i = 0; i < 3; i++) b.com[i] = j->h[i] / j->m;
        arne__add_steiner(b.inertia, -j->m, b.com);
    }
    *out = b;
    return j->m != 0 || (j->h[0] == 0 && j->h[1] == 0 && j->h[2] == 0);
}
