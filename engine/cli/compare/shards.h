/* SPDX-License-Identifier: MIT */
/* compare --shard computes one part of an experiment's seeds; --gather joins the parts. */
#ifndef TW_ENGINE_CLI_COMPARE_SHARDS_H
#define TW_ENGINE_CLI_COMPARE_SHARDS_H

#include "console/settings.h"
#include "study/gather.h"

/* Rejects options about shards, and operands after the experiment, that exclude each other. Returns
 * the exit code. */
int tw_compare_check_shards(const struct tw_settings *settings, const struct tw_experiment *e);
/* --shard: computes the shard into its file and prints the path. Reports an error unless *reported
 * shows that a recipe's fault was reported when found. Returns the exit code: 75 if disk or memory
 * ran short, so that another machine or a later attempt may succeed. */
int tw_compare_run_shard(const struct tw_settings *settings,
                         const struct tw_compare_request *request, const bool *reported,
                         struct tw_comparison *c);
/* --gather: reads the shards in `folders` (NULL-terminated; --out if empty) into the comparison. */
enum tw_status tw_compare_take_shards(const struct tw_settings *settings, char **folders,
                                      const struct tw_compare_request *request,
                                      struct tw_comparison *c, struct tw_error *err);

#endif
