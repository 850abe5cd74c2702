/* SPDX-License-Identifier: MIT */
/* Rims: on ground that ends, the step between the first two rows or columns is as large as steps
 * are inland, whatever lies across the border; on a torus borders are nowhere. */
#include "support/harness.h"
#include "support/lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = LINES_SIZE, MAPS = 8, FEW = 3 };

/* Kinds that know no torus keep `wraps` false; `sum`: the sum of heights stays. */
static const struct row {
    const char *settings;
    bool wraps, sum;
    int input; /* enum lines_input */
    int maps;
} rows[] = {
    {"thermal", true, true, LINES_MOUNTAINS, FEW},
    {"thermal_fast", true, true, LINES_MOUNTAINS, FEW},
    {"thermal_fast, neighbourhood: von-neumann, order: raster", true, true, LINES_MOUNTAINS, FEW},
    {"hydraulic", true, true, LINES_MOUNTAINS, MAPS},
    {"hydraulic, height_scale: 32", true, true, LINES_MOUNTAINS, MAPS},
    {"hydraulic", true, true, LINES_PLAINS, MAPS},
    {"hydraulic_fast", true, true, LINES_MOUNTAINS, FEW},
    {"olsen", true, true, LINES_MOUNTAINS, FEW},
    {"olsen, order: raster", true, true, LINES_MOUNTAINS, FEW},
    {"olsen, visits: alternating", true, true, LINES_MOUNTAINS, FEW},
    {"thermal_fast, visits: alternating", true, true, LINES_MOUNTAINS, FEW},
    {"creep", true, true, LINES_MOUNTAINS, FEW},
    {"creep, nonlinear: true", true, true, LINES_MOUNTAINS, FEW},
    {"creep, steps: 60", true, true, LINES_MOUNTAINS, FEW},
    {"droplets", false, false, LINES_MOUNTAINS, MAPS},
    {"droplets, radius: 6", false, false, LINES_MOUNTAINS, MAPS},
    {"droplets", false, false, LINES_PLAINS, MAPS},
    {"fir", false, false, LINES_MOUNTAINS, FEW},
    {"fir, strength: 0.8", false, false, LINES_MOUNTAINS, FEW},
    {"gradient, update: synchronous, steps: 160", false, false, LINES_MOUNTAINS, FEW},
    {"pipes, steps: 200", false, false, LINES_MOUNTAINS, FEW},
    {"raindrops", false, true, LINES_MOUNTAINS, FEW},
    {"stream_power", true, false, LINES_MOUNTAINS, FEW},
    {"stream_power", true, false, LINES_PLAINS, FEW},
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

static double step(const float *cells, int32_t line, bool columns)
{
    double sum = 0;
    for (int32_t i = 0; i < N; i++) {
        int32_t here = columns ? i * N + line : line * N + i;
        int32_t next = columns ? i * N + (line + 1) % N : (line + 1) % N * N + i;
        sum += fabs((double)cells[next] - (double)cells[here]);
    }
    return sum;
}

/* The mean step between the first and the last two rows and columns over that of all; with `seam`
 * that between the last and the first. */
static double rim(const float *cells, bool seam)
{
    double rims = 0, all = 0;
    for (int columns = 0; columns < 2; columns++) {
        for (int32_t line = 0; line < N - 1; line++)
            all += step(cells, line, columns);
        rims += seam ? 2 * step(cells, N - 1, columns)
                     : step(cells, 0, columns) + step(cells, N - 2, columns);
    }
    return rims / 4 / (all / (2 * (N - 1)));
}

static double total(const float *cells)
{
    double sum = 0;
    for (int i = 0; i < N * N; i++)
        sum += (double)cells[i];
    return sum;
}

/* Mean over the row's maps, tilted by `tilt` to the east and south. */
static double measure(const struct row *row, float tilt, const char *head, bool seam, bool sum)
{
    double mean = 0;
    int count = row->maps;
    for (int i = 0; i < count; i++) {
        struct tw_value map = {TW_HEIGHTMAP, N, N, malloc(sizeof(float) * N * N)};
        char nodes[300];
        assert_non_null(map.data);
        for (int c = 0; c < N * N; c++)
            tw_floats(&map)[c] = maps[row->input * MAPS + i][c] + tilt * (float)(c % N + c / N) / N;
        harness_give(0, &map);
        snprintf(nodes, sizeof nodes, "in: {type: test.map}\nout: {in: in, type: erosion.%s}\n",
                 row->settings);
        struct tw_result *result = harness_run(
            &(struct harness){.width = N, .height = N, .nodes = nodes, .threads = 2, .head = head});
        const float *out = tw_floats(tw_result_output(result, "out"));
        double before = total(tw_floats(&map)), after = total(out);
        if (sum && fabs(after - before) > 1e-5 * before)
            fail_msg("erosion.%s: the sum %.9g becomes %.9g", row->settings, before, after);
        mean += rim(out, seam) / count;
        tw_result_release(result);
        free(map.data);
    }
    return mean;
}

static int expect_near_1(const char *settings, const char *where, double ratio)
{
    bool ok = ratio >= 0.75 && ratio <= 1.3;
    if (!ok)
        print_error("erosion.%s: %s has steps of %.3f of those inland\n", settings, where, ratio);
    else if (getenv("THALWEG_SHOW"))
        print_message("%-50s %s %.3f\n", settings, where, ratio);
    return !ok;
}

static void closed_borders_show_no_rim(void **state)
{
    int faults = 0;
    (void)state;
    for (int i = 0; i < ROWS; i++)
        faults += expect_near_1(rows[i].settings, "the rim",
                                measure(&rows[i], 0.5f, "borders: closed\n", false, rows[i].sum));
    assert_int_equal(faults, 0);
}

static void a_torus_shows_no_border(void **state)
{
    int faults = 0;
    (void)state;
    for (int i = 0; i < ROWS; i++)
        if (rows[i].wraps)
            faults += expect_near_1(rows[i].settings, "the seam",
                                    measure(&rows[i], 0, "borders: wrap\n", true, rows[i].sum));
    assert_int_equal(faults, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_borders_show_no_rim),
        cmocka_unit_test(a_torus_shows_no_border),
    };
    return cmocka_run_group_tests(tests, create_maps, release_maps);
}
