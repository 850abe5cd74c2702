/* SPDX-License-Identifier: MIT */
/* What a recipe's nodes were when it last ran with this cache: the key texts that `--explain`
 * compares, and seconds for progress. One JSON file per recipe in FOLDER/history; best effort,
 * since only explanations and a percentage depend on it. The nodes are read on first use, so only
 * one thread at a time may use a history. */
#ifndef TW_ENGINE_RUNNER_HISTORY_H
#define TW_ENGINE_RUNNER_HISTORY_H

#include "run/request.h"

struct tw_history;

/* Callers never check for NULL: a history that cannot be read is empty, often NULL. */
struct tw_history *tw_history_load(const char *cache_dir, const char *recipe_file);
void tw_history_release(struct tw_history *history);

/* Key text of the last run; NULL for a new node. */
const char *tw_history_key_text(struct tw_history *history, const char *node);
/* Whether any earlier run that the history remembers had a node with this key. */
bool tw_history_has_seen(struct tw_history *history, const char *node, const char *key_text);
/* Expected seconds of every node, the mean where unknown. free(). NULL if memory runs out. */
double *tw_history_expected(struct tw_history *history, const struct tw_recipe *recipe);

/* Leaves the file alone if nothing was computed and every node has its key of `before`, which is
 * that file or NULL. */
void tw_history_save(const char *cache_dir, const struct tw_recipe *recipe,
                     const struct tw_run_summary *report, struct tw_history *before);
/* Deletes all histories of a cache folder. */
void tw_history_clear(const char *cache_dir);

#endif
