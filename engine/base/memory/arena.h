/* SPDX-License-Identifier: MIT */
/* Memory released all at once: a recipe's facts are created once, never change and go together, so
 * none of them owns anything. Allocations are zeroed. */
#ifndef TW_ENGINE_BASE_MEMORY_ARENA_H
#define TW_ENGINE_BASE_MEMORY_ARENA_H

#include <thalweg/status.h>

#include <stdbool.h>
#include <stddef.h>

struct tw_arena {
    struct tw_arena_block *blocks;
    bool failed; /* an allocation failed: what was built from the arena may be incomplete */
};

/* Returns `count * size` zeroed bytes, or NULL when out of memory or the product overflows. */
void *tw_arena_alloc(struct tw_arena *arena, size_t count, size_t size);
char *tw_arena_copy(struct tw_arena *arena, const char *text, size_t length);
char *tw_arena_print(struct tw_arena *arena, const char *format, ...) TW_PRINTF(2, 3);
void tw_arena_release(struct tw_arena *arena);

#endif
