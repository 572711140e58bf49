/* SPDX-License-Identifier: MIT
 *
 * taysym.c - inverse dynamics as expressions with two time derivatives. */
#include "algo/texts.h"

#include <stdlib.h>

#include "symbolic/symbolic.h"

/* The robot is that of the symbolic kind: its constants are expressions in both. */
bool arne__symbolic_series(const void *sym_robot, const sym *q, sym *tau)
{
    const robot *r = sym_robot;
    const int n = robot_nv(r), nq = robot_nq(r);
    const sym *v = q + nq;
    work k;
    void *memory = aligned_alloc(64, EXPORT(work)(robot_count(r), NULL, &k) + 64);
    taysym *in = malloc(((size_t)nq + 3 * (size_t)n + (size_t)nq) * sizeof *in), *qd = in + nq, *out = qd + 2 * n,
           *rate = out + n;
    const bool ok = memory && in;
    if (ok) {
        EXPORT(work)(robot_count(r), memory, &k);
        for (int i = 0; i < nq; i++) in[i] = taysym_from(q[i]);
        for (int i = 0; i < 2 * n; i++) qd[i] = (taysym){{v[i], v[i + n], taysym_half(v[i + 2 * n])}};
        for (int term = 1; term <= 2; term++) { /* a position whose rate belongs to qd, one term a round */
            EXPORT(position_rate)(r, in, qd, rate);
            for (int i = 0; i < nq; i++) in[i].x[term] = term == 1 ? rate[i].x[0] : taysym_half(rate[i].x[1]);
        }
        (r->nfollow ? EXPORT(id_follow) : EXPORT(id))(r, &k, in, qd, qd + n, out);
        for (int i = 0; i < n; i++) {
            tau[i] = out[i].x[0];
            tau[n + i] = out[i].x[1];
            tau[2 * n + i] = sym_add(out[i].x[2], out[i].x[2]);
        }
    }
    free(memory);
    free(in);
    return ok;
}
