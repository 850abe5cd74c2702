/* SPDX-License-Identifier: MIT */
/* "-" as a recipe: standard input, which messages call <stdin>. Its relative paths start from the
 * working folder. */
#ifndef TW_ENGINE_CONSOLE_STANDARD_INPUT_H
#define TW_ENGINE_CONSOLE_STANDARD_INPUT_H

#include <thalweg/thalweg.h>

#include <stddef.h>

#define TW_STDIN_NAME "<stdin>"

bool tw_stdin_is_one(const char *operand);
/* "<stdin>" for "-", else the operand. */
const char *tw_stdin_name(const char *operand);
/* Reads all of it once, and loads the recipe. */
enum tw_status tw_stdin_load(const struct tw_load_options *options, struct tw_recipe **recipe,
                             struct tw_error *err);
/* What was read, for quoting; NULL when nothing was. */
const char *tw_stdin_text(size_t *length);

#endif
