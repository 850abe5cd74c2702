/* SPDX-License-Identifier: MIT */
/* Tables: rows as mappings or lists, defaults of columns, and every fault with its place. */
#include "support/recipe.h"

#include "node/param.h"

#include <stdio.h>
#include <stdlib.h>

#define HEAD "thalweg: 1\nparams: {p: 0.5}\nnodes:\n  n: {type: noise.midpoint}\n"
#define TAIL "outputs: {out: a}\n"

/* feature.points: x and y are required, others have defaults. */
static struct tw_recipe *load(const char *points)
{
    char text[2000];
    snprintf(text, sizeof text, HEAD "  a: {type: feature.points, points: %s}\n" TAIL, points);
    return recipe_of(text);
}

static const struct tw_table *table_of(const struct tw_recipe *recipe)
{
    const struct tw_node *node = recipe_node(recipe, "a");
    const struct tw_param *row = tw_node_find_param(node->type, "points");
    return (const struct tw_table *)((const unsigned char *)node->params + row->offset);
}

static void rows_are_mappings_or_lists(void **state)
{
    (void)state;
    struct tw_recipe *recipe = load("[[0.25, 0.75], {y: 0.125, x: \"${p}\"}, [1, 0]]");
    const struct tw_table *table = table_of(recipe);
    const struct tw_param *row = tw_node_find_param(recipe_node(recipe, "a")->type, "points");
    assert_int_equal(table->rows, 3);
    assert_true(table->columns >= 2);
    const float *second = table->at + table->columns, *third = second + table->columns;
    assert_true(table->at[0] == 0.25f && table->at[1] == 0.75f);
    assert_true(second[0] == 0.5f && second[1] == 0.125f);
    assert_true(third[0] == 1 && third[1] == 0);
    for (int32_t i = 2; i < table->columns; i++)
        assert_true(second[i] == (float)row->columns[i].initial);
    tw_recipe_release(recipe);
    recipe = load("[]");
    assert_int_equal(table_of(recipe)->rows, 0);
    tw_recipe_release(recipe);
}

/* render.surface: the first column of materials has words. */
static void words_are_cells(void **state)
{
    (void)state;
    struct tw_recipe *recipe = recipe_of(
        "thalweg: 1\nparams: {p: snow}\nnodes:\n  n: {type: noise.midpoint}\n"
        "  a: {type: render.surface, in: n, layers: [], materials: "
        "[snow, {name: road, bump: 0}, [flat], \"${p}\", {red: 1, green: 2, blue: 3}]}\n" TAIL);
    const struct tw_node *node = recipe_node(recipe, "a");
    const struct tw_param *row = tw_node_find_param(node->type, "materials");
    const struct tw_table *table =
        (const struct tw_table *)((const unsigned char *)node->params + row->offset);
    static const char *const words[] = {"snow", "road", "flat", "snow", ""};
    assert_int_equal(table->rows, 5);
    for (int32_t i = 0; i < 5; i++) {
        char text[40];
        tw_param_print_cell(row->columns, table->at[i * table->columns], text, sizeof text);
        assert_string_equal(text, words[i]);
    }
    tw_recipe_release(recipe);
}

static void fault(const char *points, int column, const char *words, const char *hint)
{
    char text[2000];
    snprintf(text, sizeof text, HEAD "  a: {type: feature.points, points: %s}\n" TAIL, points);
    struct tw_error error = recipe_fault(text, words);
    assert_int_equal(error.line, 5);
    assert_int_equal(error.column, 37 + column);
    if (!strstr(error.hint, hint))
        fail_msg("'%s' does not hint at '%s'", error.hint, hint);
}

static void faults_have_their_place(void **state)
{
    (void)state;
    fault("3", 0, "points is a single value; expected a list of rows", "");
    fault("{x: 1}", 0, "points is a mapping; expected a list of rows", "");
    fault("[3]", 1, "a row of points is 3; expected a mapping or a list of numbers", "");
    fault("[[0.5]]", 1, "a row of points needs 'y'", "");
    fault("[{x: 0.5}]", 1, "a row of points needs 'y'", "");
    fault("[{x: 0.5, y: 0.5, zz_top: 1}]", 18, "points has no column 'zz_top'; there are x, y", "");
    fault("[{x: 0.5, y: 0.5, costs: 1}]", 18, "points has no column 'costs'", "'cost'");
    fault("[[0.5, [1]]]", 7, "points.y is a list; expected a number", "");
    fault("[[0.5, much]]", 7, "points.y is 'much'; expected a number", "");
    fault("[[0.5, 1e30]]", 7, "points.y is 1e30; allowed", "");
    fault("[[0.5, \"${q}\"]]", 10, "'${q}' is not a parameter", "");
    fault("[[0, 0, 0, 0, 0, 0, 0, 0, 0]]", 17, "a row of points has 9 numbers; expected at most",
          "");
}

/* Rows that are no rows take two bytes each. */
static void a_table_has_at_most_100000_rows(void **state)
{
    static const struct {
        int rows;
        const char *words;
    } cases[] = {{100000, "a row of points is 0; expected a mapping or a list of numbers"},
                 {100001, "points has 100001 rows; expected at most 100000"}};
    (void)state;
    for (int k = 0; k < 2; k++) {
        char *text = malloc(1000 + 2 * (size_t)cases[k].rows);
        assert_non_null(text);
        size_t used = (size_t)sprintf(text, "%s", HEAD "  a: {type: feature.points, points: [0");
        for (int i = 1; i < cases[k].rows; i++, used += 2)
            memcpy(text + used, ",0", 2);
        sprintf(text + used, "]}\n" TAIL);
        struct tw_error error = recipe_fault(text, cases[k].words);
        assert_int_equal(error.line, 5);
        free(text);
    }
}

/* Rows that are one anchor's alias: 5 bytes each. The reader's bound of 200,000 nodes comes with
 * the row of two numbers at 66,667, before the table's own. */
static void many_rows_are_a_limit(void **state)
{
    enum { ROWS = 70000 };
    char *text = malloc(200 + 4 * ROWS);
    (void)state;
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "%s",
                                  HEAD "  a:\n    type: feature.points\n"
                                       "    points: [&r [0.5, 0.5]");
    for (int i = 0; i < ROWS; i++)
        used += (size_t)sprintf(text + used, ",*r");
    sprintf(text + used, "]\n" TAIL);
    recipe_fault(text, "aliases expand to too many nodes");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_mappings_or_lists),
        cmocka_unit_test(words_are_cells),
        cmocka_unit_test(faults_have_their_place),
        cmocka_unit_test(a_table_has_at_most_100000_rows),
        cmocka_unit_test(many_rows_are_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
