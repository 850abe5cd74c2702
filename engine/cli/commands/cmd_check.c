/* SPDX-License-Identifier: MIT */
/* thalweg check: reports every fault of every recipe and runs nothing. */
#include "base/text/json.h"
#include "base/text/text.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "console/answer.h"
#include "console/documents.h"
#include "console/standard_input.h"
#include "graph/graph.h"

#include <inttypes.h>
#include <stdio.h>

static void print_one(const char *file, const struct tw_recipe *recipe)
{
    tw_text_write(stdout, file, TW_TEXT_TERMINAL);
    printf(": ok; borders: %s, %s\n", tw_borders_name(recipe->borders), recipe->borders_reason);
}

/* `recipe` is NULL if it failed to load. */
static json_t *one_json(const char *file, const struct tw_recipe *recipe)
{
    char seed[24];
    int exports = 0, outputs = 0;
    if (!recipe)
        return TW_DOCUMENT(check_recipe, .recipe = file, .ok = false);
    for (const struct tw_export *e = recipe->exports; e; e = e->next)
        exports++;
    for (const struct tw_output *o = recipe->outputs; o; o = o->next)
        outputs++;
    snprintf(seed, sizeof seed, "%" PRIu64, recipe->seed);
    return TW_DOCUMENT(check_recipe, .recipe = file, .ok = true, .seed = seed,
                       .size = tw_document_size(recipe->width, recipe->height),
                       .borders = tw_borders_name(recipe->borders),
                       .nodes = json_integer(recipe->count), .outputs = json_integer(outputs),
                       .exports = json_integer(exports));
}

int tw_cmd_check(const struct tw_settings *settings, char **operands)
{
    int worst = 0;
    if (!tw_stdin_check("check", settings, operands, true))
        return tw_status_exit_code(TW_USAGE);
    json_t *recipes = json_array();
    for (int i = 0; i < settings->operand_count; i++) {
        const char *file = tw_stdin_name(operands[i]);
        struct tw_recipe *recipe = NULL;
        struct tw_error error = {.status = TW_OK};
        int code = tw_console_load(settings, operands[i], &recipe, &error);
        worst = code > worst ? code : worst;
        if (code == 0 && !settings->json)
            print_one(file, recipe);
        json_array_append_new(recipes, one_json(file, recipe));
        tw_recipe_release(recipe);
    }
    tw_answer_set(TW_DOCUMENT(check, .recipes = recipes));
    return worst;
}
