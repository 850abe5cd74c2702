/* SPDX-License-Identifier: MIT */
/* shape.perturb: the definition's bytes; whole-cell displacements move the map exactly, those
 * beyond all integers stay defined, and equal on every machine. */
#include "support/harness.h"

#include <thalweg/sample.h>

#include <stdio.h>
#include <stdlib.h>

enum { N = 16 };

static struct tw_result *run(const float *cells, float noise, float magnitude, const char *border)
{
    static float field[N * N];
    static char nodes[256];
    struct tw_value in = {TW_HEIGHTMAP, N, N, (void *)(uintptr_t)cells};
    struct tw_value displacement = {TW_HEIGHTMAP, N, N, field};
    for (int i = 0; i < N * N; i++)
        field[i] = noise;
    harness_give(0, &in);
    harness_give(1, &displacement);
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\n"
             "field: {type: test.map, slot: 1}\n"
             "out: {type: shape.perturb, in: in, noise: field, magnitude: %g, border: %s}\n",
             (double)magnitude, border);
    return harness_run(&(struct harness){.width = N, .height = N, .nodes = nodes});
}

static void whole_cells_move_exactly(void **state)
{
    struct tw_value in = harness_terrain(N, N, 5);
    struct tw_result *result =
        run(tw_floats(&in), 0.75f, 1, "wrap"); /* 16 x 0.25 cells to the east */
    const float *out = tw_floats(tw_result_output(result, "out")), *from = tw_floats(&in);
    (void)state;
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            assert_true(out[y * N + x] == from[(y + 4) % N * N + (x + 4) % N]);
    tw_result_release(result);
    free(in.data);
}

/* 16 x 0.75 = 12 cells to the east and south, or 20 to the west and north. */
static void mirrors_turn_back(void **state)
{
    static const float fields[] = {1.25f, -0.75f};
    static const int moves[] = {12, -20};
    struct tw_value in = harness_terrain(N, N, 7);
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct tw_result *result = run(tw_floats(&in), fields[i], 1, "mirror");
        const float *out = tw_floats(tw_result_output(result, "out")), *from = tw_floats(&in);
        int at[N];
        for (int x = 0; x < N; x++) {
            at[x] = (x + moves[i] + 2 * N) % (2 * N);
            at[x] = at[x] < N ? at[x] : 2 * N - 1 - at[x];
        }
        for (int c = 0; c < N * N; c++)
            assert_true(out[c] == from[at[c / N] * N + at[c % N]]);
        tw_result_release(result);
    }
    free(in.data);
}

/* Floats from 2^30 on are multiples of 64 cells, so every cell looks up the same place. */
static void places_beyond_integers_are_cut(void **state)
{
    static const float far[] = {1e9f, -1e9f, 1e30f, -1e30f, 3e37f};
    struct tw_value in = harness_terrain(N, N, 6);
    (void)state;
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        struct tw_result *result = run(tw_floats(&in), far[i], 1, "wrap");
        const float *out = tw_floats(tw_result_output(result, "out"));
        for (int cell = 0; cell < N * N; cell++)
            assert_true(out[cell] == tw_floats(&in)[0]); /* 2^30 is a multiple of the side */
        tw_result_release(result);
    }
    free(in.data);
}

static float mirrored(float at, int32_t n)
{
    float turns = tw_cut_to_integer((at + 0.5f) / (float)n);
    int32_t whole = tw_floor(turns);
    float rest = turns - (float)whole;
    return (whole % 2 != 0 ? 1.0f - rest : rest) * (float)n - 0.5f;
}

/* The noise where the sides have the shares that (x, y) has of the others, bilinear. */
static float turned(const float *noise, int32_t w, int32_t h, int32_t x, int32_t y, bool wrap)
{
    if (w == h)
        return noise[x * w + y];
    int64_t row = (2 * (int64_t)x + 1) * h - w + 2 * w; /* half cells of w, from row -1 on */
    int64_t column = (2 * (int64_t)y + 1) * w - h + 2 * h;
    int32_t r = (int32_t)(row / (2 * w)), c = (int32_t)(column / (2 * h));
    float down = (float)(row % (2 * w)) / (float)(2 * w);
    float across = (float)(column % (2 * h)) / (float)(2 * h);
    int32_t rows[2] = {r - 1, r}, columns[2] = {c - 1, c};
    float ends[2];
    for (int k = 0; k < 2; k++) {
        rows[k] = wrap ? (rows[k] + h) % h : rows[k] < 0 ? 0 : rows[k] >= h ? h - 1 : rows[k];
        columns[k] = wrap              ? (columns[k] + w) % w
                     : columns[k] < 0  ? 0
                     : columns[k] >= w ? w - 1
                                       : columns[k];
    }
    for (int k = 0; k < 2; k++) {
        const float *from = noise + (size_t)rows[k] * (size_t)w;
        ends[k] = from[columns[0]] + across * (from[columns[1]] - from[columns[0]]);
    }
    return ends[0] + down * (ends[1] - ends[0]);
}

