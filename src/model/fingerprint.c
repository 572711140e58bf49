/* SPDX-License-Identifier: MIT
 *
 * fingerprint.c - one number of all numbers of a robot: FNV-1a of its block of constants, which begins as zeros and has no
 * pointers, and of what stands beside it. */
#include <stddef.h>

#include "model/model.h"

static uint64_t add(uint64_t h, const void *bytes, size_t count)
{
    const unsigned char *s = bytes;
    for (size_t i = 0; i < count; i++) h = (h ^ s[i]) * 0x100000001b3u;
    return h;
}
#define ADD(h, x) add(h, &(x), sizeof(x))

static uint64_t add_motor(uint64_t h, const arne_motor *m)
{
    const double x[] = {m->inertia, m->gear, m->viscous, m->coulomb, m->effort, m->speed};
    return add(ADD(h, x), m->curve, m->ncurve > 0 ? (size_t)m->ncurve * sizeof *m->curve : 0);
}

uint64_t arne_model_fingerprint(const arne_model *m)
{
    uint64_t h = 0xcbf29ce484222325u;
    if (!m) return h;
    const size_t nv = (size_t)m->nv;
    h = add(h, m->robot, m->robot->at.bytes);
    for (int i = 0; i < m->robot->n; i++) h = add_motor(ADD(ADD(h, m->joint[i].limits), m->joint[i].elastic), &m->joint[i].motor);
    return m->transmission ? add(h, m->transmission, nv * nv * sizeof *m->transmission) : h;
}
