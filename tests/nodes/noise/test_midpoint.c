/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"
#include "support/seed.h"

#include <thalweg/kernel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setting {
    int32_t width, height, frequency;
    float persistence;
    bool gaussian, smoothed;
};

/* The textbook form: one square map, known cells `step` apart, filled in place. */
struct torus {
    const struct setting *setting;
    float *cells;
    int32_t side, step;
    uint32_t level;
    float amplitude;
};

static float *at(const struct torus *t, int32_t x, int32_t y)
{
    return t->cells + tw_wrap(y, t->side) * t->side + tw_wrap(x, t->side);
}

static float offset(const struct torus *t, int32_t x, int32_t y, uint32_t square)
{
    uint32_t a = (uint32_t)(2 * x / t->step), b = (uint32_t)(2 * y / t->step);
    float sum = 0;
    if (!t->setting->gaussian)
        return tw_uniform(tw_random(seed_of(7), a, b, 2 * t->level + square, 0).at[0]) - 0.5f;
    for (uint32_t i = 0; i < 12; i++)
        sum += tw_uniform(tw_random(seed_of(7), a, b, 2 * t->level + square, i / 4).at[i % 4]);
    return tw_clamp((sum - 6.0f) / 6.0f, -0.5f, 0.5f);
}

static void set(const struct torus *t, int32_t x, int32_t y, float sum, uint32_t square)
{
    float average = sum * 0.25f, by = offset(t, x, y, square) * t->amplitude;
    *at(t, x, y) = t->setting->smoothed ? average * (1.0f + by) : average + by;
}

static void refine(const struct torus *t)
{
    int32_t h = t->step / 2;
    for (int32_t y = h; y < t->side; y += t->step)
        for (int32_t x = h; x < t->side; x += t->step)
            set(t, x, y,
                *at(t, x - h, y - h) + *at(t, x + h, y - h) + *at(t, x - h, y + h) +
                    *at(t, x + h, y + h),
                0);
    for (int32_t y = 0; y < t->side; y += h)
        for (int32_t x = y / h % 2 ? 0 : h; x < t->side; x += t->step)
            set(t, x, y, *at(t, x, y - h) + *at(t, x - h, y) + *at(t, x + h, y) + *at(t, x, y + h),
                1);
}

static float *reference(const struct setting *s)
{
    struct torus t = {.setting = s, .side = s->frequency, .amplitude = 1, .level = 1};
    while (t.side < s->width || t.side < s->height)
        t.side *= 2;
    int32_t count = t.side * t.side, spacing = t.side / s->frequency;
    float low = 1e9f, high = -1e9f, *out = malloc((size_t)s->width * (size_t)s->height * 4);
    t.cells = calloc((size_t)count, sizeof *t.cells);
    assert_true(t.cells && out);
    for (int32_t i = 0; i < s->frequency * s->frequency; i++) {
        int32_t x = i % s->frequency, y = i / s->frequency;
        float u = tw_uniform(tw_random(seed_of(7), (uint32_t)x, (uint32_t)y, 0, 0).at[0]);
        *at(&t, x * spacing, y * spacing) = s->frequency == 1 ? 0.5f : u;
    }
    for (t.step = spacing; t.step > 1; t.step /= 2, t.level++, t.amplitude *= s->persistence)
        refine(&t);
    for (int32_t i = 0; i < count; i++) {
        low = tw_min(low, t.cells[i]);
        high = tw_max(high, t.cells[i]);
    }
    for (int32_t i = 0; i < s->width * s->height; i++)
        out[i] = (*at(&t, i % s->width, i / s->width) - low) / (high > low ? high - low : 1.0f);
    free(t.cells);
    return out;
}

static void check_setting(struct setting s)
{
    char nodes[256];
    float *expected = reference(&s);
    snprintf(nodes, sizeof nodes,
             "n: {type: noise.midpoint, seed: 7, frequency: %d, persistence: %g, "
             "distribution: %s, smoothed: %s}",
             s.frequency, (double)s.persistence, s.gaussian ? "gaussian" : "uniform",
             s.smoothed ? "true" : "false");
    everywhere((struct harness){.width = s.width, .height = s.height, .nodes = nodes}, "n",
               expected);
    free(expected);
}

static void is_the_textbook_form_bit_for_bit(void **state)
{
    (void)state;
    check_setting((struct setting){64, 64, 8, 0.5f, false, false});
    check_setting((struct setting){128, 128, 4, 0.5f, true, false});
    check_setting((struct setting){256, 256, 1, 0.6f, false, true});
    check_setting((struct setting){64, 64, 2, 0.5f, true, true});
}

/* Strips of the widest level do not cover its rows here. */
static void is_the_textbook_form_on_wide_maps(void **state)
{
    (void)state;
    check_setting((struct setting){2048, 9, 16, 0.5f, false, true});
}

static void other_sizes_are_cut_from_the_next_torus(void **state)
{
    (void)state;
    check_setting((struct setting){1, 1, 8, 0.5f, false, true});
    check_setting((struct setting){1, 1, 1, 0.5f, false, false});
    check_setting((struct setting){1, 37, 2, 0.5f, false, false});
    check_setting((struct setting){61, 1, 8, 0.5f, false, true});
    check_setting((struct setting){257, 129, 8, 0.5f, false, true});
    check_setting((struct setting){33, 60, 64, 0.5f, true, false});
}

/* Low ground of the smoothed kind is smoother: there the offsets shrink with the height. */
static void smoothed_is_flat_at_zero(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(
        &(struct harness){.width = 256,
                          .height = 256,
                          .nodes = "n: {type: noise.midpoint, smoothed: true, frequency: 4}"});
    const float *n = tw_floats(tw_result_output(result, "n"));
    double slope[2] = {0, 0}, cells[2] = {0, 0};
    for (int i = 0; i + 1 < 256 * 256; i++) {
        int high = n[i] > 0.5f;
        slope[high] += fabs((double)n[i + 1] - (double)n[i]);
        cells[high]++;
    }
    assert_true(cells[0] > 0 && cells[1] > 0);
    assert_true(slope[1] / cells[1] > 1.3 * slope[0] / cells[0]);
    tw_result_release(result);
}

static void refuses_a_frequency_that_is_no_power_of_two(void **state)
{
    (void)state;
    struct tw_error error =
        harness_fail(&(struct harness){.nodes = "n: {type: noise.midpoint, frequency: 6}\n"});
    assert_non_null(strstr(error.message, "power of two"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_textbook_form_bit_for_bit),
        cmocka_unit_test(is_the_textbook_form_on_wide_maps),
        cmocka_unit_test(other_sizes_are_cut_from_the_next_torus),
        cmocka_unit_test(smoothed_is_flat_at_zero),
        cmocka_unit_test(refuses_a_frequency_that_is_no_power_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
