/* SPDX-License-Identifier: MIT */
/* The library's recipes for fair maps: turned-2, turned-4, mirrored and noise-turned give each
 * player the bytes of the others, at even and odd sizes, and leave no seam where the parts meet. */
#include "support/harness.h"

#include "value/field.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tw_result *run(const char *text)
{
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    struct tw_error error;
    const struct tw_run_options options = {.threads = 2};
    if (tw_recipe_parse(text, strlen(text), "fair.yaml", NULL, &recipe, &error) ||
        tw_recipe_run(recipe, &options, &result, &error))
        fail_msg("%s: %s\n%s", error.path, error.message, text);
    tw_recipe_release(recipe);
    return result;
}

/* Runs `it`, one line of YAML, on noise of a seed. */
static struct tw_result *run_on_noise(const char *size, const char *borders, int seed,
                                      const char *it)
{
    char text[1024];
    snprintf(text, sizeof text,
             "thalweg: 1\nsize: %s\nborders: %s\nseed: %d\nnodes:\n"
             "  noise: {type: noise.perlin, frequency: 9, octaves: 5}\n"
             "  it: {%s}\noutputs: {noise: noise, land: it.land}\n",
             size, borders, seed, it);
    return run(text);
}

typedef void place(int width, int height, int *x, int *y);

static void half_turn(int width, int height, int *x, int *y)
{
    *x = width - 1 - *x;
    *y = height - 1 - *y;
}

static void quarter_turn(int width, int height, int *x, int *y)
{
    const int column = *x;
    (void)height;
    *x = width - 1 - *y;
    *y = column;
}

static void mirror(int width, int height, int *x, int *y)
{
    (void)height;
    (void)y;
    *x = width - 1 - *x;
}

/* Finds the bytes of every cell again where `image` sends it; a flat map would prove nothing. */
static void check_image(const struct tw_value *land, place *image, const char *about)
{
    const float *z = land->data;
    float least = z[0], greatest = z[0];
    for (int y = 0; y < land->height; y++)
        for (int x = 0; x < land->width; x++) {
            int u = x, v = y;
            image(land->width, land->height, &u, &v);
            const float *a = z + (size_t)y * (size_t)land->width + x;
            const float *b = z + (size_t)v * (size_t)land->width + u;
            if (memcmp(a, b, sizeof *a) != 0)
                fail_msg("%s: %.9g at %d %d, %.9g at %d %d", about, (double)*a, x, y, (double)*b, u,
                         v);
            least = *a < least ? *a : least;
            greatest = *a > greatest ? *a : greatest;
        }
    assert_true(greatest - least > 0.1f);
}

static void check(const char *const *sizes, const char *it, place *image)
{
    for (int seed = 1; seed <= 3; seed++)
        for (const char *const *size = sizes; *size; size++) {
            struct tw_result *r = run_on_noise(*size, seed == 2 ? "wrap" : "closed", seed, it);
            check_image(tw_result_output(r, "land"), image, it);
            tw_result_release(r);
        }
}

static const char *const square[] = {"64", "65", "256", NULL};
static const char *const any[] = {"64", "65", "256", "[96, 64]", "[65, 130]", "[33, 9]", NULL};

static void maps_have_equal_bytes_when_turned_by_half(void **state)
{
    (void)state;
    check(any, "type: thalweg/turned-2, land: noise", half_turn);
    check(any, "type: thalweg/turned-2, land: noise, blend: 0.001", half_turn);
    check(any, "type: thalweg/turned-2, land: noise, blend: 1", half_turn);
    check(any, "type: thalweg/noise-turned, octaves: noise", half_turn);
}

static void maps_have_equal_bytes_when_turned_by_a_quarter(void **state)
{
    (void)state;
    check(square, "type: thalweg/turned-4, land: noise", quarter_turn);
    check(square, "type: thalweg/turned-4, land: noise, blend: 0.001", quarter_turn);
    check(square, "type: thalweg/turned-4, land: noise, blend: 1", quarter_turn);
    check(square, "type: thalweg/noise-turned, octaves: noise, turns: 4", quarter_turn);
}

static void maps_have_equal_bytes_when_mirrored(void **state)
{
    (void)state;
    check(any, "type: thalweg/mirrored, land: noise", mirror);
    check(any, "type: thalweg/mirrored, land: noise, blend: 0.001", mirror);
}

/* Beyond the width over which the parts meet, the pattern keeps its heights to the bit. */
static void the_pattern_stays(void **state)
{
    (void)state;
    static const char *const uses[] = {"type: thalweg/turned-2, land: noise",
                                       "type: thalweg/turned-4, land: noise",
                                       "type: thalweg/mirrored, land: noise"};
    static const int places[][2] = {{40, 8}, {32, 8}, {8, 40}};
    for (int i = 0; i < 3; i++) {
        struct tw_result *r = run_on_noise("64", i == 1 ? "wrap" : "closed", 5, uses[i]);
        const float *noise = tw_result_output(r, "noise")->data;
        const float *land = tw_result_output(r, "land")->data;
        const int at = places[i][1] * 64 + places[i][0];
        assert_float_equal(land[at], noise[at], 1e-6f);
        tw_result_release(r);
    }
}

