/* SPDX-License-Identifier: MIT */
#include "serve/shipped.h"

#include "base/memory/bytes.h"
#include "base/text/fault_log.h"
#include "graph/library.h"
#include "graph/load/yaml.h"

#include <stdlib.h>
#include <string.h>

/* "  snow:\n    type: thalweg/snow\n    in: ...\n": the inputs without a default are to be filled
 * in. */
static json_t *lines_of(const struct tw_library_recipe *recipe, const struct tw_yaml *root)
{
    struct tw_bytes text = {0};
    const struct tw_yaml *inputs = tw_yaml_find(root, "inputs");
    bool ok = tw_bytes_print(&text, NULL, "  %s:\n    type: %s\n",
                             recipe->name + strlen(TW_LIBRARY_PREFIX), recipe->name) == TW_OK;
    for (const struct tw_yaml_item *item = inputs ? inputs->items : NULL; ok && item;
         item = item->next)
        if (!tw_yaml_find(item->value, "default"))
            ok = tw_bytes_print(&text, NULL, "    %s: ...\n", item->key->text) == TW_OK;
    json_t *lines = ok ? json_string((const char *)text.at) : NULL;
    free(text.at);
    return lines;
}

static json_t *recipe_json(const struct tw_library_recipe *recipe)
{
    struct tw_arena arena = {0};
    struct tw_fault_log log = {.sink = NULL};
    const struct tw_yaml *root =
        tw_yaml_parse(&arena, &log, recipe->name, recipe->text, recipe->length);
    const struct tw_yaml *about = tw_yaml_find(root, "about");
    json_t *json =
        root ? json_pack("{s:s, s:s, s:o}", "name", recipe->name, "about",
                         about && about->text ? about->text : "", "yaml", lines_of(recipe, root))
             : NULL;
    tw_arena_release(&arena);
    return json;
}

json_t *tw_serve_library(void)
{
    json_t *list = json_array();
    for (const struct tw_library_recipe *recipe = tw_library_table; recipe->name; recipe++)
        if (json_array_append_new(list, recipe_json(recipe)) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}
