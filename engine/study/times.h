/* SPDX-License-Identifier: MIT */
/* Times each variant alone: without the cache and without sharing nodes, one after another in the
 * order A B B A, so that a machine that warms up or slows down favours none. The first round does
 * not count. */
#ifndef TW_ENGINE_STUDY_TIMES_H
#define TW_ENGINE_STUDY_TIMES_H

#include "study/experiment.h"

/* The median, and the order statistics that enclose it with 95 % (sign test); NaN below 6 samples.
 */
struct tw_median {
    double median, low, high;
};

struct tw_variant_time {
    struct tw_median wall, processor; /* seconds; processor: summed over all threads */
    int32_t count;
};

/* `times` is [variant], of compared variants. Runs each `rounds` times with the first seed. Returns
 * TW_CANCELLED as runs do. */
enum tw_status tw_compare_times(const struct tw_experiment *experiment,
                                const struct tw_load_options *load,
                                const struct tw_run_options *run, int32_t rounds,
                                struct tw_variant_time *times, struct tw_error *err);

#endif
