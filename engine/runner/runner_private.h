/* SPDX-License-Identifier: MIT */
/* Steps before a run begins, in the order in which runner.c takes them. */
#ifndef TW_ENGINE_RUNNER_RUNNER_PRIVATE_H
#define TW_ENGINE_RUNNER_RUNNER_PRIVATE_H

#include "run/state.h"

/* fit.c: plans the run, then chooses how it stays within its memory limit: on whole maps, in bands
 * of rows, or by spilling values. TW_LIMIT if none of these works. */
enum tw_status tw_fit_plan(struct tw_run *run, struct tw_error *err);
enum tw_status tw_fit_choose(struct tw_run *run, struct tw_error *err);

/* overwrite.c: TW_PATH if an export would replace a file that the run reads. */
enum tw_status tw_overwrite_check(const struct tw_run *run, struct tw_error *err);

/* space.c: TW_IO if a file of the run cannot be written, or the disk is too small for all. */
enum tw_status tw_space_check(const struct tw_run *run, struct tw_error *err);

#endif
