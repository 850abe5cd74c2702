/* SPDX-License-Identifier: MIT */
/* Numbers in files are little-endian on every machine. */
#include "base/memory/byte_order.h"

#include "support/harness.h"

static void bytes_rise_in_weight(void **state)
{
    static const unsigned char expected[] = {0xEF, 0xCD, 0xAB, 0x89, 0x67, 0x45, 0x23, 0x01};
    unsigned char at[8];
    (void)state;
    tw_put_u64(at, 0x0123456789ABCDEFu);
    assert_memory_equal(at, expected, 8);
    tw_put_u32(at, 0x01234567u);
    assert_memory_equal(at, expected + 4, 4);
    assert_true(tw_get_u64(expected) == 0x0123456789ABCDEFu);
    assert_true(tw_get_u32(expected) == 0x89ABCDEFu);
    assert_true(tw_get_u16(expected) == 0xCDEFu);
}

static void floats_are_those_of_ieee_754(void **state)
{
    static const unsigned char expected[] = {0, 0, 0x20, 0xC0}; /* -2.5 */
    unsigned char at[4];
    (void)state;
    tw_put_f32(at, -2.5f);
    assert_memory_equal(at, expected, 4);
}

static void reversing_changes_the_order(void **state)
{
    static const unsigned char from[] = {1, 2, 3}, expected[] = {3, 2, 1};
    unsigned char to[3];
    (void)state;
    tw_reverse_bytes(to, from, 3);
    assert_memory_equal(to, expected, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_rise_in_weight),
        cmocka_unit_test(floats_are_those_of_ieee_754),
        cmocka_unit_test(reversing_changes_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
