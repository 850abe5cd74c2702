/* SPDX-License-Identifier: MIT */
/* Between pool.c, whose threads open row jobs and take ranges of them, and helpers.c. */
#ifndef TW_ENGINE_RUN_POOL_PRIVATE_H
#define TW_ENGINE_RUN_POOL_PRIVATE_H

#include "run/pool.h"

/* ---- pool.c ---- */

/* Runs a range of any open row job; false when all are handed out. */
bool tw_pool_run_range(struct tw_pool *pool);
/* Mutex held. */
bool tw_pool_has_ranges(const struct tw_pool *pool);

/* ---- helpers.c ---- */

/* Loop thread, before the first work. */
void tw_helpers_send_early(struct tw_pool *pool);
/* Mutex held, from a thread that is about to work on a range: calls some of those that are parked,
 * each of whom calls others, while there are ranges. */
void tw_helpers_call(struct tw_pool *pool);
/* True when as many spin for the row job that was just opened, or are parked, as there may be. */
bool tw_helpers_suffice(struct tw_pool *pool);
/* Loop thread, when something began or ended: sends helpers to open row jobs, and away when their
 * threads are needed, or when there is nobody left to help. */
void tw_helpers_balance(struct tw_pool *pool);

#endif
