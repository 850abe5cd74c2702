/* SPDX-License-Identifier: MIT */
#include "cluster/check.h"

#include "base/memory/digest.h"
#include "value/field.h"

#include <stdio.h>
#include <string.h>

/* Covers what could differ between machines: random numbers, exact functions, neighbours,
 * iterations. */
static const char recipe_text[] = "thalweg: 1\nsize: 48\nseed: 7\nnodes:\n"
                                  "  noise:  {type: noise.perlin, frequency: 5}\n"
                                  "  eroded: {type: erosion.thermal, in: noise, talus: 4,\n"
                                  "           iterations: 20}\n"
                                  "  shade:  {type: render.hillshade, in: eroded}\n"
                                  "outputs: {height: eroded, shade: shade}\n";

/* SHA-256 of the bytes of both maps. It changes if one of these nodes changes its bytes; the test
 * cli.doctor then prints the new digest. */
static const char golden[] = "7dc425683f3829a75193dee716d9e10a0157569da23ec41126f8354b2c7daff9";

static void hash_outputs(const struct tw_result *result, char *hex)
{
    const struct tw_value *maps[] = {tw_result_output(result, "height"),
                                     tw_result_output(result, "shade")};
    struct tw_sha256 parts[2];
    for (int i = 0; i < 2; i++)
        parts[i] =
            tw_sha256_of(maps[i]->data, tw_value_count(maps[i]) * tw_type_size(maps[i]->type));
    struct tw_sha256 all = tw_sha256_of(parts, sizeof parts);
    tw_hex(all.at, sizeof all.at, hex);
}

void tw_check_determinism(const struct tw_settings *settings, struct tw_check *check)
{
    struct tw_settings plain = {.no_cache = true, .threads = settings->threads};
    const struct tw_run_options options = tw_console_run_options(&plain);
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    struct tw_error error = {.status = TW_OK};
    char hex[2 * sizeof(struct tw_sha256) + 1] = "";
    if (tw_recipe_parse(recipe_text, strlen(recipe_text), "probe", NULL, &recipe, &error) ==
            TW_OK &&
        tw_recipe_run(recipe, &options, &result, &error) == TW_OK)
        hash_outputs(result, hex);
    tw_result_release(result);
    tw_recipe_release(recipe);
    if (strcmp(hex, golden) == 0) {
        snprintf(check->value, sizeof check->value, "a small recipe gives the bytes expected: %s",
                 hex);
        return;
    }
    check->state = TW_CHECK_FAILED;
    if (!hex[0]) { /* a failed run has no bytes to compare */
        snprintf(check->value, sizeof check->value, "a small recipe fails: %s", error.message);
        return;
    }
    snprintf(check->value, sizeof check->value, "a small recipe gives %s; expected %s", hex,
             golden);
    snprintf(check->hint, sizeof check->hint,
             "a compiler or processor that breaks the rules of docs/determinism.md: please report");
}
