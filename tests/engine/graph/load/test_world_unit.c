/* SPDX-License-Identifier: MIT */
/* Degrees and metres become the parameters' own units by what `world:` says. */
#include "support/recipe.h"

#include "node/param.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define HEAD(world) "thalweg: 1\nsize: 16\n" world "nodes:\n  h: {type: noise.midpoint}\n"
#define WORLD HEAD("world: {side_m: 2000, height_m: 500}\n")

static double value_of(const char *text, const char *name)
{
    struct tw_recipe *recipe = recipe_of(text);
    const struct tw_node *node = recipe_node(recipe, "x");
    char number[40];
    tw_param_print(tw_param_find(node->type->params, name), node->params, number, sizeof number);
    tw_recipe_release(recipe);
    return strtod(number, NULL);
}

static void degrees_are_slopes_of_the_world(void **state)
{
    const double degree = acos(-1) / 180;
    (void)state;
    double talus = value_of(WORLD "  x: {type: erosion.thermal, in: h, talus: 35 deg}\n"
                                  "outputs: {o: x}\n",
                            "talus");
    assert_true(fabs(talus - tan(35 * degree) * 4) < 1e-5);
    talus = value_of(WORLD "  x: {type: mask.slope, in: h, low: 45deg}\noutputs: {o: x}\n", "low");
    assert_true(fabs(talus - 4) < 1e-6);
    talus = value_of("thalweg: 1\nsize: 16\nworld: {side_m: 2000, height_m: 500}\n"
                     "params: {a: 45}\nnodes:\n  h: {type: noise.midpoint}\n"
                     "  x: {type: mask.slope, in: h, low: \"${a} deg\"}\noutputs: {o: x}\n",
                     "low");
    assert_true(fabs(talus - 4) < 1e-6);
    double grade = value_of(WORLD "  via: {type: feature.points}\n"
                                  "  x: {type: path.road, in: h, via: via, grade: 7 deg}\n"
                                  "outputs: {o: x}\n",
                            "grade");
    assert_true(fabs(grade - tan(7 * degree)) < 1e-7);
}

static void metres_are_sides_and_heights(void **state)
{
    (void)state;
    assert_true(value_of(WORLD "  x: {type: render.hillshade, in: h, exaggeration: 500 m}\n"
                               "outputs: {o: x}\n",
                         "exaggeration") == 0.25);
    assert_true(value_of(WORLD "  x: {type: mask.height, in: h, low: 125 m}\noutputs: {o: x}\n",
                         "low") == 0.25);
}

/* The columns of a table, by name and in their order. */
static void columns_have_units(void **state)
{
    (void)state;
    struct tw_recipe *recipe =
        recipe_of(WORLD "  x: {type: feature.curve, points: [{x: 500 m, y: 0.5, z: 250 m}, "
                        "[0, 1000 m, 20m, 125 m]]}\noutputs: {o: x}\n");
    const struct tw_node *node = recipe_node(recipe, "x");
    const struct tw_param *row = tw_param_find(node->type->params, "points");
    const struct tw_table *table =
        (const struct tw_table *)((const unsigned char *)node->params + row->offset);
    const float *second = table->at + table->columns;
    assert_int_equal(table->rows, 2);
    assert_true(table->at[1] == 0.25f && table->at[2] == 0.5f && table->at[3] == 0.5f);
    assert_true(second[1] == 0.5f && second[2] == 0.01f && second[3] == 0.25f);
    tw_recipe_release(recipe);
    recipe_fault(HEAD("") "  x: {type: feature.curve, points: [[0, 500 m, 0, 0]]}\n"
                          "outputs: {o: x}\n",
                 "points.x is given in metres; expected 'world: {");
    recipe_fault(WORLD "  x: {type: feature.curve, points: [[0, 5 deg, 0, 0]]}\n"
                       "outputs: {o: x}\n",
                 "x is '5 deg'");
}

