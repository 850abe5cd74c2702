/* SPDX-License-Identifier: MIT */
#include "reference/octaves.h"
#include "support/everywhere.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setting {
    float amplitude, roughness;
    int32_t n;
    const float *in, *amplitude_mask, *roughness_mask;
};

static float noise_at(const struct octave *o, const struct setting *s, int32_t i)
{
    double log2_r = tw_log2(o->lacunarity);
    float roughness = s->roughness_mask ? s->roughness_mask[i] : s->roughness;
    float ratio = (float)tw_exp2(((double)roughness - 1) * log2_r), weight = 1, sum = 0;
    for (int32_t k = 0; k <= s->n; k++, weight *= ratio)
        sum += octave_at(o, k, i % o->width, i / o->width) * weight;
    sum *= s->amplitude;
    if (s->amplitude_mask)
        sum *= s->amplitude_mask[i];
    return s->in ? sum + s->in[i] : sum;
}

/* Slots 0, 1, 2 are the inputs. */
static void check_setting(struct octave o, struct setting s)
{
    char nodes[512];
    float *expected = malloc((size_t)(o.width * o.height) * sizeof *expected);
    assert_non_null(expected);
    for (int32_t i = 0; i < o.width * o.height; i++)
        expected[i] = noise_at(&o, &s, i);
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\na: {type: test.mask, slot: 1}\nr: {type: test.mask, slot: 2}\n"
             "n: {type: noise.multifractal, seed: %d, frequency: %g, lacunarity: %g, tile: %s, "
             "amplitude: %g, roughness: %g, n: %d%s%s%s}",
             (int)o.seed, o.frequency, o.lacunarity, o.tile ? "true" : "false", (double)s.amplitude,
             (double)s.roughness, s.n, s.in ? ", in: in" : "",
             s.amplitude_mask ? ", amplitude_mask: a" : "",
             s.roughness_mask ? ", roughness_mask: r" : "");
    everywhere((struct harness){.width = o.width, .height = o.height, .nodes = nodes}, "n",
               expected);
    free(expected);
}

static void check_size(int32_t width, int32_t height)
{
    struct tw_value maps[3];
    for (int i = 0; i < 3; i++) {
        maps[i] = harness_terrain(width, height, (uint64_t)i + 1);
        harness_give(i, &maps[i]);
    }
    const float *in = tw_floats(&maps[0]), *a = tw_floats(&maps[1]), *r = tw_floats(&maps[2]);
    struct octave o = {'p', width, height, 9, 4, 2, true, 0};
    check_setting(o, (struct setting){0.5f, 0.25f, 5, NULL, NULL, NULL});
    check_setting(o, (struct setting){2, 0.25f, 5, in, a, NULL});
    check_setting(o, (struct setting){1, 0, 3, in, a, r});
    check_setting(o, (struct setting){1, 0, 3, NULL, NULL, r});
    o.tile = false;
    o.lacunarity = 2.5;
    check_setting(o, (struct setting){1, 0.5f, 4, in, NULL, r});
    for (int i = 0; i < 3; i++)
        free(maps[i].data);
}

static void is_equation_4_bit_for_bit(void **state)
{
    (void)state;
    check_size(64, 64);
    check_size(257, 129);
    check_size(1, 1);
    check_size(1, 37);
    check_size(61, 1);
}

/* R = 1 is a plain sum of octaves, R = 0 halves each: both from noise.perlin with the same seed. */
static void ends_of_roughness_are_known_sums(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(
        &(struct harness){.nodes = "a: {type: noise.multifractal, seed: 2, roughness: 1}\n"
                                   "b: {type: noise.multifractal, seed: 2, roughness: 0}\n"
                                   "c: {type: noise.perlin, seed: 2, frequency: 8, octaves: 6, "
                                   "persistence: 1}\n"
                                   "d: {type: noise.perlin, seed: 2, frequency: 8, octaves: 6}\n"});
    const float *a = tw_floats(tw_result_output(result, "a"));
    const float *b = tw_floats(tw_result_output(result, "b"));
    const float *c = tw_floats(tw_result_output(result, "c"));
    const float *d = tw_floats(tw_result_output(result, "d"));
    for (int i = 0; i < 64 * 64; i++) {
        assert_true(fabsf(a[i] - (2 * c[i] - 1) * 6) < 1e-4f);
        assert_true(fabsf(b[i] - (2 * d[i] - 1) * 1.96875f) < 1e-4f);
    }
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(is_equation_4_bit_for_bit),
                                       cmocka_unit_test(ends_of_roughness_are_known_sums)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
