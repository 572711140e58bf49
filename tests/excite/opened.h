/* SPDX-License-Identifier: MIT
 *
 * opened.h - a shipped robot that is to be excited. */
#ifndef TESTS_EXCITE_OPENED_H
#define TESTS_EXCITE_OPENED_H

#include "arne/file.h"
#include "base/dense.h"
#include "excite/excite.h"
#include "support/grow.h"
#include "support/random_robot.h"

enum { MOST = 8, TIMES = 4000 };
static const double PI = 3.14159265358979323846;

static arne_model *m;
static arne_data *d;

static inline void open_robot(const char *name)
{
    char path[300];
    snprintf(path, sizeof path, ARNE_ROBOTS "/%s.yaml", name);
    assert_int_equal(arne_load(path, &m, NULL), ARNE_OK);
    assert_int_equal(arne_data_new(m, &d, NULL), ARNE_OK);
}

static inline void close_robot(void)
{
    arne_data_free(d);
    arne_model_free(m);
}

static inline arne_excitation *find(arne_excite_options o)
{
    arne_excitation *e;
    arne_error error = {0};
    o.size = sizeof o;
    if (!o.randoms) o.randoms = 30;
    if (!o.starts) o.starts = 1;
    if (!o.steps) o.steps = 60;
    if (arne_excite(arne_data_settings(d), &o, &e, &error)) fail_msg("%s", error.message);
    return e;
}

#endif
