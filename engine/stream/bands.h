/* SPDX-License-Identifier: MIT */
/* A run in bands of rows, from disk to disk: maps never exist as a whole. Every node keeps a window
 * of its rows that slides down the map, and each file takes its rows as they are made. Only nodes
 * whose cells follow from cells nearby can be run so (`reach` in node.h), and only files whose rows
 * can be written one after the other. The cache is left alone, since nothing has a key that does
 * not exist as a whole. Bytes are those of the whole run. docs/decisions/bands.md. */
#ifndef TW_ENGINE_STREAM_BANDS_H
#define TW_ENGINE_STREAM_BANDS_H

#include "run/state.h"

/* Plans the run in bands of `rows`, or for 0 of a suitable number that the memory allows, and makes
 * it run->bands. TW_LIMIT with the node or export that needs the whole map, TW_MEMORY. */
enum tw_status tw_bands_plan(struct tw_run *run, int32_t rows, struct tw_error *err);
/* Loop thread: computes and writes everything on a worker. */
void tw_bands_start(struct tw_run *run);
/* Loop thread: reports how far it is. */
void tw_bands_tick(struct tw_run *run);
/* NULL is nothing. */
void tw_bands_release(struct tw_run *run);

#endif
