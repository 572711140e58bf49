/* SPDX-License-Identifier: MIT
 *
 * answer.h - what inverse dynamics of elastic joints gives, for the tests. */
#ifndef ELASTIC_ANSWER_H
#define ELASTIC_ANSWER_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "arne/elastic.h"
#include "support/subject.h"

enum { N = MOST_DOF, ROWS = 5 };

typedef struct {
    double tau_e[N], dtau_e[N], ddtau_e[N], theta[N], dtheta[N], ddtheta[N], tau[N];
} answer;

static inline arne_flex_torques into(answer *a)
{
    return (arne_flex_torques){
        sizeof(arne_flex_torques), a->tau_e, a->dtau_e, a->ddtau_e, a->theta, a->dtheta, a->ddtheta, a->tau};
}

static inline arne_flex *flex_of(const arne_model *m)
{
    arne_flex *f = NULL;
    arne_error error;
    arne_settings *s = NULL;
    if (arne_settings_new(m, &s, &error) || arne_flex_new(s, &f, &error)) fail_msg("%s", error.message);
    arne_settings_free(s);
    return f;
}

#endif
