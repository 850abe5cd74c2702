/* SPDX-License-Identifier: MIT */
/* What the sub-commands share: printing errors and recipe options. */
#ifndef TW_ENGINE_CLI_CLI_H
#define TW_ENGINE_CLI_CLI_H

#include <thalweg/thalweg.h>

#include <stdio.h>

#define TW_CLI_SETS_MAX 64

/* file:line:column: error: message, the source line with a caret, the hint. Suits
 * tw_load_options.diagnostic. */
void tw_cli_diagnostic(void *context, bool fault, const struct tw_error *error,
                       const char *source_line);
/* The same for an error that stands alone; returns the exit code. */
int tw_cli_error(const struct tw_error *error);
/* A complaint about the command line; returns 2. */
int tw_cli_usage(const char *format, ...) TW_PRINTF(1, 2);

/* getopt_long() that complains in our words: an unknown option with the nearest one, a missing or
 * a needless value. Gives '?' then; -1 behind the last option. */
struct option;
int tw_cli_option(int argc, char **argv, const char *letters, const struct option *options);

/* Options that every command with a RECIPE takes. */
struct tw_cli_recipe {
    struct tw_load_options load;
    const char *set[TW_CLI_SETS_MAX + 1];
    const char *allow[TW_CLI_SETS_MAX + 1];
    int sets, allows;
};
#define TW_CLI_RECIPE_SHORT "s:"
enum { TW_OPT_SEED = 1000, TW_OPT_SIZE, TW_OPT_ALLOW };
#define TW_CLI_RECIPE_LONG                                                                         \
    {"set", required_argument, NULL, 's'}, {"seed", required_argument, NULL, TW_OPT_SEED},         \
        {"size", required_argument, NULL, TW_OPT_SIZE},                                            \
    {                                                                                              \
        "allow-path", required_argument, NULL, TW_OPT_ALLOW                                        \
    }
/* Takes one parsed option: 1 taken, 0 not one of these, -1 a mistake that was told. */
int tw_cli_recipe_option(struct tw_cli_recipe *recipe, int option, const char *value);
/* Loads, telling all faults; returns the exit code. */
int tw_cli_load(struct tw_cli_recipe *options, const char *path, struct tw_recipe **recipe);

/* A number of bytes with K, M or G (powers of 1024); 0 and a complaint when it is none. */
uint64_t tw_cli_bytes(const char *option, const char *value);
/* False and a complaint for "", as of a shell variable that is not set: it would name the root. */
bool tw_cli_text(const char *option, const char *value);
/* A JSON string of any text, file names of no encoding included. */
struct json_t *tw_cli_json(const char *text);
/* True when `stream` is a terminal that may show colours (NO_COLOR is not set). */
bool tw_cli_colours(FILE *stream);
/* --cache-dir, else $XDG_CACHE_HOME/thalweg, else ~/.cache/thalweg; NULL when there is neither. */
const char *tw_cli_cache_dir(const char *option);

/* Before the first run: libuv starts all threads of its pool at once and aborts the process when it
 * cannot, so there are as many as the run uses. */
void tw_cli_size_pool(const struct tw_run_options *options);

int tw_cmd_compare(int argc, char **argv);
int tw_cmd_cache(int argc, char **argv);
int tw_cmd_schema(int argc, char **argv);
int tw_cmd_run(int argc, char **argv);
int tw_cmd_check(int argc, char **argv);
int tw_cmd_graph(int argc, char **argv);
int tw_cmd_nodes(int argc, char **argv);

#endif
