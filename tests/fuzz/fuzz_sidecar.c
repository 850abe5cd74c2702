/* SPDX-License-Identifier: MIT */
/* Any bytes are a sidecar or refused with a message; a map that is loaded by one is
 * read whole, and its heights are finite. */
#include "fuzz.h"

#include "folder.h"

#include <thalweg/thalweg.h>

#include <math.h>

static const char *const names[] = {"map.r16", "map.r32"};

static void diagnostic(void *context, bool fault, const struct tw_error *error, const char *line)
{
    *(bool *)context |= fault;
    if (!error->message[0] || !line || error->line < 0)
        abort();
}

static void check(const struct tw_result *result)
{
    const struct tw_value *map = tw_result_output(result, "out");
    for (size_t i = 0; i < tw_value_count(map); i++)
        if (!isfinite(tw_floats(map)[i]))
            abort();
}

static void read_map(const char *name)
{
    char text[300], path[100];
    bool fault = false;
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    struct tw_error error = {.status = TW_OK};
    const struct tw_load_options load = {.diagnostic = diagnostic, .context = &fault};
    const struct tw_run_options run = {.threads = 1};
    int length = snprintf(text, sizeof text,
                          "thalweg: 1\nsize: 4\nnodes:\n  a: {type: source.heightmap, file: %s, "
                          "fit: bilinear}\noutputs: {out: a}\n",
                          name);
    snprintf(path, sizeof path, "%s/r.yaml", fuzz_folder());
    enum tw_status status = tw_recipe_parse(text, (size_t)length, path, &load, &recipe, &error);
    if ((status == TW_OK) != (recipe != NULL) || (status == TW_OK && fault) ||
        (status != TW_OK && !error.message[0]))
        abort();
    if (recipe && tw_recipe_run(recipe, &run, &result, &error) != TW_OK)
        abort(); /* all that can be wrong was found before */
    if (recipe)
        check(result);
    tw_result_release(result);
    tw_recipe_release(recipe);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t cells[96] = {1, 2, 3, 0x40, 0xff, 0x7f, 0x12, 0x34, 0xff};
    char path[120];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", fuzz_folder(), names[i]);
        fuzz_write(path, cells, sizeof cells);
        snprintf(path, sizeof path, "%s/%s.json", fuzz_folder(), names[i]);
        fuzz_write(path, data, size);
        read_map(names[i]);
    }
    return 0;
}
