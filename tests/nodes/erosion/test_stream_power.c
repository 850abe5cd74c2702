/* SPDX-License-Identifier: MIT */
#include "support/harness.h"
#include "support/record.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { W = 53, H = 41 };

static struct tw_result *erode(const struct tw_value *map, const char *settings, int32_t threads,
                               const char *simd)
{
    char nodes[600];
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\n"
             "out: {type: erosion.stream_power, in: in, %s}\n",
             settings);
    harness_give(0, map);
    return harness_run(&(struct harness){.width = map->width,
                                         .height = map->height,
                                         .nodes = nodes,
                                         .outputs = "flow: out.flow\neroded: out.eroded\n"
                                                    "deposited: out.deposited\n"
                                                    "ledger: out.ledger\n",
                                         .threads = threads,
                                         .simd = simd});
}

static const float *cells_of(const struct tw_result *result, const char *name)
{
    return tw_floats(tw_result_output(result, name));
}

static bool inner(int32_t i) { return i % W && i / W && i % W < W - 1 && i / W < H - 1; }

/* A flow line by definition: the steepest of eight triangles, each with a neighbour in its row or
 * column and one at a corner. */
struct line {
    int32_t cardinal, corner; /* cells */
    double share;             /* of the corner */
    double length;            /* to where it meets the side between them, in cells */
};

static struct line flow_line(const float *z, int32_t cell)
{
    static const int32_t triangles[8][4] = {{0, -1, -1, -1}, {0, -1, 1, -1}, {-1, 0, -1, -1},
                                            {-1, 0, -1, 1},  {1, 0, 1, -1},  {1, 0, 1, 1},
                                            {0, 1, -1, 1},   {0, 1, 1, 1}};
    struct line best = {-1, -1, 0, 1};
    double steepest = 0;
    for (int k = 0; k < 8; k++) {
        const int32_t *t = triangles[k];
        int32_t cardinal = cell + t[1] * W + t[0], corner = cell + t[3] * W + t[2];
        double run = (double)z[cell] - (double)z[cardinal];
        double rise = (double)z[cardinal] - (double)z[corner];
        double share = rise <= 0 ? 0 : rise >= run ? 1 : rise / run;
        double length = sqrt(1 + share * share), slope = (run + share * rise) / length;
        if (share > 0 && share < 1)
            slope = sqrt(run * run + rise * rise);
        if (slope > steepest * (1 + 1e-7)) {
            steepest = slope;
            best = (struct line){cardinal, corner, share, length};
        }
    }
    return best;
}

static double base_of(const float *z, const struct line *line)
{
    return (1 - line->share) * (double)z[line->cardinal] + line->share * (double)z[line->corner];
}

/* Areas over a map without pits, as shares; a cell gives once nobody above it is left. */
static void accumulate(const float *z, double area[W * H])
{
    static bool given[W * H];
    for (int32_t i = 0; i < W * H; i++) {
        area[i] = 1;
        given[i] = !inner(i);
    }
    for (int32_t n = 0; n < W * H; n++) {
        int32_t highest = -1;
        for (int32_t i = 0; i < W * H; i++)
            if (!given[i] && (highest < 0 || z[i] > z[highest]))
                highest = i;
        if (highest < 0)
            return;
        struct line line = flow_line(z, highest);
        area[line.cardinal] += (1 - line.share) * area[highest];
        area[line.corner] += line.share * area[highest];
        given[highest] = true;
    }
}

/* What passes through 8/3 cells: area times length, weighted over 5 x 5 cells. */
static void widen(const float *z, double area[W * H])
{
    static const double weights[5] = {1 / 16.0, 4 / 16.0, 6 / 16.0, 4 / 16.0, 1 / 16.0};
    static double wide[W * H];
    for (int32_t i = 0; i < W * H; i++)
        area[i] *= inner(i) ? flow_line(z, i).length : 1;
    for (int32_t i = 0; i < W * H; i++) {
        wide[i] = 0;
        for (int32_t k = 0; k < 25; k++) {
            int32_t x = tw_clamp_index(i % W + k % 5 - 2, W);
            int32_t y = tw_clamp_index(i / W + k / 5 - 2, H);
            wide[i] += weights[k % 5] * weights[k / 5] * area[y * W + x] * 8 / 3;
        }
    }
    memcpy(area, wide, sizeof wide);
}

