/* SPDX-License-Identifier: MIT */
/* Lock files: a snapshot of a recipe as YAML, sorted, without times, and readable in a diff.
 * docs/gate.md shows one. */
#ifndef TW_ENGINE_GATE_LOCK_H
#define TW_ENGINE_GATE_LOCK_H

#include "gate/snapshot.h"

/* Version of the format that is written, in the first line of the file; 1, which has a line for
 * each result, is read, too. Version 2 has a block for each, with lines that do not change between
 * those that do, so that git merges changes to different results. */
#define TW_LOCK_VERSION 2

enum tw_status tw_lock_print(const struct tw_snapshot *snapshot, struct tw_bytes *out,
                             struct tw_error *err);
/* Reports every fault of the file through options->diagnostic. TW_INPUT if the file does not exist,
 * TW_PATH if it is a link out of its folder, TW_RECIPE if it is not a lock file, or one of another
 * version. */
enum tw_status tw_lock_read(const char *path, const struct tw_load_options *options,
                            struct tw_snapshot **snapshot, struct tw_error *err);
/* Compares what a lock records of results (type, size, range) with the results of the same digest.
 * TW_INPUT, at the lock's line, if they differ: the lock was edited. */
enum tw_status tw_lock_check(const struct tw_snapshot *lock, const struct tw_snapshot *now,
                             struct tw_error *err);
/* Parses "512x256", as under `given`; returns false, writing nothing, for anything else. */
bool tw_lock_parse_size(const char *text, int32_t *width, int32_t *height);

#endif
