/* SPDX-License-Identifier: MIT */
/* Prints the Markdown of `thalweg nodes`. */
#ifndef TW_ENGINE_CLI_COMMANDS_NODES_H
#define TW_ENGINE_CLI_COMMANDS_NODES_H

#include "graph/library.h"
#include "node/describe.h"

void tw_cli_markdown_type(const struct tw_description *description);
/* Prints the page of a recipe of the library, with its text. */
void tw_cli_markdown_library(const struct tw_library_recipe *recipe,
                             const struct tw_description *description);
/* Prints a row of a table of types. */
void tw_cli_markdown_row(const struct tw_node_type *type);
/* Prints the index of a family, or of all types if `family` is NULL. */
void tw_cli_markdown_index(const struct tw_registry *registry, const char *family);

/* Prints a cell of a Markdown table, escaping '|', which would end it. */
void tw_cli_put_cell(const char *text);

#endif
