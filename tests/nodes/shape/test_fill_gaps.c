/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { W = 23, H = 19, CELLS = W * H };

static const char *const surfaces[] = {"membrane", "plate"};

static struct tw_result *fill(const struct tw_value *map, const float *gaps, const char *surface,
                              bool wrap)
{
    static char nodes[300];
    static struct tw_value mask;
    mask = (struct tw_value){TW_MASK, map->width, map->height, (void *)(uintptr_t)gaps};
    harness_give(0, map);
    harness_give(1, &mask);
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\ngaps: {type: test.mask, slot: 1}\n"
             "out: {type: shape.fill_gaps, in: in, gaps: gaps, surface: %s, border: %s}\n",
             surface, wrap ? "wrap" : "closed");
    return harness_run(&(struct harness){
        .width = map->width, .height = map->height, .nodes = nodes, .threads = 2});
}

/* ---- a plain reference: all terms of the energy, and Gauss's elimination ---- */

static double matrix[CELLS][CELLS + 1];
static bool wraps;

static int32_t cell_at(int32_t x, int32_t y)
{
    if (wraps)
        return (y + H) % H * W + (x + W) % W;
    return x < 0 || y < 0 || x >= W || y >= H ? -1 : y * W + x;
}

/* Adds weight times the square of a sum over four cells. */
static void add_term(const int32_t cell[4], const double sign[4], double weight)
{
    for (int i = 0; i < 4; i++)
        if (sign[i] != 0 && cell[i] < 0)
            return;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            if (sign[i] != 0 && sign[k] != 0)
                matrix[cell[i]][cell[k]] += weight * sign[i] * sign[k];
}

static void add_terms(bool plate, int32_t x, int32_t y)
{
    int32_t here = cell_at(x, y), east = cell_at(x + 1, y), south = cell_at(x, y + 1);
    int32_t west = cell_at(x - 1, y), north = cell_at(x, y - 1), beyond = cell_at(x + 1, y + 1);
    if (!plate) {
        add_term((int32_t[]){here, east, 0, 0}, (double[]){1, -1, 0, 0}, 1);
        add_term((int32_t[]){here, south, 0, 0}, (double[]){1, -1, 0, 0}, 1);
        return;
    }
    add_term((int32_t[]){west, here, east, 0}, (double[]){1, -2, 1, 0}, 1);
    add_term((int32_t[]){north, here, south, 0}, (double[]){1, -2, 1, 0}, 1);
    add_term((int32_t[]){here, east, south, beyond}, (double[]){1, -1, -1, 1}, 2);
}

static void swap_rows(int32_t a, int32_t b)
{
    for (int32_t k = 0; k <= CELLS; k++) {
        double held = matrix[a][k];
        matrix[a][k] = matrix[b][k];
        matrix[b][k] = held;
    }
}

static void eliminate(double *x)
{
    for (int32_t i = 0; i < CELLS; i++) {
        int32_t best = i;
        for (int32_t k = i; k < CELLS; k++)
            best = fabs(matrix[k][i]) > fabs(matrix[best][i]) ? k : best;
        swap_rows(i, best);
        for (int32_t k = i + 1; k < CELLS; k++) {
            double share = matrix[k][i] / matrix[i][i];
            for (int32_t j = i; share != 0 && j <= CELLS; j++)
                matrix[k][j] -= share * matrix[i][j];
        }
    }
    for (int32_t i = CELLS; i-- > 0;) {
        x[i] = matrix[i][CELLS];
        for (int32_t k = i + 1; k < CELLS; k++)
            x[i] -= matrix[i][k] * x[k];
        x[i] /= matrix[i][i];
    }
}

static void reference(const float *z, const float *gaps, bool plate, bool wrap, double *x)
{
    memset(matrix, 0, sizeof matrix);
    wraps = wrap;
    for (int32_t i = 0; i < CELLS; i++)
        add_terms(plate, i % W, i / W);
    for (int32_t i = 0; i < CELLS; i++)
        if (gaps[i] < 0.5f) {
            memset(matrix[i], 0, sizeof matrix[i]);
            matrix[i][i] = 1;
            matrix[i][CELLS] = (double)z[i];
        }
    eliminate(x);
}

/* A disc, one over a corner, a slot along the border and one cell. */
static void draw_gaps(float *gaps, int32_t turn)
{
    for (int32_t i = 0; i < CELLS; i++) {
        int32_t x = i % W, y = i / W, east = x - 9 - turn, south = y - 8;
        bool corner = x + y < 6 + turn || (W - 1 - x) + y < 3, slot = y == H - 1 && x > 5 && x < 15;
        gaps[i] = east * east + south * south < 20 || corner || slot || i == 17 * W + 20 ? 1 : 0;
    }
    gaps[16 * W + 3] = 0.5f;
    gaps[16 * W + 5] = 0.499f;
}

