/* SPDX-License-Identifier: MIT
 *
 * doubtful_test.c - when the recursive forward dynamics hands over to the factored matrix: one articulated inertia is a
 * thousand-millionth of another, wherever it stands. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dynamics/data.h"

enum { N = 5 };

static void one_is_enough_wherever_it_stands(void **state)
{
    (void)state;
    static const struct {
        double one;
        bool doubtful;
    } cases[] = {{1, false}, {2e-9, false}, {4e8, false}, {1e-10, true}, {2e9, true}, {0, true}, {-1, true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int i = 0; i < N; i++)
            for (int n = i + 1; n <= N; n++) {
                double H[N + 1];
                for (int j = 0; j <= N; j++) H[j] = j < n ? 1 : cases[k].doubtful ? 1 : 1e-12; /* what is behind counts not */
                H[i] = cases[k].one;
                if (n == 1 && cases[k].one > 0) continue; /* alone it has nobody to be compared with */
                if (arne__fd_doubtful(H, n) != cases[k].doubtful) fail_msg("%g as number %d of %d", cases[k].one, i + 1, n);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_is_enough_wherever_it_stands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
