/* SPDX-License-Identifier: MIT */
/* `usual:` of a parameter: what programs get of it, and what is refused. */
#include "support/recipe.h"

#include "graph/library_page.h"
#include "node/slider.h"

#include <thalweg/thalweg.h>

#include <stdio.h>
#include <string.h>

#define HEAD "thalweg: 1\nsize: 8\nparams:\n  p: {default: "
#define TAIL                                                                                       \
    "}\nnodes:\n  land: {type: noise.perlin}\n  high: {type: mask.height, in: land, low: "         \
    "\"${p}\"}\noutputs: {h: high}\n"

static struct tw_recipe_param param_of(const char *declaration, const char *world)
{
    char text[600];
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    struct tw_recipe_param param;
    int length = snprintf(text, sizeof text, HEAD "%s" TAIL "%s", declaration, world);
    if (tw_recipe_parse(text, (size_t)length, "test.yaml", NULL, &recipe, &error) != TW_OK)
        fail_msg("%s: %s", declaration, error.message);
    assert_true(tw_recipe_param(recipe, 0, &param));
    tw_recipe_release(recipe);
    return param;
}

static void programs_get_the_usual_range(void **state)
{
    (void)state;
    struct tw_recipe_param param = param_of("3, usual: [1, 5]", "");
    assert_true(param.has_usual && param.is_number && !param.has_min);
    assert_true(param.usual_min == 1 && param.usual_max == 5);
    assert_false(param_of("3, min: 0, max: 10", "").has_usual);
    param = param_of("3, min: 1, max: 5, usual: [1, 5]", "");
    assert_true(param.has_usual && param.usual_min == 1 && param.usual_max == 5);
    param = param_of("auto, min: 0, max: 9, usual: [2, 4]", "");
    assert_true(param.has_usual && param.usual_min == 2 && param.usual_max == 4);
}

static void quantities_are_converted_as_bounds_are(void **state)
{
    (void)state;
    struct tw_recipe_param param = param_of("300 m, unit: height, usual: [60 m, 600 m]",
                                            "world: {side_m: 4096, height_m: 600}\n");
    assert_true(param.has_usual && param.usual_min == 0.1 && param.usual_max == 1);
    param = param_of("0.5, unit: height, usual: [60 m, 600 m]",
                     "world: {side_m: 4096, height_m: 600}\n");
    assert_true(param.usual_min == 0.1 && param.usual_max == 1);
}

static void what_is_no_range_around_the_default_is_refused(void **state)
{
    (void)state;
    recipe_fault(HEAD "3, usual: 5" TAIL, "usual is 5; expected [low, high]");
    recipe_fault(HEAD "3, usual: [1, 2, 5]" TAIL, "; expected [low, high]");
    recipe_fault(HEAD "3, usual: [5, 1]" TAIL, "usual is [5, 1]; expected [low, high]");
    recipe_fault(HEAD "3, usual: [1, many]" TAIL, "usual has 'many'; expected a number");
    recipe_fault(HEAD "3, usual: [1, [2]]" TAIL, "usual has [2]; expected a number");
    recipe_fault(HEAD "3, usual: [4, 5]" TAIL, "expected a range that holds the default");
    recipe_fault(HEAD "3, min: 2, usual: [1, 5]" TAIL, "expected both ends within min and max");
    recipe_fault(HEAD "3, max: 4, usual: [1, 5]" TAIL, "expected both ends within min and max");
    recipe_fault(HEAD "3 deg, usual: [1 deg, 5 m]" TAIL, "expected both ends in the unit");
    recipe_fault(HEAD "3 deg, min: 1 deg, usual: [1, 5]" TAIL, "expected both ends in the unit");
    recipe_fault(HEAD "3, usul: [1, 5]" TAIL, "has no key 'usul'");
}

static void every_number_of_the_library_has_a_usual_range_or_a_narrow_one(void **state)
{
    (void)state;
    for (const struct tw_library_recipe *recipe = tw_library_table; recipe->name; recipe++) {
        struct tw_library_page page;
        assert_true(tw_library_page(recipe, &page));
        for (int32_t i = 0; i < page.description.param_count; i++) {
            const struct tw_described_param *param = &page.description.params[i];
            if (param->row && param->row->kind == TW_KIND_F32 && !param->usual[0] &&
                !tw_param_is_narrow(&page.rows[i]))
                fail_msg("%s: %s has no usual range", recipe->name, param->name);
        }
        tw_library_page_release(&page);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_get_the_usual_range),
        cmocka_unit_test(quantities_are_converted_as_bounds_are),
        cmocka_unit_test(what_is_no_range_around_the_default_is_refused),
        cmocka_unit_test(every_number_of_the_library_has_a_usual_range_or_a_narrow_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
