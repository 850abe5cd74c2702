/* SPDX-License-Identifier: MIT */
/* JSON from text and as text, whole or not at all. When memory is short for a moment, jansson's own
 * json_dumps() may leave out a part and call that a success, and json_loads() may shorten a number
 * or call the text invalid. */
#ifndef TW_ENGINE_BASE_TEXT_JSON_H
#define TW_ENGINE_BASE_TEXT_JSON_H

#include "base/memory/bytes.h"

#include <jansson.h>

/* Gives jansson an allocation that counts its failures. All of the process is concerned, so a
 * program calls it, before it starts threads, and no library. */
void tw_json_watch_memory(void);
/* How often memory was short in this thread since then: equal before and after, all that was built
 * in between is whole. */
unsigned long tw_json_failures(void);
/* A JSON string of any text, file names in no encoding included; NULL without memory. */
json_t *tw_json_text(const char *text);
/* The value of a text. TW_INPUT when it is not JSON, which `why` (may be NULL) describes; TW_MEMORY
 * when memory was short on the way, if tw_json_watch_memory() was called. *root is NULL then. */
enum tw_status tw_json_load(const void *text, size_t length, size_t flags, json_t **root,
                            json_error_t *why);
/* Appends the text to `out` and releases `root`; NULL counts as lack of memory. */
enum tw_status tw_json_print(json_t *root, size_t flags, struct tw_bytes *out,
                             struct tw_error *err);

#endif
