/* SPDX-License-Identifier: MIT */
/* What no erosion may show of the grid it runs on, at its defaults: lines (support/lines.h), slopes
 * that face along rows, columns or diagonals more often than between them (support/directions.h),
 * and the seam of a torus. All three look at the same outcomes, each of which is made once. */
#include "support/directions.h"
#include "support/harness.h"
#include "support/lines.h"
#include "support/steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = LINES_SIZE, ALL = LINES_SEEDS, FEW = 3 };

/* Kinds that know no torus have no seam, and slow ones are measured on few maps. The papers' forms
 * of thermal and gradient prefer directions; they have an option without a preference. */
static const struct row {
    const char *settings;
    int maps;                   /* of each input */
    double fourfold, eightfold; /* bounds of what the meter of directions says; 0 for none */
    bool lines, seam, sum;      /* looks for lines, for a seam; the sum of heights stays */
    bool closed, mountains;     /* not a torus; only that input */
} rows[] = {
    {"creep", ALL, 0.03, 0.03, .lines = true, .seam = true, .sum = true},
    {"creep", ALL, 0.03, 0.03, .closed = true},
    {"creep, nonlinear: true", ALL, 0.03, 0.03, .seam = true, .sum = true},
    {"creep, steps: 60", FEW, .seam = true, .sum = true, .mountains = true},
    {"droplets", ALL, 0.03, 0.03, .lines = true},
    {"fir", ALL, 0.03, 0.03, .lines = true},
    {"gradient", 1, .lines = true},
    {"gradient, update: synchronous, slope: distance", FEW, 0.03, 0.03, .lines = true},
    {"hydraulic", ALL, 0.03, 0.03, .lines = true, .seam = true, .sum = true},
    {"hydraulic", ALL, 0.03, 0.03, .closed = true},
    {"hydraulic, height_scale: 32", ALL, .seam = true, .sum = true, .mountains = true},
    {"hydraulic_fast", ALL, 0.03, 0.03, .lines = true, .seam = true, .sum = true},
    {"hydraulic_fast", ALL, 0.03, 0.03, .closed = true},
    {"olsen, order: raster", FEW, .seam = true, .sum = true, .mountains = true},
    {"pipes", FEW, 0.03, 0.03, .lines = true},
    {"raindrops", ALL, 0.03, 0.03, .lines = true, .sum = true},
    {"stream_power", FEW, 0.03, 0.03, .lines = true, .seam = true},
    {"thermal", ALL, .lines = true, .seam = true, .sum = true},
    {"thermal_fast, neighbourhood: von-neumann, order: raster", FEW, .seam = true, .sum = true,
     .mountains = true},
    /* Over true distances to eight neighbours a slope between two of them may stand 8 % steeper, so
     * resting cones are octagons; the fourfold preference of the paper's form, 0.030, is gone. */
    {"thermal, slope: distance", ALL, 0.015, 0.06, .lines = false},
    /* Each pass of Olsen's fast kernels looks at four neighbours only: only alternating visits make
     * up for that. */
    {"olsen, visits: alternating", ALL, 0.08, 0.03, .lines = true, .seam = true, .sum = true},
    {"thermal_fast, visits: alternating", ALL, 0.08, 0.03, .lines = true, .seam = true,
     .sum = true},
};

static const char *const names[LINES_INPUTS] = {"mountains", "plains"};

/* ---- what is measured of the maps of a row ---- */

struct sums {
    struct lines_profile lines;
    struct directions directions;
    double seam;
};

static double total(const float *cells)
{
    double sum = 0;
    for (int i = 0; i < N * N; i++)
        sum += (double)cells[i];
    return sum;
}

