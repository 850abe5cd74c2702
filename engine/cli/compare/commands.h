/* SPDX-License-Identifier: MIT */
/* The commands that a page offers for its runs, in which SEED stands for a seed. */
#ifndef TW_ENGINE_CLI_COMPARE_COMMANDS_H
#define TW_ENGINE_CLI_COMPARE_COMMANDS_H

#include "study/comparison.h"

struct tw_compare_commands {
    char **variants; /* [variant] */
    char **trials;   /* [trial]; NULL without a tuning */
    int32_t variant_count, trial_count;
};

/* Release it even after a failure. */
enum tw_status tw_compare_commands_find(const struct tw_comparison *comparison,
                                        struct tw_compare_commands *commands, struct tw_error *err);
void tw_compare_commands_release(struct tw_compare_commands *commands);

#endif
