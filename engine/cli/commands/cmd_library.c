/* SPDX-License-Identifier: MIT */
/* thalweg library: lists the recipes that ship inside the program, or prints one as YAML, to be
 * read, copied and changed. */
#include "cli/cli.h"
#include "cli/commands/nodes.h"
#include "cli/options.h"
#include "graph/library_page.h"

#include <stdio.h>

static int list_recipes(void)
{
    for (const struct tw_library_recipe *recipe = tw_library_table; recipe->name; recipe++) {
        struct tw_library_page page;
        if (!tw_library_page(recipe, &page))
            return tw_console_no_memory();
        struct tw_cli_line line = {25, printf("%-24s ", recipe->name)};
        tw_cli_put_words(&line, page.type.summary);
        puts("");
        tw_library_page_release(&page);
    }
    return 0;
}

int tw_cmd_library(const struct tw_settings *settings, char **operands)
{
    struct tw_arena arena = {.failed = false};
    if (settings->operand_count == 0)
        return list_recipes();
    const struct tw_library_recipe *recipe = tw_library_named(operands[0]);
    if (recipe) {
        fputs(recipe->text, stdout);
        return 0;
    }
    const char *hint = tw_library_guess(operands[0], &arena);
    int code = tw_console_usage("the library has no recipe '%s'; %s", operands[0],
                                hint ? hint : "'thalweg library' lists them");
    tw_arena_release(&arena);
    return code;
}
