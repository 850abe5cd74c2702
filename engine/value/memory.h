/* SPDX-License-Identifier: MIT */
/* Counts what a run holds in values, scratch and decoded files, against its limit. Any thread.
 * Forecasts (graph/plan.h) plan a run within its limit; this refuses whatever they missed, after
 * reclaiming what is kept for later runs. */
#ifndef TW_ENGINE_VALUE_MEMORY_H
#define TW_ENGINE_VALUE_MEMORY_H

#include "value/field.h"

#include <stdatomic.h>

struct tw_memory {
    uint64_t limit;            /* bytes; 0: no limit */
    _Atomic uint64_t used;     /* bytes held now */
    _Atomic uint64_t greatest; /* peak number of bytes */
    /* Frees at least that many bytes, or all that can be reclaimed; false if that is nothing. NULL:
     * nothing can be reclaimed. */
    bool (*reclaim)(void *context, uint64_t bytes);
    void *context;
};

/* Counts bytes about to be allocated; false, and nothing counted, beyond the limit. */
bool tw_memory_take(struct tw_memory *memory, uint64_t bytes);
/* Counts bytes about to be allocated if that needs no reclaiming; else false. */
bool tw_memory_take_spare(struct tw_memory *memory, uint64_t bytes);
/* Reclaims memory so that `bytes` more can be taken. */
void tw_memory_reclaim(struct tw_memory *memory, uint64_t bytes);
void tw_memory_return(struct tw_memory *memory, uint64_t bytes);

/* Returns the bytes of a value's elements. */
uint64_t tw_memory_bytes(const struct tw_value *value);
/* Counts bytes already allocated, even beyond the limit; later requests are refused. */
void tw_memory_add(struct tw_memory *memory, uint64_t bytes);

/* Allocates as tw_field_alloc() does and counts the bytes: TW_LIMIT beyond the limit. */
enum tw_status tw_memory_alloc(struct tw_memory *memory, struct tw_value *value, enum tw_type type,
                               int32_t width, int32_t height, struct tw_error *err);
/* Clears a counted value as tw_field_clear() does and uncounts its bytes. */
void tw_memory_clear(struct tw_memory *memory, struct tw_value *value);

/* A limit as text: whole MiB, as in "12 MiB", or else KiB or bytes. */
struct tw_limit_text {
    char text[24];
};
struct tw_limit_text tw_memory_limit_text(uint64_t bytes);

#endif
