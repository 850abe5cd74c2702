/* SPDX-License-Identifier: MIT */
/* Shared by pool.c, whose workers open row jobs and take their ranges, and helpers.c. */
#ifndef TW_ENGINE_TASK_POOL_PRIVATE_H
#define TW_ENGINE_TASK_POOL_PRIVATE_H

#include "task/pool.h"

/* ---- pool.c ---- */

/* Runs a range of any open row job; false once all are handed out. */
bool tw_pool_run_range(struct tw_pool *pool);
/* Whether an open job has ranges left. Mutex held. */
bool tw_pool_has_ranges(const struct tw_pool *pool);
/* Whether another thread may compute. */
bool tw_pool_has_room(const struct tw_pool *pool);

/* ---- helpers.c ---- */

/* Loop thread, before the first work: creates some helpers, which park. */
void tw_helpers_begin(struct tw_pool *pool);
/* Mutex held: wakes or creates helpers while ranges are left and threads are allowed; those wake
 * others in turn. `from_work`: the caller is about to compute, so they should wake on other
 * processors. Best effort: fewer helpers if memory or threads run out. */
void tw_helpers_call(struct tw_pool *pool, bool from_work);
/* Ends and joins all helpers; no row job may be open. */
void tw_helpers_end(struct tw_pool *pool);

#endif
