/* SPDX-License-Identifier: MIT */
/* How long each variant takes by itself: without the cache and without what it shares with others,
 * one run after the other in the order A B B A, so that a machine that warms up or slows down does
 * not favour one; the first round is not counted. */
#ifndef TW_ENGINE_STUDY_TIMES_H
#define TW_ENGINE_STUDY_TIMES_H

#include "study/experiment.h"

/* The median, and the order statistics that hold it with 95 % (sign test); NaN for fewer than 6. */
struct tw_median {
    double median, low, high;
};

struct tw_variant_time {
    struct tw_median wall, processor; /* seconds; processor: of all threads */
    int32_t count;
};

/* `times` is [variant], of those compared. Each runs `rounds` times with the first seed. Stops with
 * TW_CANCELLED as runs do. */
enum tw_status tw_compare_times(const struct tw_experiment *experiment,
                                const struct tw_load_options *load,
                                const struct tw_run_options *run, int32_t rounds,
                                struct tw_variant_time *times, struct tw_error *err);

#endif