/* Rough, but falling to the north-west faster than it is rough. */
static struct tw_value slope(void)
{
    struct tw_value map = harness_terrain(W, H, 8);
    for (int32_t i = 0; i < W * H; i++)
        tw_floats(&map)[i] =
            0.01f * (0.3f * tw_floats(&map)[i] + (float)(i / W) + 0.9f * (float)(i % W));
    return map;
}

/* One step solves the implicit equation at every cell, whatever the exponent. */
static void solves_the_implicit_equation(void **state)
{
    static const double exponents[] = {1, 2, 1.5, 0.7, 3.3};
    static double area[W * H], wide[W * H];
    struct tw_value map = slope();
    (void)state;
    accumulate(tw_floats(&map), area);
    memcpy(wide, area, sizeof wide);
    widen(tw_floats(&map), wide);
    for (size_t e = 0; e < 5; e++) {
        char settings[200];
        double n = exponents[e];
        snprintf(settings, sizeof settings,
                 "n: %g, m: 0.45, K: 3, dt: 0.1, steps: 1, uplift_rate: 0, diffusion: 0, "
                 "talus: 1e9, border: fixed",
                 n);
        struct tw_result *result = erode(&map, settings, 2, NULL);
        const float *in = tw_floats(&map), *out = cells_of(result, "out");
        for (int32_t i = 0; i < W * H; i++) {
            if (!inner(i)) {
                assert_true(out[i] == in[i]);
                continue;
            }
            struct line line = flow_line(in, i);
            assert_true(line.cardinal >= 0);
            double f = 3 * 0.1 * pow(wide[i] / W / W, 0.45) / pow(line.length / W, n);
            double base = base_of(out, &line), h = (double)in[i] - base, x = (double)out[i] - base;
            assert_true(fabs(x + f * pow(x, n) - h) < 3e-5 * h * (1 + f));
        }
        tw_result_release(result);
    }
    free(map.data);
}

/* All water leaves over the border, and what runs is what the definition says. */
static void routes_along_flow_lines(void **state)
{
    static double area[W * H];
    struct tw_value map = slope();
    double left = 0;
    (void)state;
    accumulate(tw_floats(&map), area);
    struct tw_result *result = erode(&map, "steps: 0, border: fixed", 2, NULL);
    const float *flow = cells_of(result, "flow");
    for (int32_t i = 0; i < W * H; i++) {
        assert_true(fabs((double)flow[i] * W * H - area[i]) < 1e-4 * area[i]);
        left += inner(i) ? 0 : (double)flow[i];
    }
    assert_true(fabs(left - 1) < 1e-5);
    tw_result_release(result);
    free(map.data);
}

/* On a tilted plane, water runs straight downhill at any angle: the middle of what one cell gives
 * lies on the line. */
static void runs_straight_down_a_plane(void **state)
{
    (void)state;
    for (int angle = 5; angle < 90; angle += 10) {
        struct tw_value map = harness_terrain(W, H, 1);
        double dx = cos(angle * acos(-1) / 180), dy = sin(angle * acos(-1) / 180);
        for (int32_t i = 0; i < W * H; i++)
            tw_floats(&map)[i] = (float)(1 - 0.002 * (dx * (i % W) + dy * (double)(i / W)));
        struct line line = flow_line(tw_floats(&map), H / 2 * W + W / 2);
        int32_t at = H / 2 * W + W / 2;
        double x = (line.cardinal % W - at % W) * (1 - line.share) +
                   (line.corner % W - at % W) * line.share;
        double y = (line.cardinal / W - at / W) * (1 - line.share) +
                   (line.corner / W - at / W) * line.share;
        struct tw_result *result = erode(&map, "steps: 0, border: fixed", 1, NULL);
        const float *flow = cells_of(result, "flow");
        assert_true(fabs(x * dy - y * dx) < 2e-3);
        /* The strip upslope is as wide as a cell is along the nearer axis. */
        double length = tw_min((float)(W / 2 / dx), (float)(H / 2 / dy));
        double width = (double)flow[at] * W * H / length;
        assert_true(width > 0.6 && width < 1.1);
        tw_result_release(result);
        free(map.data);
    }
}