/* Worlds of the library, ramps included, at a size that tests can afford. */
static void check_world(const char *path, place *image)
{
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    struct tw_error error;
    const struct tw_load_options load = {.width = 128, .height = 128};
    const struct tw_run_options options = {.threads = 2, .only = "land"};
    if (tw_recipe_load(path, &load, &recipe, &error) ||
        tw_recipe_run(recipe, &options, &result, &error))
        fail_msg("%s: %s: %s", path, error.path, error.message);
    check_image(tw_result_output(result, "land"), image, path);
    tw_result_release(result);
    tw_recipe_release(recipe);
}

static void worlds_are_fair_to_the_bit(void **state)
{
    (void)state;
    check_world(TW_GRAPHS "/worlds/rts-2.yaml", half_turn);
    check_world(TW_GRAPHS "/worlds/rts-4.yaml", quarter_turn);
}

static void check_square(const char *it)
{
    char text[400];
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    struct tw_error error;
    const struct tw_run_options options = {.threads = 1};
    snprintf(text, sizeof text,
             "thalweg: 1\nsize: [64, 32]\nnodes:\n  noise: {type: noise.perlin}\n  it: {%s}\n"
             "outputs: {land: it.land}\n",
             it);
    assert_int_equal(tw_recipe_parse(text, strlen(text), "t.yaml", NULL, &recipe, &error), TW_OK);
    assert_int_not_equal(tw_recipe_run(recipe, &options, &result, &error), TW_OK);
    assert_non_null(strstr(error.message, "64 x 32 cells; expected a square one"));
    tw_recipe_release(recipe);
}

static void a_quarter_turn_needs_a_square_map(void **state)
{
    (void)state;
    check_square("type: thalweg/turned-4, land: noise");
    check_square("type: thalweg/noise-turned, octaves: noise, turns: 4");
}

static double deviation(const struct tw_value *map)
{
    const float *z = map->data;
    const size_t count = tw_value_count(map);
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)z[i];
        squares += (double)z[i] * (double)z[i];
    }
    return sqrt(squares / (double)count - sum * sum / ((double)count * (double)count));
}

/* Mean square slope of the cells within 4 of the middle row or column, or of all others. */
static double slope(const struct tw_value *map, bool at_axes)
{
    const float *z = map->data;
    const int side = map->width;
    double sum = 0, count = 0;
    for (int y = 1; y < side - 1; y++)
        for (int x = 1; x < side - 1; x++) {
            const bool near = abs(2 * x - side + 1) <= 8 || abs(2 * y - side + 1) <= 8;
            const float *c = z + y * side + x;
            const double dx = (double)c[1] - (double)c[-1];
            const double dy = (double)c[side] - (double)c[-side];
            sum += near == at_axes ? dx * dx + dy * dy : 0;
            count += near == at_axes;
        }
    return sum / count;
}

static void check_noise(const char *it)
{
    enum { SEEDS = 40 };
    double before = 0, after = 0, axes = 0, elsewhere = 0, axes_before = 0, elsewhere_before = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        struct tw_result *r = run_on_noise("256", "wrap", seed, it);
        const struct tw_value *noise = tw_result_output(r, "noise");
        const struct tw_value *land = tw_result_output(r, "land");
        before += deviation(noise);
        after += deviation(land);
        axes += slope(land, true);
        elsewhere += slope(land, false);
        axes_before += slope(noise, true);
        elsewhere_before += slope(noise, false);
        tw_result_release(r);
    }
    print_message("%s: deviation %.3f, slope at the axes %.3f, of the noise %.3f\n", it,
                  after / before, sqrt(axes / elsewhere), sqrt(axes_before / elsewhere_before));
    assert_true(fabs(after / before - 1) < 0.05);
    assert_true(fabs(sqrt(axes / elsewhere) - 1) < 0.06);
}

static void noise_varies_as_before_and_has_no_seam(void **state)
{
    (void)state;
    check_noise("type: thalweg/noise-turned, octaves: noise, turns: 2");
    check_noise("type: thalweg/noise-turned, octaves: noise, turns: 4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_have_equal_bytes_when_turned_by_half),
        cmocka_unit_test(maps_have_equal_bytes_when_turned_by_a_quarter),
        cmocka_unit_test(maps_have_equal_bytes_when_mirrored),
        cmocka_unit_test(the_pattern_stays),
        cmocka_unit_test(worlds_are_fair_to_the_bit),
        cmocka_unit_test(a_quarter_turn_needs_a_square_map),
        cmocka_unit_test(noise_varies_as_before_and_has_no_seam),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
