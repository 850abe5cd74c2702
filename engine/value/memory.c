/* SPDX-License-Identifier: MIT */
#include "value/memory.h"

#include <inttypes.h>
#include <stdio.h>

static void note_greatest(struct tw_memory *memory, uint64_t used)
{
    uint64_t greatest = atomic_load_explicit(&memory->greatest, memory_order_relaxed);
    while (greatest < used && !atomic_compare_exchange_weak(&memory->greatest, &greatest, used))
        continue;
}

bool tw_memory_take_spare(struct tw_memory *memory, uint64_t bytes)
{
    uint64_t before = atomic_load_explicit(&memory->used, memory_order_relaxed);
    do {
        if (memory->limit > 0 && (before > memory->limit || bytes > memory->limit - before))
            return false;
    } while (!atomic_compare_exchange_weak(&memory->used, &before, before + bytes));
    note_greatest(memory, before + bytes);
    return true;
}

/* Returns how far beyond the limit `bytes` more would be. */
static uint64_t excess(const struct tw_memory *memory, uint64_t bytes)
{
    uint64_t used = atomic_load_explicit(&memory->used, memory_order_relaxed);
    if (memory->limit == 0 || (used <= memory->limit && bytes <= memory->limit - used))
        return 0;
    return used + bytes - memory->limit;
}

void tw_memory_reclaim(struct tw_memory *memory, uint64_t bytes)
{
    uint64_t beyond = excess(memory, bytes);
    if (beyond > 0 && memory->reclaim)
        (void)memory->reclaim(memory->context, beyond);
}

/* A request that no limit could hold reclaims nothing. */
bool tw_memory_take(struct tw_memory *memory, uint64_t bytes)
{
    while (!tw_memory_take_spare(memory, bytes)) {
        uint64_t beyond = excess(memory, bytes);
        if (bytes > memory->limit || !memory->reclaim ||
            (beyond > 0 && !memory->reclaim(memory->context, beyond)))
            return false;
    }
    return true;
}

void tw_memory_return(struct tw_memory *memory, uint64_t bytes)
{
    /* An absurdly large block may have wrapped the sum; this unwraps it. */
    atomic_fetch_sub(&memory->used, bytes);
}

uint64_t tw_memory_bytes(const struct tw_value *value)
{
    return (uint64_t)tw_value_count(value) * tw_type_size(value->type);
}

void tw_memory_add(struct tw_memory *memory, uint64_t bytes)
{
    note_greatest(memory, atomic_fetch_add(&memory->used, bytes) + bytes);
}

enum tw_status tw_memory_alloc(struct tw_memory *memory, struct tw_value *value, enum tw_type type,
                               int32_t width, int32_t height, struct tw_error *err)
{
    size_t bytes = 0;
    bool counted = tw_field_bytes(type, width, height, &bytes); /* else the allocation reports it */
    if (counted && !tw_memory_take(memory, bytes))
        return tw_error_set(err, TW_LIMIT, "a %s of %" PRIu64 " MiB exceeds the memory limit of %s",
                            tw_type_name(type), ((uint64_t)bytes + 1048575) >> 20,
                            tw_memory_limit_text(memory->limit).text);
    enum tw_status status = tw_field_alloc(value, type, width, height, err);
    if (status != TW_OK && counted)
        tw_memory_return(memory, bytes);
    return status;
}

void tw_memory_clear(struct tw_memory *memory, struct tw_value *value)
{
    if (value->data)
        tw_memory_return(memory, tw_memory_bytes(value));
    tw_field_clear(value);
}

struct tw_limit_text tw_memory_limit_text(uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB"};
    const int unit = bytes >> 20 ? 2 : bytes >> 10 ? 1 : 0;
    struct tw_limit_text limit;
    snprintf(limit.text, sizeof limit.text, "%" PRIu64 " %s", bytes >> (10 * unit), units[unit]);
    return limit;
}
