/* SPDX-License-Identifier: MIT */
/* thalweg graph: a recipe's graph for people. */
#include "cli/cli.h"
#include "graph/graph.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char usage[] = "usage: thalweg graph RECIPE [--format dot|mermaid] [options]\n\n"
                            "  -s, --set NAME=VALUE   set a parameter of the recipe\n"
                            "  -h, --help             this text";

static void print_edge(int32_t from, int32_t to, const char *name, bool dot)
{
    if (dot)
        printf("  n%d -> n%d [label=\"%s\"];\n", (int)from, (int)to, name);
    else
        printf("  n%d -->|%s| n%d\n", (int)from, name, (int)to);
}

/* A path holds a file's name where an export says `as:`. */
static void put_label(const char *text, bool dot)
{
    for (; *text; text++) {
        if (dot && (*text == '"' || *text == '\\'))
            putchar('\\');
        if (!dot && *text == '"')
            fputs("#quot;", stdout);
        else
            putchar(*text);
    }
}

static void print_graph(const struct tw_recipe *recipe, bool dot)
{
    puts(dot ? "digraph recipe {\n  rankdir=LR; node [shape=box];" : "flowchart LR");
    for (int32_t i = 0; i < recipe->count; i++) {
        const struct tw_node *node = &recipe->nodes[i];
        printf(dot ? "  n%d [label=\"" : "  n%d[\"", (int)i);
        put_label(node->path, dot);
        printf(dot ? "\\n%s\"];\n" : "<br>%s\"]\n", node->type->name);
        for (int port = 0; port < node->input_count; port++)
            if (node->inputs[port].node >= 0)
                print_edge(node->inputs[port].node, i, tw_input_port(node, port)->name, dot);
    }
    if (dot)
        puts("}");
}

int tw_cmd_graph(int argc, char **argv)
{
    enum { FORMAT = 1 };
    static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                            {"format", required_argument, NULL, FORMAT},
                                            TW_CLI_RECIPE_LONG,
                                            {NULL, 0, NULL, 0}};
    struct tw_cli_recipe settings = {.sets = 0};
    bool dot = true;
    for (int option;
         (option = tw_cli_option(argc, argv, "h" TW_CLI_RECIPE_SHORT, options)) != -1;) {
        if (option == 'h')
            return puts(usage), 0;
        if (option == FORMAT) {
            dot = strcmp(optarg, "dot") == 0;
            if (!dot && strcmp(optarg, "mermaid") != 0)
                return tw_cli_usage("--format is '%s'; allowed are dot and mermaid", optarg);
        } else if (option == '?' || tw_cli_recipe_option(&settings, option, optarg) < 0) {
            return 2;
        }
    }
    if (optind != argc - 1)
        return tw_cli_usage("graph takes one recipe; see thalweg graph --help");
    struct tw_recipe *recipe = NULL;
    int code = tw_cli_load(&settings, argv[optind], &recipe);
    if (code == 0)
        print_graph(recipe, dot);
    tw_recipe_release(recipe);
    return code;
}
