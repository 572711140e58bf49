/* SPDX-License-Identifier: MIT */
#include "support/data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static arne_data *prepared(arne_status status, arne_data *d, arne_error *error)
{
    if (!status) status = arne_data_prepare(d, ARNE_DERIVATIVES | ARNE_BATCHES | ARNE_FORMS | ARNE_HANDS | ARNE_LIMITS, error);
    if (status) fail_msg("%s", error->message);
    return d;
}

arne_data *test_data(const arne_model *m)
{
    arne_data *d = NULL;
    arne_error error;
    const arne_status status = arne_data_new(m, &d, &error);
    return prepared(status, d, &error);
}

arne_data *test_data_on(const arne_settings *s)
{
    arne_data *d = NULL;
    arne_error error;
    const arne_status status = arne_data_share(s, &d, &error);
    return prepared(status, d, &error);
}
