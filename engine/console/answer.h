/* SPDX-License-Identifier: MIT */
/* The document that a call prints on standard output for programs: exactly one, whatever happened.
 * As JSON (docs/json.md) every command's has the same frame:
 *
 *     {"format": "thalweg.run/2", "version", "exit_code", "status", "interrupted",
 *      "errors": [...], "warnings": [...], and the command's own fields}
 *
 * SARIF and JUnit are made from the findings alone. */
#ifndef TW_ENGINE_CONSOLE_ANSWER_H
#define TW_ENGINE_CONSOLE_ANSWER_H

#include "console/findings.h"

#include <jansson.h>
#include <stdio.h>

enum tw_answer_form { TW_ANSWER_NONE, TW_ANSWER_JSON, TW_ANSWER_SARIF, TW_ANSWER_JUNIT };

/* Starts anew, and forgets all findings. `command` is borrowed. */
void tw_answer_begin(const char *command, enum tw_answer_form form);
/* The command's own fields, whose reference is taken; NULL counts as lack of memory. Its "format"
 * replaces the one that follows from the command's name. */
void tw_answer_set(json_t *fields);
/* Prints the document of a call that ends with `code`, and starts anew for the next. The exit code:
 * `code`, or 4 where memory was short. */
int tw_answer_print(int code);
/* Starts anew without printing anything. */
void tw_answer_drop(void);
/* The JSON document of a call that ends with `code`, unprinted; NULL without memory. */
json_t *tw_answer_json(int code);
/* An error as the documents have it. */
json_t *tw_answer_error(const struct tw_error *error);
/* "done", "difference", "usage", "invalid", "failed" or "interrupted". */
const char *tw_answer_status(int code);

/* sarif.c; NULL without memory. */
json_t *tw_sarif(const struct tw_findings *findings, int code);
/* junit.c */
void tw_junit_print(FILE *out, const char *command, const struct tw_findings *findings);

#endif
