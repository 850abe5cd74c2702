/* SPDX-License-Identifier: MIT */
/* thalweg graph: prints a recipe's graph as DOT, Mermaid or JSON. */
#include "base/text/json.h"
#include "base/text/text.h"
#include "cli/cli.h"
#include "console/answer.h"
#include "console/documents.h"
#include "console/standard_input.h"
#include "graph/graph.h"

#include <stdio.h>

static void print_edge(int32_t from, int32_t to, const char *name, bool dot)
{
    if (dot)
        printf("  n%d -> n%d [label=\"%s\"];\n", (int)from, (int)to, name);
    else
        printf("  n%d -->|%s| n%d\n", (int)from, name, (int)to);
}

static void print_graph(const struct tw_recipe *recipe, bool dot)
{
    puts(dot ? "digraph recipe {\n  rankdir=LR; node [shape=box];" : "flowchart LR");
    for (int32_t i = 0; i < recipe->count; i++) {
        const struct tw_node *node = &recipe->nodes[i];
        if (node->type->choose)
            continue; /* edges lead straight from the node that it chooses */
        printf(dot ? "  n%d [label=\"" : "  n%d[\"", (int)i);
        tw_text_write(stdout, node->path, dot ? TW_TEXT_DOT : TW_TEXT_MERMAID);
        printf(dot ? "\\n%s\"];\n" : "<br>%s\"]\n", node->type->name);
        for (int port = 0; port < node->input_count; port++)
            if (node->inputs[port].node >= 0)
                print_edge(node->inputs[port].node, i, tw_input_port(node, port)->name, dot);
    }
    if (dot)
        puts("}");
}

static json_t *source_json(const struct tw_recipe *recipe, const char *name,
                           struct tw_source source)
{
    const struct tw_node *from = &recipe->nodes[source.node];
    return TW_DOCUMENT(graph_source, .name = name, .node = from->path,
                       .output = from->type->outputs[source.port].name);
}

static json_t *node_json(const struct tw_recipe *recipe, const struct tw_node *node)
{
    json_t *inputs = json_array();
    for (int32_t i = 0; i < node->input_count; i++)
        if (node->inputs[i].node >= 0)
            json_array_append_new(
                inputs, source_json(recipe, tw_input_port(node, i)->name, node->inputs[i]));
    return TW_DOCUMENT(graph_node, .path = node->path, .type = node->type->name,
                       .file = node->place.file, .line = node->place.line,
                       .column = node->place.column, .inputs = inputs);
}

static json_t *sources_json(const struct tw_recipe *recipe, const struct tw_output *source)
{
    json_t *list = json_array();
    for (; source; source = source->next)
        json_array_append_new(list, source_json(recipe, source->name, source->source));
    return list;
}

static json_t *graph_json(const char *file, const struct tw_recipe *recipe)
{
    json_t *nodes = json_array(), *exports = json_array();
    for (int32_t i = 0; i < recipe->count; i++)
        if (!recipe->nodes[i].type->choose)
            json_array_append_new(nodes, node_json(recipe, &recipe->nodes[i]));
    for (const struct tw_export *e = recipe->exports; e; e = e->next)
        json_array_append_new(exports, TW_DOCUMENT(graph_export, .file = e->file,
                                                   .from = sources_json(recipe, e->sources)));
    return TW_DOCUMENT(graph, .recipe = file,
                       .size = tw_document_size(recipe->width, recipe->height), .nodes = nodes,
                       .outputs = sources_json(recipe, recipe->outputs), .exports = exports);
}

int tw_cmd_graph(const struct tw_settings *settings, char **operands)
{
    enum { DOT }; /* index of a label of --format */
    struct tw_recipe *recipe = NULL;
    struct tw_error error = {.status = TW_OK};
    int code = tw_console_load(settings, operands[0], &recipe, &error);
    if (code == 0 && settings->json)
        tw_answer_set(graph_json(tw_stdin_name(operands[0]), recipe));
    else if (code == 0)
        print_graph(recipe, settings->format == DOT);
    tw_recipe_release(recipe);
    return code;
}
