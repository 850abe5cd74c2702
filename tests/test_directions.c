/* SPDX-License-Identifier: MIT */
/* No direction of the grid is preferred: the slopes of noise and of eroded terrain face along rows,
 * columns and diagonals as often as between them. support/directions.h has the meter. The papers'
 * forms of erosion.thermal and gradient are left out: they have an option without a preference. */
#include "support/directions.h"
#include "support/harness.h"
#include "support/lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = LINES_SIZE, FEW = 3 };

static const char *const worlds[] = {"wrap", "closed"};
static const char *const names[LINES_INPUTS] = {"mountains", "plains"};

static float *maps[LINES_INPUTS][LINES_SEEDS];

static int create_maps(void **state)
{
    (void)state;
    for (int i = 0; i < LINES_INPUTS * LINES_SEEDS; i++) {
        float **map = &maps[i / LINES_SEEDS][i % LINES_SEEDS];
        *map = malloc(sizeof **map * N * N);
        assert_non_null(*map);
        lines_terrain((enum lines_input)(i / LINES_SEEDS), (uint64_t)(i % LINES_SEEDS), *map);
    }
    return 0;
}

static int release_maps(void **state)
{
    (void)state;
    for (int i = 0; i < LINES_INPUTS * LINES_SEEDS; i++)
        free(maps[i / LINES_SEEDS][i % LINES_SEEDS]);
    return 0;
}

/* Adds the outcome of an erosion on one map, or the map itself where `settings` is NULL. */
static void add_map(struct directions *sums, const char *settings, const char *world, float *map)
{
    struct tw_value terrain = {TW_HEIGHTMAP, N, N, map};
    char nodes[256], head[32];
    if (!settings) {
        directions_add(sums, map, N, N);
        return;
    }
    snprintf(head, sizeof head, "borders: %s\n", world);
    snprintf(nodes, sizeof nodes, "in: {type: test.map}\nout: {in: in, type: erosion.%s}\n",
             settings);
    harness_give(0, &terrain);
    struct tw_result *result = harness_run(
        &(struct harness){.width = N, .height = N, .threads = 2, .nodes = nodes, .head = head});
    directions_add(sums, tw_floats(tw_result_output(result, "out")), N, N);
    tw_result_release(result);
}

/* Returns how many of the two means over the seeds are out of bounds. */
static int measure(const char *settings, const char *world, int input, int seeds, double bound,
                   double eightfold_bound)
{
    struct directions sums = {0};
    for (int seed = 0; seed < seeds; seed++)
        add_map(&sums, settings, world, maps[input][seed]);
    double fourfold = directions_fourfold(&sums), eightfold = directions_eightfold(&sums);
    int faults = !(fabs(fourfold) < bound) + !(fabs(eightfold) < eightfold_bound);
    if (faults || getenv("THALWEG_SHOW"))
        print_message("%-40s %-9s %-6s cos 4t %+.4f, cos 8t %+.4f\n", settings ? settings : "input",
                      names[input], world, fourfold, eightfold);
    return faults;
}

static void inputs_face_everywhere(void **state)
{
    int faults = 0;
    (void)state;
    for (int input = 0; input < LINES_INPUTS; input++)
        faults += measure(NULL, "", input, LINES_SEEDS, 0.005, 0.005);
    assert_int_equal(faults, 0);
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

/* Nodes that know no torus, and slow ones, are measured in one world, the slowest on few maps. */
static void erosions_prefer_no_direction(void **state)
{
    static const struct {
        const char *settings;
        bool both; /* worlds */
        int seeds;
    } rows[] = {
        {"creep", true, LINES_SEEDS},
        {"creep, nonlinear: true", false, LINES_SEEDS},
        {"fir", false, LINES_SEEDS},
        {"raindrops", false, LINES_SEEDS},
        {"hydraulic", true, LINES_SEEDS},
        {"hydraulic_fast", true, LINES_SEEDS},
        {"droplets", false, LINES_SEEDS},
        {"stream_power", false, FEW},
        {"pipes", false, FEW},
        {"gradient, update: synchronous, slope: distance", false, FEW},
    };
    int faults = 0;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int world = 0; world < (rows[i].both ? 2 : 1); world++)
            for (int input = 0; input < LINES_INPUTS; input++)
                faults +=
                    measure(rows[i].settings, worlds[world], input, rows[i].seeds, 0.03, 0.03);
    assert_int_equal(faults, 0);
}

/* Over true distances to eight neighbours a slope between two of them may stand 8 % steeper, so
 * resting cones are octagons; the fourfold preference of the paper's form, 0.030, is gone. */
static void thermal_by_distance_is_eightfold_at_most(void **state)
{
    int faults = 0;
    (void)state;
    for (int input = 0; input < LINES_INPUTS; input++)
        faults += measure("thermal, slope: distance", worlds[0], input, LINES_SEEDS, 0.015, 0.06);
    assert_int_equal(faults, 0);
}

/* Each pass of Olsen's fast kernels looks at four neighbours only: only alternating visits make up
 * for that. */
static void alternating_visits_prefer_no_direction(void **state)
{
    static const char *const rows[] = {"olsen, visits: alternating",
                                       "thermal_fast, visits: alternating"};
    int faults = 0;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int input = 0; input < LINES_INPUTS; input++)
            faults += measure(rows[i], worlds[0], input, LINES_SEEDS, 0.08, 0.03);
    assert_int_equal(faults, 0);
}

/* As in the paper: what the meter must see. */
static void fixed_visits_follow_the_grid(void **state)
{
    struct directions olsen = {0}, thermal_fast = {0};
    (void)state;
    for (int seed = 0; seed < LINES_SEEDS; seed++) {
        add_map(&olsen, "olsen", worlds[0], maps[LINES_MOUNTAINS][seed]);
        add_map(&thermal_fast, "thermal_fast", worlds[0], maps[LINES_MOUNTAINS][seed]);
    }
    assert_true(directions_fourfold(&olsen) < -0.2);
    assert_true(directions_fourfold(&thermal_fast) > 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_face_everywhere),
        cmocka_unit_test(meter_finds_a_direction),
        cmocka_unit_test(noises_prefer_no_direction),
        cmocka_unit_test(erosions_prefer_no_direction),
        cmocka_unit_test(thermal_by_distance_is_eightfold_at_most),
        cmocka_unit_test(alternating_visits_prefer_no_direction),
        cmocka_unit_test(fixed_visits_follow_the_grid),
    };
    return cmocka_run_group_tests(tests, create_maps, release_maps);
}
