/* SPDX-License-Identifier: MIT */
/* The bodies that a page fetches by their digest, within a bound: those unused for longest go
 * first, but never one that is on a page. Any thread may call these. */
#ifndef TW_ENGINE_SERVE_BODY_STORE_H
#define TW_ENGINE_SERVE_BODY_STORE_H

#include "base/memory/shared.h"

#include <stdbool.h>

#define TW_BODY_STORE_BYTES ((size_t)256 << 20)

struct tw_body_store;

struct tw_body_store *tw_body_store_create(size_t max_bytes); /* NULL when out of memory */
void tw_body_store_release(struct tw_body_store *store);

/* Adds a body by its path, as in v/0123..., unless it is there; takes over the bytes in any case.
 * False when out of memory. */
bool tw_body_store_add(struct tw_body_store *store, const char *path, struct tw_bytes *body);
/* Returns a reference, to be released; NULL if there is no such body. */
struct tw_shared *tw_body_store_find(struct tw_body_store *store, const char *path);
/* Whether it is there; it then counts as used. */
bool tw_body_store_has(struct tw_body_store *store, const char *path);
/* A body stays if it was pinned in the present turn or the one before. */
void tw_body_store_turn(struct tw_body_store *store);
void tw_body_store_pin(struct tw_body_store *store, const char *path);

#endif
