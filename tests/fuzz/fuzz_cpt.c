/* SPDX-License-Identifier: MIT */
/* Any bytes are a colour ramp or refused with a message and a place; what was read colours a map.
 */
#include "fuzz.h"

#include "folder.h"

#include <thalweg/thalweg.h>

static void diagnostic(void *context, bool fault, const struct tw_error *error, const char *line)
{
    *(bool *)context |= fault;
    if (!error->message[0] || !line || error->line < 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char text[] = "thalweg: 1\nsize: 5\nnodes:\n  n: {type: noise.midpoint}\n"
                               "  a: {type: render.colour, in: n, ramp: ramp.cpt}\n"
                               "outputs: {out: a}\n";
    static char path[100];
    bool fault = false;
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    struct tw_error error = {.status = TW_OK};
    const struct tw_load_options load = {.diagnostic = diagnostic, .context = &fault};
    const struct tw_run_options run = {.threads = 1};
    snprintf(path, sizeof path, "%s/ramp.cpt", fuzz_folder());
    fuzz_write(path, data, size);
    snprintf(path, sizeof path, "%s/r.yaml", fuzz_folder());
    enum tw_status status = tw_recipe_parse(text, sizeof text - 1, path, &load, &recipe, &error);
    if ((status == TW_OK) != (recipe != NULL) || (status == TW_OK && fault) ||
        (status != TW_OK && !error.message[0]))
        abort();
    if (recipe && tw_recipe_run(recipe, &run, &result, &error) != TW_OK && !error.message[0])
        abort();
    tw_result_release(result);
    tw_recipe_release(recipe);
    return 0;
}
