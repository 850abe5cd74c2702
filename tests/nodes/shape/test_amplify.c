/* SPDX-License-Identifier: MIT */
/* shape.amplify: what it keeps of a map, that it drains, and detail by example against a plain
 * reference. */
#include "support/harness.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 128, FACTOR = 4, SMALL = SIDE / FACTOR };

static double entry(const struct tw_value *record, const char *name)
{
    for (int32_t i = 0; i < record->width; i++)
        if (strcmp(tw_entries(record)[i].name, name) == 0)
            return tw_entries(record)[i].number;
    fail_msg("no entry %s", name);
    return 0;
}

static struct tw_result *run(const char *nodes)
{
    return harness_run(&(struct harness){.width = SIDE, .height = SIDE, .nodes = nodes});
}

/* Share of cells below the way out of them, as shape.fill_depressions finds it. */
static double hollows(const struct tw_result *result)
{
    const float *out = tw_floats(tw_result_output(result, "out"));
    const float *filled = tw_floats(tw_result_output(result, "filled"));
    int count = 0;
    for (int32_t i = 0; i < SIDE * SIDE; i++)
        count += filled[i] > out[i];
    return count / (double)(SIDE * SIDE);
}

static void water_runs_off_everywhere(void **state)
{
    static const char *const options[] = {
        "factor: 2, border: closed",
        "factor: 4, border: closed",
        "factor: 8, border: closed",
        "factor: 4, border: wrap",
        "factor: 4, border: closed, closed: [north, east, south]",
        "factor: 8, border: closed, closed: [west], hold: 1",
        "factor: 4, border: closed, closed: [north, east, south, west]",
        "factor: 4, hold: 1, steps: 0, border: closed",
        "factor: 8, hold: 2, steps: 9, deposition: 5, border: wrap"};
    static const char *const lands[] = {
        "{type: noise.perlin, octaves: 4}", "{type: noise.midpoint}",
        "{type: shape.fill_depressions, in: noise, border: closed}", "{type: source.constant}"};
    (void)state;
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
        for (size_t j = 0; j < sizeof lands / sizeof *lands; j++) {
            char nodes[600];
            const char *closed = strstr(options[k], "closed: [");
            snprintf(nodes, sizeof nodes,
                     "noise: {type: noise.perlin}\nin: %s\n"
                     "out: {type: shape.amplify, in: in, %s}\n"
                     "filled: {type: shape.fill_depressions, in: out, border: %s%s%.*s}\n",
                     lands[j], options[k], strstr(options[k], "wrap") ? "wrap" : "closed",
                     closed ? ", " : "", closed ? (int)strcspn(closed, "]") + 1 : 0,
                     closed ? closed : "");
            struct tw_result *result = run(nodes);
            assert_true(hollows(result) == 0);
            tw_result_release(result);
        }
}

static double mean_of(const float *map, int32_t x, int32_t y, int32_t side)
{
    double sum = 0;
    for (int32_t v = y * side; v < (y + 1) * side; v++)
        for (int32_t u = x * side; u < (x + 1) * side; u++)
            sum += (double)map[v * SIDE + u];
    return sum / (side * side);
}

/* Mean distance between the means of two maps over so many cells a side. */
static double means_apart(const float *a, const float *b, int32_t side)
{
    double sum = 0;
    for (int32_t y = 0; y < SIDE / side; y++)
        for (int32_t x = 0; x < SIDE / side; x++)
            sum += fabs(mean_of(a, x, y, side) - mean_of(b, x, y, side));
    return sum * side * side / (SIDE * SIDE);
}

/* A land that drains keeps its means, over the cells that `hold` says, while within them it becomes
 * rougher by far. */
static void the_form_stays(void **state)
{
    (void)state;
    for (int32_t hold = 1; hold <= 4; hold *= 4) {
        char nodes[600];
        snprintf(nodes, sizeof nodes,
                 "noise: {type: noise.midpoint}\n"
                 "up: {type: erosion.stream_power, in: noise, border: free}\n"
                 "in: {type: shape.resample, in: up, cell: 0.03125, method: cubic}\n"
                 "out: {type: shape.amplify, in: in, factor: 4, hold: %d, border: closed}\n"
                 "s: {type: measure.statistics, in: in}\n",
                 hold);
        struct tw_result *result = run(nodes);
        const struct tw_value *s = tw_result_output(result, "s");
        const double relief = entry(s, "max") - entry(s, "min");
        const float *in = tw_floats(tw_result_output(result, "in"));
        const float *out = tw_floats(tw_result_output(result, "out"));
        const double apart = means_apart(in, out, FACTOR * hold) / relief;
        const double within = means_apart(in, out, 1) / relief;
        printf("hold %d: means %.4f, cells %.4f of the relief\n", hold, apart, within);
        assert_true(apart < 0.02);
        assert_true(within > 0.01);
        tw_result_release(result);
    }
}

