/* SPDX-License-Identifier: MIT */
/* Large blocks: none overlaps another, memory is used again by blocks that are as large, and given
 * back. */
#include "base/memory/extent.h"
#include "support/churn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { MIB = 1 << 20, LARGE = 2 * MIB };

static void a_block_of_the_same_size_takes_what_is_idle(void **state)
{
    const size_t bytes = 5 * MIB + 123;
    size_t fresh;
    (void)state;
    (void)tw_extent_drop(SIZE_MAX);
    unsigned char *first = tw_extent_alloc(bytes, &fresh);
    assert_non_null(first);
    assert_in_range(fresh, bytes, bytes + LARGE);
    memset(first, 1, bytes);
    unsigned char *other = tw_extent_alloc(bytes, &fresh);
    assert_in_range(fresh, bytes, bytes + LARGE);
    memset(other, 2, bytes);
    tw_extent_free(first);

    unsigned char *smaller = tw_extent_alloc(bytes - 2 * LARGE, &fresh);
    assert_true(fresh > 0 && smaller != first);
    unsigned char *again = tw_extent_alloc(bytes - 1000, &fresh);
    assert_ptr_equal(again, first);
    assert_int_equal(fresh, 0);
    assert_int_equal(again[0], 1);
    assert_int_equal(other[bytes - 1], 2);
    tw_extent_free(again);
    tw_extent_free(other);
    tw_extent_free(smaller);
}

/* The rest of the last large page is asked for when a block takes it. */
static void a_longer_block_says_what_is_fresh(void **state)
{
    size_t fresh;
    (void)state;
    (void)tw_extent_drop(SIZE_MAX);
    unsigned char *block = tw_extent_alloc(4 * MIB + MIB / 2, &fresh);
    tw_extent_free(block);
    unsigned char *longer = tw_extent_alloc(5 * MIB, &fresh);
    assert_ptr_equal(longer, block);
    assert_int_equal(fresh, MIB / 2);
    memset(longer, 3, 5 * MIB);
    tw_extent_free(longer);
}

static void spans_without_a_block_go_back(void **state)
{
    enum { COUNT = 5 };
    unsigned char *blocks[COUNT];
    size_t fresh;
    (void)state;
    (void)tw_extent_drop(SIZE_MAX);
    for (int i = 0; i < COUNT; i++) {
        blocks[i] = tw_extent_alloc(8 * MIB, &fresh);
        assert_non_null(blocks[i]);
    }
    assert_int_equal(tw_extent_drop(SIZE_MAX), 0);
    for (int i = 0; i < COUNT; i++)
        tw_extent_free(blocks[i]);
    assert_int_equal(tw_extent_drop(0), 0);
    assert_in_range(tw_extent_drop(1), 8 * MIB, 8 * MIB + LARGE);
    assert_in_range(tw_extent_drop(9 * MIB), 16 * MIB, 16 * MIB + 2 * LARGE);
    assert_in_range(tw_extent_drop(SIZE_MAX), 16 * MIB, 16 * MIB + 2 * LARGE);
    assert_int_equal(tw_extent_drop(SIZE_MAX), 0);
}

/* Returns how many blocks did not hold what was written. */
static uintptr_t churn(uintptr_t seed)
{
    enum { STEPS = 200, BLOCKS = 4 };
    struct {
        unsigned char *at;
        size_t bytes;
    } blocks[BLOCKS] = {0};
    uintptr_t faults = 0;
    for (uintptr_t step = 0; step < STEPS; step++) {
        const uintptr_t i = (step * 7 + seed) % BLOCKS;
        const unsigned char with = (unsigned char)(16 * seed + i);
        size_t fresh;
        if (blocks[i].at) {
            faults += blocks[i].at[0] != with || blocks[i].at[blocks[i].bytes - 1] != with;
            tw_extent_free(blocks[i].at);
        }
        blocks[i].bytes = (size_t)4 * MIB + step % 3 * MIB;
        blocks[i].at = tw_extent_alloc(blocks[i].bytes, &fresh);
        blocks[i].at[0] = blocks[i].at[blocks[i].bytes - 1] = with;
        if (step % 10 == 0)
            (void)tw_extent_drop(fresh);
    }
    for (int i = 0; i < BLOCKS; i++)
        if (blocks[i].at)
            tw_extent_free(blocks[i].at);
    return faults;
}

static void blocks_of_several_threads_do_not_overlap(void **state)
{
    (void)state;
    churn_in_threads(churn);
}

static void what_is_beyond_memory_is_refused(void **state)
{
    size_t fresh;
    (void)state;
    assert_null(tw_extent_alloc(SIZE_MAX, &fresh));
    assert_null(tw_extent_alloc(SIZE_MAX / 2 + 1, &fresh));
    assert_null(tw_extent_alloc(SIZE_MAX / 4, &fresh));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_of_the_same_size_takes_what_is_idle),
        cmocka_unit_test(a_longer_block_says_what_is_fresh),
        cmocka_unit_test(spans_without_a_block_go_back),
        cmocka_unit_test(blocks_of_several_threads_do_not_overlap),
        cmocka_unit_test(what_is_beyond_memory_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
