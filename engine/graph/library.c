/* SPDX-License-Identifier: MIT */
#include "graph/library.h"

#include "base/text/suggest.h"

#include <string.h>

enum { PREFIX_BYTES = sizeof TW_LIBRARY_PREFIX - 1 };

static const char *without_prefix(const char *name)
{
    return strncmp(name, TW_LIBRARY_PREFIX, PREFIX_BYTES) == 0 ? name + PREFIX_BYTES : name;
}

bool tw_library_is_name(const char *type)
{
    size_t length = strlen(type);
    bool is_file = length > 5 && strcmp(type + length - 5, ".yaml") == 0;
    return without_prefix(type) != type && !is_file;
}

const struct tw_library_recipe *tw_library_named(const char *name)
{
    for (const struct tw_library_recipe *recipe = tw_library_table; recipe->name; recipe++)
        if (strcmp(without_prefix(recipe->name), without_prefix(name)) == 0)
            return recipe;
    return NULL;
}

const char *tw_library_guess(const char *name, struct tw_arena *arena)
{
    struct tw_suggestion suggestion = {.unknown = without_prefix(name)};
    for (const struct tw_library_recipe *recipe = tw_library_table; recipe->name; recipe++)
        tw_suggest_offer(&suggestion, without_prefix(recipe->name));
    return suggestion.best
               ? tw_arena_print(arena, "did you mean '" TW_LIBRARY_PREFIX "%s'?", suggestion.best)
               : NULL;
}
