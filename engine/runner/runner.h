/* SPDX-License-Identifier: MIT */
/* Runs a recipe, from its request to its outcome. */
#ifndef TW_ENGINE_RUNNER_RUNNER_H
#define TW_ENGINE_RUNNER_RUNNER_H

#include "run/request.h"

/* `result` may be NULL when exports are written; *result is NULL after a dry run. */
enum tw_status tw_run_execute(const struct tw_recipe *recipe, const struct tw_run_request *request,
                              struct tw_result **result, struct tw_error *err);
/* Runs the checks of tw_run_execute() that come before computing: missing outputs, memory, files
 * that would be overwritten or cannot be written, a disk that is too small. Creates nothing. */
enum tw_status tw_run_check(const struct tw_recipe *recipe, const struct tw_run_request *request,
                            struct tw_error *err);

#endif
