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
            const robot_link *l = &r->link[i];
            const turn t = any_turn(l, k);
            joint_project(l, t, k->force[i], k->moment[i], k->row);
            for (int v = l->iv; v < l->iv + l->nv; v++) tau[v] = sub(tau[v], k->row[v]);
            if (l->parent >= 0)
                wrench_into_parent(l, t, q, k->force[i], k->moment[i], &k->force[l->parent], &k->moment[l->parent]);
        }
    }
    if (qdd) load_rotors(r, qdd, tau);
    EXPORT(friction)(r, k, qd, tau, 1);
}
