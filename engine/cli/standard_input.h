/* SPDX-License-Identifier: MIT */
/* "-" as a recipe: standard input, which messages call <stdin>. Its relative paths start from the
 * working folder. */
#ifndef TW_ENGINE_CLI_STANDARD_INPUT_H
#define TW_ENGINE_CLI_STANDARD_INPUT_H

#include "cli/options.h"

#include <stdbool.h>
#include <stddef.h>

#define TW_STDIN_NAME "<stdin>"

bool tw_stdin_is_one(const char *operand);
/* "<stdin>" for "-", else the operand. */
const char *tw_stdin_name(const char *operand);
/* False, after a complaint, when an operand is "-" and the command needs a name beside which it
 * writes, or when two are. */
bool tw_stdin_check(const char *command, const struct tw_settings *settings, char **operands,
                    bool allowed);
/* Reads all of it once, and loads the recipe. */
enum tw_status tw_stdin_load(const struct tw_load_options *options, struct tw_recipe **recipe,
                             struct tw_error *err);
/* What was read, for quoting; NULL when nothing was. */
const char *tw_stdin_text(size_t *length);

#endif
