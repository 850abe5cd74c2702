/* SPDX-License-Identifier: MIT */
/* compare --shard and --gather: one part of an experiment's seeds, and all of them again. */
#ifndef TW_ENGINE_CLI_COMMANDS_COMPARE_SHARDS_H
#define TW_ENGINE_CLI_COMMANDS_COMPARE_SHARDS_H

#include "console/settings.h"
#include "study/gather.h"

/* Whether the options about shards go together, with the operands behind the experiment. Returns
 * the exit code. */
int tw_compare_check_shards(const struct tw_settings *settings, const struct tw_experiment *e);
/* --shard: computes it into its file and says where that is. Faults of recipes are reported as they
 * are found, which sets *reported; others here. Returns the exit code: 75 where another machine, or
 * another moment, may have the disk or the memory that was missing. */
int tw_compare_run_shard(const struct tw_settings *settings,
                         const struct tw_compare_request *request, const bool *reported,
                         struct tw_comparison *c);
/* --gather: from the folders' files (NULL-terminated; none: --out) into the comparison. */
enum tw_status tw_compare_take_shards(const struct tw_settings *settings, char **folders,
                                      const struct tw_compare_request *request,
                                      struct tw_comparison *c, struct tw_error *err);

#endif
