/* SPDX-License-Identifier: MIT */
#include "support/example.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 1 << 16 };

bool example_is_selected(const struct tw_node_type *type)
{
    const char *names = getenv("THALWEG_NODE");
    size_t length = strlen(type->name);
    for (const char *at = names; at && *at; at += strcspn(at, ",")) {
        at += *at == ',';
        if (strncmp(at, type->name, length) == 0 && (at[length] == ',' || !at[length]))
            return true;
    }
    return !names;
}

/* The least number of cells a side of a type that refuses smaller maps. */
static int32_t least_side(const struct tw_node_type *type)
{
    return strcmp(type->name, "measure.realism") == 0 ? 128 : 1;
}

static struct tw_recipe *parse(const struct tw_node_type *type, const char *text, int32_t width,
                               int32_t height)
{
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    const int32_t least = least_side(type);
    const struct tw_load_options options = {.width = width < least ? least : width,
                                            .height = height < least ? least : height};
    if (tw_recipe_parse(text, strlen(text), TW_GRAPHS "/example.yaml", &options, &recipe, &error) !=
        TW_OK)
        fail_msg("%s: example %d:%d: %s", type->name, error.line, error.column, error.message);
    return recipe;
}

static void print_lines(const char *lines, char text[TEXT])
{
    size_t used = strlen(text);
    for (const char *line = lines; *line;) {
        int length = (int)strcspn(line, "\n");
        used += (size_t)snprintf(text + used, TEXT - used, "  %.*s\n", length, line);
        line += length + (line[length] == '\n');
    }
}

static bool is_of(const char *path, const char *lines)
{
    size_t length = strlen(path);
    for (const char *at = lines; (at = strstr(at, path)); at += length)
        if ((at == lines || at[-1] == '\n') && at[length] == ':')
            return true;
    return false;
}

static struct tw_recipe *load(const struct tw_node_type *type, int32_t width, int32_t height,
                              const char *head, const char *more)
{
    static char text[TEXT];
    snprintf(text, sizeof text, "thalweg: 1\nseed: 1\n%snodes:\n", head);
    print_lines(more, text);
    print_lines(type->example, text);
    size_t used = strlen(text); /* first with any output, to see the nodes; then with all */
    snprintf(text + used, TEXT - used, "outputs: {any: %.*s}\n", (int)strcspn(type->example, ":"),
             type->example);
    struct tw_recipe *recipe = parse(type, text, width, height);
    used += (size_t)snprintf(text + used, TEXT - used, "outputs:\n");
    for (int32_t i = 0; i < recipe->count; i++)
        for (const struct tw_port *port = recipe->nodes[i].type->outputs;
             port->name && !is_of(recipe->nodes[i].path, more); port++)
            used += (size_t)snprintf(text + used, TEXT - used, "  %s_%s: %s.%s\n",
                                     recipe->nodes[i].path, port->name, recipe->nodes[i].path,
                                     port->name);
    tw_recipe_release(recipe);
    return parse(type, text, width, height);
}

struct tw_recipe *example_load_with(const struct tw_node_type *type, int32_t width, int32_t height,
                                    const char *more)
{
    return load(type, width, height, "", more);
}

struct tw_recipe *example_load_closed(const struct tw_node_type *type, int32_t width,
                                      int32_t height)
{
    return load(type, width, height, "borders: closed\n", "");
}

struct tw_recipe *example_load(const struct tw_node_type *type, int32_t width, int32_t height)
{
    return example_load_with(type, width, height, "");
}
