/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"
#include "support/seed.h"

#include <thalweg/kernel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setting {
    int32_t width, height, octaves, frequency;
    float persistence;
    bool cubic;
};

static void weigh(bool cubic, float t, float w[4])
{
    float s = 1.0f - t;
    w[0] = cubic ? -0.5f * t * s * s : 0;
    w[1] = cubic ? 1.0f + t * t * (1.5f * t - 2.5f) : s;
    w[2] = cubic ? t * (0.5f + t * (2.0f - 1.5f * t)) : t;
    w[3] = cubic ? -0.5f * t * t * s : 0;
}

static float lattice(int32_t x, int32_t y, uint32_t octave, int32_t values)
{
    return tw_uniform(
        tw_random(seed_of(7), (uint32_t)tw_wrap(x, values), (uint32_t)tw_wrap(y, values), octave, 0)
            .at[0]);
}

/* First across the four rows, then down. */
static float octave_at(const struct setting *s, int32_t x, int32_t y, uint32_t octave)
{
    int32_t values = s->frequency << octave;
    int64_t u = (int64_t)x * values, v = (int64_t)y * values;
    float across[4], down[4], row[4];
    weigh(s->cubic, (float)(u % s->width) / (float)s->width, across);
    weigh(s->cubic, (float)(v % s->height) / (float)s->height, down);
    for (int32_t j = 0; j < 4; j++) {
        float at[4];
        for (int32_t i = 0; i < 4; i++)
            at[i] = lattice((int32_t)(u / s->width) - 1 + i, (int32_t)(v / s->height) - 1 + j,
                            octave, values);
        float middle = across[1] * at[1], right = across[2] * at[2];
        row[j] = s->cubic ? across[0] * at[0] + middle + right + across[3] * at[3] : middle + right;
    }
    float middle = down[1] * row[1], lower = down[2] * row[2];
    return s->cubic ? down[0] * row[0] + middle + lower + down[3] * row[3] : middle + lower;
}

static float *reference(const struct setting *s)
{
    size_t count = (size_t)s->width * (size_t)s->height;
    float *out = calloc(count, sizeof *out), low = 1e9f, high = -1e9f;
    assert_non_null(out);
    for (size_t i = 0; i < count; i++) {
        float amplitude = 1.0f;
        for (int32_t k = 0; k < s->octaves; k++, amplitude *= s->persistence)
            out[i] += (s->frequency << k) == 1
                          ? 0
                          : amplitude * octave_at(s, (int32_t)(i % (size_t)s->width),
                                                  (int32_t)(i / (size_t)s->width), (uint32_t)k);
        low = tw_min(low, out[i]);
        high = tw_max(high, out[i]);
    }
    for (size_t i = 0; i < count; i++)
        out[i] = (out[i] - low) / (high > low ? high - low : 1.0f);
    return out;
}

static void check_setting(struct setting s)
{
    char nodes[256];
    float *expected = reference(&s);
    snprintf(nodes, sizeof nodes,
             "n: {type: noise.spectral, seed: 7, octaves: %d, frequency: %d, persistence: %g, "
             "interpolation: %s}",
             s.octaves, s.frequency, (double)s.persistence, s.cubic ? "cubic" : "linear");
    everywhere((struct harness){.width = s.width, .height = s.height, .nodes = nodes}, "n",
               expected);
    free(expected);
}

static void is_the_sum_of_octaves_bit_for_bit(void **state)
{
    (void)state;
    check_setting((struct setting){64, 64, 5, 4, 0.5f, false});
    check_setting((struct setting){257, 129, 6, 3, 0.5f, true});
    check_setting((struct setting){700, 33, 3, 2, 0.75f, false});
    check_setting((struct setting){1, 1, 2, 1, 0.5f, true});
    check_setting((struct setting){1, 37, 4, 1, 0.5f, true});
    check_setting((struct setting){61, 1, 4, 1, 0.5f, false});
}

/* More random values than cells: every one of the strips is short. */
static void takes_octaves_finer_than_the_map(void **state)
{
    (void)state;
    check_setting((struct setting){20, 13, 4, 512, 0.5f, true});
    check_setting((struct setting){20, 13, 2, 4096, 0.5f, false});
}

/* With one octave the random values themselves are seen where the lattice meets cells, and linear
 * interpolation runs straight between them. */
static void linear_octave_is_straight_between_values(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(
        &(struct harness){.nodes = "n: {type: noise.spectral, octaves: 1, frequency: 8}\n"});
    const float *n = tw_floats(tw_result_output(result, "n"));
    for (int y = 0; y < 64; y += 8)
        for (int x = 0; x < 64; x++) {
            float left = n[y * 64 + x / 8 * 8], right = n[y * 64 + (x / 8 + 1) * 8 % 64];
            float t = (float)(x % 8) / 8.0f;
            assert_float_equal(n[y * 64 + x], left * (1 - t) + right * t, 1e-6);
        }
    tw_result_release(result);
}

/* Where nothing is added to it, or next to nothing. */
static void single_value_is_level(void **state)
{
    (void)state;
    float level[100 * 37] = {0};
    everywhere((struct harness){.width = 100,
                                .height = 37,
                                .nodes = "n: {type: noise.spectral, octaves: 1, frequency: 1}"},
               "n", level);
    everywhere((struct harness){.width = 100,
                                .height = 37,
                                .nodes = "n: {type: noise.spectral, octaves: 5, frequency: 1, "
                                         "persistence: 0, interpolation: cubic}"},
               "n", level);
    check_setting((struct setting){100, 37, 2, 1, 1e-9f, true});
}

static void refuses_more_values_than_a_lattice_holds(void **state)
{
    (void)state;
    struct tw_error error = harness_fail(
        &(struct harness){.nodes = "n: {type: noise.spectral, octaves: 16, frequency: 4}\n"});
    assert_non_null(strstr(error.hint, "65536"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_sum_of_octaves_bit_for_bit),
        cmocka_unit_test(takes_octaves_finer_than_the_map),
        cmocka_unit_test(linear_octave_is_straight_between_values),
        cmocka_unit_test(single_value_is_level),
        cmocka_unit_test(refuses_more_values_than_a_lattice_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
