/* SPDX-License-Identifier: MIT */
/* The tool `nodes`: finds types by words, or gives the page of one. */
#include "cli/mcp/mcp.h"

#include "base/text/stream.h"
#include "cli/commands/nodes.h"
#include "node/guess.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 32, HITS_SHOWN = 40 };

char *tw_mcp_page(const char *type)
{
    const struct tw_registry registry = {NULL};
    const struct tw_node_type *own = tw_registry_find(&registry, type);
    const struct tw_library_recipe *recipe =
        !own && tw_library_is_name(type) ? tw_library_named(type) : NULL;
    struct tw_description description;
    struct tw_library_page page;
    char *text = NULL;
    size_t length = 0;
    FILE *out = own || recipe ? tw_stream_open(&text, &length) : NULL;
    if (out && own && tw_describe(own, &description)) {
        tw_cli_markdown_type(out, &description);
        tw_description_release(&description);
    }
    if (out && recipe && tw_library_page(recipe, &page)) {
        tw_cli_markdown_library(out, recipe, &page.description);
        tw_library_page_release(&page);
    }
    if (out && tw_stream_close(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static void print_hit(FILE *out, const struct tw_node_type *type)
{
    fprintf(out, "%s: %s\n", type->name, type->summary);
}

/* All types, without a word to find them by. */
static void print_all(FILE *out, const struct tw_registry *registry)
{
    int32_t position = 0;
    struct tw_library_page page;
    for (const struct tw_node_type *type; (type = tw_registry_next(registry, &position));)
        print_hit(out, type);
    for (const struct tw_library_recipe *recipe = tw_library_table; recipe->name; recipe++)
        if (tw_library_page(recipe, &page)) {
            print_hit(out, &page.type);
            tw_library_page_release(&page);
        }
}

static int split(char *text, char *words[WORDS_MAX])
{
    int count = 0;
    char *rest = text;
    for (char *word; count < WORDS_MAX && (word = strtok_r(rest, " \t\n,", &rest));)
        words[count++] = word;
    return count;
}

/* Returns whether anything was found; prints nothing otherwise. */
static bool print_found(FILE *out, const struct tw_registry *registry, const char *query)
{
    char *copy = strdup(query), *words[WORDS_MAX];
    const int count = copy ? split(copy, words) : 0;
    struct tw_nodes_found *found = count > 0 ? tw_nodes_find(registry, words, count) : NULL;
    const int hits = found ? found->count : 0;
    for (int i = 0; i < hits && i < HITS_SHOWN; i++)
        print_hit(out, found->hits[i].type);
    if (hits > HITS_SHOWN)
        fprintf(out, "and %d more\n", hits - HITS_SHOWN);
    if (copy && count == 0)
        print_all(out, registry);
    if (found)
        tw_nodes_found_release(found);
    free(copy);
    return hits > 0 || count == 0;
}

static json_t *search(const char *query)
{
    const struct tw_registry registry = {NULL};
    char *text = NULL;
    size_t length = 0;
    FILE *out = tw_stream_open(&text, &length);
    if (!out)
        return NULL;
    const bool found = print_found(out, &registry, query);
    if (!found) {
        struct tw_arena arena = {.failed = false};
        const char *hint = tw_guess_type(&registry, query, &arena);
        fprintf(out, "no type has all of these words: %.200s%s%s\n", query, hint ? "; " : "",
                hint ? hint : "");
        tw_arena_release(&arena);
    }
    json_t *result = tw_stream_close(out) == 0 ? tw_mcp_text_result(text, !found) : NULL;
    free(text);
    return result;
}

static json_t *no_page(const char *type)
{
    const struct tw_registry registry = {NULL};
    struct tw_arena arena = {.failed = false};
    const char *hint = tw_guess_type(&registry, type, &arena);
    char text[400];
    snprintf(text, sizeof text, "there is no node type '%.200s'%s%s", type, hint ? "; " : "",
             hint ? hint : "");
    json_t *result = tw_mcp_text_result(text, true);
    tw_arena_release(&arena);
    return result;
}

static json_t *page_of(const char *type, bool searches)
{
    char *page = tw_mcp_page(type);
    if (!page)
        return searches ? search(type) : no_page(type);
    json_t *result = tw_mcp_text_result(page, false);
    free(page);
    return result;
}

json_t *tw_mcp_nodes(void *context, const json_t *arguments)
{
    static const char *const keys[] = {"query", "search", "page"};
    const char *given[3] = {NULL};
    (void)context;
    for (int i = 0; i < 3; i++) {
        const json_t *value = json_object_get(arguments, keys[i]);
        given[i] = json_string_value(value);
        if (value && !given[i])
            return tw_mcp_text_result("query, search and page are texts", true);
    }
    if (given[2])
        return page_of(given[2], false);
    return given[1] ? search(given[1]) : given[0] ? page_of(given[0], true) : search("");
}
