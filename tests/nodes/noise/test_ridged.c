/* SPDX-License-Identifier: MIT */
#include "reference/octaves.h"
#include "support/everywhere.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setting {
    int32_t octaves;
    double gain, offset, H;
};

/* The book's loop for one cell; its amplitudes are in `amplitude`. */
static float ridges_at(const struct octave *o, const struct setting *s, const float *amplitude,
                       int32_t x, int32_t y)
{
    float signal = 0, result = 0;
    for (int32_t k = 0; k < s->octaves; k++) {
        float weight = k ? tw_min(signal * (float)s->gain, 1.0f) : 1.0f;
        signal = (float)s->offset - fabsf(octave_at(o, k, x, y));
        signal *= signal;
        signal *= weight;
        result += signal * amplitude[k];
    }
    return result;
}

static void check_setting(struct octave o, struct setting s)
{
    char nodes[256];
    double total = 0;
    double top = fmax(s.offset * s.offset, (1 - s.offset) * (1 - s.offset));
    float amplitude[16], *expected = malloc((size_t)(o.width * o.height) * sizeof *expected);
    assert_non_null(expected);
    for (int32_t k = 0; k < s.octaves; k++)
        total += tw_pow(o.lacunarity, -s.H * k);
    for (int32_t k = 0; k < s.octaves; k++)
        amplitude[k] = (float)(tw_pow(o.lacunarity, -s.H * k) / (total * top));
    for (int32_t i = 0; i < o.width * o.height; i++)
        expected[i] = ridges_at(&o, &s, amplitude, i % o.width, i / o.width);
    snprintf(nodes, sizeof nodes,
             "n: {type: noise.ridged, seed: %d, octaves: %d, frequency: %g, lacunarity: %g, "
             "gain: %g, offset: %g, H: %g, tile: %s}",
             (int)o.seed, s.octaves, o.frequency, o.lacunarity, s.gain, s.offset, s.H,
             o.tile ? "true" : "false");
    everywhere((struct harness){.width = o.width, .height = o.height, .nodes = nodes}, "n",
               expected);
    free(expected);
}

static void is_the_books_loop_bit_for_bit(void **state)
{
    (void)state;
    check_setting((struct octave){'p', 64, 64, 3, 4, 2, true, 0}, (struct setting){6, 2, 1, 1});
    check_setting((struct octave){'p', 257, 129, 3, 2.5, 2.25, false, 0},
                  (struct setting){5, 1.5, 0.75, 0.5});
    check_setting((struct octave){'p', 1, 1, 3, 4, 2, true, 0}, (struct setting){2, 2, 1, 1});
    check_setting((struct octave){'p', 1, 37, 3, 4, 2, true, 0}, (struct setting){3, 2, 0.25, 1});
    check_setting((struct octave){'p', 61, 1, 3, 4, 2, true, 0}, (struct setting){3, 2, 1, 0});
}

/* Ridges are high and rough, valleys low and smooth, and nothing leaves 0..1. */
static void valleys_are_smoother_than_ridges(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(&(struct harness){
        .width = 256, .height = 256, .nodes = "n: {type: noise.ridged, frequency: 4}"});
    const float *n = tw_floats(tw_result_output(result, "n"));
    double bend[2] = {0, 0}, cells[2] = {0, 0};
    for (int i = 1; i < 256 * 256 - 1; i++) {
        int high = n[i] > 0.5f;
        assert_true(n[i] >= 0 && n[i] <= 1);
        if (n[i] > 0.25f && !high)
            continue;
        bend[high] += fabs((double)n[i - 1] + (double)n[i + 1] - 2 * (double)n[i]);
        cells[high]++;
    }
    assert_true(cells[0] > 100 && cells[1] > 100);
    assert_true(bend[1] / cells[1] > 1.4 * bend[0] / cells[0]);
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(is_the_books_loop_bit_for_bit),
                                       cmocka_unit_test(valleys_are_smoother_than_ridges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
