/* SPDX-License-Identifier: MIT
 *
 * learn.c - thresholds from a run in which nothing touched the robot, by the statistics of its extremes (doc/observe.md), or
 * from what is usual in any run.
 *
 * The run is cut into blocks; the squares y of the largest |r| of each block follow Gumbel's law, P(y < x) = exp(-exp(-(x -
 * m)/s)). Squares, because those of a residual that is noise through a filter (nearly normal) come to that law fast, |r| itself
 * slowly. */
#include <math.h>
#include <stdlib.h>

#include "arne/observe.h"
#include "base/fail.h"
#include "base/order.h"

enum { BLOCKS = 100, SHORTEST = 10, FEWEST = 20 };
static const double HOUR = 3600;
/* No sensor measures less than this torque: the threshold of a residual that is zero. */
static const double FLOOR = 1e-9;

/* m and s of Gumbel's law from L-moments: s = l2/ln 2, m = l1 - 0.5772 s. Sorts y. */
static void fit(int count, double *y, double *m, double *s)
{
    const double euler = 0.57721566490153286;
    double l1 = 0, b1 = 0;
    arne__sort_numbers(y, count);
    for (int k = 0; k < count; k++) {
        l1 += y[k] / count;
        b1 += y[k] * k / (count - 1.0) / count;
    }
    *s = fmax(0, 2 * b1 - l1) / log(2);
    *m = l1 - euler * *s;
}

arne_status arne_detector_learn(const arne_model *m, int count, const double *residuals, double period, double rate,
                                double *threshold, arne_error *error)
{
    if (!m || !residuals || !threshold) return BAD_ARGUMENT(error, "thresholds need a model, residuals and a place");
    const int n = arne_model_dof(m);
    if (!(period > 0) || !isfinite(period)) return BAD_VALUE(error, "the period is %g s; it must be above 0", period);
    if (!(rate > 0 && rate < 1))
        return BAD_VALUE(error, "the rate of false alarms is %g; it is the chance of one in an hour, between 0 and 1", rate);
    if (count < FEWEST * SHORTEST)
        return BAD_VALUE(error, "%d samples are too few to learn thresholds from; record at least %d", count, FEWEST * SHORTEST);
    for (size_t k = 0; k < (size_t)count * (size_t)n; k++)
        if (!isfinite(residuals[k]))
            return BAD_VALUE(error, "residual %zu of sample %zu is not a finite number", k % (size_t)n + 1, k / (size_t)n + 1);
    const int blocks = count / SHORTEST < BLOCKS ? count / SHORTEST : BLOCKS, length = count / blocks;
    double *y = calloc((size_t)blocks, sizeof *y);
    if (!y) return NO_MEMORY(error);
    /* chance of no alarm in any joint and any block of an hour: F(x)^(n blocks) = 1 - rate */
    const double each = -log1p(-rate) / (n * HOUR / (period * length));
    for (int i = 0; i < n; i++) {
        double most = 0, mode, scale;
        for (int b = 0; b < blocks; b++) y[b] = 0;
        for (int k = 0; k < count; k++) {
            const double r2 = residuals[(size_t)k * (size_t)n + (size_t)i] * residuals[(size_t)k * (size_t)n + (size_t)i];
            const int b = k / length < blocks ? k / length : blocks - 1;
            y[b] = fmax(y[b], r2);
            most = fmax(most, r2);
        }
        fit(blocks, y, &mode, &scale);
        threshold[i] = fmax(FLOOR, sqrt(fmax(most, mode - scale * log(each))));
    }
    free(y);
    return ARNE_OK;
}

/* Six times the usual size of the residual (its median is 0.67 of a standard deviation), and not less than models are good for:
 * 2 % of the largest torque of the joint, 0.2 % of that of any joint. */
arne_status arne_recording_thresholds(const arne_recording *log, const arne_model *m, const double *residual, double *threshold,
                                      arne_error *error)
{
    const int n = arne_model_dof(m);
    if (log->count < 1) return BAD_VALUE(error, "there are no rows");
    double *size = calloc((size_t)log->count, sizeof *size), largest = 0;
    if (!size) return NO_MEMORY(error);
    for (int i = 0; i < n; i++) {
        double torque = 0;
        for (int k = 0; k < log->count; k++) {
            const size_t at = (size_t)k * (size_t)n + (size_t)i;
            if (isfinite(log->tau[at])) torque = fmax(torque, fabs(log->tau[at]));
            size[k] = fabs(residual[at]);
        }
        arne__sort_numbers(size, log->count);
        threshold[i] = fmax(6 * size[log->count / 2] / 0.6745, 0.02 * torque);
        largest = fmax(largest, torque);
    }
    for (int i = 0; i < n; i++) threshold[i] = fmax(fmax(threshold[i], 0.002 * largest), 1e-6);
    free(size);
    return ARNE_OK;
}
