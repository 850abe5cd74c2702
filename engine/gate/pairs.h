/* SPDX-License-Identifier: MIT */
/* Two states of a recipe computed side by side, for the maps that differ. */
#ifndef TW_ENGINE_GATE_PAIRS_H
#define TW_ENGINE_GATE_PAIRS_H

#include "gate/map_difference.h"
#include "runner/runner.h"

/* One map in both states. What a map looks like is an image, or a mask that is shown as it is. */
struct tw_pair {
    const char *name;               /* for people and file names: height, or eroded.out */
    struct tw_source before, after; /* in the two recipes */
    struct tw_value old, now;       /* owned; released by tw_pairs_release() */
    struct tw_value old_view, now_view;
    bool comparable;
    bool is_new; /* an output of the state after, of a node that the other has, too */
    struct tw_map_difference difference;
};

/* Computes the pairs' values and views in one graph: what the states share is computed once. The
 * recipes must have one size and world. */
enum tw_status tw_pairs_run(const struct tw_recipe *before, const struct tw_recipe *after,
                            const struct tw_run_options *options, struct tw_pair *pairs,
                            int32_t count, struct tw_error *err);
void tw_pairs_release(struct tw_pair *pairs, int32_t count);

/* Field i of a record in its state now, and in the other: false when that has no field of that
 * name, or both are equal. */
bool tw_pairs_field(const struct tw_pair *pair, int32_t i, const char **name, double *old,
                    double *now);

/* The output that a path and a port name, "eroded" and "out"; false when there is none. */
bool tw_pairs_find_source(const struct tw_recipe *recipe, const char *path, const char *port,
                          struct tw_source *source);

#endif
