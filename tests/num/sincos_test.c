/* SPDX-License-Identifier: MIT
 *
 * sincos_test.c - sines and cosines of src/num/sincos.inc in every width the machine has. */
#define REAL double
#define REALS "doubles"
#define REAL_DIGITS DBL_MANT_DIG
#define REAL_POWER 308
#define REAL_MAX DBL_MAX
#define REAL_EPSILON 1e-15
#define REAL_NEXT nextafter
#define SURE 1e5
#define MOST_ERROR 1
#include "dynamics/data.h"
#include "num/sines.inc"

static bool sines(int width, int count, const double *x, const long long *quarter, double *s, double *c)
{
    turns_fn *const all[] = {arne__turns_f64x2, arne__turns_f64x4, arne__turns_f64x8};
    if (width >= 3 || arne__machine_lanes() < 2 << width) return false;
    for (int i = 0; i < count; i += POINTS_PAD) {
        const turn_table t = joints(quarter + i);
        all[width](&t, x + i, s + i, c + i);
    }
    return true;
}
