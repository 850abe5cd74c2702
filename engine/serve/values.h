/* SPDX-License-Identifier: MIT */
/* The values that a page has set: which are accepted, and the recipe's text with them. */
#ifndef TW_ENGINE_SERVE_VALUES_H
#define TW_ENGINE_SERVE_VALUES_H

#include "base/memory/bytes.h"

#include <jansson.h>
#include <stdbool.h>

/* What a page asks for, as JSON objects by path; NULL for what it left out. */
struct tw_serve_request {
    json_t *values, *was, *want;
    bool draft;
};
/* Parses the body of a POST. False if it is no such request, with the reason. */
bool tw_serve_request_read(const struct tw_bytes *body, struct tw_serve_request *request,
                           char why[200]);
void tw_serve_request_release(struct tw_serve_request *request);

/* Whether a text is a number, a number with its unit, or a word, of at most 40 bytes: none can be
 * anything but a scalar of YAML. */
bool tw_serve_is_scalar(const char *text);
/* Whether every path is that of a row that can be set, and every value a scalar. */
bool tw_serve_accepts(const json_t *rows, const json_t *values, char why[200]);

/* Appends the recipe's text with the values whose paths begin with `prefix`; `rows` has the rows by
 * path, for the defaults of lists, and may be NULL. Paths that do not fit become strings of
 * *misfits, unless that is NULL. */
enum tw_status tw_serve_patch(const struct tw_bytes *text, const json_t *values, const json_t *rows,
                              const char *prefix, struct tw_bytes *out, json_t *misfits,
                              struct tw_error *err);

#endif
