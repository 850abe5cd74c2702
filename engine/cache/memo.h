/* SPDX-License-Identifier: MIT */
/* Results that stay in memory between the runs of one process: actions and values, under the names
 * that the cache on disk gives them. Any of them may be dropped at any time. Values are copies, so
 * runs own theirs as usual. Their bytes count towards the memory limit of the current run, and are
 * freed before that run is refused memory. */
#ifndef TW_ENGINE_CACHE_MEMO_H
#define TW_ENGINE_CACHE_MEMO_H

#include "cache/store.h"
#include "value/memory.h"

struct tw_memo; /* safe to use from several threads at once between begin and end */

/* max_bytes 0: a quarter of the machine's memory. */
enum tw_status tw_memo_create(uint64_t max_bytes, struct tw_memo **memo, struct tw_error *err);
void tw_memo_release(struct tw_memo *memo);

/* A run begins. `secret` is what its values are stamped with; NULL: tw_memo_secret(). Drops
 * everything that was named with another secret. */
void tw_memo_begin(struct tw_memo *memo, const struct tw_secret *secret, struct tw_memory *memory);
/* Ends it. After a complete run drops what neither it nor the run before used: the next run is this
 * one with a change, or with its last change undone. */
void tw_memo_end(struct tw_memo *memo, bool complete);
const struct tw_secret *tw_memo_secret(const struct tw_memo *memo);

/* As their namesakes of cache/store.h. */
bool tw_memo_find(struct tw_memo *memo, const struct tw_sha256 *key, struct tw_action *action);
void tw_memo_save(struct tw_memo *memo, const struct tw_sha256 *key,
                  const struct tw_action *action);
/* The value's bytes are counted in the run's memory. */
bool tw_memo_load(struct tw_memo *memo, const struct tw_stamp *stamp, struct tw_value *value);
/* Keeps a copy. `seconds` is what computing it cost. To make room, drops the values that have been
 * unused for the most runs and, among these, those that are cheapest to compute for their size; a
 * value that would be the first to be dropped is not kept. */
void tw_memo_put(struct tw_memo *memo, const struct tw_stamp *stamp, double seconds,
                 const struct tw_value *value);

struct tw_memo_stats {
    uint64_t actions, values, bytes;
};
struct tw_memo_stats tw_memo_stats(struct tw_memo *memo);

#endif
