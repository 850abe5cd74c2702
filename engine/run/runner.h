/* SPDX-License-Identifier: MIT */
/* Results of a run, and writing them. */
#ifndef TW_ENGINE_RUNNER_H
#define TW_ENGINE_RUNNER_H

#include "field/field.h"
#include "graph/graph.h"

/* Values that outlive a run: those of outputs and exports. */
struct tw_result {
    const struct tw_recipe *recipe;
    struct tw_kept {
        struct tw_source source;
        struct tw_value value;
    } * kept;
    int32_t count;
    struct tw_result_name {
        char *name;
        struct tw_source source;
    } * names;
    int32_t name_count;
    int32_t computed; /* nodes that ran */
};

const struct tw_value *tw_result_value(const struct tw_result *result, struct tw_source source);

/* Encodes and writes every export into the folder, which is made when missing. `only`: NULL or the
 * name of the one output to write. */
enum tw_status tw_export_all(const struct tw_recipe *recipe, const struct tw_result *result,
                             const char *folder, const char *only, struct tw_error *err);

#endif
