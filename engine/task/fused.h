/* SPDX-License-Identifier: MIT */
/* Nodes that work cell by cell, run together: each block of rows goes through all of them before
 * the next, and is looked at for numbers that are not finite while it is in the cache. Bytes, and
 * which fault is reported, are those of the nodes run one after the other. */
#ifndef TW_ENGINE_TASK_FUSED_H
#define TW_ENGINE_TASK_FUSED_H

#include "graph/plan.h"
#include "task/task.h"

struct tw_fused;

/* The group of `root`; `values` gives the maps of its inputs, which live as long as the task. NULL
 * without memory. free(). */
struct tw_fused *
tw_fused_create(const struct tw_recipe *recipe, const struct tw_plan *plan, int32_t root,
                struct tw_value (*value)(const void *context, struct tw_source source),
                const void *context);
/* On a worker: fills output 0 of `task`, which is the root's, with the rows of the map that the
 * task is about; the inputs hold the same rows. With a fault the task's error is set;
 * tw_fused_failed() is the node that it is about. */
enum tw_status tw_fused_run(struct tw_fused *fused, struct tw_task *task);
const struct tw_node *tw_fused_failed(const struct tw_fused *fused);
/* Afterwards: the share of the task's time that a member took; they count from the lowest node. */
double tw_fused_share(const struct tw_fused *fused, int32_t member);

#endif
