/* SPDX-License-Identifier: MIT */
#include "study/levels.h"
#include "study/round.h"

#include <stdlib.h>

enum tw_status tw_compare_rounds_build(const struct tw_experiment *e,
                                       const struct tw_load_options *load, uint64_t seed,
                                       struct tw_compare_rounds *rounds, struct tw_error *err)
{
    size_t count = (size_t)tw_experiment_parts(e);
    rounds->at = calloc(count, sizeof *rounds->at);
    rounds->parts = calloc(count, sizeof *rounds->parts);
    rounds->first = calloc(count, sizeof *rounds->first);
    if (!rounds->at || !rounds->parts || !rounds->first)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    enum tw_status status = TW_OK;
    for (size_t i = 0; status == TW_OK && i < count; i++) {
        rounds->parts[i] = tw_experiment_part(e, (int32_t)i, &rounds->first[i]);
        rounds->count++;
        status = tw_compare_round_build(&rounds->parts[i], load, seed, &rounds->at[i], err);
    }
    return status;
}

void tw_compare_rounds_release(struct tw_compare_rounds *rounds)
{
    for (int32_t i = 0; i < rounds->count; i++)
        tw_compare_round_release(&rounds->at[i], rounds->parts[i].run_count);
    free(rounds->at);
    free(rounds->parts);
    free(rounds->first);
    *rounds = (struct tw_compare_rounds){0};
}
