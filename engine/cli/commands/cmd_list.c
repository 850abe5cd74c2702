/* SPDX-License-Identifier: MIT */
/* thalweg list: names recipes, and the files that each reads. */
#include "base/text/json.h"
#include "base/text/text.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "console/answer.h"
#include "console/documents.h"
#include "console/inputs.h"

#include <stdio.h>

static void print_inputs(const struct tw_inputs *inputs)
{
    for (int32_t i = 0; i < inputs->count; i++) {
        if (!tw_inputs_exist(inputs->at[i]))
            continue;
        fputs("  ", stdout);
        tw_text_write(stdout, inputs->at[i], TW_TEXT_TERMINAL);
        fputs("\n", stdout);
    }
}

static json_t *inputs_json(const struct tw_inputs *inputs)
{
    json_t *list = json_array();
    for (int32_t i = 0; i < inputs->count; i++)
        if (tw_inputs_exist(inputs->at[i]))
            json_array_append_new(list, tw_json_text(inputs->at[i]));
    return list;
}

/* Reports the recipe's faults if there are any; returns the exit code. */
static int list_one(const struct tw_settings *settings, const char *file, json_t *recipes)
{
    struct tw_inputs inputs = {.count = 0};
    int code = 0;
    if (settings->inputs)
        tw_inputs_find(settings, file, &inputs);
    if (settings->inputs && !inputs.whole) {
        struct tw_recipe *recipe = NULL;
        struct tw_error error = {.status = TW_OK};
        code = tw_console_load(settings, file, &recipe, &error);
        tw_recipe_release(recipe);
    }
    if (!settings->json) {
        tw_text_write(stdout, file, TW_TEXT_TERMINAL);
        fputs("\n", stdout);
        print_inputs(&inputs);
    }
    json_array_append_new(recipes,
                          TW_DOCUMENT(list_recipe, .recipe = file, .inputs = inputs_json(&inputs)));
    tw_inputs_release(&inputs);
    return code;
}

int tw_cmd_list(const struct tw_settings *settings, char **operands)
{
    int worst = 0;
    if (!tw_stdin_check("list", settings, operands, false))
        return tw_status_exit_code(TW_USAGE);
    json_t *recipes = json_array();
    for (int i = 0; i < settings->operand_count; i++) {
        int code = list_one(settings, operands[i], recipes);
        worst = code > worst ? code : worst;
    }
    tw_answer_set(TW_DOCUMENT(list, .recipes = recipes));
    return worst;
}
