/* SPDX-License-Identifier: MIT
 *
 * gradients.c - the door to a jet kind: the derivatives of a row of texts.def by one of its inputs, as many columns a pass as the
 * kind has directions. */
#include <string.h>

#include "algo/texts.h"
#include "kind/kinds.h"

enum { WIDTH = sizeof(CAT(KIND, _gradient)) / sizeof(double) };

size_t CAT(arne__gradient_bytes_, KIND)(robot_counts n, int size)
{
    work k;
    return EXPORT(work)(n, NULL, &k) + ((size_t)n.nq + 2 * (size_t)n.nv + (size_t)size) * sizeof(num) +
           (size_t)(n.nq + n.nv) * sizeof(double);
}

void arne__text_position_rate(const robot *r, const double *q, const double *qd, double *rate);

/* a position, its values set, that moves along velocities first, first + 1 ... of the tangent */
static void seed_position(const robot *r, const double *q, int first, num *in, double *unit)
{
    double *rate = unit + r->nv;
    for (int c = 0; c < WIDTH && first + c < robot_nv(r); c++) {
        memset(unit, 0, (size_t)r->nv * sizeof *unit);
        unit[first + c] = 1;
        arne__text_position_rate(r, q, unit, rate);
        for (int i = 0; i < robot_nq(r); i++) in[i].d[c] = rate[i];
    }
}

void CAT(arne__gradient_run_, KIND)(const robot *r, void *memory, int row, const double *const x[3], int which, int size,
                                    double *D)
{
    const int nq = robot_nq(r), nv = robot_nv(r), width[3] = {nq, nv, nv};
    work k;
    num *q = (num *)((char *)memory + EXPORT(work)(robot_count(r), memory, &k));
    num *const in[3] = {q, q + nq, q + nq + nv}, *out = q + nq + 2 * nv;
    double *unit = (double *)(void *)(out + size);
    const text_input input = {.q = in[0], .qd = in[1], .qdd = in[2], .tau = in[2]};
    for (int first = 0; first < nv; first += WIDTH) {
        for (int g = 0; g < 3; g++)
            for (int i = 0; i < width[g]; i++) {
                in[g][i] = CAT(KIND, _of)(x[g][i]);
                if (g == which && i >= first && i < first + WIDTH) in[g][i].d[i - first] = 1;
            }
        if (which == 0 && r->nwide) seed_position(r, x[0], first, q, unit);
        EXPORT(run)(row, r, &k, &input, out);
        for (int c = 0; c < WIDTH && first + c < nv; c++)
            for (int i = 0; i < size; i++) D[i * nv + first + c] = out[i].d[c];
    }
}
