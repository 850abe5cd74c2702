/* SPDX-License-Identifier: MIT */
/* Which nodes a run computes together: a node that works cell by cell, and whose values only nodes
 * of one such group take, is computed along with them, in blocks of rows that stay in the cache.
 * Its map never exists as a whole. A part of the plan; docs/decisions/bands.md says why. */
#ifndef TW_ENGINE_GRAPH_FUSION_H
#define TW_ENGINE_GRAPH_FUSION_H

#include "graph/plan.h"

/* Whether any rows of the node's only output follow from the same rows of its inputs, without
 * scratch, so that it can be run on a few rows as if they were a map. */
bool tw_fusion_is_cellwise(const struct tw_recipe *recipe, const struct tw_node *node);
/* Rows of a block: as many cells as stay in the nearest cache, or one row. */
int32_t tw_fusion_block_rows(const struct tw_recipe *recipe);
/* Bytes of a block of the largest type, a multiple of 64. */
size_t tw_fusion_block_bytes(const struct tw_recipe *recipe);

/* Fills plan->fusion, whose users are listed; with `fuse` false every node is a group of its own.
 * False without memory. Never raises the forecast of values: inputs of a group live until all of it
 * runs, so a node with several inputs joins only where no input of the group is computed later. */
bool tw_fusion_find(const struct tw_recipe *recipe, const bool *is_goal, bool fuse,
                    struct tw_plan *plan);
/* Bytes of the blocks between the nodes of the group of `root`, for one worker. */
uint64_t tw_fusion_bytes(const struct tw_recipe *recipe, const struct tw_plan *plan, int32_t root);
void tw_fusion_release(struct tw_fusion *fusion);

#endif
