/* SPDX-License-Identifier: MIT */
/* Reads a recipe from standard input, the operand "-". Messages call it <stdin>, and its relative
 * paths start from the working folder. */
#ifndef TW_ENGINE_CONSOLE_STANDARD_INPUT_H
#define TW_ENGINE_CONSOLE_STANDARD_INPUT_H

#include <thalweg/thalweg.h>

#include <stddef.h>

#define TW_STDIN_NAME "<stdin>"

bool tw_stdin_is_one(const char *operand);
/* Returns "<stdin>" for "-", else the operand itself. */
const char *tw_stdin_name(const char *operand);
/* Reads standard input to its end, once per process, and loads the recipe. */
enum tw_status tw_stdin_load(const struct tw_load_options *options, struct tw_recipe **recipe,
                             struct tw_error *err);
/* Returns the text that was read, for quoting; NULL if standard input was not read. */
const char *tw_stdin_text(size_t *length);

#endif
