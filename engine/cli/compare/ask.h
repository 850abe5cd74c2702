/* SPDX-License-Identifier: MIT */
/* compare --ask says what a search may vary; --tell evaluates the points that it proposes. */
#ifndef TW_ENGINE_CLI_COMPARE_ASK_H
#define TW_ENGINE_CLI_COMPARE_ASK_H

#include "console/settings.h"
#include "study/experiment_run.h"

/* Rejects options that --ask and --tell have no use for. Returns the exit code. */
int tw_compare_check_ask(const struct tw_settings *settings);
/* Prints {"parameters", "measures", "seeds"}; parameters are those of tune: or sensitivity:, or all
 * numbers of the recipe that have bounds. Returns the exit code. */
int tw_compare_ask(const struct tw_experiment *experiment, const struct tw_load_options *load);
/* Answers every line of standard input with one of standard output, until input ends. Returns the
 * exit code; a point that fails is answered with an error, and ends nothing. */
int tw_compare_tell(const struct tw_experiment *experiment,
                    const struct tw_compare_request *request);

#endif