/* What is finer than the coarse cells does not count. */
static void only_means_count(void **state)
{
    (void)state;
    struct tw_result *result =
        run("a: {type: noise.perlin, octaves: 3}\n"
            "b: {type: combine.formula, a: a, formula: \"a + 0.25 * ((floor(x * 128) - 2 * "
            "floor(x * 64)) - 0.5)\"}\n"
            "u: {type: shape.amplify, in: a, steps: 0, roughness: 0, deposition: 0}\n"
            "v: {type: shape.amplify, in: b, steps: 0, roughness: 0, deposition: 0}\n"
            "d: {type: measure.difference, a: u, b: v}\n"
            "e: {type: measure.difference, a: a, b: b}\n");
    assert_true(entry(tw_result_output(result, "d"), "mean") < 1e-4);
    assert_true(entry(tw_result_output(result, "e"), "mean") > 0.1);
    tw_result_release(result);
}

static void seeds_differ_and_stay(void **state)
{
    static const char *const nodes = "in: {type: noise.perlin, seed: 1}\n"
                                     "out: {type: shape.amplify, in: in}\n";
    (void)state;
    struct tw_result *a =
        harness_run(&(struct harness){.width = SIDE, .height = SIDE, .seed = 1, .nodes = nodes});
    struct tw_result *b = harness_run(&(struct harness){
        .width = SIDE, .height = SIDE, .seed = 1, .threads = 3, .simd = "base", .nodes = nodes});
    struct tw_result *c =
        harness_run(&(struct harness){.width = SIDE, .height = SIDE, .seed = 2, .nodes = nodes});
    harness_same(tw_result_output(a, "out"), tw_floats(tw_result_output(b, "out")));
    assert_memory_not_equal(tw_floats(tw_result_output(a, "out")),
                            tw_floats(tw_result_output(c, "out")), SIDE * SIDE * sizeof(float));
    tw_result_release(a);
    tw_result_release(b);
    tw_result_release(c);
}

/* ---- by example ---- */

static void the_smaller_exemplar_gives_the_exemplar(void **state)
{
    static const char *const borders[] = {"closed", "wrap"};
    (void)state;
    for (int factor = 2; factor <= 8; factor *= 2)
        for (size_t k = 0; k < 2; k++) {
            char nodes[400];
            snprintf(nodes, sizeof nodes,
                     "land: {type: test.map}\n"
                     "small: {type: shape.resample, in: land, cell: %g, method: nearest}\n"
                     "out: {type: shape.amplify, in: small, exemplar: land, factor: %d, "
                     "border: %s}\n",
                     factor / (double)SIDE, factor, borders[k]);
            struct tw_value land = harness_terrain(SIDE, SIDE, (uint64_t)factor);
            harness_give(0, &land);
            struct tw_result *result = run(nodes);
            const float *out = tw_floats(tw_result_output(result, "out"));
            for (int32_t i = 0; i < SIDE * SIDE; i++)
                assert_true(fabsf(out[i] - tw_floats(&land)[i]) <= 2e-6f);
            tw_result_release(result);
            free(land.data);
        }
}

/* The reference: means, the smooth surface as the node itself gives it for an exemplar without
 * detail, and for every patch the best of all atoms. */
struct reference {
    double small[SMALL * SMALL], example[SMALL * SMALL];
    const float *land, *smooth_land;
};

enum { PATCH = 8, STEP = 4, LINES = (SMALL - PATCH) / STEP + 1, ATOMS = SMALL - PATCH + 1 };

static double patch_at(const double *map, int32_t x, int32_t y, double *patch)
{
    double sum = 0, squares = 0;
    for (int k = 0; k < PATCH * PATCH; k++)
        sum += patch[k] = map[(y + k / PATCH) * SMALL + x + k % PATCH];
    for (int k = 0; k < PATCH * PATCH; k++) {
        patch[k] -= sum / (PATCH * PATCH);
        squares += patch[k] * patch[k];
    }
    return squares;
}

static void best_atom(const struct reference *r, int32_t u, int32_t v, int32_t *atom, double *scale)
{
    double own[PATCH * PATCH], other[PATCH * PATCH], best = 0;
    patch_at(r->small, u * STEP, v * STEP, own);
    *scale = *atom = 0;
    for (int32_t i = 0; i < ATOMS * ATOMS; i++) {
        double squares = patch_at(r->example, i % ATOMS, i / ATOMS, other), product = 0;
        for (int k = 0; k < PATCH * PATCH; k++)
            product += own[k] * other[k];
        if (product / sqrt(squares) > best) {
            best = product / sqrt(squares);
            *atom = i;
            *scale = product / squares < 4 ? product / squares : 4;
        }
    }
}

