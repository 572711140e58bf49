/* SPDX-License-Identifier: MIT
 *
 * loads.c - rotors, friction and external wrenches added to the torques of the rigid links. */
#include "algo/loads.h"

#include "algo/joint.h"

void EXPORT(loads)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, num *tau)
{
    if (r->nwrench) {
        EXPORT(wrenches)(r, k, q);
        /* -J'w: each joint carries the wrenches on everything outboard; they act ON the links, so the sign of f_e in
         * [003 eq. 9.91, 9.93] is turned */
        for (int i = r->n - 1; i >= 0; i--) {
            const link *l = &r->link[i];
            tau[i] = sub(tau[i], l->joint == REVOLUTE ? k->moment[i].z : k->force[i].z);
            if (l->parent >= 0)
                wrench_into_parent(l, joint_turn(k, i), q, i, k->force[i], k->moment[i], &k->force[l->parent],
                                   &k->moment[l->parent]);
        }
    }
    if (qdd) load_rotors(r, qdd, tau);
    EXPORT(friction)(r, k, qd, tau, 1);
}
