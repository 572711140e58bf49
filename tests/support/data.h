/* SPDX-License-Identifier: MIT
 *
 * data.h - data objects for tests, which must succeed. */
#ifndef SUPPORT_DATA_H
#define SUPPORT_DATA_H

#include "arne/dynamics.h"

/* data of a model, prepared for everything; any failure fails the test */
arne_data *test_data(const arne_model *m);
/* the same on shared settings */
arne_data *test_data_on(const arne_settings *s);

#endif
