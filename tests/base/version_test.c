/* SPDX-License-Identifier: MIT
 *
 * version_test.c - the header and the library tell the same version. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "arne/arne.h"

static void header_and_library(void **state)
{
    (void)state;
    assert_string_equal(arne_version(), ARNE_VERSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(header_and_library)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
