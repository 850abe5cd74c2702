/* SPDX-License-Identifier: MIT */
/* Validates the part of JSON Schema, draft-07, that our schemas use. */
#ifndef TW_TESTS_SUPPORT_JSON_SCHEMA_H
#define TW_TESTS_SUPPORT_JSON_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>

/* Whether `value` satisfies `schema`, a part of `root`; if not, `where` (200 bytes) holds the path
 * of the offending value. With `closed` members that the schema does not name are faults too. An
 * unknown keyword fails the test. */
bool json_schema_holds(const json_t *root, const json_t *schema, const json_t *value, bool closed,
                       char *where);

#endif
