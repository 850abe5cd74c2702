/* SPDX-License-Identifier: MIT */
/* Declares one function per sub-command; each returns the exit code. */
#ifndef TW_ENGINE_CLI_CLI_H
#define TW_ENGINE_CLI_CLI_H

#include "console/diagnostic.h"
#include "console/settings.h"

/* Reports an unknown command and suggests the nearest name; returns 2. */
int tw_cli_no_command(const char *name);

int tw_cmd_compare(const struct tw_settings *settings, char **operands);
int tw_cmd_judge(const struct tw_settings *settings, char **operands);
int tw_cmd_cache(const struct tw_settings *settings, char **operands);
int tw_cmd_serve(const struct tw_settings *settings, char **operands);
int tw_cmd_schema(const struct tw_settings *settings, char **operands);
int tw_cmd_run(const struct tw_settings *settings, char **operands);
int tw_cmd_check(const struct tw_settings *settings, char **operands);
int tw_cmd_graph(const struct tw_settings *settings, char **operands);
int tw_cmd_library(const struct tw_settings *settings, char **operands);
int tw_cmd_nodes(const struct tw_settings *settings, char **operands);
int tw_cmd_completions(const struct tw_settings *settings, char **operands);
int tw_cmd_list(const struct tw_settings *settings, char **operands);
int tw_cmd_lock(const struct tw_settings *settings, char **operands);
int tw_cmd_verify(const struct tw_settings *settings, char **operands);
int tw_cmd_diff(const struct tw_settings *settings, char **operands);
int tw_cmd_doctor(const struct tw_settings *settings, char **operands);
int tw_cmd_inspect(const struct tw_settings *settings, char **operands);
int tw_cmd_mcp(const struct tw_settings *settings, char **operands);
int tw_cmd_man(const struct tw_settings *settings, char **operands);

#endif
