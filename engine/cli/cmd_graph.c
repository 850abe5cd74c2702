/* SPDX-License-Identifier: MIT */
/* thalweg graph: a recipe's graph for people. */
#include "base/text.h"
#include "cli/cli.h"
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
            continue; /* its users are connected to what it chooses */
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

int tw_cmd_graph(const struct tw_settings *settings, char **operands)
{
    enum { DOT }; /* of --format */
    struct tw_recipe *recipe = NULL;
    struct tw_error error = {.status = TW_OK};
    int code = tw_cli_load(settings, operands[0], &recipe, &error);
    if (code == 0)
        print_graph(recipe, settings->format == DOT);
    tw_recipe_release(recipe);
    return code;
}
