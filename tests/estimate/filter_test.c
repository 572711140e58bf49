/* SPDX-License-Identifier: MIT
 *
 * filter_test.c - the low pass of zero phase: what it does to sines is known in closed form, constants pass as they are. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "estimate/filter.h"

enum { ROWS = 4000, WIDTH = 3 };
static const double PI = 3.14159265358979323846;

/* |H|^2 of Butterworth's fourth order, bilinear: 1/(1 + (tan(pi f/fs)/tan(pi fc/fs))^8) */
static void sines_keep_their_phase(void **state)
{
    (void)state;
    static const double cutoffs[] = {0.5, 5, 40}, parts[] = {0.1, 0.5, 1, 2};
    const double rate = 500;
    for (int k = 0; k < 3; k++) {
        const double cutoff = cutoffs[k];
        const low_pass f = arne__low_pass(cutoff, rate);
        double *x = calloc((size_t)((ROWS + 2 * f.pad) * WIDTH), sizeof *x), state_of[4 * WIDTH];
        assert_non_null(x);
        for (int p = 0; p < 4; p++) {
            const double hz = parts[p] * cutoff, ratio = tan(PI * hz / rate) / tan(PI * cutoff / rate),
                         should = 1 / (1 + pow(ratio, 8));
            double *first = x + f.pad * WIDTH;
            for (int r = 0; r < ROWS; r++) {
                first[r * WIDTH] = sin(2 * PI * hz * r / rate);
                first[r * WIDTH + 1] = 3 - 0.01 * r;
                first[r * WIDTH + 2] = -7;
            }
            arne__low_pass_both(&f, ROWS, WIDTH, x, state_of);
            const int far = cutoff < 1 ? 1500 : 1000;
            double off = 0, line = 0, still = 0;
            for (int r = 0; r < ROWS; r++) {
                if (r >= far && r < ROWS - far) off = fmax(off, fabs(first[r * WIDTH] - should * sin(2 * PI * hz * r / rate)));
                line = fmax(line, fabs(first[r * WIDTH + 1] - 3 + 0.01 * r));
                still = fmax(still, fabs(first[r * WIDTH + 2] + 7));
            }
            /* 2 s are one period of the lowest one: its ends are still felt */
            if (off > (cutoff < 1 ? 0.02 : 1e-6)) fail_msg("%g Hz through %g Hz: off by %g", hz, cutoff, off);
            /* of what it falls in a period: the filter begins as if it had not fallen before, three periods away */
            if (line > 1e-3 * 0.01 * rate / cutoff) fail_msg("a line through %g Hz: off by %g", cutoff, line);
            if (still > 1e-9) fail_msg("a constant through %g Hz: off by %g", cutoff, still);
        }
        free(x);
    }
}

/* Logs that are shorter than what the filter goes on beside them. */
static void short_constants_pass_too(void **state)
{
    (void)state;
    const low_pass f = arne__low_pass(5, 100);
    assert_int_equal(f.pad, 60); /* three periods of the cut-off */
    for (int rows = 1; rows <= 62; rows += rows < 3 ? 1 : 59) {
        double *x = calloc((size_t)((rows + 2 * f.pad) * 2), sizeof *x), state_of[8];
        assert_non_null(x);
        for (int r = 0; r < rows; r++) x[2 * (f.pad + r)] = 3, x[2 * (f.pad + r) + 1] = -7;
        arne__low_pass_both(&f, rows, 2, x, state_of);
        for (int r = 0; r < rows; r++)
            assert_true(fabs(x[2 * (f.pad + r)] - 3) < 1e-9 && fabs(x[2 * (f.pad + r) + 1] + 7) < 1e-9);
        free(x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sines_keep_their_phase), cmocka_unit_test(short_constants_pass_too)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
