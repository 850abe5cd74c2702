/* SPDX-License-Identifier: MIT */
/* The resources of `thalweg mcp`: a guide, the schema, pages of node types, recipes. */
#include "cli/mcp/mcp.h"

#include "graph/library_page.h"
#include "mcp/guide.h"
#include "node/registry.h"

#include <stdlib.h>
#include <string.h>

#define GUIDE "thalweg://guide"
#define SCHEMA "thalweg://schema"
#define NODES "thalweg://nodes/"
#define LIBRARY "thalweg://library/"
#define MARKDOWN "text/markdown"
#define YAML "application/yaml"

static void add(json_t *list, const char *before, const char *name, const char *about,
                const char *kind)
{
    json_array_append_new(list, json_pack("{s:s+, s:s, s:s, s:s}", "uri", before, name, "name",
                                          name[0] ? name : before + strlen("thalweg://"),
                                          "description", about, "mimeType", kind));
}

json_t *tw_mcp_resources(void *context)
{
    const struct tw_registry registry = {NULL};
    json_t *list = json_array();
    int32_t position = 0;
    struct tw_library_page page;
    (void)context;
    add(list, GUIDE, "", "how to write, check and look at recipes; read this first", MARKDOWN);
    add(list, SCHEMA, "", "JSON Schema of recipes with every node type, half a megabyte",
        "application/schema+json");
    for (const struct tw_library_recipe *recipe = tw_library_table; recipe->name; recipe++)
        if (tw_library_page(recipe, &page)) {
            add(list, LIBRARY, strchr(recipe->name, '/') + 1, page.type.summary, YAML);
            tw_library_page_release(&page);
        }
    for (const struct tw_node_type *type; (type = tw_registry_next(&registry, &position));)
        add(list, NODES, type->name, type->summary, MARKDOWN);
    return list;
}

json_t *tw_mcp_templates(void *context)
{
    (void)context;
    return json_pack("[{s:s, s:s, s:s, s:s}, {s:s, s:s, s:s, s:s}]", "uriTemplate", NODES "{type}",
                     "name", "page of a node type", "description",
                     "ports, parameters with usual ranges, an example; also of thalweg/NAME",
                     "mimeType", MARKDOWN, "uriTemplate", LIBRARY "{name}", "name",
                     "recipe of the library", "description", "its YAML, to copy and change",
                     "mimeType", YAML);
}

static json_t *contents(const char *uri, const char *kind, const char *text, size_t length)
{
    json_t *body = text ? json_stringn(text, length) : NULL;
    return body ? json_pack("{s:s, s:s, s:o}", "uri", uri, "mimeType", kind, "text", body) : NULL;
}

/* The text is freed. */
static json_t *contents_of(const char *uri, const char *kind, char *text)
{
    json_t *result = contents(uri, kind, text, text ? strlen(text) : 0);
    free(text);
    return result;
}

json_t *tw_mcp_read(void *context, const char *uri)
{
    (void)context;
    if (strcmp(uri, GUIDE) == 0)
        return contents(uri, MARKDOWN, (const char *)tw_page_guide, tw_page_guide_length);
    if (strcmp(uri, SCHEMA) == 0)
        return contents_of(uri, "application/schema+json", tw_schema_json(NULL));
    if (strncmp(uri, NODES, strlen(NODES)) == 0)
        return contents_of(uri, MARKDOWN, tw_mcp_page(uri + strlen(NODES)));
    if (strncmp(uri, LIBRARY, strlen(LIBRARY)) != 0)
        return NULL;
    const struct tw_library_recipe *recipe = tw_library_named(uri + strlen(LIBRARY));
    return recipe ? contents(uri, YAML, recipe->text, recipe->length) : NULL;
}