/* Of a map of 16 x 64 cells that is 2000 m wide, so that a cell is 125 m either way. */
#define TALL                                                                                       \
    "thalweg: 1\nsize: [16, 64]\nworld: {side_m: 2000, height_m: 500}\nnodes:\n"                   \
    "  h: {type: noise.midpoint}\n"
#define WIDE                                                                                       \
    "thalweg: 1\nsize: [64, 16]\nworld: {side_m: 8000, height_m: 500}\nnodes:\n"                   \
    "  h: {type: noise.midpoint}\n"

static void sides_differ_where_the_map_is_not_square(void **state)
{
    (void)state;
    const char *moved = "  x: {type: shape.transform, in: h, shift_x: 500 m, shift_y: 500 m}\n"
                        "outputs: {o: x}\n";
    const char *cut = "  x: {type: noise.fault, width: 500 m}\noutputs: {o: x}\n";
    const struct {
        const char *head, *node, *name;
        double expected;
    } rows[] = {
        {TALL, moved, "shift_x", 0.25},   {TALL, moved, "shift_y", 0.0625},
        {WIDE, moved, "shift_x", 0.0625}, {WIDE, moved, "shift_y", 0.25},
        {TALL, cut, "width", 0.0625},     {WIDE, cut, "width", 0.0625},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[400];
        snprintf(text, sizeof text, "%s%s", rows[i].head, rows[i].node);
        assert_true(value_of(text, rows[i].name) == rows[i].expected);
    }
    recipe_fault(TALL "  x: {type: feature.points, area: [0, 0, 500 m, 1]}\noutputs: {o: x}\n",
                 "'500 m'");
}

/* A column to the south, too. */
static void columns_to_the_south_are_of_the_height(void **state)
{
    (void)state;
    struct tw_recipe *recipe = recipe_of(
        TALL "  x: {type: feature.points, points: [{x: 500 m, y: 500 m}]}\noutputs: {o: x}\n");
    const struct tw_node *node = recipe_node(recipe, "x");
    const struct tw_param *row = tw_param_find(node->type->params, "points");
    const struct tw_table *table =
        (const struct tw_table *)((const unsigned char *)node->params + row->offset);
    assert_true(table->at[0] == 0.25f && table->at[1] == 0.0625f);
    tw_recipe_release(recipe);
}

/* The ends of an export's range are heights like any parameter, metres and arithmetic included. */
static void ranges_of_exports_have_units(void **state)
{
    (void)state;
    struct tw_recipe *recipe =
        recipe_of(WORLD "  m: {type: mask.height, in: h}\nparams: {top: 3}\nexport:\n"
                        "  a.png: {from: h, range: [-125 m, \"${top * 250} m\"]}\n"
                        "  b.r16: {from: m, range: [0, \"${top / 2}\"]}\n");
    const struct tw_export *a = recipe->exports, *b = a->next;
    assert_true(a->range.low == -0.25 && a->range.high == 1.5);
    assert_true(b->range.low == 0 && b->range.high == 1.5);
    tw_recipe_release(recipe);
    recipe_fault(HEAD("") "export: {a.png: {from: h, range: [0 m, 500 m]}}\n",
                 "export.range is given in metres; expected 'world: {");
    recipe_fault(WORLD "  m: {type: mask.height, in: h}\n"
                       "export: {a.png: {from: m, range: [0 m, 500 m]}}\n",
                 "range is [0 m, 500 m]; expected [low, high] with low below high, or fit");
}

static void nothing_else_has_units(void **state)
{
    (void)state;
    recipe_fault(HEAD("") "  x: {type: erosion.thermal, in: h, talus: 35 deg}\noutputs: {o: x}\n",
                 "talus is given in degrees; expected 'world: {side_m: ..., height_m: ...}' in "
                 "this recipe, to convert it");
    recipe_fault(WORLD "  x: {type: erosion.thermal, in: h, talus: 90 deg}\noutputs: {o: x}\n",
                 "talus is '90 deg'");
    recipe_fault(WORLD "  x: {type: erosion.thermal, in: h, talus: 10 m}\noutputs: {o: x}\n",
                 "talus is '10 m'");
    recipe_fault(WORLD "  x: {type: mask.slope, in: h, low: -5 deg}\noutputs: {o: x}\n", "low is");
    recipe_fault(WORLD "  x: {type: erosion.thermal, in: h, talus: deg}\noutputs: {o: x}\n",
                 "talus is 'deg'");
}

