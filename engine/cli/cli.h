/* SPDX-License-Identifier: MIT */
/* What the sub-commands share: printing errors, loading and running with what the options say. */
#ifndef TW_ENGINE_CLI_CLI_H
#define TW_ENGINE_CLI_CLI_H

#include "cli/options.h"

#include <stdio.h>

/* Whether files are untrusted, before the command runs: what a link leads to is then not quoted. */
void tw_cli_begin(const struct tw_settings *settings);
/* file:line:column: error: message, the source line with a caret, the hint. Suits
 * tw_load_options.diagnostic. */
void tw_cli_diagnostic(void *context, bool fault, const struct tw_error *error,
                       const char *source_line);
/* Prints them to this stream, too; NULL ends that. */
void tw_cli_copy_diagnostics(FILE *to);
/* As tw_cli_diagnostic() for an error that stands alone; returns the exit code. */
int tw_cli_error(const struct tw_error *error);
/* The same of a file that was given, which the error gets where it has no place. */
int tw_cli_file_error(const char *file, struct tw_error *error);
/* The same for want of memory. */
int tw_cli_no_memory(void);
/* A complaint about the command line; returns 2. */
int tw_cli_usage(const char *format, ...) TW_PRINTF(1, 2);

/* The complaint that there is no such command, with the nearest one; returns 2. */
int tw_cli_no_command(const char *name);

/* What a recipe is loaded with. */
struct tw_load_options tw_cli_load_options(const struct tw_settings *settings);
/* What it runs with; the pool of threads gets its size. */
struct tw_run_options tw_cli_run_options(const struct tw_settings *settings);
/* Loads, reporting all faults; returns the exit code. `error` is the first fault. */
int tw_cli_load(const struct tw_settings *settings, const char *path, struct tw_recipe **recipe,
                struct tw_error *error);

/* The same, and `watch`, if it is not NULL, gets all that is read for it. */
struct tw_watch;
int tw_cli_load_watched(const struct tw_settings *settings, const char *path,
                        struct tw_watch *watch, struct tw_recipe **recipe, struct tw_error *error);

/* A JSON string of any text, file names of no encoding included. */
struct json_t *tw_cli_json(const char *text);
/* Prints JSON text and frees it; NULL is an error for lack of memory. The exit code. */
int tw_cli_print_json(char *text);
/* True when a line of progress may be rewritten on standard error: a terminal that a person sees.
 */
bool tw_cli_shows_progress(void);
/* --cache-dir, else $XDG_CACHE_HOME/thalweg, else ~/.cache/thalweg; NULL when there is neither. */
const char *tw_cli_cache_dir(const char *option);

int tw_cmd_compare(const struct tw_settings *settings, char **operands);
int tw_cmd_judge(const struct tw_settings *settings, char **operands);
int tw_cmd_cache(const struct tw_settings *settings, char **operands);
int tw_cmd_serve(const struct tw_settings *settings, char **operands);
int tw_cmd_schema(const struct tw_settings *settings, char **operands);
int tw_cmd_run(const struct tw_settings *settings, char **operands);
int tw_cmd_check(const struct tw_settings *settings, char **operands);
int tw_cmd_graph(const struct tw_settings *settings, char **operands);
int tw_cmd_nodes(const struct tw_settings *settings, char **operands);
int tw_cmd_completions(const struct tw_settings *settings, char **operands);
int tw_cmd_lock(const struct tw_settings *settings, char **operands);
int tw_cmd_verify(const struct tw_settings *settings, char **operands);
int tw_cmd_diff(const struct tw_settings *settings, char **operands);
int tw_cmd_doctor(const struct tw_settings *settings, char **operands);
int tw_cmd_inspect(const struct tw_settings *settings, char **operands);
int tw_cmd_man(const struct tw_settings *settings, char **operands);

#endif
