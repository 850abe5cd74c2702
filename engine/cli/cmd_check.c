/* SPDX-License-Identifier: MIT */
/* thalweg check: reports every fault of every recipe and runs nothing. */
#include "cli/cli.h"
#include "graph/graph.h"

#include <stdio.h>

int tw_cmd_check(const struct tw_settings *settings, char **operands)
{
    int worst = 0;
    for (int i = 0; i < settings->operand_count; i++) {
        struct tw_recipe *recipe = NULL;
        struct tw_error error = {.status = TW_OK};
        int code = tw_cli_load(settings, operands[i], &recipe, &error);
        worst = code > worst ? code : worst;
        if (code == 0)
            printf("%s: ok; borders: %s, %s\n", operands[i], tw_borders_name(recipe->borders),
                   recipe->borders_reason);
        tw_recipe_release(recipe);
    }
    return worst;
}
