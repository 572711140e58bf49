/* SPDX-License-Identifier: MIT
 *
 * identified.h - the page about an identification: its pictures (identified_charts.c). */
#ifndef REPORT_IDENTIFIED_H
#define REPORT_IDENTIFIED_H

#include "arne/positions.h"
#include "report/chart.h"

/* Nm or N of a joint whose torques were used */
const char *arne__identified_unit(const arne_model *m, const arne_identified_joint *j);
/* ZZR1: more than the standard parameter itself. Returns `to`. */
const char *arne__identified_name(const arne_identified_parameter *p, char to[32]);
/* measured, predicted and what is left, a chart a joint; the spectrum of what is left; its unit */
arne_status arne__identified_torques(const arne_identified *r, const arne_model *m, text_buffer *o, arne_error *error);
arne_status arne__identified_spectrum(const arne_identified *r, text_buffer *o, arne_error *error);
/* bars with twice their deviations, those of one unit together */
arne_status arne__identified_bars(const arne_identified *r, text_buffer *o, arne_error *error);
/* errors over the cut-off of the low pass */
arne_status arne__identified_cutoffs(const arne_identified *r, text_buffer *o, arne_error *error);

#endif
