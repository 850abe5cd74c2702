/* SPDX-License-Identifier: MIT */
/* Blocks side by side in large pages: none overlaps another, whoever allocates and frees them in
 * whatever order; memory is used again, and given back. */
#include "base/memory/page_heap.h"
#include "support/churn.h"
#include "support/mapped.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { REGION = 16 << 20, PAGE = 4096 };

/* A generator of our own, since order matters and threads have one each. */
static uint32_t draw(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static size_t draw_size(uint32_t *state)
{
    const size_t few[] = {TW_PAGE_HEAP_LEAST,    TW_PAGE_HEAP_LEAST + 1, 1 << 20, 2 << 20,
                          TW_PAGE_HEAP_MOST - 1, TW_PAGE_HEAP_MOST};
    const uint32_t which = draw(state) % 12;
    return which < 6 ? few[which] : TW_PAGE_HEAP_LEAST + draw(state) % (1 << 20);
}

/* The block's ends and some bytes between them. */
static void mark(unsigned char *block, size_t bytes, unsigned char with)
{
    for (size_t i = 0; i < bytes; i += 1021)
        block[i] = with;
    block[bytes - 1] = with;
}

static bool is_marked(const unsigned char *block, size_t bytes, unsigned char with)
{
    bool whole = block[bytes - 1] == with;
    for (size_t i = 0; i < bytes; i += 1021)
        whole = whole && block[i] == with;
    return whole;
}

/* Returns how many blocks were not as they had been marked, or not where they should begin. */
static uintptr_t churn(uintptr_t seed)
{
    enum { BLOCKS = 40, STEPS = 3000 };
    struct {
        unsigned char *at;
        size_t bytes;
    } blocks[BLOCKS] = {0};
    uint32_t state = (uint32_t)seed;
    uintptr_t faults = 0;
    for (int step = 0; step < STEPS; step++) {
        const unsigned i = draw(&state) % BLOCKS;
        const unsigned char with = (unsigned char)(i + BLOCKS * seed);
        if (blocks[i].at) {
            faults += !is_marked(blocks[i].at, blocks[i].bytes, with);
            tw_page_heap_free(blocks[i].at);
            blocks[i].at = NULL;
            continue;
        }
        blocks[i].bytes = draw_size(&state);
        size_t fresh;
        blocks[i].at = tw_page_heap_alloc(blocks[i].bytes, &fresh);
        if (step % 100 == 0)
            (void)tw_page_heap_drop(fresh);
        faults +=
            !blocks[i].at || (uintptr_t)blocks[i].at % TW_PAGE_HEAP_STEP != TW_PAGE_HEAP_START;
        if (blocks[i].at)
            mark(blocks[i].at, blocks[i].bytes, with);
    }
    for (int i = 0; i < BLOCKS; i++)
        if (blocks[i].at)
            tw_page_heap_free(blocks[i].at);
    return faults;
}

static void blocks_of_several_threads_do_not_overlap(void **state)
{
    (void)state;
    churn_in_threads(churn);
}

/* Maps of 512 squared: as many as fit a region less its record, and each at other cache lines. */
static void maps_lie_side_by_side(void **state)
{
    enum { COUNT = 15, BYTES = 1 << 20 };
    unsigned char *maps[COUNT];
    size_t fresh;
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        maps[i] = tw_page_heap_alloc(BYTES, &fresh);
        assert_non_null(maps[i]);
        assert_int_equal((uintptr_t)maps[i] / REGION, (uintptr_t)maps[0] / REGION);
        for (int k = 0; k < i; k++)
            assert_int_not_equal((uintptr_t)maps[i] % PAGE, (uintptr_t)maps[k] % PAGE);
    }
    for (int i = 0; i < COUNT; i++)
        tw_page_heap_free(maps[i]);
}

/* So that less is touched. */
static void the_first_hole_that_suffices_is_used_again(void **state)
{
    enum { BYTES = 1 << 20 };
    size_t fresh;
    unsigned char *a = tw_page_heap_alloc(BYTES, &fresh), *b = tw_page_heap_alloc(BYTES, &fresh);
    unsigned char *c = tw_page_heap_alloc(BYTES, &fresh);
    (void)state;
    assert_true(a < b && b < c);
    tw_page_heap_free(a);
    unsigned char *wide = tw_page_heap_alloc(BYTES + 2 * PAGE, &fresh);
    assert_true(wide > c);
    unsigned char *narrow = tw_page_heap_alloc(BYTES / 2, &fresh);
    assert_true(narrow < b);
    assert_int_equal(fresh, 0);
    tw_page_heap_free(b);
    tw_page_heap_free(c);
    tw_page_heap_free(wide);
    tw_page_heap_free(narrow);
}

/* Of new memory as much is dropped as is asked for, or all; what a block is in stays. */
static void pages_without_a_block_go_back(void **state)
{
    enum { COUNT = 40, LARGE = 2 << 20, SLACK = 1 << 20 };
    unsigned char *blocks[COUNT];
    size_t fresh, all = 0;
    (void)state;
    (void)tw_page_heap_drop(SIZE_MAX);
    const long before = mapped_bytes();
    for (int i = 0; i < COUNT; i++) {
        blocks[i] = tw_page_heap_alloc(TW_PAGE_HEAP_MOST, &fresh);
        assert_non_null(blocks[i]);
        all += fresh;
        mark(blocks[i], TW_PAGE_HEAP_MOST, (unsigned char)i);
    }
    assert_in_range(all, (size_t)COUNT * TW_PAGE_HEAP_MOST, (size_t)COUNT * 3 * LARGE);
    assert_int_equal(tw_page_heap_drop(SIZE_MAX), 0);
    for (int i = 1; i < COUNT; i++)
        tw_page_heap_free(blocks[i]);
    assert_int_equal(tw_page_heap_drop(1), LARGE);
    assert_int_equal(tw_page_heap_drop(3 * LARGE), 3 * LARGE);
    const size_t rest = tw_page_heap_drop(SIZE_MAX);
    assert_in_range(rest, all - 4 * LARGE - 4 * LARGE, all - 4 * LARGE);
    assert_true(is_marked(blocks[0], TW_PAGE_HEAP_MOST, 0));
    tw_page_heap_free(blocks[0]);
    assert_true(tw_page_heap_drop(SIZE_MAX) > 0);
    if (before >= 0)
        assert_true(mapped_bytes() < before + SLACK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_lie_side_by_side),
        cmocka_unit_test(the_first_hole_that_suffices_is_used_again),
        cmocka_unit_test(pages_without_a_block_go_back),
        cmocka_unit_test(blocks_of_several_threads_do_not_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
