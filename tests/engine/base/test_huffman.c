/* SPDX-License-Identifier: MIT */
/* Codes of limited length: complete, no code the beginning of another, rare symbols the longest. */
#include "base/huffman.h"

#include "support/harness.h"

#include <string.h>

enum { LIMIT = 15 };

/* Kraft's sum in units of 2^-15. */
static uint32_t kraft(const unsigned char *lengths, int count)
{
    uint32_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += lengths[i] > 0 ? 1u << (LIMIT - lengths[i]) : 0;
    return sum;
}

static void check(const uint32_t *counts, int count, int limit)
{
    unsigned char lengths[TW_HUFFMAN_SYMBOLS_MAX];
    uint16_t codes[TW_HUFFMAN_SYMBOLS_MAX];
    tw_huffman_lengths(counts, count, limit, lengths);
    tw_huffman_codes(lengths, count, codes);
    assert_int_equal(kraft(lengths, count), 1u << LIMIT);
    for (int i = 0; i < count; i++) {
        assert_int_equal(lengths[i] > 0, counts[i] > 0);
        assert_true(lengths[i] <= limit);
        for (int k = 0; k < count; k++) {
            if (counts[i] > 0 && counts[i] < counts[k])
                assert_true(lengths[i] >= lengths[k]);
            if (i != k && lengths[i] > 0 && lengths[i] <= lengths[k])
                assert_true((codes[k] & ((1u << lengths[i]) - 1)) != codes[i]);
        }
    }
}

static void codes_are_complete_and_unique(void **state)
{
    uint32_t counts[TW_HUFFMAN_SYMBOLS_MAX] = {3, 0, 3, 1};
    (void)state;
    check(counts, 4, LIMIT);
    for (uint32_t i = 0; i < TW_HUFFMAN_SYMBOLS_MAX; i++)
        counts[i] = i * 2654435761u >> 20;
    check(counts, TW_HUFFMAN_SYMBOLS_MAX, LIMIT);
    check(counts, 100, 7);
    check((const uint32_t[]){5, 1}, 2, 1);
}

/* Fibonacci's numbers give the deepest tree. */
static void lengths_are_limited(void **state)
{
    uint32_t counts[30] = {1, 1};
    (void)state;
    for (int i = 2; i < 30; i++)
        counts[i] = counts[i - 1] + counts[i - 2];
    for (int limit = 5; limit <= LIMIT; limit++)
        check(counts, 30, limit);
}

static void powers_of_two_take_their_logarithms(void **state)
{
    const uint32_t counts[] = {1, 1, 2, 4, 8, 16};
    const unsigned char expected[] = {5, 5, 4, 3, 2, 1};
    unsigned char lengths[6];
    (void)state;
    tw_huffman_lengths(counts, 6, LIMIT, lengths);
    assert_memory_equal(lengths, expected, 6);
}

static void one_symbol_takes_a_bit_and_none_takes_nothing(void **state)
{
    const uint32_t counts[] = {0, 9, 0};
    const unsigned char one[] = {0, 1, 0}, none[] = {0, 0, 0};
    unsigned char lengths[3];
    (void)state;
    tw_huffman_lengths(counts, 3, LIMIT, lengths);
    assert_memory_equal(lengths, one, 3);
    tw_huffman_lengths((const uint32_t[]){0, 0, 0}, 3, LIMIT, lengths);
    assert_memory_equal(lengths, none, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_are_complete_and_unique),
        cmocka_unit_test(lengths_are_limited),
        cmocka_unit_test(powers_of_two_take_their_logarithms),
        cmocka_unit_test(one_symbol_takes_a_bit_and_none_takes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
