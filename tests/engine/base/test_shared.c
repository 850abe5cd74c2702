/* SPDX-License-Identifier: MIT */
/* Shared bytes: what an owner sees after another has gone, and that the last one frees them. */
#include "support/harness.h"

#include "base/memory/shared.h"

#include <stdlib.h>
#include <string.h>

static void the_last_owner_frees_the_bytes(void **state)
{
    struct tw_bytes bytes = {0};
    (void)state;
    assert_int_equal(tw_bytes_append(&bytes, "hills", 6, NULL), TW_OK);
    struct tw_shared *first = tw_shared_create(&bytes);
    assert_non_null(first);
    assert_null(bytes.at);
    struct tw_shared *second = tw_shared_keep(first);
    assert_ptr_equal(second, first);
    assert_int_equal(second->owners, 2);
    tw_shared_release(first);
    assert_int_equal(second->owners, 1);
    assert_string_equal((const char *)second->bytes.at, "hills");
    tw_shared_release(second); /* leaks are errors under the sanitizers */
}

static void nothing_is_shared_as_nothing(void **state)
{
    (void)state;
    assert_null(tw_shared_keep(NULL));
    tw_shared_release(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_owner_frees_the_bytes),
        cmocka_unit_test(nothing_is_shared_as_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
