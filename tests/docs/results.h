/* SPDX-License-Identifier: MIT */
/* What was measured and is kept: docs/results. */
#ifndef TW_TESTS_DOCS_RESULTS_H
#define TW_TESTS_DOCS_RESULTS_H

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

/* docs/results/<name>.json, to be released; ends the program with a message when it cannot be read.
 */
static inline json_t *results_load(const char *name)
{
    char path[400];
    json_error_t error;
    snprintf(path, sizeof path, "%s/results/%s.json", TW_DOCS, name);
    json_t *root = json_load_file(path, 0, &error);
    if (!root) {
        fprintf(stderr, "%s:%d: %s\n", path, error.line, error.text);
        exit(1);
    }
    return root;
}

#endif
