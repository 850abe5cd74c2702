/* SPDX-License-Identifier: MIT */
/* Which nodes a run computes together. A node that works cell by cell, and whose values only nodes
 * of one such group take, is computed along with that group, in blocks of rows that stay in the
 * cache; its map never exists as a whole. Part of the plan; docs/decisions/bands.md gives the
 * reasons. */
#ifndef TW_ENGINE_GRAPH_FUSION_H
#define TW_ENGINE_GRAPH_FUSION_H

#include "graph/plan.h"

/* Returns whether rows of the node's only output depend only on the same rows of its inputs,
 * without scratch, so that it can run on a few rows as if they were a map. */
bool tw_fusion_is_cellwise(const struct tw_recipe *recipe, const struct tw_node *node);
/* Returns the rows of a block: as many cells as fit into the nearest cache, or one row. */
int32_t tw_fusion_block_rows(const struct tw_recipe *recipe);
/* Returns the bytes of a block of the largest type, a multiple of 64. */
size_t tw_fusion_block_bytes(const struct tw_recipe *recipe);

/* Fills plan->fusion, whose users must be listed; with `fuse` false every node is a group of its
 * own. False when out of memory. Never raises the forecast of values: inputs of a group live until
 * all of it has run, so a node with several inputs joins only if no input of the group is computed
 * later. */
bool tw_fusion_find(const struct tw_recipe *recipe, const bool *is_goal, bool fuse,
                    struct tw_plan *plan);
/* Returns the bytes of the blocks between the nodes of the group of `root`, for one worker. */
uint64_t tw_fusion_bytes(const struct tw_recipe *recipe, const struct tw_plan *plan, int32_t root);
void tw_fusion_release(struct tw_fusion *fusion);

#endif
