/* SPDX-License-Identifier: MIT */
/* Any bytes are an experiment about recipe.yaml or refused with a message and a place; so is each
 * of its variants. */
#include "fuzz.h"

#include "folder.h"

#include "study/experiment.h"

#include <string.h>

enum { VARIANTS = 4 }; /* that are tried */

static const char recipe_text[] =
    "thalweg: 1\nsize: 8\nparams:\n  talus: 8\n"
    "nodes:\n  noise: {type: noise.midpoint}\n"
    "  eroded: {type: erosion.thermal, in: noise, talus: \"${talus}\"}\n"
    "  facts: {type: measure.statistics, in: eroded}\n"
    "outputs: {height: eroded, facts: facts}\n";

static void diagnostic(void *context, bool fault, const struct tw_error *error, const char *line)
{
    *(bool *)context |= fault;
    if (!error->message[0] || !line || error->line < 0)
        abort();
}

static void try_variants(const struct tw_experiment *experiment,
                         const struct tw_load_options *options, bool *fault)
{
    for (int32_t i = 0; i < experiment->run_count && i < VARIANTS; i++) {
        struct tw_recipe *recipe = NULL;
        struct tw_error error = {0};
        *fault = false;
        enum tw_status status = tw_experiment_recipe(
            experiment, i, tw_experiment_seed(experiment, 0), options, &recipe, &error);
        if ((status == TW_OK) != (recipe != NULL) || (status == TW_OK && *fault) ||
            (status != TW_OK && !error.message[0]))
            abort();
        tw_recipe_release(recipe);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[100];
    bool fault = false;
    struct tw_experiment *experiment = NULL;
    struct tw_error error = {0};
    const struct tw_load_options options = {.diagnostic = diagnostic, .context = &fault};
    if (!path[0]) {
        snprintf(path, sizeof path, "%s/recipe.yaml", fuzz_folder());
        fuzz_write(path, recipe_text, strlen(recipe_text));
        snprintf(path, sizeof path, "%s/experiment.yaml", fuzz_folder());
    }
    fuzz_write(path, data, size);
    enum tw_status status = tw_experiment_load(path, &options, &experiment, &error);
    if ((status == TW_OK) != (experiment != NULL) || (status == TW_OK && fault) ||
        (status != TW_OK && !error.message[0]))
        abort();
    if (experiment &&
        (experiment->seed_count < 1 || experiment->run_count + experiment->tune.param_count < 1))
        abort();
    if (experiment)
        try_variants(experiment, &options, &fault);
    tw_experiment_release(experiment);
    return 0;
}