static void equals_the_least_energy(void **state)
{
    static float gaps[CELLS];
    static double expected[CELLS];
    (void)state;
    for (int i = 0; i < 8; i++) {
        bool wrap = i & 1, plate = i & 2;
        struct tw_value map = harness_terrain(W, H, (uint64_t)i);
        draw_gaps(gaps, i / 4);
        reference(tw_floats(&map), gaps, plate, wrap, expected);
        struct tw_result *result = fill(&map, gaps, surfaces[plate], wrap);
        const float *out = tw_floats(tw_result_output(result, "out"));
        for (int32_t c = 0; c < CELLS; c++) {
            if (gaps[c] < 0.5f)
                assert_memory_equal(&out[c], &tw_floats(&map)[c], sizeof *out);
            else if (fabs((double)out[c] - expected[c]) > 1e-6)
                fail_msg("%s, wrap %d, cell %d: %.9g, not %.9g", surfaces[plate], wrap, c,
                         (double)out[c], expected[c]);
        }
        tw_result_release(result);
        free(map.data);
    }
}

/* Ground beside a gap, by rows and columns, bounds the membrane over it. */
static void membranes_stay_within_the_ground_around(void **state)
{
    enum { N = 96 };
    static float gaps[N * N];
    struct tw_value map = harness_terrain(N, N, 5);
    float low = FLT_MAX, high = -FLT_MAX;
    (void)state;
    for (int32_t i = 0; i < N * N; i++) {
        int32_t x = i % N - 40, y = i / N - 50;
        gaps[i] = x * x + y * y < 700 ? 1 : 0;
    }
    for (int32_t i = N; i < N * (N - 1); i++)
        if (gaps[i] == 0 &&
            (gaps[i - 1] > 0 || gaps[i + 1] > 0 || gaps[i - N] > 0 || gaps[i + N] > 0)) {
            low = fminf(low, tw_floats(&map)[i]);
            high = fmaxf(high, tw_floats(&map)[i]);
        }
    struct tw_result *result = fill(&map, gaps, "membrane", false);
    const float *out = tw_floats(tw_result_output(result, "out"));
    for (int32_t i = 0; i < N * N; i++)
        assert_true(gaps[i] == 0 ? out[i] == tw_floats(&map)[i] : out[i] >= low && out[i] <= high);
    tw_result_release(result);
    free(map.data);
}

static void plates_carry_planes_on(void **state)
{
    static float z[CELLS], gaps[CELLS];
    struct tw_value map = {TW_HEIGHTMAP, W, H, z};
    (void)state;
    for (int32_t i = 0; i < CELLS; i++) {
        z[i] = 100 + 3 * (float)(i % W) - 5 * (float)(i / W);
        gaps[i] = i % W > 2 && i / W > 3 ? 1 : 0;
    }
    struct tw_result *result = fill(&map, gaps, "plate", false);
    for (int32_t i = 0; i < CELLS; i++)
        assert_true(fabsf(tw_floats(tw_result_output(result, "out"))[i] - z[i]) < 2e-3f);
    tw_result_release(result);
}

static void leaves_maps_without_gaps_and_without_ground(void **state)
{
    static float gaps[CELLS];
    struct tw_value map = harness_terrain(W, H, 9);
    (void)state;
    for (int i = 0; i < 4; i++) {
        for (int32_t c = 0; c < CELLS; c++)
            gaps[c] = (float)(i / 2);
        struct tw_result *result = fill(&map, gaps, surfaces[i % 2], i == 1);
        harness_same(&map, tw_floats(tw_result_output(result, "out")));
        assert_true((strstr(harness_warning(), "the whole map is a gap") != NULL) == (i / 2));
        tw_result_release(result);
    }
    free(map.data);
}

/* One cell of ground is all there is: the surface is level. */
static void stretches_from_a_single_cell(void **state)
{
    static float gaps[CELLS];
    struct tw_value map = harness_terrain(W, H, 10);
    (void)state;
    for (int32_t c = 0; c < CELLS; c++)
        gaps[c] = c != 5 * W + 4 ? 1 : 0;
    for (int i = 0; i < 4; i++) {
        struct tw_result *result = fill(&map, gaps, surfaces[i % 2], i / 2);
        for (int32_t c = 0; c < CELLS; c++)
            assert_true(fabsf(tw_floats(tw_result_output(result, "out"))[c] -
                              tw_floats(&map)[5 * W + 4]) < 1e-6f);
        tw_result_release(result);
    }
    free(map.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_least_energy),
        cmocka_unit_test(membranes_stay_within_the_ground_around),
        cmocka_unit_test(plates_carry_planes_on),
        cmocka_unit_test(leaves_maps_without_gaps_and_without_ground),
        cmocka_unit_test(stretches_from_a_single_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
