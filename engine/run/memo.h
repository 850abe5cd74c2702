/* SPDX-License-Identifier: MIT */
/* Results that stay in memory between the runs of one process: actions and values under the names
 * that the cache on disk gives them, and nothing of them is lost by not being there. Values are
 * copies of their own, so runs own theirs as ever. What it holds is counted in the memory of the
 * run that is under way and is given up before that run is refused anything. */
#ifndef TW_ENGINE_RUN_MEMO_H
#define TW_ENGINE_RUN_MEMO_H

#include "run/memory.h"
#include "run/store.h"

struct tw_memo; /* safe to use from several threads at once between begin and end */

/* max_bytes 0: a quarter of the machine's memory. */
enum tw_status tw_memo_create(uint64_t max_bytes, struct tw_memo **memo, struct tw_error *err);
void tw_memo_release(struct tw_memo *memo);

/* A run begins. `secret` is what its values are stamped with; NULL: tw_memo_secret(). All that
 * another secret has named is dropped. */
void tw_memo_begin(struct tw_memo *memo, const struct tw_secret *secret, struct tw_memory *memory);
/* Ends it. After a complete run drops what neither it nor the run before used: the next run is this
 * one with a change, or with its last change undone. */
void tw_memo_end(struct tw_memo *memo, bool complete);
const struct tw_secret *tw_memo_secret(const struct tw_memo *memo);

/* As their namesakes of run/store.h. */
bool tw_memo_find(struct tw_memo *memo, const struct tw_sha256 *key, struct tw_action *action);
void tw_memo_save(struct tw_memo *memo, const struct tw_sha256 *key,
                  const struct tw_action *action);
/* The value's bytes are counted in the run's memory. */
bool tw_memo_load(struct tw_memo *memo, const struct tw_stamp *stamp, struct tw_value *value);
/* Keeps a copy. `seconds` is what computing it cost. To make room, values go that no run used for
 * longest, and of one run those that are cheapest to compute for their size; a value that would be
 * the first of them to go is not kept. */
void tw_memo_put(struct tw_memo *memo, const struct tw_stamp *stamp, double seconds,
                 const struct tw_value *value);

struct tw_memo_stats {
    uint64_t actions, values, bytes;
};
struct tw_memo_stats tw_memo_stats(struct tw_memo *memo);

#endif
