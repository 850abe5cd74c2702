/* SPDX-License-Identifier: MIT */
/* Rules between parameters: both values are named, also the one that the recipe does not give, and
 * the place is that of a value that it gives. */
#include "support/harness.h"

#include "graph/graph.h"

#include <stdio.h>
#include <string.h>

#define HEAD "thalweg: 1\nnodes: {n: {type: noise.perlin}, v: {type: voronoi.cells},\n"
#define TAIL "}\noutputs: {n: n}\n"

static const struct row {
    const char *node;
    int column;          /* in its line */
    const char *message; /* all of it */
    const char *hint;
} rows[] = {
    /* ---- two parameters ---- */
    {"a: {type: shape.clamp, in: n, high: -0.5}", 37,
     "shape.clamp.low is 0, its default; expected at most high, -0.5", ""},
    {"a: {type: mask.height, in: n, low: 0.6, high: 0.46}", 36,
     "mask.height.low is 0.6; expected at most high, 0.46", ""},
    {"a: {type: mask.height, in: n, low: 1e9, high: 0}", 36,
     "mask.height.low is 1e+09; expected at most high, 0", ""},
    {"a: {type: shape.clamp, in: n, low: 3}", 36,
     "shape.clamp.low is 3; expected at most high, whose default is 1", ""},
    {"a: {type: shape.terrace, in: n, low: 0.5, high: 0.5}", 38,
     "shape.terrace.low is 0.5; expected less than high, 0.5", ""},
    {"a: {type: noise.fault, d_min: 1, d_max: 0.25}", 31,
     "noise.fault.d_min is 1; expected at most d_max, 0.25", ""},
    {"a: {type: erosion.hydraulic_fast, in: n, solubility: 0.03, capacity: 0.02}", 54,
     "erosion.hydraulic_fast.solubility is 0.03; expected the same as capacity, 0.02",
     "erosion.hydraulic has a map of sediment, so there they may differ"},
    {"a: {type: voronoi.cells, search: short, coefficients: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]}", 55,
     "voronoi.cells.coefficients is [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]; expected at most 9 numbers for "
     "each of points_per_region, whose default is 1",
     "search: exact takes more"},
    {"a: {type: noise.perlin, octaves: 16, lacunarity: 4}", 34,
     "noise.perlin.octaves is 16; expected a lower number for lacunarity, 4",
     "the last octave may have at most 65536 lattice cells a side"},
    {"a: {type: noise.multifractal, frequency: 4096, n: 15}", 51,
     "noise.multifractal.n is 15; expected a lower number for frequency, 4096",
     "the last octave may have at most 65536 lattice cells a side"},
    {"a: {type: noise.perlin, basis: simplex, tile: true}", 32,
     "noise.perlin.basis is 'simplex'; expected perlin or value, unless tile is false",
     "the lattice of simplex noise is skewed, so it cannot tile"},

    /* ---- one ---- */
    {"a: {type: noise.midpoint, frequency: 6}", 38,
     "noise.midpoint.frequency is 6; expected a power of two, such as 4 or 8", ""},
    {"a: {type: shape.remap, in: n, from: [0.25, 0.25]}", 37,
     "shape.remap.from is [0.25, 0.25]; expected two different heights", ""},
    {"a: {type: mask.labels, in: v.domain}", 4,
     "mask.labels.labels is not given; expected at least one of labels, biomes and landforms", ""},

    /* ---- tables ---- */
    {"a: {type: shape.curve, in: n, points: [[0, 1]]}", 39,
     "shape.curve.points has 1 row; expected at least two rows {x, y}", ""},
    {"a: {type: shape.curve, in: n}", 4,
     "shape.curve.points is not given; expected at least two rows {x, y}", ""},
    {"a: {type: shape.curve, in: n, points: [[0, 1], [0.5, 1], [0.25, 2]]}", 59,
     "shape.curve.points.x is 0.25 in row 3; expected more than in the row before", ""},
    {"a: {type: shape.curve, in: n, points: [[0, 1], {y: 1, x: -0.5}]}", 58,
     "shape.curve.points.x is -0.5 in row 2; expected more than in the row before", ""},
    {"a: {type: feature.curve, points: [{x: 0, y: 0, curve: 0.5}]}", 55,
     "feature.curve.points.curve is 0.5 in row 1; expected a whole number", ""},
    {"a: {type: feature.curve, points: [{x: 0, y: 0}]}", 35,
     "feature.curve.points.curve is 0 in row 1; expected at least two rows of each curve", ""},
};

static void rules_name_values_and_the_place_of_one(void **state)
{
    char text[500];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        struct tw_recipe *recipe = NULL;
        struct tw_error error = {.status = TW_OK};
        snprintf(text, sizeof text, HEAD "%s" TAIL, row->node);
        tw_recipe_parse(text, strlen(text), "test.yaml", NULL, &recipe, &error);
        if (strcmp(error.message, row->message) != 0 || strcmp(error.hint, row->hint) != 0 ||
            error.line != 3 || error.column != row->column)
            fail_msg("%s\n%d:%d: %s (%s)", row->node, (int)error.line, (int)error.column,
                     error.message, error.hint);
        tw_recipe_release(recipe);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_name_values_and_the_place_of_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
