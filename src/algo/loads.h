/* SPDX-License-Identifier: MIT
 *
 * loads.h - what a torque holds beside the rigid links: rotors, friction, external wrenches. */
#ifndef ALGO_LOADS_H
#define ALGO_LOADS_H

#include "algo/joint.h"
#include "algo/texts.h"

/* tau += rotor inertia times qdd */
INL void load_rotors(const robot *r, const num *qdd, num *tau)
{
    const int n = r->nv;
    const par *rotor = robot_rotor(r);
    if (!r->rotors) return;
    for (int i = 0; i < n && rotor; i++)
        for (int j = 0; j < n; j++) tau[i] = add(tau[i], mulc(rotor[i * n + j], qdd[j]));
    for (int i = 0; i < r->n && !rotor; i++) {
        const robot_link *l = &r->link[i];
        tau[l->iv] = add(tau[l->iv], mulc(l->Ia, qdd[l->iv])); /* [003 eq. 9.94] */
    }
}

/* loads.c: tau += rotors + friction - J'w, sines and cosines in work; qdd NULL: no rotors. */
void EXPORT(loads)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, num *tau);

#endif
