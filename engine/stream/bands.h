/* SPDX-License-Identifier: MIT */
/* A run in bands of rows, from disk to disk: maps never exist as a whole. Every node keeps a window
 * of its rows that slides down the map, and each file takes rows as they are made. This requires
 * nodes whose cells depend only on nearby cells (`reach` in node.h) and files whose rows can be
 * written in order. The run does not use the cache, since values that never exist as a whole have
 * no keys. Bytes equal those of a run on whole maps. docs/decisions/bands.md. */
#ifndef TW_ENGINE_STREAM_BANDS_H
#define TW_ENGINE_STREAM_BANDS_H

#include "run/state.h"

/* Plans the run in bands of `rows` (0: a number that suits the memory) and sets run->bands.
 * TW_LIMIT names the node or export that needs the whole map; TW_MEMORY. */
enum tw_status tw_bands_plan(struct tw_run *run, int32_t rows, struct tw_error *err);
/* Loop thread: starts computing and writing everything on a worker. */
void tw_bands_start(struct tw_run *run);
/* Loop thread: reports progress. */
void tw_bands_tick(struct tw_run *run);
/* Accepts NULL. */
void tw_bands_release(struct tw_run *run);

#endif
