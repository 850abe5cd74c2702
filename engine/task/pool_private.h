/* SPDX-License-Identifier: MIT */
/* Between pool.c, whose workers open row jobs and take ranges of them, and helpers.c. */
#ifndef TW_ENGINE_TASK_POOL_PRIVATE_H
#define TW_ENGINE_TASK_POOL_PRIVATE_H

#include "task/pool.h"

/* ---- pool.c ---- */

/* Runs a range of any open row job; false when all are handed out. */
bool tw_pool_run_range(struct tw_pool *pool);
/* Mutex held. */
bool tw_pool_has_ranges(const struct tw_pool *pool);
/* Whether fewer threads compute than may. */
bool tw_pool_has_room(const struct tw_pool *pool);

/* ---- helpers.c ---- */

/* Loop thread, before the first work: creates some, which park. */
void tw_helpers_begin(struct tw_pool *pool);
/* Mutex held: wakes parked helpers, or creates new ones, while ranges are left and fewer threads
 * compute than may; they wake others in turn. `from_work`: the caller is about to compute, so they
 * should wake on other processors. Best effort: without memory or threads there are fewer. */
void tw_helpers_call(struct tw_pool *pool, bool from_work);
/* Ends and joins all helpers; no row job may be open. */
void tw_helpers_end(struct tw_pool *pool);

#endif
