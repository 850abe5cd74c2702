/* SPDX-License-Identifier: MIT */
/* thalweg schema: the JSON Schema of recipes. */
#include "cli/cli.h"

int tw_cmd_schema(const struct tw_settings *settings, char **operands)
{
    (void)settings;
    (void)operands;
    return tw_cli_print_json(tw_schema_json(NULL));
}
