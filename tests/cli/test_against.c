/* SPDX-License-Identifier: MIT */
/* What changed since an earlier answer: nothing, a parameter, some seeds, or everything. */
#include "support/command.h"
#include "support/harness.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static struct command_result result;

#define RECIPE(TALUS)                                                                              \
    "thalweg: 1\nsize: 16\nparams: {talus: " TALUS ", more: 1}\nnodes:\n"                          \
    "  n: {type: noise.midpoint}\n"                                                                \
    "  t: {type: erosion.olsen, in: n, talus: \"${talus}\", iterations: 3}\n"                      \
    "outputs: {height: t}\n"
#define EXPERIMENT(SEEDS, GOAL)                                                                    \
    "thalweg-experiment: 1\nrecipe: recipe.yaml\nseeds: " SEEDS "\n"                               \
    "measure: [height.deviation, seconds]\nvariants: {own: {}, set: {params: {talus: 9}}}\n" GOAL

static void save(const char *name, const char *text) { command_write(name, text, strlen(text)); }

static int prepare(void **state)
{
    (void)state;
    command_enter();
    save("recipe.yaml", RECIPE("4"));
    save("experiment.yaml", EXPERIMENT("{from: 1, count: 10}", ""));
    command_expect("compare experiment.yaml -q --json", 0, &result);
    save("old.json", result.out);
    return 0;
}

static json_t *against(int code)
{
    command_expect("compare experiment.yaml -q --json --against old.json", code, &result);
    json_t *root = json_loads(result.out, 0, NULL);
    assert_non_null(root);
    return root;
}

static json_t *mean_at(json_t *root, size_t i)
{
    return json_array_get(json_object_get(json_object_get(root, "against"), "means"), i);
}

static double number(json_t *row, const char *name)
{
    return json_number_value(json_object_get(row, name));
}

static void expect_text(json_t *row, const char *name, const char *text)
{
    assert_string_equal(json_string_value(json_object_get(row, name)), text);
}

static void the_same_is_the_same(void **state)
{
    (void)state;
    save("recipe.yaml", RECIPE("4"));
    save("experiment.yaml", EXPERIMENT("{from: 1, count: 10}", ""));
    json_t *root = against(0);
    for (size_t i = 0; i < 2; i++) { /* a measure each, since seconds are left out */
        assert_true(number(mean_at(root, i), "difference") == 0);
        assert_true(number(mean_at(root, i), "before") == number(mean_at(root, i), "after"));
        expect_text(mean_at(root, i), "verdict", "~");
        expect_text(mean_at(root, i), "recipe", "same");
    }
    assert_null(mean_at(root, 2));
    json_decref(root);
}

/* A pair of the document now, and the difference of means from both documents. */
static void a_change_is_found_where_it_is(void **state)
{
    (void)state;
    save("recipe.yaml", RECIPE("12"));
    save("experiment.yaml", EXPERIMENT("{from: 1, count: 10}", ""));
    json_t *root = against(1), *old = json_load_file("old.json", 0, NULL);
    json_t *now = json_array_get(json_object_get(root, "variants"), 0);
    json_t *then = json_array_get(json_object_get(old, "variants"), 0);
    double after =
        number(json_object_get(json_object_get(now, "measures"), "height.deviation"), "mean");
    double before =
        number(json_object_get(json_object_get(then, "measures"), "height.deviation"), "mean");
    json_t *row = mean_at(root, 0);
    assert_true(fabs(number(row, "difference") - (after - before)) < 1e-8);
    expect_text(row, "verdict", after > before ? "higher" : "lower");
    expect_text(row, "recipe", "changed");
    expect_text(mean_at(root, 1), "verdict", "~"); /* sets the parameter itself */
    expect_text(mean_at(root, 1), "recipe", "same");
    save("experiment.yaml", EXPERIMENT("{from: 1, count: 10}", "goal: {height.deviation: up}\n"));
    json_decref(root);
    root = against(after > before ? 0 : 1);
    expect_text(mean_at(root, 0), "verdict", after > before ? "better" : "worse");
    json_decref(root);
    json_decref(old);
}

static void only_common_seeds_count(void **state)
{
    (void)state;
    save("recipe.yaml", RECIPE("4"));
    save("experiment.yaml", EXPERIMENT("[12, 9, 3, 11]", ""));
    json_t *root = against(0);
    assert_int_equal(number(mean_at(root, 0), "count"), 2);
    assert_true(number(mean_at(root, 0), "difference") == 0);
    expect_text(mean_at(root, 0), "recipe", "unknown"); /* another first seed */
    json_decref(root);
    save("experiment.yaml", EXPERIMENT("[12, 11]", ""));
    command_expect("compare experiment.yaml -q --against old.json", 0, &result);
    command_expect_words(result.out, "2 not in it, or without a seed in common");
}

static void other_files_are_refused(void **state)
{
    (void)state;
    save("other.json", "{\"format\": \"thalweg.run/1\"}");
    command_expect("compare experiment.yaml -q --against other.json", 3, &result);
    command_expect_words(result.err, "expected what compare --json printed");
    save("other.json", "{");
    command_expect("compare experiment.yaml -q --against other.json", 3, &result);
    command_expect("compare experiment.yaml -q --against missing.json", 3, &result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_is_the_same),
        cmocka_unit_test(a_change_is_found_where_it_is),
        cmocka_unit_test(only_common_seeds_count),
        cmocka_unit_test(other_files_are_refused),
    };
    return cmocka_run_group_tests(tests, prepare, command_tear_down);
}
