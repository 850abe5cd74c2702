/* SPDX-License-Identifier: MIT */
/* Between pool.c, whose workers open row jobs and take ranges of them, and helpers.c. */
#ifndef TW_ENGINE_RUN_POOL_PRIVATE_H
#define TW_ENGINE_RUN_POOL_PRIVATE_H

#include "run/pool.h"

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
/* Mutex held: calls helpers that are parked, or new ones, who call others in turn, while there are
 * ranges and room. `from_work`: the caller is about to compute, so they are to wake elsewhere. Best
 * effort: without memory or threads there are fewer. */
void tw_helpers_call(struct tw_pool *pool, bool from_work);
/* No row job is open. */
void tw_helpers_end(struct tw_pool *pool);

#endif
