/* SPDX-License-Identifier: MIT */
/* State of reading an experiment's file. Reading continues after a fault, so that all are reported.
 */
#ifndef TW_ENGINE_STUDY_EXPERIMENT_PRIVATE_H
#define TW_ENGINE_STUDY_EXPERIMENT_PRIVATE_H

#include "graph/load/expect.h"
#include "study/experiment.h"

struct tw_experiment_reader {
    struct tw_experiment *experiment;
    struct tw_fault_log *log;
    const struct tw_load_options *options;
    const char *folder;
    const struct tw_yaml *root;
    const char *recipe; /* default for variants that name no recipe */
};

#define TW_EXPERIMENT_FAULT(reader, place, ...)                                                    \
    tw_fault_log_add((reader)->log, TW_RECIPE, place, NULL, __VA_ARGS__)

/* Reads a number of cells; 0 after a fault. */
int32_t tw_experiment_read_side(struct tw_experiment_reader *reader, const struct tw_yaml *value);
bool tw_experiment_no_memory(struct tw_experiment_reader *reader);
/* Resolves recipe: FILE to a path that can be opened; NULL after a fault. */
const char *tw_experiment_find_recipe(struct tw_experiment_reader *reader,
                                      const struct tw_yaml *recipe);

/* measures.c: reads measure: [RECORD.FIELD, ...] */
void tw_experiment_read_measures(struct tw_experiment_reader *reader, const struct tw_yaml *list);
/* Returns -1 after a fault. */
int32_t tw_experiment_find_measure(struct tw_experiment_reader *reader, const struct tw_yaml *name);
/* Reads goal: {MEASURE: up}, or down. NULL: none. */
void tw_experiment_read_goals(struct tw_experiment_reader *reader, const struct tw_yaml *mapping);
/* front.c: reads front: {MEASURE: up, MEASURE: down}. NULL: none. */
void tw_experiment_read_front(struct tw_experiment_reader *reader, const struct tw_yaml *mapping);
/* adjust.c: reads adjust: MEASURE. NULL: none. */
void tw_experiment_read_adjust(struct tw_experiment_reader *reader, const struct tw_yaml *name);
/* Reads seeds: {until: {MEASURE: WIDTH}}. NULL: none. */
void tw_experiment_read_until(struct tw_experiment_reader *reader, const struct tw_yaml *mapping);
/* Reads assert: {MEASURE: {STATISTIC: {min: 0, max: 1}}} of a variant or (-1) of all. NULL: none.
 */
void tw_experiment_read_bounds(struct tw_experiment_reader *reader, int32_t variant,
                               const struct tw_yaml *mapping);

/* seeds.c: reads seeds: {from, count}, or a list. */
void tw_experiment_read_seeds(struct tw_experiment_reader *reader, const struct tw_yaml *value);

/* variants.c: reads variants: {NAME: {params, nodes, recipe, sweep, assert}}. NULL: none. */
void tw_experiment_read_variants(struct tw_experiment_reader *reader,
                                 const struct tw_yaml *mapping);
/* Adds a variant, whose memory is the arena's; false after a fault. */
bool tw_experiment_add_variant(struct tw_experiment_reader *reader,
                               const struct tw_variant *variant);
/* Reports a variant's name that is longer than allowed, and returns false. */
bool tw_experiment_check_name(struct tw_experiment_reader *reader, struct tw_place place,
                              size_t length);
/* levels.c: reads sizes: and crossed:, and repeats the variants for each of their levels. */
void tw_experiment_read_levels(struct tw_experiment_reader *reader);
/* sensitivity.c: reads sensitivity: {params, morris, levels, indices, curves} after all variants.
 */
void tw_experiment_read_sensitivity(struct tw_experiment_reader *reader,
                                    const struct tw_yaml *yaml);
/* tune.c: reads tune: {params, goal, budget, seed, restarts} once measures and seeds are known. */
void tw_experiment_read_tune(struct tw_experiment_reader *reader, const struct tw_yaml *yaml);
/* Reads MEASURE: of a goal: a number, maximise, or a constraint; false after a fault. */
bool tw_experiment_read_tune_goal(struct tw_experiment_reader *reader,
                                  const struct tw_yaml_item *item, struct tw_tune_goal *goal);
/* match.c: reads match: {goal, seeds, by} once variants, measures and baseline are known. NULL:
 * none. */
void tw_experiment_read_match(struct tw_experiment_reader *reader, const struct tw_yaml *yaml);
/* Reads params: {NAME: [from, to]}, at most so many, of an entry that messages call `what`; false
 * after a fault. */
bool tw_experiment_read_ranges(struct tw_experiment_reader *reader, const struct tw_yaml *yaml,
                               const char *what, int32_t most, struct tw_axis **axes,
                               int32_t *count);
/* matrix.c: reads matrix: {PARAMETER: values or range, include, exclude, draws} */
void tw_experiment_read_matrix(struct tw_experiment_reader *reader, const struct tw_yaml *mapping);
/* Reads baseline: NAME of a variant. */
void tw_experiment_read_baseline(struct tw_experiment_reader *reader, const struct tw_yaml *value);

#endif