static double tent(int32_t i)
{
    int32_t from_end = PATCH * FACTOR - 1 - i, least = i < from_end ? i : from_end;
    return i < 0 || from_end < 0 ? 0 : 2 * least + 1;
}

static void is_the_sum_of_the_best_patches(void **state)
{
    static int32_t atoms[LINES * LINES];
    static double scales[LINES * LINES];
    static struct reference r;
    (void)state;
    struct tw_value land = harness_terrain(SIDE, SIDE, 3), map = harness_terrain(SIDE, SIDE, 4);
    harness_give(0, &land);
    harness_give(1, &map);
    struct tw_result *result =
        run("land: {type: test.map}\nmap: {type: test.map, slot: 1}\n"
            "zero: {type: source.constant}\n"
            "out: {type: shape.amplify, in: map, exemplar: land, border: closed}\n"
            "a: {type: shape.amplify, in: map, exemplar: zero, border: closed}\n"
            "b: {type: shape.amplify, in: land, exemplar: zero, border: closed}\n");
    const float *out = tw_floats(tw_result_output(result, "out"));
    const float *smooth = tw_floats(tw_result_output(result, "a"));
    r.land = tw_floats(&land);
    r.smooth_land = tw_floats(tw_result_output(result, "b"));
    for (int32_t i = 0; i < SMALL * SMALL; i++) {
        r.small[i] = mean_of(tw_floats(&map), i % SMALL, i / SMALL, FACTOR);
        r.example[i] = mean_of(r.land, i % SMALL, i / SMALL, FACTOR);
    }
    for (int32_t i = 0; i < LINES * LINES; i++)
        best_atom(&r, i % LINES, i / LINES, &atoms[i], &scales[i]);
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++) {
            double sum = 0, weights = 0;
            for (int32_t i = 0; i < LINES * LINES; i++) {
                int32_t dx = x - i % LINES * STEP * FACTOR, dy = y - i / LINES * STEP * FACTOR;
                double weight = tent(dx) * tent(dy);
                if (!(weight > 0))
                    continue;
                int32_t from =
                    (atoms[i] / ATOMS * FACTOR + dy) * SIDE + atoms[i] % ATOMS * FACTOR + dx;
                weights += weight;
                sum += weight * scales[i] * (double)(r.land[from] - r.smooth_land[from]);
            }
            double expected = (double)smooth[y * SIDE + x] + sum / weights;
            assert_true(fabs((double)out[y * SIDE + x] - expected) < 1e-4);
        }
    tw_result_release(result);
    free(land.data);
    free(map.data);
}

/* The smooth surface between has the means of the map. */
static void an_exemplar_without_detail_gives_a_smooth_map(void **state)
{
    (void)state;
    struct tw_value map = harness_terrain(SIDE, SIDE, 5);
    harness_give(0, &map);
    struct tw_result *result = run("map: {type: test.map}\nzero: {type: source.constant}\n"
                                   "out: {type: shape.amplify, in: map, exemplar: zero}\n");
    const float *out = tw_floats(tw_result_output(result, "out"));
    assert_true(means_apart(tw_floats(&map), out, FACTOR) < 1e-6);
    assert_true(means_apart(tw_floats(&map), out, 1) > 0.001);
    tw_result_release(result);
    free(map.data);
}

/* Without 8 coarse cells a side there is nothing to learn from. */
static void a_map_of_a_few_cells_stays(void **state)
{
    static const int32_t sides[][2] = {{1, 1}, {5, 3}, {14, 14}, {40, 7}};
    (void)state;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        struct tw_result *result =
            harness_run(&(struct harness){.width = sides[i][0],
                                          .height = sides[i][1],
                                          .nodes = "in: {type: noise.midpoint}\n"
                                                   "out: {type: shape.amplify, in: in}\n"});
        harness_same(tw_result_output(result, "in"), tw_floats(tw_result_output(result, "out")));
        tw_result_release(result);
    }
}

static void factors_are_powers_of_two(void **state)
{
    (void)state;
    struct tw_error error =
        harness_fail(&(struct harness){.nodes = "in: {type: noise.perlin}\n"
                                                "out: {type: shape.amplify, in: in, factor: 6}\n"});
    assert_non_null(strstr(error.message, "2, 4 or 8"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_runs_off_everywhere),
        cmocka_unit_test(the_form_stays),
        cmocka_unit_test(only_means_count),
        cmocka_unit_test(seeds_differ_and_stay),
        cmocka_unit_test(the_smaller_exemplar_gives_the_exemplar),
        cmocka_unit_test(is_the_sum_of_the_best_patches),
        cmocka_unit_test(an_exemplar_without_detail_gives_a_smooth_map),
        cmocka_unit_test(a_map_of_a_few_cells_stays),
        cmocka_unit_test(factors_are_powers_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
