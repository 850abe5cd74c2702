/* SPDX-License-Identifier: MIT */
/* What a run holds at this moment in values, scratch and decoded files, and its limit. Any thread.
 * Forecasts (graph/plan.h) keep a run within its limit; this refuses what they missed. */
#ifndef TW_ENGINE_RUN_MEMORY_H
#define TW_ENGINE_RUN_MEMORY_H

#include "field/field.h"

#include <stdatomic.h>

struct tw_memory {
    uint64_t limit;            /* bytes; 0: no limit */
    _Atomic uint64_t used;     /* bytes now */
    _Atomic uint64_t greatest; /* bytes at any one time so far */
};

/* Counts bytes that are about to be allocated; false, and nothing counted, beyond the limit. */
bool tw_memory_take(struct tw_memory *memory, uint64_t bytes);
void tw_memory_return(struct tw_memory *memory, uint64_t bytes);

/* Counts a value that is there already, whatever the limit: what follows is refused. */
void tw_memory_add(struct tw_memory *memory, const struct tw_value *value);

/* tw_field_alloc() with its bytes counted: TW_LIMIT beyond the limit. */
enum tw_status tw_memory_alloc(struct tw_memory *memory, struct tw_value *value, enum tw_type type,
                               int32_t width, int32_t height, struct tw_error *err);
/* tw_field_clear() of a value whose bytes were counted. */
void tw_memory_clear(struct tw_memory *memory, struct tw_value *value);

#endif
