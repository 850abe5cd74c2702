/* SPDX-License-Identifier: MIT */
#include "reference/octaves.h"
#include "support/everywhere.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static float *reference(const struct octave *o, int32_t octaves, float persistence, bool billow)
{
    float *out = calloc((size_t)o->width * (size_t)o->height, sizeof *out), total = 0;
    float amplitude = 1;
    assert_non_null(out);
    for (int32_t k = 0; k < octaves; k++, amplitude *= persistence)
        total += amplitude;
    for (int32_t i = 0; i < o->width * o->height; i++) {
        amplitude = 1;
        for (int32_t k = 0; k < octaves; k++, amplitude *= persistence) {
            float n = octave_at(o, k, i % o->width, i / o->width);
            out[i] += amplitude * (billow && n < 0 ? -n : n);
        }
        out[i] = billow ? out[i] * (1 / total) : 0.5f + out[i] * (0.5f / total);
    }
    return out;
}

static void check_octave(struct octave o, int32_t octaves, float persistence, bool billow)
{
    char nodes[300];
    float *expected = reference(&o, octaves, persistence, billow);
    snprintf(nodes, sizeof nodes,
             "n: {type: noise.perlin, seed: %d, basis: %s, octaves: %d, frequency: %g, "
             "lacunarity: %g, persistence: %g, tile: %s, octave: %s, turn: %g}",
             (int)o.seed,
             o.basis == 'p'   ? "perlin"
             : o.basis == 's' ? "simplex"
                              : "value",
             octaves, o.frequency, o.lacunarity, (double)persistence, o.tile ? "true" : "false",
             billow ? "billow" : "plain", o.turn);
    everywhere((struct harness){.width = o.width, .height = o.height, .nodes = nodes}, "n",
               expected);
    free(expected);
}

static void check_setting(struct octave o, int32_t octaves, float persistence)
{
    check_octave(o, octaves, persistence, false);
}

static void billow_is_the_sum_of_sizes(void **state)
{
    (void)state;
    check_octave((struct octave){'p', 64, 64, 7, 4, 2, true, 0}, 6, 0.5f, true);
    check_octave((struct octave){'v', 257, 129, 7, 3.5, 2.25, true, 0}, 5, 0.75f, true);
    check_octave((struct octave){'s', 129, 61, 7, 3.5, 2.25, false, 0}, 3, 0.5f, true);
    check_octave((struct octave){'p', 1, 37, 7, 4, 2, true, 0}, 1, 0.5f, true);
}

static void turn_rotates_each_octave_against_the_one_before(void **state)
{
    (void)state;
    check_octave((struct octave){'p', 257, 129, 7, 3.5, 2.25, false, 30}, 5, 0.75f, false);
    check_octave((struct octave){'v', 64, 64, 9, 4, 2, false, -112.5}, 4, 0.5f, true);
    check_octave((struct octave){'s', 129, 61, 7, 3.5, 2, false, 90}, 3, 0.5f, false);
}

/* With `turn`, auto is the same as false. */
static void turned_lattices_do_not_tile(void **state)
{
    static const char nodes[] = "a: {type: noise.perlin, turn: 20, seed: 5}\n"
                                "b: {type: noise.perlin, turn: 20, seed: 5, tile: false}\n";
    (void)state;
    struct tw_result *result =
        harness_run(&(struct harness){.width = 33, .height = 20, .nodes = nodes});
    harness_same(tw_result_output(result, "a"), tw_floats(tw_result_output(result, "b")));
    tw_result_release(result);
    struct tw_error error =
        harness_fail(&(struct harness){.nodes = "n: {type: noise.perlin, turn: 20, tile: true}\n"});
    assert_non_null(strstr(error.message, "turn is 20; expected 0, unless tile is auto or false"));
}

