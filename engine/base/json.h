/* SPDX-License-Identifier: MIT */
/* JSON as text, whole or not at all. jansson's own json_dumps() may leave out a part and call that
 * a success when memory was short for a moment. */
#ifndef TW_ENGINE_BASE_JSON_H
#define TW_ENGINE_BASE_JSON_H

#include "base/bytes.h"

#include <jansson.h>

/* Appends the text to `out` and releases `root`; NULL counts as lack of memory. */
enum tw_status tw_json_print(json_t *root, size_t flags, struct tw_bytes *out,
                             struct tw_error *err);

#endif
