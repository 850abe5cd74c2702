/* SPDX-License-Identifier: MIT */
/* One seed of a part of an experiment (levels.h): all variants in one graph, so that shared nodes
 * are computed once. */
#ifndef TW_ENGINE_STUDY_ROUND_H
#define TW_ENGINE_STUDY_ROUND_H

#include "graph/graph.h"
#include "graph/names.h"
#include "study/experiment.h"

#define TW_MEASURE_NODES 2 /* most nodes that measuring a map adds */

struct tw_compare_round {
    struct tw_recipe **parts; /* by variant */
    int32_t **node_of;        /* by variant: its nodes in the merged graph */
    bool **needed;            /* by variant: marks the nodes that its measures need */
    struct tw_recipe *merged;
    int32_t *record_of;   /* [variant][measure]: the output that holds the measure's record */
    int32_t output_count; /* of `merged` */
    struct tw_names seen; /* nodes of `merged` by key */
};

/* `round` starts as {0}; release it even after a failure. */
enum tw_status tw_compare_round_build(const struct tw_experiment *e,
                                      const struct tw_load_options *load, uint64_t seed,
                                      struct tw_compare_round *round, struct tw_error *err);
void tw_compare_round_release(struct tw_compare_round *round, int32_t variants);

/* The rounds of a seed, one for each part of an experiment. */
struct tw_compare_rounds {
    struct tw_compare_round *at;
    struct tw_experiment *parts;
    int32_t *first; /* the index of each part's first run */
    int32_t count;
};

/* `rounds` starts as {0}; release it even after a failure. */
enum tw_status tw_compare_rounds_build(const struct tw_experiment *e,
                                       const struct tw_load_options *load, uint64_t seed,
                                       struct tw_compare_rounds *rounds, struct tw_error *err);
void tw_compare_rounds_release(struct tw_compare_rounds *rounds);

/* The graph of all variants has one size and one world: TW_RECIPE if those of variant `name` differ
 * from the first's. */
enum tw_status tw_compare_check_map(const char *name, const struct tw_recipe *part,
                                    const struct tw_recipe *first, struct tw_error *err);

struct tw_result;
struct tw_run_summary;
struct tw_value;
/* measured.c: adds the outputs that a variant's measures read and the nodes they need, once all
 * variants are merged; for `seconds`, all outputs. False if memory runs out. */
bool tw_compare_round_measure(struct tw_compare_round *round, const struct tw_experiment *e,
                              int32_t variant);
/* Finds an output of the variant's recipe by name; it must exist. */
const struct tw_output *tw_compare_round_output(const struct tw_compare_round *round,
                                                int32_t variant, const char *name);
/* Adds an output and sets its number. */
bool tw_compare_round_add_output(struct tw_compare_round *round, struct tw_source source,
                                 int32_t *number);
/* Finds the node and port in `merged` of an output of the variant's recipe. */
struct tw_source tw_compare_round_source(const struct tw_compare_round *round, int32_t variant,
                                         const char *output);

/* The cost of the nodes that a variant needs, as if it had run alone: each counts in full, with the
 * time of its last computation, whether it is shared and whether its result was in the cache. Nodes
 * that measure maps do not count. */
double tw_compare_round_seconds(const struct tw_compare_round *round, int32_t variant,
                                const struct tw_run_summary *report);

/* Reads a record's field, or a map's measure, after the round has run; does not evaluate formulas.
 * TW_RECIPE if the record lacks the field. */
enum tw_status tw_compare_round_value(const struct tw_compare_round *round,
                                      const struct tw_experiment *e, int32_t variant,
                                      int32_t measure, const struct tw_result *result,
                                      double *value, struct tw_error *err);
/* The record that holds measure M of variant V. */
const struct tw_value *tw_compare_round_record(const struct tw_compare_round *round,
                                               const struct tw_experiment *e, int32_t variant,
                                               int32_t measure, const struct tw_result *result);

#endif
