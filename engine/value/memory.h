/* SPDX-License-Identifier: MIT */
/* What a run holds at this moment in values, scratch and decoded files, and its limit. Any thread.
 * Forecasts (graph/plan.h) keep a run within its limit; this refuses what they missed, after what
 * is kept for later runs has been given up. */
#ifndef TW_ENGINE_VALUE_MEMORY_H
#define TW_ENGINE_VALUE_MEMORY_H

#include "value/field.h"

#include <stdatomic.h>

struct tw_memory {
    uint64_t limit;            /* bytes; 0: no limit */
    _Atomic uint64_t used;     /* bytes now */
    _Atomic uint64_t greatest; /* bytes at any one time so far */
    /* Frees at least so many bytes, or all that can be given up; false when that is nothing. NULL:
     * there is nothing to give up. */
    bool (*reclaim)(void *context, uint64_t bytes);
    void *context;
};

/* Counts bytes that are about to be allocated; false, and nothing counted, beyond the limit. */
bool tw_memory_take(struct tw_memory *memory, uint64_t bytes);
/* The same when that takes no reclaiming. */
bool tw_memory_take_spare(struct tw_memory *memory, uint64_t bytes);
/* Reclaims what stands in the way of `bytes` that follow. */
void tw_memory_reclaim(struct tw_memory *memory, uint64_t bytes);
void tw_memory_return(struct tw_memory *memory, uint64_t bytes);

/* Of the elements of a value. */
uint64_t tw_memory_bytes(const struct tw_value *value);
/* Counts bytes that are taken already, whatever the limit: what follows is refused. */
void tw_memory_add(struct tw_memory *memory, uint64_t bytes);

/* tw_field_alloc() with its bytes counted: TW_LIMIT beyond the limit. */
enum tw_status tw_memory_alloc(struct tw_memory *memory, struct tw_value *value, enum tw_type type,
                               int32_t width, int32_t height, struct tw_error *err);
/* tw_field_clear() of a value whose bytes were counted. */
void tw_memory_clear(struct tw_memory *memory, struct tw_value *value);

/* A limit in words: whole MiB, "12 MiB", or where there is none KiB or bytes. */
struct tw_limit_text {
    char text[24];
};
struct tw_limit_text tw_memory_limit_text(uint64_t bytes);

#endif
