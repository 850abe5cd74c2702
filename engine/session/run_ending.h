/* SPDX-License-Identifier: MIT */
/* The last line of a run, and how long each of its recipes took. */
#ifndef TW_ENGINE_SESSION_RUN_ENDING_H
#define TW_ENGINE_SESSION_RUN_ENDING_H

#include "session/recipe_set.h"

/* Prints "hills.yaml: 3 of 15 nodes computed, 0.042 s" for each recipe on standard error, and gives
 * the recipes' cases their time. */
void tw_run_print_times(const struct tw_settings *settings, const struct tw_recipe_set *parts);
/* Prints the answer. `error` is what stopped the whole run; TW_OK: nothing did. */
void tw_run_print_ending(const struct tw_settings *settings, const struct tw_recipe_set *parts,
                         const struct tw_error *error);

#endif
