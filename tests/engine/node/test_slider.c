/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "node/param.h"
#include "node/registry.h"
#include "node/slider.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

struct params {
    float number;
    int32_t whole;
    struct tw_list list;
};

static void assert_slider(const struct tw_param *row, double value, double low, double high,
                          bool logarithmic)
{
    struct tw_slider slider;
    assert_true(tw_slider_of(row, value, &slider));
    assert_true(slider.low == low);
    assert_true(slider.high == high);
    assert_int_equal(slider.logarithmic, logarithmic);
}

static void usual_ranges_come_first(void **state)
{
    (void)state;
    const struct tw_param row =
        TW_PARAM_F32(struct params, number, 1, 0, 1e6, "", "help", TW_USUAL(0.1, 10));
    assert_string_equal(row.help, "help");
    assert_slider(&row, 1, 0.1, 10, true);
    const struct tw_param short_row =
        TW_PARAM_F32(struct params, number, 1, 0, 1e6, "", "help", TW_USUAL(0.5, 10));
    assert_slider(&short_row, 1, 0.5, 10, false);
    const struct tw_param from_zero =
        TW_PARAM_F32(struct params, number, 0, 0, 1, "", "help", TW_USUAL(0, 0.1));
    assert_slider(&from_zero, 0, 0, 0.1, false);
    const struct tw_param list =
        TW_PARAM_LIST(struct params, list, "-1 1", -1e6, 1e6, "", "help", TW_USUAL(-2, 2));
    assert_slider(&list, -1, -2, 2, false);
}

static void sliders_reach_the_value_of_the_file(void **state)
{
    (void)state;
    const struct tw_param row =
        TW_PARAM_F32(struct params, number, 1, 0, 1e6, "", "help", TW_USUAL(0.1, 2));
    assert_slider(&row, 1000, 0.1, 1000, true);
    assert_slider(&row, 0, 0, 2, false);
}

static void words_have_the_usual_slider(void **state)
{
    (void)state;
    const struct tw_param row = TW_PARAM_F32_OR(struct params, number, "auto", -1, -1, 0, 1e6, "",
                                                "help", TW_USUAL(1, 100));
    struct tw_slider slider;
    assert_slider(&row, NAN, 1, 100, true);
    const struct tw_param bare =
        TW_PARAM_F32_OR(struct params, number, "auto", -1e6, -1e6, 0, 1e6, "", "help");
    assert_false(tw_slider_of(&bare, NAN, &slider)); /* -1e6 is no size to be narrow against */
}

static void narrow_hard_ranges_are_sliders(void **state)
{
    (void)state;
    const struct tw_param share = TW_PARAM_F32(struct params, number, 0, 0, 1, "", "help");
    const struct tw_param hundredfold = TW_PARAM_F32(struct params, number, 3, 0, 300, "", "help");
    const struct tw_param angle =
        TW_PARAM_F32(struct params, number, 0, -360, 360, TW_UNIT_DEGREES, "help");
    const struct tw_param whole = TW_PARAM_I32(struct params, whole, 0, 0, 100, "", "help");
    assert_slider(&share, 0, 0, 1, false);
    assert_slider(&hundredfold, 3, 0, 300, false);
    assert_slider(&angle, 20, -360, 360, false);
    assert_slider(&whole, 0, 0, 100, false);
}

static void wide_hard_ranges_give_way_to_the_value(void **state)
{
    (void)state;
    struct tw_slider slider;
    const struct tw_param row = TW_PARAM_F32(struct params, number, 0, -FLT_MAX, FLT_MAX, "", "");
    const struct tw_param whole = TW_PARAM_I32(struct params, whole, 1, 0, 50000, "", "");
    const struct tw_param cut = TW_PARAM_F32(struct params, number, 1, 0, 301, "", "");
    assert_slider(&row, 2, 0.25, 16, true);
    assert_slider(&row, -2, -16, -0.25, true);
    assert_slider(&whole, 100, 12, 800, true);
    assert_slider(&whole, 1, 0, 8, false);
    assert_slider(&cut, 200, 25, 301, false);
    assert_false(tw_slider_of(&row, 0, &slider));
    assert_false(tw_slider_of(&row, NAN, &slider));
    assert_false(tw_slider_of(&row, INFINITY, &slider));
}

static void only_numbers_have_sliders(void **state)
{
    (void)state;
    struct tw_slider slider;
    const struct tw_param row = {.name = "way", .kind = TW_KIND_ENUM, .max = 1, .unit = "a|b"};
    assert_false(tw_slider_of(&row, 0, &slider));
}

/* The defaults of a row: one number, those of a list, or none where it is a word. */
static int defaults_of(const struct tw_node_type *type, const struct tw_param *row,
                       double numbers[16])
{
    void *params = calloc(1, type->params_size + 1);
    int count = 0;
    assert_non_null(params);
    tw_param_defaults(type->params, params);
    if (row->kind == TW_KIND_LIST) {
        const struct tw_list *list = (const void *)((const char *)params + row->offset);
        for (; count < list->count; count++)
            numbers[count] = (double)list->at[count];
    } else if (!row->word || row->initial != row->stands_for) {
        numbers[count++] = row->initial;
    }
    free(params);
    return count;
}

static void check_row(const struct tw_node_type *type, const struct tw_param *row)
{
    const bool usual = row->usual_min != 0 || row->usual_max != 0;
    double numbers[16];
    struct tw_slider slider;
    if (!usual && !tw_param_is_narrow(row))
        fail_msg("%s.%s: %g to %g is no range of a slider: TW_USUAL()", type->name, row->name,
                 row->min, row->max);
    if (usual && (row->usual_min >= row->usual_max || row->usual_min < row->min ||
                  row->usual_max > row->max))
        fail_msg("%s.%s: usual %g to %g, of %g to %g", type->name, row->name, row->usual_min,
                 row->usual_max, row->min, row->max);
    for (int i = defaults_of(type, row, numbers); usual && i-- > 0;) {
        const double least = 1e-6 * fabs(numbers[i]); /* lists hold floats */
        if (numbers[i] < row->usual_min - least || numbers[i] > row->usual_max + least)
            fail_msg("%s.%s: %g is not usual", type->name, row->name, numbers[i]);
    }
    assert_true(tw_slider_of(row, NAN, &slider));
}

static void every_number_of_every_node_has_a_slider(void **state)
{
    (void)state;
    int rows = 0;
    for (const struct tw_node_type *const *type = tw_node_table; *type; type++)
        for (const struct tw_param *row = (*type)->params; row && row->name; row++)
            if (row->kind == TW_KIND_F32 || row->kind == TW_KIND_I32 || row->kind == TW_KIND_LIST) {
                check_row(*type, row);
                rows++;
            }
    assert_true(rows > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usual_ranges_come_first),
        cmocka_unit_test(sliders_reach_the_value_of_the_file),
        cmocka_unit_test(words_have_the_usual_slider),
        cmocka_unit_test(narrow_hard_ranges_are_sliders),
        cmocka_unit_test(wide_hard_ranges_give_way_to_the_value),
        cmocka_unit_test(only_numbers_have_sliders),
        cmocka_unit_test(every_number_of_every_node_has_a_slider),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
