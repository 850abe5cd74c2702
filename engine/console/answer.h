/* SPDX-License-Identifier: MIT */
/* The document that a call prints on standard output for programs: exactly one, even after errors.
 * JSON documents (docs/json.md) of all commands share this frame:
 *
 *     {"format": "thalweg.run/2", "version", "exit_code", "status", "interrupted",
 *      "errors": [...], "warnings": [...], and the command's own fields}
 *
 * SARIF and JUnit documents contain the findings alone. */
#ifndef TW_ENGINE_CONSOLE_ANSWER_H
#define TW_ENGINE_CONSOLE_ANSWER_H

#include "console/findings.h"

#include <jansson.h>
#include <stdio.h>

enum tw_answer_form { TW_ANSWER_NONE, TW_ANSWER_JSON, TW_ANSWER_SARIF, TW_ANSWER_JUNIT };

/* Starts a new document and clears all findings. `command` is borrowed. */
void tw_answer_begin(const char *command, enum tw_answer_form form);
/* Sets the command's own fields and takes their reference; NULL reports lack of memory. A member
 * "format" replaces the one derived from the command's name. */
void tw_answer_set(json_t *fields);
/* Prints the document of a call that ends with `code`, then starts a new one for the next call.
 * Returns the exit code: `code`, or 4 if memory ran out. */
int tw_answer_print(int code);
/* Discards the document and starts a new one. */
void tw_answer_drop(void);
/* Builds the JSON document of a call that ends with `code`, without printing it; NULL without
 * memory. */
json_t *tw_answer_json(int code);
/* Formats an error for the list "errors" or "warnings". */
json_t *tw_answer_error(const struct tw_error *error);
/* Returns "done", "difference", "usage", "invalid", "failed" or "interrupted". */
const char *tw_answer_status(int code);

/* sarif.c: builds the SARIF document; NULL without memory. */
json_t *tw_sarif(const struct tw_findings *findings, int code);
/* junit.c: prints the JUnit document. */
void tw_junit_print(FILE *out, const char *command, const struct tw_findings *findings);

#endif
