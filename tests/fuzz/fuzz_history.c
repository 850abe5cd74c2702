/* SPDX-License-Identifier: MIT */
/* Any bytes may stand where a recipe's last run is kept: what is read is a forecast of sound
 * numbers or nothing, and the next run's is written over it. */
#include "fuzz.h"

#include "folder.h"

#include "runner/history.h"
#include "runner/runner.h"

#include <string.h>
#include <sys/stat.h>

static struct tw_recipe *recipe;
static char history_file[200];

/* A run that leaves a file, so that its name is known. */
static void prepare(void)
{
    static const char text[] = "thalweg: 1\nsize: 4\nnodes:\n  a: {type: noise.midpoint}\n"
                               "  b: {type: noise.midpoint}\noutputs: {height: a, other: b}\n";
    char path[100], pattern[400];
    struct tw_digest digest;
    snprintf(path, sizeof path, "%s/recipe.yaml", fuzz_folder());
    fuzz_write(path, text, strlen(text));
    snprintf(pattern, sizeof pattern, "%s/history", fuzz_folder());
    if (mkdir(pattern, 0777) != 0 || tw_recipe_load(path, NULL, &recipe, NULL) != TW_OK)
        abort();
    digest = tw_digest_of(path, strlen(path)); /* as history.c names it */
    char hex[2 * sizeof digest + 1];
    tw_hex(digest.at, sizeof digest.at, hex);
    snprintf(history_file, sizeof history_file, "%s/history/%s.json", fuzz_folder(), hex);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!recipe)
        prepare();
    fuzz_write(history_file, data, size);
    struct tw_history *history = tw_history_load(fuzz_folder(), recipe->file);
    double *expected = tw_history_expected(history, recipe);
    struct tw_node_summary nodes[2] = {
        {.key_text = (char[]){"key"}, .outcome = TW_OUTCOME_COMPUTED},
        {.key_text = (char[]){"key"}, .outcome = TW_OUTCOME_COMPUTED}};
    const struct tw_run_summary report = {.nodes = nodes, .node_count = 2};
    for (int32_t i = 0; expected && i < recipe->count; i++)
        if (!(expected[i] > 0 && expected[i] < 1e10))
            abort();
    for (int32_t i = 0; i < recipe->count; i++)
        (void)tw_history_key_text(history, recipe->nodes[i].path);
    tw_history_save(fuzz_folder(), recipe, &report, history);
    tw_history_release(history);
    free(expected);
    return 0;
}
