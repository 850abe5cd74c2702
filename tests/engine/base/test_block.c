/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/block.h"

#include <stdlib.h>
#include <string.h>

/* Small, around the first size with large pages, and no whole number of any page. */
static const size_t sizes[] = {
    0, 1, 63, 64, 4096, (4u << 20) - 1, 4u << 20, (4u << 20) + 1, (6u << 20) + 12345,
};

static void blocks_are_aligned_and_all_theirs(void **state)
{
    unsigned char *blocks[sizeof sizes / sizeof *sizes];
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        blocks[i] = i % 2 ? tw_block_alloc_sparse(sizes[i]) : tw_block_alloc(sizes[i]);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % 64, 0);
        memset(blocks[i], (int)i, sizes[i]);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t k = 0; k < sizes[i]; k += sizes[i] / 7 + 1)
            assert_int_equal(blocks[i][k], i);
        assert_true(sizes[i] == 0 || blocks[i][sizes[i] - 1] == i);
        free(blocks[i]);
    }
}

/* Those of large pages differ in the lines of the cache where they begin. */
static void blocks_beside_each_other_begin_at_other_lines(void **state)
{
    enum { COUNT = 40, BYTES = (2 << 20) + 100 };
    unsigned char *blocks[COUNT];
    void *bases[COUNT];
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        size_t bytes = i % 8 == 7 ? 100 : BYTES;
        blocks[i] = tw_block_alloc_staggered(bytes, i, &bases[i]);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % 64, 0);
        memset(blocks[i], i, bytes);
    }
    for (int i = 0; i < COUNT; i++) {
        assert_true(blocks[i][0] == i && blocks[i][99] == i);
        for (int k = 0; k < i && i < 32 && i % 8 != 7; k++)
            assert_true(k % 8 == 7 || (uintptr_t)blocks[i] % 4096 != (uintptr_t)blocks[k] % 4096);
    }
    for (int i = 0; i < COUNT; i++)
        free(bases[i]);
}

static void sizes_beyond_memory_are_refused(void **state)
{
    (void)state;
    void *base = NULL;
    assert_null(tw_block_alloc_staggered(SIZE_MAX, 3, &base));
    assert_null(tw_block_alloc_staggered(SIZE_MAX / 2, 3, &base));
    assert_null(tw_block_alloc_sparse(SIZE_MAX));
    assert_null(tw_block_alloc_sparse(SIZE_MAX / 2 + 1));
    assert_null(tw_block_alloc(SIZE_MAX));
    assert_null(tw_block_alloc(SIZE_MAX - 63));
    assert_null(tw_block_alloc(SIZE_MAX / 2 + 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_aligned_and_all_theirs),
        cmocka_unit_test(blocks_beside_each_other_begin_at_other_lines),
        cmocka_unit_test(sizes_beyond_memory_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
