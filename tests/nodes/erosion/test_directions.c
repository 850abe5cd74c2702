/* SPDX-License-Identifier: MIT */
/* Directions: with visits that alternate, slopes do not follow the grid, though each pass of
 * Olsen's fast kernels looks at four neighbours only. */
#include "support/directions.h"
#include "support/harness.h"
#include "support/lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = LINES_SIZE };

static float cells[N * N];

/* Over the seeds: of what `settings` make of the input. */
static struct directions measure(enum lines_input input, const char *settings)
{
    struct directions sums = {0};
    struct tw_value map = {TW_HEIGHTMAP, N, N, cells};
    char nodes[300];
    snprintf(nodes, sizeof nodes, "in: {type: test.map}\nout: {in: in, type: erosion.%s}\n",
             settings);
    for (uint64_t seed = 0; seed < LINES_SEEDS; seed++) {
        lines_terrain(input, seed, cells);
        harness_give(0, &map);
        struct tw_result *result =
            harness_run(&(struct harness){.width = N, .height = N, .nodes = nodes, .threads = 2});
        directions_add(&sums, tw_floats(tw_result_output(result, "out")), N, N);
        tw_result_release(result);
    }
    if (getenv("THALWEG_SHOW"))
        print_message("%-35s %s: cos 4t %+.3f, cos 8t %+.3f\n", settings,
                      input == LINES_PLAINS ? "plains" : "mountains", directions_fourfold(&sums),
                      directions_eightfold(&sums));
    return sums;
}

static void expect_none(const char *settings)
{
    for (enum lines_input input = 0; input < LINES_INPUTS; input++) {
        struct directions sums = measure(input, settings);
        if (fabs(directions_fourfold(&sums)) > 0.08 || fabs(directions_eightfold(&sums)) > 0.03)
            fail_msg("erosion.%s: cos 4t is %+.3f and cos 8t %+.3f; expected none", settings,
                     directions_fourfold(&sums), directions_eightfold(&sums));
    }
}

static void alternating_visits_prefer_no_direction(void **state)
{
    (void)state;
    expect_none("olsen, visits: alternating");
    expect_none("thermal_fast, visits: alternating");
}

/* As in the paper: what the meter must see. */
static void fixed_visits_follow_the_grid(void **state)
{
    (void)state;
    struct directions olsen = measure(LINES_MOUNTAINS, "olsen");
    struct directions thermal_fast = measure(LINES_MOUNTAINS, "thermal_fast");
    assert_true(directions_fourfold(&olsen) < -0.2);
    assert_true(directions_fourfold(&thermal_fast) > 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alternating_visits_prefer_no_direction),
        cmocka_unit_test(fixed_visits_follow_the_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