/* A canyon between walls: in the end the river takes what rises, K A^m S^n = U. */
static void reaches_the_steady_slope(void **state)
{
    float cells[3 * 40];
    struct tw_value map = {TW_HEIGHTMAP, 40, 3, cells};
    (void)state;
    for (int32_t i = 0; i < 3 * 40; i++)
        cells[i] = i / 40 == 1 && i % 40 < 39 ? 0 : 100;
    struct tw_result *result = erode(&map,
                                     "K: 8, uplift_rate: 0.5, m: 0.4, n: 1.2, dt: 0.1, steps: 400, "
                                     "diffusion: 0, talus: 1e9, border: fixed",
                                     2, NULL);
    const float *z = cells_of(result, "out") + 40;
    for (int32_t x = 3; x < 36; x++) { /* where no end of the river is within its width */
        double area = (39 - x + 10 / 6.0) / 1600, steepness = (double)(z[x] - z[x - 1]) * 40;
        assert_true(fabs(8 * pow(area, 0.4) * pow(steepness, 1.2) - 0.5) < 1e-3);
    }
    tw_result_release(result);
}

static void its_ledger_balances(void **state)
{
    struct tw_value map = harness_terrain(W, H, 3);
    (void)state;
    struct tw_result *result =
        erode(&map, "uplift_rate: 2, dt: 0.01, steps: 30, border: fixed", 2, NULL);
    const float *out = cells_of(result, "out"), *eroded = cells_of(result, "eroded");
    const float *deposited = cells_of(result, "deposited");
    for (int32_t i = 0; i < W * H; i++) {
        float rise = inner(i) ? 0.6f : 0, loss = tw_floats(&map)[i] + rise - out[i];
        assert_true(fabsf(eroded[i] - fmaxf(loss, 0)) < 1e-5f);
        assert_true(fabsf(deposited[i] - fmaxf(-loss, 0)) < 1e-5f);
    }
    const struct tw_value *ledger = tw_result_output(result, "ledger");
    assert_true(fabs(record_number(ledger, "raised") - 0.6 * (W - 2) * (H - 2)) < 1e-2);
    tw_result_release(result);
    free(map.data);
}

/* After a step no cell is steeper than the talus along its flow line; none rises. */
static void limits_slopes(void **state)
{
    struct tw_value map = slope();
    int32_t limited = 0;
    (void)state;
    struct tw_result *result = erode(
        &map, "uplift_rate: 0, steps: 1, K: 0.1, diffusion: 0, talus: 0.6, border: fixed", 2, NULL);
    const float *in = tw_floats(&map), *out = cells_of(result, "out");
    for (int32_t i = 0; i < W * H; i++) {
        assert_true(out[i] <= in[i]);
        if (!inner(i))
            continue;
        struct line line = flow_line(in, i);
        double drop = (double)out[i] - base_of(out, &line), steepest = 0.6 * line.length / W;
        assert_true(drop <= steepest + 1e-6);
        limited += drop > steepest - 1e-6;
    }
    assert_true(limited > W * H / 2);
    tw_result_release(result);
    free(map.data);
}

