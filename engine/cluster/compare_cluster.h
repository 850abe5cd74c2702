/* SPDX-License-Identifier: MIT */
/* compare --on slurm: the seeds as tasks of an array. Their results are shards in a folder that
 * this machine and the nodes share. */
#ifndef TW_ENGINE_CLUSTER_COMPARE_CLUSTER_H
#define TW_ENGINE_CLUSTER_COMPARE_CLUSTER_H

#include "console/compare_progress.h"
#include "console/settings.h"
#include "study/gather.h"

/* Submits the missing seeds, follows them and gathers their shards into the comparison. `line`
 * shows progress; NULL for none. `experiment` is the file as named on the command line. */
enum tw_status tw_compare_on_cluster(const struct tw_settings *settings,
                                     const struct tw_compare_request *request,
                                     struct tw_compare_line *line, struct tw_comparison *c,
                                     struct tw_error *err);

#endif
