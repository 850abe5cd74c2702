/* SPDX-License-Identifier: MIT */
/* A search over the whole grid on all workers, bucket by bucket (least_cost.h). */
#ifndef TW_NODES_FEATURE_KERNELS_LEAST_COST_STRIPS_H
#define TW_NODES_FEATURE_KERNELS_LEAST_COST_STRIPS_H

#include "feature/kernels/least_cost.h"

/* Creates a search and runs it from the first `sources` of the paths' sources: cells of cost
 * `limit` or more are not reached. The bytes are those of tw_search_run(). */
enum tw_status tw_search_everywhere(struct tw_task *task, const struct tw_paths *paths,
                                    double limit, struct tw_search *search, int32_t sources);

/* Its scratch, with increments of about `least` to `most`. */
void tw_search_everywhere_forecast(struct tw_forecast *f, int32_t width, int32_t height,
                                   double least, double most);

#endif
