/* SPDX-License-Identifier: MIT
 *
 * springs_test.c - springs of YAML files: k1 x + k3 x^3 + k5 x^5 is taken where it rises with x, and refused where it does not.
 * The judge tries the slope at many deflections. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arne/file.h"
#include "support/tempfile.h"

/* the smallest slope k1 + 3 k3 y + 5 k5 y^2 over y = x^2 */
static double least_slope(const double k[3])
{
    double least = INFINITY;
    for (double y = 0; y < 100; y += 1.0 / 64) least = fmin(least, k[0] + 3 * k[1] * y + 5 * k[2] * y * y);
    return least;
}

static void springs_must_rise(void **state)
{
    (void)state;
    static const double values[] = {-1, 0, 0.5, 1};
    int taken = 0, refused = 0;
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            for (int c = 0; c < 4; c++) {
                const double k[3] = {values[a], values[b], values[c]};
                const bool none = k[0] == 0 && k[1] == 0 && k[2] == 0, good = none || least_slope(k) > 0;
                char text[300];
                snprintf(text, sizeof text,
                         "name: one\nconvention: urdf\njoints:\n- name: j1\n  type: revolute\n  axis: [0, 0, 1]\n"
                         "  elastic: {stiffness: [%g, %g, %g]}\n  link: {mass: 1}\n",
                         k[0], k[1], k[2]);
                temp_folder folder = temp_open();
                arne_description *d = NULL;
                arne_error error = {0};
                const arne_status status = arne_read(temp_write(&folder, "one.yaml", text), NULL, &d, &error);
                temp_close(&folder);
                if ((status == ARNE_OK) != good) fail_msg("[%g, %g, %g]: %s", k[0], k[1], k[2], error.message);
                if (good) {
                    const arne_elastic *e = &d->joints[0].elastic;
                    assert_true(e->stiffness == k[0] && e->cubic == k[1] && e->quintic == k[2]);
                    arne_description_free(d);
                } else {
                    assert_int_equal(error.line, 7);
                    assert_non_null(strstr(error.message, "must rise"));
                }
                good ? taken++ : refused++;
            }
    assert_true(taken > 10 && refused > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(springs_must_rise)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
