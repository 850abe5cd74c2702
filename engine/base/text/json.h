/* SPDX-License-Identifier: MIT */
/* Reads and writes JSON, whole or not at all. When memory is briefly short, jansson's json_dumps()
 * may omit a part yet succeed, and json_loads() may shorten a number or call the text invalid. */
#ifndef TW_ENGINE_BASE_TEXT_JSON_H
#define TW_ENGINE_BASE_TEXT_JSON_H

#include "base/memory/bytes.h"

#include <jansson.h>

/* Makes jansson use an allocator that counts its failures. This affects the whole process, so only
 * a program calls it, before it starts threads, and never a library. */
void tw_json_watch_memory(void);
/* Returns how many allocations have failed in this thread: if equal before and after, everything
 * built in between is whole. */
unsigned long tw_json_failures(void);
/* Returns a JSON string of any text, file names in no encoding included; NULL without memory. */
json_t *tw_json_text(const char *text);
/* Parses a text. TW_INPUT if it is not JSON, with the reason in `why` (may be NULL); TW_MEMORY if
 * memory was short, provided that tw_json_watch_memory() was called. *root is then NULL. */
enum tw_status tw_json_load(const void *text, size_t length, size_t flags, json_t **root,
                            json_error_t *why);
/* Appends the value's text to `out` and releases `root`; NULL means out of memory. */
enum tw_status tw_json_print(json_t *root, size_t flags, struct tw_bytes *out,
                             struct tw_error *err);

#endif
