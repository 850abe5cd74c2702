/* SPDX-License-Identifier: MIT */
/* The last line of a call: its answer in one line, after all progress, where a log is read first.
 */
#ifndef TW_ENGINE_CONSOLE_LAST_LINE_H
#define TW_ENGINE_CONSOLE_LAST_LINE_H

#include "console/settings.h"

#include <stdio.h>

struct tw_last_line {
    const struct tw_settings *settings;
    FILE *out; /* collects the text; NULL without memory */
    char *text;
    size_t length;
    int32_t failed; /* recipes so far */
};

/* A recipe that failed, and its first fault. */
struct tw_failed_recipe {
    const char *file;
    const struct tw_error *fault;
};

void tw_last_line_begin(struct tw_last_line *line, const struct tw_settings *settings);
/* Adds "1 of 40 failed: rivers.yaml:14:9 what is wrong; ", or nothing if none failed. */
void tw_last_line_fail(struct tw_last_line *line, const struct tw_failed_recipe *failed,
                       int32_t count, int32_t of);
/* Adds ": a.yaml, b.yaml"; `name` returns the i-th name, or NULL for one to
 * leave out. */
void tw_last_line_names(struct tw_last_line *line, const void *context, int32_t count,
                        const char *(*name)(const void *context, int32_t i));
/* Prints the line on standard output, or on standard error if something else owns the former. */
void tw_last_line_end(struct tw_last_line *line);
/* Returns true if standard output holds a document or a file of this call. */
bool tw_console_has_document(const struct tw_settings *settings);

#endif
