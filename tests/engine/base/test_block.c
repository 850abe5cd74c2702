/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* mincore */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory/block.h"
#include "support/mapped.h"
#include "support/sanitized.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

/* Small, around the least and the largest that share large pages, no whole number of any page. */
static const size_t sizes[] = {
    0,
    1,
    63,
    64,
    4096,
    (32u << 10) - 1,
    32u << 10,
    1 << 20,
    (2u << 20),
    (4u << 20) - 1,
    4u << 20,
    (4u << 20) + 1,
    (6u << 20) + 12345,
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
        tw_block_free(blocks[i]);
    }
    tw_block_free(NULL);
}

/* Or they would share a few sets of the cache; and all of them but a little lies in large pages. */
static void large_blocks_begin_at_other_lines_near_a_large_page(void **state)
{
    enum { COUNT = 32, PAGE = 2 << 20, LEAST = 4 << 20, NEAR = 32 * 5000 };
    unsigned char *blocks[COUNT];
    (void)state;
    tw_block_trim();
    if (SANITIZED) /* all may be small then */
        skip();
    for (int i = 0; i < COUNT; i++) {
        blocks[i] = tw_block_alloc(LEAST + (size_t)i * 4);
        assert_non_null(blocks[i]);
        assert_true((uintptr_t)blocks[i] % PAGE < NEAR);
        for (int k = 0; k < i; k++)
            assert_int_not_equal((uintptr_t)blocks[i] % 4096, (uintptr_t)blocks[k] % 4096);
    }
    for (int i = 0; i < COUNT; i++)
        tw_block_free(blocks[i]);
}

/* Or whoever allocates a map would clear pages that another thread writes. Blocks above 32 MiB are
 * always new memory. */
static void large_blocks_take_no_memory_until_they_are_written(void **state)
{
    enum { BYTES = 64 << 20, PAGE = 4096 };
    unsigned char *block = tw_block_alloc(BYTES), taken = 1;
    (void)state;
    assert_non_null(block);
    void *page = block - (uintptr_t)block % PAGE;
    assert_int_equal(mincore(page, PAGE, &taken), 0);
    assert_true(SANITIZED || !(taken & 1));
    block[0] = 1;
    assert_int_equal(mincore(page, PAGE, &taken), 0);
    assert_true(taken & 1);
    tw_block_free(block);
}

/* What is kept for other blocks is given up for one that finds no address space. */
static void what_is_kept_makes_way(void **state)
{
    enum { COUNT = 3, BYTES = 64 << 20, LARGER = 150 << 20, SPARE = 16 << 20 };
    unsigned char *blocks[COUNT];
    struct rlimit before, tight;
    (void)state;
    if (SANITIZED) /* takes address space without end */
        skip();
    tw_block_trim();
    for (int i = 0; i < COUNT; i++)
        assert_non_null(blocks[i] = tw_block_alloc(BYTES));
    for (int i = 0; i < COUNT; i++)
        tw_block_free(blocks[i]);
    const long taken = mapped_bytes();
    if (taken < 0)
        skip();
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    tight = (struct rlimit){(rlim_t)taken + SPARE, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &tight), 0);
    unsigned char *larger = tw_block_alloc(LARGER);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_non_null(larger);
    tw_block_free(larger);
}

/* Its contents come along when it moves to large pages. */
static void a_buffer_keeps_what_is_used_when_it_grows(void **state)
{
    enum { USED = 300000 };
    unsigned char *buffer = NULL;
    size_t used = 0;
    (void)state;
    for (size_t bytes = 1000; bytes < 20u << 20; bytes *= 3) {
        buffer = tw_block_grow(buffer, used, bytes);
        assert_non_null(buffer);
        for (size_t i = 0; i < used; i++)
            assert_int_equal(buffer[i], i % 251);
        used = bytes < USED ? bytes : USED;
        for (size_t i = 0; i < used; i++)
            buffer[i] = (unsigned char)(i % 251);
        buffer[bytes - 1] = (unsigned char)((bytes - 1) % 251);
    }
    free(buffer);
}

static void sizes_beyond_memory_are_refused(void **state)
{
    unsigned char kept = 7;
    (void)state;
    assert_null(tw_block_grow(&kept, 1, SIZE_MAX));
    assert_int_equal(kept, 7);
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
        cmocka_unit_test(large_blocks_begin_at_other_lines_near_a_large_page),
        cmocka_unit_test(large_blocks_take_no_memory_until_they_are_written),
        cmocka_unit_test(what_is_kept_makes_way),
        cmocka_unit_test(a_buffer_keeps_what_is_used_when_it_grows),
        cmocka_unit_test(sizes_beyond_memory_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
