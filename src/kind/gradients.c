/* SPDX-License-Identifier: MIT
 *
 * gradients.c - the door to a jet kind: the derivatives of a row of texts.def by one of its inputs, as many columns a pass as the
 * kind has directions. */
#include "algo/texts.h"
#include "kind/kinds.h"

enum { WIDTH = sizeof(CAT(KIND, _gradient)) / sizeof(double) };

size_t CAT(arne__gradient_bytes_, KIND)(robot_counts n)
{
    work k;
    return EXPORT(work)(n, NULL, &k) + ((size_t)n.nq + 3 * (size_t)n.nv) * sizeof(num);
}

void CAT(arne__gradient_run_, KIND)(const robot *r, void *memory, int row, const double *const x[3], int which, double *D)
{
    const int nv = r->nv, size[3] = {r->nq, nv, nv};
    work k;
    num *q = (num *)((char *)memory + EXPORT(work)(robot_count(r), memory, &k));
    num *const in[3] = {q, q + r->nq, q + r->nq + nv}, *out = q + r->nq + 2 * nv;
    const text_input input = {.q = in[0], .qd = in[1], .qdd = in[2], .tau = in[2]};
    for (int first = 0; first < nv; first += WIDTH) {
        for (int g = 0; g < 3; g++)
            for (int i = 0; i < size[g]; i++) {
                in[g][i] = CAT(KIND, _of)(x[g][i]);
                if (g == which && i >= first && i < first + WIDTH) in[g][i].d[i - first] = 1;
            }
        EXPORT(run)(row, r, &k, &input, out);
        for (int c = 0; c < WIDTH && first + c < nv; c++)
            for (int i = 0; i < nv; i++) D[i * nv + first + c] = out[i].d[c];
    }
}
