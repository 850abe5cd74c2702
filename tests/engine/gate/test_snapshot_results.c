/* SPDX-License-Identifier: MIT */
/* What locks say of values, by hand: ranges and means over every number of every cell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gate/snapshot.h"

#include <string.h>

static void maps_have_a_range_and_a_mean(void **state)
{
    static float heights[6] = {-1.5f, 0, 4, 2, 2, 2.5f}, one[1] = {-3};
    static float vectors[6] = {1, -2, 3, 5, 0.5f, 0};
    static uint8_t pixels[6] = {0, 255, 3, 10, 20, 30};
    static int32_t labels[4] = {7, -1, 7, 3};
    const struct {
        struct tw_value value;
        const char *type;
        double least, greatest, mean;
    } rows[] = {
        {{.type = TW_HEIGHTMAP, .width = 3, .height = 2, .data = heights},
         "heightmap",
         -1.5,
         4,
         1.5},
        {{.type = TW_HEIGHTMAP, .width = 2, .height = 3, .data = heights},
         "heightmap",
         -1.5,
         4,
         1.5},
        {{.type = TW_HEIGHTMAP, .width = 1, .height = 1, .data = one}, "heightmap", -3, -3, -3},
        {{.type = TW_VECTORS, .width = 3, .height = 1, .data = vectors}, "vectors", -2, 5, 1.25},
        {{.type = TW_IMAGE, .width = 2, .height = 1, .data = pixels}, "image", 0, 255, 53},
        {{.type = TW_LABELS, .width = 2, .height = 2, .data = labels}, "labels", -1, 7, 4},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tw_result_facts facts = {.name = "a"};
        tw_result_describe(&rows[i].value, &facts);
        assert_string_equal(facts.type, rows[i].type);
        assert_int_equal(facts.width, rows[i].value.width);
        assert_int_equal(facts.height, rows[i].value.height);
        assert_true(facts.ranged);
        assert_true(facts.least == rows[i].least && facts.greatest == rows[i].greatest);
        if (facts.mean != rows[i].mean)
            fail_msg("%s %zu has the mean %.17g", facts.type, i, facts.mean);
        assert_int_equal(strlen(facts.sha256), 64);
    }
}

static void lists_have_none(void **state)
{
    struct tw_point points[1] = {{.x = 0.5f, .y = 0.5f}};
    const struct tw_value list = {.type = TW_POINTS, .width = 1, .height = 1, .data = points};
    struct tw_result_facts facts = {.name = "a"};
    (void)state;
    tw_result_describe(&list, &facts);
    assert_false(facts.ranged);
    assert_string_equal(facts.type, "points");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_have_a_range_and_a_mean),
        cmocka_unit_test(lists_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
