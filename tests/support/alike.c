/* SPDX-License-Identifier: MIT */
#include "support/alike.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arne/arne.h"
#include "arne/positions.h"
#include "support/random_robot.h"

static void near_all(const char *what, unsigned seed, size_t n, const double *a, const double *b, double tolerance)
{
    double largest = 1;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(a[i]));
    for (size_t i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= tolerance * largest))
            fail_msg("robot %u: %s %zu: %.17g is not %.17g", seed, what, i, b[i], a[i]);
}

static arne_model *build(arne_description *d)
{
    arne_model *m;
    arne_error e;
    const arne_model_options options = {.size = sizeof options, .body = true};
    if (arne_model_build(d, &options, &m, &e)) fail_msg("%s", e.message);
    return m;
}

void assert_alike(arne_description *a, arne_description *b, unsigned seed, double tolerance)
{
    arne_model *m[2] = {build(a), build(b)};
    arne_data *d[2];
    const size_t nq = (size_t)arne_model_nq(m[0]), nv = (size_t)arne_model_nv(m[0]);
    assert_int_equal(arne_model_nq(m[1]), nq);
    assert_int_equal(arne_model_nv(m[1]), nv);
    double *q = calloc(2 * nq + 4 * nv + 2 * nv * nv + 1, sizeof *q);
    assert_non_null(q);
    double *neutral = q + nq, *step = neutral + nq, *qd = step + nv, *h[2] = {qd + nv, qd + 2 * nv};
    double *M[2] = {qd + 3 * nv, qd + 3 * nv + nv * nv};
    for (int k = 0; k < 2; k++) assert_int_equal(arne_data_new(m[k], &d[k], NULL), ARNE_OK);
    random_stream r = {seed};
    for (int state = 0; state < 3; state++) {
        random_vector(&r, (int)nv, 2, step);
        random_vector(&r, (int)nv, 2, qd);
        arne_neutral(m[0], neutral);
        assert_int_equal(arne_integrate(m[0], neutral, step, q), ARNE_OK);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(arne_mass(d[k], q, M[k]), ARNE_OK);
            assert_int_equal(arne_bias(d[k], q, qd, h[k]), ARNE_OK);
        }
        near_all("mass", seed, nv * nv, M[0], M[1], tolerance);
        near_all("bias", seed, nv, h[0], h[1], tolerance);
        for (int link = 0; link < arne_model_links(m[0]); link++) {
            const int other = arne_link_find(m[1], arne_link_name(m[0], link));
            if (other < 0) fail_msg("robot %u: there is no link %s", seed, arne_link_name(m[0], link));
            arne_pose at[2];
            arne_link_pose(d[0], q, link, &at[0]);
            arne_link_pose(d[1], q, other, &at[1]);
            near_all("rotation", seed, 9, at[0].R, at[1].R, tolerance);
            near_all("place", seed, 3, at[0].p, at[1].p, tolerance);
        }
    }
    free(q);
    for (int k = 0; k < 2; k++) {
        arne_data_free(d[k]);
        arne_model_free(m[k]);
    }
}