static void is_the_sum_of_octaves_bit_for_bit(void **state)
{
    (void)state;
    for (const char *basis = "pv"; *basis; basis++) {
        check_setting((struct octave){*basis, 64, 64, 7, 4, 2, true, 0}, 6, 0.5f);
        check_setting((struct octave){*basis, 257, 129, 7, 3.5, 2.25, true, 0}, 5, 0.5f);
        check_setting((struct octave){*basis, 257, 129, 7, 3.5, 2.25, false, 0}, 5, 0.75f);
        check_setting((struct octave){*basis, 90, 700, 7, 1, 2, true, 0}, 4, 0.5f);
        check_setting((struct octave){*basis, 1, 1, 7, 4, 2, true, 0}, 2, 0.5f);
        check_setting((struct octave){*basis, 1, 37, 7, 4, 2, true, 0}, 3, 0.5f);
        check_setting((struct octave){*basis, 61, 1, 7, 4, 2, false, 0}, 3, 0.5f);
    }
}

static void simplex_is_the_sum_of_octaves_bit_for_bit(void **state)
{
    (void)state;
    check_setting((struct octave){'s', 64, 64, 7, 4, 2, false, 0}, 6, 0.5f);
    check_setting((struct octave){'s', 257, 129, 7, 3.5, 2.25, false, 0}, 5, 0.75f);
    check_setting((struct octave){'s', 1, 37, 7, 4, 2, false, 0}, 3, 0.5f);
    check_setting((struct octave){'s', 61, 1, 7, 4, 2, false, 0}, 3, 0.5f);
}

/* Lattices at any angle of which a square holds up to hundreds of cells, over two strips. */
static void simplex_much_coarser_than_the_map_shares_its_gradients(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++)
        check_setting((struct octave){'s', 1100, 3, seed, 1.5, 1.9f, false, 0}, 5, 0.75f);
}

/* Stretches of rows that lie in up to 16 squares, in all directions, and some that lie in more. */
static void simplex_coarser_than_the_map_shares_its_gradients(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++)
        check_setting((struct octave){'s', 300, 30, seed, 5, 1.2f, false, 0}, 8, 1);
}

/* Rotated lattices in all directions, from 15 lattice cells a row, whose stretches are as long as
 * they may be, to where two vectors of cells lead through more than 8 lattice cells, or a vector
 * of 16 through more than 14, and each draws its own. */
static void rotated_lattices_share_their_points(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++)
        for (const char *basis = "pv"; *basis; basis++) {
            check_setting((struct octave){*basis, 1100, 5, seed, 15, 1.55f, false, 0}, 10, 1);
            check_setting((struct octave){*basis, 299, 40, seed, 24, 1.2f, false, 0}, 10, 1);
            check_setting((struct octave){*basis, 270, 40, seed, 110, 1.05f, false, 0}, 10, 1);
        }
}

/* More lattice points than cells: strips are short then. */
static void takes_octaves_finer_than_the_map(void **state)
{
    (void)state;
    check_setting((struct octave){'p', 20, 13, 7, 4096, 4, true, 0}, 3, 0.5f);
    check_setting((struct octave){'v', 20, 13, 7, 4096, 4, false, 0}, 3, 0.5f);
}

/* Where a vector of columns picks its lattice points just yet, and where every cell draws its own:
 * the first octave has 1.38 lattice cells a cell, the third 1.52 and the last 2.15. */
static void picks_and_draws_lattice_points_alike(void **state)
{
    (void)state;
    check_setting((struct octave){'p', 600, 5, 7, 830, 1.05f, true, 0}, 10, 1);
    check_setting((struct octave){'v', 600, 5, 7, 830, 1.05f, true, 0}, 10, 1);
}

/* Where lattices wrap between the two points of a cell, at the end of a vector of cells or in it.
 */
static void wraps_anywhere_in_a_vector(void **state)
{
    (void)state;
    for (int32_t seed = 1; seed <= 20; seed++) {
        int32_t width = 15 + seed;
        check_setting(
            (struct octave){'p', width, 12, (uint64_t)seed, 1.6f * (float)width, 1.05f, true, 0},
            16, 1);
    }
}

static struct tw_result *run(const char *nodes, int32_t side)
{
    return harness_run(&(struct harness){.width = side, .height = side, .nodes = nodes});
}

