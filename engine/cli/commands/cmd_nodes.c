/* SPDX-License-Identifier: MIT */
/* thalweg nodes: prints or searches the catalogue of node types as plain text, as the Markdown of
 * docs/nodes or as JSON. All of its text comes from the descriptors. */
#include "base/text/json.h"
#include "cli/cli.h"
#include "cli/commands/nodes.h"
#include "cli/options.h"
#include "console/answer.h"
#include "console/documents.h"
#include "graph/library_page.h"
#include "node/guess.h"
#include "node/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char library_family[] = "thalweg";

void tw_cli_put_cell(const char *text)
{
    for (; *text; text++)
        printf(*text == '|' ? "\\|" : "%c", *text);
}

static void print_ports(const char *title, const struct tw_described_port *ports, int32_t count)
{
    if (count > 0)
        printf("\n%s\n", title);
    for (int32_t i = 0; i < count; i++) {
        int indent = printf("  %-12s %-10s ", ports[i].name, ports[i].type_name);
        struct tw_cli_line line = {indent, indent};
        tw_cli_put_words(&line, ports[i].help);
        tw_cli_put_words(&line, ports[i].note);
        puts("");
    }
}

/* Prints what is allowed and usual, and the default: "0 to 100 cells; usually 1 to 9; default 2".
 */
static void put_allowed(struct tw_cli_line *line, const char *allowed, const char *usual,
                        const char *initial)
{
    tw_cli_put_words(line, allowed);
    tw_cli_put_words(line, usual[0] ? "; usually " : "");
    tw_cli_put_words(line, usual);
    tw_cli_put_words(line, initial[0] ? "; default " : "");
    tw_cli_put_words(line, initial);
}

static void print_column(const struct tw_described_column *column, int indent)
{
    int begin = printf("%*s%s: ", indent, "", column->name);
    struct tw_cli_line line = {indent + 2, begin};
    tw_cli_put_words(&line, column->help);
    tw_cli_put_words(&line, ", ");
    put_allowed(&line, column->allowed, "", column->initial);
    tw_cli_put_words(&line, column->required ? ", required" : "");
    puts("");
}

static void print_param(const struct tw_described_param *param)
{
    int indent = printf("  %-18s ", param->name);
    struct tw_cli_line line = {indent, indent};
    tw_cli_put_words(&line, param->help);
    line.column = printf("\n%*s", indent, "") - 1;
    put_allowed(&line, param->allowed, param->usual, param->initial);
    puts("");
    for (int32_t i = 0; i < param->column_count; i++)
        print_column(&param->columns[i], indent + 2);
}

static void print_detail(const char *text)
{
    puts("");
    tw_cli_put_words(&(struct tw_cli_line){0, 0}, text);
    puts("");
}

static void print_elsewhere(const char *names)
{
    struct tw_cli_line line = {2, printf("\nKnown elsewhere as: ") - 1};
    tw_cli_put_words(&line, names);
    puts("");
}

static void print_type(const struct tw_description *description)
{
    const struct tw_node_type *type = description->type;
    struct tw_cli_line line = {0, printf("%s: ", type->name)};
    tw_cli_put_words(&line, type->summary);
    puts("");
    if (type->detail)
        print_detail(type->detail);
    if (type->elsewhere)
        print_elsewhere(type->elsewhere);
    print_ports("inputs", description->inputs, description->input_count);
    print_ports("outputs", description->outputs, description->output_count);
    if (description->param_count > 0)
        puts("\nparameters");
    for (int32_t i = 0; i < description->param_count; i++)
        print_param(&description->params[i]);
    printf("\nexample\n%s\n\n", type->example ? type->example : "");
    printf("version %d; %s", (int)type->version, description->reach);
    printf("%s%s\n", type->cite ? "; sources: " : "", type->cite ? type->cite : "");
}

/* Prints the rows of the recipes of the library. */
static void list_library(void (*print)(const struct tw_node_type *type))
{
    struct tw_library_page page;
    for (const struct tw_library_recipe *recipe = tw_library_table; recipe->name; recipe++)
        if (tw_library_page(recipe, &page)) {
            print(&page.type);
            tw_library_page_release(&page);
        }
}

static void print_row(const struct tw_node_type *type)
{
    printf("%-24s %s\n", type->name, type->summary);
}

static int list_types(const struct tw_registry *registry, const char *family, bool markdown)
{
    int32_t position = 0;
    const bool library = !family || strcmp(family, library_family) == 0;
    if (markdown) {
        tw_cli_markdown_index(registry, family);
        if (library) {
            puts("\n## Recipes of the library\n\n| type | |\n|---|---|");
            list_library(tw_cli_markdown_row);
        }
        return 0;
    }
    for (const struct tw_node_type *type; (type = tw_registry_next(registry, &position));)
        if (!family || tw_node_in_family(type, family))
            print_row(type);
    if (!family)
        puts("\nrecipes of the library (thalweg library prints them)");
    if (library)
        list_library(print_row);
    return 0;
}

/* ---- search ---- */

enum { HITS_MAX = 1000 };

enum { LIBRARY_MAX = 200 };

struct search {
    struct tw_search_hit *hits;
    int count;
    struct tw_library_page library[LIBRARY_MAX]; /* the hits' types are theirs */
    int library_count;
};