static void add_map(struct sums *sums, const struct row *row, int input, int seed)
{
    static float cells[N * N];
    const struct tw_value terrain = {TW_HEIGHTMAP, N, N, cells};
    char nodes[256];
    lines_terrain((enum lines_input)input, (uint64_t)seed, cells);
    harness_give(0, &terrain);
    snprintf(nodes, sizeof nodes, "in: {type: test.map}\nout: {in: in, type: erosion.%s}\n",
             row->settings);
    struct tw_result *result =
        harness_run(&(struct harness){.width = N,
                                      .height = N,
                                      .seed = (uint64_t)seed,
                                      .threads = 1,
                                      .nodes = nodes,
                                      .head = row->closed ? "borders: closed\n" : NULL});
    const float *out = tw_floats(tw_result_output(result, "out"));
    double before = total(cells), after = total(out);
    if (row->sum && fabs(after - before) > 1e-5 * before)
        fail_msg("erosion.%s: the sum %.9g becomes %.9g", row->settings, before, after);
    if (row->lines)
        lines_add(&sums->lines, out);
    directions_add(&sums->directions, out, N, N);
    sums->seam += steps_between(out, N, true) / row->maps;
    tw_result_release(result);
}

static const struct sums *measure(const struct row *row, int input)
{
    static struct sums sums;
    memset(&sums, 0, sizeof sums);
    for (int seed = 0; seed < row->maps; seed++)
        add_map(&sums, row, input, seed);
    if (getenv("THALWEG_SHOW"))
        print_message("%-50s %-6s %-9s cos 4t %+.4f, cos 8t %+.4f, seam %.3f\n", row->settings,
                      row->closed ? "closed" : "wrap", names[input],
                      directions_fourfold(&sums.directions), directions_eightfold(&sums.directions),
                      sums.seam);
    return &sums;
}

/* ---- what may be there ---- */

static int find_lines(const struct row *row, const char *name, const struct lines_profile *profile)
{
    struct lines_family f = lines_find(profile);
    if (f.shows)
        print_error("erosion.%s on %s: %s, every %d lines from %d: excess %.3f, z %.1f\n",
                    row->settings, name, f.profile, (int)f.period, (int)f.phase, f.excess, f.z);
    return f.shows;
}

static int find_directions(const struct row *row, const char *name, const struct directions *sums)
{
    double fourfold = directions_fourfold(sums), eightfold = directions_eightfold(sums);
    bool fault = !(fabs(fourfold) < row->fourfold) || !(fabs(eightfold) < row->eightfold);
    if (fault)
        print_error("erosion.%s on %s: cos 4t %+.4f, cos 8t %+.4f\n", row->settings, name, fourfold,
                    eightfold);
    return fault;
}

static int find_seam(const struct row *row, const char *name, double seam)
{
    bool fault = !(seam >= 0.75 && seam <= 1.3);
    if (fault)
        print_error("erosion.%s on %s: the seam has steps of %.3f of those inland\n", row->settings,
                    name, seam);
    return fault;
}

static void erosions_show_no_grid(void **state)
{
    int faults = 0;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int input = 0; input < (rows[i].mountains ? 1 : LINES_INPUTS); input++) {
            const struct sums *sums = measure(&rows[i], input);
            if (rows[i].lines)
                faults += find_lines(&rows[i], names[input], &sums->lines);
            if (rows[i].fourfold > 0)
                faults += find_directions(&rows[i], names[input], &sums->directions);
            if (rows[i].seam)
                faults += find_seam(&rows[i], names[input], sums->seam);
        }
    assert_int_equal(faults, 0);
}

/* As in the paper: what the meter of directions must see. They show neither lines nor a seam. */
static void fixed_visits_follow_the_grid(void **state)
{
    static const struct row olsen = {"olsen", ALL, .lines = true, .seam = true, .sum = true};
    static const struct row fast = {"thermal_fast", ALL, .lines = true, .seam = true, .sum = true};
    const struct row *const both[] = {&olsen, &fast};
    int faults = 0;
    (void)state;
    for (int i = 0; i < 2; i++)
        for (int input = 0; input < LINES_INPUTS; input++) {
            const struct sums *sums = measure(both[i], input);
            double fourfold = directions_fourfold(&sums->directions);
            faults += find_lines(both[i], names[input], &sums->lines);
            faults += find_seam(both[i], names[input], sums->seam);
            if (input == LINES_MOUNTAINS)
                assert_true(i ? fourfold > 0.1 : fourfold < -0.2);
        }
    assert_int_equal(faults, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(erosions_show_no_grid),
        cmocka_unit_test(fixed_visits_follow_the_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
