/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

#include "run/work_list.h"

enum { COUNT = 200 };

/* Whatever the order of pushing and however often some are taken in between, the heap gives the
 * lowest that it holds. */
static void the_heap_gives_the_lowest(void **state)
{
    int32_t at[COUNT + 1];
    (void)state;
    for (int32_t step = 1; step < COUNT; step += 2) {
        struct tw_work_list heap = {.at = at};
        bool held[COUNT] = {false};
        for (int32_t i = 0, n = 0; i < COUNT || heap.count > 0; i++) {
            if (i < COUNT) {
                n = (n + step) % COUNT; /* odd steps that divide 200 come by the same ones again */
                if (!held[n])
                    tw_work_heap_push(&heap, n);
                held[n] = true;
            }
            if (i % 3 == 2 || i >= COUNT) {
                int32_t lowest = 0;
                while (!held[lowest])
                    lowest++;
                assert_int_equal(tw_work_heap_take(&heap), lowest);
                held[lowest] = false;
            }
        }
    }
}

static void the_stack_gives_the_last(void **state)
{
    int32_t at[3];
    struct tw_work_list list = {.at = at};
    (void)state;
    tw_work_push(&list, 7);
    tw_work_push(&list, 3);
    assert_int_equal(tw_work_pop(&list), 3);
    tw_work_push(&list, 9);
    assert_int_equal(tw_work_pop(&list), 9);
    assert_int_equal(tw_work_pop(&list), 7);
    assert_int_equal(list.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_heap_gives_the_lowest),
        cmocka_unit_test(the_stack_gives_the_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