/* Across the border the noise goes on as smoothly as inside. */
static void borders_wrap(void **state)
{
    const char *const bases[] = {"perlin", "value"};
    (void)state;
    for (int b = 0; b < 2; b++) {
        char nodes[128];
        snprintf(nodes, sizeof nodes,
                 "n: {type: noise.perlin, basis: %s, octaves: 3, frequency: 3}", bases[b]);
        struct tw_result *result = run(nodes, 128);
        const float *n = tw_floats(tw_result_output(result, "n"));
        float inside = 0, across = 0;
        for (int y = 0; y < 128; y++) {
            for (int x = 0; x < 127; x++)
                inside = tw_max(inside, fabsf(n[y * 128 + x + 1] - n[y * 128 + x]));
            across = tw_max(across, fabsf(n[y * 128] - n[y * 128 + 127]));
            across = tw_max(across, fabsf(n[y] - n[127 * 128 + y]));
        }
        assert_true(across < 1.2f * inside);
        tw_result_release(result);
    }
}

/* Heights keep to 0..1 without being rescaled, and use a good part of it. */
static void stays_within_its_range(void **state)
{
    const char *const bases[] = {"perlin", "simplex", "value"};
    const double least[] = {0.10, 0.10, 0.15}, most[] = {0.25, 0.30, 0.30};
    (void)state;
    for (int i = 0; i < 3; i++) {
        char nodes[128];
        snprintf(nodes, sizeof nodes,
                 "n: {type: noise.perlin, basis: %s, octaves: 1, frequency: 64}", bases[i]);
        struct tw_result *result = run(nodes, 512);
        const float *n = tw_floats(tw_result_output(result, "n"));
        double sum = 0, squares = 0, count = 512 * 512;
        for (int k = 0; k < 512 * 512; k++) {
            assert_true(n[k] > -0.001f && n[k] < 1.001f);
            sum += (double)n[k];
            squares += (double)n[k] * (double)n[k];
        }
        double deviation = sqrt(squares / count - sum * sum / count / count);
        assert_true(fabs(sum / count - 0.5) < 0.01);
        assert_true(deviation > least[i] && deviation < most[i]);
        tw_result_release(result);
    }
}

/* A sample of the larger map lies at the same place of the same noise. */
static void larger_maps_show_the_same_noise(void **state)
{
    const char *nodes = "n: {type: noise.perlin, seed: 5, octaves: 2, frequency: 4}";
    (void)state;
    struct tw_result *small = run(nodes, 81), *large = run(nodes, 243);
    const float *a = tw_floats(tw_result_output(small, "n"));
    const float *b = tw_floats(tw_result_output(large, "n"));
    for (int y = 0; y < 81; y++)
        for (int x = 0; x < 81; x++)
            assert_true(fabsf(a[y * 81 + x] - b[(3 * y + 1) * 243 + 3 * x + 1]) < 1e-5f);
    tw_result_release(small);
    tw_result_release(large);
}

static void refuses_what_cannot_be(void **state)
{
    (void)state;
    struct tw_error error = harness_fail(
        &(struct harness){.nodes = "n: {type: noise.perlin, basis: simplex, tile: true}\n"});
    assert_non_null(strstr(error.message, "basis is 'simplex'; expected perlin or value"));
    error = harness_fail(
        &(struct harness){.nodes = "n: {type: noise.perlin, octaves: 16, frequency: 4}\n"});
    assert_non_null(strstr(error.hint, "65536"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_sum_of_octaves_bit_for_bit),
        cmocka_unit_test(billow_is_the_sum_of_sizes),
        cmocka_unit_test(turn_rotates_each_octave_against_the_one_before),
        cmocka_unit_test(turned_lattices_do_not_tile),
        cmocka_unit_test(simplex_is_the_sum_of_octaves_bit_for_bit),
        cmocka_unit_test(simplex_much_coarser_than_the_map_shares_its_gradients),
        cmocka_unit_test(simplex_coarser_than_the_map_shares_its_gradients),
        cmocka_unit_test(rotated_lattices_share_their_points),
        cmocka_unit_test(takes_octaves_finer_than_the_map),
        cmocka_unit_test(picks_and_draws_lattice_points_alike),
        cmocka_unit_test(wraps_anywhere_in_a_vector),
        cmocka_unit_test(borders_wrap),
        cmocka_unit_test(stays_within_its_range),
        cmocka_unit_test(larger_maps_show_the_same_noise),
        cmocka_unit_test(refuses_what_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
