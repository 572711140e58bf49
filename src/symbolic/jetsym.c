/* SPDX-License-Identifier: MIT
 *
 * jetsym.c - every algorithm text as expressions with a derivative: Jacobians of inverse and forward dynamics. */
#include "algo/texts.h"

#include <stdlib.h>

#include "symbolic/symbolic.h"

/* The robot is that of the symbolic kind: its constants are expressions in both. */
bool arne__symbolic_jacobian(const void *sym_robot, const sym *x, bool torque, int group, sym *D)
{
    const robot *r = sym_robot;
    const int n = r->nv;
    work k;
    void *memory = aligned_alloc(64, EXPORT(work)(robot_count(r), NULL, &k) + 64);
    jetsym *in = malloc(4 * (size_t)n * sizeof *in), *out = in + 3 * n;
    const bool ok = memory && in;
    if (ok) {
        EXPORT(work)(robot_count(r), memory, &k);
        for (int column = 0; column < n; column++) {
            for (int i = 0; i < 3 * n; i++) in[i] = (jetsym){x[i], sym_of(i == group * n + column)};
            if (torque)
                EXPORT(fd_crba)(r, &k, in, in + n, in + 2 * n, out);
            else
                EXPORT(id)(r, &k, in, in + n, in + 2 * n, out);
            for (int i = 0; i < n; i++) D[i * n + column] = out[i].d;
        }
    }
    free(memory);
    free(in);
    return ok;
}
