/* SPDX-License-Identifier: MIT */
/* A buffer that grows: nothing goes missing, nothing overflows. */
#include "base/memory/bytes.h"

#include "support/harness.h"

#include <stdlib.h>
#include <string.h>

static void bytes_gather_in_order(void **state)
{
    struct tw_bytes bytes = {0};
    (void)state;
    for (int i = 0; i < 10000; i++) {
        unsigned char byte = (unsigned char)(i * 7);
        assert_int_equal(tw_bytes_append(&bytes, &byte, 1, NULL), TW_OK);
    }
    assert_int_equal(tw_bytes_append(&bytes, NULL, 0, NULL), TW_OK);
    assert_int_equal(bytes.length, 10000);
    for (int i = 0; i < 10000; i++)
        assert_int_equal(bytes.at[i], (unsigned char)(i * 7));
    free(bytes.at);
}

static void text_is_printed_behind_what_is_there(void **state)
{
    struct tw_bytes bytes = {0};
    char wide[1000];
    (void)state;
    memset(wide, 'w', sizeof wide - 1);
    wide[sizeof wide - 1] = 0;
    assert_int_equal(tw_bytes_append(&bytes, "ab", 2, NULL), TW_OK);
    assert_int_equal(tw_bytes_print(&bytes, NULL, "%d %s", 42, "c"), TW_OK);
    assert_int_equal(bytes.length, 6);
    assert_string_equal((char *)bytes.at, "ab42 c");
    assert_int_equal(tw_bytes_print(&bytes, NULL, "%s", wide), TW_OK);
    assert_int_equal(bytes.length, 6 + strlen(wide));
    assert_string_equal((char *)bytes.at + 6, wide);
    free(bytes.at);
}

static void a_length_beyond_memory_is_refused(void **state)
{
    struct tw_bytes bytes = {0};
    struct tw_error error;
    (void)state;
    assert_int_equal(tw_bytes_append(&bytes, "a", 1, NULL), TW_OK);
    assert_int_equal(tw_bytes_append(&bytes, "a", SIZE_MAX, &error), TW_MEMORY);
    assert_int_equal(tw_bytes_append(&bytes, "a", SIZE_MAX - 1, &error), TW_MEMORY);
    assert_int_equal(tw_bytes_append(&bytes, "a", SIZE_MAX / 4, &error), TW_MEMORY);
    assert_int_equal(bytes.length, 1);
    assert_int_equal(bytes.at[0], 'a');
    free(bytes.at);
}

static void a_stopped_buffer_takes_no_more(void **state)
{
    atomic_bool stop = false;
    struct tw_bytes bytes = {.stop = &stop};
    struct tw_error error;
    (void)state;
    assert_int_equal(tw_bytes_append(&bytes, "ab", 2, NULL), TW_OK);
    atomic_store(&stop, true);
    assert_int_equal(tw_bytes_append(&bytes, "c", 1, &error), TW_CANCELLED);
    assert_string_equal(error.message, "stopped");
    assert_int_equal(tw_bytes_print(&bytes, NULL, "%d", 42), TW_CANCELLED);
    assert_int_equal(tw_bytes_write_at(&bytes, 1, "cd", 2, NULL), TW_CANCELLED);
    assert_int_equal(bytes.length, 2);
    assert_memory_equal(bytes.at, "ab", 2);
    free(bytes.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_gather_in_order),
        cmocka_unit_test(text_is_printed_behind_what_is_there),
        cmocka_unit_test(a_length_beyond_memory_is_refused),
        cmocka_unit_test(a_stopped_buffer_takes_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
