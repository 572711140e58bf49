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
    const int n = r->nv;
    work k;
    void *memory = aligned_alloc(64, EXPORT(work)(robot_count(r), NULL, &k) + 64);
    taysym *in = malloc(4 * (size_t)n * sizeof *in), *out = in + 3 * n;
    const bool ok = memory && in;
    if (ok) {
        EXPORT(work)(robot_count(r), memory, &k);
        for (int i = 0; i < 3 * n; i++) in[i] = (taysym){{q[i], q[i + n], taysym_half(q[i + 2 * n])}};
        EXPORT(id)(r, &k, in, in + n, in + 2 * n, out);
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
