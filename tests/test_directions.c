/* SPDX-License-Identifier: MIT */
/* The slopes of noise face along rows, columns and diagonals as often as between them.
 * support/directions.h measures this; nodes/erosion/test_grid.c applies it to eroded terrain. */
#include "support/directions.h"
#include "support/harness.h"
#include "support/lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = LINES_SIZE };

static void inputs_face_everywhere(void **state)
{
    static float cells[N * N];
    (void)state;
    for (int input = 0; input < LINES_INPUTS; input++) {
        struct directions sums = {0};
        for (uint64_t seed = 0; seed < LINES_SEEDS; seed++) {
            lines_terrain((enum lines_input)input, seed, cells);
            directions_add(&sums, cells, N, N);
        }
        assert_true(fabs(directions_fourfold(&sums)) < 0.005);
        assert_true(fabs(directions_eightfold(&sums)) < 0.005);
    }
}

/* A roof along the rows and one along a diagonal: all slopes face the same ways. */
static void meter_finds_a_direction(void **state)
{
    static float cells[N * N];
    (void)state;
    for (int diagonal = 0; diagonal < 2; diagonal++) {
        struct directions sums = {0};
        for (int i = 0; i < N * N; i++)
            cells[i] = (float)(i % N + diagonal * (i / N)) / N;
        directions_add(&sums, cells, N, N);
        assert_true(fabs(directions_fourfold(&sums) - (diagonal ? -1 : 1)) < 1e-6);
        assert_true(fabs(directions_eightfold(&sums) - 1) < 1e-6);
    }
}

static void noises_prefer_no_direction(void **state)
{
    static const char *const rows[] = {
        "perlin",
        "perlin, tile: false",
        "perlin, basis: simplex",
        "perlin, basis: value",
        "perlin, basis: value, tile: false",
        "ridged",
        "ridged, tile: false",
        "multifractal",
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct directions sums = {0};
        char nodes[128];
        snprintf(nodes, sizeof nodes, "out: {type: noise.%s}\n", rows[i]);
        for (uint64_t seed = 0; seed < LINES_SEEDS; seed++) {
            struct tw_result *result = harness_run(&(struct harness){
                .width = N, .height = N, .seed = seed, .threads = 2, .nodes = nodes});
            directions_add(&sums, tw_floats(tw_result_output(result, "out")), N, N);
            tw_result_release(result);
        }
        double fourfold = directions_fourfold(&sums), eightfold = directions_eightfold(&sums);
        if (getenv("THALWEG_SHOW"))
            print_message("%-40s cos 4t %+.4f, cos 8t %+.4f\n", rows[i], fourfold, eightfold);
        if (fabs(fourfold) > 0.03 || fabs(eightfold) > 0.03)
            fail_msg("noise.%s: cos 4t %+.4f, cos 8t %+.4f", rows[i], fourfold, eightfold);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_face_everywhere),
        cmocka_unit_test(meter_finds_a_direction),
        cmocka_unit_test(noises_prefer_no_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
