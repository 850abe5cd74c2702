/* SPDX-License-Identifier: MIT */
/* No node at its defaults may rule lines into terrain: support/lines.h detects them.
 * nodes/erosion/test_grid.c covers erosion, which has further checks. */
#include "support/harness.h"
#include "support/lines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static float cells[LINES_SIZE * LINES_SIZE];

static const struct tw_value terrain = {TW_HEIGHTMAP, LINES_SIZE, LINES_SIZE, cells};

static void report(const char *what, struct lines_family family)
{
    if (family.shows)
        fail_msg("%s: %s, every %d lines from %d: excess %.3f, z %.1f", what, family.profile,
                 family.period, family.phase, family.excess, family.z);
}

/* Writes the terrain of a seed into `cells`. */
typedef void make_terrain(uint64_t seed);

static void mountains(uint64_t seed) { lines_terrain(LINES_MOUNTAINS, seed, cells); }
static void plains(uint64_t seed) { lines_terrain(LINES_PLAINS, seed, cells); }

/* Ground that falls evenly to the south-east, with 1 % of detail: water flows evenly, so that seams
 * show. */
static void slope(uint64_t seed)
{
    lines_terrain(LINES_MOUNTAINS, seed, cells);
    for (int y = 0; y < LINES_SIZE; y++)
        for (int x = 0; x < LINES_SIZE; x++) {
            float *cell = &cells[y * LINES_SIZE + x];
            *cell = 0.01f * *cell - 0.4f * ((float)y + 0.4f * (float)x) / LINES_SIZE;
        }
}

/* `node` is the node's YAML mapping; its input, if any, is `in` or `cells`. */
static struct lines_family find_lines(const char *node, make_terrain *make, uint64_t seeds)
{
    static struct lines_profile profile;
    char nodes[256];
    snprintf(nodes, sizeof nodes, "in: {type: test.map}\n%sout: %s\n",
             strstr(node, "cells.") ? "cells: {type: voronoi.cells}\n" : "", node);
    memset(&profile, 0, sizeof profile);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        make(seed);
        harness_give(0, &terrain);
        struct tw_result *result = harness_run(&(struct harness){
            .width = LINES_SIZE, .height = LINES_SIZE, .seed = seed, .threads = 2, .nodes = nodes});
        lines_add(&profile, tw_floats(tw_result_output(result, "out")));
        tw_result_release(result);
    }
    return lines_find(&profile);
}

static void rules_no_lines(const char *node, make_terrain *make, uint64_t seeds)
{
    report(node, find_lines(node, make, seeds));
}

static void inputs_have_no_lines(void **state)
{
    (void)state;
    for (int input = 0; input < LINES_INPUTS; input++) {
        static struct lines_profile profile;
        memset(&profile, 0, sizeof profile);
        for (uint64_t seed = 0; seed < LINES_SEEDS; seed++) {
            lines_terrain((enum lines_input)input, seed, cells);
            lines_add(&profile, cells);
        }
        report("the input", lines_find(&profile));
    }
}

/* Raises every 16th row from row 5 on, so that its second differences are a third rougher. */
static void finds_ruled_lines_in(uint64_t maps)
{
    static struct lines_profile profile;
    memset(&profile, 0, sizeof profile);
    for (uint64_t seed = 0; seed < maps; seed++) {
        lines_terrain(LINES_MOUNTAINS, seed, cells);
        for (int y = 5; y < LINES_SIZE; y += 16)
            for (int x = 0; x < LINES_SIZE; x++)
                cells[y * LINES_SIZE + x] += 0.002f;
        lines_add(&profile, cells);
    }
    struct lines_family family = lines_find(&profile);
    assert_true(family.shows);
    assert_string_equal(family.profile, "rows, across");
    assert_int_equal(family.period, 16);
    assert_int_equal(family.phase, 5);
    assert_true(family.excess > 0.1);
}

static void finds_ruled_lines(void **state)
{
    (void)state;
    finds_ruled_lines_in(LINES_SEEDS);
    finds_ruled_lines_in(1);
}

