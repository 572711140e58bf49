/* SPDX-License-Identifier: MIT
 *
 * loads.h - what a torque holds beside the rigid links: rotors, friction, external wrenches. */
#ifndef ALGO_LOADS_H
#define ALGO_LOADS_H

#include "algo/texts.h"

/* tau += rotor inertia times qdd */
INL void load_rotors(const robot *r, const num *qdd, num *tau)
{
    if (!r->rotors) return;
    for (int i = 0; i < r->n; i++) {
        if (!r->rotor) {
            tau[i] = add(tau[i], mulc(r->link[i].Ia, qdd[i])); /* [003 eq. 9.94] */
            continue;
        }
        for (int j = 0; j < r->n; j++) tau[i] = add(tau[i], mulc(r->rotor[i * r->n + j], qdd[j]));
    }
}

/* loads.c: tau += rotors + friction - J'w, sines and cosines in work; qdd NULL: no rotors. */
void EXPORT(loads)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, num *tau);

#endif