/* Nothing of the torus shows where its border is: a shifted map gives the shifted land. */
static void has_no_border_on_a_torus(void **state)
{
    struct tw_value map = harness_terrain(W, H, 3), moved = harness_terrain(W, H, 3);
    (void)state;
    for (int32_t i = 0; i < W * H; i++)
        tw_floats(&moved)[(i / W + 17) % H * W + (i % W + 20) % W] = tw_floats(&map)[i];
    struct tw_result *a = erode(&map, "border: wrap, steps: 2", 2, NULL);
    struct tw_result *b = erode(&moved, "border: wrap, steps: 2", 2, NULL);
    for (int32_t i = 0; i < W * H; i++)
        assert_true(fabsf(cells_of(b, "out")[(i / W + 17) % H * W + (i % W + 20) % W] -
                          cells_of(a, "out")[i]) < 1e-4f);
    tw_result_release(a);
    tw_result_release(b);
    free(map.data);
    free(moved.data);
}

/* All water leaves through the cells that the mask names, and these keep their heights. */
static void leaves_through_the_given_outlets(void **state)
{
    static float cells[W * H];
    static const char *const borders[] = {"wrap", "free"};
    struct tw_value map = harness_terrain(W, H, 3), mask = {TW_MASK, W, H, cells};
    (void)state;
    cells[3 * W + 5] = cells[20 * W] = 1;
    harness_give(0, &map);
    harness_give(1, &mask);
    for (int k = 0; k < 2; k++) {
        char nodes[300];
        snprintf(nodes, sizeof nodes,
                 "in: {type: test.map}\nwhere: {type: test.mask, slot: 1}\n"
                 "out: {type: erosion.stream_power, in: in, outlets: where, border: %s}\n",
                 borders[k]);
        struct tw_result *result = harness_run(&(struct harness){
            .width = W, .height = H, .nodes = nodes, .outputs = "flow: out.flow\n"});
        const float *flow = cells_of(result, "flow"), *out = cells_of(result, "out");
        assert_true(fabsf(flow[3 * W + 5] + flow[20 * W] - 1) < 1e-4f);
        assert_true(out[3 * W + 5] == tw_floats(&map)[3 * W + 5]);
        assert_true(out[20 * W] == tw_floats(&map)[20 * W]);
        tw_result_release(result);
    }
    cells[3 * W + 5] = cells[20 * W] = 0;
    struct tw_error error = harness_fail(
        &(struct harness){.width = W,
                          .height = H,
                          .nodes = "in: {type: test.map}\nwhere: {type: test.mask, slot: 1}\n"
                                   "out: {type: erosion.stream_power, in: in, outlets: where}\n"});
    assert_non_null(strstr(error.message, "'outlets' is nowhere 0.5"));
    free(map.data);
}

static void floods_a_low_border(void **state)
{
    struct tw_value map = harness_terrain(W, H, 3);
    float low = 1;
    (void)state;
    for (int32_t i = 0; i < W * H; i++)
        low = fminf(low, tw_floats(&map)[i]);
    struct tw_result *result = erode(&map, "border: low, steps: 4", 2, NULL);
    for (int32_t i = 0; i < W * H; i++)
        assert_true(inner(i) || cells_of(result, "out")[i] == low);
    tw_result_release(result);
    free(map.data);
}

static void rises_where_the_mask_says(void **state)
{
    struct tw_value map = harness_terrain(W, H, 1), mask = harness_terrain(W, H, 4);
    (void)state;
    harness_give(0, &map);
    harness_give(1, &mask);
    struct tw_result *result = harness_run(&(struct harness){
        .width = W,
        .height = H,
        .nodes = "in: {type: test.map}\n"
                 "where: {type: test.mask, slot: 1}\n"
                 "out: {type: erosion.stream_power, in: in, uplift: where, K: 0, diffusion: 0, "
                 "talus: 1e9, uplift_rate: 3, dt: 0.5, steps: 1, border: fixed}\n"});
    const float *out = cells_of(result, "out");
    for (int32_t i = 0; i < W * H; i++)
        assert_true(fabsf(tw_floats(&map)[i] + (inner(i) ? 1.5f * tw_floats(&mask)[i] : 0) -
                          out[i]) < 1e-6f);
    tw_result_release(result);
    free(map.data);
    free(mask.data);
}

