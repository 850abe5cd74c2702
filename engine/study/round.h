/* SPDX-License-Identifier: MIT */
/* One seed of an experiment: all variants as one graph, so that what they have in common is
 * computed once. */
#ifndef TW_ENGINE_STUDY_ROUND_H
#define TW_ENGINE_STUDY_ROUND_H

#include "graph/graph.h"
#include "graph/names.h"
#include "study/experiment.h"

#define TW_MEASURE_NODES 2 /* at most, that a measure of a map adds */

struct tw_compare_round {
    struct tw_recipe **parts; /* by variant */
    int32_t **node_of;        /* by variant: its nodes in the merged graph */
    bool **needed;            /* by variant: which of its nodes its measures need */
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
/* measured.c: the outputs that measures of a variant read, and the nodes that these need, once all
 * variants are merged; of `seconds` all outputs. False without memory. */
bool tw_compare_round_measure(struct tw_compare_round *round, const struct tw_experiment *e,
                              int32_t variant);
/* The output of that name of the variant's recipe, which has it. */
const struct tw_output *tw_compare_round_output(const struct tw_compare_round *round,
                                                int32_t variant, const char *name);
/* Adds an output; its number. */
bool tw_compare_round_add_output(struct tw_compare_round *round, struct tw_source source,
                                 int32_t *number);
/* The node of `merged` and port that an output of the variant's recipe is. */
struct tw_source tw_compare_round_source(const struct tw_compare_round *round, int32_t variant,
                                         const char *output);

/* The value of a record's field, or of a map's measure, once the round has run; not of formulas.
 * TW_RECIPE when the record lacks the field. */
enum tw_status tw_compare_round_value(const struct tw_compare_round *round,
                                      const struct tw_experiment *e, int32_t variant,
                                      int32_t measure, const struct tw_result *result,
                                      double *value, struct tw_error *err);
/* The record that measure M of variant V is a field of. */
const struct tw_value *tw_compare_round_record(const struct tw_compare_round *round,
                                               const struct tw_experiment *e, int32_t variant,
                                               int32_t measure, const struct tw_result *result);

#endif
