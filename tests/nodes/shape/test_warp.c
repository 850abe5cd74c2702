/* SPDX-License-Identifier: MIT */
/* Vectors: shape.gradient against differences in double, shape.warp by whole cells and by parts. */
#include "support/everywhere.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { W = 32, H = 16 };

static int index_of(int x, int y) { return ((y + H) % H) * W + (x + W) % W; }

static double difference(const float *z, int x, int y, bool rows, bool wrap)
{
    int before = (rows ? y : x) - 1, after = before + 2, count = rows ? H : W;
    if (!wrap && before < 0)
        before = 0;
    if (!wrap && after >= count)
        after = count - 1;
    int a = rows ? index_of(x, after) : index_of(after, y);
    int b = rows ? index_of(x, before) : index_of(before, y);
    return ((double)z[a] - (double)z[b]) * W / (after - before);
}

/* Every direction, on a torus and on ground that ends. */
static void gradients_are_differences(void **state)
{
    static const char *const directions[] = {"ascent", "descent", "left"};
    struct tw_value in = harness_terrain(W, H, 3);
    (void)state;
    harness_give(0, &in);
    for (int i = 0; i < 12; i++) {
        char nodes[200];
        bool wrap = i < 6, unit = i % 2;
        snprintf(nodes, sizeof nodes,
                 "in: {type: test.map}\n"
                 "out: {type: shape.gradient, in: in, direction: %s, unit: %s, border: %s}\n",
                 directions[i / 2 % 3], unit ? "true" : "false", wrap ? "wrap" : "closed");
        struct tw_result *result =
            harness_run(&(struct harness){.width = W, .height = H, .nodes = nodes});
        const struct tw_value *out = tw_result_output(result, "out");
        assert_int_equal(out->type, TW_VECTORS);
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                double p = difference(tw_floats(&in), x, y, false, wrap);
                double q = difference(tw_floats(&in), x, y, true, wrap);
                double length = unit ? sqrt(p * p + q * q) : 1;
                double east = i / 2 % 3 == 0 ? p : i / 2 % 3 == 1 ? -p : q;
                double south = i / 2 % 3 == 0 ? q : i / 2 % 3 == 1 ? -q : -p;
                struct tw_vector v = tw_vectors(out)[index_of(x, y)];
                assert_true(fabs((double)v.x - east / length) < 1e-5);
                assert_true(fabs((double)v.y - south / length) < 1e-5);
            }
        tw_result_release(result);
    }
    free(in.data);
}

static void flat_ground_has_no_direction(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(
        &(struct harness){.width = 5,
                          .height = 1,
                          .nodes = "in: {type: source.constant, value: 0.5}\n"
                                   "out: {type: shape.gradient, in: in, unit: true}\n"});
    for (int i = 0; i < 10; i++)
        assert_true(tw_floats(tw_result_output(result, "out"))[i] == 0);
    tw_result_release(result);
}

/* The warped map with one vector everywhere. */
static struct tw_result *warp(const struct tw_value *in, float x, float y, const char *more)
{
    static struct tw_vector cells[W * H];
    char nodes[300];
    const struct tw_value vectors = {TW_VECTORS, W, H, cells};
    for (int i = 0; i < W * H; i++)
        cells[i] = (struct tw_vector){x, y};
    harness_give(0, in);
    harness_give(1, &vectors);
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\nv: {type: test.vectors, slot: 1}\n"
             "out: {type: shape.warp, in: in, vectors: v, %s}\n",
             more);
    return harness_run(&(struct harness){.width = W, .height = H, .nodes = nodes});
}

static void whole_cells_roll_exactly(void **state)
{
    struct tw_value in = harness_terrain(W, H, 4);
    (void)state;
    struct tw_result *result = warp(&in, 5.0f / W, -3.0f / W, "strength: 1, border: wrap");
    const float *out = tw_floats(tw_result_output(result, "out"));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            assert_true(out[index_of(x, y)] == tw_floats(&in)[index_of(x + 5, y - 3)]);
    tw_result_release(result);
    result = warp(&in, 5.0f / W, -3.0f / W, "strength: 1, border: closed");
    out = tw_floats(tw_result_output(result, "out"));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int from_x = x + 5 < W ? x + 5 : W - 1, from_y = y > 3 ? y - 3 : 0;
            assert_true(out[y * W + x] == tw_floats(&in)[from_y * W + from_x]);
        }
    tw_result_release(result);
    free(in.data);
}

static void parts_of_cells_are_bilinear(void **state)
{
    struct tw_value in = harness_terrain(W, H, 5);
    const float *z = tw_floats(&in);
    (void)state;
    struct tw_result *result = warp(&in, 0.25f / W, 0.5f / W, "strength: -1, border: wrap");
    const float *out = tw_floats(tw_result_output(result, "out"));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            double expected = 0;
            for (int i = 0; i < 4; i++)
                expected +=
                    (i % 2 ? 0.75 : 0.25) * 0.5 * (double)z[index_of(x - 1 + i % 2, y - 1 + i / 2)];
            assert_true(fabs((double)out[index_of(x, y)] - expected) < 1e-6);
        }
    tw_result_release(result);
    free(in.data);
}

static void vectors_beyond_integers_are_cut(void **state)
{
    struct tw_value in = harness_terrain(W, H, 6);
    (void)state;
    struct tw_result *result = warp(&in, 1e30f, -1e30f, "strength: 100, border: closed");
    for (int i = 0; i < W * H; i++)
        assert_true(tw_floats(tw_result_output(result, "out"))[i] == tw_floats(&in)[W - 1]);
    tw_result_release(result);
    free(in.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_are_differences),
        cmocka_unit_test(flat_ground_has_no_direction),
        cmocka_unit_test(whole_cells_roll_exactly),
        cmocka_unit_test(parts_of_cells_are_bilinear),
        cmocka_unit_test(vectors_beyond_integers_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