/* `auto` of a picture is the world's true scale, or the number that its page gives without one. */
static void pictures_are_at_true_scale_in_a_world(void **state)
{
    static const struct {
        const char *type;
        double tall; /* of a map of 2000 m x 8000 m whose height 1 is 500 m */
    } rows[] = {{"render.hillshade", 0.25},
                {"render.normals", 0.25},
                {"render.relief", 0.0625},
                {"render.surface", 0.0625},
                {"render.perspective", 0.0625}};
    char text[400];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(text, sizeof text, WORLD "  x: {type: %s, in: h}\noutputs: {o: x}\n",
                 rows[i].type);
        assert_true(value_of(text, "exaggeration") == 0.25);
        snprintf(text, sizeof text,
                 TALL "  x: {type: %s, in: h, exaggeration: auto}\n"
                      "outputs: {o: x}\n",
                 rows[i].type);
        assert_true(value_of(text, "exaggeration") == rows[i].tall);
        snprintf(text, sizeof text,
                 TALL "  x: {type: %s, in: h, exaggeration: 0.5}\n"
                      "outputs: {o: x}\n",
                 rows[i].type);
        assert_true(value_of(text, "exaggeration") == 0.5);
    }
    const char *light = WORLD "  x: {type: mask.light, in: h}\noutputs: {o: x}\n";
    assert_true((float)value_of(light, "exaggeration") == 0.15f);
}

static float exaggeration_of(const char *text, const char *path)
{
    struct tw_recipe *recipe = recipe_of(text);
    const struct tw_node *node = recipe_node(recipe, path);
    const struct tw_param *row = tw_param_find(node->type->params, "exaggeration");
    float field = *(const float *)((const unsigned char *)node->params + row->offset);
    tw_recipe_release(recipe);
    return field;
}

static void pictures_have_a_number_of_their_own_without_a_world(void **state)
{
    (void)state;
    const char *text = HEAD("") "  x: {type: render.relief, in: h}\noutputs: {o: x}\n";
    assert_true(tw_exaggeration(exaggeration_of(text, "x")) == 0.15f);
    text = HEAD("") "  x: {type: render.hillshade, in: h}\noutputs: {o: x}\n";
    assert_true(tw_exaggeration(exaggeration_of(text, "x")) == 0.1f);
}

/* Of an export that is a picture, too; a scale that cannot be drawn is a fault. */
static void exports_are_at_true_scale(void **state)
{
    (void)state;
    const char *text = WORLD "outputs: {o: h}\nexport: {a.png: {from: h, as: perspective}}\n";
    assert_true(exaggeration_of(text, "(a.png as perspective)") == 0.25f);
    assert_true(exaggeration_of(text, "(surface of a.png)") == 0.25f);
    recipe_fault(
        HEAD(
            "world: {side_m: 1, height_m: 5000}\n") "  x: {type: render.relief, in: h}\noutputs: {o: x}\n",
        "exaggeration is 5000; allowed auto or 0 to 1000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(degrees_are_slopes_of_the_world),
        cmocka_unit_test(metres_are_sides_and_heights),
        cmocka_unit_test(columns_have_units),
        cmocka_unit_test(sides_differ_where_the_map_is_not_square),
        cmocka_unit_test(columns_to_the_south_are_of_the_height),
        cmocka_unit_test(ranges_of_exports_have_units),
        cmocka_unit_test(nothing_else_has_units),
        cmocka_unit_test(pictures_are_at_true_scale_in_a_world),
        cmocka_unit_test(pictures_have_a_number_of_their_own_without_a_world),
        cmocka_unit_test(exports_are_at_true_scale)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