/* The map bent by the definition, a cell after the other. */
static void bend(const struct tw_value *in, const float *noise, float magnitude, bool wrap,
                 float *out)
{
    int32_t w = in->width, h = in->height;
    for (int32_t i = 0; i < w * h; i++) {
        int32_t x = i % w, y = i / w;
        float along = turned(noise, w, h, x, y, wrap) - 0.5f;
        float px = (float)x + magnitude * (float)w * (noise[i] - 0.5f);
        float py = (float)y + magnitude * (float)h * along;
        if (!wrap && (px < 0 || px > (float)(w - 1)))
            px = mirrored(px, w);
        if (!wrap && (py < 0 || py > (float)(h - 1)))
            py = mirrored(py, h);
        out[i] = tw_sample(tw_floats(in), w, h, px, py, wrap);
    }
}

/* From places beside the cell to many sides away; more than a tile, and less than one; square,
 * where the noise is transposed four by four, and not. */
static void gives_the_bytes_of_a_plain_loop(void **state)
{
    static const int32_t sizes[][2] = {{150, 70}, {65, 64}, {1, 9}, {7, 1}, {131, 131}, {3, 3}};
    static const float magnitudes[] = {0, 0.25f, 1, 4};
    (void)state;
    for (int i = 0; i < 48; i++) {
        int32_t w = sizes[i / 8][0], h = sizes[i / 8][1];
        float magnitude = magnitudes[i / 2 % 4];
        struct tw_value in = harness_terrain(w, h, 1), noise = harness_terrain(w, h, 2);
        float *expected = malloc(tw_value_count(&in) * sizeof *expected);
        char nodes[256];
        assert_non_null(expected);
        for (int32_t k = 0; k < w * h; k += 5)
            tw_floats(&noise)[k] = magnitude * (float)(k % 31 - 15);
        bend(&in, tw_floats(&noise), magnitude, i % 2, expected);
        harness_give(0, &in);
        harness_give(1, &noise);
        snprintf(nodes, sizeof nodes,
                 "in: {type: test.map}\nfield: {type: test.map, slot: 1}\n"
                 "out: {type: shape.perturb, in: in, noise: field, magnitude: %g, border: %s}\n",
                 (double)magnitude, i % 2 ? "wrap" : "mirror");
        for (int level = 0; level < 3; level++) {
            struct tw_result *result = harness_run(
                &(struct harness){.width = w,
                                  .height = h,
                                  .nodes = nodes,
                                  .threads = 2,
                                  .simd = (const char *[]){"base", "avx2", NULL}[level]});
            harness_same(tw_result_output(result, "out"), expected);
            tw_result_release(result);
        }
        free(expected);
        free(in.data);
        free(noise.data);
    }
}

/* Noise that grows with the row displaces a plane by what grows with the column, without steps. */
static void a_wide_map_has_no_steps(void **state)
{
    enum { W = 96, H = 24 };
    static float plane[W * H], ramp[W * H];
    const struct tw_value in = {TW_HEIGHTMAP, W, H, plane}, noise = {TW_HEIGHTMAP, W, H, ramp};
    (void)state;
    for (int i = 0; i < W * H; i++) {
        plane[i] = (float)(i / W);
        ramp[i] = ((float)(i / W) + 0.5f) / H;
    }
    harness_give(0, &in);
    harness_give(1, &noise);
    struct tw_result *result = harness_run(&(struct harness){
        .width = W,
        .height = H,
        .nodes = "in: {type: test.map}\nfield: {type: test.map, slot: 1}\n"
                 "out: {type: shape.perturb, in: in, noise: field, magnitude: 0.5, border: "
                 "mirror}\n"});
    const float *out = tw_floats(tw_result_output(result, "out"));
    for (int x = 2; x < W - 2; x++) {
        float expected = H / 2 + 0.5f * H * (((float)x + 0.5f) / W - 0.5f);
        assert_float_equal(out[H / 2 * W + x], expected, 1e-4f);
    }
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_cells_move_exactly),
        cmocka_unit_test(mirrors_turn_back),
        cmocka_unit_test(places_beyond_integers_are_cut),
        cmocka_unit_test(gives_the_bytes_of_a_plain_loop),
        cmocka_unit_test(a_wide_map_has_no_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
