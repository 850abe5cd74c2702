/* SPDX-License-Identifier: MIT */
/* Immutable bytes with several owners, possibly on several threads; the last owner frees them. */
#ifndef TW_ENGINE_BASE_MEMORY_SHARED_H
#define TW_ENGINE_BASE_MEMORY_SHARED_H

#include "base/memory/bytes.h"

struct tw_shared {
    struct tw_bytes bytes; /* read only */
    atomic_int owners;
};

/* Takes over the bytes, leaving {0}, for a single owner. NULL when out of memory: the caller then
 * keeps the bytes. */
struct tw_shared *tw_shared_create(struct tw_bytes *bytes);
/* Adds an owner, which must release it as well; NULL gives NULL. */
struct tw_shared *tw_shared_keep(struct tw_shared *shared);
/* Ignores NULL. */
void tw_shared_release(struct tw_shared *shared);

#endif
