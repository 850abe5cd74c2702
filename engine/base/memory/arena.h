/* SPDX-License-Identifier: MIT */
/* Memory that lives and dies together: a recipe's facts are made once, never changed, and released
 * in one go, so nothing in them owns anything. Zeroed on allocation. */
#ifndef TW_ENGINE_BASE_MEMORY_ARENA_H
#define TW_ENGINE_BASE_MEMORY_ARENA_H

#include <thalweg/status.h>

#include <stdbool.h>
#include <stddef.h>

struct tw_arena {
    struct tw_arena_block *blocks;
    bool failed; /* some allocation failed: what was built from it may lack a part */
};

/* `count * size` zeroed bytes, or NULL when there is no memory or the product overflows. */
void *tw_arena_alloc(struct tw_arena *arena, size_t count, size_t size);
char *tw_arena_copy(struct tw_arena *arena, const char *text, size_t length);
char *tw_arena_print(struct tw_arena *arena, const char *format, ...) TW_PRINTF(2, 3);
void tw_arena_release(struct tw_arena *arena);

#endif
