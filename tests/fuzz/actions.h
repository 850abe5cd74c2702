/* SPDX-License-Identifier: MIT */
/* What holds for every action that the store gives, whatever its files say. */
#ifndef TW_TESTS_FUZZ_ACTIONS_H
#define TW_TESTS_FUZZ_ACTIONS_H

#include "cache/store_private.h"

#include <stdlib.h>
#include <string.h>

static inline void fuzz_check_action(struct tw_store *store, const struct tw_action *action)
{
    if (action->count < 0 || action->count > TW_PORTS_MAX || action->held >> action->count != 0 ||
        !(action->seconds >= 0))
        abort();
    for (int32_t i = 0; i < action->count; i++) {
        size_t bytes;
        const struct tw_stamp *stamp = &action->outputs[i];
        if (!(action->held >> i & 1))
            continue;
        if (!tw_field_bytes(stamp->type, stamp->width, stamp->height, &bytes))
            abort();
        (void)tw_store_has(store, stamp);
    }
}

static inline bool fuzz_same_action(const struct tw_action *a, const struct tw_action *b)
{
    bool same = a->count == b->count && a->held == b->held && a->seconds == b->seconds;
    for (int32_t i = 0; same && i < a->count; i++) {
        const struct tw_stamp *x = &a->outputs[i], *y = &b->outputs[i];
        same = x->type == y->type && x->width == y->width && x->height == y->height &&
               memcmp(&x->digest, &y->digest, sizeof x->digest) == 0 &&
               memcmp(&x->content, &y->content, sizeof x->content) == 0;
    }
    return same;
}

static inline void fuzz_put_check(uint8_t *file, size_t size)
{
    uint64_t check = tw_hash64(file, size - 8, 0);
    for (size_t i = 0; i < 8; i++)
        file[size - 8 + i] = (uint8_t)(check >> (8 * i));
}

static inline uint32_t fuzz_get_u32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

#endif