static void generators_rule_no_lines(void **state)
{
    static const char *const nodes[] = {
        "{type: noise.perlin}",
        "{type: noise.perlin, tile: false}",
        "{type: noise.perlin, basis: simplex}",
        "{type: noise.perlin, basis: value}",
        "{type: noise.perlin, basis: value, tile: false}",
        "{type: noise.ridged}",
        "{type: noise.ridged, tile: false}",
        "{type: noise.multifractal}",
        "{type: noise.multifractal, tile: false}",
        "{type: noise.fault}",
        "{type: voronoi.cells}",
        "{type: voronoi.domain, domain: cells.domain}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
        rules_no_lines(nodes[i], mountains, LINES_SEEDS);
}

/* Raises one row alone by as much. */
static void finds_a_single_line(void **state)
{
    static struct lines_profile profile;
    (void)state;
    memset(&profile, 0, sizeof profile);
    for (uint64_t seed = 0; seed < LINES_SEEDS; seed++) {
        lines_terrain(LINES_MOUNTAINS, seed, cells);
        for (int x = 0; x < LINES_SIZE; x++)
            cells[217 * LINES_SIZE + x] += 0.004f;
        lines_add(&profile, cells);
    }
    struct lines_family family = lines_find(&profile);
    assert_true(family.shows);
    assert_string_equal(family.profile, "rows, across");
    assert_int_equal(family.period, LINES_SIZE);
    assert_int_equal(family.phase, 217);
}

/* Declared exceptions: the grid is part of these methods. Displaced points and random values lie on
 * the same rows and columns at every level, joined by straight interpolation; anything else would
 * be another method. Their pages say so, with a remedy. */
static void gridded_methods_rule_lines(void **state)
{
    static const char *const nodes[] = {
        "{type: noise.spectral}",
        "{type: noise.midpoint}",
        "{type: noise.diamond_square}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
        assert_true(find_lines(nodes[i], mountains, LINES_SEEDS).shows);
}

/* If frequencies are 2/3, 4/3, ... of the cells per side, and the lattice of the first octave began
 * at the map's corner, every third cell's centre would be a lattice point, where gradient noise is
 * 0. */
static void lattice_points_are_ordinary(void **state)
{
    static const char *const nodes[] = {
        "{type: noise.perlin, octaves: 3, frequency: 32}",
        "{type: noise.ridged, octaves: 3, frequency: 32}",
        "{type: noise.multifractal, n: 2, frequency: 32}",
    };
    (void)state;
    for (size_t n = 0; n < sizeof nodes / sizeof *nodes; n++) {
        double sums[2] = {0}, squares[2] = {0}, counts[2] = {0};
        char text[128];
        snprintf(text, sizeof text, "out: %s\n", nodes[n]);
        for (uint64_t seed = 0; seed < LINES_SEEDS; seed++) {
            struct tw_result *result = harness_run(
                &(struct harness){.width = 48, .height = 48, .seed = seed, .nodes = text});
            const float *at = tw_floats(tw_result_output(result, "out"));
            for (int i = 0; i < 48 * 48; i++) {
                bool point = i % 48 % 3 == 1 && i / 48 % 3 == 1;
                sums[point] += (double)at[i];
                squares[point] += (double)at[i] * (double)at[i];
                counts[point]++;
            }
            tw_result_release(result);
        }
        double mean[2], deviation[2];
        for (int i = 0; i < 2; i++) {
            mean[i] = sums[i] / counts[i];
            deviation[i] = sqrt(squares[i] / counts[i] - mean[i] * mean[i]);
        }
        if (fabs(mean[1] - mean[0]) > 0.2 * deviation[0] ||
            fabs(deviation[1] / deviation[0] - 1) > 0.2)
            fail_msg("%s: mean %.3f and deviation %.3f at lattice points, else %.3f and %.3f",
                     nodes[n], mean[1], deviation[1], mean[0], deviation[0]);
    }
}

/* Droplets run in tiles. A wide brush, long paths and a map of another size would show seams most.
 */
static void droplets_show_no_tiles(void **state)
{
    static const char *const settings[] = {
        "{type: erosion.droplets, in: in, radius: 6, lifetime: 128}",
        "{type: erosion.droplets, in: in, side: 128}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        rules_no_lines(settings[i], slope, 3);
        rules_no_lines(settings[i], plains, 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_have_no_lines),       cmocka_unit_test(finds_ruled_lines),
        cmocka_unit_test(finds_a_single_line),        cmocka_unit_test(generators_rule_no_lines),
        cmocka_unit_test(gridded_methods_rule_lines), cmocka_unit_test(lattice_points_are_ordinary),
        cmocka_unit_test(droplets_show_no_tiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