/* The same ground on finer cells rises to the same mean height, once hillsides are resolved. */
static void scales_with_the_cells(void **state)
{
    struct tw_value ground = harness_terrain(256, 256, 6);
    double mean[3] = {0};
    (void)state;
    for (int32_t i = 0; i < 3; i++) {
        int32_t side = 64 << i, step = 256 / side;
        struct tw_value map = harness_terrain(side, side, 6);
        for (int32_t k = 0; k < side * side; k++)
            tw_floats(&map)[k] =
                0.05f * tw_floats(&ground)[k / side * step * 256 + k % side * step];
        struct tw_result *result = erode(
            &map, "K: 16, diffusion: 0.001, channel: 0.0001, steps: 50, border: fixed", 2, NULL);
        for (int32_t k = 0; k < side * side; k++)
            mean[i] += (double)cells_of(result, "out")[k] / side / side;
        tw_result_release(result);
        free(map.data);
    }
    free(ground.data);
    assert_true(fabs(mean[1] / mean[0] - 1) < 0.2 && fabs(mean[2] / mean[1] - 1) < 0.2);
}

/* A slope that gets rougher with every step has more and more pits, from none to thousands. */
static void has_room_for_more_pits_each_step(void **state)
{
    static float cells[256 * 256], noise[256 * 256];
    struct tw_value map = {TW_HEIGHTMAP, 256, 256, cells}, mask = {TW_MASK, 256, 256, noise};
    (void)state;
    for (int32_t i = 0; i < 256 * 256; i++) {
        cells[i] = (float)(i / 256);
        noise[i] = tw_uniform(tw_random(1, (uint32_t)i, 0, 0, 0).at[0]);
    }
    harness_give(0, &map);
    harness_give(1, &mask);
    tw_result_release(
        harness_run(&(struct harness){.width = 256,
                                      .height = 256,
                                      .nodes = "in: {type: test.map}\n"
                                               "where: {type: test.mask, slot: 1}\n"
                                               "out: {type: erosion.stream_power, in: in, "
                                               "uplift: where, uplift_rate: 1, dt: 0.2, K: 0, "
                                               "talus: 1000000, diffusion: 0, steps: 40}\n"}));
}

static void gives_the_same_bytes_everywhere(void **state)
{
    static const char *const levels[] = {"base", "avx2", NULL};
    static const char *const borders[] = {"steps: 3, border: wrap", "steps: 3, border: free",
                                          "steps: 3, border: fixed"};
    static const int32_t sizes[][2] = {{257, 129}, {1, 1}, {1, 7}, {3, 3}, {70, 4}, {2, 2}};
    (void)state;
    for (size_t i = 0; i < 3 * sizeof sizes / sizeof *sizes; i++) {
        struct tw_value map = harness_terrain(sizes[i / 3][0], sizes[i / 3][1], 4);
        struct tw_result *first = erode(&map, borders[i % 3], 1, "base");
        for (int k = 0; k < 9; k++) {
            struct tw_result *next =
                erode(&map, borders[i % 3], (int32_t[]){1, 2, 8}[k / 3], levels[k % 3]);
            harness_same(tw_result_output(next, "out"), cells_of(first, "out"));
            harness_same(tw_result_output(next, "eroded"), cells_of(first, "eroded"));
            tw_result_release(next);
        }
        tw_result_release(first);
        free(map.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_the_implicit_equation),
        cmocka_unit_test(routes_along_flow_lines),
        cmocka_unit_test(runs_straight_down_a_plane),
        cmocka_unit_test(reaches_the_steady_slope),
        cmocka_unit_test(its_ledger_balances),
        cmocka_unit_test(limits_slopes),
        cmocka_unit_test(has_no_border_on_a_torus),
        cmocka_unit_test(leaves_through_the_given_outlets),
        cmocka_unit_test(floods_a_low_border),
        cmocka_unit_test(rises_where_the_mask_says),
        cmocka_unit_test(scales_with_the_cells),
        cmocka_unit_test(has_room_for_more_pits_each_step),
        cmocka_unit_test(gives_the_same_bytes_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
