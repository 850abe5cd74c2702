/* SPDX-License-Identifier: MIT */
/* One seed of an experiment: all variants as one graph, so that what they have in common is
 * computed once. Its outputs are "V.M", what measure M reads of variant V, and "V", its picture. */
#ifndef TW_ENGINE_CLI_COMPARE_ROUND_H
#define TW_ENGINE_CLI_COMPARE_ROUND_H

#include "experiment/experiment.h"
#include "graph/graph.h"
#include "graph/names.h"

struct tw_compare_round {
    struct tw_recipe **parts; /* by variant */
    int32_t **node_of;        /* by variant: its nodes in the merged graph */
    struct tw_recipe *merged;
    struct tw_names seen; /* nodes of `merged` by key */
};

/* `round` starts as {0}, and is released after a failure, too. */
enum tw_status tw_compare_round_build(const struct tw_experiment *e,
                                      const struct tw_load_options *load, uint64_t seed,
                                      bool pictures, struct tw_compare_round *round,
                                      struct tw_error *err);
void tw_compare_round_release(struct tw_compare_round *round, int32_t variants);

#endif
