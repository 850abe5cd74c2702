/* SPDX-License-Identifier: MIT */
/* Any bytes are a recipe or refused with a message and a place. */
#include "fuzz.h"

#include <thalweg/thalweg.h>

#include <stdlib.h>

static void diagnostic(void *context, bool fault, const struct tw_error *error, const char *line)
{
    *(bool *)context |= fault;
    if (!error->message[0] || !line || error->line < 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool fault = false;
    struct tw_recipe *recipe = NULL;
    struct tw_error error = {0};
    const struct tw_load_options load = {.diagnostic = diagnostic, .context = &fault};
    enum tw_status status =
        tw_recipe_parse((const char *)data, size, "fuzz/fuzz.yaml", &load, &recipe, &error);
    if ((status == TW_OK) != (recipe != NULL) || (status == TW_OK && fault) ||
        (status != TW_OK && !error.message[0]))
        abort();
    tw_recipe_release(recipe);
    return 0;
}
