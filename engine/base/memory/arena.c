/* SPDX-License-Identifier: MIT */
/* A bump allocator over a list of blocks. */
#include "base/memory/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 64 * 1024, ALIGNMENT = 16 };

struct tw_arena_block {
    struct tw_arena_block *next;
    size_t used, size;
    _Alignas(ALIGNMENT) unsigned char at[];
};

static struct tw_arena_block *grow(struct tw_arena *arena, size_t bytes)
{
    size_t size = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
    struct tw_arena_block *block = calloc(1, sizeof *block + size);
    if (!block)
        return NULL;
    block->size = size;
    block->next = arena->blocks;
    arena->blocks = block;
    return block;
}

static void *take(struct tw_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2)
        return NULL;
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    struct tw_arena_block *block = arena->blocks;
    if (!block || block->size - block->used < bytes)
        block = grow(arena, bytes);
    if (!block)
        return NULL;
    void *at = block->at + block->used;
    block->used += bytes;
    return at;
}

void *tw_arena_alloc(struct tw_arena *arena, size_t count, size_t size)
{
    void *at = take(arena, count, size);
    arena->failed |= !at;
    return at;
}

char *tw_arena_copy(struct tw_arena *arena, const char *text, size_t length)
{
    char *copy = tw_arena_alloc(arena, length + 1, 1);
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}

char *tw_arena_print(struct tw_arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : tw_arena_alloc(arena, (size_t)length + 1, 1);
    if (!text)
        return NULL;
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

void tw_arena_release(struct tw_arena *arena)
{
    while (arena->blocks) {
        struct tw_arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}
