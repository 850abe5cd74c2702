/* SPDX-License-Identifier: MIT */
/* Any bytes are a lock or refused with a message; what a lock describes is a graph that runs, or
 * refused with a message. */
#include "fuzz.h"

#include "folder.h"

#include "gate/drift.h"
#include "gate/lock.h"
#include "value/field.h"

#include <string.h>

enum { SIDE_MAX = 12, NODES_MAX = 6 }; /* of what is run */

static void diagnostic(void *context, bool fault, const struct tw_error *error, const char *line)
{
    *(bool *)context |= fault;
    if (!error->message[0] || !line || error->line < 0)
        abort();
}

static void run(struct tw_recipe *recipe)
{
    struct tw_result *result = NULL;
    struct tw_error error = {.status = TW_OK};
    const struct tw_run_options options = {.threads = 1, .max_memory = 1 << 26};
    enum tw_status status = tw_recipe_run(recipe, &options, &result, &error);
    if (status != TW_OK && !error.message[0])
        abort();
    tw_result_release(result);
}

static void compute(const struct tw_snapshot *snapshot)
{
    struct tw_recipe *recipe = NULL;
    struct tw_error error = {.status = TW_OK};
    char folder[100];
    snprintf(folder, sizeof folder, "%s/", fuzz_folder());
    enum tw_status status = tw_snapshot_recipe(snapshot, folder, NULL, &recipe, &error);
    if ((status == TW_OK) != (recipe != NULL) || (status != TW_OK && !error.message[0]))
        abort();
    if (recipe && recipe->width <= SIDE_MAX && recipe->height <= SIDE_MAX &&
        recipe->count <= NODES_MAX)
        run(recipe);
    tw_recipe_release(recipe);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[100];
    bool fault = false;
    struct tw_snapshot *snapshot = NULL;
    struct tw_error error = {.status = TW_OK};
    const struct tw_load_options options = {.diagnostic = diagnostic, .context = &fault};
    snprintf(path, sizeof path, "%s/recipe.yaml.lock", fuzz_folder());
    fuzz_write(path, data, size);
    enum tw_status status = tw_lock_read(path, &options, &snapshot, &error);
    if ((status == TW_OK) != (snapshot != NULL) || (status == TW_OK && fault) ||
        (status != TW_OK && !error.message[0]))
        abort();
    if (!snapshot)
        return 0;
    struct tw_drift *drift = tw_drift_find(snapshot, snapshot);
    if (drift && (drift->node_count > 0 || tw_drift_matters(drift)))
        abort();
    tw_drift_release(drift);
    compute(snapshot);
    tw_snapshot_release(snapshot);
    return 0;
}
