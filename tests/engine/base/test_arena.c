/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory/arena.h"

#include <string.h>

static bool is_zero(const unsigned char *at, size_t length)
{
    while (length > 0 && at[length - 1] == 0)
        length--;
    return length == 0;
}

/* Sizes around the alignment and the block size, so that many blocks are allocated. */
static void pieces_are_apart_zeroed_and_aligned(void **state)
{
    static const size_t sizes[] = {1, 15, 16, 17, 65535, 65536, 65537, 300000, 0, 3, 40000, 40000};
    enum { COUNT = sizeof sizes / sizeof *sizes };
    struct tw_arena arena = {0};
    unsigned char *at[COUNT];
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        at[i] = tw_arena_alloc(&arena, sizes[i], 1);
        assert_non_null(at[i]);
        assert_int_equal((uintptr_t)at[i] % 16, 0);
        assert_true(is_zero(at[i], sizes[i]));
        memset(at[i], i + 1, sizes[i]);
    }
    for (int i = 0; i < COUNT; i++)
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(at[i][k], i + 1);
    assert_false(arena.failed);
    tw_arena_release(&arena);
    assert_null(arena.blocks);
    tw_arena_release(&arena); /* nothing left to do */
}

static void a_size_that_overflows_fails_for_good(void **state)
{
    struct tw_arena arena = {0};
    (void)state;
    assert_null(tw_arena_alloc(&arena, SIZE_MAX / 2 + 1, 2));
    assert_true(arena.failed);
    arena.failed = false;
    assert_null(tw_arena_alloc(&arena, SIZE_MAX / 2 + 1, 1));
    assert_non_null(tw_arena_alloc(&arena, 1, 1));
    assert_true(arena.failed);
    tw_arena_release(&arena);
}

static void texts_are_kept(void **state)
{
    struct tw_arena arena = {0};
    char text[] = "hills/noise";
    (void)state;
    const char *part = tw_arena_copy(&arena, text, 5);
    const char *none = tw_arena_copy(&arena, text, 0);
    const char *printed = tw_arena_print(&arena, "%s has %d of %.1f", text, 3, 0.5);
    memset(text, 'x', sizeof text - 1);
    assert_string_equal(part, "hills");
    assert_string_equal(none, "");
    assert_string_equal(printed, "hills/noise has 3 of 0.5");
    tw_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_apart_zeroed_and_aligned),
        cmocka_unit_test(a_size_that_overflows_fails_for_good),
        cmocka_unit_test(texts_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
