/* SPDX-License-Identifier: MIT */
#include "cli/commands/nodes.h"

#include <stdlib.h>

static void search_library(struct tw_nodes_found *found, char **words, int count)
{
    for (const struct tw_library_recipe *recipe = tw_library_table;
         recipe->name && found->library_count < TW_NODES_LIBRARY_MAX; recipe++) {
        struct tw_library_page *page = &found->library[found->library_count];
        struct tw_search_hit hit;
        if (!tw_library_page(recipe, page))
            return;
        found->library_count++;
        if (found->count < TW_NODES_HITS_MAX && tw_search_type(&page->type, words, count, &hit))
            tw_search_insert(found->hits, found->count++, &hit);
    }
}

struct tw_nodes_found *tw_nodes_find(const struct tw_registry *registry, char **words, int count)
{
    struct tw_nodes_found *found = calloc(1, sizeof *found);
    if (!found)
        return NULL;
    found->count = tw_search_types(registry, words, count, found->hits, TW_NODES_HITS_MAX);
    search_library(found, words, count);
    return found;
}

void tw_nodes_found_release(struct tw_nodes_found *found)
{
    for (int i = 0; i < found->library_count; i++)
        tw_library_page_release(&found->library[i]);
    free(found);
}
