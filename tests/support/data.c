/* SPDX-License-Identifier: MIT */
#include "support/data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static arne_data *prepared(arne_status status, arne_data *d, arne_error *error)
{
    const unsigned every = ARNE_DERIVATIVES | ARNE_BATCHES | ARNE_FORMS, narrow = ARNE_HANDS | ARNE_LIMITS;
    const arne_model *m = arne_data_model(d);
    if (!status) status = arne_data_prepare(d, arne_model_nq(m) == arne_model_nv(m) ? every | narrow : every, error);
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
