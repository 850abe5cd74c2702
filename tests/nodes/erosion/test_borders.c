/* SPDX-License-Identifier: MIT */
/* Rims: on ground that ends, the step between the first two rows or columns is as large as steps
 * are inland, whatever lies across the border. test_grid.c looks at the seam of a torus. */
#include "support/harness.h"
#include "support/lines.h"
#include "support/steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = LINES_SIZE, MAPS = 8, FEW = 3, NEXT = 6 };

/* `sum`: the sum of heights stays. */
static const struct row {
    const char *settings;
    bool sum;
    int input; /* enum lines_input */
    int maps;
} rows[] = {
    {"thermal", true, LINES_MOUNTAINS, FEW},
    {"thermal_fast", true, LINES_MOUNTAINS, FEW},
    {"thermal_fast, neighbourhood: von-neumann, order: raster", true, LINES_MOUNTAINS, FEW},
    {"hydraulic", true, LINES_MOUNTAINS, MAPS},
    {"hydraulic, height_scale: 32", true, LINES_MOUNTAINS, MAPS},
    {"hydraulic", true, LINES_PLAINS, MAPS},
    {"hydraulic_fast", true, LINES_MOUNTAINS, FEW},
    {"olsen", true, LINES_MOUNTAINS, FEW},
    {"olsen, order: raster", true, LINES_MOUNTAINS, FEW},
    {"olsen, visits: alternating", true, LINES_MOUNTAINS, FEW},
    {"thermal_fast, visits: alternating", true, LINES_MOUNTAINS, FEW},
    {"creep", true, LINES_MOUNTAINS, FEW},
    {"creep, nonlinear: true", true, LINES_MOUNTAINS, FEW},
    {"creep, steps: 60", true, LINES_MOUNTAINS, FEW},
    {"droplets", false, LINES_MOUNTAINS, MAPS},
    {"droplets, radius: 6", false, LINES_MOUNTAINS, MAPS},
    {"droplets", false, LINES_PLAINS, MAPS},
    {"fir", false, LINES_MOUNTAINS, FEW},
    {"fir, strength: 0.8", false, LINES_MOUNTAINS, FEW},
    {"gradient, update: synchronous, steps: 160", false, LINES_MOUNTAINS, FEW},
    {"pipes, steps: 200", false, LINES_MOUNTAINS, FEW},
    {"raindrops", true, LINES_MOUNTAINS, FEW},
    {"stream_power", false, LINES_MOUNTAINS, FEW},
    {"stream_power", false, LINES_PLAINS, FEW},
    {"stream_power, diffusion: 0.001", false, LINES_MOUNTAINS, FEW},
    {"stream_power, K: 0, uplift_rate: 0, talus: 1e9, channel: 1", true, LINES_MOUNTAINS, FEW},
};
enum { ROWS = sizeof rows / sizeof *rows };

static float *maps[LINES_INPUTS * MAPS]; /* MAPS of either input */

static int create_maps(void **state)
{
    (void)state;
    for (int i = 0; i < LINES_INPUTS * MAPS; i++) {
        maps[i] = malloc(sizeof **maps * N * N);
        assert_non_null(maps[i]);
        lines_terrain((enum lines_input)(i / MAPS), (uint64_t)(i % MAPS), maps[i]);
    }
    return 0;
}

static int release_maps(void **state)
{
    (void)state;
    for (int i = 0; i < LINES_INPUTS * MAPS; i++)
        free(maps[i]);
    return 0;
}

static double total(const float *cells)
{
    double sum = 0;
    for (int i = 0; i < N * N; i++)
        sum += (double)cells[i];
    return sum;
}

/* Rivers that cannot leave run along the border or meet it where they do, so that hillsides slope
 * across it or along it: for the length of two or three of them, steps across are 1.5 times those
 * of the map, where all directions meet. There the land inland is the next few steps. */
static double rim_of(const struct row *row, const float *out)
{
    bool valleys = strncmp(row->settings, "stream_power", strlen("stream_power")) == 0;
    return valleys ? steps_from_rim(out, N, NEXT) : steps_between(out, N, false);
}

/* Mean over the row's maps, tilted to the east and south. */
static double measure(const struct row *row)
{
    double mean = 0;
    int count = row->maps;
    for (int i = 0; i < count; i++) {
        struct tw_value map = {TW_HEIGHTMAP, N, N, malloc(sizeof(float) * N * N)};
        char nodes[300];
        assert_non_null(map.data);
        for (int c = 0; c < N * N; c++)
            tw_floats(&map)[c] = maps[row->input * MAPS + i][c] + 0.5f * (float)(c % N + c / N) / N;
        harness_give(0, &map);
        snprintf(nodes, sizeof nodes, "in: {type: test.map}\nout: {in: in, type: erosion.%s}\n",
                 row->settings);
        struct tw_result *result = harness_run(&(struct harness){
            .width = N, .height = N, .nodes = nodes, .threads = 1, .head = "borders: closed\n"});
        const float *out = tw_floats(tw_result_output(result, "out"));
        double before = total(tw_floats(&map)), after = total(out);
        if (row->sum && fabs(after - before) > 1e-5 * before)
            fail_msg("erosion.%s: the sum %.9g becomes %.9g", row->settings, before, after);
        mean += rim_of(row, out) / count;
        tw_result_release(result);
        free(map.data);
    }
    return mean;
}

static void closed_borders_show_no_rim(void **state)
{
    int faults = 0;
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        double ratio = measure(&rows[i]);
        if (getenv("THALWEG_SHOW"))
            print_message("%-50s %.3f\n", rows[i].settings, ratio);
        if (ratio >= 0.75 && ratio <= 1.3)
            continue;
        print_error("erosion.%s: the rim has steps of %.3f of those inland\n", rows[i].settings,
                    ratio);
        faults++;
    }
    assert_int_equal(faults, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_borders_show_no_rim),
    };
    return cmocka_run_group_tests(tests, create_maps, release_maps);
}
