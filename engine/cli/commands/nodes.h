/* SPDX-License-Identifier: MIT */
/* The forms that `thalweg nodes` prints besides plain text. */
#ifndef TW_ENGINE_CLI_COMMANDS_NODES_H
#define TW_ENGINE_CLI_COMMANDS_NODES_H

#include "node/describe.h"

void tw_cli_markdown_type(const struct tw_description *description);
/* A row of a table of types. */
void tw_cli_markdown_row(const struct tw_node_type *type);
/* Of all types, or of a family. */
void tw_cli_markdown_index(const struct tw_registry *registry, const char *family);

/* A cell of a Markdown table, which '|' would end. */
void tw_cli_put_cell(const char *text);

#endif
