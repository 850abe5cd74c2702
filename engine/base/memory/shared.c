/* SPDX-License-Identifier: MIT */
#include "base/memory/shared.h"

#include <stdlib.h>

struct tw_shared *tw_shared_create(struct tw_bytes *bytes)
{
    struct tw_shared *shared = malloc(sizeof *shared);
    if (!shared)
        return NULL;
    *shared = (struct tw_shared){.bytes = *bytes};
    atomic_init(&shared->owners, 1);
    *bytes = (struct tw_bytes){0};
    return shared;
}

struct tw_shared *tw_shared_keep(struct tw_shared *shared)
{
    if (shared)
        atomic_fetch_add(&shared->owners, 1);
    return shared;
}

void tw_shared_release(struct tw_shared *shared)
{
    if (!shared || atomic_fetch_sub(&shared->owners, 1) > 1)
        return;
    free(shared->bytes.at);
    free(shared);
}
