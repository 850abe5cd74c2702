/* SPDX-License-Identifier: MIT */
/* Values as a page takes them: grids in few bytes, pictures, thumbnails, and facts about them. */
#ifndef TW_ENGINE_SERVE_SHOWN_VALUE_H
#define TW_ENGINE_SERVE_SHOWN_VALUE_H

#include "serve/body_store.h"
#include "value/field.h"

#include <jansson.h>

/* A page's name for the type: "heightmap", "mask", "labels", "image", "record" or "other". */
const char *tw_shown_kind(enum tw_type type);
/* Puts the value's bodies into the store under this digest; *facts gets the members of a view that
 * follow from the value. */
enum tw_status tw_shown_value(const struct tw_value *value, const char *digest,
                              struct tw_body_store *store, json_t **facts, struct tw_error *err);
/* Whether the store still has the bodies that the facts name. Pins them if so. */
bool tw_shown_is_there(const char *digest, const json_t *facts, struct tw_body_store *store);
/* A record's entries by name; NULL without memory. */
json_t *tw_shown_entries(const struct tw_value *record);

#endif
