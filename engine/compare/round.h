/* SPDX-License-Identifier: MIT */
/* One seed of an experiment: all variants as one graph, so that what they have in common is
 * computed once. */
#ifndef TW_ENGINE_COMPARE_ROUND_H
#define TW_ENGINE_COMPARE_ROUND_H

#include "experiment/experiment.h"
#include "graph/graph.h"
#include "graph/names.h"

struct tw_compare_round {
    struct tw_recipe **parts; /* by variant */
    int32_t **node_of;        /* by variant: its nodes in the merged graph */
    struct tw_recipe *merged;
    int32_t *record_of;   /* [variant][measure]: the output that holds the measure's record */
    int32_t output_count; /* of `merged` */
    struct tw_names seen; /* nodes of `merged` by key */
};

/* `round` starts as {0}, and is released after a failure, too. */
enum tw_status tw_compare_round_build(const struct tw_experiment *e,
                                      const struct tw_load_options *load, uint64_t seed,
                                      struct tw_compare_round *round, struct tw_error *err);
void tw_compare_round_release(struct tw_compare_round *round, int32_t variants);

/* All variants are one graph, which has one size and one world: TW_RECIPE when those of the variant
 * `name` are not the first's. */
enum tw_status tw_compare_check_map(const char *name, const struct tw_recipe *part,
                                    const struct tw_recipe *first, struct tw_error *err);

struct tw_result;
struct tw_value;
/* The record that measure M of variant V is a field of. */
const struct tw_value *tw_compare_round_record(const struct tw_compare_round *round,
                                               const struct tw_experiment *e, int32_t variant,
                                               int32_t measure, const struct tw_result *result);

#endif
