/* SPDX-License-Identifier: MIT */
/* Errors and warnings for people, with the place, the line and a caret. Each also becomes a
 * finding, an event and an annotation. */
#ifndef TW_ENGINE_CONSOLE_DIAGNOSTIC_H
#define TW_ENGINE_CONSOLE_DIAGNOSTIC_H

#include <thalweg/status.h>

#include <stdbool.h>
#include <stdio.h>

/* Before the command runs: lines of an untrusted file that a link leads to are not quoted. */
void tw_cli_begin(bool untrusted);
/* file:line:column: error: message, the source line with a caret, the hint. Suits
 * tw_load_options.diagnostic. */
void tw_cli_diagnostic(void *context, bool fault, const struct tw_error *error,
                       const char *source_line);
/* Prints them to this stream, too; NULL ends that. */
void tw_cli_copy_diagnostics(FILE *to);
/* Prints an error of a run, and reads the line that it quotes; returns the exit code. */
int tw_cli_error(const struct tw_error *error);
/* Prints an error of a file, whose name it gets where it has no place; returns the exit code. */
int tw_cli_file_error(const char *file, struct tw_error *error);
/* Prints that memory was short; returns the exit code. */
int tw_cli_no_memory(void);
/* A complaint about the command line; returns 2. */
int tw_cli_usage(const char *format, ...) TW_PRINTF(1, 2);
/* Prints JSON text and frees it; NULL is an error for lack of memory. The exit code. */
int tw_cli_print_json(char *text);

#endif
