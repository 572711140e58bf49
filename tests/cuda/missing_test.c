/* SPDX-License-Identifier: MIT
 *
 * missing_test.c - where there is no driver, no compiler or no device of CUDA, one sentence says what is missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "arne/cuda.h"
#include "arne/file.h"
#include "support/data.h"

static void what_is_missing_is_named(void **state)
{
    (void)state;
    arne_model *m;
    arne_cuda *c;
    arne_error error = {0};
    assert_int_equal(arne_load(ARNE_ROBOTS "/planar2r.yaml", &m, &error), ARNE_OK);
    arne_data *d = test_data(m);
    const arne_cuda_options o = {.size = sizeof o, .what = "id", .anew = true};
    const arne_status status = arne_cuda_new(d, &o, &c, &error);
    if (status) { /* on a machine without a GPU */
        assert_null(c);
        assert_true(status == ARNE_UNSUPPORTED || status == ARNE_DEVICE);
        assert_true(strstr(error.message, "libcuda") || strstr(error.message, "libnvrtc") || strstr(error.message, "driver") ||
                    strstr(error.message, "device"));
    }
    arne_cuda_free(c);
    arne_data_free(d);
    arne_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_missing_is_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
