/* SPDX-License-Identifier: MIT */
/* Results kept in memory between the runs of one process: actions and values, under their names in
 * the cache on disk. Any of them may be dropped at any time. Values are copies, so runs own theirs
 * as usual. Their bytes count towards the current run's memory limit, and are freed before that run
 * is refused memory. */
#ifndef TW_ENGINE_CACHE_MEMO_H
#define TW_ENGINE_CACHE_MEMO_H

#include "cache/store.h"
#include "value/memory.h"

struct tw_memo; /* several threads may use it at once between begin and end */

/* max_bytes 0: a quarter of the machine's memory. */
enum tw_status tw_memo_create(uint64_t max_bytes, struct tw_memo **memo, struct tw_error *err);
void tw_memo_release(struct tw_memo *memo);

/* Begins a run, whose values are stamped with `secret`; NULL: tw_memo_secret(). Drops everything
 * named with another secret. */
void tw_memo_begin(struct tw_memo *memo, const struct tw_secret *secret, struct tw_memory *memory);
/* Ends the run. After a complete one, drops what neither it nor the run before used: the next run
 * usually repeats this one with a change, or with the last change undone. */
void tw_memo_end(struct tw_memo *memo, bool complete);
const struct tw_secret *tw_memo_secret(const struct tw_memo *memo);

/* Find and save actions as tw_store_find() and tw_store_save() do. */
bool tw_memo_find(struct tw_memo *memo, const struct tw_sha256 *key, struct tw_action *action);
void tw_memo_save(struct tw_memo *memo, const struct tw_sha256 *key,
                  const struct tw_action *action);
/* Copies a value out and counts its bytes in the run's memory; false for a miss. */
bool tw_memo_load(struct tw_memo *memo, const struct tw_stamp *stamp, struct tw_value *value);
/* Keeps a copy of a value that took `seconds` to compute. To make space, drops the values unused
 * for the most runs and, among these, those cheapest to compute for their size; does not keep a
 * value that would be dropped first. */
void tw_memo_put(struct tw_memo *memo, const struct tw_stamp *stamp, double seconds,
                 const struct tw_value *value);

struct tw_memo_stats {
    uint64_t actions, values, bytes;
};
struct tw_memo_stats tw_memo_stats(struct tw_memo *memo);

#endif