static void search_library(struct search *found, char **words, int word_count)
{
    for (const struct tw_library_recipe *recipe = tw_library_table;
         recipe->name && found->library_count < LIBRARY_MAX; recipe++) {
        struct tw_library_page *page = &found->library[found->library_count];
        struct tw_search_hit hit;
        if (!tw_library_page(recipe, page))
            return;
        found->library_count++;
        if (found->count < HITS_MAX && tw_search_type(&page->type, words, word_count, &hit))
            tw_search_insert(found->hits, found->count++, &hit);
    }
}

static void release_search(struct search *found)
{
    for (int i = 0; i < found->library_count; i++)
        tw_library_page_release(&found->library[i]);
    free(found->hits);
    free(found);
}

static void print_hit(const struct tw_search_hit *hit)
{
    struct tw_cli_line line = {25, printf("%-24s ", hit->type->name)};
    tw_cli_put_words(&line, hit->type->summary);
    if (hit->why)
        printf("  [%.*s]", hit->why_length, hit->why);
    puts("");
}

static void print_hits(const struct search *found, bool markdown)
{
    if (markdown)
        puts("| type | |\n|---|---|");
    for (int i = 0; i < found->count; i++)
        if (markdown)
            tw_cli_markdown_row(found->hits[i].type);
        else
            print_hit(&found->hits[i]);
}

static int describe_library(const struct tw_library_recipe *recipe, bool markdown)
{
    struct tw_library_page page;
    if (!tw_library_page(recipe, &page))
        return tw_console_no_memory();
    if (markdown)
        tw_cli_markdown_library(recipe, &page.description);
    else
        print_type(&page.description);
    tw_library_page_release(&page);
    return 0;
}

static int describe_type(const struct tw_node_type *type, bool markdown)
{
    struct tw_description description;
    if (!tw_describe(type, &description))
        return tw_console_print_json(NULL);
    (markdown ? tw_cli_markdown_type : print_type)(&description);
    tw_description_release(&description);
    return 0;
}

/* Returns {"types": ...} from tw_catalogue_json(): one type, or all if `name` is NULL. */
static json_t *types_json(const char *name)
{
    char *text = tw_catalogue_json(NULL, name);
    json_t *types = NULL;
    if (text)
        (void)tw_json_load(text, strlen(text), 0, &types, NULL);
    free(text);
    return TW_DOCUMENT(nodes, .types = name ? json_pack("[o]", types) : types);
}

static json_t *family_json(const struct tw_registry *registry, const char *family)
{
    json_t *root = types_json(NULL), *types = json_object_get(root, "types");
    for (size_t i = json_array_size(types); i-- > 0;) {
        const char *name = json_string_value(json_object_get(json_array_get(types, i), "type"));
        const struct tw_node_type *type = name ? tw_registry_find(registry, name) : NULL;
        bool in_library = name && tw_library_is_name(name) && strcmp(family, library_family) == 0;
        if (!in_library && (!type || !tw_node_in_family(type, family)))
            json_array_remove(types, i);
    }
    return root;
}

static json_t *hits_json(const struct search *found)
{
    json_t *list = json_array();
    for (int i = 0; i < found->count; i++) {
        json_t *one = types_json(found->hits[i].type->name);
        json_array_extend(list, json_object_get(one, "types"));
        json_decref(one);
    }
    return TW_DOCUMENT(nodes, .types = list);
}

static int unknown_type(const struct tw_registry *registry, const char *name)
{
    struct tw_arena arena = {.failed = false};
    const char *hint = tw_guess_type(registry, name, &arena);
    int code = tw_console_usage("there is no node type '%s'%s%s", name, hint ? "; " : "",
                                hint ? hint : "");
    tw_arena_release(&arena);
    return code;
}

static int search_types(const struct tw_settings *settings, char **words,
                        const struct tw_registry *registry)
{
    struct search *found = calloc(1, sizeof *found);
    struct tw_search_hit *hits = found ? calloc(HITS_MAX, sizeof *hits) : NULL;
    if (!hits) {
        free(found);
        return tw_console_no_memory();
    }
    found->hits = hits;
    found->count = tw_search_types(registry, words, settings->operand_count, hits, HITS_MAX);
    search_library(found, words, settings->operand_count);
    int code = found->count == 0 ? unknown_type(registry, words[0]) : 0;
    if (code == 0 && settings->json)
        tw_answer_set(hits_json(found));
    else if (code == 0)
        print_hits(found, settings->markdown);
    release_search(found);
    return code;
}

static bool is_family(const struct tw_registry *registry, const char *name)
{
    int32_t position = 0;
    for (const struct tw_node_type *type; (type = tw_registry_next(registry, &position));)
        if (tw_node_in_family(type, name))
            return true;
    return strcmp(name, library_family) == 0;
}

int tw_cmd_nodes(const struct tw_settings *settings, char **operands)
{
    const struct tw_registry registry = {NULL};
    const char *name = settings->operand_count == 1 ? operands[0] : NULL;
    const struct tw_node_type *type = name ? tw_registry_find(&registry, name) : NULL;
    const struct tw_library_recipe *recipe =
        name && tw_library_is_name(name) ? tw_library_named(name) : NULL;
    const char *family = name && !type && is_family(&registry, name) ? name : NULL;
    if (settings->operand_count > 0 && !type && !family && !recipe)
        return search_types(settings, operands, &registry);
    if (settings->json) {
        tw_answer_set(family ? family_json(&registry, family) : types_json(name));
        return 0;
    }
    return recipe ? describe_library(recipe, settings->markdown)
           : type ? describe_type(type, settings->markdown)
                  : list_types(&registry, family, settings->markdown);
}
