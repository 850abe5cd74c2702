/* SPDX-License-Identifier: MIT */
/* water.rivers where water.lakes finds lakes: rivers cross them at their level, or end in them. */
#include "support/harness.h"

#include <math.h>
#include <stdlib.h>

enum { SIDE = 96, LAST = 5 /* points with which a tributary comes to its river's level */ };

static struct tw_result *run(uint64_t seed, bool wrap, const char *nodes, const char *outputs)
{
    struct tw_value in = harness_terrain(SIDE, SIDE, seed);
    harness_give(0, &in);
    struct tw_result *result =
        harness_run(&(struct harness){.width = SIDE,
                                      .height = SIDE,
                                      .head = wrap ? "borders: wrap\n" : "borders: closed\n",
                                      .nodes = nodes,
                                      .outputs = outputs});
    free(in.data);
    return result;
}

static int cell_at(const struct tw_line_point *point)
{
    double x = (double)point->x - floor((double)point->x);
    double y = (double)point->y - floor((double)point->y);
    return (int)(y * SIDE) * SIDE + (int)(x * SIDE);
}

static bool is_on_border(int cell)
{
    int x = cell % SIDE, y = cell / SIDE;
    return x == 0 || y == 0 || x == SIDE - 1 || y == SIDE - 1;
}

/* All around the cell is the water of one lake. */
static bool is_amid(const int32_t *labels, int cell)
{
    bool amid = labels[cell] > 0;
    for (int i = 0; i < 9 && amid; i++) {
        int x = (cell % SIDE + i % 3 - 1 + SIDE) % SIDE;
        int y = (cell / SIDE + i / 3 - 1 + SIDE) % SIDE;
        amid = labels[y * SIDE + x] == labels[cell];
    }
    return amid;
}

/* The water of a river lies a quarter of its depth below that of the lake; at its end, of the depth
 * of the river that it joins. */
static void rivers_cross_lakes_at_their_level(void **state)
{
    int amid = 0;
    (void)state;
    for (int i = 0; i < 6; i++) {
        struct tw_result *result = run((uint64_t)i, i % 2,
                                       "in: {type: test.map}\n"
                                       "lakes: {type: water.lakes, in: in}\n"
                                       "out: {type: water.rivers, in: in}\n",
                                       "labels: lakes.labels\nsurface: lakes.surface\n");
        const struct tw_value *lines = tw_result_output(result, "out");
        const float *surface = tw_floats(tw_result_output(result, "surface"));
        const int32_t *labels = tw_labels(tw_result_output(result, "labels"));
        for (int k = 0; k < lines->width; k++) {
            const struct tw_line_point *point = tw_line_points(lines) + k;
            int cell = cell_at(point);
            float below = surface[cell] - (point->z + point->depth / 4);
            if (!is_amid(labels, cell))
                continue;
            bool ending = k + LAST >= lines->width || point[LAST].line != point->line;
            amid += !ending;
            assert_true(below > -1e-6f && below < (ending ? 0.0025f : 1e-6f));
        }
        tw_result_release(result);
    }
    assert_true(amid > 500);
}

static void rivers_end_in_lakes(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct tw_result *result = run((uint64_t)i, i % 2,
                                       "in: {type: test.map}\n"
                                       "lakes: {type: water.lakes, in: in, evaporation: 4}\n"
                                       "mask: {type: shape.clamp, in: lakes.mask}\n"
                                       "out: {type: water.rivers, in: in, sea: lakes.mask}\n",
                                       "");
        const struct tw_value *lines = tw_result_output(result, "out");
        const float *mask = tw_floats(tw_result_output(result, "mask"));
        const struct tw_line_point *points = tw_line_points(lines);
        int in_lakes = 0;
        for (int k = 0; k < lines->width; k++) {
            bool last = k + 1 == lines->width || points[k + 1].line != points[k].line;
            bool wet = mask[cell_at(&points[k])] > 0, joins = false;
            assert_true(last || !wet);
            if (!last)
                continue;
            for (int j = 0; points[j].line < points[k].line; j++)
                joins |= points[j].x == points[k].x && points[j].y == points[k].y;
            assert_true(wet || joins || (i % 2 == 0 && is_on_border(cell_at(&points[k]))));
            in_lakes += wet;
        }
        assert_true(in_lakes > 3);
        tw_result_release(result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rivers_cross_lakes_at_their_level),
        cmocka_unit_test(rivers_end_in_lakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
