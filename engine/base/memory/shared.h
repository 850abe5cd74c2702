/* SPDX-License-Identifier: MIT */
/* Bytes that never change and that several own, threads too: the last owner frees them. */
#ifndef TW_ENGINE_BASE_MEMORY_SHARED_H
#define TW_ENGINE_BASE_MEMORY_SHARED_H

#include "base/memory/bytes.h"

struct tw_shared {
    struct tw_bytes bytes; /* read only */
    atomic_int owners;
};

/* Takes the bytes, which are {0} afterwards, for a single owner. NULL without memory: then the
 * bytes are still the caller's. */
struct tw_shared *tw_shared_create(struct tw_bytes *bytes);
/* One owner more, to be released as well; NULL gives NULL. */
struct tw_shared *tw_shared_keep(struct tw_shared *shared);
/* NULL is nothing. */
void tw_shared_release(struct tw_shared *shared);

#endif
