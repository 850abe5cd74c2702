/* SPDX-License-Identifier: MIT */
/* What `thalweg nodes` finds, and prints as Markdown. */
#ifndef TW_ENGINE_CLI_COMMANDS_NODES_H
#define TW_ENGINE_CLI_COMMANDS_NODES_H

#include "graph/library_page.h"
#include "node/search.h"

#include <stdio.h>

void tw_cli_markdown_type(FILE *out, const struct tw_description *description);
/* Prints the page of a recipe of the library, with its text. */
void tw_cli_markdown_library(FILE *out, const struct tw_library_recipe *recipe,
                             const struct tw_description *description);
/* Prints a row of a table of types. */
void tw_cli_markdown_row(FILE *out, const struct tw_node_type *type);
/* Prints the index of a family, or of all types if `family` is NULL. */
void tw_cli_markdown_index(FILE *out, const struct tw_registry *registry, const char *family);

/* Prints a cell of a Markdown table, escaping '|', which would end it. */
void tw_cli_put_cell(FILE *out, const char *text);

enum { TW_NODES_HITS_MAX = 1000, TW_NODES_LIBRARY_MAX = 200 };

/* Types and recipes of the library that have all of some words, the best first. */
struct tw_nodes_found {
    struct tw_search_hit hits[TW_NODES_HITS_MAX];
    int count;
    struct tw_library_page library[TW_NODES_LIBRARY_MAX]; /* hits' types may be theirs */
    int library_count;
};

/* NULL when out of memory. */
struct tw_nodes_found *tw_nodes_find(const struct tw_registry *registry, char **words, int count);
void tw_nodes_found_release(struct tw_nodes_found *found);

#endif
