/* SPDX-License-Identifier: MIT */
/* Runs nodes that work cell by cell together: each block of rows goes through all of them before
 * the next, and is checked for non-finite numbers while it is in the cache. The bytes, and the
 * fault that is reported, equal those of running the nodes one after another. */
#ifndef TW_ENGINE_TASK_FUSED_H
#define TW_ENGINE_TASK_FUSED_H

#include "graph/plan.h"
#include "task/task.h"

struct tw_fused;

/* Prepares the group of `root`. `value` returns the maps of its inputs, which must outlive the
 * task. NULL if memory runs out. Release with free(). */
struct tw_fused *
tw_fused_create(const struct tw_recipe *recipe, const struct tw_plan *plan, int32_t root,
                struct tw_value (*value)(const void *context, struct tw_source source),
                const void *context);
/* On a worker: fills output 0 of `task`, the root's, for the task's rows of the map; the inputs
 * hold the same rows. A fault sets the task's error; tw_fused_failed() returns the node at fault.
 */
enum tw_status tw_fused_run(struct tw_fused *fused, struct tw_task *task);
const struct tw_node *tw_fused_failed(const struct tw_fused *fused);
/* After the run: the share of the task's time that a member took. Members count from the lowest
 * node. */
double tw_fused_share(const struct tw_fused *fused, int32_t member);

#endif
