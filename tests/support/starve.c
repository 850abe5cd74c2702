/* SPDX-License-Identifier: MIT */
#include "support/starve.h"

#include "support/call_paths.h"

#include "base/memory/arena.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* With --wrap=name the linker turns calls of name() into __wrap_name(), which may call
 * __real_name(). */
#define WRAP(type, name, ...)                                                                      \
    type __real_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__)

static atomic_bool armed, forever, failed, noting;
static atomic_long calls, fatal; /* allocations, and the first of them that fails */

void starve_begin(long which, bool ever)
{
    atomic_store(&calls, 0);
    atomic_store(&fatal, which);
    atomic_store(&forever, ever);
    atomic_store(&failed, false);
    atomic_store(&armed, true);
}

void starve_note(void)
{
    call_paths_begin();
    atomic_store(&noting, true);
    starve_begin(LONG_MAX, false);
}

bool starve_end(void)
{
    atomic_store(&armed, false);
    atomic_store(&noting, false);
    return atomic_load(&failed);
}

long starve_calls(void) { return atomic_load(&calls); }

static bool fails(void)
{
    if (!atomic_load(&armed))
        return false;
    long number = atomic_fetch_add(&calls, 1) + 1, first = atomic_load(&fatal);
    if (atomic_load(&noting))
        call_paths_note(number);
    if (number < first || (number > first && !atomic_load(&forever)))
        return false;
    atomic_store(&failed, true);
    return true;
}

WRAP(void *, malloc, size_t size) { return fails() ? NULL : __real_malloc(size); }

WRAP(void *, calloc, size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

WRAP(void *, realloc, void *block, size_t size)
{
    return fails() ? NULL : __real_realloc(block, size);
}

WRAP(int, posix_memalign, void **block, size_t alignment, size_t size)
{
    return fails() ? ENOMEM : __real_posix_memalign(block, alignment, size);
}

WRAP(char *, strdup, const char *text) { return fails() ? NULL : __real_strdup(text); }

/* Most blocks come from large pages that already exist, so without this few of them would ever
 * fail. */
WRAP(void *, tw_block_alloc, size_t bytes) { return fails() ? NULL : __real_tw_block_alloc(bytes); }

/* Tests write thousands of files and do not test power loss. */
WRAP(int, fsync, int file)
{
    (void)file;
    return 0;
}

/* An arena takes memory in large blocks, so without this few of its pieces would ever fail. */
WRAP(void *, tw_arena_alloc, struct tw_arena *arena, size_t count, size_t size)
{
    return fails() ? __real_tw_arena_alloc(arena, SIZE_MAX, 2)
                   : __real_tw_arena_alloc(arena, count, size);
}

WRAP(char *, tw_arena_copy, struct tw_arena *arena, const char *text, size_t length)
{
    return fails() ? __real_tw_arena_alloc(arena, SIZE_MAX, 2)
                   : __real_tw_arena_copy(arena, text, length);
}

WRAP(char *, tw_arena_print, struct tw_arena *arena, const char *format, ...)
{
    char text[8192];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert(length >= 0 && (size_t)length < sizeof text);
    return __wrap_tw_arena_copy(arena, text, (size_t)length);
}
