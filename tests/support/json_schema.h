/* SPDX-License-Identifier: MIT */
/* The part of JSON Schema, draft-07, that our schemas use. */
#ifndef TW_TESTS_SUPPORT_JSON_SCHEMA_H
#define TW_TESTS_SUPPORT_JSON_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>

/* Whether `value` is as `schema`, a part of `root`, says; else `where` (200 bytes) is the path of
 * what is not. With `closed` a member that the schema does not name is a fault, too. A keyword that
 * is not known here fails the test. */
bool json_schema_holds(const json_t *root, const json_t *schema, const json_t *value, bool closed,
                       char *where);

#endif
