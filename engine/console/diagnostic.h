/* SPDX-License-Identifier: MIT */
/* Prints errors and warnings for people, with the place, the line and a caret. Each also becomes a
 * finding, an event and an annotation. */
#ifndef TW_ENGINE_CONSOLE_DIAGNOSTIC_H
#define TW_ENGINE_CONSOLE_DIAGNOSTIC_H

#include <thalweg/status.h>

#include <stdbool.h>
#include <stdio.h>

/* Call this before the command runs. With `untrusted`, lines of a file behind a link are not
 * quoted. */
void tw_console_begin(bool untrusted);
/* Prints file:line:column: error: message, the source line with a caret, and the hint. Fits
 * tw_load_options.diagnostic. */
void tw_console_diagnostic(void *context, bool fault, const struct tw_error *error,
                           const char *source_line);
/* Also prints all further diagnostics to this stream; NULL stops the copies. */
void tw_console_copy_diagnostics(FILE *to);
/* Prints an error of a run, with the recipe's line; returns the exit code. */
int tw_console_error(const struct tw_error *error);
/* Prints an error; if it has no place, names `file` first. Returns the exit code. */
int tw_console_file_error(const char *file, struct tw_error *error);
/* Reports out of memory; returns the exit code. */
int tw_console_no_memory(void);
/* Reports a mistake on the command line; returns 2. */
int tw_console_usage(const char *format, ...) TW_PRINTF(1, 2);
/* Prints JSON text and frees it; NULL reports out of memory. Returns the exit code. */
int tw_console_print_json(char *text);

#endif
