/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graph/names.h"

#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 5000 };

static void every_name_is_found_under_its_owner(void **state)
{
    static char texts[COUNT][8];
    struct tw_names names = {0};
    int owners[2] = {0};
    (void)state;
    assert_null(tw_names_find(&names, &owners[0], "n0"));
    for (int i = 0; i < COUNT; i++) {
        snprintf(texts[i], sizeof texts[i], "n%d", i);
        struct tw_name *name = tw_names_entry(&names, &owners[i % 2], texts[i]);
        assert_non_null(name);
        assert_null(name->thing);
        name->thing = texts[i];
    }
    for (int i = 0; i < COUNT; i++) {
        assert_ptr_equal(tw_names_find(&names, &owners[i % 2], texts[i]), texts[i]);
        assert_null(tw_names_find(&names, &owners[1 - i % 2], texts[i]));
        assert_ptr_equal(tw_names_entry(&names, &owners[i % 2], texts[i])->thing, texts[i]);
    }
    assert_int_equal(names.count, COUNT);
    tw_names_release(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_name_is_found_under_its_owner)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
