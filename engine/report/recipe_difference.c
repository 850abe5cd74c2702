/* SPDX-License-Identifier: MIT */
#include "report/recipe_difference.h"

#include <stdlib.h>

int32_t tw_recipe_difference_base(const struct tw_experiment *e)
{
    return e->baseline >= 0 ? e->baseline : 0;
}

static enum tw_status describe(const struct tw_experiment *e, int32_t variant, uint64_t seed,
                               const struct tw_load_options *load, struct tw_snapshot **snapshot,
                               struct tw_error *err)
{
    struct tw_recipe *recipe = NULL;
    enum tw_status status = tw_experiment_recipe(e, variant, seed, load, &recipe, err);
    if (status == TW_OK)
        status = tw_snapshot_describe(recipe, snapshot, err);
    tw_recipe_release(recipe);
    return status;
}

static enum tw_status find(const struct tw_experiment *e, int32_t variant, uint64_t seed,
                           const struct tw_load_options *load, struct tw_recipe_difference *edit,
                           struct tw_error *err)
{
    enum tw_status status =
        describe(e, tw_recipe_difference_base(e), seed, load, &edit->before, err);
    if (status == TW_OK)
        status = describe(e, variant, seed, load, &edit->after, err);
    edit->drift = status == TW_OK ? tw_drift_find(edit->before, edit->after) : NULL;
    if (status == TW_OK && !edit->drift)
        status = tw_error_set(err, TW_MEMORY, "out of memory");
    return status;
}

enum tw_status tw_recipe_differences_find(const struct tw_experiment *e, uint64_t seed,
                                          const struct tw_load_options *load,
                                          const struct tw_choice *choice,
                                          struct tw_recipe_difference **edits, struct tw_error *err)
{
    enum tw_status status = TW_OK;
    for (int32_t k = 0; status == TW_OK && k < choice->count; k++) {
        int32_t v = choice->at[k];
        if (v == tw_recipe_difference_base(e))
            continue;
        edits[v] = calloc(1, sizeof *edits[v]);
        status = edits[v] ? find(e, v, seed, load, edits[v], err)
                          : tw_error_set(err, TW_MEMORY, "out of memory");
    }
    return status;
}

void tw_recipe_differences_release(struct tw_recipe_difference **edits, int32_t count)
{
    for (int32_t v = 0; edits && v < count; v++)
        if (edits[v]) {
            tw_drift_release(edits[v]->drift);
            tw_snapshot_release(edits[v]->before);
            tw_snapshot_release(edits[v]->after);
            free(edits[v]);
        }
}
