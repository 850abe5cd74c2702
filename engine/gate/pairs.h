/* SPDX-License-Identifier: MIT */
/* Computes two states of a recipe in one graph, for the maps that differ. */
#ifndef TW_ENGINE_GATE_PAIRS_H
#define TW_ENGINE_GATE_PAIRS_H

#include "gate/map_difference.h"
#include "runner/runner.h"

/* One map in both states. Its view is an image; a mask is its own view. */
struct tw_pair {
    const char *name;               /* for people and file names: height, or eroded.out */
    struct tw_source before, after; /* one in each recipe */
    struct tw_value old, now;       /* owned; released by tw_pairs_release() */
    struct tw_value old_view, now_view;
    bool comparable;
    bool is_new; /* an output that only the state after has, of a node that both have */
    struct tw_map_difference difference;
};

/* Computes the pairs' values and views in one graph, so that equal nodes run once. The recipes must
 * have one size and world. */
enum tw_status tw_pairs_run(const struct tw_recipe *before, const struct tw_recipe *after,
                            const struct tw_run_options *options, struct tw_pair *pairs,
                            int32_t count, struct tw_error *err);
void tw_pairs_release(struct tw_pair *pairs, int32_t count);

/* Returns field i of a record now, and its old value; false if the old record lacks a field of that
 * name, or the values are equal. */
bool tw_pairs_field(const struct tw_pair *pair, int32_t i, const char **name, double *old,
                    double *now);

/* Finds an output by path and port name, such as "eroded" and "out"; false if there is none. */
bool tw_pairs_find_source(const struct tw_recipe *recipe, const char *path, const char *port,
                          struct tw_source *source);

#endif
